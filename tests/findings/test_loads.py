"""Allocations, and what is compiled or loaded: in a loop, and once."""

import pytest

from launchpath._findings.facts import allocations, first_launches, host_code
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation.edits import Before, Remove, Together
from tests.findings.steps import US, launches, program, region, wait

MS = 1000 * US


def _allocating(calls, begin):
    calls.call("allocate", begin, begin + 60 * US, size=1 << 20, site="solve.py:12 step")
    end = launches(calls, begin + 61 * US, 1, every=0, call=3 * US, work=200 * US)
    wait(calls, begin + 70 * US, end)
    calls.call("free", begin + 270 * US, begin + 290 * US, site="solve.py:19 step")


def test_allocations_in_a_loop_are_named_with_their_bytes_and_lines():
    its = region(program(_allocating, 300 * US, own=False))
    [finding] = allocations.facts(its)
    assert finding.sentence == (
        "1 allocation of 1 MiB in all and 1 free take 80 us of each repetition, 27 % of `step`; the GPU is idle for 80 us "
        "of that."
    )
    assert finding.mend == "Allocate once, before the loop, or take it from a pool: solve.py:12 to 19."
    assert not finding.hidden
    assert isinstance(finding.edit, Remove)
    assert len(finding.edit.rows) == 2 * int(its.typical.sum())


def test_allocations_beside_a_busy_device_are_hidden():
    def step(calls, begin):
        calls.call("launch", begin, begin + 3 * US, stream=1, works=[(begin, begin + 300 * US)])
        calls.call("allocate", begin + 10 * US, begin + 70 * US, size=1 << 20)

    [finding] = allocations.facts(region(program(step, 300 * US)))
    assert finding.hidden
    assert finding.mend == "Leave it: the GPU is never idle."


def test_allocations_that_take_no_time_are_not_spoken_of():
    def step(calls, begin):
        calls.call("allocate", begin, begin + 500, size=1 << 20)
        launches(calls, begin + US, 1, every=0, call=3 * US, work=200 * US)

    assert allocations.facts(region(program(step, 300 * US))) == []


def _compiling(calls, begin):
    calls.call("load", begin + 50 * US, begin + 90 * US)
    end = launches(calls, begin + 130 * US, 1, every=0, call=3 * US, work=100 * US)
    wait(calls, begin + 134 * US, end)


def test_compiling_in_a_loop_has_the_code_around_it():
    its = region(program(_compiling, 250 * US))
    [finding] = first_launches.facts(its)
    # From the wait of the repetition before to the launch: 16.5 us, 50, 40, and 40.
    assert finding.sentence == (
        "Kernels are compiled or loaded in each repetition: 146 us, 59 % of `step`; the GPU is idle for 146 us of that."
    )
    assert finding.mend == "Compile and load once, before the loop."
    assert isinstance(finding.edit, Together)
    removed, before = finding.edit.edits
    assert isinstance(removed, Remove)
    assert isinstance(before, Before)
    assert host_code.facts(its) == []


def test_another_thread_that_compiles_in_a_loop_is_seen():
    def step(calls, begin):
        calls.call("load", begin + 50 * US, begin + 90 * US, thread=1)
        end = launches(calls, begin + 130 * US, 1, every=0, call=3 * US, work=100 * US)
        wait(calls, begin + 134 * US, end)

    its = next(each for each in find_regions(program(step, 250 * US).timeline()) if each.thread == 0)
    [finding] = first_launches.facts(its)
    assert finding.sentence == (
        "Kernels are compiled or loaded in each repetition: 146 us, 59 % of `step`; the GPU is idle for 146 us of that."
    )
    assert finding.evidence["calls"] == ["cuModuleLoadDataEx"]
    assert host_code.facts(its) == []
    assert first_launches.program_facts(its.timeline, [its]) == []


def _loop(calls, begin):
    end = launches(calls, begin, 1, every=0, call=3 * US, work=80 * US)
    wait(calls, begin + 4 * US, end)


def _program(where, what="load", long=10 * MS):
    calls = program(_loop, 100 * US, 100)
    calls.call(what, where, where + long, stream=1, name="relax")
    timeline = calls.timeline()
    return timeline, find_regions(timeline)


def test_what_is_compiled_before_the_loop_is_hidden():
    timeline, regions = _program(-20 * MS)
    [finding] = first_launches.program_facts(timeline, regions)
    assert finding.hidden
    assert finding.sentence == (
        "Compiling and loading take 10 ms of 30 ms (33 %) before the program's loop begins: 10 ms in 1 call of the driver."
    )
    assert (finding.region, finding.repetitions) == ("", 1)


def test_what_is_compiled_while_the_loop_runs_is_named():
    calls = program(_loop, 100 * US, 100)
    calls.call("load", 100 * 100 * US + 10, 100 * 100 * US + 10 * MS)
    timeline = calls.timeline()
    [finding] = first_launches.program_facts(timeline, find_regions(timeline))
    assert not finding.hidden
    assert finding.saving.value == pytest.approx(10 * MS, rel=0.01)
    assert finding.total == pytest.approx(10 * MS, rel=0.01)


def test_what_each_round_of_a_loop_compiles_is_no_finding_of_the_program():
    calls = program(_compiling, 250 * US)
    # The first and the last round of the loop are outside of what repeats.
    for begin in (-100 * US, 20 * 250 * US + 50 * US):
        calls.call("load", begin, begin + 90 * US)
    calls.call("load", -30 * MS, -20 * MS)
    timeline = calls.timeline()
    [finding] = first_launches.program_facts(timeline, find_regions(timeline))
    assert finding.hidden
    assert finding.evidence["calls"] == 1


def test_a_slow_first_launch_counts():
    calls = program(_loop, 100 * US, 100)
    for row in calls.rows:
        row["begin"] += 8 * MS * (row is not calls.rows[0])
        row["end"] += 8 * MS
        row["_works"] = [(begin + 8 * MS, end + 8 * MS) for begin, end in row["_works"]]
    calls.ranges = [
        (begin + 8 * MS * (place > 0), end + 8 * MS, *rest) for place, (begin, end, *rest) in enumerate(calls.ranges)
    ]
    timeline = calls.timeline()
    [finding] = first_launches.program_facts(timeline, find_regions(timeline))
    assert finding.evidence["first_launches"] == 1
    assert finding.evidence["us_first_launches"] == pytest.approx(8000)
    assert finding.sentence.endswith("8.0 ms in 1 first launch.")


def test_a_device_that_works_meanwhile_loses_nothing():
    calls = program(_loop, 100 * US, 100)
    calls.call("load", -20 * MS, -10 * MS)
    calls.call("launch", -21 * MS, -20.5 * MS, stream=1, name="other", works=[(-20.5 * MS, -9 * MS)])
    timeline = calls.timeline()
    assert first_launches.program_facts(timeline, find_regions(timeline)) == []


def test_giving_programs_back_compiles_nothing():
    timeline, regions = _program(100 * 100 * US + 10, what="clReleaseProgram")
    assert first_launches.program_facts(timeline, regions) == []
