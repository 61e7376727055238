"""Resetting a device: everything that HIP's functions created on it is destroyed."""

from __future__ import annotations

from collections.abc import Callable

from launchpath._streams.device import Device

_parts: list[Callable[[Device], None]] = []


def on_reset(forget: Callable[[Device], None]) -> Callable[[Device], None]:
    """Call a function, which frees what there is of its kind, when a device is reset."""
    _parts.append(forget)
    return forget


def reset(device: Device) -> None:
    """Wait for a device, and free what HIP's functions created on it."""
    device.synchronize()
    for forget in _parts:
        forget(device)
