"""What the trace takes of a program's time."""

import pytest

from launchpath._findings.facts import tracing
from tests.findings.steps import US, launches, program, region, wait


def _cost(nanoseconds):
    return {
        "cuda": {
            name: {"ns": nanoseconds, "ns_low": nanoseconds, "ns_high": nanoseconds} for name in ("command", "call")
        }
    }


def _step(calls, begin):
    end = launches(calls, begin, 10, every=10 * US, call=5 * US, work=2 * US)
    wait(calls, begin + 100 * US, end)


def test_a_trace_that_costs_much_says_so():
    [finding] = tracing.facts(region(program(_step, 110 * US, own=False, cost=_cost(1000))))
    assert finding.kind == "tracing"
    assert finding.hidden
    assert finding.sentence == "The trace costs time itself: records take 11 us, 10 % of `step`."
    assert finding.evidence["us_records"] == pytest.approx(11)


def test_a_trace_that_costs_little_says_nothing():
    assert tracing.facts(region(program(_step, 110 * US, own=False, cost=_cost(50)))) == []
    assert tracing.facts(region(program(_step, 110 * US))) == []


def test_waits_for_room_are_told():
    its = region(program(_step, 110 * US))
    its.timeline.counters["waits"] = 3
    [finding] = tracing.facts(its)
    assert finding.sentence == "The trace costs time itself: threads have waited 3 times for room in its records."
    assert finding.evidence["waits"] == 3
