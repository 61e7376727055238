"""What a fault costs: programs with it and without it, in turn, untraced."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.findings.catalogue import Program
from benchmarks.findings.running import Machine, Run, RunError
from launchpath._findings.interval import Interval

# Of Student's t, for a 95 % interval, by degrees of freedom.
T = (math.inf, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)
SHARE, LEAST = 0.05, 3.0  # half of an interval that is narrow enough: of the difference, or microseconds
SMALL = 0.01  # of a repetition: where a fault costs nothing its difference need not be known better
DEVIATION = 1.4826  # of normal values: the standard deviation in median deviations
MEDIAN = 1.2533  # by which a median of normal values spreads more than their mean


class Runs(NamedTuple):
    """How many runs of each twin a measurement has: at least, and at most where they differ much."""

    least: int
    most: int


def difference(
    machine: Machine, program: Program, mend: tuple[str, ...], runs: Runs, between: Callable[[], None] | None = None
) -> tuple[Interval, list[Run]]:
    """Measure what mending saves of a repetition, in microseconds, and return it with the runs that have the fault.

    `between` is called after each pair of runs.

    Raises
    ------
    RunError
        A program has failed, or the twins' results differ.
    """
    faulty: list[Run] = []
    mended: list[Run] = []
    measured = Interval(0.0, -math.inf, math.inf)
    while len(faulty) < runs.most:
        for options in ((), mend) if len(faulty) % 2 else (mend, ()):
            (mended if options else faulty).append(machine.run(program, *options))
        if between:
            between()
        if len(faulty) >= runs.least:
            measured = interval([before.us - after.us for before, after in zip(faulty, mended, strict=True)])
            if is_narrow(measured, statistics.median(run.us for run in faulty)):
                break
    results = {run.result for run in (*faulty, *mended)}
    if len(results) > 1:
        raise RunError(f"{program.name}: expected the same results with and without the fault, got {sorted(results)}")
    return measured, faulty


def is_narrow(measured: Interval, us: float) -> bool:
    """Whether a difference of programs whose repetition takes so many microseconds is known well enough."""
    if measured.low <= 0 <= measured.high:
        return measured.half <= max(SMALL * us, LEAST)
    return measured.half <= max(SHARE * abs(measured.value), LEAST)


def interval(values: list[float]) -> Interval:
    """Return the mean with its 95 % interval; of enough values the median, which resists runs that were disturbed."""
    if len(values) < 2:
        return Interval(values[0], -math.inf, math.inf)
    t = T[min(len(values), len(T)) - 1] / math.sqrt(len(values))
    if len(values) < 5:
        middle, half = statistics.fmean(values), t * statistics.stdev(values)
    else:
        middle = statistics.median(values)
        half = t * MEDIAN * DEVIATION * statistics.median(abs(value - middle) for value in values)
    return Interval(middle, middle - half, middle + half)
