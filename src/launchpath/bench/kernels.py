"""The kernels that benchmarks launch, the loops that launch them, and the same in C."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from time import perf_counter_ns as now
from typing import Any

from launchpath import _core
from launchpath.array import Array, empty
from launchpath.bench.measure import Loop
from launchpath.compilation import compile
from launchpath.device import Device

POINTERS = [f"p{i}" for i in range(8)]
INTS = [f"n{i}" for i in range(8)]
ARGUMENTS = (0, 2, 16)


def _source(prefix: str, pointer: str) -> str:
    """Write kernels with 0, 2 (pointer, int) and 16 (8 pointers, 8 ints) parameters that do next to nothing."""
    many = ", ".join([pointer + name for name in POINTERS] + [f"int {name}" for name in INTS])
    return f"""
{prefix} void launch0() {{}}
{prefix} void launch2({pointer}p0, int n0) {{ if (n0 < 0) p0[0] = n0; }}
{prefix} void launch16({many}) {{ if (n0 < 0) p7[0] = n7; }}
"""


HIP_SOURCE = _source("__global__", "float* ")
OPENCL_SOURCE = _source("kernel", "global float* ")


class Kernels:
    """The kernels on one device, launched by launchpath on its legacy default stream, and by C on the same queue."""

    def __init__(self, device: Device) -> None:
        program = compile(HIP_SOURCE, device, name="<benchmark>")
        self.device = device
        self.stream = device.legacy_stream
        self.kernels = {count: program[f"launch{count}"] for count in ARGUMENTS}
        self.arrays: list[Array] = [empty(4, "float32", device) for _ in POINTERS]

    def launchpath(self, arguments: int, changing: bool = True, stream: Any = None) -> Loop:
        """Give the loop of launches by launchpath; an int argument takes each of the values if `changing`."""
        launch = self.kernels[arguments][1, 1, stream]
        loops = {0: loop0(launch), 2: loop2(launch, self.arrays[0]), 16: loop16(launch, self.arrays)}
        loop = loops[arguments]
        return loop if changing else lambda values: loop([values[0]] * len(values))

    def c(self, arguments: int, changing: bool = True, synchronize: bool = False) -> Loop | None:
        """Give C's loop of launches, on the legacy stream's own queue; None if the device's driver has none."""
        if self.device.info["driver"] != "opencl":
            return None
        baseline = _core.OpenCLBaseline(self.kernels[arguments][1, 1], self.stream)
        addresses = [array.pointer for array in self.arrays]
        packed = {
            0: b"",
            2: struct.pack("=Qi4x", addresses[0], 1),
            16: struct.pack("=8Q8i", *addresses, *range(8)),
        }[arguments]
        offset = {0: -1, 2: 8, 16: 64}[arguments] if changing else -1

        def loop(values: Sequence[Any]) -> int:
            return int(baseline.launch(len(values), packed, offset, synchronize))

        return loop


def loop0(launch: Callable[..., object]) -> Loop:
    """Launch without arguments."""

    def loop(values: Sequence[Any]) -> int:
        began = now()
        for _ in values:
            launch()
        return now() - began

    return loop


def loop2(launch: Callable[..., object], pointer: Any) -> Loop:
    """Launch with a pointer and an int that changes."""

    def loop(values: Sequence[Any]) -> int:
        began = now()
        for value in values:
            launch(pointer, value)
        return now() - began

    return loop


def loop16(launch: Callable[..., object], pointers: Sequence[Any], ints: Sequence[Any] = range(1, 8)) -> Loop:
    """Launch with 8 pointers and 8 ints, the first of which changes."""

    def loop(values: Sequence[Any]) -> int:
        a, b, c, d, e, f, g, h = pointers
        q, r, s, t, u, v, w = ints
        began = now()
        for value in values:
            launch(a, b, c, d, e, f, g, h, value, q, r, s, t, u, v, w)
        return now() - began

    return loop
