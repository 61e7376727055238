"""Values of C where pointers say that they are."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from launchpath.hip._bindings import Error, Pointer, address
from launchpath.hip._errors import HipError


def struct_of(kind: Any, value: Any) -> Any:
    """Return a struct that a program passed: itself, or the one at an address.

    Parameters
    ----------
    kind : type
        HIP's type of the struct.
    value : Any
        An object of it, or an address. Other objects are taken as they are: all that counts is their fields.
    """
    is_place = isinstance(value, (int, ctypes.c_void_p, Pointer))
    if value is None or (is_place and not address(value)):
        raise HipError(Error.hipErrorInvalidValue, f"expected a {kind.__name__}, got a null pointer")
    return kind.fromObj(value) if is_place and not isinstance(value, kind) else value


def text_of(name: Any) -> str:
    """Return a name, or a path, that a program passed."""
    if isinstance(name, os.PathLike):
        name = os.fspath(name)
    text = os.fsdecode(bytes(name)) if isinstance(name, (bytes, bytearray)) else name
    if not isinstance(text, str) or not text:
        raise HipError(Error.hipErrorInvalidValue, f"expected a name, got {name!r}")
    return text


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
