"""Exchanges and measurements: the true offset is inside, whatever the network does."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from launchpath._trace.hosts.exchange import RATE, Exchange, drifted
from launchpath._trace.hosts.measurement import Measurement, measured

US = 1000
AHEAD = 7_000_000_000_000  # the reference's clock is ahead by so much when the own one is 0


def reference(own: int, drift: int = 0) -> int:
    """Give the reference's clock; `drift` is in parts of a billion."""
    return own + AHEAD + own * drift // 10**9


def exchange(begin: int, there: int, stay: int, back: int, drift: int = 0) -> Exchange:
    """Make an exchange; times of the own clock, nanoseconds."""
    arrived = begin + there
    answered = arrived + stay
    return Exchange(begin, reference(arrived, drift), reference(answered, drift), answered + back)


def test_the_interval_is_as_wide_as_both_ways_together() -> None:
    each = exchange(1000, 30 * US, 5 * US, 70 * US)
    assert (each.low, each.high, each.round_trip) == (AHEAD - 70 * US, AHEAD + 30 * US, 100 * US)


@pytest.mark.parametrize(("there", "back"), [(0, 100 * US), (100 * US, 0), (50 * US, 50 * US), (1, 1), (0, 0)])
def test_the_true_offset_is_inside_also_where_all_of_the_time_is_on_a_single_way(there: int, back: int) -> None:
    each = exchange(10**9, there, 3 * US, back)
    assert each.fault() is None
    measurement = measured([each])
    assert measurement is not None
    assert measurement.low <= AHEAD <= measurement.high
    assert abs(measurement.offset - AHEAD) <= measurement.bound


@given(
    ways=st.lists(
        st.tuples(st.integers(0, 10**7), st.integers(0, 10**6), st.integers(0, 10**7), st.integers(0, 10**6)),
        min_size=1,
        max_size=30,
    ),
    drift=st.integers(-RATE, RATE),
    begin=st.integers(0, 10**14),
)
def test_the_true_offset_is_inside_whatever_the_delays_are(
    ways: list[tuple[int, int, int, int]], drift: int, begin: int
) -> None:
    made, time = [], begin
    for there, stay, back, pause in ways:
        made.append(exchange(time, there, stay, back, drift))
        time += there + stay + back + pause
    assert not [each for each in made if each.fault()]
    measurement = measured(made)
    assert measurement is not None
    true = reference(measurement.time, drift) - measurement.time
    assert measurement.low - 1 <= true <= measurement.high + 1  # the clock's own rounding
    shortest = min(there + back for there, _, back, _ in ways)
    longest = max(there + stay + back for there, stay, back, _ in ways)
    assert measurement.high - measurement.low <= shortest + 3 * drifted(longest) + 4


def test_the_bound_is_half_of_the_shortest_round_trip_at_most() -> None:
    draw = random.Random(1)
    made = [
        exchange(
            n * 10**6, 80 * US + int(draw.expovariate(1 / 60_000)), 2 * US, 90 * US + int(draw.expovariate(1 / 60_000))
        )
        for n in range(16)
    ]
    measurement = measured(made)
    assert measurement is not None
    assert measurement.round_trip == min(each.round_trip for each in made)
    assert measurement.bound <= 1.01 * measurement.round_trip / 2
    assert measurement.low <= AHEAD <= measurement.high


def test_ways_that_are_long_in_turn_narrow_the_interval_below_the_shortest_round_trip() -> None:
    made = [exchange(0, 10 * US, US, 90 * US), exchange(10**6, 90 * US, US, 10 * US)]
    measurement = measured(made)
    assert measurement is not None
    assert measurement.bound < 15 * US < measurement.round_trip / 2
    assert measurement.low <= AHEAD <= measurement.high


def test_a_clock_that_is_set_between_exchanges_gives_no_measurement() -> None:
    before, after = exchange(0, 10 * US, US, 10 * US), exchange(10**6, 10 * US, US, 10 * US)
    moved = after._replace(received=after.received + 10**6, answered=after.answered + 10**6)
    assert measured([before, after]) is not None
    assert measured([before, moved]) is None
    assert measured([]) is None


@pytest.mark.parametrize(
    ("times", "fault"),
    [
        ((100, 0, 0, 99), "own clock went back"),
        ((100, 9, 8, 200), "reference's clock went back"),
        ((0, 0, 10_000, 5_000), "had it for 10000 ns of 5000 ns"),
        ((0, 0, 0, 0), None),
        ((0, 50, 60, 10), None),
    ],
)
def test_times_that_no_clock_can_have_had_are_named(times: tuple[int, int, int, int], fault: str | None) -> None:
    told = Exchange(*times).fault()
    assert (told is None) if fault is None else (fault in (told or ""))


@pytest.mark.parametrize(
    "value",
    [None, [], [1, 2, 3], [0, 5, 4, 1, 1, 0, 0], [0, 1, 2, -1, 1, 0, 0], [0, 1, 2, 1, True, 0, 0], [1 << 63, 0, 0, 0, 0, 0, 0],
     [0.5, 1, 2, 1, 1, 0, 0], {"time": 0}],
)  # fmt: skip
def test_a_damaged_measurement_is_none(value: object) -> None:
    assert Measurement.read(value) is None


def test_a_measurement_is_read_as_it_was_written() -> None:
    measurement = Measurement(5, -7, 9, 12, 16, -3, -1)
    assert Measurement.read(list(measurement)) == measurement
