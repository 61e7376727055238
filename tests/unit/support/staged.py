"""A kernel that adds to an array, for wrappers of host arrays to be launched with."""

from typing import Any

import numpy as np

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.simulated import Machine

ADD = Signature(
    name="add",
    parameters=(
        Parameter("x", "const int *", "pointer", 8, 8, 0, "int32", True),
        Parameter("y", "int *", "pointer", 8, 8, 8, "int32", False),
        Parameter("value", "int", "int32", 4, 4, 16, None, False),
        Parameter("n", "int", "int32", 4, 4, 20, None, False),
    ),
    size=24,
    shared=0,
    max_threads=None,
    dynamic_shared=False,
)
ROWS = [("pointer", 0, 8, True, (3, 4)), ("pointer", 8, 8, False, (3, 4)), ("int", 16, 4, True), ("int", 20, 4, True)]


def _add(call: Any) -> None:
    """y = x + value; without x, y += value."""
    x, y, value, n = call.args
    if n:
        to = call.view(y, n, "i4")
        to[:] = (call.view(x, n, "i4") if x else to) + value


def add(machine: Machine, device: lp.Device | None = None) -> lp.Kernel:
    device = device or machine.device
    device.driver_device.implement("add", _add, ROWS)
    return machine.kernel("add", ADD, device)


def ints(n: int = 8, start: int = 0) -> Any:
    return np.arange(start, start + n, dtype="i4")


def stream_number(machine: Machine) -> int:
    return len(machine.machine.queues) - 1
