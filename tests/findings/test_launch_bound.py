"""Launch-bound regions: named with the fault, silent without it, and hidden where it costs nothing."""

import numpy
import pytest

from launchpath._findings.facts import launch_bound
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation.edits import AsStep, Before, Merge, Together
from launchpath._trace.format import ARGUMENTS, BLOCKING, HOST_PROGRAM
from tests.findings.steps import US, launches, program, region, wait

OPENCL = {"devices": [{"name": "CPU", "driver": "opencl", "kind": "cpu"}]}


def _bound(calls, begin, **columns):
    """Do 96 launches of 3 us, whose kernels take 1 us each; then wait."""
    end = launches(calls, begin, 96, every=3200, call=3 * US, work=US, **columns)
    wait(calls, begin + 96 * 3200, end)


def _facts(step, period=400 * US, **options):
    its = region(program(step, period, **options))
    return launch_bound.facts(its), its


def test_launches_that_a_device_waits_for_are_named_with_their_number_and_cost():
    [finding], its = _facts(lambda calls, begin: _bound(calls, begin, site="simulate.py:41 step"))
    assert finding.kind == "launch-bound"
    assert not finding.hidden
    # The first launch's code is the loop's: 95 times 3.2 us, and 3 us; a microsecond of each is the kernel before.
    assert finding.sentence == (
        "Launching holds the GPU back in `step` (53 % of its time): 96 launches of 3.2 us, then idle."
    )
    assert finding.mend == "`with lp.Step():` around simulate.py:41."
    assert finding.sites == ["simulate.py:41 step"]
    assert finding.evidence["launches"] == 96
    assert finding.evidence["us_launch"] == pytest.approx((95 * 3.2 + 3) / 96, abs=1e-3)
    assert finding.evidence["us_call"] == 3
    assert finding.evidence["us_idle"] == pytest.approx(95 * 2.2 + 3, abs=1e-3)
    assert (finding.evidence["sequence"], finding.evidence["sequence_times"]) == (["integrate"], 96)
    assert finding.repetitions == 20
    assert finding.period == 400 * US
    assert isinstance(finding.edit, AsStep)
    assert len(finding.edit.rows) == 96 * int(its.typical.sum()) == finding.count


def test_a_compiled_program_is_to_capture_a_graph():
    """It has no `lp.Step`."""
    its = region(program(_bound, 400 * US, **{HOST_PROGRAM: "./simulate"}))
    [finding] = launch_bound.facts(its)
    assert finding.mend == (
        "Capture the launches of `step` in a graph (`cudaStreamBeginCapture`), and run that in each repetition "
        "(`cudaGraphLaunch`)."
    )
    assert isinstance(finding.edit, AsStep)


def test_a_device_that_has_work_meanwhile_hides_its_launches():
    def step(calls, begin):
        end = launches(calls, begin, 96, every=3200, call=3 * US, work=4 * US)
        wait(calls, begin + 96 * 3200, end)

    [finding], _ = _facts(step)
    assert finding.hidden
    assert finding.sentence == (
        "96 launches of 3.2 us in `step` take 307 us of the host, and the GPU has work meanwhile: it is idle for 3.0 us "
        "of that."
    )
    assert finding.mend.startswith("Leave it")


def test_few_launches_beside_long_kernels_are_not_spoken_of():
    def step(calls, begin):
        end = launches(calls, begin, 4, every=4 * US, call=3 * US, work=90 * US)
        wait(calls, begin + 20 * US, end)

    assert _facts(step)[0] == []


def test_launches_with_a_wait_behind_each_are_no_run():
    def step(calls, begin):
        at = begin
        for _ in range(20):
            end = launches(calls, at, 1, every=0, call=3 * US, work=5 * US)
            at = wait(calls, at + 3 * US, end) + US

    assert _facts(step)[0] == []


def test_copies_that_wait_end_a_run():
    def step(calls, begin):
        for place in range(10):
            at = begin + place * 30 * US
            launches(calls, at, 1, every=0, call=3 * US, work=5 * US)
            calls.call("copy", at + 4 * US, at + 20 * US, stream=1, flags=BLOCKING, works=[(at + 9 * US, at + 18 * US)])

    assert _facts(step)[0] == []


def test_host_code_of_the_program_between_launches_is_not_launching():
    def step(calls, begin):
        launches(calls, begin, 8, every=45 * US, call=3 * US, work=US)

    assert _facts(step)[0] == []


def test_what_callers_of_a_driver_need_between_launches_is_launching():
    def step(calls, begin):
        end = launches(calls, begin, 50, every=12 * US, call=US, work=US)
        wait(calls, begin + 600 * US, end)

    [finding], _ = _facts(step, 700 * US, repetitions=30, own=False, ranges=False, **OPENCL)
    assert finding.sentence == (
        "Launching holds the device back in `integrate` (77 % of a repetition): 50 launches of 12 us, then idle."
    )
    assert finding.mend.startswith("Fewer and larger kernels at the launches of `integrate`")
    assert isinstance(finding.edit, Together)
    [merged, code] = finding.edit.edits
    assert isinstance(merged, Merge)
    assert merged.work == 50 * US
    assert isinstance(code, Before)
    assert len(merged.rows) == 50 * len(numpy.unique(merged.group))
    assert len(code.rows) == 49 * len(numpy.unique(merged.group))


def test_time_between_commands_that_the_device_takes_counts_where_fewer_are_the_mend():
    def step(calls, begin):
        for place in range(50):
            work = begin + 200 * US + place * 8 * US
            calls.call("launch", begin + place * 2 * US, begin + place * 2 * US + US, name="integrate", stream=1,
                       works=[(work, work + 3 * US)])  # fmt: skip
        wait(calls, begin + 110 * US, begin + 595 * US)

    options = {"repetitions": 30, "ranges": False}
    [finding], _ = _facts(step, 700 * US, own=False, **options, **OPENCL)
    assert finding.sentence == (
        "Launching holds the device back in `integrate` (35 % of a repetition): 50 launches of 2.0 us, 4.9 us between two of "
        "them."
    )
    assert finding.evidence["us_idle_of_device"] == 49 * 5
    assert [each.hidden for each in _facts(step, 700 * US, **options, **OPENCL)[0]] == [True]


def test_a_graph_is_the_mend_on_cuda():
    [finding], _ = _facts(_bound, own=False)
    assert finding.mend == "Capture the launches of `step` in a graph, and run that in each repetition."


def test_a_step_that_is_one_already_is_no_run():
    def step(calls, begin):
        for place in range(96):
            calls.call("launch", begin + place * 3200, begin + place * 3200 + 3 * US, stream=1, role=5)
        works = [(begin + 320 * US + place * 500, begin + 320 * US + place * 500 + 400) for place in range(96)]
        calls.call("graph", begin + 310 * US, begin + 320 * US, stream=1, works=works)

    assert _facts(step)[0] == []


@pytest.mark.parametrize("repetitions", [1, 2])
def test_too_few_repetitions_say_nothing(repetitions):
    found = find_regions(program(_bound, 400 * US, repetitions).timeline())
    assert "step" not in [each.name for each in found]
    assert [finding for each in found for finding in launch_bound.facts(each)] == []


def test_three_repetitions_are_enough():
    [finding], _ = _facts(_bound, repetitions=3)
    assert finding.repetitions == 3


def test_nothing_is_said_without_times_of_the_device():
    def step(calls, begin):
        for place in range(96):
            calls.call("launch", begin + place * 3200, begin + place * 3200 + 3 * US, stream=1)

    assert _facts(step)[0] == []


def test_arguments_that_change_are_counted():
    def step(calls, begin):
        number = begin // (400 * US)
        for place in range(4):
            at = begin + place * 60 * US
            calls.call(
                "launch", at, at + 58 * US, stream=1, name="integrate", works=[(at + 58 * US, at + 59 * US)],
                flags=ARGUMENTS, arguments=0x11 | 0x22 << 8 | (number + 1) << 16 if place == 1 else 0x11 | 0x22 << 8,
            )  # fmt: skip
            if place < 3:
                calls.call("record", at + 59 * US, at + 60 * US, stream=1)

    [finding], _ = _facts(step)
    assert (finding.evidence["arguments_that_change"], finding.evidence["arguments"]) == (1, 9)
    assert finding.mend.endswith(" 1 of 9 arguments change from one repetition to the next.")


def test_the_innermost_range_is_the_subject():
    def step(calls, begin):
        calls.range("integrate", begin + 100, begin + 399 * US)
        _bound(calls, begin + 200)

    [finding], _ = _facts(step)
    assert finding.subject == "integrate"
    assert finding.sentence.startswith("Launching holds the GPU back in `integrate` (53 % of `step`): 96 launches")


def test_runs_of_one_subject_are_one_finding():
    def step(calls, begin):
        _bound(calls, begin)
        _bound(calls, begin + 400 * US)

    [finding], its = _facts(step, 800 * US)
    assert finding.evidence["launches"] == 192
    assert isinstance(finding.edit, Together)
    assert [len(edit.rows) for edit in finding.edit.edits] == [96 * int(its.typical.sum())] * 2


def test_what_is_below_the_noise_is_not_said():
    def step(calls, begin):
        end = launches(calls, begin, 4, every=3200, call=3 * US, work=US)
        wait(calls, begin + 13 * US, end)
        calls.call("launch", begin + 20 * US, begin + 21 * US, stream=1, works=[(begin + 21 * US, begin + 990 * US)])

    assert _facts(step, 1000 * US)[0] == []


def test_a_failed_launch_has_no_work_and_harms_nothing():
    def step(calls, begin):
        _bound(calls, begin)
        calls.call("launch", begin + 390 * US, begin + 391 * US, stream=1, failed=True)

    [finding], _ = _facts(step)
    assert finding.evidence["launches"] == 96


def test_a_copy_that_moves_bytes_is_not_launching():
    def step(calls, begin):
        calls.call("copy", begin, begin + 250 * US, stream=1, direction=1, size=1 << 22,
                   works=[(begin + 249 * US, begin + 250 * US)])  # fmt: skip
        launches(calls, begin + 252 * US, 2, every=5 * US, call=3 * US, work=60 * US)

    found, _ = _facts(step)
    assert found == []
