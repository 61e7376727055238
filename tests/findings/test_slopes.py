"""Slopes of interventions, from blocks that are made up."""

import math

import numpy
import pytest

from launchpath._findings.interval import Interval
from launchpath._findings.intervention.slopes import GROUPS_LEAST, Slope, slope_of

LEVELS = (0.0, 1000.0, 2000.0)  # nanoseconds before each of 10 calls
COUNT = 10.0
PERIOD = 100_000.0


def blocks(
    groups: int,
    slope: float,
    noise: float = 200.0,
    drift: float = 0.0,
    outliers: float = 0.0,
    seed: int = 0,
) -> Slope:
    """Make blocks of a program, in an order by chance, and give their slope."""
    random = numpy.random.default_rng(seed)
    order = numpy.argsort(random.random((groups, len(LEVELS))), axis=1).reshape(-1)
    delay = numpy.array(LEVELS)[order]
    spent = COUNT * (delay + numpy.where(delay > 0, random.uniform(10, 40, len(delay)), 0))
    time = PERIOD + slope * spent + random.normal(0, noise, len(delay))
    time += drift * numpy.arange(len(delay))
    time += numpy.where(random.random(len(delay)) < outliers, random.exponential(50 * noise, len(delay)), 0)
    group = numpy.repeat(numpy.arange(groups), len(LEVELS)).astype("f8")
    return slope_of(group, delay, spent, time, numpy.full(len(delay), COUNT), len(delay) * 1e-3)


@pytest.mark.parametrize("true", [0.0, 0.06, 0.5, 1.0])
def test_intervals_have_the_slope_as_often_as_they_say(true: float) -> None:
    slopes = [blocks(30, true, seed=seed) for seed in range(200)]
    right = sum(slope.interval is not None and slope.interval.low <= true <= slope.interval.high for slope in slopes)
    assert 180 <= right <= 199  # of 200 with 95 %: outside of it by chance once in thousands


def test_a_slope_has_what_was_measured_beside_it() -> None:
    slope = blocks(30, 0.5)
    assert slope.interval is not None
    assert abs(slope.interval.value - 0.5) < 0.02
    assert (slope.groups, slope.count) == (30, COUNT)
    assert abs(slope.period - PERIOD) < 200
    assert [level[0] for level in slope.levels] == [0, 1000, 2000]
    for delay, spent, more in slope.levels:
        assert COUNT * delay <= spent <= COUNT * (delay + 40)
        assert abs(more - spent / 2) < 300


def test_drift_falls_out() -> None:
    # In 90 blocks the machine becomes slower by more than the longest delays take.
    slope = blocks(30, 0.0, drift=500.0)
    assert slope.interval is not None
    assert abs(slope.interval.value) < 0.05
    assert slope.interval.low < 0 < slope.interval.high


def test_blocks_that_something_else_disturbs_do_not_move_it() -> None:
    for seed in range(10):
        slope = blocks(100, 1.0, outliers=0.08, seed=seed)
        assert slope.interval is not None
        assert abs(slope.interval.value - 1) < 0.05
        assert slope.interval.half < 0.1


@pytest.mark.parametrize("groups", range(GROUPS_LEAST))
def test_too_few_groups_give_no_slope(groups: int) -> None:
    slope = blocks(groups, 1.0)
    assert slope.interval is None
    assert slope.groups == groups
    assert slope.needed(0.05).groups >= GROUPS_LEAST
    assert math.isnan(slope.spread) == (groups < 3)


def test_the_least_number_of_groups_gives_all_that_they_span() -> None:
    slope = blocks(GROUPS_LEAST, 1.0)
    assert slope.interval is not None
    assert slope.interval.half > 0.001


def test_groups_that_lack_a_level_are_left_out() -> None:
    group = numpy.repeat(numpy.arange(8.0), 2)
    delay = numpy.tile([0.0, 1000.0], 8)
    time = PERIOD + delay * COUNT
    time[1] = math.inf  # of group 0, which has lost its other level
    keep = numpy.arange(16) != 0
    count = numpy.full(15, COUNT)
    slope = slope_of(group[keep], delay[keep], (delay * COUNT)[keep], time[keep], count, 1.0)
    assert slope.interval == Interval(1.0, 1.0, 1.0)
    assert slope.groups == 7


@pytest.mark.parametrize("noise", [500.0, 2000.0])
def test_a_run_as_long_as_was_asked_for_gives_that_interval(noise: float) -> None:
    halves = []
    for seed in range(20):
        first = blocks(40, 0.5, noise=noise, seed=seed)
        need = first.needed(0.03)
        assert need.seconds == pytest.approx(need.groups * first.seconds / first.groups)
        again = blocks(need.groups, 0.5, noise=noise, seed=1000 + seed)
        assert again.interval is not None
        halves.append(again.interval.half)
    assert numpy.median(halves) < 0.03
    assert numpy.median(halves) > 0.01 or need.groups == 40


def test_a_run_that_was_long_enough_need_not_be_longer() -> None:
    slope = blocks(50, 0.5, noise=50.0)
    assert slope.needed(0.1).groups == 50


def test_thousands_of_groups_are_no_burden() -> None:
    slope = blocks(20_000, 0.5)
    assert slope.interval is not None
    assert abs(slope.interval.value - 0.5) < 0.005
