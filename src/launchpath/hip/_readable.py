"""Memory of this process that may not be there: reading it never faults."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

_PAGE = 4096  # bytes; pages of no system are smaller


def _reader() -> Any:
    """Return the system's function that copies memory and says whether it could."""
    if sys.platform == "win32":
        read = ctypes.windll.kernel32.ReadProcessMemory
        read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        return read
    write = ctypes.CDLL(None).write
    write.argtypes, write.restype = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t], ctypes.c_ssize_t
    return write


_copy = _reader()


def read(place: int, size: int) -> bytes | None:
    """Return so many bytes at an address, less than 4096; None if they cannot be read."""
    if not 0 < place < 1 << 64:
        return None
    if sys.platform == "win32":
        data, this_process = ctypes.create_string_buffer(size), -1
        return data.raw if _copy(this_process, place, data, size, None) else None
    # The system refuses to write to a pipe what cannot be read. A pipe takes a page without a reader.
    reader, writer = os.pipe()
    try:
        return os.read(reader, size) if _copy(writer, place, size) == size else None
    finally:
        os.close(reader)
        os.close(writer)


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
