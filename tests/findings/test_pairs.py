"""Pairs of the corpus on the devices that are here: with the fault and without it the results are the same."""

import pytest

from benchmarks.findings import running
from benchmarks.findings.catalogue import PROGRAMS, find
from benchmarks.findings.running import Machine, RunError

pytestmark = pytest.mark.processes
FEW = 12  # repetitions
CPU_PAIRS = [program for program in PROGRAMS if program.library == "own" and not program.is_application]


@pytest.fixture
def machine(device_id, monkeypatch):
    monkeypatch.setattr(running, "TRIES", 1)  # other tests disturb each run: results are the same, and times are minima
    if device_id not in ("intel", "pocl", "cuda"):
        pytest.skip(f"the corpus does not run on {device_id}")
    return Machine(device_id, quick=True)


@pytest.mark.sample(4)
@pytest.mark.parametrize("program", CPU_PAIRS, ids=lambda program: program.name)
def test_twins_have_the_same_results(machine, program):
    faulty, mended = (machine.run(program, *options, repetitions=FEW) for options in ((), ("--mended",)))
    assert faulty.result == mended.result
    assert min(faulty.us, mended.us) > 10 and faulty.repetitions == mended.repetitions == FEW


@pytest.mark.times
@pytest.mark.parametrize("name", ["pairs.own.equal_uploads", "pairs.own.small_copies"])
def test_a_fault_takes_time(machine, name):
    """Each twin's least time of three: these two cost more than other machines of the same processor disturb."""
    program = find(name)
    times = {options: [] for options in ((), ("--mended",))}
    for _ in range(3):
        for options, taken in times.items():
            taken.append(machine.run(program, *options, repetitions=3 * FEW).us)
    assert min(times[()]) > 1.1 * min(times[("--mended",)])


def test_the_faults_of_an_application_are_mended_one_by_one(machine):
    program = find("apps.serving")
    runs = [machine.run(program, *options, repetitions=2 * FEW) for options in ((), ("--mend", "lock"), ("--mended",))]
    assert len({run.result for run in runs}) == 1


def test_a_program_that_fails_is_a_problem_with_its_reason(machine):
    with pytest.raises(RunError, match="exit code 2: .*--repetitions"):
        machine.run(find("pairs.own.host_code"), "--repetitions", "many")
