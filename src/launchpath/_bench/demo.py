"""The demonstration: a kernel and its result, the cost of a launch, messages for mistakes, and times on the device.

The Python that it shows is the Python that it runs.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import launchpath as lp
from launchpath import _external
from launchpath._bench.launch import compare
from launchpath._bench.measure import Size
from launchpath._bench.result import Result
from launchpath._environment import BOUNDS, DEBUG
from launchpath._report import Tally
from launchpath._streams.device import Device

BLOCKS = 40  # of launches that are measured, for each library

KERNEL = """\
__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}
"""
LAUNCH = """\
program = lp.compile(KERNEL, name="fill.cu")
out = lp.empty(1000, "float32")
program.fill[4, 256](out, 1000)  # 4 blocks of 256 threads
values = out.to_numpy()
"""
# Each is refused.
MISTAKES = (
    "program.fill[4, 256](out)",
    'program.fill[4, 256](out, "1000")',
    'program.fill[4, 256](lp.empty(1000, "int32"), 1000)',
    'lp.compile(KERNEL.replace("out[i]", "put[i]"), name="fill.cu")',
)
# Another process runs it: checks of accesses are switched on before a device is found.
OUTSIDE = """\
program = lp.compile(KERNEL.replace("i < n", "i <= n"), name="fill.cu")
program.fill[4, 256](lp.empty(1000, "float32"), 1000)
"""
TRACED = 100  # launches


@dataclass(frozen=True)
class Mistake:
    """Python that was refused, and the message."""

    code: str
    message: str  # begins with the name of the error


class Demonstration:
    """The parts of the demonstration on one device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.names: dict[str, Any] = {"lp": lp, "KERNEL": KERNEL}

    def launch(self) -> list[float]:
        """Compile the kernel, launch it, and return the values that it has written."""
        with self.device:
            exec(LAUNCH, self.names)
        return [float(value) for value in self.names["values"]]

    def costs(self, size: Size) -> Result:
        """Measure the host time of a launch, beside C and other libraries."""
        return compare(self.device, size)

    def mistakes(self) -> list[Mistake]:
        """Make mistakes, and return what launchpath says to each."""
        mistakes = []
        with self.device:
            for code in MISTAKES:
                try:
                    exec(code, self.names)
                except lp.LaunchpathError as error:
                    mistakes.append(Mistake(code, f"{type(error).__name__}: {error}"))
                else:
                    raise AssertionError(f"expected an error from {code}, got none")
        return mistakes

    def outside(self) -> Mistake | None:
        """Reach outside of an array in a process that checks accesses; None on a device that has no such checks."""
        if self.device.info["kind"] != "cpu":
            return None
        index = lp.devices().index(self.device)
        program = f"import launchpath as lp\nKERNEL = {KERNEL!r}\nwith lp.device({index}):\n"
        program += "".join(f"    {line}\n" for line in OUTSIDE.splitlines())
        done = _external.run([sys.executable, "-c", program], environment={**os.environ, DEBUG: BOUNDS})
        last = done.errors.decode(errors="replace").rpartition("\nlaunchpath.errors.")[2].strip()
        if not last.startswith("BoundsError"):
            raise lp.LaunchpathError(f"expected a BoundsError from a process that checks accesses, got: {last}")
        return Mistake(OUTSIDE, last)

    def times(self) -> Tally:
        """Launch under a trace, and return the kernels' times on the device."""
        with tempfile.TemporaryDirectory() as folder, self.device:
            path = Path(folder, "run.lptrace")
            fill = self.names["program"].fill[4, 256]
            with lp.trace(path):
                for _ in range(TRACED):
                    fill(self.names["out"], 1000)
                self.device.synchronize()
            return lp.read_trace(path).summary().kernels


def wrong(values: Sequence[float]) -> int:
    """Count the values that the kernel should not have written."""
    return sum(value != index for index, value in enumerate(values)) + abs(len(values) - 1000)
