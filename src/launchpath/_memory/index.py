"""Indices: the part of an array that ``array[key]`` selects, by NumPy's rules of basic indexing."""

from __future__ import annotations

import math
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._shown import described
from launchpath.errors import ArgumentValueError

_MOST_PIECES = 1 << 16  # each is a command; more are refused, because they would take longer than a kernel by far


class Part(NamedTuple):
    """Where a part of an array is."""

    offset: int  # of its first element, in bytes
    shape: tuple[int, ...]  # elements along each axis
    strides: tuple[int, ...]  # bytes from one element to the next along each axis

    def is_contiguous(self, itemsize: int) -> bool:
        """Whether its elements lie behind each other in C's order."""
        if 0 in self.shape:
            return True
        for extent, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if extent != 1:
                if stride != itemsize:
                    return False
                itemsize *= extent
        return True

    def bounds(self, itemsize: int) -> tuple[int, int]:
        """Give its first byte, and the byte behind its last. It has elements."""
        reach = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides, strict=True)]
        low, high = sum(min(size, 0) for size in reach), sum(max(size, 0) for size in reach)
        return self.offset + low, self.offset + high + itemsize


def layout(shape: tuple[int, ...], itemsize: int) -> npt.NDArray[Any]:
    """Give an array that NumPy can index and view, but whose elements are not there: never read or write them."""
    strides = [itemsize] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * max(shape[axis], 1)
    return np.lib.stride_tricks.as_strided(np.empty((), f"V{itemsize}"), shape, strides)


def part(shape: tuple[int, ...], itemsize: int, key: Any) -> Part:
    """Give the part that a key selects of a C-contiguous array.

    Raises
    ------
    TypeError
        The key is not an int, a slice, an Ellipsis or None, or a tuple of these.
    IndexError
        NumPy's own: it is out of bounds, or has too many indices.
    """
    keys = tuple(map(_as_index, key if isinstance(key, tuple) else (key,)))
    if not any(item is Ellipsis for item in keys):
        keys += (Ellipsis,)  # else NumPy would read an element
    whole = layout(shape, itemsize)
    view = whole[keys]
    return Part(_address(view) - _address(whole), view.shape, view.strides)


def _address(array: npt.NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _as_index(key: Any) -> int | slice | EllipsisType | None:
    if key is None or key is Ellipsis or isinstance(key, slice):
        return key
    number = _core.whole_number(key)
    if number is None:
        raise TypeError(
            f"expected an int, a slice, an Ellipsis or None as an index, got {described(key)}: index the result of "
            "to_numpy() by masks, lists and names of fields, or use a kernel"
        )
    return number


def pieces(shape: tuple[int, ...], itemsize: int, *strides: tuple[int, ...]) -> tuple[int, list[list[int]]]:
    """Divide elements into pieces that are contiguous in all of several places.

    Parameters
    ----------
    shape : tuple of int
        Of the elements; there are some.
    itemsize : int
        Bytes of each.
    *strides : tuple of int
        For each place, the bytes from one element to the next along each axis.

    Returns
    -------
    nbytes : int
        Of each piece.
    offsets : list of list of int
        For each place, where the pieces begin there.

    Raises
    ------
    ArgumentValueError
        They are too many.
    """
    axes = [axis for axis, extent in enumerate(shape) if extent != 1]
    nbytes = itemsize
    while axes and all(steps[axes[-1]] == nbytes for steps in strides):
        nbytes *= shape[axes.pop()]
    count = math.prod(shape[axis] for axis in axes)
    if count > _MOST_PIECES:
        raise ArgumentValueError(
            f"expected at most {_MOST_PIECES:,} pieces that are contiguous in memory, got {count:,}, each of which "
            "would be a command: use a kernel, or set whole rows"
        )
    offsets = []
    for steps in strides:
        begin = np.zeros((), np.int64)
        for axis in axes:
            begin = np.add.outer(begin, np.arange(shape[axis], dtype=np.int64) * steps[axis])
        offsets.append(begin.ravel().tolist())
    return nbytes, offsets
