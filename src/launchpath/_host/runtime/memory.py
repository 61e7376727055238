"""Algorithms of a program's host code on a device's memory: thrust's and CUB's. They wait for its work."""

from __future__ import annotations

import ctypes
import sys

from launchpath import hip
from launchpath.hip._devices.current import current

_NOT_SUPPORTED = 801
# The calls of the process, whether only those give a device work, and whether algorithms wait: _host/start/memory.c.
_work = (ctypes.c_uint64 * 3)(0, 0, 0)
_told: list[str] = []


def only_program() -> None:
    """Note that this process runs a program: no Python code gives a device work."""
    _work[1] = 1


def write_work(address: int) -> int:
    """Write where the counters of the process are."""
    place = ctypes.c_uint64.from_address(address).value
    ctypes.c_uint64.from_address(place).value = ctypes.addressof(_work)
    return 0


def wait(_address: int) -> int:
    """Wait for the work of this thread's device, whose memory host code is about to use.

    Returns
    -------
    int
        HIP's code: 801, with the reason on stderr, where the device's memory is not the host's.
    """
    device = current()
    if device.info["kind"] == "cpu":
        return int(hip.hipDeviceSynchronize()[0])
    if device.name not in _told:
        _told.append(device.name)
        sys.stderr.write(
            f"launchpath: thrust and CUB run on the host here: expected a CPU device, whose memory is the host's, got "
            f"{device.name}: choose a CPU, for example with launchpath run --device intel\n"
        )
    return _NOT_SUPPORTED
