"""Runs programs of the corpus: by themselves, and under `launchpath why`."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.findings.catalogue import CPUS, Program
from benchmarks.findings.program import RATE, UNITS

ROOT = Path(__file__).parents[2]
# How many processors a CPU device may use, for PoCL and for Intel's runtime.
PROCESSORS = ("POCL_MAX_PTHREAD_COUNT", "DPCPP_CPU_NUM_CUS")
LIMIT = 600  # seconds that a program may take


class RunError(Exception):
    """A program of the corpus, or `launchpath why`, has failed."""


@dataclass(frozen=True)
class Run:
    """What a program has printed: the time of a repetition in microseconds, their number, a hash of its results."""

    us: float
    repetitions: int
    result: str


@dataclass
class Machine:
    """A device, and how programs get there."""

    device: str
    quick: bool = False
    rates: dict[int, float] = field(default_factory=dict)

    @property
    def is_cpu(self) -> bool:
        """Whether the device shares its processors with the host."""
        return self.device in CPUS

    def environment(self, units: int) -> dict[str, str]:
        """Return the environment of a program that has so many units of a CPU device."""
        environment = {**os.environ, "LAUNCHPATH_DEVICE": self.device}
        path = [os.fspath(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        environment["PYTHONPATH"] = os.pathsep.join(path)
        if self.is_cpu:
            environment |= {**dict.fromkeys(PROCESSORS, str(units)), UNITS: str(units)}
        if self.device == "intel":
            environment |= _system_loader()
        if units in self.rates:
            environment[RATE] = str(self.rates[units])
        return environment

    def calibrate(self, units: int) -> None:
        """Measure how fast the device is, so that kernels take the times that they are to take."""
        words = [sys.executable, "-m", "benchmarks.findings.program"]
        self.rates[units] = float(_run(words, self.environment(units)).split()[-1])

    def command(self, words: list[str], units: int) -> str:
        """Run a command, and return what it prints."""
        return _run(words, self.environment(units))

    def options(self, program: Program, *options: str, repetitions: int = 0) -> list[str]:
        """Return the words that run a program."""
        words = [sys.executable, "-m", program.module, *options]
        return [*words, "--repetitions", str(repetitions)] if repetitions else words

    def run(self, program: Program, *options: str, repetitions: int = 0) -> Run:
        """Run a program by itself."""
        return read(self.command(self.options(program, *options, repetitions=repetitions), program.units))

    def why(
        self, program: Program, *options: str, prove: bool = False, repetitions: int = 0
    ) -> tuple[Run, dict[str, Any]]:
        """Run a program under `launchpath why`, and return what both have told."""
        return self.why_of(self.options(program, *options), program.units, prove)

    def why_of(self, words: list[str], units: int, prove: bool = False) -> tuple[Run, dict[str, Any]]:
        """Run a command under `launchpath why`."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "why.json"
            why = [sys.executable, "-m", "launchpath", "why", "--json", os.fspath(file)]
            why += ["--prove"] if prove else []
            printed = _run([*why, "--", *words], self.environment(units))
            if not file.exists():
                raise RunError(f"{' '.join(why)}: expected a file, got none")
            return read(printed), json.loads(file.read_text(encoding="utf-8"))


def read(printed: str) -> Run:
    """Read the line that each program of the corpus prints."""
    for line in reversed(printed.splitlines()):
        if line.startswith('{"us"'):
            row = json.loads(line)
            return Run(row["us"], row["repetitions"], row["result"])
    raise RunError(f"expected a line with the time of a repetition, got {printed[-400:]!r}")


def _run(words: list[str], environment: dict[str, str]) -> str:
    try:
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        raise RunError(f"{' '.join(words)}: expected an end within {LIMIT} s") from None
    if done.returncode:
        raise RunError(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()[-600:]}")
    return done.stdout


@functools.cache
def _system_loader() -> dict[str, str]:
    """Return what lets the system's OpenCL loader, which PyOpenCL uses, find launchpath's embedded runtime."""
    from launchpath._drivers.opencl import embedded_runtime  # noqa: PLC0415

    runtime = embedded_runtime()
    if runtime is None or os.environ.get("OCL_ICD_VENDORS"):
        return {}
    folder = Path(tempfile.gettempdir()) / f"launchpath-findings-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    folder.joinpath("intel.icd").write_text(runtime.runtime + "\n", encoding="utf-8")
    libraries = os.pathsep.join(filter(None, (str(Path(runtime.runtime).parent), os.environ.get("LD_LIBRARY_PATH"))))
    return {"OCL_ICD_VENDORS": os.fspath(folder), "LD_LIBRARY_PATH": libraries}
