"""What a fault costs: programs with it and without it, in turn, untraced."""

from __future__ import annotations

import math
import statistics

from benchmarks.findings.catalogue import Program
from benchmarks.findings.running import Machine, Run, RunError
from launchpath._findings.interval import Interval

# Of Student's t, for a 95 % interval, by degrees of freedom.
T = (math.inf, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)


def difference(machine: Machine, program: Program, mend: tuple[str, ...], runs: int) -> tuple[Interval, list[Run]]:
    """Measure what mending saves of a repetition, in microseconds, and return it with the runs that have the fault.

    Raises
    ------
    RunError
        A program has failed, or the twins' results differ.
    """
    faulty, mended = [], []
    for number in range(runs):
        for options in ((), mend) if number % 2 else (mend, ()):
            (mended if options else faulty).append(machine.run(program, *options))
    results = {run.result for run in (*faulty, *mended)}
    if len(results) > 1:
        raise RunError(f"{program.name}: expected the same results with and without the fault, got {sorted(results)}")
    between = [before.us - after.us for before, after in zip(faulty, mended, strict=True)]
    return interval(between), faulty


def interval(values: list[float]) -> Interval:
    """Return the mean with its 95 % interval; the median, where there are enough values, resists a disturbed run."""
    if len(values) < 2:
        return Interval(values[0], -math.inf, math.inf)
    half = T[min(len(values), len(T)) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    middle = statistics.median(values) if len(values) > 4 else statistics.fmean(values)
    return Interval(middle, middle - half, middle + half)
