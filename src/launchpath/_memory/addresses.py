"""Addresses for a program's variables that are pointers, given as launches take them: arrays, `DevicePointer`, None."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._advice import to_convert
from launchpath.errors import ArgumentValueError


def addresses(pointers: Any, value: Any) -> Any:
    """Give arrays, `DevicePointer` and None as numbers, in lists and tuples too; all else as it is.

    Parameters
    ----------
    pointers : Array
        Where the numbers are to be. If it is no variable of pointers, `value` is given as it is.
    value : object
        An array that has pointers itself stays an array, which is copied.

    Raises
    ------
    ArgumentValueError
        An array is of another device, or of another type than the pointers point to, or was freed.
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
