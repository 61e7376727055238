"""What describes texture objects: structs of the runtime and of the module API, by C's layout.

The bindings have no `hipTextureDesc.addressMode`, so programs write it, and this reads it, in the struct's memory.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from launchpath.hip._arrays.arrays import channels_of, described
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.values import struct_of

_ARRAY, _LINEAR, _ROWS = (
    int(types.hipResourceType.hipResourceTypeArray),
    int(types.hipResourceType.hipResourceTypeLinear),
    int(types.hipResourceType.hipResourceTypePitch2D),
)
_MIPMAPPED = int(types.hipResourceType.hipResourceTypeMipmappedArray)


class _Channels(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in "xyzwf"]


class _RuntimeLinear(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("desc", _Channels), ("size", ctypes.c_size_t)]


class _RuntimeRows(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("desc", _Channels), ("width", ctypes.c_size_t), ("height", ctypes.c_size_t),
        ("pitch", ctypes.c_size_t),
    ]  # fmt: skip


class _RuntimeOf(ctypes.Union):
    _fields_ = [("array", ctypes.c_void_p), ("linear", _RuntimeLinear), ("rows", _RuntimeRows)]


class _RuntimeResource(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("union", _RuntimeOf)]


class _RuntimeTexture(ctypes.Structure):
    _fields_ = [
        ("address", ctypes.c_int * 3), ("filter", ctypes.c_int), ("read", ctypes.c_int), ("srgb", ctypes.c_int),
        ("border", ctypes.c_float * 4), ("normalized", ctypes.c_int), ("rest", ctypes.c_uint * 5),
    ]  # fmt: skip


class _ModuleLinear(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("format", ctypes.c_int), ("channels", ctypes.c_uint), ("size", ctypes.c_size_t),
    ]  # fmt: skip


class _ModuleRows(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("format", ctypes.c_int), ("channels", ctypes.c_uint), ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t), ("pitch", ctypes.c_size_t),
    ]  # fmt: skip


class _ModuleOf(ctypes.Union):
    _fields_ = [
        ("array", ctypes.c_void_p), ("linear", _ModuleLinear), ("rows", _ModuleRows), ("reserved", ctypes.c_int * 32),
    ]  # fmt: skip


class _ModuleResource(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("union", _ModuleOf), ("flags", ctypes.c_uint)]


class _ModuleTexture(ctypes.Structure):
    _fields_ = [
        ("address", ctypes.c_int * 3), ("filter", ctypes.c_int), ("flags", ctypes.c_uint), ("rest", ctypes.c_uint * 5),
        ("border", ctypes.c_float * 4), ("reserved", ctypes.c_int * 12),
    ]  # fmt: skip


_AS_INTEGER, _NORMALIZED, _SRGB = (
    types.HIP_TRSF_READ_AS_INTEGER, types.HIP_TRSF_NORMALIZED_COORDINATES, types.HIP_TRSF_SRGB,
)  # fmt: skip


@dataclass(frozen=True)
class Resource:
    """What a texture object reads: an array by its handle, or memory by its address."""

    type: int  # by hipResourceType
    place: int  # the handle, or the address
    channels: int = 0
    format: Any = None
    # elements, rows and bytes from row to row, of rows in memory
    width: int = 0
    height: int = 0
    pitch: int = 0
    size: int = 0  # bytes of memory that is read by the elements' index

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return self.type == _ARRAY

    @property
    def is_linear(self) -> bool:
        """Whether it is memory that is read by the elements' index."""
        return self.type == _LINEAR


@dataclass(frozen=True)
class Reads:
    """How a texture object is read."""

    address: tuple[int, int, int]  # by hipTextureAddressMode, along x, y and z
    filter: int
    as_floats: bool  # integers are read as floats from 0 or -1 to 1
    normalized: bool
    srgb: bool
    border: tuple[float, ...]
    rest: tuple[int, ...]  # what says how levels of detail are read: there is one. Kept as it is


def _read(kind: Any, layout: Any, value: Any) -> Any:
    struct = struct_of(kind, value)
    return layout.from_buffer_copy(ctypes.string_at(address(struct), ctypes.sizeof(layout)))


def _new(kind: Any, layout: Any, struct: Any) -> Any:
    """Return a struct of HIP's with the bytes of ours."""
    result = kind()
    ctypes.memmove(address(result), ctypes.addressof(struct), ctypes.sizeof(layout))
    return result


def _refused_type(number: int) -> HipError:
    if number == _MIPMAPPED:
        return HipError(Error.hipErrorNotSupported, "expected an array or memory, got a mipmapped array")
    return HipError(Error.hipErrorInvalidValue, f"expected a type of hipResourceType, got {number}")


def _format(number: int) -> Any:
    try:
        return types.hipArray_Format(number)
    except ValueError:
        raise HipError(Error.hipErrorInvalidValue, f"expected a format of hipArray_Format, got {number}") from None


# -- of the runtime


def resource(value: Any) -> Resource:
    """Read a hipResourceDesc."""
    struct = _read(types.hipResourceDesc, _RuntimeResource, value)
    if struct.type == _ARRAY:
        return Resource(_ARRAY, struct.union.array or 0)
    if struct.type == _LINEAR:
        linear = struct.union.linear
        return Resource(_LINEAR, linear.data or 0, *_described(linear.desc), size=linear.size)
    if struct.type == _ROWS:
        rows = struct.union.rows
        return Resource(_ROWS, rows.data or 0, *_described(rows.desc), rows.width, rows.height, rows.pitch)
    raise _refused_type(struct.type)


def _described(desc: _Channels) -> tuple[int, Any]:
    channels = types.hipChannelFormatDesc()
    ctypes.memmove(address(channels), ctypes.addressof(desc), ctypes.sizeof(desc))
    return described(channels)


def reads(value: Any) -> Reads:
    """Read a hipTextureDesc."""
    struct = _read(types.hipTextureDesc, _RuntimeTexture, value)
    as_floats = struct.read == int(types.hipTextureReadMode.hipReadModeNormalizedFloat)
    if struct.read not in (0, 1):
        raise HipError(Error.hipErrorInvalidValue, f"expected a mode of hipTextureReadMode, got {struct.read}")
    x, y, z = struct.address
    return Reads(
        (x, y, z),
        struct.filter,
        as_floats,
        bool(struct.normalized),
        bool(struct.srgb),
        tuple(struct.border),
        tuple(struct.rest),
    )


def resource_struct(resource: Resource) -> Any:
    """Write a hipResourceDesc."""
    struct = _RuntimeResource(resource.type)
    if resource.is_array:
        struct.union.array = resource.place
        return _new(types.hipResourceDesc, _RuntimeResource, struct)
    desc = _Channels.from_address(address(channels := channels_of(resource.channels, resource.format)))
    if resource.is_linear:
        struct.union.linear = _RuntimeLinear(resource.place, desc, resource.size)
    else:
        struct.union.rows = _RuntimeRows(resource.place, desc, resource.width, resource.height, resource.pitch)
    del channels  # `desc` is its memory
    return _new(types.hipResourceDesc, _RuntimeResource, struct)


def reads_struct(reads: Reads) -> Any:
    """Write a hipTextureDesc."""
    struct = _RuntimeTexture(
        reads.address, reads.filter, reads.as_floats, reads.srgb, reads.border, reads.normalized, reads.rest
    )
    return _new(types.hipTextureDesc, _RuntimeTexture, struct)


# -- of the module API


def module_resource(value: Any) -> Resource:
    """Read a HIP_RESOURCE_DESC."""
    struct = _read(types.HIP_RESOURCE_DESC, _ModuleResource, value)
    if struct.flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {struct.flags:#x}")
    if struct.type == _ARRAY:
        return Resource(_ARRAY, struct.union.array or 0)
    if struct.type == _LINEAR:
        linear = struct.union.linear
        return Resource(_LINEAR, linear.data or 0, linear.channels, _format(linear.format), size=linear.size)
    if struct.type == _ROWS:
        rows = struct.union.rows
        format = _format(rows.format)
        return Resource(_ROWS, rows.data or 0, rows.channels, format, rows.width, rows.height, rows.pitch)
    raise _refused_type(struct.type)


def module_reads(value: Any) -> Reads:
    """Read a HIP_TEXTURE_DESC."""
    struct = _read(types.HIP_TEXTURE_DESC, _ModuleTexture, value)
    if struct.flags & ~(_AS_INTEGER | _NORMALIZED | _SRGB):
        raise HipError(Error.hipErrorInvalidValue, f"expected flags HIP_TRSF_..., got {struct.flags:#x}")
    x, y, z = struct.address
    return Reads(
        (x, y, z), struct.filter, not struct.flags & _AS_INTEGER, bool(struct.flags & _NORMALIZED),
        bool(struct.flags & _SRGB), tuple(struct.border), tuple(struct.rest),
    )  # fmt: skip


def module_resource_struct(resource: Resource) -> Any:
    """Write a HIP_RESOURCE_DESC."""
    struct = _ModuleResource(resource.type)
    if resource.is_array:
        struct.union.array = resource.place
    elif resource.is_linear:
        struct.union.linear = _ModuleLinear(resource.place, int(resource.format), resource.channels, resource.size)
    else:
        struct.union.rows = _ModuleRows(
            resource.place, int(resource.format), resource.channels, resource.width, resource.height, resource.pitch
        )
    return _new(types.HIP_RESOURCE_DESC, _ModuleResource, struct)


def module_reads_struct(reads: Reads) -> Any:
    """Write a HIP_TEXTURE_DESC."""
    flags = _AS_INTEGER * (not reads.as_floats) | _NORMALIZED * reads.normalized | _SRGB * reads.srgb
    return _new(
        types.HIP_TEXTURE_DESC,
        _ModuleTexture,
        _ModuleTexture(reads.address, reads.filter, flags, reads.rest, reads.border),
    )
