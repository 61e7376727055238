"""Two kinds of runs that took turns: the difference of their times, with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy

from launchpath._findings.interval import Interval
from launchpath._findings.statistics import student

LEAST = 3  # runs of each kind
_MOST = 10_000


def turn(number: int) -> tuple[bool, bool]:
    """Tell which kinds the runs of a turn are, the second one's or the first's: ABBA, so that a drift is in both."""
    return (False, True) if number % 2 == 0 else (True, False)


def difference(first: Sequence[float], second: Sequence[float]) -> Interval:
    """How much less the second kind takes.

    Times are fitted by a mean for each kind and a drift that is linear in the number of the run.

    Parameters
    ----------
    first, second : sequence of float
        The times, by turn; at least `LEAST`.
    """
    effect, spread, freedom = _fit(first, second)
    half = student(freedom) * spread
    return Interval(effect, effect - half, effect + half)


def turns_needed(first: Sequence[float], second: Sequence[float], half: float) -> int:
    """How many turns a half width of the interval takes, by the spread of those that there are."""
    count = len(first)
    spread = _fit(first, second)[1] * math.sqrt(count)
    while student(2 * count - 3) * spread / math.sqrt(count) > half * (1 + 1e-9) and count < _MOST:
        count += 1
    return count


def _fit(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, int]:
    """The difference, its standard error, and the degrees of freedom."""
    rows: list[tuple[float, float, float]] = []
    times: list[float] = []
    for number in range(len(first)):
        for is_second in turn(number):
            rows.append((1.0, float(len(rows)), -1.0 if is_second else 0.0))
            times.append(second[number] if is_second else first[number])
    design, values = numpy.array(rows), numpy.array(times)
    inverse = numpy.linalg.inv(design.T @ design)
    found = inverse @ design.T @ values
    freedom = len(values) - 3
    variance = float(((values - design @ found) ** 2).sum()) / freedom
    return float(found[2]), math.sqrt(variance * float(inverse[2, 2])), freedom
