"""Regions: what repeats in a sequence of calls."""

from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.repetition import find_repetition
from launchpath._findings.regions.sequences import Stretches
from launchpath._findings.statistics import mean_interval, median_interval
from launchpath._findings.timeline.building import read_timeline
from launchpath._trace import format
from tests.trace.builder import FACTS, Builder, call, clocks, command, range_, times


def places(sequence: list[int]) -> list[int] | None:
    repetition = find_repetition(numpy.array(sequence, "i8"))
    return None if repetition is None else repetition.places.tolist()


@given(st.lists(st.integers(0, 2), min_size=1, max_size=40), st.data())
@settings(max_examples=200, deadline=None)
def test_stretches_are_equal_if_their_hashes_are(sequence: list[int], data: st.DataObject) -> None:
    limits = st.integers(0, len(sequence))
    pairs = sorted(sorted((data.draw(limits), data.draw(limits))) for _ in range(2))
    first, last = (numpy.array(column) for column in zip(*pairs, strict=True))
    hashes = Stretches(numpy.array(sequence)).hashes(first, last)
    (a, b), (c, d) = pairs
    assert (hashes[0] == hashes[1]) == (sequence[a:b] == sequence[c:d])


def test_a_loop_is_found_between_what_comes_before_and_after() -> None:
    step = [5, 6, 6, 6, 7]
    assert places([1, 2, 3, *step * 30, 4]) == list(range(3, 3 + 5 * 30, 5))


def test_the_longer_of_nested_loops_is_the_step() -> None:
    step = [5, *[6, 7] * 40, 8]
    assert places(step * 25) == list(range(0, len(step) * 25, len(step)))


def test_all_repetitions_of_a_short_loop_count() -> None:
    """Other calls are so many here that the loop is looked for by several calls at a time too."""
    assert places([1, 2, 3, 4, *[5] * 50, 6, 7, 8]) == list(range(4, 54))


def test_a_loop_begins_with_its_first_call() -> None:
    """Though its first round has another call in it, and rounds that begin behind that call are all alike."""
    step = [5, 6, 7, 8]
    assert places([1, 5, 6, 9, 7, 8, *step * 40, 2]) == [1, *range(6, 6 + 4 * 40, 4)]


def test_a_few_other_calls_do_not_hide_a_loop() -> None:
    sequence = []
    for number in range(50):
        sequence += [1, 2, 2, 3] + ([9] if number % 10 == 0 else [])
    assert places(sequence) == [place for place, token in enumerate(sequence) if token == 1]


@pytest.mark.parametrize("sequence", [[], [1], [1, 2, 3], [1, 2, 1, 2], list(range(100))])
def test_what_does_not_repeat_three_times_is_no_loop(sequence: list[int]) -> None:
    assert places(sequence) is None


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.integers(20, 40))
@settings(max_examples=100, deadline=None)
def test_each_repetition_that_is_typical_is_the_same(step: list[int], count: int) -> None:
    sequence = numpy.array(step * count)
    repetition = find_repetition(sequence)
    assert repetition is not None
    begins, ends = repetition.places[:-1][repetition.typical], repetition.places[1:][repetition.typical]
    assert len({tuple(sequence[begin:end]) for begin, end in zip(begins, ends, strict=True)}) == 1


def program(path: Path, steps: int, ranges: bool, pause: int = 0) -> Path:
    """Write a trace of steps of three launches and a synchronization; the first loads for long."""
    slots, now, number = clocks(), 10_000, 1
    for step in range(steps):
        begin = now
        for _ in range(3):
            slots += [
                command(number, now, (now + 10, now + 900), now + 1000),
                times(number, now + 10, now + 2000, now + 3000),
            ]
            now, number = now + 1100, number + 1
        slots.append(call(3, now, now + 4000 + 50_000 * (step == 0), correlation=number, stream=1))
        now, number = now + 4100 + 50_000 * (step == 0), number + 1
        if ranges:
            slots.append(range_(format.RANGE_NAMES + 1, begin, now - 50))
        now += pause
    Builder().meta(**FACTS).names({1: "integrate", format.RANGE_NAMES + 1: "step"}).slots(*slots).write(path)
    return path


@pytest.mark.parametrize("ranges", [True, False])
def test_a_program_that_repeats(tmp_path: Path, ranges: bool) -> None:
    timeline = read_timeline(program(tmp_path / "a.lptrace", 40, ranges))
    (region,) = find_regions(timeline)
    assert region.source == ("range" if ranges else "repetition")
    assert region.name == ("step" if ranges else "repetition of cuStreamSynchronize")
    assert region.period.value == pytest.approx(7400, abs=100)
    assert region.typical.sum() == len(region) - 1 if ranges else len(region) >= 38
    matrix = region.aligned()
    assert matrix.shape[1] == 4
    assert (numpy.diff(matrix, axis=1) == 1).all()
    repetition = region.repetition_of(region.rows())
    assert (repetition >= 0).all() and (numpy.bincount(repetition) == 4).all()


def test_time_between_repetitions_is_theirs_if_it_is_short(tmp_path: Path) -> None:
    (region,) = find_regions(read_timeline(program(tmp_path / "a.lptrace", 40, True, pause=3000)))
    assert region.period.value == pytest.approx(10_400, abs=100)
    (region,) = find_regions(read_timeline(program(tmp_path / "b.lptrace", 40, True, pause=300_000)))
    assert region.source == "repetition"  # ranges that cover little of the time are not what the program does
    assert region.period.value == pytest.approx(307_400, abs=100)


@pytest.mark.parametrize("steps", [1, 2])
def test_what_runs_once_or_twice_is_no_region(tmp_path: Path, steps: int) -> None:
    assert find_regions(read_timeline(program(tmp_path / "a.lptrace", steps, True))) == []


def test_intervals_have_the_true_value_nearly_always() -> None:
    random = numpy.random.default_rng(1)
    means = medians = 0
    for _ in range(400):
        values = random.normal(10, 3, 12)
        mean, median = mean_interval(values), median_interval(values)
        means += mean.low <= 10 <= mean.high
        medians += median.low <= 10 <= median.high
    assert 0.92 * 400 <= means <= 0.98 * 400
    assert 0.92 * 400 <= medians <= 0.995 * 400
