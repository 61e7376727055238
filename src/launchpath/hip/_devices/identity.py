"""Which device is which: addresses on the bus, UUIDs, and the device that fits best."""

from __future__ import annotations

import ctypes
import re
import uuid
from typing import Any

from launchpath._streams.device import Device
from launchpath.hip._devices.current import all_devices, device_at, number_of
from launchpath.hip._devices.limits import check
from launchpath.hip._devices.numbers import numbers_of
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import struct_of

_BUS = re.compile(r"(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\.([0-7]))?", re.IGNORECASE | re.ASCII)


def _place(text: str) -> tuple[int, ...] | None:
    match = _BUS.fullmatch(text.strip().rstrip("\0"))
    return tuple(int(part or "0", 16) for part in match.groups()) if match else None


@function(1)
def hipDeviceGetPCIBusId(len: int, device: int) -> bytes:
    """Return where a device is on the PCI bus, of at most so many bytes."""
    subject = device_at(device)
    bus = subject.info.get("pci_bus")
    if not bus:
        raise HipError(Error.hipErrorNotSupported, f"the driver of {subject.name!r} does not report a place on the bus")
    if len <= 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected the size of a buffer, got {len}")
    return str(bus).encode()[: len - 1]


@function(1)
def hipDeviceGetByPCIBusId(pciBusId: Any) -> int:
    """Return the device at a place on the PCI bus, as in ``0000:c1:00.0``."""
    text = pciBusId.decode() if isinstance(pciBusId, (bytes, bytearray)) else str(pciBusId)
    place = _place(text)
    if place is None:
        raise HipError(Error.hipErrorInvalidValue, f"expected domain:bus:device.function, got {text!r}")
    for device in all_devices():
        if place == _place(str(device.info.get("pci_bus", ""))):
            return number_of(device)
    raise HipError(Error.hipErrorInvalidDevice, f"no device at {text}")


def uuid_of(device: Device) -> bytes:
    """Return 16 bytes that stay the same for a device: of its driver, name, and place among devices of that name."""
    info = device.info
    same = [other for other in all_devices() if other.name == device.name and other.info["driver"] == info["driver"]]
    same.sort(key=lambda other: (str(other.info.get("pci_bus", "")), other.info.get("ordinal", 0)))
    words = (info["driver"], info["platform"], device.name, str(same.index(device)))
    return uuid.uuid5(uuid.NAMESPACE_OID, "launchpath\0" + "\0".join(words)).bytes


@function(1)
def hipDeviceGetUuid(device: int) -> Any:
    """Return a UUID of a device. It is launchpath's own, not the driver's."""
    result = types.hipUUID_t()
    ctypes.memmove(int(result), uuid_of(device_at(device)), 16)
    return result


# What `hipChooseDevice` compares: at least so much is wanted.
_WANTED = (
    "totalGlobalMem", "sharedMemPerBlock", "warpSize", "maxThreadsPerBlock", "multiProcessorCount", "clockRate",
    "major", "minor", "l2CacheSize", "cooperativeLaunch", "managedMemory", "integrated",
)  # fmt: skip


@function(1)
def hipChooseDevice(prop: Any) -> int:
    """Return the device that has most of the properties that are not 0; the first of them."""
    prop = struct_of(types.hipDeviceProp_t, prop)
    required = {name: getattr(prop, name) for name in _WANTED if getattr(prop, name)}

    def fits(device: Device) -> int:
        numbers = numbers_of(device)
        return sum(numbers[name] >= value for name, value in required.items())

    return number_of(max(all_devices(), key=fits))


@function(1)
def hipDeviceGetP2PAttribute(attr: Any, srcDevice: int, dstDevice: int) -> int:
    """Return what two devices can do with each other's memory; 0 for what launchpath does not know."""
    device, peer = device_at(srcDevice), device_at(dstDevice)
    if device is peer:
        raise HipError(Error.hipErrorInvalidDevice, "expected two devices, got one twice")
    kinds = types.hipDeviceP2PAttr
    return int(check(kinds, attr) == kinds.hipDevP2PAttrAccessSupported and device.can_access_peer(peer))
