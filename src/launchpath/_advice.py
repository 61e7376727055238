"""Advice in error messages: what to do about an argument that does not fit. Nothing here runs on the launch path."""

from __future__ import annotations

import array
import sys
from collections.abc import Iterable
from numbers import Number
from typing import Any

import numpy as np

_NUMBERS = "biufc"  # kinds of dtypes
_TEXT = "uw"  # typecodes of `array.array`
# Types that a parameter can be declared as to hold a larger number: the limits of ints, the largest float.
_INTS = {
    "int": (-(1 << 31), (1 << 31) - 1),
    "long long": (-(1 << 63), (1 << 63) - 1),
    "unsigned long long": (0, (1 << 64) - 1),
}
_FLOATS = {"float": 3.4028234663852886e38, "double": sys.float_info.max}


def to_convert(dtype: np.dtype[Any], expected: str) -> str:
    """Say how to get an array of the dtype of a parameter's elements.

    Parameters
    ----------
    dtype : numpy.dtype
        The array's.
    expected : str
        The parameter's, by NumPy's name.
    """
    create = f'create an array with dtype="{expected}"'
    target = np.dtype(expected)
    if dtype.kind not in _NUMBERS:
        return create
    if np.can_cast(dtype, target, "same_kind"):
        return f'convert it first, array = array.astype("{expected}"), or {create}'
    if dtype.kind in "iu" and target.kind in "iu" and dtype.itemsize == target.itemsize and dtype.isnative:
        return f'pass array.view("{expected}"), which shares its memory, or {create}'
    return create


def to_copy(value: Any, pointee: str | None, wrapper: str) -> str:
    """Say how to get values of the host, which are no NumPy array, to a pointer parameter; empty if they are no values.

    Parameters
    ----------
    value : object
        The argument.
    pointee : str or None
        NumPy's name of the type that the parameter points to, if it is known.
    wrapper : str
        The class of launchpath that wraps NumPy arrays for this parameter.
    """
    dtype = "..." if pointee is None else f'"{pointee}"'
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f": copy it with launchpath.asarray(numpy.frombuffer(data, dtype={dtype})) first"
    if isinstance(value, (list, tuple)):
        is_numbers = all(isinstance(item, (Number, np.bool_, list, tuple)) for item in value)
    else:
        is_numbers = isinstance(value, (float, range)) or (
            isinstance(value, array.array) and value.typecode not in _TEXT
        )
    if not is_numbers:
        return ""
    return (
        f": copy it with launchpath.asarray(values, dtype={dtype}) first, or pass a NumPy array of that dtype wrapped "
        f"in launchpath.{wrapper}"
    )


def range_of(kind: str) -> str:
    """Give the numbers that a parameter of a kind can hold, as in ``-128 to 127``."""
    if kind.startswith("float"):
        most = float(np.finfo(kind).max)
        return f"{-most:.8g} to {most:.8g}"
    limits = np.iinfo(kind)
    return f"{limits.min} to {limits.max}"


def to_hold(value: Any, kind: str) -> str:
    """Say how to pass a number that a parameter of a kind cannot hold: the type that can hold it, if there is such."""
    if kind.startswith("float"):
        fitting = [ctype for ctype, most in _FLOATS.items() if abs(value) <= most]
    else:
        fitting = [ctype for ctype, (least, most) in _INTS.items() if least <= value <= most]
    other = f", or declare the parameter as {fitting[0]}" if fitting else ""
    return f"pass a number in that range{other}"


def of_ctypes(kind: str) -> str:
    """Name the class of ctypes for a parameter's kind, as in ``ctypes.c_int8, or ``; empty if there is none."""
    names = {"bool": "c_bool", "float32": "c_float", "float64": "c_double"}
    name = names.get(kind) or (f"c_{kind}" if "int" in kind else "")
    return f"ctypes.{name}, or " if name else ""


# Of a launch, as other libraries name them.
_CONFIGURING = ("grid", "block", "stream", "shared", "shared_mem", "smem", "global_size", "local_size", "num_warps")


def about_argument(kernel: str, name: str, names: Iterable[str]) -> str:
    """Say what to do about an argument of a launch whose name is none of the kernel's parameters."""
    if name in _CONFIGURING:
        return f": grid, block, stream and shared memory come first, {kernel}[grid, block, stream, shared](...)"
    return did_you_mean(name, names)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Give the name that a misspelled name is closest to, as a sentence; empty if there is no such name."""
    from difflib import get_close_matches  # noqa: PLC0415 (importing launchpath must stay fast)

    close = get_close_matches(name, list(names), 1)
    return f". Did you mean {close[0]!r}?" if close else ""
