"""A kernel that returns a number and an array, and one that sets the number alone."""

import struct
from typing import Any

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.simulated import Machine

BINS = 4


def signature(**more: Any) -> Signature:
    parameters = (
        Parameter("total", "unsigned int *", "pointer", 8, 8, 0, "uint32"),
        Parameter("value", "int", "int32", 4, 4, 8),
        Parameter("bins", "float *", "pointer", 8, 8, 16, "float32"),
        Parameter("source", "const float *", "pointer", 8, 8, 24, "float32", True),
        Parameter("raw", "void *", "pointer", 8, 8, 32),
    )
    return Signature("tally", parameters, 40, **more)


def _tally(call: Any) -> None:
    """Add `value` to `total`, and set `bins` if there are any."""
    total, value, bins = call.args[:3]
    at = call.bytes(total, 4)
    struct.pack_into("I", at, 0, (struct.unpack_from("I", at)[0] + value) & 0xFFFFFFFF)
    if bins:
        struct.pack_into(f"{BINS}f", call.bytes(bins, 4 * BINS), 0, *(value + i for i in range(BINS)))


def put(call: Any) -> None:
    struct.pack_into("I", call.bytes(call.args[0], 4), 0, call.args[1])


ROWS = [("pointer", 0, 8, False, 4), ("int", 8, 4, True), ("pointer", 16, 8, False, 4 * BINS)]
ROWS += [("pointer", 24, 8, True), ("pointer", 32, 8, False)]


def kernel(machine: Machine, device: lp.Device | None = None, run: Any = _tally) -> lp.Kernel:
    device = device or machine.device
    device.driver_device.implement("tally", run, ROWS)
    return lp.Kernel(device.driver_device.build("").kernel("tally"), device, signature())
