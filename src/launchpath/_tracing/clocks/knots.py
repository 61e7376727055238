"""Knots: moments between two measurements at which the offset is known, because both clocks were watched.

A daemon that corrects a clock makes the offset leave the straight line between two measurements. What it did is known
on both sides, so the line is drawn for the crystals alone, and what the daemons did is added at moments in between: as
many as it takes for each part to be straight.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from launchpath._trace.hosts.measurement import Measurement, between

LEAST = 2_000  # nanoseconds: a bend below is left as it is
SHARE = 8  # and one below this part of the measurements' own bound
SHORTEST = 500_000_000  # nanoseconds: parts are not halved any further
MOST = 128  # knots between two measurements
BETTER = 0.75  # of a bend: less is left in one of its quarters, or the clocks were looked at too seldom to tell

Since = Callable[[int, int], tuple[int, int]]


class Watched(NamedTuple):
    """What daemons did to both clocks until `time`: see `Measurement`."""

    slew: int
    bend: int


class Sides:
    """Both clocks, as they were watched from one measurement to another. Times are those of the own clock.

    Parameters
    ----------
    own, other : callable
        `Slewing.since` of the own clock, and of the reference's, for times of their own.
    before, after : Measurement
    """

    def __init__(self, own: Since, other: Since, before: Measurement, after: Measurement) -> None:
        self._own, self._other = own, other
        self._before, self._rise = before, after.offset - before.offset
        self._length = max(after.time - before.time, 1)

    def since(self, begin: int, end: int) -> Watched:
        """Tell what was done to both clocks between two times."""
        slew, bend = self._own(begin, end)
        theirs, their_bend = self._other(self._there(begin), self._there(end))
        return Watched(theirs - slew, -1 if min(bend, their_bend) < 0 else bend + their_bend)

    def _there(self, time: int) -> int:
        return time + self._before.offset + self._rise * (time - self._before.time) // self._length


def with_knots(sides: Sides, before: Measurement, after: Measurement) -> list[Measurement]:
    """Give knots between two measurements, and the second one, whose bend is that since the last knot."""
    if min(before.bend, after.bend) < 0:
        return [after]
    limit = max(LEAST, min(before.bound, after.bound) // SHARE)
    *parts, (_, last_bend) = _parts(sides, before.time, after.time, limit)
    points: list[Measurement] = []
    for time, bend in parts:
        here = sides.since(time, time)
        low, high = between(before, after, time)
        points.append(
            Measurement(time, low + here.slew - here.bend, high + here.slew + here.bend, 0, 0, here.slew, bend)
        )
    return [*points, after._replace(bend=last_bend)]


def _parts(sides: Sides, begin: int, end: int, limit: int) -> list[tuple[int, int]]:
    """Give the ends of parts that are straight enough, each with its bend."""
    parts: list[tuple[int, int]] = []
    left = [(begin, end)]
    while left:
        first, last = left.pop()
        bend = sides.since(first, last).bend
        if bend > limit and last - first > SHORTEST and len(parts) + len(left) < MOST:
            quarters = [first + (last - first) * place // 4 for place in range(5)]
            if min(sides.since(*quarter).bend for quarter in pairwise(quarters)) <= BETTER * bend:
                left += [(quarters[2], last), (first, quarters[2])]
                continue
        parts.append((last, bend))
    return parts
