"""The parts of the demonstration on one device."""

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
from launchpath._bench.demo.programs import KERNEL, LAUNCH, MISTAKES, OUTSIDE, PROGRAM, SLOW
from launchpath._bench.launch import compare
from launchpath._bench.measure import Size
from launchpath._bench.result import Result
from launchpath._environment import BOUNDS, DEBUG
from launchpath._findings.report import Report
from launchpath._streams.device import Device

BLOCKS = 40  # of launches that are measured, for each library


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

    def program(self) -> tuple[str, bytes]:
        """Run the CUDA program, as ``launchpath run`` does it, and return what it prints and the picture, as PPM.

        Raises
        ------
        LaunchpathError
            It does not run: with what was written to the standard error.
        """
        with tempfile.TemporaryDirectory(prefix="launchpath-demo-") as folder:
            source, picture = Path(folder, "mandelbrot.cu"), Path(folder, "picture.ppm")
            source.write_text(PROGRAM)
            words = ["-m", "launchpath", "run", "--device", str(lp.devices().index(self.device))]
            done = _external.run([sys.executable, *words, str(source), str(picture)])
            if done.code or not picture.exists():
                output = (done.errors.strip() or done.output.strip()).decode(errors="replace")
                raise lp.LaunchpathError(f"mandelbrot.cu: exit code {done.code}: {output}")
            return done.output.decode(errors="replace").strip(), picture.read_bytes()

    def launch(self) -> list[float]:
        """Compile the kernel, launch it, and return the values that it has written."""
        with self.device:
            exec(LAUNCH, self.names)
        return [float(value) for value in self.names["values"]]

    def costs(self, size: Size) -> Result:
        """Measure the host time of a launch, beside C and other libraries."""
        return compare(self.device, size)

    def findings(self) -> Report:
        """Run the slow program under a trace, and return what holds it back."""
        with tempfile.TemporaryDirectory(prefix="launchpath-demo-") as folder, self.device:
            path = Path(folder, "slow.lptrace")
            with lp.trace(path, findings=True):
                exec(compile(SLOW, "slow.py", "exec"), {"__name__": "__main__"})
            report: Report = lp.read_trace(path).findings()
            report.program = "python slow.py"
            return report

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


def wrong(values: Sequence[float]) -> int:
    """Count the values that the kernel should not have written."""
    return sum(value != index for index, value in enumerate(values)) + abs(len(values) - 1000)
