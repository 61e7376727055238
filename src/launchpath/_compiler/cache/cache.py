"""The cache on disk: compiled programs, by a key of everything that they depend on.

A cache that does not work must never stop a compilation. A damaged entry is no hit. If the folder cannot be used,
`Cache.put` does nothing, and warns once in a process.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import Any, NamedTuple

from launchpath._compiler.cache.entry import Entry, index_end, meta_of
from launchpath._compiler.cache.fingerprint import digest, key, unchanged
from launchpath._compiler.cache.folder import SUPPORTED, File, Folder, NotPrivateError
from launchpath._environment import switch
from launchpath._logged import log, tell_caller
from launchpath.errors import ArgumentValueError, LaunchpathError

__all__ = ["Cache", "Entry", "Settings", "Stored", "default", "digest", "key", "settings", "unchanged"]

SWITCH = "LAUNCHPATH_CACHE"
FOLDER = "LAUNCHPATH_CACHE_DIR"
LIMIT = "LAUNCHPATH_CACHE_LIMIT"
DEFAULT_LIMIT = 512  # MiB

ADVICE = f"Name a folder of your own in {FOLDER}, or set {SWITCH}=0 to do without."
NO_FOLDER = "there is neither a home directory nor another folder to keep them in"
BLOCK = 4096  # bytes: what a file takes is counted in whole ones, as disks do
ABANDONED = 3600.0  # seconds: the writer of an unfinished file that is older was killed

# Patterns as text: only who lists the folder has a use for the last two.
_ENTRY = r"([0-9a-f]{16,128})\.lp"
_ATTACHED = r"([0-9a-f]{16,128})\.attached"
_TEMPORARY = r"\.[0-9a-f]{16,128}\.(?:lp|attached)\.\d+\.[0-9a-f]{16}\.tmp"
_untold = ["a warning"]  # taken by the first that warns; popping is safe among threads


class Stored(NamedTuple):
    """An entry as it lies in the folder."""

    key: str
    size: int  # bytes on disk, in whole blocks of 4 KiB
    used: float  # time of last use, in seconds since 1970, to a minute
    meta: dict[str, Any] | None  # None if it cannot be read, or was not


class Cache:
    """Entries in a folder, shared by all processes of a user.

    The entry that was not used for the longest time is removed first. It is too slow to look at all entries in every
    `put`, and no process knows the entries that others put. So all processes count the bytes that they put since the
    last look, in a file of its own, `Folder.tally`. The process that takes the count to a 16th of the limit looks. If
    more than 7/8 of the limit is taken, it removes entries until 3/4 is. So the limit holds, except for the bytes that
    are being written at that moment, and for another 16th if a process is killed while it looks.

    Parameters
    ----------
    folder : str
        Made when the first entry is put.
    limit : int
        Bytes on disk. An entry of more than half of it is not kept.
    """

    def __init__(self, folder: str, limit: int) -> None:
        self.folder, self.limit = os.path.abspath(folder), limit
        self._files = Folder(self.folder)

    def get(self, key: str) -> Entry | None:
        """Find an entry that is whole and whose files (``meta["files"]``) are as they were; never raises."""
        name = _name(key)
        try:
            entry = Entry.decode(self._files.read(name), name)
            meta = dict(entry.meta)
            if meta.pop("key", None) != key or not unchanged(meta.get("files", {})):
                return None
            return Entry(meta, entry.blobs)
        except NotPrivateError as error:
            _warn(f"{self.folder} is not used, for {error.strerror}")
        except (OSError, ValueError, MemoryError):  # ValueError: the entry's bytes
            pass
        return None

    def put(self, key: str, entry: Entry, attached: bytes | None = None) -> None:
        """Keep an entry in place of the one that this key has. If that is not possible: warn once, and go on.

        Parameters
        ----------
        key : str
        entry : Entry
        attached : bytes, optional
            Kept as a file of its own, which other programs can read as it is; see `attached`.
        """
        name = _name(key)
        if attached is not None:
            entry = Entry({**entry.meta, "attached": len(attached)}, entry.blobs)
        # With its key, so that a file that got another's name is no hit.
        data = Entry({**entry.meta, "key": key}, entry.blobs).encode()
        size = _on_disk(len(data)) + _on_disk(len(attached or b""))
        if size > self.limit // 2:
            return
        for attempt in (1, 2):
            try:
                sum_of_all = self._files.tally(size // BLOCK) * BLOCK
                if attached is not None:
                    self._files.write(_name(key, "attached"), attached, durable=True)
                self._files.write(name, data)
                if sum_of_all >= self.limit // 16:
                    self._sweep()
            except FileNotFoundError as error:  # another process removed the folder, or the file during the write
                if attempt == 2:
                    self._warn_about(error)
                continue
            except OSError as error:
                self._warn_about(error)
            return

    def attached(self, key: str, entry: Entry) -> int | None:
        """Open the file that is attached to an entry, or give None if it is not there as it was written.

        The descriptor is the caller's. What it reads stays as it is, though others may remove or replace the file. It
        has no checksum, for reading all of it would take longer than the use of a part.
        """
        try:
            file = self._files.open(_name(key, "attached"))
        except OSError:
            return None
        if os.fstat(file).st_size == entry.meta.get("attached"):
            return file
        os.close(file)
        return None

    def entries(self, read: int | None = None) -> list[Stored]:
        """List the entries, the last used one first.

        Parameters
        ----------
        read : int, optional
            How many to read, those that were used last; the others have no meta. All if left out.

        Raises
        ------
        LaunchpathError
            The folder cannot be read, or is not private.
        """
        files = sorted((file for file in self._list() if re.fullmatch(_ENTRY, file.name)), key=lambda file: -file.used)
        return [
            Stored(
                file.name.removesuffix(".lp"),
                _on_disk(file.size),
                file.used,
                self._meta(file.name) if read is None or number < read else None,
            )
            for number, file in enumerate(files)
        ]

    def size(self) -> int:
        """Bytes on disk of all entries, and of what is being written.

        Raises
        ------
        LaunchpathError
            The folder cannot be read, or is not private.
        """
        return sum(_on_disk(file.size) for file in self._list())

    def clear(self, older_than: float | None = None) -> tuple[int, int]:
        """Remove the entries, or those that were last used more than these seconds ago. Nothing else is touched.

        Returns
        -------
        tuple of int
            How many entries, and bytes on disk.

        Raises
        ------
        LaunchpathError
            The folder cannot be written to, or is not private.
        """
        now = time.time()
        files = [file for file in self._list() if older_than is None or now - file.used > older_than]
        try:
            self._files.remove([file.name for file in files])
            if older_than is None:
                self._files.restart_tally()
        except FileNotFoundError:
            pass
        except OSError as error:
            raise LaunchpathError(f"cannot remove entries from {self.folder}: {error.strerror}") from None
        count = sum(re.fullmatch(_ENTRY, file.name) is not None for file in files)
        return count, sum(_on_disk(file.size) for file in files)

    def _list(self) -> list[File]:
        """List the cache's files in the folder. The folder may hold other files of the user's."""
        try:
            files = self._files.files()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise LaunchpathError(f"cannot use {self.folder}: {error.strerror}") from None
        return [file for file in files if re.fullmatch(f"{_ENTRY}|{_ATTACHED}|{_TEMPORARY}", file.name)]

    def _meta(self, name: str) -> dict[str, Any] | None:
        try:
            start = self._files.read(name, at_most=2 * BLOCK)
            end = index_end(start, name)
            if end > len(start):
                start = self._files.read(name, at_most=end)
            return meta_of(start, name)
        except (OSError, ValueError, MemoryError):
            return None

    def _sweep(self) -> None:
        with suppress(OSError, LaunchpathError):  # the entry is there: what cannot be removed now is removed later
            self._files.restart_tally()  # first, so that others do not sweep as well
            files, now = self._list(), time.time()
            removed = [
                file for file in files if re.fullmatch(_TEMPORARY, file.name) and abs(now - file.used) > ABANDONED
            ]
            remaining = sorted(set(files).difference(removed), key=lambda file: -file.used)
            total = sum(_on_disk(file.size) for file in remaining)
            if total > self.limit * 7 // 8:
                while remaining and total > self.limit * 3 // 4:
                    file = remaining.pop()
                    if not re.fullmatch(_TEMPORARY, file.name):
                        removed.append(file)
                        total -= _on_disk(file.size)
            self._files.remove([file.name for file in removed])
            if removed:
                log(f"removed {len(removed)} old files from the cache {self.folder}, to keep its limit")

    def _warn_about(self, error: OSError) -> None:
        _warn(f"the cache does not keep programs in {self.folder}: {_reason(error)}")


class Settings(NamedTuple):
    """What the environment says."""

    # absolute; None if the name is no possible path, or if there is neither a name nor a home directory
    folder: str | None
    limit: int  # bytes
    on: bool


def settings() -> Settings:
    """Read the environment. An empty variable counts as not set.

    Raises
    ------
    ArgumentValueError
        The limit is no number, or the switch no switch.
    """
    requested = os.environ.get(LIMIT) or str(DEFAULT_LIMIT)
    try:
        limit = int(float(requested) * (1 << 20))
    except (ValueError, OverflowError):  # of infinity
        limit = -1
    if limit < 0:
        raise ArgumentValueError(f"{LIMIT}: expected a number of MiB, got {requested!r}: set it to {DEFAULT_LIMIT}")
    return Settings(_folder(), limit, switch(SWITCH, True))


def _folder() -> str | None:
    named = os.environ.get(FOLDER)
    if named:
        folder = os.path.expanduser(named)  # a Dockerfile's ENV does not do that
    else:
        from platformdirs import user_cache_dir  # noqa: PLC0415 (slow to import)

        try:
            folder = user_cache_dir("launchpath", appauthor=False)
        except RuntimeError:
            return None
    if folder.startswith("~"):  # it stays where there is no home directory
        return None
    try:
        return os.path.abspath(folder)
    except FileNotFoundError:  # relative to a folder that is gone
        return None


def default() -> Cache | None:
    """Give the cache that the environment asks for; None if it is off, or cannot be.

    Raises
    ------
    ArgumentValueError
        ``LAUNCHPATH_CACHE_LIMIT`` is no number, or ``LAUNCHPATH_CACHE`` no switch.
    """
    if not switch(SWITCH, True) or not SUPPORTED:
        return None
    folder, limit, _ = settings()
    if folder is None:
        _warn(f"the cache does not keep programs: {NO_FOLDER}")
    return Cache(folder, limit) if folder and limit else None


def _name(key: str, suffix: str = "lp") -> str:
    if not re.fullmatch(_ENTRY, f"{key}.lp"):
        raise ArgumentValueError(f"{key!r} is not a key of the cache")
    return f"{key}.{suffix}"


def _on_disk(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _warn(problem: str) -> None:
    """Warn, once in a process."""
    try:
        _untold.pop()
    except IndexError:
        return
    text = f"compiled programs: {problem}. {ADVICE}"
    tell_caller(text)
