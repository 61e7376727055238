"""Findings of a long trace, of which some stretches are read."""

from __future__ import annotations

import numpy
import pytest

from launchpath._findings.region_summary import RegionSummary
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.timeline.timeline import Timeline
from launchpath._findings.why import _Examination
from tests.findings.loops import Loop, launch
from tests.findings.timelines import EPOCH, Calls

PERIOD = 1_000_000
REPETITIONS = 40


def body(calls: Calls, number: int, begin: int) -> None:
    for place in range(3):
        at = begin + 100_000 * place
        launch(calls, at, [(at + 3000, at + 90_000)])
    calls.call("synchronize", begin + 400_000, begin + 450_000, stream=1, site="simulate.py:63 step")


def loop(ranges: bool = True) -> Timeline:
    made = Loop(REPETITIONS, PERIOD)
    for number in range(REPETITIONS):
        if ranges:
            made.calls.range("step", number * PERIOD, (number + 1) * PERIOD - 10)
        body(made.calls, number, number * PERIOD)
    return made.calls.timeline()


def cut(timeline: Timeline, *stretches: tuple[float, float]) -> Timeline:
    """Leave only the calls of some stretches, in repetitions from the begin on, as reading a long trace does."""
    timeline.stretches = numpy.array(stretches) * PERIOD + EPOCH
    timeline.stretches = timeline.stretches.astype("i8")
    ops, works = timeline.ops, timeline.works
    keep = timeline.is_whole(ops.begin, ops.end)
    place = numpy.cumsum(keep) - 1
    kept = keep[works.op]
    timeline.works = works.take(kept)
    timeline.works.op = place[works.op[kept]].astype("i4")
    first = numpy.cumsum(kept) - 1
    has = ops.work >= 0
    ops.work[has] = first[ops.work[has]]
    timeline.ops = ops.take(keep)
    return timeline


def share_of(*stretches: tuple[float, float]) -> float:
    return cut(loop(), *stretches).share


def test_a_trace_that_is_read_whole_has_no_share_to_take() -> None:
    timeline = loop()
    assert timeline.share == 1.0
    assert timeline.is_whole(numpy.array([-1, 5]), numpy.array([0, 2**61])).all()
    assert Calls().timeline().share == 1.0
    empty = Calls().timeline()
    empty.stretches = numpy.array([[0, 5]])
    assert empty.share == 1.0


def test_the_share_is_that_of_the_time_between_the_first_and_the_last_call() -> None:
    # The last call ends at 0.45 of the last repetition.
    assert share_of((0, 10), (30, 39.45)) == pytest.approx(19.45 / 39.45)
    assert share_of((0, 20), (20, 39.45)) == pytest.approx(1.0)


def test_what_is_whole_begins_and_ends_in_the_same_stretch() -> None:
    timeline = loop()
    timeline.stretches = numpy.array([[0, 100], [200, 300]])
    spans = [(0, 100), (99, 101), (100, 200), (150, 160), (50, 250), (200, 300), (250, 301), (-1, 5), (300, 300)]
    begin, end = numpy.array(spans).T
    assert timeline.is_whole(begin, end).tolist() == [True, False, False, False, False, True, False, False, True]


@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "repetition"])
def test_repetitions_across_the_end_of_a_stretch_are_none(ranges: bool) -> None:
    timeline = cut(loop(ranges), (0, 10.25), (20.75, 30.5), (35.5, REPETITIONS))
    (region,) = find_regions(timeline)
    assert region.source == ("range" if ranges else "repetition")
    numbers = (region.begins - EPOCH) // PERIOD
    expected = [*range(10), *range(21, 30), *range(36, 40)]
    # Without ranges a repetition is known by what follows it: the last ones of a stretch may not be.
    assert numbers.tolist() == [each for each in expected if ranges or each in numbers]
    assert len(numbers) >= len(expected) - 2 * 3
    assert region.durations.max() <= PERIOD
    assert (region.last - region.first == 4)[region.typical].all() and region.typical.sum() >= len(numbers) - 1


def test_ranges_of_a_small_part_of_the_trace_are_the_regions_still() -> None:
    """Of the whole time they cover 15 %, of what is read nearly all."""
    stretches = [(each, each + 3.0) for each in (0.0, 18.0, 37.0)]
    (region,) = find_regions(cut(loop(), *stretches))
    assert region.source == "range" and region.name == "step" and len(region) == 9


def examined(timeline: Timeline) -> RegionSummary:
    examination = _Examination(None)
    examination.add(timeline)
    (summary,) = examination.finish().regions
    return summary


def test_counts_are_those_of_the_whole_trace() -> None:
    whole, part = examined(loop()), examined(cut(loop(), (0, 10), (30, REPETITIONS)))
    assert whole.repetitions == REPETITIONS
    assert part.repetitions == pytest.approx(REPETITIONS, abs=1)
    assert part.period == whole.period and part.counts == whole.counts
    assert part.busy == pytest.approx(whole.busy, rel=0.02)
