"""The comparison of examples/rigid_bodies.py: simulations run in trials that take turns."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol


class Simulated(Protocol):
    """What is compared: a simulation that can begin again."""

    def reset(self) -> None:
        """Go back to the beginning."""

    def run(self, steps: int) -> float:
        """Go on by some steps, and return the steps per second."""

    def checksum(self) -> str:
        """Sum up the state."""

    def problems(self, steps: int) -> list[str]:
        """Return what is wrong with the state, after so many steps from the beginning."""


@dataclass
class Comparison:
    """What simulations did, in trials that took turns."""

    rates: dict[str, list[float]]  # steps per second in each trial, by the simulation's name
    checksums: set[str]  # of all states that they came to
    problems: set[str]

    def ratios(self, fast: str, slow: str) -> list[float]:
        """Steps per second of a simulation over those of another, trial by trial."""
        return [above / below for above, below in zip(self.rates[fast], self.rates[slow], strict=True)]

    @property
    def sane(self) -> bool:
        """Whether all came to the same state, and no physics forbids it."""
        return len(self.checksums) == 1 and not self.problems


def compare(simulations: Mapping[str, Simulated], steps: int, trials: int) -> Comparison:
    """Run simulations in turn; their names and the trials go to standard error."""
    comparison = Comparison({name: [] for name in simulations}, set(), set())
    for simulation in simulations.values():
        simulation.run(1)  # a driver may finish compiling only here
    for trial in range(1, trials + 1):
        for name, simulation in simulations.items():
            print(f"trial {trial} of {trials}: {name}", file=sys.stderr, flush=True)
            simulation.reset()
            comparison.rates[name].append(simulation.run(steps))
            comparison.checksums.add(simulation.checksum())
            comparison.problems.update(simulation.problems(steps))
    return comparison


def report(comparison: Comparison, descriptions: Mapping[str, str], pairs: Iterable[tuple[str, str]]) -> str:
    """Write how fast each simulation was, alone and in pairs, and whether all came to the same sane state."""
    lines = []
    for name, rates in comparison.rates.items():
        spread = f"({min(rates):.0f} to {max(rates):.0f})"
        lines.append(f"{name:7} {statistics.median(rates):8.0f} steps/s {spread}  {descriptions[name]}")
    for fast, slow in pairs:
        ratios = comparison.ratios(fast, slow)
        lines.append(f"{fast} / {slow}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    same = len(comparison.checksums) == 1
    lines.append("states: " + ("identical in all runs and trials" if same else "they DIFFER"))
    lines += [f"checksum {checksum}" for checksum in sorted(comparison.checksums)]
    return "\n".join(lines + [f"wrong: {problem}" for problem in sorted(comparison.problems)])
