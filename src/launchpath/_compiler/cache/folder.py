"""A folder that is private to the user, in which processes share files safely.

Its files become code that runs, so no other user may write there. Each operation opens the folder anew, checks its
owner, and then works by the open folder, not by its path. Another user may be able to rename a folder above it, in a
shared ``/tmp`` for example, but cannot replace the folder between the check and the use. The folder is not kept open: a
process that closes all descriptors, as daemons do, may have another file under the same number.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple

FRESH = 60.0  # seconds: a file's time of last use is not brought up to date more often
TALLY = ".launchpath-tally"

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# Not blocking: somebody may have put a FIFO where a file is meant.
_FILE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)

SUPPORTED = {os.open, os.unlink, os.rename} <= os.supports_dir_fd and os.scandir in os.supports_fd


class NotPrivateError(PermissionError):
    """A folder that somebody else can write to; ``strerror`` says why, and what to do."""


class File(NamedTuple):
    """A file's name, bytes, and time of last use in seconds since 1970."""

    name: str
    size: int
    used: float


class Folder:
    """A private folder, made at the first write.

    All methods raise `OSError`: ``FileNotFoundError`` where the folder or the file is not there, and `NotPrivateError`.

    Parameters
    ----------
    path : str
        Absolute.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self, name: str, at_most: int | None = None) -> bytes:
        """Read a file, and note its use unless it is read in part."""
        with self._opened() as folder:
            file = _open_file(folder, name)
            try:
                data = read_regular(file, at_most)
                if at_most is None:
                    _note_use(file)
            finally:
                os.close(file)
        return data

    def open(self, name: str) -> int:
        """Open a file for reading, and note its use. Give its descriptor, which the caller closes."""
        with self._opened() as folder:
            file = _open_file(folder, name)
        _note_use(file)
        return file

    def write(self, name: str, data: bytes, durable: bool = False) -> None:
        """Write a file under another name, then put it in its place at once: readers see the old one or the new one.

        A `durable` file is whole even after the system has crashed: its bytes are on the disk before its name is.
        """
        temporary = f".{name}.{os.getpid()}.{os.urandom(8).hex()}.tmp"
        with self._opened(make=True) as folder:
            opened: list[int] = []
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE | _NO_LINK
            create = partial(os.open, mode=0o600, dir_fd=folder)
            try:
                try:
                    # In one step for interrupts, which strike between Python's instructions: no file stays open.
                    opened.extend(map(create, (temporary,), (flags,)))
                    rest = memoryview(data)
                    while rest:
                        rest = rest[os.write(opened[0], rest) :]
                    if durable:
                        os.fsync(opened[0])
                finally:
                    while opened:
                        os.close(opened.pop())  # a full quota may be reported as late as here
                _replace(temporary, name, folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
                raise

    def files(self) -> list[File]:
        """List the files."""
        files = []
        with self._opened() as folder, os.scandir(folder) as items:
            for item in items:
                with suppress(FileNotFoundError):  # removed by another process since
                    state = item.stat(follow_symlinks=False)
                    if not stat.S_ISDIR(state.st_mode):
                        files.append(File(item.name, state.st_size, state.st_mtime))
        return files

    def remove(self, names: list[str]) -> None:
        """Remove files. Those that are gone already are all right; others may be reading them, and go on doing so."""
        with self._opened() as folder:
            for name in names:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)

    def tally(self, count: int) -> int:
        """Count something up for all processes, and give the sum since `restart_tally`.

        The sum is the length of a file that every process appends to. This needs no lock, and no repair if it is lost.
        """
        with self._opened(make=True) as folder:
            try:
                file = _open_tally(folder)
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.ELOOP, errno.ENXIO):
                    raise
                with suppress(FileNotFoundError):
                    os.unlink(TALLY, dir_fd=folder)  # root's, by `sudo`, or no file at all
                file = _open_tally(folder)
            try:
                os.write(file, b"." * count)
                return os.fstat(file).st_size
            finally:
                os.close(file)

    def restart_tally(self) -> None:
        """Count from 0 again."""
        self.remove([TALLY])

    @contextmanager
    def _opened(self, make: bool = False) -> Iterator[int]:
        try:
            folder = _open(self.path)
        except FileNotFoundError:
            if not make:
                raise
            _make(self.path)
            folder = _open(self.path)
        try:
            _check_private(folder)
            yield folder
        finally:
            os.close(folder)


def read_regular(file: int, at_most: int | None = None) -> bytes:
    """Read an open file from its start.

    Raises
    ------
    OSError
        It is no ordinary file.
    """
    state = os.fstat(file)
    if not stat.S_ISREG(state.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    left = state.st_size if at_most is None else min(at_most, state.st_size)
    data = os.read(file, left)
    if len(data) == left:
        return data
    parts = [data]  # a signal, or 2 GiB, came between
    while parts[-1] and (left := left - len(parts[-1])):
        parts.append(os.read(file, left))
    return b"".join(parts)


def _open_file(folder: int, name: str) -> int:
    return os.open(name, os.O_RDONLY | _FILE | _NO_LINK, dir_fd=folder)


def _note_use(file: int) -> None:
    with suppress(OSError):  # a folder that is only for reading is good enough
        if not 0 <= time.time() - os.fstat(file).st_mtime < FRESH:
            os.utime(file)


def _open(path: str) -> int:
    """Open a folder. A link to a folder is followed if only the user, or root, can have created it."""
    try:
        return os.open(path, _FOLDER | _NO_LINK)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise
        link = os.lstat(path)
        if not stat.S_ISLNK(link.st_mode):
            raise
        if link.st_uid not in (0, os.geteuid()):
            raise NotPrivateError(
                errno.EPERM, f"it is a link that belongs to another user (uid {link.st_uid})"
            ) from None
        return os.open(path, _FOLDER)


def _check_private(folder: int) -> None:
    state = os.fstat(folder)
    if state.st_uid != os.geteuid():
        raise NotPrivateError(
            errno.EPERM, f"it belongs to another user (uid {state.st_uid}; this process has uid {os.geteuid()})"
        )
    if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotPrivateError(errno.EPERM, "other users can write to it: use `chmod go-w`")


def _make(path: str) -> None:
    """Make a folder and those above it, each for the user alone, as the XDG rules have it for the cache folder."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass  # another process has created it; the owner is checked next
    except FileNotFoundError:
        above = os.path.dirname(path)
        if above == path:
            raise
        _make(above)
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)


def _open_tally(folder: int) -> int:
    return os.open(TALLY, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _FILE | _NO_LINK, mode=0o600, dir_fd=folder)


def _replace(temporary: str, name: str, folder: int) -> None:
    try:
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except IsADirectoryError:
        os.rmdir(name, dir_fd=folder)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
