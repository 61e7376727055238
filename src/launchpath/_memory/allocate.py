"""Allocating the memory of an array: its shape, its dtype, its device and stream, checked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory import element
from launchpath._shown import described, shown
from launchpath._streams.device import Device, as_device
from launchpath._streams.stream import Stream
from launchpath._streams.stream_argument import wanted_stream
from launchpath.errors import ArgumentValueError, OutOfMemoryError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, StreamLike

LARGEST = (1 << 63) - 1  # bytes that an address can count
_SURE_AXES = 32  # as many as every NumPy has

A = TypeVar("A", bound=_core.ArrayBase)


def allocate(
    cls: type[A],
    shape: Any,
    kind: np.dtype[Any],
    device: Device,
    stream: Stream | None,
    memory: int = _core.DEVICE,
) -> A:
    """Make an array of a class, its elements not set; in the order of the stream, or of the current one.

    `memory` is the kind of memory: DEVICE or MANAGED of the core.
    """
    extents = as_shape(shape)
    if kind.subdtype is not None:  # NumPy makes it part of the shape
        kind, inner = kind.subdtype
        extents = as_shape(extents + inner)
    nbytes = size_of(extents, kind)
    try:
        if stream is None:
            allocation = device.pool.allocate_here(nbytes, memory)
        else:
            allocation = device.pool.allocate(nbytes, stream, memory)
    except OutOfMemoryError as error:
        raise explained(error, device, nbytes) from None
    return cls(allocation, device, kind, element.code(kind), extents, 0, nbytes)


def explained(error: OutOfMemoryError, device: Device, nbytes: int) -> OutOfMemoryError:
    """Add what the device gives at once to an error, if more was requested."""
    most = device.info.get("max_allocation", nbytes)
    if nbytes <= most:
        return error
    limit = f"the device gives {most:,} at once (max_allocation)"
    return OutOfMemoryError(error.call, error.name, error.code, "; ".join(filter(None, [limit, error.detail])))


def size_of(extents: tuple[int, ...], kind: np.dtype[Any]) -> int:
    """Count the bytes of an array."""
    most = math.prod(filter(None, extents)) * kind.itemsize  # NumPy, too, counts them as if no extent were 0
    if most > LARGEST:
        raise OutOfMemoryError("empty", "more than any device has", 0, f"requested {most:,} bytes")
    return 0 if 0 in extents else most


def as_kind(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Read the dtype of an array."""
    if dtype is None:  # NumPy's default is float64, which few callers without a dtype want on a device
        raise ArgumentValueError("expected a dtype, got None: omit it for float32")
    if _core.whole_number(dtype) is not None:  # NumPy would take the dtype of an int of its own
        raise ArgumentValueError(
            f"expected a data type, got {described(dtype)}: pass a shape of several extents as a tuple, (3, 4)"
        )
    kind = element.as_dtype(dtype)
    if kind.hasobject:
        raise ArgumentValueError(f"expected a dtype without Python objects, got {kind}: a device cannot use them")
    return kind


def as_shape(shape: Any) -> tuple[int, ...]:
    """Read a shape, which NumPy must be able to have as well."""
    extents: tuple[int, ...] = ()
    for item in tuple(shape) if isinstance(shape, (tuple, list)) else (shape,):
        extent = _core.whole_number(item)
        if extent is None:
            raise ArgumentValueError(f"expected a shape, an int or a tuple of ints, got {shown(shape)}")
        extents += (extent,)
    if any(extent < 0 for extent in extents):
        raise ArgumentValueError(f"expected a shape without negative ints, got {shown(shape)}")
    if any(extent > LARGEST for extent in extents):
        raise OutOfMemoryError("empty", "more than any device has", 0, f"requested the shape {shown(shape)}")
    if len(extents) > _SURE_AXES:
        try:
            np.empty((0,) * len(extents))
        except ValueError as error:
            raise ArgumentValueError(
                f"expected a shape that NumPy can have, got {len(extents)} axes: {error}"
            ) from error
    return extents


def place(device: DeviceLike | None, stream: StreamLike | None) -> tuple[Device, Stream | None]:
    """Give the device that an array is to be on, and the stream in whose order it is made, if there is one."""
    if stream is None:
        return as_device(device), None
    stream = wanted_stream(stream, None if device is None else as_device(device))
    return stream.device, stream
