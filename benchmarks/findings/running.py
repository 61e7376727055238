"""Runs programs of the corpus: by themselves, and under `launchpath why`."""

from __future__ import annotations

import functools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.findings.catalogue import CPUS, Program
from benchmarks.findings.program import RATE, UNITS

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
# How many processors a CPU device may use, for PoCL and for Intel's runtime.
PROCESSORS = ("POCL_MAX_PTHREAD_COUNT", "DPCPP_CPU_NUM_CUS")
LIMIT = 600  # seconds that a program may take
DISTURBED = 0.05  # of a processor: a run in which other programs used more is repeated
TRIES, PAUSE = 3, 0.5  # runs of which the least disturbed one counts, and the seconds between two


class RunError(Exception):
    """A program of the corpus, or `launchpath why`, has failed."""


@dataclass(frozen=True)
class Run:
    """What a program has printed, and what disturbed it.

    Attributes
    ----------
    us : float
        Microseconds of a repetition.
    repetitions : int
    result : str
        A hash of its results.
    others : float
        The processors that other programs used meanwhile: 0.5 is half of one.
    """

    us: float
    repetitions: int
    result: str
    others: float = 0.0


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

    def options(self, program: Program, *options: str, repetitions: int = 0) -> list[str]:
        """Return the words that run a program."""
        words = [sys.executable, "-m", program.module, *options]
        return [*words, "--repetitions", str(repetitions)] if repetitions else words

    def run(self, program: Program, *options: str, repetitions: int = 0) -> Run:
        """Run a program by itself; again where other programs have disturbed it, and the least disturbed run counts."""
        return self.run_of(self.options(program, *options, repetitions=repetitions), program.units)

    def run_of(self, words: list[str], units: int) -> Run:
        """Run a command that prints what a program of the corpus prints."""
        return self.undisturbed(lambda: _timed(words, self.environment(units)), lambda run: run.others)

    def why(
        self, program: Program, *options: str, prove: bool = False, repetitions: int = 0
    ) -> tuple[Run, dict[str, Any]]:
        """Run a program under `launchpath why`, and return what both have told."""
        return self.why_of(self.options(program, *options), program.units, prove)

    def why_of(self, words: list[str], units: int, prove: bool = False) -> tuple[Run, dict[str, Any]]:
        """Run a command under `launchpath why`; again where other programs have disturbed it."""
        return self.undisturbed(lambda: self._why_of(words, units, prove), lambda each: each[0].others)

    def undisturbed(self, tried: Callable[[], T], others: Callable[[T], float]) -> T:
        """Try until other programs leave the processors alone, or so many times; the least disturbed try counts.

        With a GPU the first try counts: the machine has processors for all.
        """
        best = tried()
        for _ in range(TRIES - 1 if self.is_cpu else 0):
            if others(best) <= DISTURBED:
                break
            time.sleep(PAUSE)
            best = min(best, tried(), key=others)
        return best

    def _why_of(self, words: list[str], units: int, prove: bool) -> tuple[Run, dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "why.json"
            why = [sys.executable, "-m", "launchpath", "why", "--json", os.fspath(file)]
            why += ["--prove"] if prove else []
            run = _timed([*why, "--", *words], self.environment(units))
            if not file.exists():
                raise RunError(f"{' '.join(why)}: expected a file, got none")
            return run, json.loads(file.read_text(encoding="utf-8"))


def _timed(words: list[str], environment: dict[str, str]) -> Run:
    """Run a program, and find out what other programs have used of the processors."""
    began, used = time.monotonic(), _busy() - _own()
    printed = _run(words, environment)
    others = (_busy() - _own() - used) / (time.monotonic() - began)
    return replace(read(printed), others=max(others, 0.0))


def _busy() -> float:
    """Tell for how many seconds all processors have worked, or have been taken away by the machine below."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, interrupts, soft, stolen = map(int, file.readline().split()[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    """Tell for how many seconds this process and its children that have ended have worked."""
    uses = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


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
