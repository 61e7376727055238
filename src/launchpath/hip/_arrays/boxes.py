"""Copies and fills of three dimensions, copies by structs, and copies between devices."""

from __future__ import annotations

from typing import Any

from launchpath.hip._arrays import arrays as _arrays
from launchpath.hip._copies import copies as _copies
from launchpath.hip._copies.copies import _check_pitch, _fill, pattern_of
from launchpath.hip._copies.places import Place, copy_box
from launchpath.hip._devices.current import device_at
from launchpath.hip._devices.limits import check
from launchpath.hip._memory import allocations
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import struct_of

_ANY = types.hipMemcpyKind.hipMemcpyDefault


def _end(array: Any, pointer: Any, position: Any, bounds: tuple[int, int, int]) -> tuple[Place, int]:
    """Return an end of hipMemcpy3DParms, and the bytes of an element: 1 for a pointer."""
    if bool(address(array)) == bool(address(pointer.ptr)):
        raise HipError(Error.hipErrorInvalidValue, "expected an array or a pointer for each end of the copy")
    if address(array):
        subject = _arrays.arrays.find(array)
        return subject.place(position.x * subject.element, position.y, position.z), subject.element
    pitch, slice = pointer.pitch, pointer.pitch * pointer.ysize
    if bounds[2] > 1 and pointer.ysize < bounds[1]:
        raise HipError(
            Error.hipErrorInvalidValue, f"expected slices of {bounds[1]} rows, got ysize={pointer.ysize}: set it"
        )
    return Place(pointer.ptr, position.x + position.y * pitch + position.z * slice, pitch, slice), 1


def _copy_parameters(p: Any, stream: Any, waits: bool, kind: Any = None) -> None:
    box = p.extent.width, p.extent.height, p.extent.depth
    if 0 in box:
        return
    to, to_element = _end(p.dstArray, p.dstPtr, p.dstPos, box)
    source, source_element = _end(p.srcArray, p.srcPtr, p.srcPos, box)
    if to_element != source_element and address(p.dstArray) and address(p.srcArray):
        raise HipError(Error.hipErrorInvalidValue, f"elements of {to_element} and {source_element} bytes")
    width = p.extent.width * max(to_element, source_element)  # elements if there is an array, bytes if there is none
    for array, position in ((p.dstArray, p.dstPos), (p.srcArray, p.srcPos)):
        if address(array):
            subject = _arrays.arrays.find(array)
            subject.check(position.x * subject.element, position.y, position.z, width, box[1], box[2])
    copy_box(to, source, (width, box[1], box[2]), p.kind if kind is None else kind, stream, waits)


@function()
def hipMemcpy3D(p: Any) -> None:
    """Copy a box, and wait for it. The width is in elements if an end is an array, else in bytes."""
    _copy_parameters(struct_of(types.hipMemcpy3DParms, p), None, True)


@function()
def hipMemcpy3DAsync(p: Any, stream: Any) -> None:
    """Copy a box on a stream."""
    _copy_parameters(struct_of(types.hipMemcpy3DParms, p), stream, False)


def _same_device(p: Any) -> Any:
    p = struct_of(types.hipMemcpy3DPeerParms, p)
    if device_at(p.srcDevice) is not device_at(p.dstDevice):
        raise HipError(Error.hipErrorNotSupported, "expected one device: copy the rows by hipMemcpyPeer")
    return p


@function()
def hipMemcpy3DPeer(p: Any) -> None:
    """Copy a box within a device, and wait for it."""
    _copy_parameters(_same_device(p), None, True, _ANY)


@function()
def hipMemcpy3DPeerAsync(p: Any, stream: Any) -> None:
    """Copy a box within a device on a stream."""
    _copy_parameters(_same_device(p), stream, False, _ANY)


# The driver's structs: ends by types of memory, everything in bytes.


def _driver_end(copy: Any, side: str, box: tuple[int, int, int]) -> Place:
    kinds, kind = types.hipMemoryType, check(types.hipMemoryType, getattr(copy, f"{side}MemoryType"))
    x, y, z = getattr(copy, f"{side}XInBytes"), getattr(copy, f"{side}Y"), getattr(copy, f"{side}Z", 0)
    if kind == kinds.hipMemoryTypeArray:
        subject = _arrays.arrays.find(getattr(copy, f"{side}Array"))
        subject.check(x, y, z, *box)
        return subject.place(x, y, z)
    if kind == kinds.hipMemoryTypeUnregistered:
        raise HipError(Error.hipErrorInvalidValue, f"expected {side}MemoryType of the host, a device or an array")
    pointer = getattr(copy, f"{side}Host" if kind == kinds.hipMemoryTypeHost else f"{side}Device")
    pitch = getattr(copy, f"{side}Pitch") or x + box[0]
    slice = pitch * (getattr(copy, f"{side}Height", 0) or y + box[1])
    if x + box[0] > pitch:
        raise HipError(Error.hipErrorInvalidPitchValue, f"{side}: {box[0]} bytes from {x}, in rows of {pitch}")
    return Place(pointer, x + y * pitch + z * slice, pitch, slice)


def _copy_driver(kind: Any, copy: Any, stream: Any, waits: bool) -> None:
    copy = struct_of(kind, copy)
    box = copy.WidthInBytes, copy.Height, getattr(copy, "Depth", 1)
    if 0 in box:
        return
    for side in ("src", "dst"):
        if getattr(copy, f"{side}LOD", 0):
            raise HipError(Error.hipErrorInvalidValue, f"expected {side}LOD of 0")
    copy_box(_driver_end(copy, "dst", box), _driver_end(copy, "src", box), box, _ANY, stream, waits)


@function()
def hipDrvMemcpy3D(pCopy: Any) -> None:
    """Copy a box that HIP_MEMCPY3D describes, and wait for it."""
    _copy_driver(types.HIP_MEMCPY3D, pCopy, None, True)


@function()
def hipDrvMemcpy3DAsync(pCopy: Any, stream: Any) -> None:
    """Copy a box that HIP_MEMCPY3D describes, on a stream."""
    _copy_driver(types.HIP_MEMCPY3D, pCopy, stream, False)


@function()
def hipMemcpyParam2D(pCopy: Any) -> None:
    """Copy rows that hip_Memcpy2D describes, and wait for it."""
    _copy_driver(types.hip_Memcpy2D, pCopy, None, True)


@function()
def hipMemcpyParam2DAsync(pCopy: Any, stream: Any) -> None:
    """Copy rows that hip_Memcpy2D describes, on a stream."""
    _copy_driver(types.hip_Memcpy2D, pCopy, stream, False)


@function()
def hipDrvMemcpy2DUnaligned(pCopy: Any) -> None:
    """Copy rows that hip_Memcpy2D describes, of any pitch, and wait for it."""
    _copy_driver(types.hip_Memcpy2D, pCopy, None, True)


# Between devices.


def _copy_peer(dst: Any, to: int, src: Any, source: int, size: int, stream: Any, waits: bool) -> None:
    target, origin = device_at(to), device_at(source)
    if size == 0:
        return
    allocations.need(address(dst), size, "the destination")
    allocations.need(address(src), size, "the source")
    _copies._copy(dst, src, size, _ANY, stream, waits or target is not origin)


@function()
def hipMemcpyPeer(dst: Any, dstDeviceId: int, src: Any, srcDeviceId: int, sizeBytes: int) -> None:
    """Copy bytes from a device to another one, and wait for it."""
    _copy_peer(dst, dstDeviceId, src, srcDeviceId, sizeBytes, None, True)


@function()
def hipMemcpyPeerAsync(dst: Any, dstDeviceId: int, src: Any, srcDevice: int, sizeBytes: int, stream: Any) -> None:
    """Copy bytes from a device to another one behind what a stream has been given. Between devices it waits."""
    _copy_peer(dst, dstDeviceId, src, srcDevice, sizeBytes, stream, False)


# Fills.


def _fill_box(pitched: Any, value: int, extent: Any, stream: Any, waits: bool = False) -> None:
    pitched, extent = struct_of(types.hipPitchedPtr, pitched), struct_of(types.hipExtent, extent)
    width, height, depth, pitch = extent.width, extent.height, extent.depth, pitched.pitch
    if 0 in (width, height, depth):
        return
    _check_pitch(pitch, width)
    if depth > 1 and pitched.ysize < height:
        raise HipError(Error.hipErrorInvalidValue, f"expected slices of {height} rows, got ysize={pitched.ysize}")
    first, slice = address(pitched.ptr), pitch * pitched.ysize
    allocations.need(first, (depth - 1) * slice + (height - 1) * pitch + width, "the memory to fill")
    if depth > 1 and pitched.ysize == height:
        height, depth = height * depth, 1
    for index in range(depth):
        _fill(first + index * slice, pattern_of(value, 1), width, stream, (height, pitch), waits)


@function()
def hipMemset3D(pitchedDevPtr: Any, value: int, extent: Any) -> None:
    """Fill a box with a byte."""
    _fill_box(pitchedDevPtr, value, extent, None, waits=True)


@function()
def hipMemset3DAsync(pitchedDevPtr: Any, value: int, extent: Any, stream: Any) -> None:
    """Fill a box with a byte, on a stream."""
    _fill_box(pitchedDevPtr, value, extent, stream)


def _fill_rows(dst: Any, pitch: int, pattern: bytes, width: int, height: int, stream: Any, waits: bool = False) -> None:
    if height > 1:
        _check_pitch(pitch, width * len(pattern))
        if pitch % len(pattern):
            raise HipError(Error.hipErrorInvalidValue, f"expected a pitch of a multiple of {len(pattern)}, got {pitch}")
    _fill(dst, pattern, width, stream, (height, pitch), waits)


@function()
def hipMemsetD2D8(dst: Any, dstPitch: int, value: int, width: int, height: int) -> None:
    """Fill rows with a byte."""
    _fill_rows(dst, dstPitch, pattern_of(value, 1), width, height, None, waits=True)


@function()
def hipMemsetD2D8Async(dst: Any, dstPitch: int, value: int, width: int, height: int, stream: Any) -> None:
    """Fill rows with a byte, on a stream."""
    _fill_rows(dst, dstPitch, pattern_of(value, 1), width, height, stream)


@function()
def hipMemsetD2D16(dst: Any, dstPitch: int, value: int, width: int, height: int) -> None:
    """Fill rows with values of 2 bytes. The pitch is in bytes, the width in values."""
    _fill_rows(dst, dstPitch, pattern_of(value, 2), width, height, None, waits=True)


@function()
def hipMemsetD2D16Async(dst: Any, dstPitch: int, value: int, width: int, height: int, stream: Any) -> None:
    """Fill rows with values of 2 bytes, on a stream. The pitch is in bytes, the width in values."""
    _fill_rows(dst, dstPitch, pattern_of(value, 2), width, height, stream)


@function()
def hipMemsetD2D32(dst: Any, dstPitch: int, value: int, width: int, height: int) -> None:
    """Fill rows with values of 4 bytes. The pitch is in bytes, the width in values."""
    _fill_rows(dst, dstPitch, pattern_of(value, 4), width, height, None, waits=True)


@function()
def hipMemsetD2D32Async(dst: Any, dstPitch: int, value: int, width: int, height: int, stream: Any) -> None:
    """Fill rows with values of 4 bytes, on a stream. The pitch is in bytes, the width in values."""
    _fill_rows(dst, dstPitch, pattern_of(value, 4), width, height, stream)
