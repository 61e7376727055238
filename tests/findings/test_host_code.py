"""Host code between calls: named where the device waits for it, hidden where it does not."""

import pytest

from launchpath._findings.facts import host_code
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation.edits import Before
from tests.findings.steps import US, launches, program, region, wait


def _facts(step, period=400 * US, **options):
    calls = program(step, period, **options)
    its = region(calls)
    its.timeline.process.facts["python"] = "3.12.1"
    return host_code.facts(its), its


def _slow(calls, begin):
    """Wait, think for 200 us, and launch what takes 150 us."""
    calls.call("launch", begin + 200 * US, begin + 205 * US, stream=1, name="relax", site="simulate.py:26 step",
               works=[(begin + 205 * US, begin + 355 * US)])  # fmt: skip
    wait(calls, begin + 206 * US, begin + 355 * US, site="simulate.py:27 step", wake=5 * US)


def test_code_behind_a_wait_is_named_with_its_place():
    [finding], its = _facts(_slow)
    assert finding.kind == "host-code"
    assert finding.subject == "relax"
    assert finding.sentence == (
        "Python between `cuStreamSynchronize` (simulate.py:27) and `relax` (simulate.py:26) holds the GPU back: it is idle "
        "for 240 us, 60 % of `step`."
    )
    assert "before `cuStreamSynchronize` (simulate.py:27) waits" in finding.mend
    assert finding.sites == ["simulate.py:26 step"]
    assert finding.evidence["us_code"] == 240  # 40 us of it behind the wait of the repetition before
    assert isinstance(finding.edit, Before)
    assert finding.edit.factor == 0
    assert len(finding.edit.rows) == int(its.typical.sum())


def test_code_before_several_calls_at_a_line_is_one_finding():
    def step(calls, begin):
        launches(calls, begin, 8, every=45 * US, call=3 * US, work=10 * US, name="relax", site="simulate.py:26 step")

    [finding], _ = _facts(step)
    assert finding.sentence == (
        "Python before 8 calls of `relax` (simulate.py:26) holds the GPU back: it is idle for 296 us, 74 % of `step`."
    )
    assert finding.evidence["pieces"] == 8


@pytest.mark.parametrize(("first", "count"), [(100 * US, 1), (300 * US, 2)])
def test_the_same_code_behind_a_wait_and_between_launches_is_one_finding(first, count):
    def step(calls, begin):
        at = begin + first
        for _ in range(3):
            end = launches(calls, at, 1, every=0, call=3 * US, work=10 * US, name="relax", site="simulate.py:26 step")
            at += 103 * US
        wait(calls, at - 100 * US, end, site="simulate.py:27 step")

    found, _ = _facts(step, period=first + 230 * US)
    assert len(found) == count


def test_code_is_not_called_python_in_other_programs():
    its = region(program(_slow, 400 * US))
    [finding] = host_code.facts(its)
    assert finding.sentence.startswith("Host code between")


def test_code_that_the_device_does_not_wait_for_is_hidden():
    def step(calls, begin):
        end = launches(calls, begin, 1, every=0, call=3 * US, work=395 * US)
        wait(calls, begin + 300 * US, end, wake=US)

    [finding], _ = _facts(step)
    assert finding.hidden
    assert finding.sentence == (
        "Python between calls takes 298 us, 74 % of `step`, and the GPU has work meanwhile: it is idle for 1.0 us of that."
    )


def test_code_of_other_threads_is_not_called_hidden_where_nobody_has_looked():
    def step(calls, begin):
        end = launches(calls, begin, 1, every=0, call=3 * US, work=395 * US)
        wait(calls, begin + 300 * US, end, wake=US)
        launches(calls, begin + 100 * US, 1, every=0, call=US, work=US, stream=2, thread=1)

    calls = program(step, 400 * US)
    first = next(each for each in find_regions(calls.timeline()) if each.thread == 0)
    assert host_code.facts(first) == []


def test_what_any_loop_needs_between_its_calls_is_not_spoken_of():
    def step(calls, begin):
        end = launches(calls, begin + 8 * US, 1, every=0, call=3 * US, work=380 * US)
        wait(calls, begin + 12 * US, end, wake=4 * US)

    assert _facts(step)[0] == []


def test_short_code_behind_a_wait_is_what_a_loop_needs():
    def step(calls, begin):
        end = launches(calls, begin + 20 * US, 1, every=0, call=3 * US, work=270 * US)
        wait(calls, begin + 24 * US, end, wake=4 * US)

    assert _facts(step, 320 * US)[0] == []  # 42 us, 13 %


def test_what_a_caller_needs_for_each_launch_belongs_to_the_launches():
    def step(calls, begin):
        end = launches(calls, begin + 2 * US, 96, every=4 * US, call=2 * US, work=US)
        wait(calls, begin + 390 * US, end)

    assert _facts(step)[0] == []


def test_a_thread_that_sleeps_is_not_said_to_compute():
    def step(calls, begin):
        _slow(calls, begin)
        calls.look(begin - 39 * US, begin + 200 * US, processor=5 * US, runnable=0, process=6 * US)

    [finding], _ = _facts(step)
    assert finding.sentence.startswith(
        "The thread sleeps, or waits for a file or another process, between `cuStreamSynchronize` (simulate.py:27)"
    )
    assert finding.evidence["share_asleep"] == pytest.approx(234 / 240, abs=0.01)


def test_queries_that_change_nothing_are_hidden():
    def step(calls, begin):
        end = launches(calls, begin, 1, every=0, call=3 * US, work=390 * US)
        for place in range(60):
            calls.call("query", begin + (5 + 6 * place) * US, begin + (10 + 6 * place) * US)
        wait(calls, begin + 370 * US, end, wake=US)

    hidden = [finding for finding in _facts(step)[0] if finding.subject == "cuEventQuery"]
    assert [finding.hidden for finding in hidden] == [True]
    assert hidden[0].sentence.startswith(
        "`cuEventQuery` takes 300 us of the host, 75 % of `step`, and the GPU is idle for"
    )
    assert hidden[0].evidence["queries"] == 60


def test_nothing_is_said_without_times_of_the_device_or_of_too_few_repetitions():
    def step(calls, begin):
        calls.call("launch", begin + 200 * US, begin + 205 * US, stream=1)

    assert _facts(step)[0] == []
