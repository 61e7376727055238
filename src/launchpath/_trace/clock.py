"""Clocks: from ticks of the host, and from times of a device, to nanoseconds of the monotonic clock."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.format import TIME_MOST

Integers = NDArray[Any]
_MOST_BITS = 63
# Two anchors of a device that are closer than this many times their errors say nothing about its rate.
_APART = 1000


class Clock:
    """A clock that is known at some points, its anchors, and interpolated between them. All of it is in integers.

    Before the first anchor and after the last it runs at the rate between these two. Anchors and times over `TIME_MOST`
    were damaged: such an anchor is left out, and such a time counts as `TIME_MOST`, in the result too. So times of 64
    bits can be subtracted from one another.

    Parameters
    ----------
    times : array_like of int
        What the clock showed at the anchors; not in order, perhaps.
    monotonic : array_like of int
        The monotonic clock at the anchors, nanoseconds.
    errors : array_like of int, optional
        By how many nanoseconds each anchor may be wrong. If given, anchors that are too close to their neighbour for
        their errors are left out.
    rate : tuple of int, optional
        Nanoseconds, and what the clock counts in that time: for a clock with a single anchor. The same if left out.
    """

    def __init__(
        self, times: Integers, monotonic: Integers, errors: Integers | None = None, rate: tuple[int, int] = (1, 1)
    ) -> None:
        times, monotonic = limited(times), limited(monotonic)
        order = numpy.lexsort((monotonic, times))
        order = order[(times[order] < TIME_MOST) & (monotonic[order] < TIME_MOST)]
        points, values = times[order], numpy.maximum.accumulate(monotonic[order])
        if errors is not None:
            places = _apart(points, limited(errors)[order])
        else:
            places = numpy.flatnonzero(numpy.diff(points, prepend=points[:1] - 1))
        self._points, self._values = points[places], values[places]
        self.anchors = len(self._points)  # how many anchors are in use
        if self.anchors > 1:
            rate = (int(self._values[-1] - self._values[0]), int(self._points[-1] - self._points[0]))
        # The rates before the first anchor, between each two, and after the last.
        self._rises = numpy.concatenate([[rate[0]], numpy.diff(self._values), [rate[0]]]).astype("i8")
        self._spans = numpy.concatenate([[rate[1]], numpy.diff(self._points), [rate[1]]]).astype("i8")

    def __call__(self, times: Integers) -> Integers:
        """Give the monotonic clock at some times, in nanoseconds as int64. The result never decreases with the time."""
        times = limited(times)
        if not self.anchors or not len(times):
            return times
        after: Any = numpy.searchsorted(self._points, times, "right")
        least, most = int(after.min()), int(after.max())
        if least == most:
            after = numpy.int64(least)
        base = numpy.maximum(after - 1, 0)
        distance = times - self._points[base]
        scaled = _scaled(distance, self._rises[after], self._spans[after])
        return numpy.asarray(numpy.clip(self._values[base] + scaled, -TIME_MOST, TIME_MOST))


def limited(times: Integers) -> Integers:
    """Give times as int64, those over `TIME_MOST` as that."""
    return numpy.asarray(numpy.minimum(times, TIME_MOST).astype("i8"))


def _apart(points: Integers, errors: Integers) -> Integers:
    """Places of the anchors that are far enough from one another, for their errors, to give a rate."""
    places: list[int] = []
    for place in range(len(points)):
        if places:
            apart = int(points[place] - points[places[-1]])
            if apart <= _APART * int(errors[place] + errors[places[-1]]) or not apart:
                if errors[place] < errors[places[-1]]:
                    places[-1] = place
                continue
        places.append(place)
    return numpy.array(places, "i8")


def _scaled(distance: Integers, rise: Any, span: Any) -> Integers:
    """Compute ``distance * rise // span``, exactly: the product may need more than 64 bits.

    That is long division, with digits of as many bits as leave room. Rounds towards zero. What is over `TIME_MOST`
    counts as that.
    """
    sign = numpy.sign(distance)
    distance = numpy.abs(distance)
    rise, span = numpy.asarray(rise, "i8"), numpy.asarray(span, "i8")
    bits = int(distance.max()).bit_length()
    if bits + int(rise.max()).bit_length() <= _MOST_BITS:
        return numpy.asarray(sign * (distance * rise // span))
    large = distance * (rise / span) >= TIME_MOST  # in floating point: its error does not matter there
    distance = numpy.where(large, 0, distance)
    digit = max(_MOST_BITS - 1 - max(int(rise.max()).bit_length(), int(span.max()).bit_length()), 1)
    digits = -(-bits // digit)
    quotient, rest = numpy.zeros_like(distance), numpy.zeros_like(distance)
    for place in reversed(range(digits)):
        value = (distance >> (place * digit)) & ((1 << digit) - 1)
        total = (rest << digit) + value * rise
        quotient = (quotient << digit) + total // span
        rest = total % span
    return numpy.asarray(sign * numpy.where(large, TIME_MOST, quotient))
