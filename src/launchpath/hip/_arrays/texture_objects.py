"""Texture objects: kernels read HIP's arrays, and memory, by them. They see what is written later, as HIP's do.

In software a texture is a descriptor in memory that has the elements' address. Texture units read elements by their
index, or rows, in memory too; arrays of three axes they read only in a layout of the vendor's, which HIP's arrays here
do not have.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._memory.array import Array
from launchpath._memory.texels import ADDRESS, FILTERS, READS, Reads, Texels, descriptor, reads
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._arrays import texture_descriptors as descriptors
from launchpath.hip._arrays.arrays import arrays, dtype_of
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._memory import allocations
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function

_MODES = {number: name for name, number in ADDRESS.items()}


class _Texture(_core.TextureBase):
    """A texture over memory that it does not own."""


@dataclass(frozen=True)
class _Object:
    """A texture object."""

    texture: _Texture
    resource: descriptors.Resource
    reads: descriptors.Reads
    device: Device


@dataclass(frozen=True)
class _Elements:
    """Elements in memory: where, and the bytes from row to row; 0: there are no rows."""

    device: Device
    place: int
    pitch: int
    texels: Texels

    @property
    def bytes(self) -> int:
        """From the first element to the end of the last."""
        return self.pitch * (self.texels.rows - 1) + self.texels.row


_lock = threading.Lock()
_objects: dict[int, _Object] = {}


def _elements(resource: descriptors.Resource) -> _Elements:
    """Find the elements, and refuse what is not all in memory of the device."""
    if resource.is_array:
        try:
            array = arrays.find(resource.place)
        except HipError as error:
            raise HipError(Error.hipErrorInvalidValue, str(error)) from None
        size = tuple(extent for extent in array.extent if extent)
        texels = Texels(size, 0, array.channels, dtype_of(array.format))
        return _Elements(array.device, array.memory, array.pitch, texels)
    channel = dtype_of(resource.format)
    element = resource.channels * channel.itemsize
    if resource.channels not in (1, 2, 4):
        raise HipError(Error.hipErrorInvalidValue, f"expected 1, 2 or 4 channels, got {resource.channels}")
    size = (resource.size // element,) if resource.is_linear else (resource.width, resource.height)
    if not 0 < min(size) <= max(size) < 1 << 31:
        raise HipError(Error.hipErrorInvalidValue, f"expected sizes from 1 up to 2^31 - 1 elements, got {size}")
    texels = Texels(size, 0, resource.channels, channel)
    if not resource.is_linear and not texels.row <= resource.pitch < 1 << 32:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected a pitch of {texels.row} bytes or more for the rows, got {resource.pitch}",
        )
    if resource.place % element or resource.pitch % element:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected an address and a pitch that are multiples of an element's {element} bytes, got "
            f"{resource.place:#x} and {resource.pitch}",
        )
    memory = allocations.need(resource.place, 1, "the texture's memory")
    if memory.of_host:
        raise HipError(Error.hipErrorInvalidValue, "expected memory of the device, got the host's")
    elements = _Elements(memory.device, resource.place, resource.pitch, texels)
    allocations.check(memory, resource.place, elements.bytes, "the texture's memory")
    return elements


def _how(struct: descriptors.Reads, elements: _Elements) -> Reads:
    """Check how the elements are to be read; see `texels.reads`."""
    unknown = [mode for mode in struct.address if mode not in _MODES]
    if unknown or not 0 <= struct.filter < len(FILTERS):
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected modes of hipTextureAddressMode and hipTextureFilterMode, got {struct.address} "
            f"and {struct.filter}",
        )
    if struct.srgb:
        raise HipError(Error.hipErrorNotSupported, "expected sRGB of 0, got 1: kernels convert what they read")
    texels = elements.texels
    modes = [_MODES[mode] for mode in struct.address[: len(texels.size)]]
    if any(struct.border) and "border" in modes:
        raise HipError(Error.hipErrorNotSupported, f"expected a border of zeros, got {struct.border}")
    if not struct.normalized:  # CUDA and HIP have no other mode for these than these two
        modes = ["border" if mode == "border" else "clamp" for mode in modes]
    by_index = not elements.pitch
    # Floats, and ints of 32 bits, are read as they are whatever the mode says.
    as_floats = struct.as_floats and texels.channel.kind != "f" and texels.bits < 32
    if by_index:
        if FILTERS[struct.filter] != "point":
            raise HipError(Error.hipErrorInvalidValue, "expected hipFilterModePoint for memory that is read by index")
        return Reads(("clamp",), "point", False, READS[as_floats], True)
    return reads(texels, modes, FILTERS[struct.filter], struct.normalized, READS[as_floats], False)


def _create(resource: descriptors.Resource, reads: descriptors.Reads, view: Any) -> Any:
    if address(view):
        raise HipError(Error.hipErrorNotSupported, "expected a null pointer for the view of the resource, got one")
    elements = _elements(resource)
    reading = _how(reads, elements)
    texture, device = _Texture(), elements.device
    if _core.reads_textures_in_software(device):
        _describe(texture, elements, reading)
    else:
        _by_driver(texture, elements, reading)
    number = texture.handle
    with _lock:
        _objects[number] = _Object(texture, resource, reads, device)
    return types.hipTextureObject_t(number)


def _describe(texture: _Texture, elements: _Elements, reading: Reads) -> None:
    bytes_ = descriptor(elements.texels, reading, elements.place, elements.pitch)
    memory = _bytes(elements.device, elements.device.pool.allocate(bytes_.nbytes), bytes_.nbytes)
    stream = Stream(blocking=False, device=elements.device)
    memory.copy_from(bytes_, stream)
    stream.synchronize()  # launches on any stream may read it from now on
    texture._in_software(elements.device, memory)


def _by_driver(texture: _Texture, elements: _Elements, reading: Reads) -> None:
    texels = elements.texels
    if len(texels.size) > 2:
        raise HipError(
            Error.hipErrorNotSupported,
            f"{elements.device.name!r} reads no array of three axes that is rows in memory: use launchpath.Texture",
        )
    held = _core.borrowed_memory(elements.place, elements.bytes, None)
    texture._by_driver(
        elements.device, _bytes(elements.device, held, elements.bytes), texels.size, 0, texels.channels, texels.bits,
        texels.kind, reading.modes, reading.filter == "linear", reading.normalized, reading.read == "normalized_float",
        elements.pitch,
    )  # fmt: skip


def _bytes(device: Device, memory: _core.Allocation, size: int) -> Array:
    return Array(memory, device, np.dtype("uint8"), _core.dtype_code("uint8"), (size,), 0, size)


def _find(handle: Any) -> _Object:
    with _lock:
        subject = _objects.get(address(handle))
    if subject is None:
        raise HipError(Error.hipErrorInvalidValue, f"expected a hipTextureObject_t, got {handle!r}, which names none")
    return subject


def _destroy(handle: Any) -> None:
    if address(handle):  # AMD's runtime takes the null handle, too
        _find(handle)
        with _lock:
            _objects.pop(address(handle), None)


@function(1)
def hipCreateTextureObject(pResDesc: Any, pTexDesc: Any, pResViewDesc: Any) -> Any:
    """Create a texture object over an array, or over memory."""
    return _create(descriptors.resource(pResDesc), descriptors.reads(pTexDesc), pResViewDesc)


@function(1)
def hipTexObjectCreate(pResDesc: Any, pTexDesc: Any, pResViewDesc: Any) -> Any:
    """Create a texture object over an array, or over memory."""
    return _create(descriptors.module_resource(pResDesc), descriptors.module_reads(pTexDesc), pResViewDesc)


@function()
def hipDestroyTextureObject(textureObject: Any) -> None:
    """Destroy a texture object; kernels that were launched may still read it."""
    _destroy(textureObject)


@function()
def hipTexObjectDestroy(texObject: Any) -> None:
    """Destroy a texture object; kernels that were launched may still read it."""
    _destroy(texObject)


@function(1)
def hipGetTextureObjectResourceDesc(textureObject: Any) -> Any:
    """Return what a texture object reads."""
    return descriptors.resource_struct(_find(textureObject).resource)


@function(1)
def hipTexObjectGetResourceDesc(texObject: Any) -> Any:
    """Return what a texture object reads."""
    return descriptors.module_resource_struct(_find(texObject).resource)


@function(1)
def hipGetTextureObjectTextureDesc(textureObject: Any) -> Any:
    """Return how a texture object is read."""
    return descriptors.reads_struct(_find(textureObject).reads)


@function(1)
def hipTexObjectGetTextureDesc(texObject: Any) -> Any:
    """Return how a texture object is read."""
    return descriptors.module_reads_struct(_find(texObject).reads)


@function(1)
def hipGetTextureObjectResourceViewDesc(textureObject: Any) -> Any:
    """Return the view of what a texture object reads: there is none, so it is all zeros."""
    _find(textureObject)
    return types.hipResourceViewDesc()


@function(1)
def hipTexObjectGetResourceViewDesc(texObject: Any) -> Any:
    """Return the view of what a texture object reads: there is none, so it is all zeros."""
    _find(texObject)
    return types.HIP_RESOURCE_VIEW_DESC()


@on_reset
def _forget(device: Device) -> None:
    with _lock:
        for number, subject in list(_objects.items()):
            if subject.device is device:
                del _objects[number]
