"""C values, read and written at the addresses that pointers hold."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from launchpath._shown import shown
from launchpath.hip._types import readable
from launchpath.hip._types.bindings import DeviceArray, Error, Pointer, address
from launchpath.hip._types.errors import HipError

_ADDRESSES = (int, ctypes.c_void_p)
_PLAIN = (Pointer, DeviceArray)  # pointers of the bindings that name no type


def _wrong(kind: str, value: Any) -> HipError:
    return HipError(Error.hipErrorInvalidValue, f"expected a {kind}, got {shown(value)}")


def is_bare(value: Any) -> bool:
    """Whether a value is an address that says neither what is there nor how much."""
    return isinstance(value, _ADDRESSES) or type(value) in _PLAIN


def struct_of(kind: Any, value: Any) -> Any:
    """Return a struct that a program passed: itself, or a copy of the one at an address.

    Parameters
    ----------
    kind : type
        HIP's type of the struct.
    value : Any
        An object of it, its address, or a buffer that has its bytes.
    """
    if isinstance(value, kind):
        if not address(value):
            raise HipError(Error.hipErrorInvalidValue, f"expected a {kind.__name__}, got a null pointer")
        return value
    if value is None or (is_bare(value) and not address(value)):
        raise HipError(Error.hipErrorInvalidValue, f"expected a {kind.__name__}, got a null pointer")
    if isinstance(value, Pointer) and not is_bare(value):
        raise _wrong(kind.__name__, value)  # a handle, or a struct of another kind
    result = kind()
    data = bytes_of(value, result.c_sizeof(), kind.__name__)
    ctypes.memmove(int(result), data, len(data))
    return result


def put_struct(value: Any, struct: Any) -> None:
    """Write a struct of `struct_of`, which was changed, back to where it was."""
    if value is not struct:
        put_bytes(value, ctypes.string_at(int(struct), struct.c_sizeof()))


def text_of(name: Any) -> str:
    """Return a name, or a path, that a program passed."""
    if isinstance(name, os.PathLike):
        name = os.fspath(name)
    text = os.fsdecode(bytes(name)) if isinstance(name, (bytes, bytearray)) else name
    if not isinstance(text, str) or not text or "\0" in text:
        raise HipError(Error.hipErrorInvalidValue, f"expected a name, got {name!r}")
    return text


def room(pointer: Any, written: bool = False) -> int | None:
    """Return the bytes that a pointer has room for, if it tells: a value of ctypes, a buffer, or a struct of HIP's.

    What is not to be written has no room for it.
    """
    if pointer is None or is_bare(pointer):
        return None
    if isinstance(pointer, Pointer):
        return int(pointer.c_sizeof()) if hasattr(pointer, "c_sizeof") else None
    try:
        with memoryview(pointer) as view:
            return 0 if written and view.readonly else view.nbytes
    except (TypeError, BufferError):
        return None


def place_of(pointer: Any, size: int, written: bool = False, noun: str = "value") -> int:
    """Return the address of so many bytes that there are, or refuse it.

    Parameters
    ----------
    pointer : Any
        What hip-python takes for a pointer.
    size : int
    written : bool
        Something is about to be written there.
    noun : str
        What is there, for messages.
    """
    place, space = address(pointer), room(pointer, written)
    if not place:
        raise HipError(Error.hipErrorInvalidValue, f"expected where a {noun} is, got a null pointer")
    if space is not None and space < size:
        raise HipError(Error.hipErrorInvalidValue, f"expected {size} bytes for a {noun}, got {space}")
    if space is None and not readable.is_there(place, size, written):
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected where a {noun} of {size} bytes is, got {pointer!r}, which cannot be read",
        )
    return place


def _refuse_handle(pointer: Any, noun: str) -> None:
    """Refuse what stands for no memory, although its number may be an address."""
    if isinstance(pointer, Pointer) and not is_bare(pointer) and not hasattr(pointer, "c_sizeof"):
        raise _wrong(noun, pointer)


def bytes_of(pointer: Any, size: int, noun: str = "value") -> bytes:
    """Return so many bytes from where a pointer says."""
    _refuse_handle(pointer, noun)
    if room(pointer) is not None:
        return ctypes.string_at(place_of(pointer, size, noun=noun), size)
    place = address(pointer)
    if not place:
        raise HipError(Error.hipErrorInvalidValue, f"expected where a {noun} is, got a null pointer")
    data = readable.read(place, size)
    if data is None:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected where a {noun} of {size} bytes is, got {pointer!r}, which cannot be read",
        )
    return data


def put_bytes(pointer: Any, data: bytes, noun: str = "value") -> None:
    """Write bytes where a pointer says."""
    _refuse_handle(pointer, noun)
    if room(pointer, written=True) is not None:
        ctypes.memmove(place_of(pointer, len(data), written=True, noun=noun), data, len(data))
        return
    place = address(pointer)
    if not place:
        raise HipError(Error.hipErrorInvalidValue, f"expected where a {noun} is, got a null pointer")
    if not readable.write(place, data):
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected where a {noun} of {len(data)} bytes is, got {pointer!r}, which cannot be written",
        )


def write(pointer: Any, value: int, size: int) -> None:
    """Write an int of so many bytes."""
    put_bytes(pointer, (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little"))


def read(pointer: Any, size: int) -> int:
    """Read an int of so many bytes, without a sign."""
    return int.from_bytes(bytes_of(pointer, size), "little")


def pointers_at(array: Any, count: int, noun: str) -> list[int]:
    """Return the pointers of an array in memory."""
    if not 0 <= count <= _MOST:
        raise HipError(Error.hipErrorInvalidValue, f"expected a count of {noun}s up to {_MOST}, got {count}")
    data = bytes_of(array, count * _POINTER, f"{noun} array")
    return [int.from_bytes(data[place : place + _POINTER], "little") for place in range(0, len(data), _POINTER)]


_POINTER = 8  # bytes
_MOST = 1 << 20  # pointers of an array
