"""The types of device variables, as arrays have them."""

from __future__ import annotations

import math
from typing import NamedTuple


class Variable(NamedTuple):
    """The type of a device variable."""

    dtype: str  # NumPy's name of its elements; bytes for what NumPy has no type for
    shape: tuple[int, ...]
    # for pointers to data what they point to, as in `Parameter.pointee`, ``void`` for any; else empty
    pointee: str = ""


def bytes_of(dtype: str, shape: tuple[int, ...]) -> int:
    """How many bytes an array takes, see `array`."""
    bits = dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
    return math.prod(shape) * (int(bits) // 8 if bits else 1)
