"""Idle time by cause: known cases, and random programs against a reference that looks at each nanosecond."""

from itertools import pairwise

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from launchpath._findings.idle import idle as module
from launchpath._findings.idle.idle import idle_of
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.timeline.roles import Role
from launchpath._trace.format import BLOCKING
from tests.findings.steps import US, launches, program, region, wait
from tests.findings.timelines import Calls


def _causes(calls):
    idle = idle_of(region(calls))
    return {cause: round(time) for cause, time in idle.causes.items()}, idle


def test_a_device_that_is_never_idle_has_no_causes():
    def step(calls, begin):
        calls.call("launch", begin, begin + 2 * US, stream=1, works=[(begin + 100 * US, begin + 200 * US)])

    causes, idle = _causes(program(step, 100 * US))
    assert causes == {}
    assert idle.busy == 1
    assert idle.bound == "device"


def test_launching_is_the_time_in_launches_and_host_code_is_between_them():
    def step(calls, begin):
        launches(calls, begin, 5, every=20 * US, call=8 * US, work=2 * US)

    causes, idle = _causes(program(step, 100 * US))
    assert causes == {"host code": 5 * 10 * US, "launching": 5 * 8 * US}
    assert idle.busy == pytest.approx(0.1)
    assert idle.bound == "host"


def test_the_time_from_a_call_to_its_work_is_launch_latency():
    def step(calls, begin):
        end = launches(calls, begin, 1, every=0, call=5 * US, work=10 * US, late=40 * US)
        wait(calls, begin + 6 * US, end, wake=5 * US)

    causes, _ = _causes(program(step, 100 * US))
    assert causes == {"synchronize": 5 * US, "host code": 40 * US, "launching": 5 * US, "launch latency": 40 * US}


def test_a_copy_is_work_and_its_call_has_its_direction():
    def step(calls, begin):
        calls.call(
            "copy", begin, begin + 30 * US, stream=1, direction=1, flags=BLOCKING,
            works=[(begin + 10 * US, begin + 25 * US)],
        )  # fmt: skip
        calls.call(
            "copy", begin + 40 * US, begin + 60 * US, stream=1, direction=2, flags=BLOCKING,
            works=[(begin + 45 * US, begin + 58 * US)],
        )  # fmt: skip

    causes, idle = _causes(program(step, 100 * US))
    # Behind a copy's end the thread is still in its call.
    assert causes == {"copy": (5 + 2) * US, "upload": (10 + 5) * US, "host code": (10 + 40) * US}
    assert idle.busy == pytest.approx(0.28)


@pytest.mark.parametrize(
    ("what", "cause"),
    [("allocate", "allocation"), ("free", "allocation"), ("load", "load and compile"), ("query", "query"),
     ("record", "launching"), ("order", "launching"), ("cuProfilerStart", "other")],
)  # fmt: skip
def test_calls_have_their_cause(what, cause):
    def step(calls, begin):
        calls.call(what, begin, begin + 60 * US, stream=1)
        calls.call("launch", begin + 60 * US, begin + 60 * US, stream=1, works=[(begin + 60 * US, begin + 100 * US)])

    causes, _ = _causes(program(step, 100 * US))
    assert causes == {cause: 60 * US}


def test_streams_that_overlap_are_busy_once():
    def step(calls, begin):
        calls.call("launch", begin, begin + US, stream=1, works=[(begin + US, begin + 50 * US)])
        calls.call("launch", begin + US, begin + 2 * US, stream=2, works=[(begin + 2 * US, begin + 60 * US)])

    _, idle = _causes(program(step, 100 * US))
    assert idle.busy == pytest.approx(0.59)


def test_a_command_that_was_submitted_in_time_waits_for_another_stream_or_by_itself():
    def step(calls, begin):
        calls.call("launch", begin, begin + US, stream=1, works=[(begin + US, begin + 41 * US)])
        calls.call("launch", begin + US, begin + 2 * US, stream=2, works=[(begin + 51 * US, begin + 71 * US)])
        calls.call("launch", begin + 2 * US, begin + 3 * US, stream=2, works=[(begin + 74 * US, begin + 100 * US)])

    causes, _ = _causes(program(step, 100 * US))
    assert causes == {"other stream": 10 * US, "launching": US, "launch latency": 3 * US}


def test_works_of_a_graph_follow_one_another_by_themselves():
    def step(calls, begin):
        works = [(begin + 5 * US + place * 10 * US, begin + 12 * US + place * 10 * US) for place in range(9)]
        calls.call("graph", begin, begin + 5 * US, stream=1, works=works)

    causes, _ = _causes(program(step, 100 * US))
    assert causes == {"host code": 8 * US, "launching": 5 * US, "launch latency": 8 * 3 * US}


def test_what_another_thread_did_is_told_where_it_submits():
    def step(calls, begin):
        calls.call("launch", begin, begin + US, stream=1, works=[(begin + US, begin + 20 * US)])
        calls.call("allocate", begin + 30 * US, begin + 50 * US, thread=1)
        works = [(begin + 51 * US, begin + 99 * US)]
        calls.call("launch", begin + 50 * US, begin + 51 * US, thread=1, stream=2, works=works)

    first = next(each for each in find_regions(program(step, 100 * US).timeline()) if each.thread == 0)
    idle = idle_of(first)
    causes = {cause: round(time) for cause, time in idle.causes.items()}
    # The first launch's code, from 99 to 100, and the other thread's from 20 to 30.
    assert causes == {"allocation": 20 * US, "host code": 11 * US, "launching": 2 * US}


def test_there_is_nothing_to_say_without_times_of_the_device():
    def step(calls, begin):
        calls.call("launch", begin, begin + US, stream=1)

    assert idle_of(region(program(step, 100 * US))) is None


def test_disturbed_repetitions_do_not_count():
    def step(calls, begin):
        calls.call("launch", begin, begin + US, stream=1, works=[(begin + US, begin + 51 * US)])

    calls = program(step, 100 * US)
    late = 900 * US
    for row in calls.rows[8:]:
        row["begin"] += late
        row["end"] += late
        row["_works"] = [(begin + late, end + late) for begin, end in row["_works"]]
    calls.ranges = [
        (begin + late * (place > 7), end + late * (place >= 7), thread, text)
        for place, (begin, end, thread, text) in enumerate(calls.ranges)
    ]
    idle = idle_of(region(calls))
    assert idle.period == pytest.approx(100 * US)
    assert 7 not in idle.ordinary.tolist()


def test_waits_for_a_lock_are_told_of_own_records():
    def step(calls, begin):
        calls.call(
            "launch", begin, begin + 40 * US, stream=1, waited=30 * US, works=[(begin + 40 * US, begin + 100 * US)]
        )

    causes, _ = _causes(program(step, 100 * US))
    assert causes == {"lock": 30 * US, "launching": 10 * US}


def test_stretches_of_a_long_region_tell_the_same(monkeypatch):
    def step(calls, begin):
        launches(calls, begin, 5, every=20 * US, call=8 * US, work=2 * US)

    whole, _ = _causes(program(step, 100 * US, 200))
    monkeypatch.setattr(module, "_MOST_CALLS", 300)
    some, idle = _causes(program(step, 100 * US, 200))
    assert some.keys() == whole.keys()
    for cause, time in some.items():
        assert time == pytest.approx(whole[cause], rel=0.02)
    assert len(idle.ordinary) < 80
    assert idle.ordinary.max() > 180


_ROLES = ("launch", "copy", "synchronize", "allocate", "load", "query")
_CAUSES = {
    Role.LAUNCH: "launching", Role.COPY: "copy", Role.SYNCHRONIZE: "synchronize", Role.ALLOCATE: "allocation",
    Role.LOAD: "load and compile", Role.QUERY: "query",
}  # fmt: skip
_CALL = st.tuples(
    st.sampled_from(_ROLES),
    st.integers(0, 6),
    st.integers(1, 6),
    st.integers(0, 8),
    st.integers(1, 30),
    st.integers(1, 2),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(_CALL, min_size=1, max_size=8), st.integers(3, 5))
def test_random_steps_agree_with_a_look_at_each_nanosecond(step, repetitions):
    calls, at, free = Calls(), 0, {1: 0, 2: 0}
    begins = []
    for _ in range(repetitions):
        begins.append(at)
        for what, gap, duration, late, work, stream in step:
            at += gap
            works = []
            if what in ("launch", "copy"):
                free[stream] = max(free[stream], at + late)
                works = [(free[stream], free[stream] + work)]
                free[stream] += work
            calls.call(what, at, at + duration, stream=stream, works=works)
            at += duration
        at += 1
    begins.append(at)
    for begin, end in pairwise(begins):
        calls.range("step", begin, end)
    found = find_regions(calls.timeline())
    if not found or idle_of(found[0]) is None:
        return
    [its] = found
    idle = idle_of(its)
    expected, busy = _reference(its, idle)
    assert busy == pytest.approx(idle.busy * idle.period)
    own = ("launch latency", "other stream")
    for cause in own:
        assert idle.causes.get(cause, 0) == pytest.approx(expected.get(cause, 0)), cause
    for cause in _CAUSES.values():
        assert idle.causes.get(cause, 0) == pytest.approx(expected.get(cause, 0)), cause
    # Code behind a repetition's last call counts as the next one's, so that they may differ where a stretch ends.
    stretches = 1 + int(numpy.count_nonzero(numpy.diff(idle.ordinary) > 1))
    longest = 2 * (max(gap for _, gap, *_ in step) + 1)
    difference = idle.causes.get("host code", 0) - expected.get("host code", 0)
    assert abs(difference) * len(idle.ordinary) <= stretches * longest


def _reference(its, idle):
    """Look at each nanosecond of the ordinary repetitions."""
    ops, works = its.timeline.ops, its.timeline.works
    order = sorted(range(len(works)), key=lambda row: (works.begin[row], row))
    causes, busy = {}, 0
    for repetition in idle.ordinary:
        for moment in range(its.begun[repetition], its.ended[repetition]):
            if any(works.begin[row] <= moment < works.end[row] for row in order):
                busy += 1
                continue
            following = next((row for row in order if works.begin[row] > moment), None)
            cause = _cause(ops, works, order, following, moment)
            causes[cause] = causes.get(cause, 0) + 1
    count = len(idle.ordinary)
    return {cause: time / count for cause, time in causes.items()}, busy / count


def _cause(ops, works, order, following, moment):
    if following is not None and moment >= ops.end[works.op[following]]:
        before = [row for row in order if works.end[row] <= moment]
        latest = max(works.end[row] for row in before) if before else 0
        last = next((row for row in before if works.end[row] == latest), None)
        handed = last is not None and works.stream[last] != works.stream[following]
        return "other stream" if handed else "launch latency"
    for row in range(len(ops)):
        if ops.begin[row] <= moment < ops.end[row]:
            return _CAUSES[Role(ops.role[row])]
    return "host code"
