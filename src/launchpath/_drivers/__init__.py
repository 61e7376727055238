"""Drivers: find the devices of each driver."""

from __future__ import annotations

from typing import Any

from launchpath.errors import LibraryError


def find() -> tuple[list[Any], list[tuple[str, str]]]:
    """Devices of every driver, GPUs first, and each by its own library first; what was left out: (what, why)."""
    from launchpath._drivers import gpu, opencl  # noqa: PLC0415 (they load libraries)

    all_devices: list[Any] = []
    skipped: list[tuple[str, str]] = []
    for driver in ("cuda", "hip"):
        devices, left_out = gpu.devices(driver)
        all_devices += devices
        skipped += left_out
    try:
        devices, left_out = opencl.devices()
        all_devices += devices
        skipped += left_out
    except LibraryError as error:
        skipped.append(("OpenCL", str(error)))
    return sorted(all_devices, key=lambda device: device.info["kind"] != "gpu"), skipped
