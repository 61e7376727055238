"""HIP's arrays: rows in memory of a device, with a format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from launchpath._streams.device import Device
from launchpath.hip._copies.places import Pieces, Place
from launchpath.hip._devices.current import current
from launchpath.hip._devices.limits import check
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._memory import allocations as _allocations
from launchpath.hip._memory.allocations import DEVICE, allocate
from launchpath.hip._memory.memory import PITCH
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.values import struct_of

_FORMATS = types.hipArray_Format
_KINDS = types.hipChannelFormatKind
# The bits of a channel and what they are, by format.
_CHANNELS = {
    _FORMATS.HIP_AD_FORMAT_UNSIGNED_INT8: (8, _KINDS.hipChannelFormatKindUnsigned),
    _FORMATS.HIP_AD_FORMAT_UNSIGNED_INT16: (16, _KINDS.hipChannelFormatKindUnsigned),
    _FORMATS.HIP_AD_FORMAT_UNSIGNED_INT32: (32, _KINDS.hipChannelFormatKindUnsigned),
    _FORMATS.HIP_AD_FORMAT_SIGNED_INT8: (8, _KINDS.hipChannelFormatKindSigned),
    _FORMATS.HIP_AD_FORMAT_SIGNED_INT16: (16, _KINDS.hipChannelFormatKindSigned),
    _FORMATS.HIP_AD_FORMAT_SIGNED_INT32: (32, _KINDS.hipChannelFormatKindSigned),
    _FORMATS.HIP_AD_FORMAT_HALF: (16, _KINDS.hipChannelFormatKindFloat),
    _FORMATS.HIP_AD_FORMAT_FLOAT: (32, _KINDS.hipChannelFormatKindFloat),
}


@dataclass(frozen=True)
class Array:
    """An array: `height` and `depth` are 0 where it has fewer dimensions."""

    memory: int
    pitch: int
    extent: tuple[int, int, int]  # elements
    channels: int
    format: Any
    flags: int
    device: Device

    @property
    def element(self) -> int:
        """Bytes of an element."""
        return self.channels * _CHANNELS[self.format][0] // 8

    @property
    def rows(self) -> int:
        """Rows of a slice."""
        return self.extent[1] or 1

    @property
    def row(self) -> int:
        """Bytes of a row, without what fills it up to the pitch."""
        return self.extent[0] * self.element

    def check(self, x: int, y: int, z: int, width: int, height: int, depth: int = 1) -> None:
        """Refuse what is not all in the array; `x` and `width` are in bytes."""
        ends = x + width, y + height, z + depth
        limits = self.row, self.rows, self.extent[2] or 1
        if min(x, y, z, width, height, depth) < 0 or any(end > limit for end, limit in zip(ends, limits, strict=True)):
            raise HipError(
                Error.hipErrorInvalidValue,
                f"expected a part of the array's {limits}, got one from {(x, y, z)} to {ends}",
            )

    def place(self, x: int, y: int, z: int = 0) -> Place:
        """Return where a part begins."""
        slice = self.pitch * self.rows
        return Place(self.memory, x + y * self.pitch + z * slice, self.pitch, slice)

    def pieces(self, offset: int, count: int) -> Pieces:
        """Return bytes that follow one another through the rows of the first slice."""
        if min(offset, count) < 0 or offset + count > self.row * self.rows:
            raise HipError(
                Error.hipErrorInvalidValue,
                f"expected bytes from 0 up to {self.row * self.rows}, got {count} from {offset} on",
            )
        return self._pieces(offset, count)

    def _pieces(self, offset: int, count: int) -> Pieces:
        while count:
            y, x = divmod(offset, self.row)
            size = min(count, self.row - x)
            yield self.memory + y * self.pitch + x, size
            offset, count = offset + size, count - size


def dtype_of(format: Any) -> np.dtype[Any]:
    """Return NumPy's type of a channel."""
    bits, kind = _CHANNELS[format]
    letter = {_KINDS.hipChannelFormatKindUnsigned: "u", _KINDS.hipChannelFormatKindSigned: "i"}.get(kind, "f")
    return np.dtype(f"{letter}{bits // 8}")


arrays: Handles[Array] = Handles(types.hipArray, Error.hipErrorInvalidHandle)


_FLAGS = types.hipArrayLayered | types.hipArraySurfaceLoadStore | types.hipArrayCubemap | types.hipArrayTextureGather


def _new(extent: tuple[int, int, int], channels: int, format: Any, flags: int) -> Any:
    if flags & ~_FLAGS:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags hipArray..., got {flags:#x}")
    if flags:
        raise HipError(Error.hipErrorNotSupported, f"expected hipArrayDefault, got flags of {flags:#x}")
    if extent[0] <= 0 or min(extent) < 0 or (extent[2] and not extent[1]):
        raise HipError(Error.hipErrorInvalidValue, f"expected a width, a height and a depth, got {extent}")
    if channels not in (1, 2, 4):
        raise HipError(Error.hipErrorInvalidValue, f"expected 1, 2 or 4 channels, got {channels}")
    device, width = current(), extent[0] * channels * _CHANNELS[format][0] // 8
    pitch = -(-width // PITCH) * PITCH
    memory = allocate(device, pitch * (extent[1] or 1) * (extent[2] or 1), DEVICE)
    return arrays.add(Array(memory, pitch, extent, channels, format, flags, device))


def described(desc: Any) -> tuple[int, Any]:
    """Return the channels and the format that hipChannelFormatDesc says."""
    desc = struct_of(types.hipChannelFormatDesc, desc)
    all_bits = [desc.x, desc.y, desc.z, desc.w]
    bits = [each for each in all_bits if each]
    for format, (width, kind) in _CHANNELS.items():
        if kind == desc.f and bits and bits == [width] * len(bits) == all_bits[: len(bits)]:
            return len(bits), format
    raise HipError(Error.hipErrorInvalidValue, f"expected channels of 8, 16 or 32 bits, all the same, got {all_bits}")


@function(1)
def hipMallocArray(desc: Any, width: int, height: int, flags: int) -> Any:
    """Allocate an array of one or two dimensions: a height of 0 is one."""
    return _new((width, height, 0), *described(desc), flags)


@function(1)
def hipMalloc3DArray(desc: Any, extent: Any, flags: int) -> Any:
    """Allocate an array of up to three dimensions: those it does not have are 0."""
    extent = struct_of(types.hipExtent, extent)
    return _new((extent.width, extent.height, extent.depth), *described(desc), flags)


def _format(descriptor: Any) -> Any:
    try:
        return check(_FORMATS, descriptor.Format)
    except ValueError as error:  # the bindings refuse to read a number that is none
        raise HipError(Error.hipErrorInvalidValue, str(error)) from None


@function(1)
def hipArrayCreate(pAllocateArray: Any) -> Any:
    """Allocate an array that HIP_ARRAY_DESCRIPTOR describes."""
    descriptor = struct_of(types.HIP_ARRAY_DESCRIPTOR, pAllocateArray)
    return _new((descriptor.Width, descriptor.Height, 0), descriptor.NumChannels, _format(descriptor), 0)


@function(1)
def hipArray3DCreate(pAllocateArray: Any) -> Any:
    """Allocate an array that HIP_ARRAY3D_DESCRIPTOR describes."""
    descriptor = struct_of(types.HIP_ARRAY3D_DESCRIPTOR, pAllocateArray)
    return _new(
        (descriptor.Width, descriptor.Height, descriptor.Depth),
        descriptor.NumChannels,
        _format(descriptor),
        descriptor.Flags,
    )


def _free(handle: Any) -> None:
    _allocations.free(arrays.find(handle).memory, DEVICE)
    arrays.remove(handle)


@function()
def hipFreeArray(array: Any) -> None:
    """Free an array, when the device is idle."""
    _free(array)


@function()
def hipArrayDestroy(array: Any) -> None:
    """Free an array, when the device is idle."""
    _free(array)


@function(1)
def hipArrayGetDescriptor(array: Any) -> Any:
    """Return the descriptor of an array of one or two dimensions."""
    subject, result = arrays.find(array), types.HIP_ARRAY_DESCRIPTOR()
    if subject.extent[2]:
        raise HipError(Error.hipErrorInvalidValue, "the array has three dimensions: use hipArray3DGetDescriptor")
    result.Width, result.Height, _ = subject.extent
    result.NumChannels, result.Format = subject.channels, subject.format
    return result


@function(1)
def hipArray3DGetDescriptor(array: Any) -> Any:
    """Return the descriptor of an array."""
    subject, result = arrays.find(array), types.HIP_ARRAY3D_DESCRIPTOR()
    result.Width, result.Height, result.Depth = subject.extent
    result.NumChannels, result.Format, result.Flags = subject.channels, subject.format, subject.flags
    return result


def channels_of(channels: int, format: Any) -> Any:
    """Return the hipChannelFormatDesc of elements."""
    bits, kind = _CHANNELS[format]
    result = types.hipChannelFormatDesc()
    for index, name in enumerate("xyzw"):
        setattr(result, name, bits if index < channels else 0)
    result.f = kind
    return result


@function(3)
def hipArrayGetInfo(array: Any) -> tuple[Any, Any, int]:
    """Return the channels, the extent and the flags of an array."""
    subject, extent = arrays.find(array), types.hipExtent()
    extent.width, extent.height, extent.depth = subject.extent
    return channels_of(subject.channels, subject.format), extent, subject.flags


@function(1)
def hipCreateChannelDesc(x: int, y: int, z: int, w: int, f: Any) -> Any:
    """Return a description of channels: their bits, and what they are."""
    result = types.hipChannelFormatDesc()
    result.x, result.y, result.z, result.w, result.f = x, y, z, w, check(_KINDS, f)
    return result


@on_reset
def _forget(device: Device) -> None:
    for handle, array in arrays.items():
        if array.device is device:
            arrays.remove(handle)
