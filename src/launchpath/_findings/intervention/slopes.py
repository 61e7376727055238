"""By how much a repetition becomes longer for each nanosecond of delay: the slope, and its interval.

Blocks come in groups that have each level once, in an order by chance. Each group gives a slope of its own, by least
squares: what is slow for the time of a group shifts all its blocks, and falls out. The slope of the run is the median
of the mean of each two groups' slopes (Hodges and Lehmann), and its interval that of Wilcoxon's signed ranks: neither
asks for a normal distribution, and single blocks that something else has disturbed do not move them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from launchpath._findings.interval import Interval
from launchpath._findings.statistics import NORMAL

GROUPS_LEAST = 6  # with fewer groups no interval of 95 % exists
_GROUPS_MOST = 800  # more than these are merged: there are as many means as pairs
_EXACT = 40  # groups up to which ranks are counted
_MARGIN = 1.1  # a run is asked for by so much more than the spread says

Array = NDArray[numpy.float64]


@dataclass(frozen=True)
class Need:
    """How long a run must be.

    Attributes
    ----------
    groups : int
        Of blocks, each of which has every level.
    seconds : float
        Of the program, in its repetitions.
    """

    groups: int
    seconds: float


@dataclass(frozen=True)
class Slope:
    """The answer of an intervention, for one target.

    Attributes
    ----------
    interval : Interval or None
        The slope. None: the run was too short.
    groups : int
        Of blocks that it is of.
    count : float
        Delays in a repetition.
    period : float
        Nanoseconds of a repetition without delays, the median.
    levels : list of tuple
        For each level: the delay, what delays have taken of a repetition, and by how much it became longer, in
        nanoseconds; medians.
    seconds : float
        That the blocks have taken, those of other targets among them.
    spread : float
        Of the groups' slopes, as a standard deviation; NaN: fewer than three groups.
    """

    interval: Interval | None
    groups: int
    count: float
    period: float
    levels: list[tuple[int, float, float]]
    seconds: float
    spread: float

    def needed(self, half_width: float) -> Need:
        """Tell how long a run must be for a slope plus or minus `half_width`."""
        groups = float(GROUPS_LEAST)
        if self.interval is not None:
            groups = max(groups, self.groups * (_MARGIN * self.interval.half / half_width) ** 2)
        elif self.spread == self.spread:  # no NaN
            groups = max(groups, (_MARGIN * NORMAL * self.spread / half_width) ** 2)
        if self.interval is not None and self.interval.half <= half_width:
            groups = self.groups
        whole = math.ceil(groups)
        return Need(whole, whole * self.seconds / self.groups if self.groups else 0.0)


def slope_of(group: Array, delay: Array, spent: Array, time: Array, count: Array, seconds: float) -> Slope:
    """Compute the slope of one target.

    Parameters
    ----------
    group, delay, spent, time, count : numpy.ndarray
        For each block of the target, and those of other targets without delay: the number of its group; the level; what
        delays have taken of a repetition, and the time of one, both in nanoseconds; delays of a repetition.
    seconds : float
        That all blocks have taken.
    """
    whole = _whole(group, delay)
    group, delay, spent, time, count = (each[whole] for each in (group, delay, spent, time, count))
    slopes, base = _of_groups(group, delay, spent, time)
    levels = [
        (int(level), float(numpy.median(spent[delay == level])), float(numpy.median((time - base)[delay == level])))
        for level in numpy.unique(delay).tolist()
    ]
    without = time[delay == 0]
    delayed = count[delay > 0]
    return Slope(
        _interval(slopes) if len(slopes) >= GROUPS_LEAST else None,
        len(slopes),
        float(numpy.median(delayed)) if len(delayed) else 0.0,
        float(numpy.median(without)) if len(without) else 0.0,
        levels,
        seconds,
        _spread(slopes),
    )


def _whole(group: Array, delay: Array) -> NDArray[numpy.bool_]:
    """Which blocks are of a group that has every level."""
    levels = len(numpy.unique(delay))
    numbers, places = numpy.unique(group, return_inverse=True)
    pairs = numpy.unique(numpy.stack([places.reshape(-1), delay], 1), axis=0)
    has = numpy.bincount(pairs[:, 0].astype("i8"), minlength=len(numbers))
    return numpy.asarray(has[places.reshape(-1)] == levels)


def _of_groups(group: Array, delay: Array, spent: Array, time: Array) -> tuple[Array, Array]:
    """Give the slope of each group, and for each block its group's time without delay."""
    numbers, places = numpy.unique(group, return_inverse=True)
    places = places.reshape(-1)
    sizes = numpy.maximum(numpy.bincount(places), 1)
    x = spent - (numpy.bincount(places, spent) / sizes)[places]
    y = time - (numpy.bincount(places, time) / sizes)[places]
    spans = numpy.bincount(places, x * x)
    slopes = numpy.bincount(places, x * y) / numpy.where(spans > 0, spans, numpy.nan)
    zeros = delay == 0
    base = numpy.bincount(places[zeros], time[zeros], len(numbers)) / numpy.maximum(
        numpy.bincount(places[zeros], minlength=len(numbers)), 1
    )
    return slopes[~numpy.isnan(slopes)], base[places]


def _spread(slopes: Array) -> float:
    if len(slopes) < 3:
        return math.nan
    return float(1.4826 * numpy.median(abs(slopes - numpy.median(slopes))))


def _interval(slopes: Array) -> Interval:
    if len(slopes) > _GROUPS_MOST:  # neighbours are merged
        slopes = numpy.array([part.mean() for part in numpy.array_split(slopes, _GROUPS_MOST)])
    n = len(slopes)
    first, second = numpy.triu_indices(n)
    means = numpy.sort((slopes[first] + slopes[second]) / 2)
    rank = max(_rank(n), 1)
    return Interval(float(numpy.median(means)), float(means[rank - 1]), float(means[len(means) - rank]))


def _rank(n: int) -> int:
    """The rank of signed ranks below which 2.5 % of the distribution are."""
    if n > _EXACT:
        return int(n * (n + 1) / 4 - NORMAL * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    ways = numpy.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for i in range(1, n + 1):
        ways[i:] = ways[i:] + ways[: len(ways) - i]
    return int(numpy.searchsorted(numpy.cumsum(ways) / 2.0**n, 0.025, "left"))
