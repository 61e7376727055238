"""Which stretches of a run are simulated: consecutive repetitions, from the whole run."""

from __future__ import annotations

from typing import NamedTuple

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array

_CALLS = 20_000  # that are simulated in all
_STRETCHES = 6
_FEWEST = 4  # repetitions of a stretch, where there are as many: the first ones fill the queues
_AROUND = 2  # repetitions behind a mended call that is rare: its effect may come later
_RARE = 12  # stretches around rare calls


class Plan(NamedTuple):
    """Repetitions that follow one another: ``first <= repetition < last``; the first `warm` of them are not counted."""

    first: int
    last: int
    warm: int


def spread(region: Region) -> list[Plan]:
    """Plan stretches that are spread over the run."""
    count = len(region)
    # The first repetition loads and compiles: it is left out where that leaves enough.
    start = 1 if count > _FEWEST and not region.typical[0] else 0
    affordable = max(_CALLS // max(_calls(region), 1), 2)
    if count - start <= affordable:
        return [Plan(start, count, _warm(count - start))]
    stretches = max(min(_STRETCHES, affordable // _FEWEST), 1)
    length = affordable // stretches
    begins = numpy.linspace(start, count - length, stretches).astype("i8")
    return [Plan(int(first), int(first) + length, _warm(length)) for first in begins]


def around(region: Region, repetitions: Array) -> list[Plan]:
    """Plan stretches around repetitions that have something rare."""
    affordable = max(_CALLS // max(_calls(region), 1), 2)
    length = 2 + _AROUND
    number = max(min(_RARE, affordable // length), 2)
    places = numpy.unique(repetitions)
    chosen = places[numpy.unique(numpy.linspace(0, len(places) - 1, number).astype("i8"))]
    plans: list[Plan] = []
    for place in chosen.tolist():
        first = max(place - 1, plans[-1].last if plans else 0)
        last = min(place + 1 + _AROUND, len(region))
        if last > first:
            plans.append(Plan(first, last, min(1, place - first)))
    return plans


def _calls(region: Region) -> int:
    """Give about how many calls all threads make in a repetition."""
    ops = region.timeline.ops
    outermost = numpy.count_nonzero(ops.depth == 0) / max(len(ops), 1)
    mine = float(numpy.median(region.last - region.first)) * outermost
    span = float(region.ends[-1] - region.begins[0]) * region.timeline.share
    others = numpy.count_nonzero(
        (ops.thread != region.thread)
        & (ops.depth == 0)
        & (ops.begin >= region.begins[0])
        & (ops.begin < region.ends[-1])
    )
    return int(mine + others * float(numpy.median(region.ends - region.begins)) / max(span, 1.0))


def _warm(count: int) -> int:
    return 0 if count < 3 else 1 if count < 12 else 2
