"""What a trace cannot tell, and what is then not said."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from launchpath._findings.completeness import completeness
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.process import Process
from tests.findings.timelines import Calls


def timeline(launches: int = 100, untimed: int = 0, **fields: Any) -> Timeline:
    calls = Calls()
    for number in range(launches):
        begin = 10_000 * number
        works = [] if number < untimed else [(begin + 3000, begin + 5000)]
        calls.call("launch", begin, begin + 2000, name="k", works=works)
    made = calls.timeline()
    made.untimed = untimed
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def told(made: Timeline) -> list[str]:
    return completeness(made).sentences


def test_a_whole_trace_lacks_nothing() -> None:
    found = completeness(timeline())
    assert found.findings and not found.sentences


def test_lost_records_forbid_findings() -> None:
    found = completeness(timeline(counters={"dropped": 3, "waits": 5}))
    assert not found.findings
    assert found.sentences == [
        "process 100: 3 records are lost, so nothing is said. Trace with --when-full wait, on a disk with room."
    ]


@pytest.mark.parametrize("untimed, allowed", [(0, True), (2, True), (3, False), (50, False)])
def test_a_few_launches_may_have_no_time(untimed: int, allowed: bool) -> None:
    found = completeness(timeline(untimed=untimed))
    assert found.findings is allowed
    expected = f"process 100: {untimed}% of the launches have no time of the device, so nothing is said."
    assert found.sentences == ([] if allowed else [expected])


@pytest.mark.parametrize("missing, is_told", [(0, False), (2, False), (3, True), (100, True)])
def test_copies_without_times_are_told_and_allow_findings(missing: int, is_told: bool) -> None:
    calls = Calls()
    for number in range(100):
        begin = 10_000 * number
        calls.call("launch", begin, begin + 2000, works=[(begin + 3000, begin + 5000)])
        works = [] if number < missing else [(begin + 6500, begin + 7000)]
        calls.call("copy", begin + 6000, begin + 6400, works=works)
    made = calls.timeline()
    assert completeness(made).findings
    expected = f"process 100: {missing}% of the copies have no time of the device: what they cost there is not known."
    assert told(made) == ([expected] if is_told else [])


def test_calls_that_failed_or_are_inside_others_need_no_time() -> None:
    calls = Calls()
    calls.call("launch", 0, 2000, works=[(3000, 5000)])
    calls.call("launch", 10_000, 12_000, failed=True)
    calls.call("synchronize", 20_000, 30_000)
    calls.call("launch", 22_000, 23_000)
    assert completeness(calls.timeline()).findings and not told(calls.timeline())


def test_without_any_time_of_the_device_another_mode_is_asked_for() -> None:
    found = completeness(timeline(10, untimed=10))
    assert not found.findings
    assert found.sentences == [
        "process 100: no command has a time of the device, so nothing is said. Trace in mode device."
    ]


def test_a_process_that_submits_nothing_lacks_no_times() -> None:
    assert completeness(timeline(0)).findings and not told(timeline(0, evidence=False))


def test_stretches_are_told_and_allow_findings() -> None:
    made = timeline()
    made.stretches = numpy.array([[made.begin, made.begin + 100_000], [made.end - 149_500, made.end]])
    found = completeness(made)
    assert found.findings
    assert found.sentences == [
        "process 100: the trace is long: findings are read from 2 stretches of it, 25% of its time."
    ]


def test_calls_that_are_not_seen_are_named() -> None:
    made = timeline(meta={"unseen": {"NCCL": 5, "cuDNN": 1}})
    assert completeness(made).findings
    assert told(made) == ["process 100: calls of NCCL, cuDNN are not in the records: what they cost is not known."]


@pytest.mark.parametrize("moved, is_told", [(5_000, False), (5_001, True)])
def test_times_that_had_to_be_moved_far_are_told(moved: int, is_told: bool) -> None:
    sentences = told(timeline(correction=moved))
    assert bool(sentences) is is_told and all("times of the device are exact to 5.00us" in each for each in sentences)


def test_a_trace_without_evidence_is_told() -> None:
    (sentence,) = told(timeline(evidence=False))
    assert sentence.endswith("Trace with --findings.") and "source lines" in sentence


def test_a_process_without_a_number_is_called_by_its_file() -> None:
    made = timeline(counters={"dropped": 1}, process=Process({}))
    assert told(made)[0].startswith("made up: 1 records are lost")
