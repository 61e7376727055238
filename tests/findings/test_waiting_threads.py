"""Threads that wait: for the GIL, a lock, a processor, or the slowest of them."""

import numpy
import pytest

from launchpath._findings import why
from launchpath._findings.facts import first_launches, host_code, locks, not_running, stragglers
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import idle_of
from launchpath._findings.idle.turns import partners
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation.editing import edited
from launchpath._findings.simulation.edits import Before, Faster, Return
from launchpath._findings.simulation.simulation import Simulation
from launchpath._findings.timeline.roles import Role
from tests.findings.steps import US, program, region, wait
from tests.findings.timelines import Calls

MS = 1000 * US
CPU = {"devices": [{"name": "CPU", "driver": "opencl", "kind": "cpu", "units": 2}]}


def _paused(calls, begin, **look):
    """Launch behind a pause of 200 us that was looked at; the work takes 150 us."""
    calls.look(begin - 40 * US, begin + 200 * US, **{"processor": 240 * US, "runnable": 0, "process": 240 * US, **look})
    calls.call("launch", begin + 200 * US, begin + 205 * US, stream=1, name="relax",
               works=[(begin + 205 * US, begin + 355 * US)])  # fmt: skip
    wait(calls, begin + 206 * US, begin + 355 * US, wake=5 * US)


def _its(step, python=False, period=400 * US, **options):
    its = region(program(step, period, **options))
    if python:
        its.timeline.process.facts["python"] = "3.12.1"
    return its


def test_a_thread_that_runs_waits_for_nothing():
    its = _its(_paused)
    assert locks.facts(its) == not_running.facts(its) == []
    assert idle_of(its).causes["host code"] == pytest.approx(240 * US)


def test_a_thread_that_waits_while_others_run_waits_for_the_gil():
    its = _its(lambda calls, begin: _paused(calls, begin, processor=10 * US, process=240 * US), python=True)
    [finding] = locks.facts(its)
    assert finding.kind == "lock"
    assert finding.sentence == (
        "`MainThread` waits for the GIL while other threads run, and the GPU is idle for 230 us, 58 % of `step`."
    )
    assert isinstance(finding.edit, Before)
    assert numpy.median(finding.edit.factor) == pytest.approx(10 / 240, abs=0.01)  # one for each call
    assert idle_of(its).causes["GIL"] == pytest.approx(230 * US)
    assert host_code.facts(its) == []


def test_it_waits_for_a_lock_in_other_programs():
    its = _its(lambda calls, begin: _paused(calls, begin, processor=20 * US, process=240 * US))
    [finding] = locks.facts(its)
    assert finding.sentence.startswith("`MainThread` waits for another thread of the process")
    assert "lock" in idle_of(its).causes


def test_a_thread_that_sleeps_while_none_runs_waits_for_no_lock():
    its = _its(lambda calls, begin: _paused(calls, begin, processor=20 * US, process=21 * US), python=True)
    assert locks.facts(its) == []


def test_threads_of_a_device_are_no_other_threads():
    def step(calls, begin):
        calls.look(begin - 160 * US, begin + 200 * US, processor=60 * US, runnable=0, process=300 * US)
        calls.call("launch", begin + 200 * US, begin + 205 * US, stream=1, works=[(begin + 205 * US, begin + 355 * US)])
        wait(calls, begin + 206 * US, begin + 355 * US, wake=5 * US)

    # The two units ran for 120 us each behind the begin of the look, in the work before.
    assert locks.facts(_its(step, python=True, **CPU)) == []
    assert len(locks.facts(_its(step, python=True))) == 1


def test_a_wait_that_ends_too_late_waits_for_the_gil():
    def step(calls, begin):
        calls.call("launch", begin, begin + 5 * US, stream=1, works=[(begin + 5 * US, begin + 105 * US)])
        wait(calls, begin + 6 * US, begin + 105 * US, wake=290 * US)
        calls.look(begin, begin + 395 * US, processor=10 * US, runnable=0, process=390 * US)

    its = _its(step, python=True)
    [finding] = locks.facts(its)
    assert finding.evidence["us_idle"] == pytest.approx(290, abs=1)
    assert isinstance(finding.edit, Faster)
    assert Simulation(its).saving(finding.edit).value == pytest.approx(290 * US, rel=0.05)


def _copied(size):
    def step(calls, begin):
        calls.call("launch", begin, begin + 5 * US, stream=1, works=[(begin + 5 * US, begin + 105 * US)])
        calls.call("copy", begin + 6 * US, begin + 395 * US, stream=1, size=size)
        calls.look(begin, begin + 395 * US, processor=10 * US, runnable=0, process=390 * US)

    return _its(step, python=True)


def test_threads_that_copy_for_the_caller_have_no_lock():
    assert locks.facts(_copied(1 << 20)) == []
    [finding] = locks.facts(_copied(1 << 10))  # which takes no such time
    assert finding.evidence["us_idle"] == pytest.approx(290, abs=2)


@pytest.mark.parametrize("runnable", [0, 100 * US])
@pytest.mark.parametrize("waiting", ["load", "launch"])  # for what is before the call that loads, and behind it
def test_what_is_waited_for_beside_a_call_that_loads_is_a_compiler(waiting, runnable):
    def step(calls, begin):
        calls.look(begin - 40 * US, begin + 200 * US, processor=10 * US, runnable=runnable, process=240 * US)
        load = begin + 200 * US if waiting == "load" else begin - 39 * US
        calls.call("load", load, load + 20 * US)
        calls.call("launch", begin + 222 * US, begin + 227 * US, stream=1, works=[(begin + 227 * US, begin + 300 * US)])
        wait(calls, begin + 228 * US, begin + 300 * US, wake=5 * US)

    its = _its(step, python=True)
    assert locks.facts(its) == not_running.facts(its) == []
    [finding] = first_launches.facts(its)
    assert finding.evidence["us_idle"] == pytest.approx(317, abs=2)  # all of the repetition but the work and its wait
    assert "GIL" not in idle_of(its).causes


def test_what_own_records_say_of_waiting_is_believed():
    def step(calls, begin):
        calls.call("launch", begin, begin + 300 * US, stream=1, waited=290 * US,
                   works=[(begin + 300 * US, begin + 400 * US)])  # fmt: skip

    [finding] = locks.facts(_its(step))
    assert finding.evidence["us_idle"] == pytest.approx(290, abs=1)


def test_a_thread_without_a_processor_is_named():
    its = _its(lambda calls, begin: _paused(calls, begin, processor=60 * US, runnable=180 * US, process=60 * US))
    [finding] = not_running.facts(its)
    assert finding.kind == "thread-not-running"
    assert finding.sentence == (
        "`MainThread` is ready to run and has no processor, and the GPU is idle for 180 us, 45 % of `step`."
    )
    assert Simulation(its).saving(finding.edit).value == pytest.approx(180 * US, rel=0.05)
    assert locks.facts(its) == []
    assert idle_of(its).causes["thread not running"] == pytest.approx(180 * US)


def test_a_thread_without_a_processor_while_the_device_works_is_not_named():
    def step(calls, begin):
        calls.look(begin - 100 * US, begin + 200 * US, processor=60 * US, runnable=180 * US, process=60 * US)
        calls.call("launch", begin + 200 * US, begin + 205 * US, stream=1, works=[(begin + 205 * US, begin + 604 * US)])

    assert not_running.facts(_its(step)) == []


def _taking_turns(threads=3, turns=40, *, work=500 * US, away=400 * US, locked=True, begins=0):
    """Let threads launch, wait and be away; with a lock for all of that, or without one. All begin at the same time."""
    calls, at = Calls(facts={"recorder": False}), [place * 100 * US for place in range(threads)]
    free, lock = begins, begins
    for thread in range(threads if begins else 0):
        calls.call("load", 0, begins - thread - 1, thread=thread)
        calls.call("launch", begins - thread - 1, begins - thread, thread=thread)
    for _ in range(turns):
        for thread in range(threads):
            begin = max(at[thread], lock) if locked else at[thread]
            calls.call("launch", begin, begin + 5 * US, stream=thread + 1, thread=thread, name="relax",
                       works=[(max(begin + 5 * US, free), max(begin + 5 * US, free) + work)])  # fmt: skip
            free = max(begin + 5 * US, free) + work
            calls.call("synchronize", begin + 10 * US, free + 5 * US, stream=thread + 1, thread=thread)
            lock = at[thread] = free + 5 * US + away
    return calls.timeline()


def test_threads_that_take_turns_are_one_finding():
    timeline = _taking_turns()
    regions = find_regions(timeline)
    assert len(regions) == 3
    assert partners(timeline, 0) == [0, 1, 2]
    [(its, finding)] = locks.facts_of_groups(regions)
    assert its in regions
    assert finding.threads == ["MainThread", "worker 1", "worker 2"]
    assert finding.sentence.startswith("3 threads take turns, as a lock makes them: the GPU is idle for ")
    # All of the time that one is away: 400 us of a turn, and a turn is of any of them.
    assert finding.saving.value == pytest.approx(400 * US, rel=0.05)
    assert finding.repetitions == sum(len(each) for each in regions)
    assert finding.period == pytest.approx(915 * US, rel=0.05)
    assert idle_of(its).causes["lock"] > idle_of(its).causes.get("host code", 0)
    assert [each for its in regions for each in host_code.facts(its) if not each.hidden] == []


def test_threads_that_begin_at_once_may_take_turns():
    assert partners(_taking_turns(begins=30_000 * US), 0) == [0, 1, 2]


def test_threads_that_wait_for_the_device_run_beside_no_other_thread():
    def step(calls, begin):
        _paused(calls, begin, processor=10 * US, process=240 * US)
        calls.call("synchronize", begin - 40 * US, begin + 195 * US, thread=1)

    its = _its(step, python=True)
    assert locks.facts(its) == []
    assert idle_of(its).causes.get("GIL", 0) == 0


def test_what_makes_few_repetitions_long_is_named():
    calls, begin = Calls(), 100 * US
    for number in range(200):
        late = 3000 * US if number % 10 == 9 else 0  # two threads have one processor in turn
        calls.range("step", begin, begin + 400 * US + late)
        _paused(calls, begin + late, processor=240 * US, runnable=0, process=240 * US)
        if late:
            calls.looks[-1] |= {"begin": calls.looks[-1]["begin"] - late, "runnable": late}
        begin += 400 * US + late
    its = region(calls)
    [finding] = not_running.facts(its)
    assert "the GPU is idle for 300 us, 43 % of `step`" in finding.sentence
    assert finding.period == pytest.approx(700 * US)
    assert Simulation(its).saving(finding.edit).value == pytest.approx(300 * US, rel=0.1)


def test_threads_that_call_at_once_take_no_turns():
    timeline = _taking_turns(locked=False)
    assert partners(timeline, 0) == [0]
    assert locks.facts_of_groups(find_regions(timeline)) == []


def _members(times, *, host=False, wait_in_driver=True, files=False, buses=(), apart=0):
    """Let threads or processes do the same, with works or host code of these times, and wait for the slowest."""
    period = max(times) + 50 * US
    timelines = []
    calls = Calls()
    for place, time in enumerate(times):
        thread = 0 if files else place
        calls = Calls() if files else calls
        for number in range(30):
            begin = number * period + place * apart
            start = begin + (time if host else 5 * US)
            calls.call("launch", start, start + 5 * US, stream=place + 1, thread=thread, name="relax",
                       works=[(start + 5 * US, start + 5 * US + (10 * US if host else time))])  # fmt: skip
            done = start + (15 * US if host else time + 5 * US)
            calls.call("synchronize", start + 6 * US, begin + period - 2 * US if wait_in_driver else done + US,
                       stream=place + 1, thread=thread)  # fmt: skip
        if files:
            facts = {"devices": [{"name": "GPU", "kind": "gpu", "pci_bus": buses[place]}]} if buses else {}
            calls.facts |= facts
            timelines.append(calls.timeline())
    return [its for timeline in timelines or [calls.timeline()] for its in find_regions(timeline)]


def test_the_slowest_of_several_threads_is_named():
    [(its, finding)] = stragglers.facts_of_groups(_members([800 * US, 200 * US, 200 * US]))
    assert its.thread == 0
    assert finding.kind == "straggler"
    assert finding.subject == "MainThread"
    assert finding.sentence.startswith("`MainThread` takes 8")
    assert "the other 2 threads 2" in finding.sentence
    assert "they wait 6" in finding.sentence
    assert finding.mend.startswith("Divide the work so that each thread has the same: 4")
    assert isinstance(finding.edit, Faster)
    assert finding.edit.work == pytest.approx(0.5, abs=0.01)
    assert finding.threads[0] == "MainThread"


def test_a_thread_that_computes_longer_is_named_too():
    [(_, finding)] = stragglers.facts_of_groups(_members([800 * US, 200 * US], host=True))
    assert isinstance(finding.edit, Before)
    assert finding.edit.factor == pytest.approx(1 - 300 / 800, abs=0.05)


def test_threads_with_equal_work_have_no_slowest():
    assert stragglers.facts_of_groups(_members([500 * US, 500 * US])) == []


def test_the_slowest_of_several_processes_is_named():
    [(_, finding)] = stragglers.facts_of_groups(_members([800 * US, 200 * US, 200 * US, 250 * US], files=True))
    assert finding.subject == "process 100"
    assert "the other 3 processes 212 us" in finding.sentence


def test_threads_that_take_their_work_from_a_queue_wait_for_no_slowest():
    """They begin apart: one goes on when it has done its own."""
    assert stragglers.facts_of_groups(_members([500 * US, 400 * US], apart=0)) != []
    assert stragglers.facts_of_groups(_members([500 * US, 400 * US], apart=250 * US)) == []


def test_processes_that_share_a_gpu_are_compared_by_the_time_of_their_hosts():
    """It does their kernels in turn: one that has fewer of them waits for those of the other."""
    for buses, kinds in ((("0000:02:00.0", "0000:03:00.0"), ["straggler"]), (("0000:02:00.0", "0000:02:00.0"), [])):
        members = _members([800 * US, 200 * US], files=True, buses=buses)
        assert [finding.kind for _, finding in stragglers.facts_of_groups(members)] == kinds
    slow_host = _members([800 * US, 200 * US], host=True, files=True, buses=("0000:02:00.0",) * 2)
    [(_, finding)] = stragglers.facts_of_groups(slow_host)
    assert isinstance(finding.edit, Before)


def test_those_that_wait_for_the_slowest_process_know_it():
    members = _members([800 * US, 200 * US], files=True)
    stragglers.facts_of_groups(members)
    assert [stragglers.WAITS in member.notes for member in members] == [False, True]


def test_threads_that_do_different_things_are_not_compared():
    regions = _members([800 * US, 200 * US])
    ops = regions[1].timeline.ops
    regions[1].timeline.names.append("other")
    ops.name[(ops.thread == 1) & (ops.works > 0)] = len(regions[1].timeline.names) - 1
    assert stragglers.facts_of_groups(regions) == []


def test_one_thread_alone_has_none_to_wait_for():
    assert stragglers.facts_of_groups(_members([800 * US])) == []


def test_threads_of_a_device_that_look_for_work_are_no_other_threads():
    def step(calls, begin):
        # Behind a command the runtime's thread goes on for 300 us, and the program sleeps.
        calls.call("launch", begin, begin + 5 * US, stream=1, name="relax", works=[(begin + 5 * US, begin + 55 * US)])
        wait(calls, begin + 6 * US, begin + 55 * US)
        calls.look(begin + 60 * US, begin + 400 * US, processor=10 * US, runnable=0, process=310 * US)

    its = _its(step, python=True, **CPU)
    assert locks.facts(its) == []
    assert "GIL" not in idle_of(its).causes


def test_without_its_wait_a_thread_that_woke_up_late_is_late_elsewhere():
    calls = Calls()
    for number in range(40):
        begin = number * 1000 * US
        late = 300 * US if number % 4 == 0 else 0  # it had no processor
        calls.range("step", begin, begin + 1000 * US)
        calls.call("launch", begin, begin + 5 * US, stream=1, name="relax", works=[(begin + 5 * US, begin + 105 * US)])
        wait(calls, begin + 6 * US, begin + 105 * US, wake=5 * US + late)
    its = region(calls)
    rows = its.rows()[its.timeline.ops.role[its.rows()] == Role.SYNCHRONIZE]
    [stretch] = Simulation(its)._part.stretches
    returned = edited(stretch.program, Return(rows), None, its.timeline.ops.size, frozenset())
    own = [returned.own[place] for place in range(len(returned)) if returned.rows[place] in set(rows.tolist())]
    assert max(own) == pytest.approx(300 * US, rel=0.05)
    assert sorted(own)[len(own) // 2] < 10 * US


def test_a_report_names_the_slowest_and_not_the_waits_for_it():
    examination = why._Examination(None)
    slow, waiting = _members([800 * US, 200 * US], files=True)
    waiting.notes[stragglers.WAITS] = True
    asleep = Finding("host-code", "relax", "step", "", "", evidence={"share_asleep": 0.9})
    examination._report.findings.append(asleep)
    for its, expected in ((slow, False), (waiting, False)):
        examination._region_of[id(asleep)] = its
        assert examination._is_explained(asleep) is expected  # no slowest is named
    examination._report.findings.append(Finding("straggler", "process 1", "step", "", ""))
    for its, expected in ((slow, False), (waiting, True)):
        examination._region_of[id(asleep)] = its
        assert examination._is_explained(asleep) is expected
