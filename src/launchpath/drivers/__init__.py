"""Drivers: finding the devices of each."""

from __future__ import annotations

from typing import Any

from launchpath.errors import LibraryError


def find() -> tuple[list[Any], list[tuple[str, str]]]:
    """Devices of every driver, GPUs first, and what was left out: (what, why)."""
    from launchpath.drivers import opencl  # noqa: PLC0415 (loads the library)

    try:
        devices, skipped = opencl.devices()
    except LibraryError as error:
        return [], [("OpenCL", str(error))]
    return sorted(devices, key=lambda device: device.info["kind"] != "gpu"), list(skipped)
