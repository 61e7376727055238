"""The kernels that benchmarks launch, the loops that launch them, and the same in C."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from time import perf_counter_ns as now
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from launchpath import _core
from launchpath._bench.measure import Loop
from launchpath._memory.array import Array
from launchpath._memory.creation import empty
from launchpath._programs.compilation import compile
from launchpath._streams.device import Device

if TYPE_CHECKING:
    from launchpath._compiler.image import Image

GPU = ("cuda", "hip")  # drivers that keep the rules of the legacy stream themselves
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
C_SOURCE = _source('extern "C" __global__', "float* ")
OPENCL_SOURCE = _source("kernel", "global float* ")


class Kernels:
    """The kernels on one device, launched by launchpath on its legacy default stream, and by C on the same queue."""

    def __init__(self, device: Device) -> None:
        program = compile(HIP_SOURCE, device, name="<benchmark>")
        self.image: Image = program._image  # what was compiled for the device
        names = {signature.name: entry for entry, signature in self.image.kernels}
        # what the kernels are called there, by their number of arguments
        self.entries = {count: names[f"launch{count}"] for count in ARGUMENTS}
        self.device = device
        self.stream = device.legacy_stream
        self.kernels = {count: program[f"launch{count}"] for count in ARGUMENTS}
        self.arrays: list[Array] = [empty(4, "float32", device) for _ in POINTERS]
        for count in ARGUMENTS:  # a driver may load a kernel at its first launch, which it cannot behind a hold
            self.launchpath(count)([1])
        device.synchronize()

    def launchpath(self, arguments: int, changing: bool = True, stream: Any = None) -> Loop:
        """Give the loop of launches by launchpath; an int argument takes each of the values if `changing`."""
        launch = self.kernels[arguments][1, 1, stream]
        loop = looped("launch({})", arguments, self.arrays, names={"launch": launch})
        return loop if changing else lambda values: loop([values[0]] * len(values))

    def spelled(self, spelling: str) -> Loop:
        """Give the loop of launches with 2 arguments, with a launcher written ``anew`` or arguments ``by name``."""
        kernel = self.kernels[2]
        if spelling == "anew":
            return looped("kernel[1, 1, stream]({})", 2, self.arrays, names={"kernel": kernel, "stream": self.stream})
        return looped("launch(p0=p0, n0=value)", 2, self.arrays, names={"launch": kernel[1, 1]})

    def python(self, arguments: int) -> Loop | None:
        """Give a loop that calls C with the arguments, which C ignores, and launches; None where a driver has none."""
        baseline = self.baseline(arguments)
        if not isinstance(baseline, _core.GPUBaseline):
            return None
        call = baseline.callable(self.packed(arguments))
        return looped("launch({})", arguments, self.arrays, names={"launch": call})

    def c(self, arguments: int, changing: bool = True, synchronize: bool = False) -> Loop | None:
        """Give C's loop of launches, on the legacy stream's own queue; None if the device's driver has none."""
        baseline = self.baseline(arguments)
        if baseline is None:
            return None
        packed = self.packed(arguments)
        offset = {0: -1, 2: 8, 16: 64}[arguments] if changing else -1

        def loop(values: Sequence[Any]) -> int:
            return int(baseline.launch(len(values), packed, offset, synchronize))

        return loop

    def baseline(self, arguments: int, stream: Any = None) -> Any:
        """Give C's launches of a kernel; None if the device's driver has none."""
        return self.baseline_of(self.kernels[arguments][1, 1], stream or self.stream)

    def baseline_of(self, launcher: Any, stream: Any) -> Any:
        """Give C's launches of a launcher's kernel on a stream; None if the device's driver has none."""
        kinds: dict[str, Any] = {"opencl": _core.OpenCLBaseline, "cuda": _core.GPUBaseline, "hip": _core.GPUBaseline}
        kind = kinds.get(self.device.info["driver"])
        return None if kind is None else kind(launcher, stream)

    def packed(self, arguments: int) -> bytes:
        """Give the packed arguments of a kernel."""
        addresses = [array.pointer for array in self.arrays]
        return {
            0: b"",
            2: struct.pack("=Qi4x", addresses[0], 1),
            16: struct.pack("=8Q8i", *addresses, *range(8)),
        }[arguments]


def looped(
    call: str,
    arguments: int,
    pointers: Sequence[Any] = (),
    ints: Sequence[Any] = range(1, 8),
    names: Mapping[str, Any] = MappingProxyType({}),
) -> Loop:
    """Write the loop of a call in Python, with nothing around the call.

    Parameters
    ----------
    call : str
        With ``{}`` for the arguments: ``"launch({})"``.
    arguments : int
        0; 2: a pointer and the value; 16: 8 pointers, the value, 7 ints.
    pointers, ints : sequence
        What is passed besides the value.
    names : mapping
        What the call's names stand for.
    """
    passed = {0: [], 2: ["p0", "value"], 16: [*POINTERS, "value", *INTS[1:]]}[arguments]
    defaults = {**dict(zip(POINTERS, pointers, strict=False)), **dict(zip(INTS[1:], ints, strict=False)), **names}
    scope: dict[str, Any] = {**defaults, "now": now}
    # What the call names are the loop's own variables: looking them up elsewhere would be on the clock.
    exec(
        f"""
def loop(values, {", ".join(f"{name}={name}" for name in scope)}):
    began = now()
    for value in values:
        {call.format(", ".join(passed))}
    return now() - began
""",
        scope,
    )
    # Not left in its own globals: that cycle would keep a launch's stream until a collection, which benchmarks put off.
    return cast("Loop", scope.pop("loop"))
