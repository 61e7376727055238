"""The devices by their numbers, and the one that a thread has chosen."""

from __future__ import annotations

import threading
from collections.abc import Callable

from launchpath._streams.device import Device, default_device, devices
from launchpath.hip._types.bindings import Error
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.kept import launch


class _Thread(threading.local):
    device: Device | None = None


_thread = _Thread()
_choices: list[Callable[[Device | None], None]] = []  # called with the device that a thread has chosen
_lock = threading.Lock()
_order: list[Device] = []
_firsts: list[Callable[[Device], None]] = []  # called with device 0


def all_devices() -> list[Device]:
    """Return the devices as HIP numbers them: launchpath's default device is 0, the others follow in their order."""
    with _lock:
        if not _order:
            first = default_device()
            _order.extend([first, *(device for device in devices() if device is not first)])
            for call in _firsts:
                call(first)
        return _order


def on_first(call: Callable[[Device], None]) -> None:
    """Call a function with device 0, as soon as that is known."""
    with _lock:
        _firsts.append(call)
        if _order:
            call(_order[0])


def device_at(number: int) -> Device:
    """Return a device by its number."""
    devices = all_devices()
    if not 0 <= int(number) < len(devices):
        raise HipError(Error.hipErrorInvalidDevice, f"expected a device from 0 to {len(devices) - 1}, got {number}")
    return devices[int(number)]


def number_of(device: Device) -> int:
    """Return a device's number."""
    return all_devices().index(device)


def current() -> Device:
    """Return the device of this thread."""
    return _thread.device or all_devices()[0]


def choose(device: Device | None) -> None:
    """Use a device on this thread from now on; None: as if it had never chosen one."""
    global _one_device  # noqa: PLW0603 (of the process)
    _thread.device = device
    if _one_device and device is not None and device is not all_devices()[0]:
        _one_device = False
        launch.forget()
    for call in _choices:
        call(device)


def on_choice(call: Callable[[Device | None], None]) -> None:
    """Call a function with the device that a thread chooses, on that thread."""
    _choices.append(call)


_one_device = True


def one_device() -> bool:
    """Whether no thread has ever chosen another device than the first."""
    return _one_device
