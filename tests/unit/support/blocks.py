"""Kernels whose arguments go by a block, and what the driver is asked for them."""

import struct
from collections.abc import Callable
from typing import Any

import launchpath as lp
from launchpath._compiler import Signature
from tests.simulated import Machine
from tests.unit.support.kernels import signature

SIZE = 4096


class Keeper:
    """A kernel whose arguments go by a block: a struct, an int and a wider one. `seen` is what its launches read.

    With ``writes_block`` they write over them, too. A ``plain`` launch is packed in a straight line; else the last
    parameter is a pointer, and null, which takes a closer look.
    """

    def __init__(
        self, machine: Machine, size: int = SIZE, device: lp.Device | None = None, plain: bool = True, **more: Any
    ) -> None:
        self.size, self.seen, self.last = size, [], 0 if plain else None
        self.signature = signature(f"struct{size}", "int32", "int64" if plain else "pointer", block=True, **more)
        device = device or machine.device
        row = ("pointer", 0, 8, not self.signature.writes_block)
        device.driver_device.implement("keep", _keep(self.seen, self.signature), [row])
        self.kernel = lp.Kernel(device.driver_device.build("").kernel("keep"), device, self.signature)

    def arguments(self, value: int) -> tuple[bytes, int, int | None]:
        return bytes([value % 256]) * self.size, value, self.last

    def expected(self, *values: int) -> list[tuple[bytes, int]]:
        return [self.arguments(value)[:2] for value in values]


def _keep(seen: list[Any], signature: Signature) -> Callable[[Any], None]:
    """Make the kernel, which the machine keeps: it holds nothing of launchpath's."""
    size, at, whole = signature.parameters[0].size, signature.parameters[1].offset, signature.size

    def run(call: Any) -> None:
        block = call.bytes(call.args[0], whole)
        seen.append((bytes(block[:size]), *struct.unpack_from("i", block, at)))
        if signature.writes_block:
            block[:] = b"\xff" * whole

    return run


def calls(machine: Machine, *names: str) -> dict[str, int]:
    """Count the driver's calls since the last time, launches left out."""
    counts = {name: n for name, n in machine.machine.calls.items() if n and (not names or name in names)}
    machine.machine.reset_calls()
    counts.pop("queue_flush", None)
    return counts
