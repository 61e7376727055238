"""Arguments of a launch: from what programs pass to the bytes that a kernel takes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from launchpath.hip._types.bindings import Error, address
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.values import bytes_of, pointers_at

_POINTER = 8  # bytes
_ALL = (1 << 64) - 1


def from_extra(signature: Any, extra: Sequence[Any]) -> bytes:
    """Pack arguments one behind the other, each aligned to its own type as C aligns the members of a struct.

    Parameters
    ----------
    signature : Signature
        Of the kernel. Each argument must be of its parameter's size: a wrong width would shift all that follow.
    extra : sequence
        ctypes values; anything else is a pointer. Or the address of C's list of keys, each with its value:
        HIP_LAUNCH_PARAM_BUFFER_POINTER, HIP_LAUNCH_PARAM_BUFFER_SIZE, HIP_LAUNCH_PARAM_END.
    """
    parameters = signature.parameters
    if isinstance(extra, int):
        return _from_keys(signature, extra)
    if not isinstance(extra, (tuple, list)):
        raise HipError(Error.hipErrorInvalidValue, f"{signature}: expected a tuple of arguments, got {extra!r}")
    if len(extra) != len(parameters):
        raise HipError(
            Error.hipErrorInvalidValue, f"{signature}: expected {len(parameters)} arguments, got {len(extra)}"
        )
    packed = bytearray(signature.size)
    for parameter, value in zip(parameters, extra, strict=True):
        data = _bytes(value)
        if len(data) != parameter.size:
            raise HipError(
                Error.hipErrorInvalidValue,
                f"{signature}: {parameter.name}: expected {parameter.size} bytes, got {len(data)} by {value!r}",
            )
        packed[parameter.offset : parameter.offset + parameter.size] = data
    return bytes(packed)


_BUFFER, _SIZE, _END = 1, 2, 3  # the keys' numbers
_MOST_KEYS = 8


def _from_keys(signature: Any, place: int) -> bytes:
    """Read packed arguments where C's list of keys says that they are."""
    found: dict[int, int] = {}
    for number in range(_MOST_KEYS):
        key, value = pointers_at(place + 2 * number * _POINTER, 2, "key")
        if key == _END:
            break
        found[key] = value
    if found.keys() != {_BUFFER, _SIZE}:
        raise HipError(Error.hipErrorInvalidValue, f"{signature}: expected a buffer, its size and the end, got {found}")
    size = int.from_bytes(bytes_of(found[_SIZE], _POINTER, "size"), "little")
    # C pads a struct to the alignment of its members.
    if not signature.size <= size <= signature.size + _PADDING:
        raise HipError(Error.hipErrorInvalidValue, f"{signature}: expected {signature.size} bytes, got {size}")
    return bytes_of(found[_BUFFER], signature.size, "packed arguments")


_PADDING = 15  # bytes, at most


def _bytes(value: Any) -> bytes:
    if isinstance(value, ctypes._SimpleCData | ctypes.Structure | ctypes.Union | ctypes.Array):
        return bytes(value)
    return (address(value) & _ALL).to_bytes(_POINTER, "little")


def from_pointers(signature: Any, pointers: Any) -> bytes:
    """Read arguments where pointers say that they are.

    Parameters
    ----------
    signature : Signature
        Of the kernel.
    pointers : sequence, or address of an array of pointers
        A ctypes value stands for its own memory.
    """
    parameters = signature.parameters
    if isinstance(pointers, (tuple, list)):
        if len(pointers) != len(parameters):
            raise HipError(
                Error.hipErrorInvalidValue, f"{signature}: expected {len(parameters)} arguments, got {len(pointers)}"
            )
        places: list[Any] = list(pointers)
    else:
        places = list(pointers_at(pointers, len(parameters), "pointer")) if parameters else []
    packed = bytearray(signature.size)
    for parameter, place in zip(parameters, places, strict=True):
        data = bytes_of(place, parameter.size, f"{parameter.ctype} for {parameter.name!r} of {signature}")
        packed[parameter.offset : parameter.offset + parameter.size] = data
    return bytes(packed)
