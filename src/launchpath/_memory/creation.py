"""Creating arrays: from a shape, from a range, from host data."""

from __future__ import annotations

import math
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory.allocate import allocate, as_kind, explained, place
from launchpath._memory.array import Array
from launchpath._memory.assign import assign
from launchpath._memory.copies.transfer import refuse_foreign
from launchpath._shown import described
from launchpath._tracebacks import boundary
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, Shape, StreamLike

_LARGE_RANGE = 1 << 20  # elements


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
        Element type: any dtype without Python objects. The default of functions that take only a shape is float32, not
        NumPy's float64: kernels and devices compute with that, and some devices lack float64. A launch refuses an array
        of another dtype than its parameter's.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated in the order of this stream, or of the current stream if omitted, as by
        ``hipMallocAsync``: earlier commands of the stream may still use it, and later ones come after them. Work on
        another stream may use the array too: its first command with the array waits for those earlier commands.

    Returns
    -------
    Array
        Of that shape and dtype. Its elements are undefined.

    Raises
    ------
    ArgumentValueError
        The shape or the dtype is not valid.
    """
    kind = as_kind(dtype)
    array = allocate(Array, shape, kind, *place(device, stream))
    if kind == array.dtype:  # else its shape has become a part of the array's
        _core.remember_dtype(dtype, kind, array.dtype_code)
    return array


_core.register_empty(boundary(empty), explained)
if not TYPE_CHECKING:  # the core's takes usual arguments itself, and calls the function above for others
    empty = update_wrapper(_core.empty, empty)


def zeros(
    shape: Shape,
    dtype: npt.DTypeLike = "float32",
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array of zeros, set in the order of the stream.

    Parameters
    ----------
    shape : int, or tuple or list of int
        Elements along each axis.
    dtype : numpy dtype
        Element type; float32 if omitted.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.

    Returns
    -------
    Array
        Of that shape and dtype.

    Raises
    ------
    ArgumentValueError
        The shape or the dtype is not valid.
    """
    device, stream = place(device, stream)
    array = empty(shape, dtype, device, stream)
    set_zero(array, stream)
    return array


def ones(
    shape: Shape,
    dtype: npt.DTypeLike = "float32",
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array of ones, set in the order of the stream.

    Parameters
    ----------
    shape : int, or tuple or list of int
        Elements along each axis.
    dtype : numpy dtype
        Element type; float32 if omitted.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.

    Returns
    -------
    Array
        Of that shape and dtype.

    Raises
    ------
    ArgumentValueError
        The shape or the dtype is not valid.
    """
    kind = as_kind(dtype)
    return full(shape, np.ones((), kind.base), kind, device, stream)


def full(
    shape: Shape,
    value: Any,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array of one value, set in the order of the stream.

    Parameters
    ----------
    shape : int, or tuple or list of int
        Elements along each axis.
    value : scalar or array_like
        What `Array.__setitem__` takes for the whole array.
    dtype : numpy dtype, optional
        The value's own if omitted, as in NumPy: int64 for the int 1, float64 for the float 1.0.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.

    Returns
    -------
    Array
        Of that shape, and of the dtype or the value's own.

    Raises
    ------
    ArgumentValueError
        The shape or the dtype is not valid, the dtype cannot hold the value, or the value is text and has no dtype.
    """
    refuse_foreign(value)
    kind = as_kind(_dtype_of(value) if dtype is None else dtype)
    device, stream = place(device, stream)
    array = allocate(Array, shape, kind, device, stream)
    assign(array, ..., value, stream)
    return array


def arange(
    start: SupportsFloat | np.generic,
    stop: SupportsFloat | np.generic | None = None,
    step: SupportsFloat | np.generic | None = None,
    dtype: npt.DTypeLike | None = None,
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array of evenly spaced values, ``numpy.arange`` on a device. NumPy computes them; then they are copied.

    Parameters
    ----------
    start, stop, step : number
        From `start` to `stop`, which is excluded, as in ``numpy.arange``; from 0 to `start` if it is the only one.
    dtype : numpy dtype, optional
        The dtype of ``numpy.arange`` if omitted: int64 for ints, float64 for floats.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.

    Returns
    -------
    Array
        Of one axis.

    Raises
    ------
    ArgumentValueError
        NumPy has no such range.
    """
    kind = None if dtype is None else as_kind(dtype)
    begin: Any = start if stop is not None else 0
    end: Any = start if stop is None else stop
    increment: Any = 1 if step is None else step
    array = _reserved(begin, end, increment, kind, device, stream)
    try:
        values = np.arange(begin, end, increment, dtype=kind)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise ArgumentValueError(
            f"expected a range of numbers, got {described(start)}, {described(stop)}, {described(step)}: {error}"
        ) from error
    if array is None or (array.shape, array.dtype) != (values.shape, values.dtype):
        array = empty(values.shape, values.dtype, device, stream)
    array._copy_from(values, stream)
    return array


def _reserved(
    begin: Any,
    end: Any,
    increment: Any,
    kind: np.dtype[Any] | None,
    device: DeviceLike | None,
    stream: StreamLike | None,
) -> Array | None:
    """Allocate a large range before NumPy does: the system may end a process that writes more memory than there is."""
    try:
        count = math.ceil((float(end) - float(begin)) / float(increment))
        kind = np.result_type(begin, end, increment) if kind is None else kind
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return None  # NumPy reports it
    return empty(count, kind, device, stream) if count > _LARGE_RANGE else None


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
        Any argument of ``numpy.asarray``, of any shape. It is read at the call, and may be changed at once afterwards.
    dtype : numpy dtype, optional
        The data's own if omitted; else the data is converted as by ``numpy.asarray``.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated and set in the order of this stream; of the current stream if omitted.

    Returns
    -------
    Array
        Same shape as ``data``.

    Raises
    ------
    ArgumentValueError
        The data is text, as in ``["a", "b"]`` or ``b"ab"``, and neither it nor the call has a dtype.
    """
    if device is not None or stream is not None:
        device, stream = place(device, stream)
    if isinstance(data, Array):
        target = data.device if device is None else device
        if target is data.device and (dtype is None or as_kind(dtype) == data.dtype):
            return data
        device, data = target, data.to_numpy()
    refuse_foreign(data)
    host = np.asarray(data, None if dtype is None else as_kind(dtype), order="C")
    if dtype is None:
        refuse_text(data, host)
    array = empty(host.shape, host.dtype, device, stream)
    array._copy_from(host, stream)
    return array


def set_zero(array: Array, stream: StreamLike | None) -> None:
    """Set an array to zeros, in the order of a stream."""
    order = array._stream(stream)
    _core.fill_bytes(order, array.address_on(order), b"\0", array.nbytes)


def _dtype_of(value: Any) -> np.dtype[Any]:
    if isinstance(value, Array):
        return value.dtype
    host = np.asarray(value)
    refuse_text(value, host)
    return host.dtype


def refuse_text(data: Any, host: npt.NDArray[Any]) -> None:
    """Refuse text for which NumPy chose the dtype: no kernel's parameter has it, so numbers were meant."""
    if host.dtype.kind in "SU" and not hasattr(data, "dtype"):
        raise ArgumentValueError(
            f"expected numbers, got text, which NumPy makes an array of {host.dtype}: convert it to numbers, or pass "
            "that dtype as well"
        )
