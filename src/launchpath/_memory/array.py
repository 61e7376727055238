"""Arrays: typed device memory, and copies to and from it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._listed import Listed
from launchpath._memory import element, host_memory
from launchpath._memory.exchange import Exchange
from launchpath._shown import as_bool, described, shown
from launchpath._streams.device import Device, as_device
from launchpath._streams.stream import Stream, stream_of, wanted_stream
from launchpath.errors import ArgumentValueError, OutOfMemoryError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, Shape, StreamLike

_LARGEST = (1 << 63) - 1  # bytes that an address can count
_SURE_AXES = 32  # as many as every NumPy has
_PATTERN_BYTES = (1, 2, 4, 8, 16)  # what drivers fill with
_DLPACK_CPU = 1


class Array(Exchange, Listed):
    """A C-contiguous array in device memory.

    `empty`, `zeros` and `asarray` create it. Slices along the first axis share the memory. Dropping an array, or
    `free`, is safe at any time: the memory is reused only when all work submitted before is complete.

    Attributes
    ----------
    shape : tuple of int
        Elements along each axis.
    dtype : numpy.dtype
        Element type.
    nbytes : int
        Bytes of the elements.
    device : Device
        The device that has the memory.
    pointer : int
        Device address. Reading it does not wait for work on any stream.

    Notes
    -----
    A method that reads the elements without a stream (`to_numpy`, `copy_to` into host memory, ``numpy.asarray``,
    DLPack) waits for the device's work on all its streams. With a stream, it waits for that stream only. A method that
    writes (`copy_from`, `fill`, `copy_to` into an array) is a command of a stream, as a launch is: it does not wait for
    other streams.
    """

    _of_core = ("shape", "dtype", "nbytes", "device", "pointer")
    _owner = ""  # what the memory belongs to, if that is not this array and its slices

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return int(self.shape[0])

    def __eq__(self, other: object) -> bool:
        raise TypeError(
            "an array on a device cannot be compared: compare the results of to_numpy(), or use `a is b` for the same "
            "array"
        )

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError(
            "an array on a device has no truth value: use the result of to_numpy(), `a is not None`, or `a.size`"
        )

    def _stream(self, stream: StreamLike | None) -> Stream:
        self._check_lives()
        if stream is None:
            return stream_of(self.device)
        return wanted_stream(stream, self.device)

    def to_numpy(self, stream: StreamLike | None = None) -> npt.NDArray[Any]:
        """Copy to a new NumPy array; blocks until the copy is complete.

        Parameters
        ----------
        stream : Stream, optional
            Copy after the work submitted to this stream. If omitted: after all work submitted to the device, on any
            stream.

        Returns
        -------
        numpy.ndarray
            Same shape and dtype.

        Raises
        ------
        AsynchronousError
            A command failed on a stream that was waited for.
        """
        out = np.empty(self.shape, self.dtype)
        self.copy_to(out, stream)
        return out

    def copy_to(self, out: npt.NDArray[Any] | Array, stream: StreamLike | None = None) -> None:
        """Copy into an array of the same shape and dtype.

        Parameters
        ----------
        out : numpy.ndarray or Array
            A C-contiguous host array: blocks until the copy is complete. An array of this device: asynchronous, in the
            stream's order. An array of another device: through the host; blocks.
        stream : Stream, optional
            Copy after the work submitted to this stream. If omitted: to another array of the device in the order of the
            current stream (the legacy default stream, if the current stream belongs to another device), to any other
            target after all work submitted to the device, on any stream.
        """
        named, stream = stream, self._stream(stream)
        _refuse_foreign(out)
        _check_like(self, out)
        if isinstance(out, Array):
            if out.device is self.device:
                if abs(out.pointer - self.pointer) < self.nbytes and out.pointer != self.pointer:
                    raise ArgumentValueError(
                        "expected arrays that do not overlap: the copy would read bytes that it has already written"
                    )
                _core.copy_bytes(stream, out.pointer, self.pointer, self.nbytes)
            else:
                out.copy_from(self.to_numpy(named))
            return
        if not isinstance(out, np.ndarray):
            raise ArgumentValueError(f"expected a NumPy array or a launchpath array to copy into, got {described(out)}")
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ArgumentValueError("expected a C-contiguous, writeable NumPy array to copy into, got another")
        if named is None:
            _core.wait_for_others(stream)
        if self.device.driver_device.stages:
            host_memory.read(self, out, stream)
            return
        _core.read_bytes(stream, out.ctypes.data, self.pointer, self.nbytes, out)

    def copy_from(self, source: Any, stream: StreamLike | None = None) -> None:
        """Copy from an array of the same shape and dtype.

        Parameters
        ----------
        source : array_like or Array
            Host data: it is read at the call (through pinned memory) and may be changed at once afterwards; the copy
            runs in the stream's order. An array of this device: asynchronous. Of another device: through the host;
            blocks.

            Host data of another dtype is converted: ints to any dtype that holds their values, floats to any float
            (rounded), anything to complex. Bytes and a `ctypes.Structure` are copied unchanged; structured data too,
            into an array of bytes, as the symbol of a struct is.
        stream : Stream, optional
            The current stream if it belongs to this array's device, else the legacy default stream.

        Raises
        ------
        ArgumentValueError
            The shapes differ, the dtype cannot hold the data, or the number of bytes differs.
        """
        stream = self._stream(stream)
        if not isinstance(source, Array):
            host_memory.refuse_capture(stream)
        if isinstance(source, Array):
            if source.device is self.device:
                source.copy_to(self, stream)
            else:
                self.copy_from(source.to_numpy(), stream)
            return
        _refuse_foreign(source)
        host = element.as_bytes(self, source)
        if host is None:
            host = element.converted(source, self.dtype)
            if host.shape != self.shape and self.dtype == np.uint8 and np.asarray(source).nbytes == self.nbytes:
                raise ArgumentValueError(
                    f"expected an array of shape {self.shape} and {self.dtype}, got shape {host.shape} and "
                    f"{np.asarray(source).dtype}: to copy the bytes unchanged, pass data.tobytes()"
                )
            _check_like(self, host)
        if not self.nbytes:
            return
        staging = host_memory.Pinned(self.device, self.nbytes)
        staging.bytes[:] = host.reshape(-1).view(np.uint8)
        _core.copy_bytes(stream, self.pointer, staging.address, self.nbytes)

    def fill(self, value: Any, stream: StreamLike | None = None) -> None:
        """Set every element to ``value``, asynchronously, in the stream's order."""
        stream = self._stream(stream)
        pattern = element.element(value, self.dtype).tobytes()
        if len(pattern) in _PATTERN_BYTES:
            _core.fill_bytes(stream, self.pointer, pattern, self.nbytes)
        else:
            self.copy_from(np.full(self.shape, value, self.dtype), stream)

    def free(self) -> None:
        """Free the memory once all work submitted so far is complete; the array and its slices cannot be used again.

        Raises
        ------
        ArgumentValueError
            It is a part of an array, or the memory belongs to a program.
        BufferError
            Another library still uses the memory, by DLPack.
        """
        if self._owner:
            raise ArgumentValueError(
                f"expected an array that owns its memory, got memory of {self._owner}, which cannot be freed alone"
            )
        if self.nbytes != self.allocation.size:
            raise ArgumentValueError(
                f"expected a whole array, got a part with {self.nbytes} of {self.allocation.size} "
                "bytes: free the whole array"
            )
        if self.allocation.loans:
            raise BufferError(
                f"another library uses the memory of the array of shape {self.shape}, {self.dtype}: "
                "drop the objects made of it by DLPack, or drop the array instead of freeing it"
            )
        self.allocation.free()

    def __getitem__(self, key: SupportsIndex | slice) -> Array:
        """Part of the array along the first axis, sharing its memory: ``a[2]``, ``a[10:20]``."""
        length = len(self)
        row = self.nbytes // length if length else 0
        if isinstance(key, slice):
            start, stop, step = key.indices(length)
            if step != 1:
                raise ArgumentValueError(f"expected a contiguous slice, with step 1, got step {step}")
            rows = max(0, stop - start)
            return self._part(start * row, rows * row, (rows, *self.shape[1:]))
        index = _core.whole_number(key)
        if index is None:
            raise TypeError(f"expected an int or a slice along the first axis, got {described(key)}")
        if not -length <= index < length:
            raise IndexError(f"index {shown(index)} of an array of {length}")
        return self._part(index % length * row, row, self.shape[1:])

    def reshape(self, *shape: Shape) -> Array:
        """Return the same memory with another shape of the same size; a single axis may be -1."""
        given = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        wanted = [
            extent for extent in map(_core.whole_number, given) if extent is not None and -1 <= extent <= _LARGEST
        ]
        if len(wanted) != len(given):
            raise ArgumentValueError(f"expected a shape of ints, with -1 at most once, got {shown(given)}")
        try:
            new = np.lib.stride_tricks.as_strided(np.empty(()), self.shape, (0,) * self.ndim).reshape(wanted).shape
        except ValueError as error:
            raise ArgumentValueError(
                f"an array of shape {self.shape} cannot have the shape {shown(given)}: {error}"
            ) from error
        return self._part(0, self.nbytes, new)

    def _part(self, offset: int, nbytes: int, shape: tuple[int, ...]) -> Array:
        self._check_lives()
        part = Array(self.allocation, self.device, self.dtype, self.dtype_code, shape, self.offset + offset, nbytes)
        if self._owner:
            part._owner = self._owner
        return part

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is not None and not as_bool(copy, "`copy`"):
            raise ValueError("a device array becomes a NumPy array by copying; numpy.from_dlpack shares CPU memory")
        kind = self.dtype if dtype is None else element.as_dtype(dtype)
        return self.to_numpy().astype(kind, copy=False)

    def __repr__(self) -> str:
        return f"<Array {self.shape} {self.dtype} on {self.device.name!r}>"


_core.register_array(Array)


def _refuse_foreign(data: Any) -> None:
    """Refuse what other libraries have on a device: NumPy would see an object in it, or copy without any order."""
    if isinstance(data, (Array, np.ndarray, np.generic)) or hasattr(data, "__array_interface__"):
        return
    place = getattr(data, "__dlpack_device__", None)
    try:
        elsewhere = callable(place) and int(place()[0]) != _DLPACK_CPU
    except (IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise ArgumentValueError(f"__dlpack_device__ of {described(data)} does not name a device: {error}") from error
    if elsewhere or hasattr(data, "__cuda_array_interface__"):
        raise ArgumentValueError(
            f"{type(data).__module__.split('.')[0]}'s {type(data).__name__} is on a device: arrays of other libraries "
            "are arguments of launches. To copy between two libraries, pass launchpath's array to the other one: "
            "torch.from_dlpack(ours).copy_(theirs), cupy.asarray(ours)[:] = theirs"
        )


def _check_like(array: Array, other: Any) -> None:
    if not isinstance(other, (Array, np.ndarray)):
        raise ArgumentValueError(f"expected a NumPy array or a launchpath array to copy into, got {described(other)}")
    if other.shape != array.shape or other.dtype != array.dtype:
        raise ArgumentValueError(
            f"expected an array of shape {array.shape} and {array.dtype}, got shape {other.shape} and {other.dtype}"
        )


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
    kind = _dtype(dtype)
    extents = _extents(shape)
    if kind.subdtype is not None:  # NumPy makes it part of the shape
        kind, inner = kind.subdtype
        extents = _extents(extents + inner)
    device, stream = _place(device, stream)
    most = math.prod(filter(None, extents)) * kind.itemsize  # NumPy, too, counts them as if no extent were 0
    if most > _LARGEST:
        raise OutOfMemoryError("empty", "more than any device has", 0, f"requested {most:,} bytes")
    nbytes = 0 if 0 in extents else most
    try:
        allocation = device.pool.allocate(nbytes, stream, _core.DEVICE)
    except OutOfMemoryError as error:
        most = device.info.get("max_allocation", nbytes)
        if nbytes <= most:
            raise
        said = f"the device gives {most:,} at once (max_allocation)"
        detail = "; ".join(filter(None, [said, error.detail]))
        raise OutOfMemoryError(error.call, error.name, error.code, detail) from None
    code = _core.dtype_code(kind.name if kind.isnative else "")
    return Array(allocation, device, kind, code, extents, 0, nbytes)


def _dtype(given: npt.DTypeLike) -> np.dtype[Any]:
    if given is None:  # to NumPy it is float64, which few who leave a dtype open want of a device
        raise ArgumentValueError("expected a dtype, got None: omit it for float32")
    kind = element.as_dtype(given)
    if kind.hasobject:
        raise ArgumentValueError(f"expected a dtype without Python objects, got {kind}: a device cannot use them")
    return kind


def _extents(shape: Any) -> tuple[int, ...]:
    """Read a shape, which NumPy must be able to have as well."""
    extents: tuple[int, ...] = ()
    for given in tuple(shape) if isinstance(shape, (tuple, list)) else (shape,):
        extent = _core.whole_number(given)
        if extent is None:
            raise ArgumentValueError(f"expected a shape, an int or a tuple of ints, got {shown(shape)}")
        extents += (extent,)
    if any(extent < 0 for extent in extents):
        raise ArgumentValueError(f"expected a shape without negative ints, got {shown(shape)}")
    if any(extent > _LARGEST for extent in extents):
        raise OutOfMemoryError("empty", "more than any device has", 0, f"requested the shape {shown(shape)}")
    if len(extents) > _SURE_AXES:
        try:
            np.empty((0,) * len(extents))
        except ValueError as error:
            raise ArgumentValueError(
                f"expected a shape that NumPy can have, got {len(extents)} axes: {error}"
            ) from error
    return extents


def _place(device: DeviceLike | None, stream: StreamLike | None) -> tuple[Device, Stream | None]:
    """Give the device that an array is to be on, and the stream in whose order it is made, if there is one."""
    if stream is None:
        return as_device(device), None
    stream = wanted_stream(stream, None if device is None else as_device(device))
    return stream.device, stream


def zeros(
    shape: Shape,
    dtype: npt.DTypeLike = "float32",
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array of zeros, set in the order of the stream; see `empty` for the parameters."""
    device, stream = _place(device, stream)
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
        device, stream = _place(device, stream)
    if isinstance(data, Array):
        wanted = data.device if device is None else device
        if wanted is data.device and (dtype is None or _dtype(dtype) == data.dtype):
            return data
        data = data.to_numpy()
    _refuse_foreign(data)
    host = np.asarray(data, None if dtype is None else _dtype(dtype), order="C")
    array = empty(host.shape, host.dtype, device, stream)
    array.copy_from(host, stream)
    return array
