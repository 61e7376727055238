"""``read-backs``: hashes of all bytes that the program reads from devices, in their order, for each line and thread.

Two runs of a program that gives the same results have the same hashes. What is read asynchronously is hashed when it is
first known to be there.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._memory.copies.host import HostCopy
from launchpath._memory.staged_place import StagedPlace
from launchpath._mends.site import caller, site_of, user_frame
from launchpath._mends.waits import is_of_hip
from launchpath._programs.result import Result
from launchpath._streams.device import Device
from launchpath._streams.event import Event
from launchpath._streams.stream import Stream

_DIGEST = 16  # bytes
_query = _core.EventBase.query  # not that of `Event`, after which there is a look


class ReadBacks:
    """Hashes of what was read, by site."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._sites: dict[tuple[str, str], list[Any]] = {}  # (site, thread): [hash, how many, bytes]
        self._pending: deque[tuple[Event, str, str, Callable[[], Any]]] = deque()
        self._memory = -1  # the process's own memory, as a file: what is not there any more gives an error

    def note(self, site: str, content: Any) -> None:
        """The program has got these bytes."""
        self._add(site, threading.current_thread().name, content)

    def note_later(self, stream: Any, site: str, content: Callable[[], Any]) -> None:
        """It will have got them when the stream's work so far is complete."""
        with self._lock:
            self._pending.append((stream.record(), site, threading.current_thread().name, content))

    def look(self) -> None:
        """Note what is there by now, in the order in which it was asked for."""
        with self._lock:
            while self._pending and _query(self._pending[0][0]):
                _, site, thread, content = self._pending.popleft()
                self._add(site, thread, content())

    def at_address(self, address: int, size: int) -> bytes:
        """Read bytes of this process."""
        if self._memory < 0:
            self._memory = os.open("/proc/self/mem", os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._memory, size, address)

    def facts(self) -> dict[str, Any]:
        """Give the hashes as JSON takes them: of a site, those of its threads together, in the order of their names."""
        self.look()
        with self._lock:
            sites: dict[str, dict[str, Any]] = {}
            for (site, _), (digest, count, size) in sorted(self._sites.items(), key=lambda item: item[0]):
                of_site = sites.setdefault(site, {"count": 0, "bytes": 0, "hash": ""})
                both = of_site["hash"].encode() + digest.digest()
                of_site["hash"] = hashlib.blake2b(both, digest_size=_DIGEST).hexdigest()
                of_site["count"] += count
                of_site["bytes"] += size
            return {"sites": sites, "not_awaited": len(self._pending)}

    def renew(self) -> None:
        """In a forked child: nothing was read there yet."""
        self._lock, self._memory = threading.RLock(), -1
        self._sites.clear()
        self._pending.clear()

    def _add(self, site: str, thread: str, content: Any) -> None:
        content = content.tobytes() if isinstance(content, np.ndarray) else content
        with self._lock:
            of_site = self._sites.setdefault((site, thread), [hashlib.blake2b(digest_size=_DIGEST), 0, 0])
            of_site[0].update(len(content).to_bytes(8, "little"))
            of_site[0].update(content)
            of_site[1] += 1
            of_site[2] += len(content)


def _site() -> str:
    return site_of(user_frame(caller()))


def keep_read_backs() -> ReadBacks:
    """Keep hashes of what the program reads from now on."""
    read = ReadBacks()
    _replace_reads(read)
    _replace_asynchronous(read)
    for kind in (Stream, Event, Device):
        _look_after(read, kind, "synchronize")
    _look_after(read, HostCopy, "result")
    _look_after(read, HostCopy, "done")
    _look_after(read, Event, "query")
    _look_after(read, Stream, "query")
    return read


def _replace_reads(read: ReadBacks) -> None:
    """Stand in front of the functions that return when the bytes are there."""
    plain, part, raw, address = (
        _core.download_plain, _core.download_bytes, _core.read_bytes, _core.download_address,
    )  # fmt: skip
    staged, result = StagedPlace.download, Result._read

    def download_plain(array: Any, host: Any, stream: Any) -> bool:
        done = plain(array, host, stream)
        if done:
            read.note(_site(), host)
        return done

    def download_bytes(array: Any, stream: Any, offset: int, host: Any) -> None:
        part(array, stream, offset, host)
        read.note(_site(), host)

    def read_bytes(stream: Any, to: int, source: int, size: int, owner: Any) -> None:
        raw(stream, to, source, size, owner)
        read.note(_site(), read.at_address(to, size))

    def download_address(stream: Any, to: int, source: int, size: int) -> None:
        address(stream, to, source, size)
        read.note(_site(), read.at_address(to, size))

    def download(self: StagedPlace, host: Any) -> None:
        staged(self, host)
        read.note(_site(), host)

    def values(self: Result) -> list[Any]:
        first = self._values is None
        got = result(self)
        if first:
            for value in got:
                read.note(_site(), np.asarray(value))
        return got

    vars(_core).update(
        download_plain=download_plain, download_bytes=download_bytes, read_bytes=read_bytes,
        download_address=download_address,
    )  # fmt: skip
    StagedPlace.download = download  # type: ignore[method-assign]
    Result._read = values  # type: ignore[method-assign]


def _replace_asynchronous(read: ReadBacks) -> None:
    """And in front of those that return before."""
    to_pinned, copy = _core.download_asynchronously, _core.copy_bytes

    def download_asynchronously(array: Any, stream: Any, host: Any) -> bool:
        done = to_pinned(array, stream, host)
        if done:
            read.note_later(stream, _site(), lambda: host)
        return done

    def copy_bytes(stream: Any, to: int, source: int, size: int, direction: int = 0) -> None:
        copy(stream, to, source, size, direction)
        if direction == _core.DOWN and is_of_hip(caller()):
            read.note_later(stream, _site(), lambda: read.at_address(to, size))

    vars(_core).update(download_asynchronously=download_asynchronously, copy_bytes=copy_bytes)


def _look_after(read: ReadBacks, kind: Any, name: str) -> None:
    """Look at what is there by now whenever the program has waited, or asked."""
    original = getattr(kind, name)

    def looked(self: Any) -> Any:
        answer = original(self)
        read.look()
        return answer

    looked.__doc__ = original.__doc__
    setattr(kind, name, looked)
