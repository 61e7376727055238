"""Programs whose thread runs ahead of the device: the time of a repetition is that of its work."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy
import pytest

from launchpath._findings.idle.idle import idle_of
from launchpath._findings.region_summary import RegionSummary, Share
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.region import Region
from launchpath._findings.report import Report
from launchpath._findings.shown import sentences
from launchpath._findings.timeline.timeline import Timeline
from launchpath._findings.why import _Examination
from tests.findings.steps import US
from tests.findings.test_long_traces import cut
from tests.findings.timelines import Calls

KERNEL, CALL, COUNT = 1590 * US, 2 * US, 50


def ahead(count: int = COUNT, kernel: Callable[[int], float] = lambda _: KERNEL, gap: float = 4 * US) -> Calls:
    """Launch without waiting, every 40 us, and wait at the end."""
    calls, free = Calls(), 0.0
    for number in range(count):
        at = number * 40 * US
        free = max(free, at + CALL) + gap
        calls.call("launch", at, at + CALL, name="life", stream=1, works=[(free, free + kernel(number))])
        free += kernel(number)
    calls.call("synchronize device", count * 40 * US, free + US)
    return calls


def region_of(timeline: Timeline) -> Region:
    [found] = find_regions(timeline)
    return found


def report_of(timeline: Timeline) -> Report:
    examination = _Examination(None)
    examination.add(timeline)
    return examination.finish()


def percents(summary: RegionSummary) -> float:
    """Add up the percentages that a reader sees, of work and of idle time."""
    text = sentences.region(summary).partition("works")[2].partition("%")[0] + sentences.idle(summary)
    return sum(float(each) for each in re.findall(r"([0-9.]+) %|^ ([0-9.]+) ", text) for each in each if each)


def test_a_repetition_takes_as_long_as_the_work_that_it_submits() -> None:
    region = region_of(ahead().timeline())
    assert region.period.value == pytest.approx(KERNEL + 4 * US)
    assert (region.ends - region.begins)[5] == 40 * US  # the thread is far ahead
    idle = idle_of(region)
    assert idle is not None and idle.busy == pytest.approx(KERNEL / (KERNEL + 4 * US))
    assert idle.causes == {"launch latency": pytest.approx(4 * US)}


def test_the_report_says_which_kernel_takes_the_time() -> None:
    report = report_of(ahead().timeline())
    [summary] = report.regions
    assert summary.bound == "device" and not report.findings
    assert summary.works == [Share("life", "kernel", pytest.approx(KERNEL / (KERNEL + 4 * US)))]
    text = " ".join(str(report).split())
    assert "takes 1.59ms" in text and "The device works 100 % of it: device-bound. `life` takes 100 %." in text
    assert "but the device's own work: `life` takes 100 % of it. Only a faster kernel, or less work for it" in text
    assert summary.as_json()["works"][0]["name"] == "life"


def test_the_longest_of_several_kernels_comes_first_and_short_ones_are_left_out() -> None:
    calls, free = Calls(), 0
    for number in range(120):
        name, time = [("small", 20), ("large", 600), ("middle", 300)][number % 3]
        at, free = number * 5 * US, max(free, (number * 5 + 2) * US)
        calls.call("launch", at, at + US, name=name, stream=1, works=[(free, free + time * US)])
        free += time * US
    calls.call("synchronize device", 600 * US, free + US)
    [summary] = report_of(calls.timeline()).regions
    assert [each.name for each in summary.works] == ["large", "middle", "small"]
    assert "device-bound. `large` takes 65 %, and `middle` 33 %." in sentences.region(summary)


def test_a_queue_that_is_full_now_and_then_makes_no_short_repetitions() -> None:
    """Submissions return at once until 16 commands wait; then one waits until half of them have ended."""
    calls, now, ends = Calls(), 0, [0]
    for _ in range(400):
        waiting = [end for end in ends if end > now]
        call = CALL if len(waiting) < 16 else waiting[7] - now
        begin = max(ends[-1], now + call)
        calls.call("launch", now, now + call, name="life", stream=1, works=[(begin, begin + 100 * US)])
        ends.append(begin + 100 * US)
        now += call + US
    calls.call("synchronize device", now, ends[-1] + US)
    region = region_of(calls.timeline())
    assert numpy.median(region.ends - region.begins) == 3 * US
    assert region.period.value == 100 * US
    idle = idle_of(region)
    assert idle is not None and idle.busy == pytest.approx(1, abs=0.001)


def test_a_loop_that_waits_now_and_then_is_as_long_as_its_kernels_too() -> None:
    calls, now = Calls(), 0
    for _ in range(10):
        free = now
        for _ in range(50):
            free = max(free, now + CALL)
            calls.call("launch", now, now + CALL, name="life", stream=1, works=[(free, free + 500 * US)])
            free, now = free + 500 * US, now + 3 * US
        calls.call("synchronize", now, free + US, stream=1)
        now = free + 2 * US
    region = region_of(calls.timeline())
    assert region.period.value == 500 * US and region.typical.sum() > 400


@pytest.mark.parametrize("launched", [0, 12 * US])  # before the loop, and in a repetition of it
def test_work_beside_the_loop_that_lasts_for_all_of_it_is_no_work_of_its_repetitions(launched: int) -> None:
    calls = Calls()
    for number in range(40):
        at = (10 + 100 * number) * US
        calls.call("launch", at, at + US, name="step", stream=1, works=[(at + 2 * US, at + 30 * US)])
        calls.call("synchronize", at + 4 * US, at + 31 * US, stream=1)
    calls.call("launch", launched, launched + US, name="server", stream=9, works=[(launched + US, 9000 * US)])
    region = region_of(calls.timeline())
    assert region.period.value == 100 * US


def test_a_device_that_is_hardly_behind_leaves_the_threads_times() -> None:
    calls = Calls()
    for number in range(40):
        at = 100 * number * US
        calls.call("launch", at, at + US, name="step", stream=1, works=[(at + 2 * US, at + 104 * US)])
    region = region_of(calls.timeline())
    assert (region.begun == region.begins).all() and (region.ended == region.ends).all()


def test_a_stretch_of_a_long_trace_does_not_begin_with_the_queue_before_it() -> None:
    whole = ahead(400)
    timeline = cut_at(whole.timeline(), (100, 160), (300, 360))
    region = region_of(timeline)
    assert region.period.value == pytest.approx(KERNEL + 4 * US)
    assert region.durations.max() < 2 * KERNEL


def cut_at(timeline: Timeline, *launches: tuple[int, int]) -> Timeline:
    """Leave only the calls from one launch to another."""
    unit = 1_000_000  # of `cut`
    return cut(timeline, *((first * 40 * US / unit, last * 40 * US / unit) for first, last in launches))


def test_percentages_add_up_to_a_hundred_where_repetitions_differ() -> None:
    long = ahead(90, lambda number: KERNEL if number % 3 else 1.6 * KERNEL, 300 * US)
    [summary] = report_of(long.timeline()).regions
    assert percents(summary) == pytest.approx(100, abs=1)
    assert summary.busy * summary.period.value + sum(summary.idle.values()) == pytest.approx(summary.period.value)


def test_percentages_add_up_to_a_hundred_where_the_thread_waits_each_time() -> None:
    calls, now = Calls(), 0
    for number in range(60):
        kernel = (100 + 40 * (number % 2)) * US
        calls.call("launch", now, now + CALL, name="life", stream=1, works=[(now + 9 * US, now + kernel)])
        calls.call("synchronize", now + 3 * US, now + kernel + 5 * US, stream=1)
        now += kernel + 90 * US
    [summary] = report_of(calls.timeline()).regions
    assert percents(summary) == pytest.approx(100, abs=1)
