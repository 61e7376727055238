"""Assignment: ``array[key] = value``, by pieces that are contiguous in memory."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory import element, host_memory, index
from launchpath._memory.addresses import addresses
from launchpath._memory.copies.transfer import Transfer, fill_pattern, refuse_foreign
from launchpath._streams.stream import stream_of
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import StreamLike
    from launchpath._memory.array import Array

_RAW = (bytes, bytearray, ctypes.Structure, ctypes.Union, np.void)  # copied unchanged: see `Transfer.copy_from`


def assign(array: Array, key: Any, value: Any, stream: StreamLike | None = None) -> None:
    """Set a part of an array, in the order of the stream."""
    order = array._stream(stream)
    part = index.part(array.shape, array.dtype.itemsize, key)
    value = addresses(array, value)
    if isinstance(value, Transfer):
        _assign_array(array, part, value, order)
        return
    refuse_foreign(value)
    if isinstance(value, _RAW) and array.dtype.kind not in "SV" and part.is_contiguous(array.dtype.itemsize):
        array[key]._copy_from(value, order)
        return
    host = np.asarray(value)
    if host.shape == ():
        host = element.element(value, array.dtype)
        pattern = fill_pattern(host.tobytes(), array.bare_address + part.offset)
        if pattern is not None:
            _fill(array, part, pattern, order)
            return
    else:
        host = element.converted(host, array.dtype)
    _assign_host(array, part, host, order)


def _fill(array: Array, part: index.Part, pattern: bytes, stream: _core.QueueBase) -> None:
    if 0 in part.shape:
        return
    to = array.address_on(stream) + part.offset
    nbytes, (offsets,) = index.pieces(part.shape, array.dtype.itemsize, part.strides)
    for offset in offsets:
        _core.fill_bytes(stream, to + offset, pattern, nbytes)


def _assign_host(array: Array, part: index.Part, host: npt.NDArray[Any], stream: _core.QueueBase) -> None:
    if host.shape == part.shape and part.is_contiguous(host.itemsize):
        array._part(part.offset, host.nbytes, part.shape)._copy_from(host, stream)
        return
    host_memory.refuse_capture(stream)
    host = _broadcast(host, part.shape)
    if not host.size or not host.itemsize:
        return
    of_staging = index.layout(part.shape, host.itemsize).strides
    nbytes, (offsets, staged) = index.pieces(part.shape, host.itemsize, part.strides, of_staging)
    to = array.address_on(stream) + part.offset
    staging = host_memory.Pinned(array.device, host.size * host.itemsize)
    np.copyto(staging.bytes.view(array.dtype).reshape(part.shape), host)
    _copy_pieces(stream, to, offsets, staging.address, staged, nbytes)


def _assign_array(array: Array, part: index.Part, source: Transfer, stream: _core.QueueBase) -> None:
    source._check_lives()
    if source.dtype != array.dtype:
        raise ArgumentValueError(
            f"expected an array of {array.dtype}, got an array of {source.dtype}: convert it with "
            f"astype({str(array.dtype)!r}), which copies through the host"
        )
    itemsize = array.dtype.itemsize
    view = _broadcast(index.layout(source.shape, itemsize), part.shape)
    if not view.size or not itemsize:
        return
    strides = part.strides, view.strides
    if source.device is not array.device:
        nbytes, (offsets, sources) = index.pieces(part.shape, itemsize, *strides)
        rows = _rows([part.offset + offset for offset in offsets], sources, nbytes)
        if not _core.copy_between(stream, stream_of(source.device), array, source, nbytes, rows):
            _assign_host(array, part, source.to_numpy(), stream)
        return
    to, begin = array.bare_address + part.offset, source.bare_address
    if to == begin and source.shape == part.shape and part.is_contiguous(itemsize):
        return  # the part itself
    low, high = (array.bare_address + end for end in part.bounds(itemsize))
    if low < begin + source.nbytes and begin < high:
        raise ArgumentValueError(
            "expected an array that does not overlap the elements to set: the copy would read bytes that it has "
            "already written. Assign value.copy()"
        )
    array.address_on(stream)
    source.address_on(stream)
    nbytes, (offsets, sources) = index.pieces(part.shape, itemsize, *strides)
    _copy_pieces(stream, to, offsets, begin, sources, nbytes)


def _copy_pieces(
    stream: _core.QueueBase, to: int, offsets: list[int], source: int, sources: list[int], nbytes: int
) -> None:
    """Copy pieces of one size: as rows in one command, where the library has that and they are equally far apart."""
    pitch, source_pitch = _pitch(offsets), _pitch(sources)
    if pitch is not None and source_pitch is not None and pitch >= nbytes:
        _core.copy_rows(stream, to + offsets[0], pitch, source + sources[0], source_pitch, nbytes, len(offsets))
        return
    for offset, start in zip(offsets, sources, strict=True):
        _core.copy_bytes(stream, to + offset, source + start, nbytes)


def _rows(offsets: list[int], sources: list[int], nbytes: int) -> list[tuple[int, int, int, int, int]]:
    """Describe pieces of one size as the core's `copy_between` takes them: all as rows, or each alone."""
    pitch, source_pitch = _pitch(offsets), _pitch(sources)
    if pitch is not None and source_pitch is not None:
        return [(offsets[0], pitch, sources[0], source_pitch, len(offsets))]
    return [(offset, nbytes, start, nbytes, 1) for offset, start in zip(offsets, sources, strict=True)]


def _pitch(offsets: list[int]) -> int | None:
    """Give how far apart pieces are, or None if that differs."""
    steps = set(np.diff(offsets).tolist())
    return steps.pop() if len(steps) == 1 else None


def _broadcast(values: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Repeat values along axes of the part, by NumPy's rules for assignments."""
    full_shape = values.shape
    while values.ndim > len(shape) and values.shape[0] == 1:
        values = values[0, ...]
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise ArgumentValueError(
            f"expected values of shape {shape}, or of a shape that can be repeated to it, got shape {full_shape}"
        ) from None
