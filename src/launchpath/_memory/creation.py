"""Creating arrays: from a shape, from host data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory.allocate import allocate, as_kind, place
from launchpath._memory.array import Array
from launchpath._memory.transfer import refuse_foreign

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, Shape, StreamLike


def empty(
    shape: Shape,
    dtype: npt.DTypeLike = "float32",
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array without setting its elements.

    Parameters
    ----------
    shape : int, or tuple or list of int
        Elements along each axis.
    dtype : numpy dtype
        Element type: any dtype without Python objects.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        Get the memory in this stream's order. Earlier commands of this stream may still use it, so only later commands
        of the stream, and work that waits for them, may use the array. Like ``hipMallocAsync``; often saves an
        allocation.

    Raises
    ------
    ArgumentValueError
        The shape or the dtype is not valid.
    """
    kind = as_kind(dtype)
    return allocate(Array, shape, kind, *place(device, stream))


def zeros(
    shape: Shape,
    dtype: npt.DTypeLike = "float32",
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array of zeros, set in the order of the stream; see `empty` for the parameters."""
    device, stream = place(device, stream)
    array = empty(shape, dtype, device, stream)
    _core.fill_bytes(array._stream(stream), array.pointer, b"\0", array.nbytes)
    return array


def asarray(
    data: Any,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Copy host data to the device; an `Array` of that device and dtype is returned as it is.

    Parameters
    ----------
    data : array_like or Array
        Any argument of ``numpy.asarray``. It is read at the call, and may be changed at once afterwards.
    dtype : numpy dtype, optional
        The data's own if omitted; else the data is converted as by ``numpy.asarray``.
    device, stream : optional
        As for `empty`.

    Returns
    -------
    Array
        Same shape as ``data``.
    """
    if device is not None or stream is not None:
        device, stream = place(device, stream)
    if isinstance(data, Array):
        target = data.device if device is None else device
        if target is data.device and (dtype is None or as_kind(dtype) == data.dtype):
            return data
        data = data.to_numpy()
    refuse_foreign(data)
    host = np.asarray(data, None if dtype is None else as_kind(dtype), order="C")
    array = empty(host.shape, host.dtype, device, stream)
    array.copy_from(host, stream)
    return array
