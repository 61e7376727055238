"""A measurement of the offset: some exchanges, and the interval that all of them allow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from launchpath._trace.hosts.exchange import RATE, Exchange, drifted
from launchpath._trace.process import is_int

_MOST = 1 << 62  # nanoseconds: what is above was damaged
# A stated limit, in parts of a billion: the rate of one crystal against another one's is within this of its mean over a
# minute, 0.15 ppm each. Oscillators of computers stay within 0.1 ppm at all scales of time in rooms for machines.
WANDER = 300
MINUTE = 60 * 10**9  # nanoseconds


class Measurement(NamedTuple):
    """At `time` of the own clock the offset was from `low` to `high`. All are nanoseconds.

    Attributes
    ----------
    time, low, high : int
    round_trip : int
        The shortest one of its exchanges.
    exchanges : int
        How many it is made of; 0: it is a knot, which follows from the measurements around it.
    slew : int
        What time daemons have added to the reference's clock until now, less what they have added to the own one. A
        constant may be added to all of a host: differences between measurements count.
    bend : int
        By how much either clock was bent since the measurement before: from a straight line, at most, both together.
        Negative: neither this nor `slew` is known.
    """

    time: int
    low: int
    high: int
    round_trip: int
    exchanges: int
    slew: int = 0
    bend: int = 0

    @property
    def offset(self) -> int:
        """The middle of the interval."""
        return (self.low + self.high) // 2

    @property
    def bound(self) -> int:
        """By how much that may be wrong."""
        return (self.high - self.low + 1) // 2

    @classmethod
    def read(cls, value: Any) -> Measurement | None:
        """Read a measurement from JSON; None if it is none."""
        if not isinstance(value, list) or len(value) != len(cls._fields):
            return None
        if not all(is_int(each) and abs(each) < _MOST for each in value):
            return None
        measurement = cls(*value)
        if measurement.high < measurement.low or measurement.round_trip < 0 or measurement.exchanges < 0:
            return None
        return measurement


def measured(exchanges: Iterable[Exchange], slew: int = 0, bend: int = 0) -> Measurement | None:
    """Make a measurement of exchanges; None if no offset is in the intervals of all of them, or there are none.

    Its time is the middle of the shortest exchange. The interval of another exchange is widened by what the clocks may
    have drifted apart since then; its own by what they may drift apart in half of it. So the measurement is never wider
    than the shortest round trip, but for that.
    """
    exchanges = list(exchanges)
    if not exchanges:
        return None
    best = min(exchanges, key=lambda each: each.round_trip)
    time = best.middle
    lows, highs = zip(*(_at(each, time) for each in exchanges), strict=True)
    low, high = max(lows), min(highs)
    if high < low:
        return None
    return Measurement(time, low, high, max(best.round_trip, 0), len(exchanges), slew, bend)


def _at(exchange: Exchange, time: int) -> tuple[int, int]:
    """Give the interval of an exchange as one of another time: both of its ends were true at some moment of it."""
    leeway = drifted(max(abs(exchange.sent - time), abs(exchange.returned - time)))
    return exchange.low - leeway, exchange.high + leeway


def wander(before: Measurement, after: Measurement) -> int:
    """Give by how much a rate may differ from its mean between two measurements, in parts of a billion."""
    if after.bend < 0:
        return 2 * RATE
    return min(-(-WANDER * max(after.time - before.time, MINUTE) // MINUTE), 2 * RATE)


def between(before: Measurement, after: Measurement, time: int) -> tuple[int, int]:
    """Give the interval at a time that two measurements around it allow for the crystals: without any `slew`."""
    length, passed = after.time - before.time, time - before.time
    leeway = -(-min(passed, length - passed) * wander(before, after) // 10**9)
    ends = []
    for name, sign in (("low", -1), ("high", 1)):
        begin, end = (getattr(each, name) - each.slew for each in (before, after))
        ends.append(begin + (end - begin) * passed // length + sign * leeway)
    return ends[0], ends[1] + 1
