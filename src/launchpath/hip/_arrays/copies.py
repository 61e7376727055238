"""Copies from and to HIP's arrays."""

from __future__ import annotations

from typing import Any

from launchpath.hip._arrays.arrays import arrays
from launchpath.hip._copies.copies import _check_pitches
from launchpath.hip._copies.kinds import FROM_DEVICE, TO_DEVICE, check_kind
from launchpath.hip._copies.places import Place, copy_box, copy_pieces, plain
from launchpath.hip._types.bindings import types
from launchpath.hip._types.errors import function

_KINDS = types.hipMemcpyKind


def _into(dst: Any, corner: tuple[int, int], src: Any, pitch: int, box: tuple[int, int], kind: Any, order: Any) -> None:
    check_kind(kind, TO_DEVICE)
    array = arrays.find(dst)
    _check_pitches(array.pitch, pitch, box[0])
    array.check(*corner, 0, *box)
    stream, waits = order
    copy_box(array.place(*corner), Place(src, 0, pitch, 0), (*box, 1), kind, stream, waits)


def _out_of(
    dst: Any, pitch: int, src: Any, corner: tuple[int, int], box: tuple[int, int], kind: Any, order: Any
) -> None:
    check_kind(kind, FROM_DEVICE)
    array = arrays.find(src)
    _check_pitches(pitch, array.pitch, box[0])
    array.check(*corner, 0, *box)
    stream, waits = order
    copy_box(Place(dst, 0, pitch, 0), array.place(*corner), (*box, 1), kind, stream, waits)


@function()
def hipMemcpy2DToArray(
    dst: Any, wOffset: int, hOffset: int, src: Any, spitch: int, width: int, height: int, kind: Any
) -> None:
    """Copy rows to an array, and wait for it. Offset and width are in bytes."""
    _into(dst, (wOffset, hOffset), src, spitch, (width, height), kind, (None, True))


@function()
def hipMemcpy2DToArrayAsync(
    dst: Any, wOffset: int, hOffset: int, src: Any, spitch: int, width: int, height: int, kind: Any, stream: Any
) -> None:
    """Copy rows to an array on a stream. Offset and width are in bytes."""
    _into(dst, (wOffset, hOffset), src, spitch, (width, height), kind, (stream, False))


@function()
def hipMemcpy2DFromArray(
    dst: Any, dpitch: int, src: Any, wOffset: int, hOffset: int, width: int, height: int, kind: Any
) -> None:
    """Copy rows of an array, and wait for it. Offset and width are in bytes."""
    _out_of(dst, dpitch, src, (wOffset, hOffset), (width, height), kind, (None, True))


@function()
def hipMemcpy2DFromArrayAsync(
    dst: Any, dpitch: int, src: Any, wOffset: int, hOffset: int, width: int, height: int, kind: Any, stream: Any
) -> None:
    """Copy rows of an array on a stream. Offset and width are in bytes."""
    _out_of(dst, dpitch, src, (wOffset, hOffset), (width, height), kind, (stream, False))


@function()
def hipMemcpy2DArrayToArray(
    dst: Any,
    wOffsetDst: int,
    hOffsetDst: int,
    src: Any,
    wOffsetSrc: int,
    hOffsetSrc: int,
    width: int,
    height: int,
    kind: Any,
) -> None:
    """Copy rows of an array to another one, and wait for it. Offsets and width are in bytes."""
    check_kind(kind, (_KINDS.hipMemcpyDeviceToDevice, _KINDS.hipMemcpyDefault))
    to, source = arrays.find(dst), arrays.find(src)
    to.check(wOffsetDst, hOffsetDst, 0, width, height)
    source.check(wOffsetSrc, hOffsetSrc, 0, width, height)
    ends = to.place(wOffsetDst, hOffsetDst), source.place(wOffsetSrc, hOffsetSrc)
    copy_box(*ends, (width, height, 1), kind, None, True)


# Bytes that follow one another through the rows.


def _to(dst: Any, offset: int, src: Any, count: int, kind: Any, stream: Any = None, waits: bool = True) -> None:
    copy_pieces(arrays.find(dst).pieces(offset, count), plain(src, count), kind, stream, waits)


def _from(dst: Any, src: Any, offset: int, count: int, kind: Any, stream: Any = None, waits: bool = True) -> None:
    copy_pieces(plain(dst, count), arrays.find(src).pieces(offset, count), kind, stream, waits)


@function()
def hipMemcpyToArray(dst: Any, wOffset: int, hOffset: int, src: Any, count: int, kind: Any) -> None:
    """Copy bytes to an array, row behind row, and wait for it."""
    check_kind(kind, TO_DEVICE)
    _to(dst, hOffset * arrays.find(dst).row + wOffset, src, count, kind)


@function()
def hipMemcpyFromArray(dst: Any, srcArray: Any, wOffset: int, hOffset: int, count: int, kind: Any) -> None:
    """Copy bytes of an array, row behind row, and wait for it."""
    check_kind(kind, FROM_DEVICE)
    _from(dst, srcArray, hOffset * arrays.find(srcArray).row + wOffset, count, kind)


@function()
def hipMemcpyHtoA(dstArray: Any, dstOffset: int, srcHost: Any, count: int) -> None:
    """Copy bytes of the host to an array, and wait for it."""
    _to(dstArray, dstOffset, srcHost, count, _KINDS.hipMemcpyHostToDevice)


@function()
def hipMemcpyHtoAAsync(dstArray: Any, dstOffset: int, srcHost: Any, ByteCount: int, stream: Any) -> None:
    """Copy bytes of the host to an array on a stream."""
    _to(dstArray, dstOffset, srcHost, ByteCount, _KINDS.hipMemcpyHostToDevice, stream, False)


@function()
def hipMemcpyAtoH(dst: Any, srcArray: Any, srcOffset: int, count: int) -> None:
    """Copy bytes of an array to the host, and wait for it."""
    _from(dst, srcArray, srcOffset, count, _KINDS.hipMemcpyDeviceToHost)


@function()
def hipMemcpyAtoHAsync(dstHost: Any, srcArray: Any, srcOffset: int, ByteCount: int, stream: Any) -> None:
    """Copy bytes of an array to the host on a stream."""
    _from(dstHost, srcArray, srcOffset, ByteCount, _KINDS.hipMemcpyDeviceToHost, stream, False)


@function()
def hipMemcpyDtoA(dstArray: Any, dstOffset: int, srcDevice: Any, ByteCount: int) -> None:
    """Copy bytes of the device to an array, and wait for it."""
    _to(dstArray, dstOffset, srcDevice, ByteCount, _KINDS.hipMemcpyDeviceToDevice)


@function()
def hipMemcpyAtoD(dstDevice: Any, srcArray: Any, srcOffset: int, ByteCount: int) -> None:
    """Copy bytes of an array to the device, and wait for it."""
    _from(dstDevice, srcArray, srcOffset, ByteCount, _KINDS.hipMemcpyDeviceToDevice)


@function()
def hipMemcpyAtoA(dstArray: Any, dstOffset: int, srcArray: Any, srcOffset: int, ByteCount: int) -> None:
    """Copy bytes of an array to another one, and wait for it."""
    to, source = (
        arrays.find(dstArray).pieces(dstOffset, ByteCount),
        arrays.find(srcArray).pieces(srcOffset, ByteCount),
    )
    copy_pieces(to, source, _KINDS.hipMemcpyDeviceToDevice, None, True)
