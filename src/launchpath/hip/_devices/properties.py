"""A device's properties and attributes."""

from __future__ import annotations

import ctypes
from typing import Any

from launchpath.hip._devices.current import device_at
from launchpath.hip._devices.identity import uuid_of
from launchpath.hip._devices.numbers import ARCHITECTURE, numbers_of
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.fields import write_ints, write_text


@function(1)
def hipGetDeviceProperties(*arguments: Any) -> Any:
    """Return a device's properties: ``(deviceId)``, or ``(properties, deviceId)`` to have them written there.

    What launchpath does not know of a device is 0.
    """
    *structs, number = arguments
    device = device_at(number)
    properties = structs[0] if structs else types.hipDeviceProp_t()
    numbers = numbers_of(device)
    for name, value in numbers.items():
        if name in properties.PROPERTIES():
            setattr(properties, name, value)
    write_text(properties, "name", device.name, 256)
    ctypes.memmove(int(properties.uuid), uuid_of(device), 16)
    for name, has in ARCHITECTURE.items():
        setattr(properties.arch, name, int(has))
    write_text(properties, "gcnArchName", str(device.info.get("architecture", device.info["kind"])), 256)
    write_ints(properties, "maxThreadsDim", tuple(numbers[f"maxThreadsDim{axis}"] for axis in "XYZ"))
    write_ints(properties, "maxGridSize", tuple(numbers[f"maxGridSize{axis}"] for axis in "XYZ"))
    return properties


# Attributes that have another name than the property.
_ATTRIBUTES = {
    "maxBlockDimX": "maxThreadsDimX",
    "maxBlockDimY": "maxThreadsDimY",
    "maxBlockDimZ": "maxThreadsDimZ",
    "maxGridDimX": "maxGridSizeX",
    "maxGridDimY": "maxGridSizeY",
    "maxGridDimZ": "maxGridSizeZ",
    "maxSharedMemoryPerBlock": "sharedMemPerBlock",
    "maxSharedMemoryPerMultiprocessor": "maxSharedMemoryPerMultiProcessor",
    "multiprocessorCount": "multiProcessorCount",
    "computeCapabilityMajor": "major",
    "computeCapabilityMinor": "minor",
}


@function(1)
def hipDeviceGetAttribute(attr: Any, deviceId: int) -> int:
    """Return an attribute of a device; 0 for what it cannot do, and for what launchpath does not know."""
    device = device_at(deviceId)
    try:
        name = types.hipDeviceAttribute_t(int(attr)).name.removeprefix("hipDeviceAttribute")
    except ValueError:
        raise HipError(Error.hipErrorInvalidValue, f"expected a hipDeviceAttribute_t, got {attr!r}") from None
    name = name[:1].lower() + name[1:]
    value = numbers_of(device).get(_ATTRIBUTES.get(name, name), 0)
    return min(value, 2**31 - 1)
