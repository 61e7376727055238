"""Values of C where pointers say that they are."""

from __future__ import annotations

import ctypes
from typing import Any

from launchpath.hip._bindings import Error, address
from launchpath.hip._errors import HipError


def room(pointer: Any) -> int | None:
    """Return the bytes that a pointer has room for, if it tells: a value of ctypes, or a buffer."""
    if pointer is None or isinstance(pointer, (int, ctypes.c_void_p)):
        return None
    try:
        return memoryview(pointer).nbytes
    except TypeError:
        return None


def _check(pointer: Any, size: int) -> int:
    place, space = address(pointer), room(pointer)
    if not place:
        raise HipError(Error.hipErrorInvalidValue, "expected where a value is, got a null pointer")
    if space is not None and space < size:
        raise HipError(Error.hipErrorInvalidValue, f"expected {size} bytes for the value, got {space}")
    return place


def write(pointer: Any, value: int, size: int) -> None:
    """Write an int of so many bytes."""
    data = (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")
    ctypes.memmove(_check(pointer, size), data, size)


def read(pointer: Any, size: int) -> int:
    """Read an int of so many bytes, without a sign."""
    return int.from_bytes(ctypes.string_at(_check(pointer, size), size), "little")
