"""Creating arrays like other ones, of the device or of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath._memory.array import Array
from launchpath._memory.assign import assign
from launchpath._memory.copies.transfer import refuse_foreign
from launchpath._memory.creation import empty, refuse_text, set_zero

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, Shape, StreamLike


def empty_like(
    like: Any,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
    shape: Shape | None = None,
) -> Array:
    """Make an array like another one, without setting its elements.

    Parameters
    ----------
    like : Array or array_like
        Has the shape and the dtype; if it is an `Array`, the device as well.
    dtype : numpy dtype, optional
        Another dtype.
    device : Device, int or str, optional
        Another device. If omitted: the stream's device, else that of `like`; the current device for host data.
    stream : Stream or a stream of another library, optional
        The memory is allocated in the order of this stream, or of the current stream if omitted.
    shape : int, or tuple or list of int, optional
        Another shape.

    Returns
    -------
    Array
        Of the shape and the dtype of `like`, where they are not passed. Its elements are undefined.
    """
    if not isinstance(like, Array):
        refuse_foreign(like)
        host = np.asarray(like)
        if dtype is None:
            refuse_text(like, host)
        like = host
    elif device is None and stream is None:
        device = like.device
    return empty(like.shape if shape is None else shape, like.dtype if dtype is None else dtype, device, stream)


def zeros_like(
    like: Any,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
    shape: Shape | None = None,
) -> Array:
    """Make an array of zeros like another one.

    Parameters
    ----------
    like : Array or array_like
        Has the shape and the dtype; if it is an `Array`, the device as well.
    dtype : numpy dtype, optional
        Another dtype.
    device : Device, int or str, optional
        Another device. If omitted: the stream's device, else that of `like`; the current device for host data.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.
    shape : int, or tuple or list of int, optional
        Another shape.

    Returns
    -------
    Array
        Of the shape and the dtype of `like`, where they are not passed.
    """
    array = empty_like(like, dtype, device, stream, shape)
    set_zero(array, stream)
    return array


def ones_like(
    like: Any,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
    shape: Shape | None = None,
) -> Array:
    """Make an array of ones like another one.

    Parameters
    ----------
    like : Array or array_like
        Has the shape and the dtype; if it is an `Array`, the device as well.
    dtype : numpy dtype, optional
        Another dtype.
    device : Device, int or str, optional
        Another device. If omitted: the stream's device, else that of `like`; the current device for host data.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.
    shape : int, or tuple or list of int, optional
        Another shape.

    Returns
    -------
    Array
        Of the shape and the dtype of `like`, where they are not passed.
    """
    array = empty_like(like, dtype, device, stream, shape)
    assign(array, ..., np.ones((), array.dtype), stream)
    return array


def full_like(
    like: Any,
    value: Any,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
    shape: Shape | None = None,
) -> Array:
    """Make an array of one value like another one. The dtype is that of `like`.

    Parameters
    ----------
    like : Array or array_like
        Has the shape and the dtype; if it is an `Array`, the device as well.
    value : scalar or array_like
        Of the shape of the array, or of one that can be repeated to it.
    dtype : numpy dtype, optional
        Another dtype.
    device : Device, int or str, optional
        Another device. If omitted: the stream's device, else that of `like`; the current device for host data.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.
    shape : int, or tuple or list of int, optional
        Another shape.

    Returns
    -------
    Array
        Of the shape and the dtype of `like`, where they are not passed.
    """
    array = empty_like(like, dtype, device, stream, shape)
    assign(array, ..., value, stream)
    return array
