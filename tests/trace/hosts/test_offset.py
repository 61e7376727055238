"""Offsets between measurements, against clocks whose offset is known at every time."""

import math
import random
from collections.abc import Callable

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from launchpath._trace.hosts.exchange import RATE
from launchpath._trace.hosts.measurement import WANDER, Measurement
from launchpath._trace.hosts.offset import Offset

SECOND = 10**9
MINUTE = 60 * SECOND


def at(time: int, true: int, half: int = 50_000, shift: int = 0, **more: int) -> Measurement:
    """Give a measurement whose interval has the truth in it, `shift` from its middle."""
    assert abs(shift) <= half
    return Measurement(time, true + shift - half, true + shift + half, 2 * half, 16, **more)


def asserted(offset: Offset, true: Callable[[int], int], times: list[int]) -> list[int]:
    """Assert that the truth is inside at all these times; give the bounds."""
    stated, bounds = offset(numpy.array(times))
    for time, value, bound in zip(times, stated.tolist(), bounds.tolist(), strict=True):
        assert abs(true(time) - value) <= bound, (time, true(time) - value, bound)
    return list(bounds.tolist())


@given(
    drift=st.floats(-1000, 1000),
    swing=st.floats(0, 0.2),
    period=st.integers(400, 4000),
    shifts=st.lists(st.integers(-50_000, 50_000), min_size=2, max_size=8),
    ahead=st.integers(-(10**17), 10**17),
    seed=st.integers(0, 100),
)
def test_the_true_offset_is_inside_at_all_times(
    drift: float, swing: float, period: int, shifts: list[int], ahead: int, seed: int
) -> None:
    """A rate of `swing` ppm up and down stays within `WANDER` of its mean over a minute if the period is long."""
    assert swing * 1000 * 2 * math.pi / period * 60 < WANDER

    def true(time: int) -> int:
        seconds, turn = time / SECOND, 2 * math.pi / period
        return ahead + round(seconds * drift * 1e3 + swing * 1e3 / turn * (1 - math.cos(turn * seconds)))

    points = [at(place * MINUTE, true(place * MINUTE), shift=shift) for place, shift in enumerate(shifts)]
    offset = Offset(points)
    draw = random.Random(seed)
    last = points[-1].time
    inside = [draw.randrange(last) for _ in range(50)] + [each.time for each in points]
    bounds = asserted(offset, true, inside)
    assert max(bounds) <= 50_000 + WANDER * 30 + 2
    assert offset.steps == 0
    asserted(offset, true, [-5 * SECOND, last + 5 * SECOND, last + 10 * MINUTE])


def test_the_bound_between_measurements_is_that_of_both_and_of_the_crystals() -> None:
    offset = Offset([at(0, 100, 10_000), at(MINUTE, 700, 30_000)])
    stated, bounds = offset(numpy.array([0, MINUTE // 2, MINUTE]))
    assert stated.tolist() == [100, 400, 700]
    assert bounds.tolist() == [10_001, 20_000 + WANDER * 30 + 1, 30_001]
    assert offset.worst(0, MINUTE) >= bounds.max()
    assert [offset.at(time) for time in (0, MINUTE // 2, MINUTE)] == [100, 400, 700]


def test_beyond_the_measurements_the_clocks_drift_as_much_as_they_can() -> None:
    alone = Offset([at(MINUTE, 5000, 1000)])
    stated, bounds = alone(numpy.array([MINUTE + SECOND, MINUTE - SECOND]))
    assert stated.tolist() == [5000, 5000]
    assert bounds.tolist() == [1000 + RATE + 1] * 2
    asserted(alone, lambda time: 5000 + (time - MINUTE) * RATE // 10**9, [0, MINUTE + 7 * SECOND])


def test_a_bend_widens_the_span_before_it_alone() -> None:
    points = [at(0, 0), at(MINUTE, 0, bend=9000), at(2 * MINUTE, 0)]
    _, bounds = Offset(points)(numpy.array([MINUTE // 2, MINUTE * 3 // 2]))
    assert bounds[0] - bounds[1] == 9000


def test_what_daemons_did_is_no_contradiction() -> None:
    """The rate changes by 20 ppm at the second measurement: 1.2 ms in a minute, of a bound of 50 us."""
    points = [at(0, 0), at(MINUTE, 0), at(2 * MINUTE, 1_200_000, slew=1_200_000)]
    assert Offset(points).steps == 0
    assert Offset([each._replace(slew=0) for each in points]).steps == 1


def test_where_it_is_not_known_what_daemons_did_the_bound_has_all_they_may_do() -> None:
    points = [at(0, 0), at(MINUTE, 0, bend=-1), at(2 * MINUTE, 1_200_000)]
    offset = Offset(points)
    assert offset.steps == 0
    _, bounds = offset(numpy.array([SECOND, MINUTE + SECOND]))
    assert bounds[0] >= 2 * RATE > bounds[1] - 60_000


@pytest.mark.parametrize("moment", [1, 20, 59, 61, 100, 119])
@pytest.mark.parametrize("step", [10_000_000, -3_000_000])
def test_a_clock_that_is_set_between_measurements_is_noticed_and_the_bound_has_it(moment: int, step: int) -> None:
    def true(time: int) -> int:
        return 777 + time * 30 // 10**6 + (step if time >= moment * SECOND else 0)

    offset = Offset([at(place * MINUTE, true(place * MINUTE)) for place in range(4)])
    assert offset.steps >= 1
    asserted(offset, true, list(range(0, 3 * MINUTE, SECOND // 2)))


def test_neighbours_narrow_a_measurement_that_had_a_bad_moment() -> None:
    points = [at(0, 0, 20_000), at(MINUTE, 0, 900_000, shift=800_000), at(2 * MINUTE, 0, 20_000)]
    offset = Offset(points)
    bounds = asserted(offset, lambda time: 0, [0, MINUTE, 2 * MINUTE])
    assert bounds[1] < 20_000 + 2 * WANDER * 60 + 10


def test_measurements_may_come_in_any_order_and_twice() -> None:
    points = [at(place * MINUTE, place * 1000, shift=place) for place in range(5)]
    times = numpy.arange(0, 4 * MINUTE, 7 * SECOND)
    expected = Offset(points)(times)
    for order in ([3, 1, 4, 0, 2, 2], [4, 3, 2, 1, 0, 0]):
        assert numpy.array_equal(Offset([points[place] for place in order])(times), expected)


def test_single_times_are_those_of_arrays_and_never_go_back() -> None:
    points = [at(0, 0), at(SECOND, -900_000), at(2 * SECOND, 700_000), at(3 * SECOND, 10**7)]
    offset = Offset(points)
    times = [*range(-1000, 3000), *range(SECOND - 2000, SECOND + 2000), *range(4 * SECOND, 4 * SECOND + 2000)]
    moved = [time + offset.at(time) for time in times]
    assert moved == sorted(moved)
    stated, _ = offset(numpy.array(times))
    assert abs(numpy.array(moved) - numpy.array(times) - stated).max() <= 1


def test_no_measurement_is_no_offset() -> None:
    with pytest.raises(ValueError, match="expected at least one measurement"):
        Offset([])
