"""Devices and their properties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from launchpath._streams.device import Device
from launchpath.hip._devices.current import all_devices, choose, current, device_at, number_of
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.fields import write_ints, write_text

_NANOSECONDS = 1_000_000  # in a millisecond: what the CPU runtimes' clock counts


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
    return _capability(device_at(device))


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


def _capability(device: Device) -> tuple[int, int]:
    major, minor = device.info.get("compute_capability", (0, 0))
    return int(major), int(minor)


def _clock_rate(info: Mapping[str, Any]) -> int:
    """Return what kernels' `wall_clock64` counts in a millisecond; 0 where there is none."""
    if info["driver"] == "cuda":
        return _NANOSECONDS  # %globaltimer
    has_clock = "cl_khr_kernel_clock" in info.get("extensions", ()) and info["kind"] == "cpu"
    return _NANOSECONDS if has_clock else 0


def _numbers(device: Device) -> dict[str, int]:
    """Return what is known of a device, by the names of HIP's properties."""
    info, (major, minor) = device.info, _capability(device)
    units = int(info["compute_units"])
    threads = int(info["max_threads_per_block"])
    numbers = {
        "totalGlobalMem": int(info["total_memory"]),
        "sharedMemPerBlock": int(info["shared_memory_per_block"]),
        "sharedMemPerMultiprocessor": int(info["shared_memory_per_block"]),
        "warpSize": int(info.get("warp_size", 32)),
        "maxThreadsPerBlock": threads,
        "maxThreadsPerMultiProcessor": int(info.get("max_threads_per_compute_unit", threads)),
        "multiProcessorCount": units,
        "major": major,
        "minor": minor,
        "concurrentKernels": 1,
        "canMapHostMemory": 1,
        "unifiedAddressing": 1,
        "integrated": int(info["kind"] == "cpu"),
        "managedMemory": int(bool(info.get("managed_memory"))),
        "concurrentManagedAccess": int(bool(info.get("concurrent_managed_access"))),
        "cooperativeLaunch": int(bool(info.get("cooperative"))),
        "streamPrioritiesSupported": int(device.priorities[0] != device.priorities[1]),
        "clockRate": int(info.get("clock_rate", 0)) or _clock_rate(info),
        "wallClockRate": _clock_rate(info),
        "canUseStreamWaitValue": 1,
        "hostNativeAtomicSupported": int(bool(info.get("host_accessible"))),
        "l2CacheSize": int(info.get("l2_cache", 0)),
        "memoryPoolsSupported": 1,
    }
    for axis, block, grid in zip("XYZ", info["max_block"], info["max_grid"], strict=True):
        numbers[f"maxThreadsDim{axis}"], numbers[f"maxGridSize{axis}"] = int(block), min(int(grid), 2**31 - 1)
    return numbers


@function(1)
def hipGetDeviceProperties(*arguments: Any) -> Any:
    """Return a device's properties: ``(deviceId)``, or ``(properties, deviceId)`` to have them written there.

    What launchpath does not know of a device is 0.
    """
    *structs, number = arguments
    device = device_at(number)
    properties = structs[0] if structs else types.hipDeviceProp_t()
    numbers = _numbers(device)
    for name, value in numbers.items():
        if name in properties.PROPERTIES():
            setattr(properties, name, value)
    write_text(properties, "name", device.name, 256)
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
    "maxSharedMemoryPerMultiprocessor": "sharedMemPerMultiprocessor",
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
    value = _numbers(device).get(_ATTRIBUTES.get(name, name), 0)
    return min(value, 2**31 - 1)
