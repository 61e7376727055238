"""Holds what `launchpath why` says of the bounds of random programs against what is known."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.findings.generator import DEVICE, HOST, NEITHER, drawn
from benchmarks.findings.running import Machine, RunError

# A bound saves at least so much of the step if its work is halved, and what does not bound at most so much.
MUCH, LITTLE = 0.3, 0.12


@dataclass
class Bound:
    """A random program: what bounds it by construction, by measurement, and by `launchpath why`."""

    seed: int
    bound: str
    us: float = 0.0
    host_halved: float = 0.0
    device_halved: float = 0.0
    measured: str = ""
    by_why: str = ""
    problem: str = ""

    @property
    def right(self) -> bool:
        """Whether all agree."""
        return self.bound == self.measured == self.by_why

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it."""
        return {**asdict(self), "right": self.right}

    def __str__(self) -> str:
        mark = "+" if self.right else "-"
        halved = f"host halved saves {self.host_halved:4.0%}, device halved {self.device_halved:4.0%}"
        seen = self.by_why or self.problem or "?"
        return f"{mark} seed {self.seed:3}{self.us:8.0f} us  {halved}  {self.bound}: {seen}"


def judged(machine: Machine, seed: int, ask: bool = True) -> Bound:
    """Run a random program, with half of the host's and half of the device's work, and under `launchpath why`."""
    row = Bound(seed, drawn(seed).bound)
    words = [sys.executable, "-m", "benchmarks.findings.generator", "--seed", str(seed)]
    try:
        ways = {"": [], "host": ["--host", "0.5"], "device": ["--device-work", "0.5"]}
        times: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(1 if machine.quick else 3):
            for way, options in ways.items():
                times[way].append(machine.run_of([*words, *options], 1).us)
        row.us, host, device = (sorted(values)[len(values) // 2] for values in times.values())
        row.host_halved, row.device_halved = 1 - host / row.us, 1 - device / row.us
        row.measured = measured(row.host_halved, row.device_halved)
        if ask:
            _, report = machine.why_of(words, 1)
            row.by_why = main_region(report)
    except RunError as error:
        row.problem = str(error)
    return row


def measured(host: float, device: float) -> str:
    """Name what bounds a program, by the shares that halving the work of the host and of the device saves."""
    if host >= MUCH and device <= LITTLE:
        return HOST
    if device >= MUCH and host <= LITTLE:
        return DEVICE
    return NEITHER if min(host, device) > LITTLE else "unknown"


def main_region(report: dict[str, Any]) -> str:
    """Return what bounds the region that takes the most time."""
    regions = report["regions"]
    if not regions:
        return "no region"
    longest = max(regions, key=lambda region: region["repetitions"] * region["us_repetition"]["value"])
    return str(longest["bound"])


def right(rows: Sequence[Bound]) -> int:
    """Count the rows in which all agree."""
    return sum(row.right for row in rows)
