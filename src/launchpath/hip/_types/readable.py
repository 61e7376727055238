"""Memory of this process that may not be there: reading and writing it here never faults."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from typing import Any

_PAGE = 4096  # bytes; pages of no system are smaller, and a pipe takes one without a reader
_END = 1 << 64
_RARE = 16  # pages of which each is looked at; of more the first and the last, and whether there is memory between


def _function(name: str, *arguments: Any, result: Any = ctypes.c_ssize_t) -> Any:
    windows: Any = getattr(ctypes, "windll", None)
    function = getattr(ctypes.CDLL(None) if windows is None else windows.kernel32, name)
    function.argtypes, function.restype = arguments, result
    return function


if sys.platform == "win32":
    _four = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
    _read_memory = _function("ReadProcessMemory", *_four, result=ctypes.c_int)
    _write_memory = _function("WriteProcessMemory", *_four, result=ctypes.c_int)
    _THIS_PROCESS = -1

    class _Copier:
        """Copies of at most a page by functions of the system's that say whether they could."""

        def get(self, place: int, size: int) -> bytes | None:
            data = ctypes.create_string_buffer(size)
            return data.raw if _read_memory(_THIS_PROCESS, place, data, size, None) else None

        def put(self, place: int, data: bytes) -> bool:
            return bool(_write_memory(_THIS_PROCESS, place, data, len(data), None))

        def close(self) -> None:
            pass

else:
    _to_pipe = _function("write", ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
    _from_pipe = _function("read", ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
    _sync = _function("msync", ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, result=ctypes.c_int)
    _ASYNCHRONOUSLY = 1  # nothing happens then, but that the addresses are looked at

    class _Copier:
        """Copies of at most a page by a pipe.

        The system neither writes to it what cannot be read, nor reads from it to where nothing can be written.
        """

        def __init__(self) -> None:
            self._reader, self._writer = os.pipe()

        def get(self, place: int, size: int) -> bytes | None:
            return os.read(self._reader, size) if _to_pipe(self._writer, place, size) == size else None

        def put(self, place: int, data: bytes) -> bool:
            os.write(self._writer, data)
            if _from_pipe(self._reader, place, len(data)) == len(data):
                return True
            os.read(self._reader, len(data))  # what is left in it is not for the next
            return False

        def close(self) -> None:
            os.close(self._reader)
            os.close(self._writer)


def _copier() -> contextlib.closing[_Copier]:
    return contextlib.closing(_Copier())


def _pieces(place: int, size: int) -> Iterator[tuple[int, int]]:
    """Give the parts of a range of addresses that are in a page each."""
    end = place + size
    while place < end:
        part = min(_PAGE - place % _PAGE, end - place)
        yield place, part
        place += part


def _is_range(place: int, size: int) -> bool:
    return 0 < place < _END and 0 <= size < _END and place + size <= _END


def read(place: int, size: int) -> bytes | None:
    """Return so many bytes at an address; None if they cannot be read."""
    if not _is_range(place, size):
        return None
    data = bytearray()
    with _copier() as copier:
        for start, part in _pieces(place, size):
            piece = copier.get(start, part)
            if piece is None:
                return None
            data += piece
    return bytes(data)


def write(place: int, data: bytes) -> bool:
    """Write bytes to an address. False: all or some of them cannot be written."""
    if not _is_range(place, len(data)):
        return False
    with _copier() as copier:
        pieces = _pieces(place, len(data))
        return all(copier.put(start, data[start - place : start - place + part]) for start, part in pieces)


def is_there(place: int, size: int, written: bool = False) -> bool:
    """Whether so many bytes at an address can be read, or also be written.

    Parameters
    ----------
    place, size : int
    written : bool
        They are about to be written, so nothing else uses them: some are written with what they are.
    """
    if not _is_range(place, size):
        return False
    if size == 0:
        return True
    pages = [place, *(start for start, _ in list(_pieces(place, min(size, _RARE * _PAGE)))[1:]), place + size - 1]
    with _copier() as copier:
        for start in pages:
            byte = copier.get(start, 1)
            if byte is None or (written and not copier.put(start, byte)):
                return False
    if size <= _RARE * _PAGE or sys.platform == "win32":
        return True
    first = place - place % _PAGE
    return bool(_sync(first, place + size - first, _ASYNCHRONOUSLY) == 0)


def is_code(place: int) -> bool:
    """Whether an address may be that of a function: the system runs what is there."""
    if read(place, 1) is None:
        return False
    try:
        with open("/proc/self/maps", encoding="ascii", errors="replace") as rows:
            for row in rows:
                ends, modes, *_ = row.split(None, 2)
                first, _, last = ends.partition("-")
                if int(first, 16) <= place < int(last, 16):
                    return "x" in modes
    except OSError:
        return True  # this system does not tell
    return False


def read_text(place: int, most: int) -> bytes | None:
    """Return the bytes before the NUL; None if they cannot be read, or are more than `most`."""
    text = b""
    while len(text) <= most:
        data = read(place + len(text), min(_PAGE - (place + len(text)) % _PAGE, 512))
        if data is None:
            return None
        before, end, _ = data.partition(b"\0")
        text += before
        if end:
            return text if len(text) <= most else None
    return None
