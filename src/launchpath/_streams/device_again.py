"""Devices in pickles: described by their properties, by which another process finds its own device."""

from __future__ import annotations

import copyreg
from typing import Any

from launchpath._streams.device import Device, devices
from launchpath.errors import NoDeviceError

_KEYS = ("driver", "platform", "name")


def reduced(device: Device) -> tuple[Any, ...]:
    """Give what a pickle has of a device.

    Raises
    ------
    TypeError
        Another process has no such device.
    """
    alike = [other for other in devices() if _facts(other) == _facts(device)]
    places = [place for place, other in enumerate(alike) if other is device]
    if not places:
        raise TypeError(
            f"{device.name!r} cannot be pickled: it is not in launchpath.devices(), as simulated devices are not"
        )
    return again, (_facts(device), places[0], device.info.get("pci_bus"))


def again(facts: tuple[str, ...], place: int, pci_bus: str | None) -> Device:
    """Find a device: the one on the same PCI bus, else the one in the same place among its equals.

    Raises
    ------
    NoDeviceError
        This process has no such device.
    """
    alike = [device for device in devices() if _facts(device) == facts]
    for device in alike:
        if pci_bus and device.info.get("pci_bus") == pci_bus:
            return device
    if place < len(alike):
        return alike[place]
    kind = ", ".join(facts)
    listed = "; ".join(", ".join(_facts(device)) for device in devices()) or "none"
    raise NoDeviceError(
        f"the pickle is for device {place + 1} of the kind {kind}; this process has {len(alike)} of them. "
        f"Its devices: {listed}"
    )


def _facts(device: Device) -> tuple[str, ...]:
    return tuple(str(device.info.get(key, "")) for key in _KEYS)


copyreg.pickle(Device, reduced)  # not a method: `device` is imported here
