"""The offset of a host's clock at any time, with a bound of its error."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.clock import limited
from launchpath._trace.hosts.exchange import RATE
from launchpath._trace.hosts.measurement import Measurement, between, wander

Integers = NDArray[Any]

_BILLION = 10**9


class Offset:
    """What to add to times of a host for the reference's clock.

    Between two measurements it is on the straight line between them. The truth differs from that line by no more than

    - the errors of the two measurements, as they are in between,
    - `WANDER` times the time to the nearer of the two; of spans over a minute in proportion more,
    - their `bend`; where it is not known twice `RATE` times the time to the nearer of the two,
    - where measurements contradict one another: all that the clock must have been set by.

    Before the first measurement and after the last it drifts at most by `RATE`.

    Parameters
    ----------
    measurements : iterable of Measurement
        In any order; at least one.

    Attributes
    ----------
    measurements : list of Measurement
        In their order, narrowed by their neighbours.
    steps : int
        How many of them contradict their neighbours.
    """

    def __init__(self, measurements: Iterable[Measurement]) -> None:
        points = _merged(measurements)
        self._jumps = [0] * (len(points) - 1)
        self.steps = 0
        self.measurements = [self._narrowed(points, place) for place in range(len(points))]
        self._prepare()

    def __call__(self, times: Integers) -> tuple[Integers, Integers]:
        """Give the offset at times of the host, and by how much it may be wrong: nanoseconds, as int64."""
        times = limited(numpy.asarray(times))
        after = numpy.searchsorted(self._times, times, "right")
        before = numpy.maximum(after - 1, 0)
        after = numpy.minimum(after, len(self._times) - 1)
        span = numpy.maximum(self._times[after] - self._times[before], 1).astype("f8")
        passed = (times - self._times[before]).astype("f8")
        share = numpy.where(before == after, 0.0, passed / span)
        outside = before == after
        rise = (self._offsets[after] - self._offsets[before]).astype("f8")
        offset = numpy.where(outside, passed * self._rate, rise * share)
        nearer = numpy.where(outside, 0.0, numpy.minimum(passed, span - passed))
        bound = self._bounds[before] + (self._bounds[after] - self._bounds[before]) * share
        bound += nearer * self._wander[before] + self._constant[before] * (nearer > 0)
        bound += numpy.where(outside, abs(passed) * (RATE / _BILLION + abs(self._rate)), 0.0)
        # Both are rounded, which the bound has to cover.
        return self._offsets[before] + numpy.rint(offset).astype("i8"), numpy.ceil(bound).astype("i8") + 1

    def at(self, time: int) -> int:
        """Give the offset at a time of the host, nanoseconds. It is for a single time; it never lets time go back."""
        after = bisect_right(self._places, time)
        if 0 < after < len(self._places):
            one, other = self.measurements[after - 1], self.measurements[after]
            return one.offset + (other.offset - one.offset) * (time - one.time) // (other.time - one.time)
        edge = self.measurements[max(after - 1, 0)]
        return edge.offset + round((time - edge.time) * self._rate)

    def worst(self, begin: int, end: int) -> int:
        """Give the greatest bound of times from `begin` to `end`, or a little more."""
        worst = int(self(numpy.array([begin, end]))[1].max())
        first = max(bisect_right(self._places, begin) - 1, 0)
        last = bisect_right(self._places, end)
        for place in range(first, min(last, len(self._places) - 1)):
            points, span = self._bounds[place : place + 2], self._places[place + 1] - self._places[place]
            worst = max(worst, int(points.max() + span / 2 * self._wander[place] + self._constant[place]) + 2)
        return worst

    def _prepare(self) -> None:
        points = self.measurements
        self._places = [each.time for each in points]
        self._times = numpy.array(self._places, "i8")
        self._offsets = numpy.array([each.offset for each in points], "i8")
        self._bounds = numpy.array([each.bound for each in points], "f8")
        # By the measurement before a time: parts of the time to the nearer measurement, and nanoseconds.
        spans = list(pairwise(points))
        self._wander = numpy.array([wander(one, other) / _BILLION for one, other in spans] + [0.0])
        bends = [max(other.bend, 0) + jump for (_, other), jump in zip(spans, self._jumps, strict=True)]
        self._constant = numpy.array([*bends, 0], "f8")
        first, last = points[0], points[-1]
        length, limit = last.time - first.time, RATE / _BILLION
        rate = (last.offset - first.offset) / length if length else 0.0
        certain = length > 0 and (first.bound + last.bound) / length < limit
        self._rate = min(max(rate, -limit), limit) if certain else 0.0

    def _narrowed(self, points: list[Measurement], place: int) -> Measurement:
        """Narrow a measurement by what its neighbours allow; note a contradiction."""
        here = points[place]
        neighbours = _neighbours(points, place)
        if neighbours is None:
            return here
        first, last = neighbours
        before, after = points[first], points[last]
        if min(each.bend for each in points[first : last + 1]) < 0:  # then nothing is known of what daemons did
            return here
        least, most = between(before, after, here.time)
        leeway = here.bend + after.bend + 1
        least, most = least + here.slew - leeway, most + here.slew + leeway
        low, high = max(here.low, least), min(here.high, most)
        if low <= high:
            return here._replace(low=low, high=high)
        self.steps += 1
        # A clock that was set by S in a span of length a, beside a span of length b, is off the line by S b / (a + b).
        off, length = max(here.high - least, most - here.low), after.time - before.time  # at most
        for begin, end, beside in ((first, place, after.time - here.time), (place, last, here.time - before.time)):
            for span in range(begin, end):
                self._jumps[span] = max(self._jumps[span], -(-off * length // beside))
        return here


def _neighbours(points: list[Measurement], place: int) -> tuple[int, int] | None:
    """Give the places of the measurements around one; knots, which follow from these, tell nothing about it."""
    if not points[place].exchanges:
        return None
    around = []
    for step in (-1, 1):
        other = place + step
        while 0 <= other < len(points) and not points[other].exchanges:
            other += step
        if not 0 <= other < len(points):
            return None
        around.append(other)
    return around[0], around[1]


def _merged(measurements: Iterable[Measurement]) -> list[Measurement]:
    """Sort by time. Of several at the same time there is the narrowest."""
    points: list[Measurement] = []
    for each in sorted(measurements, key=lambda each: (each.time, each.high - each.low)):
        if not points or each.time != points[-1].time:
            points.append(each)
    if not points:
        raise ValueError("expected at least one measurement of a clock, got none")
    return points
