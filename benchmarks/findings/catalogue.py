"""The programs of the corpus: their kinds of fault, and what they need."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CPUS = ("intel", "pocl")
FAULT = re.compile(r"# fault(?:: (?P<kind>[\w-]+))?\s*$")


@dataclass(frozen=True)
class Program:
    """A program of the corpus.

    Attributes
    ----------
    name : str
        Below ``benchmarks.findings``: "pairs.own.host_code".
    kinds : tuple of str
        The kinds of its faults. Pairs have one; applications two, in any order.
    units : int
        Processors that a CPU device has for it. 1: the host has the other one for itself. 2: for faults that leave
        a part of the device idle.
    free : tuple of str
        Devices on which the fault costs nothing: it must not be named as if it did.
    """

    name: str
    kinds: tuple[str, ...]
    units: int = 1
    free: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """What ``python -m`` runs."""
        return f"benchmarks.findings.{self.name}"

    @property
    def file(self) -> Path:
        """Its source."""
        return HERE.joinpath(*self.name.split(".")).with_suffix(".py")

    @property
    def is_application(self) -> bool:
        """Whether it is a whole application: it can be run with each of its faults mended alone."""
        return self.name.startswith("apps.")

    @property
    def library(self) -> str:
        """The library that it uses: own, pyopencl or torch."""
        return "own" if self.is_application else self.name.split(".")[1]

    def runs_on(self, device: str) -> bool:
        """Whether it can run on a device."""
        return {"own": True, "pyopencl": device in CPUS, "torch": device == "cuda"}[self.library]

    def lines(self) -> dict[str, list[int]]:
        """Return the lines of the source where each fault is planted."""
        planted: dict[str, list[int]] = {}
        for number, text in enumerate(self.file.read_text(encoding="utf-8").splitlines(), 1):
            if match := FAULT.search(text):
                planted.setdefault(match["kind"] or self.kinds[0], []).append(number)
        return planted


def _own(name: str, units: int = 1, free: tuple[str, ...] = (), kind: str = "") -> Program:
    return Program(f"pairs.own.{name}", (kind or name.replace("_", "-"),), units, free)


def _other(library: str, name: str) -> Program:
    return Program(f"pairs.{library}.{name}", (name.replace("_", "-"),))


PROGRAMS = (
    _own("launch_bound", free=CPUS),  # an OpenCL device takes a step's launches one by one
    _own("host_code"),
    _own("equal_uploads"),
    _own("needless_synchronize"),
    _own("wide_synchronize", 2),
    _own("needless_order", 2),
    _own("small_copies"),
    _own("pageable_copies"),
    _own("serial_copies", 2),
    _own("serial_streams", 2),
    _own("small_kernels", 2),
    _own("allocations"),
    _own("crossing_temporaries", 2, free=("cuda",)),  # its pool has memory beside that of the stream that is late
    _own("slow_first_launch"),
    _own("lock"),
    _own("lock_gil", kind="lock"),
    _own("thread_not_running"),
    _own("straggler", 2),
    _own("straggler_processes", free=("cuda",), kind="straggler"),  # one GPU does the kernels of both in turn
    _other("pyopencl", "launch_bound"),
    _other("pyopencl", "equal_uploads"),
    _other("pyopencl", "needless_synchronize"),
    _other("pyopencl", "small_copies"),
    _other("torch", "launch_bound"),
    _other("torch", "equal_uploads"),
    _other("torch", "needless_synchronize"),
    _other("torch", "pageable_copies"),
    Program("apps.reaction_diffusion", ("needless-synchronize", "equal-uploads")),
    Program("apps.transformer", ("host-code", "needless-synchronize")),
    Program("apps.particles", ("host-code", "allocations")),
    Program("apps.image_filters", ("slow-first-launch", "pageable-copies")),
    Program("apps.serving", ("lock", "equal-uploads")),
)


def find(name: str) -> Program:
    """Return the program of a name."""
    for program in PROGRAMS:
        if program.name == name:
            return program
    raise KeyError(f"expected a program of the corpus, got {name!r}: {', '.join(each.name for each in PROGRAMS)}")
