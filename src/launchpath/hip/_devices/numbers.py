"""What HIP's properties and attributes say of a device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from launchpath._streams.device import Device

_NANOSECONDS = 1_000_000  # in a millisecond: what the CPU runtimes' clock counts
# What kernels do on all devices, as the macros __HIP_ARCH_HAS_... say it too.
ARCHITECTURE = {
    "hasGlobalInt32Atomics": True, "hasGlobalFloatAtomicExch": True, "hasSharedInt32Atomics": True,
    "hasSharedFloatAtomicExch": True, "hasFloatAtomicAdd": True, "hasGlobalInt64Atomics": True,
    "hasSharedInt64Atomics": True, "hasDoubles": True, "hasWarpVote": True, "hasWarpBallot": True,
    "hasWarpShuffle": True, "hasFunnelShift": True, "hasThreadFenceSystem": True, "hasSyncThreadsExt": True,
    "hasSurfaceFuncs": True, "has3dGrid": True, "hasDynamicParallelism": False,
}  # fmt: skip


def capability(device: Device) -> tuple[int, int]:
    major, minor = device.info.get("compute_capability", (0, 0))
    return int(major), int(minor)


def _clock_rate(info: Mapping[str, Any]) -> int:
    """Return what kernels' `wall_clock64` counts in a millisecond, and on a CPU `clock64`; 0 where there is none."""
    if info["driver"] == "cuda":
        return _NANOSECONDS  # %globaltimer
    has_clock = "cl_khr_kernel_clock" in info.get("extensions", ()) and info["kind"] == "cpu"
    return _NANOSECONDS if has_clock else 0


def numbers_of(device: Device) -> dict[str, int]:
    """Return what is known of a device, by the names of HIP's properties."""
    info, (major, minor) = device.info, capability(device)
    units = int(info["compute_units"])
    threads = int(info["max_threads_per_block"])
    numbers = {
        "totalGlobalMem": int(info["total_memory"]),
        "sharedMemPerBlock": int(info["shared_memory_per_block"]),
        "sharedMemPerMultiprocessor": int(info["shared_memory_per_block"]),
        "maxSharedMemoryPerMultiProcessor": int(info["shared_memory_per_block"]),
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
        "clockRate": (info["kind"] == "cpu" and _clock_rate(info)) or int(info.get("clock_rate", 0)),
        "wallClockRate": _clock_rate(info),
        "canUseStreamWaitValue": 1,
        "hostNativeAtomicSupported": int(bool(info.get("host_accessible"))),
        "l2CacheSize": int(info.get("l2_cache", 0)),
        "memoryPoolsSupported": 1,
    }
    for axis, block, grid in zip("XYZ", info["max_block"], info["max_grid"], strict=True):
        numbers[f"maxThreadsDim{axis}"], numbers[f"maxGridSize{axis}"] = int(block), min(int(grid), 2**31 - 1)
    return numbers
