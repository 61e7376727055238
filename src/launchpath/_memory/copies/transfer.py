"""Transfers: copies between an array and the host, and between arrays; fills.

A base class of `Array`. Most methods first call the core's function for the plain case, a NumPy array of the same dtype
and shape or a plain number: `upload_plain`, `download_plain`, `fill_plain`. For all else that function returns False,
without an effect; the checks, conversions and messages for those cases are here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory import element, host_memory
from launchpath._memory.addresses import addresses
from launchpath._memory.copies.host import HostCopy
from launchpath._memory.copies.peer import copy_between
from launchpath._memory.exchange import Exchange
from launchpath._memory.pinned import pinned_empty
from launchpath._shown import described
from launchpath._streams.stream import Stream, stream_of
from launchpath._streams.stream_argument import wanted_stream
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import StreamLike
    from launchpath._memory.array import Array

_core.register_host_arrays(np.ndarray)

_PATTERN_BYTES = (1, 2, 4, 8, 16)  # the sizes of patterns that drivers fill with
_DLPACK_CPU = 1


class Transfer(Exchange):
    """The copies and fills of `Array`."""

    def _stream(self, stream: StreamLike | None) -> Stream:
        """The stream of a call: its argument, or the current stream of the array's device."""
        self._check_lives()
        if stream is None:
            return stream_of(self.device)
        return wanted_stream(stream, self.device)

    def to_numpy(self, stream: StreamLike | None = None, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Copy to a NumPy array; blocks until the copy is complete.

        Parameters
        ----------
        stream : Stream, optional
            Copy after the work submitted to this stream. If omitted: after all work submitted to the device, on any
            stream.
        out : numpy.ndarray, optional
            Copy into this array: C-contiguous, writeable, of the same shape and dtype. If omitted: into a new array.

        Returns
        -------
        numpy.ndarray
            Same shape and dtype; `out` if it was passed.

        Raises
        ------
        AsynchronousError
            A command failed on a stream that was waited for.
        ArgumentValueError
            `out` is not such an array.
        """
        if out is None:
            out = np.empty(self.shape, self.dtype)
        elif not isinstance(out, np.ndarray):
            raise ArgumentValueError(f"expected a NumPy array as `out`, got {described(out)}")
        if not _core.download_plain(self, out, stream):
            self._copy_to(out, stream)
        return out

    def copy_to_host_async(self, out: npt.NDArray[Any] | None = None, stream: StreamLike | None = None) -> HostCopy:
        """Begin a copy to a pinned array, and do not wait: ``copy.result()``, ``await copy``, ``copy.event``.

        Parameters
        ----------
        out : numpy.ndarray, optional
            A pinned array (`pinned_empty`) of the same shape and dtype, or a contiguous part of one. If omitted: a new
            one. Do not read it before the copy is complete.
        stream : Stream, optional
            Copy after the work submitted to this stream. If omitted: to the current stream, or to the legacy default
            stream, if the current stream belongs to another device.

        Returns
        -------
        HostCopy
            Its ``result()`` is the array, of the same shape and dtype.

        Raises
        ------
        ArgumentValueError
            `out` is not such an array: a copy to other memory cannot be asynchronous.
        """
        stream = self._stream(stream)
        if out is None:
            out = pinned_empty(self.shape, self.dtype, self.device)
        if not isinstance(out, np.ndarray) or not _core.is_pinned(out, self.device):
            target = "a NumPy array in other memory" if isinstance(out, np.ndarray) else described(out)
            raise ArgumentValueError(
                f"expected an array of launchpath.pinned_empty as `out`, got {target}: omit it for a new one, or use "
                "to_numpy(out=...), which waits"
            )
        if not _core.download_asynchronously(self, stream, out):
            _check_like(self, out)
            _check_target(out)
            raise ArgumentValueError(f"expected an array of exactly {self.dtype} as `out`, got {described(out)}")
        return HostCopy(out, stream.record())

    def copy_to(self, out: npt.NDArray[Any] | Array, stream: StreamLike | None = None) -> None:
        """Copy into an array of the same shape and dtype.

        Parameters
        ----------
        out : numpy.ndarray or Array
            A C-contiguous host array of the same shape and dtype: blocks until the copy is complete. An array of this
            device: asynchronous, in the stream's order. An array of another device: asynchronous, from device to
            device, where the driver has such copies; else through the host, which blocks.
        stream : Stream, optional
            Copy after the work submitted to this stream. If omitted: to another array of the device in the order of the
            current stream (the legacy default stream, if the current stream belongs to another device), to any other
            target after all work submitted to the device, on any stream.
        """
        if not _core.download_plain(self, out, stream):
            self._copy_to(out, stream)

    def _copy_to(self, out: npt.NDArray[Any] | Array, stream: StreamLike | None) -> None:
        if isinstance(out, Transfer) and out.device is not self.device:
            _copy_across(self, out, stream)
            return
        named, stream = stream, self._stream(stream)
        refuse_foreign(out)
        _check_like(self, out)
        if isinstance(out, Transfer):
            self._copy_within(out, stream)
            return
        _check_target(out)
        if named is None:
            _core.wait_for_others(stream)
        if self.device.driver_device.stages:
            _core.download_bytes(self, stream, 0, host_memory.as_bytes(out))
            return
        _core.read_bytes(stream, out.ctypes.data, self.address_on(stream), self.nbytes, out)

    def _copy_within(self, out: Transfer, stream: Stream) -> None:
        """Copy to another array of the device."""
        self._check_lives()
        _check_like(self, out)
        to, begin = out.bare_address, self.bare_address
        if to == begin:
            return  # to itself
        if abs(to - begin) < self.nbytes:
            raise ArgumentValueError(
                "expected arrays that do not overlap: the copy would read bytes that it has already written"
            )
        _core.copy_bytes(stream, out.address_on(stream), self.address_on(stream), self.nbytes, _core.WITHIN)

    def copy_from(self, source: Any, stream: StreamLike | None = None) -> None:
        """Copy from an array of the same shape and dtype.

        Parameters
        ----------
        source : array_like or Array
            Host data: it is read at the call (through pinned memory) and may be changed at once afterwards; the copy
            runs in the stream's order. A pinned array (`pinned_empty`) of the same dtype and shape: it is read when the
            copy runs, so do not change it before that is complete. An array of this device: asynchronous. Of another
            device: as for `copy_to`.

            Host data of another dtype is converted: ints to any dtype that holds their values, floats to any float
            (rounded), anything to complex. Bytes and a `ctypes.Structure` are copied unchanged; structured data too,
            into an array of bytes, as the symbol of a struct is, or if all its fields have the array's dtype.

            To a program's variable that is a pointer, or that has several, an array means its address, which is checked
            as a launch checks it; `DevicePointer` and None are addresses too. The variable does not keep the array.
        stream : Stream, optional
            The current stream if it belongs to this array's device, else the legacy default stream.

        Raises
        ------
        ArgumentValueError
            The shapes differ, the dtype cannot hold the data, or the number of bytes differs.
        """
        self._copy_from(source, stream, at_once=False)

    def _copy_from(self, source: Any, stream: StreamLike | None, at_once: bool = True) -> None:
        """Do what `copy_from` does; `at_once`: all host data is read at the call, pinned arrays too."""
        if _core.upload_plain(self, source, stream, at_once):
            return
        source = addresses(self, source)
        if isinstance(source, Transfer):
            _check_like(self, source, "to copy from", f': convert it first, with astype("{self.dtype}")')
            if source.device is not self.device:
                _copy_across(source, self, stream)
            else:
                source._copy_within(self, self._stream(stream))
            return
        stream = self._stream(stream)
        host_memory.refuse_capture(stream)
        refuse_foreign(source)
        host = element.as_bytes(self, source)
        if host is None:
            host = element.converted(source, self.dtype)
            if host.shape != self.shape and self.dtype == np.uint8 and np.asarray(source).nbytes == self.nbytes:
                raise ArgumentValueError(
                    f"expected an array of shape {self.shape} and {self.dtype}, got shape {host.shape} and "
                    f"{np.asarray(source).dtype}: to copy the bytes unchanged, pass data.tobytes()"
                )
            _check_like(self, host, "to copy from")
        if not self.nbytes:
            return
        _core.upload_bytes(self, stream, 0, host_memory.as_bytes(host))

    def fill(self, value: Any, stream: StreamLike | None = None) -> None:
        """Set every element to ``value``, asynchronously, in the stream's order.

        Parameters
        ----------
        value : scalar
            A number that the dtype can hold; of a structured dtype a tuple or a NumPy scalar.
        stream : Stream or a stream of another library, optional
            The current stream if it belongs to this array's device, else the legacy default stream.

        Raises
        ------
        ArgumentValueError
            The dtype cannot hold the value.
        """
        if _core.fill_plain(self, value, stream):
            return
        value = addresses(self, value)
        stream = self._stream(stream)
        pattern = fill_pattern(element.element(value, self.dtype).tobytes(), self.bare_address)
        if pattern is not None:
            _core.fill_bytes(stream, self.address_on(stream), pattern, self.nbytes)
        else:
            self.copy_from(np.full(self.shape, value, self.dtype), stream)


def _copy_across(source: Transfer, to: Transfer, stream: StreamLike | None) -> None:
    """Copy to an array of another device."""
    source._check_lives()
    to._check_lives()
    _check_like(source, to)
    if not copy_between(source, to, stream):
        # A stream is of the one device or the other, so it can order one of the two copies.
        order = None if stream is None else wanted_stream(stream, None)
        reads = order is not None and order.device is source.device
        to.copy_from(source.to_numpy(order if reads else None), None if reads else order)


def fill_pattern(element_bytes: bytes, address: int) -> bytes | None:
    """Give the bytes that a driver repeats from an address to set elements; None if it has to be a copy.

    OpenCL takes only an address that is a multiple of the pattern's size (clEnqueueMemFillINTEL, clEnqueueSVMMemFill).
    """
    pattern = element_bytes
    while address % max(len(pattern), 1) and pattern == pattern[: len(pattern) // 2] * 2:
        pattern = pattern[: len(pattern) // 2]
    return pattern if len(pattern) in _PATTERN_BYTES and address % len(pattern) == 0 else None


def refuse_foreign(data: Any) -> None:
    """Refuse what other libraries have on a device: NumPy would see an object in it, or copy without any order."""
    if isinstance(data, (Transfer, np.ndarray, np.generic)) or hasattr(data, "__array_interface__"):
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


def _check_like(array: Transfer, other: Any, role: str = "to copy into", to_convert: str = "") -> None:
    """Refuse an array that is not of the same shape and dtype; `role` says what it is for, `to_convert` what to do."""
    if not isinstance(other, (Transfer, np.ndarray)):
        raise ArgumentValueError(f"expected a NumPy array or a launchpath array {role}, got {described(other)}")
    if other.shape != array.shape or other.dtype != array.dtype:
        raise ArgumentValueError(
            f"expected an array of shape {array.shape} and {array.dtype}, got shape {other.shape} and {other.dtype}"
            f"{to_convert if other.dtype != array.dtype else ''}"
        )


def _check_target(out: npt.NDArray[Any]) -> None:
    """Refuse host memory that a device cannot write in a single copy."""
    if isinstance(out, np.ma.MaskedArray):
        raise ArgumentValueError("expected an array without a mask to copy into, got a masked array: pass its data")
    if not out.flags.writeable:
        raise ArgumentValueError(
            "expected a C-contiguous, writeable NumPy array to copy into, got a read-only array: pass a copy of it"
        )
    if not out.flags.c_contiguous:
        raise ArgumentValueError(
            f"expected a C-contiguous, writeable NumPy array to copy into, got shape {out.shape} with strides "
            f"{out.strides}: use out[...] = array.to_numpy()"
        )
