"""What daemons do to a clock, watched; and knots, which follow from it."""

import random
from collections.abc import Callable

import numpy
import pytest

from launchpath._trace.hosts.measurement import Measurement
from launchpath._trace.hosts.offset import Offset
from launchpath._tracing.clocks.knots import MOST, Sides, with_knots
from launchpath._tracing.clocks.slewing import Slewing

SECOND = 10**9
STEP = SECOND // 4


class Hand:
    """A time that is moved by hand."""

    def __init__(self) -> None:
        self.now = 5 * SECOND

    def slewing(self, slew: Callable[[int], int], noise: int = 0) -> Slewing:
        draw = random.Random(3)
        return Slewing(
            lambda: self.now + slew(self.now), lambda: self.now + (draw.randrange(-noise, noise + 1) if noise else 0)
        )


def watched(slew: Callable[[int], int], seconds: int, noise: int = 0) -> tuple[Hand, Slewing]:
    hand = Hand()
    slewing = hand.slewing(slew, noise)
    slewing.look()
    for _ in range(seconds * 4):
        hand.now += STEP
        slewing.look()
    return hand, slewing


def correction(begin: int, end: int, ppm: int) -> Callable[[int], int]:
    """Give what a daemon adds from one time to another."""
    return lambda now: max(min(now, end) - begin, 0) * ppm // 10**6


def farthest(slew: Callable[[int], int], begin: int, end: int) -> float:
    """Give how far a clock is from the line between two times."""
    rise = (slew(end) - slew(begin)) / (end - begin)
    return max(abs(slew(now) - slew(begin) - rise * (now - begin)) for now in range(begin, end + 1, STEP // 16))


def test_a_clock_that_nobody_corrects_is_straight() -> None:
    hand, slewing = watched(lambda now: now * 37 // 10**6, 20)  # a steady rate is none of a daemon's bends
    slew, bend = slewing.since(hand.now - 15 * SECOND, hand.now)
    assert slew == pytest.approx(hand.now * 37 // 10**6, abs=50)
    assert 0 <= bend <= 20


def test_errors_of_looks_do_not_add_up_to_a_large_bend() -> None:
    hand, slewing = watched(lambda now: 0, 60, noise=30)
    assert slewing.since(hand.now - 50 * SECOND, hand.now)[1] < 1000


@pytest.mark.parametrize("begin", [7.0, 7.1, 7.24, 9.9, 11.0])
@pytest.mark.parametrize(("length", "ppm"), [(0.01, 500), (0.1, -500), (2.0, 40), (5.0, 500)])
def test_the_clock_is_never_farther_from_a_line_than_its_bend(begin: float, length: float, ppm: int) -> None:
    start = int(begin * SECOND)
    slew = correction(start, start + int(length * SECOND), ppm)
    hand, slewing = watched(slew, 20)
    draw = random.Random(1)
    for first, last in [
        (5 * SECOND, hand.now),
        *(sorted(draw.sample(range(6 * SECOND, hand.now - SECOND), 2)) for _ in range(20)),
    ]:
        _, bend = slewing.since(first + slew(first), last + slew(last))
        assert bend >= farthest(slew, first, last) - 2
    assert slewing.since(5 * SECOND, hand.now)[1] < 4 * abs(slew(hand.now)) + 20


def test_times_that_were_not_watched_are_not_known() -> None:
    hand, slewing = watched(lambda now: 0, 2)
    assert slewing.since(SECOND, hand.now)[1] == -1
    assert slewing.since(hand.now, hand.now + 100 * SECOND)[1] >= 0  # what has not come counts as now
    assert Slewing(lambda: 0, None).since(0, 0) == (0, -1)


def test_without_a_raw_clock_nothing_is_watched() -> None:
    slewing = Slewing(lambda: 0, None)
    slewing.start()
    slewing.look()
    slewing.stop()


def knots(slew: Callable[[int], int], half: int = 40_000) -> tuple[Hand, list[Measurement]]:
    """Measure at the begin and the end of a minute; the reference is corrected, the own clock is not."""
    hand, other = watched(slew, 62)
    own = Slewing(lambda: hand.now, lambda: hand.now)
    own._looks = [each._replace(slew=0) for each in other._looks]
    begin, end = 6 * SECOND, 66 * SECOND
    before, after = (
        Measurement(time, slew(time) - half, slew(time) + half, 2 * half, 16, slew(time)) for time in (begin, end)
    )
    sides = Sides(own.since, other.since, before, after)
    return hand, [before, *with_knots(sides, before, after._replace(bend=sides.since(begin, end).bend))]


def test_knots_follow_a_clock_that_is_corrected() -> None:
    slew = correction(30 * SECOND, 35 * SECOND, 200)  # a millisecond
    _, points = knots(slew)
    assert 3 < len(points) < 40
    plain = Offset([points[0], points[-1]._replace(bend=2_000_000)])
    offset = Offset(points)
    times = numpy.arange(6 * SECOND, 66 * SECOND, SECOND // 10)
    stated, bounds = offset(times)
    true = numpy.array([slew(time) for time in times.tolist()])
    assert (abs(stated - true) <= bounds).all()
    assert numpy.median(bounds) < 60_000 and numpy.median(plain(times)[1]) > 1_000_000
    assert offset.steps == 0


def test_a_straight_clock_has_no_knots() -> None:
    assert len(knots(lambda now: now * 20 // 10**6)[1]) == 2


def test_clocks_that_were_looked_at_too_seldom_have_no_knots() -> None:
    before, after = (Measurement(time, 0, 1000, 1000, 16) for time in (0, 60 * SECOND))

    def since(begin: int, end: int) -> tuple[int, int]:
        return 0, 10**6

    sides = Sides(since, since, before, after)
    assert with_knots(sides, before, after) == [after._replace(bend=2 * 10**6)]
    unknown = Sides(since, lambda begin, end: (0, -1), before, after)
    assert with_knots(unknown, before, after._replace(bend=-1)) == [after._replace(bend=-1)]


def test_a_clock_that_is_corrected_all_the_time_has_a_limited_number_of_knots() -> None:
    before, after = (Measurement(time, 0, 1000, 1000, 16) for time in (0, 3600 * SECOND))
    sides = Sides(lambda begin, end: (0, 0), lambda begin, end: (0, (end - begin) // 1000), before, after)
    assert MOST / 2 < len(with_knots(sides, before, after)) <= MOST + 1
