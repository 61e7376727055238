"""Numba's arguments: which ones a compiled kernel was chosen for, and their bytes."""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._fast import rules
from launchpath._fast.rules import Row

_SCALARS = tuple(
    np.dtype(name).type for name in
    ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
)  # fmt: skip


class Unfit(Exception):
    """Such arguments go the original way. The text says why, as reports print it."""


def scalars_are_known() -> bool:
    """Whether NumPy's scalars have their value where the core reads it."""
    return bool(_core.fast_scalars_known([(kind(77), np.array(77, kind).tobytes()) for kind in _SCALARS]))


def read_array(array: Any) -> tuple[Any, bytes] | None:
    """Return a device array's type for Numba and its bytes as an argument."""
    typeof: Any = sys.modules["numba.cuda.typing.typeof"]
    type_ = typeof.typeof(array, typeof.Purpose.argument)
    address = array.device_ctypes_pointer.value or 0
    words = (0, 0, array.size, array.dtype.itemsize, address, *array.shape, *array.strides)
    return type_, struct.pack(f"<{len(words)}q", *(word - (1 << 64) if word >= 1 << 63 else word for word in words))


class Layout:
    """Where a kernel has its parameters, as the driver tells."""

    def __init__(self, places: Sequence[tuple[int, int]]) -> None:
        self._places, self._next = places, 0
        self.names: list[str] = []
        self.size = max((offset + size for offset, size in places), default=0)

    def take(self, name: str, size: int, count: int = 1) -> int:
        """Return where the next parameters are: so many of a size, one behind the other."""
        taken = self._places[self._next : self._next + count]
        self._next += count
        start = taken[0][0] if taken else -1
        if len(taken) < count or any(place != (start + size * i, size) for i, place in enumerate(taken)):
            raise Unfit(f"parameter {name!r} is not where launchpath expects it in the compiled kernel")
        self.names += [name] * count
        return start

    def is_used_up(self) -> bool:
        """Whether all parameters were taken."""
        return self._next == len(self._places)


def row(name: str, type_: Any, value: Any, layout: Layout) -> Row:
    """Make the rule for an argument.

    Parameters
    ----------
    type_ : numba type
        The compiled kernel's.

    Raises
    ------
    Unfit
    """
    kind, text = type(value), str(type_)
    if kind in _core_readers():
        answer = read_array(value)
        if answer is None or answer[0] != type_:
            raise Unfit("an array of another type than the kernel's")
        offset = layout.take(name, 8, len(answer[1]) // 8)
        return rules.fixed(offset, len(answer[1]), _core.fast_fixed_type(answer[0]))
    if kind is bool and text == "bool":
        return rules.boolean(layout.take(name, 1))
    if kind is int and text in _INTS:
        least, most, size = _INTS[text]
        if not least <= value <= most:
            raise Unfit(f"an int that does not fit an {text}")
        return rules.integer(least, most, 0, (layout.take(name, size), size))
    if kind is float and text in ("float32", "float64"):
        size = int(text[5:]) // 8
        return rules.real(layout.take(name, size), size)
    if kind in _SCALARS and np.dtype(kind).name == text and scalars_are_known():
        size = np.dtype(kind).itemsize
        return rules.scalar(layout.take(name, size), size, kind)
    raise Unfit(f"an argument of type {kind.__module__.split('.')[0]}.{kind.__qualname__} as {text}")


# What a Python int may be for Numba to take it as an int64.
_INTS = {
    f"{'u' * (low == 0)}int{bits}": (low, high, bits // 8)
    for bits in (8, 16, 32, 64)
    for low, high in ((-(1 << bits - 1), (1 << bits - 1) - 1), (0, min((1 << bits) - 1, (1 << 63) - 1)))
}


def _core_readers() -> tuple[type, ...]:
    return (sys.modules["numba.cuda.cudadrv.devicearray"].DeviceNDArray,)
