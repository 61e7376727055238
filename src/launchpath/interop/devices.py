"""Devices of CUDA and HIP by the numbers of their libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from launchpath._streams.device import current_device, devices
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_DRIVERS = ("cuda", "hip")


def gpu(device: Device | None, ordinal: int | None = None, driver: str | None = None) -> Device:
    """Give the CUDA or HIP device where a kernel is: the one given, that of a number, or the current one.

    Raises
    ------
    ArgumentValueError
        It is another kind of device, or there is none such.
    """
    names = _DRIVERS if driver is None else (driver,)
    chosen = current_device() if device is None else device
    if chosen.info["driver"] in names and (device is not None or ordinal in (None, chosen.info["ordinal"])):
        return chosen
    if device is None and (numbered_device := numbered(ordinal, names)) is not None:
        return numbered_device
    drivers = " or ".join("CUDA" if name == "cuda" else "HIP" for name in names)
    where = f"is for {drivers}" if ordinal is None else f"is on {drivers} device {ordinal}"
    raise ArgumentValueError(f"the kernel {where}; {chosen.name!r} is a device of {chosen.info['platform']}")


def numbered(ordinal: int | None, drivers: tuple[str, ...]) -> Device | None:
    """Find the device that a driver's library gives a number, or its first; None if there is none such."""
    for device in devices():
        if device.info["driver"] in drivers and ordinal in (None, device.info["ordinal"]):
            return device
    return None
