"""Flags, limits and hints of devices."""

from __future__ import annotations

from typing import Any

from launchpath._streams.device import Device
from launchpath.hip._devices.current import current
from launchpath.hip._devices.reset import reset
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function

BANKS = types.hipSharedMemConfig.hipSharedMemBankSizeFourByte
_SCHEDULES = (
    types.hipDeviceScheduleAuto,
    types.hipDeviceScheduleSpin,
    types.hipDeviceScheduleYield,
    types.hipDeviceScheduleBlockingSync,
)
_flags: dict[Device, int] = {}


def check(kind: Any, value: Any) -> Any:
    """Return a value as one of an enum."""
    try:
        return kind(int(value))
    except (ValueError, TypeError):
        raise HipError(Error.hipErrorInvalidValue, f"expected a {kind.__name__}, got {value!r}") from None


def check_flags(flags: int) -> int:
    """Return flags of a device if HIP has them."""
    rest = flags & ~(types.hipDeviceMapHost | types.hipDeviceLmemResizeToMax)
    if rest not in _SCHEDULES:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags hipDeviceSchedule..., got {flags:#x}")
    return flags


def flags_of(device: Device) -> int:
    """Return a device's flags."""
    return _flags.get(device, int(types.hipDeviceScheduleAuto))


def set_flags(device: Device, flags: int) -> None:
    """Set a device's flags."""
    _flags[device] = flags


@function()
def hipSetDeviceFlags(flags: int) -> None:
    """Set the flags of this thread's device. They do not change how launchpath waits."""
    set_flags(current(), check_flags(flags))


@function(1)
def hipGetDeviceFlags() -> int:
    """Return the flags of this thread's device."""
    return flags_of(current())


def _refuse(limit: Any) -> HipError:
    return HipError(Error.hipErrorUnsupportedLimit, f"launchpath has no {check(types.hipLimit_t, limit).name}")


@function(1)
def hipDeviceGetLimit(limit: Any) -> int:
    """Refuse: launchpath has none of HIP's limits."""
    raise _refuse(limit)


@function()
def hipDeviceSetLimit(limit: Any, value: int) -> None:
    """Refuse: launchpath has none of HIP's limits."""
    raise _refuse(limit)


@function(1)
def hipDeviceGetCacheConfig() -> Any:
    """Return that no cache is preferred: the hint is ignored."""
    return types.hipFuncCache_t.hipFuncCachePreferNone


@function()
def hipDeviceSetCacheConfig(cacheConfig: Any) -> None:
    """Check a hint, and ignore it, as AMD's devices do."""
    check(types.hipFuncCache_t, cacheConfig)


@function(1)
def hipDeviceGetSharedMemConfig() -> Any:
    """Return the width of the banks of shared memory."""
    return BANKS


@function()
def hipDeviceSetSharedMemConfig(config: Any) -> None:
    """Check a hint, and ignore it, as AMD's devices do."""
    check(types.hipSharedMemConfig, config)


@function()
def hipDeviceReset() -> None:
    """Free what HIP's functions created on this thread's device, when it is idle."""
    reset(current())


@function()
def hipProfilerStart() -> None:
    """Refuse, as HIP's documentation says."""
    raise HipError(Error.hipErrorNotSupported, "expected launchpath.trace() instead")


@function()
def hipProfilerStop() -> None:
    """Refuse, as HIP's documentation says."""
    raise HipError(Error.hipErrorNotSupported, "expected launchpath.trace() instead")
