"""Texture reads by CUDA's rules (CUDA C++ Programming Guide, "Texture Fetching"), in double precision."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


def sampled(
    values: npt.NDArray[Any], points: Floats, address: Sequence[str], *, linear: bool = False, normalized: bool = False
) -> npt.NDArray[Any]:
    """Elements at points.

    Parameters
    ----------
    values : numpy.ndarray
        ``values[z, y, x, channel]``, with as many axes as a point has coordinates, and that of the channels.
    points : numpy.ndarray
        Rows of coordinates x, y and z.
    address : sequence of str
        Address modes along x, y and z.
    """
    axes = values.ndim - 1
    places, modes = [], []
    for axis in range(axes):
        at, mode = _place(points[:, axis].astype(float), values.shape[axes - 1 - axis], address[axis], normalized)
        places.append(at - 0.5 if linear else at)
        modes.append(mode)
    low = [np.floor(place).astype(int) for place in places]
    if not linear:
        return _element(values, low, modes)
    total = np.zeros((len(points), values.shape[-1]))
    for corner in itertools.product((0, 1), repeat=axes):
        weight = np.ones(len(points))
        for place, index, high in zip(places, low, corner, strict=True):
            weight *= place - index if high else 1 - (place - index)
        total += weight[:, None] * _element(values, [i + high for i, high in zip(low, corner, strict=True)], modes)
    return total


def in_layers(
    values: npt.NDArray[Any], points: Floats, layers: npt.NDArray[np.int_], address: Sequence[str], **how: bool
) -> npt.NDArray[Any]:
    """Elements at points of layers, which are clamped: ``values[layer, y, x, channel]``."""
    chosen = np.clip(layers, 0, len(values) - 1)
    each = np.stack([sampled(layer, points, address, **how) for layer in values])
    return each[chosen, np.arange(len(points))]


def _place(x: Floats, size: int, mode: str, normalized: bool) -> tuple[Floats, str]:
    """A coordinate in elements, and the mode that counts."""
    if not normalized:
        return x, mode if mode == "border" else "clamp"
    whole = np.floor(x)
    if mode == "wrap":
        x = x - whole
    elif mode == "mirror":
        x = np.where(whole % 2 == 0, x - whole, 1 - (x - whole))
    return x * size, mode


def _element(values: npt.NDArray[Any], indices: list[npt.NDArray[np.int_]], modes: list[str]) -> npt.NDArray[Any]:
    outside = np.zeros(len(indices[0]), bool)
    taken = []
    for axis, (index, mode) in enumerate(zip(indices, modes, strict=True)):
        size = values.shape[len(indices) - 1 - axis]
        outside |= (mode == "border") & ((index < 0) | (index >= size))
        taken.append(index % size if mode == "wrap" else np.clip(index, 0, size - 1))
    return np.where(outside[:, None], 0, values[tuple(reversed(taken))])


def as_read(values: npt.NDArray[Any], normalized_float: bool) -> npt.NDArray[Any]:
    """What a read gives of elements."""
    if normalized_float:
        return np.maximum(values / np.iinfo(values.dtype).max, -1)
    return values.astype({"u": "u4", "i": "i4", "f": "f4"}[values.dtype.kind])


def tolerance(values: npt.NDArray[Any], axes: int, fraction_bits: int | None) -> float:
    """By how much interpolated floats may differ from `sampled`.

    Texture units keep 8 bits of each weight's fraction, rounded; software keeps those of a float (None).
    """
    spread = float(np.max(values)) - float(np.min(values))
    return 2e-5 if fraction_bits is None else 1e-5 + spread * axes * 2.0**-fraction_bits
