"""Devices and their properties."""

from __future__ import annotations

from launchpath._streams.device import Device
from launchpath.hip._devices.current import all_devices, choose, current, device_at, number_of
from launchpath.hip._devices.numbers import capability
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function


@function()
def hipInit(flags: int) -> None:
    """Do nothing but check the flags: launchpath begins by itself."""
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")


@function(1)
def hipGetDeviceCount() -> int:
    """Count the devices."""
    return len(all_devices())


@function(1)
def hipGetDevice() -> int:
    """Return the number of this thread's device."""
    return number_of(current())


@function()
def hipSetDevice(deviceId: int) -> None:
    """Use a device on this thread from now on."""
    choose(device_at(deviceId))


@function(1)
def hipDeviceGet(ordinal: int) -> int:
    """Return a device by its number, which is the same."""
    device_at(ordinal)
    return int(ordinal)


@function()
def hipDeviceSynchronize() -> None:
    """Wait for all work of this thread's device."""
    current().synchronize()


@function(1)
def hipDeviceGetName(len: int, device: int) -> bytes:
    """Return a device's name, of at most so many bytes."""
    if len <= 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected the size of a buffer, got {len}")
    return device_at(device).name.encode()[: len - 1]


@function(1)
def hipDeviceTotalMem(device: int) -> int:
    """Return the bytes of a device's memory."""
    return int(device_at(device).memory_info()["total"])


@function(2)
def hipDeviceComputeCapability(device: int) -> tuple[int, int]:
    """Return the major and the minor version of what a device can do; 0 where its driver does not say."""
    return capability(device_at(device))


@function(2)
def hipDeviceGetStreamPriorityRange() -> tuple[int, int]:
    """Return the least and the greatest priority of streams."""
    least, greatest = current().priorities
    return least, greatest


@function(1)
def hipDeviceCanAccessPeer(deviceId: int, peerDeviceId: int) -> int:
    """Tell whether kernels of a device may use another one's memory."""
    device, peer = device_at(deviceId), device_at(peerDeviceId)
    return int(device is not peer and device.can_access_peer(peer))


@function()
def hipDeviceEnablePeerAccess(peerDeviceId: int, flags: int) -> None:
    """Let kernels of this thread's device use another one's memory."""
    enable_peer(device_at(peerDeviceId), flags)


def enable_peer(peer: Device, flags: int) -> None:
    """Let kernels of this thread's device use another one's memory."""
    device = current()
    if flags or device is peer:
        raise HipError(Error.hipErrorInvalidDevice if device is peer else Error.hipErrorInvalidValue)
    if not device.can_access_peer(peer):
        raise HipError(Error.hipErrorInvalidDevice, f"{device.name!r} cannot access the memory of {peer.name!r}")
    if (device, peer) in _peers:
        raise HipError(Error.hipErrorPeerAccessAlreadyEnabled)
    device.enable_peer(peer)
    _peers.add((device, peer))


_peers: set[tuple[Device, Device]] = set()


@function()
def hipDeviceDisablePeerAccess(peerDeviceId: int) -> None:
    """Let kernels of this thread's device no longer use another one's memory."""
    disable_peer(device_at(peerDeviceId))


def disable_peer(peer: Device) -> None:
    """Let kernels of this thread's device no longer use another one's memory. The driver is not told."""
    if (current(), peer) not in _peers:
        raise HipError(Error.hipErrorPeerAccessNotEnabled)
    _peers.discard((current(), peer))


@on_reset
def _forget(device: Device) -> None:
    _peers.difference_update([pair for pair in _peers if pair[0] is device])


@function(1)
def hipDriverGetVersion() -> int:
    """Return the version of HIP that the types are of."""
    return int(types.HIP_VERSION)


@function(1)
def hipRuntimeGetVersion() -> int:
    """Return the version of HIP that the types are of."""
    return int(types.HIP_VERSION)
