"""Drivers: find the devices of each driver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from launchpath._drivers.driver import Driver
from launchpath.errors import LibraryError

registered: list[Driver] = []  # besides those of this package


def drivers() -> list[Driver]:
    """Every driver, those of GPUs first."""
    from launchpath._drivers import gpu, opencl  # noqa: PLC0415 (only when a device is wanted)

    return [*gpu.DRIVERS, opencl.DRIVER, *registered]


def find() -> tuple[list[Any], list[tuple[str, str]]]:
    """Devices of every driver, GPUs first, and each by its own library first; what was left out: (what, why)."""
    all_devices: list[Any] = []
    skipped: list[tuple[str, str]] = []
    for driver in drivers():
        try:
            devices, left_out = driver.find()
        except LibraryError as error:
            skipped.append((driver.title, str(error)))
        else:
            all_devices += devices
            skipped += left_out
    return sorted(all_devices, key=lambda device: device.info["kind"] != "gpu"), skipped


def call_names() -> dict[str, Mapping[str, str]]:
    """What the libraries call the functions behind the entries of their drivers' tables, by ``traits["calls"]``."""
    return {key: names for driver in drivers() for key, names in driver.calls.items()}
