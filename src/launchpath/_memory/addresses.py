"""Addresses for a program's variables that are pointers, given as launches take them: arrays, addresses, None."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._advice import to_convert
from launchpath.errors import ArgumentValueError


def addresses(pointers: Any, value: Any) -> Any:
    """Give the numbers to write for what points somewhere: an array, `DevicePointer`, ``ctypes.c_void_p``, None.

    Parameters
    ----------
    pointers : Array
        Where the numbers are to be written. If its elements are not pointers, `value` is returned as it is.
    value : object
        May be a list or a tuple of these, nested too: a list is returned. An array whose elements are pointers is
        returned as it is: the caller copies its contents. So is everything else.

    Raises
    ------
    ArgumentValueError
        An array is of another device, or of another type than the pointers point to, or was freed. Of addresses nothing
        is known that could be checked.
    """
    if not pointers._pointee:
        return value
    if isinstance(value, (list, tuple)):
        return [addresses(pointers, each) for each in value]
    if value is None:
        return np.uint64(0)
    if isinstance(value, _core.DevicePointer):
        return np.uint64(value.address)
    if isinstance(value, ctypes.c_void_p):
        return np.uint64(value.value or 0)
    is_array = isinstance(value, _core.ArrayBase) and not getattr(value, "_pointee", "")
    return np.uint64(_address(pointers, value)) if is_array else value


def _address(pointers: Any, array: Any) -> int:
    """Give the address of an array that the pointers may point to."""
    if array.device is not pointers.device:
        raise ArgumentValueError(
            f"expected an array of {pointers.device.name!r}, got an array of {array.device.name!r}: copy it there"
        )
    if pointers._pointee not in ("void", array.dtype.name):
        raise ArgumentValueError(
            f"expected an array of {pointers._pointee}, got an array of {array.dtype}: "
            f"{to_convert(array.dtype, pointers._pointee)}"
        )
    return int(array.pointer)
