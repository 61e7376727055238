"""Dependent launches: which there are, that they leave all in order, and that a broken rule is noticed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import launchpath as lp
from launchpath import _core
from tests.model import test_steps
from tests.model.dependence import Line
from tests.model.programs import Program, programs
from tests.model.random_programs import random_programs
from tests.model.test_memory import ACTIONS, Run, finish
from tests.model.test_steps import STEPPED
from tests.model.test_threads import THREADS
from tests.simulated import Machine

N = 16
COMMANDS = st.lists(st.sampled_from(("waits", "waits", "waits", "plain", "other")), min_size=1, max_size=12)
SEEDS = st.integers(0, 2**32 - 1)


def line_of(commands: list[str], everything: bool = False) -> Line:
    line = Line(everything)
    for what in commands:
        if what == "other":
            line.other()
        else:
            line.launch(what == "waits")
    return line


def is_right(machine: Machine, commands: list[str], forgetful: bool = False, by_event: bool = False) -> bool:
    """Let each command change one array, in one stream; whether it holds in the end what it should.

    `by_event`: read it when an event behind the commands is complete.
    """
    (stream,) = machine.streams(("nonblocking",))
    array = lp.zeros(N, "uint32", device=machine.device, stream=stream)
    expected = [0] * N
    plain = machine.kernel()
    if forgetful:
        machine.machine.devices[0].forget_wait("mix")
    waiting = machine.kernel(waits=True)
    for tag, what in enumerate(commands):
        if what == "other":
            array.fill(tag, stream)
            expected = [tag] * N
        else:
            (waiting if what == "waits" else plain)[1, 1, stream](array, None, N, tag)
            expected = [_core.simulated_mix(value, 0, tag) for value in expected]
    if by_event:
        event = stream.record()
        while not event.query():
            machine.machine.advance()
    return array.to_numpy().tolist() == expected


@random_programs
@given(COMMANDS, st.booleans())
def test_the_order_that_is_left_follows_from_the_promises(commands: list[str], everything: bool) -> None:
    line = line_of(commands, everything)
    assert line.before() == line.closure()


@random_programs
@given(COMMANDS)
def test_between_kernels_that_wait_everything_stays_in_order(commands: list[str]) -> None:
    assert line_of(commands).before() == [set(range(index)) for index in range(len(commands))]


@random_programs
@given(COMMANDS, SEEDS)
def test_the_core_launches_as_the_model_says(commands: list[str], seed: int) -> None:
    with Machine(seed=seed, dependent="waiting") as machine:
        assert is_right(machine, commands)
        numbers = [number for _, _, number, *_ in machine.machine.log][-len(commands) - 1 : -1]
        dependent = [number for _, _, number in machine.machine.dependent_launches]
        assert dependent == [
            number
            for number, command in zip(numbers, line_of(commands).commands, strict=True)
            if command.dependent
        ]  # fmt: skip


@random_programs
@given(COMMANDS, SEEDS)
def test_a_driver_that_launches_all_kernels_so_is_found_out_exactly(commands: list[str], seed: int) -> None:
    """The machine reports the commands that the model leaves out of order, and no others."""
    with Machine(seed=seed, dependent="all", check=False) as machine:
        is_right(machine, commands)
        first = machine.machine.log[-len(commands) - 1][2]
        before = line_of(commands, everything=True).before()
        races = {(report.command[2] - first, report.other[2] - first) for report in machine.machine.reports}
        assert {report.kind for report in machine.machine.reports} <= {"race"}
        pairs = {(later, earlier) for later, earlier in ((max(pair), min(pair)) for pair in races)}
        unordered = {(later, earlier) for later in range(len(commands)) for earlier in range(later)} - {
            (later, earlier) for later, earliers in enumerate(before) for earlier in earliers
        }
        assert pairs <= unordered
        assert {later for later, _ in pairs} == {later for later, _ in unordered}


MIXED = ["waits", "plain", "waits", "plain", "waits"]


@pytest.mark.parametrize(
    ("dependent", "commands", "forgetful"),
    [("all", MIXED, False), ("all", ["plain", "plain"], False), ("waiting", ["waits"] * 4, True)],
)
def test_a_kernel_that_does_not_wait_gives_wrong_results(dependent: str, commands: list[str], forgetful: bool) -> None:
    wrong = 0
    for seed in range(40):
        with Machine(seed=seed, dependent=dependent, check=False) as machine:
            wrong += not is_right(machine, commands, forgetful)
            if not forgetful:
                assert any(report.kind == "race" for report in machine.machine.reports)
    assert 0 < wrong < 40


def test_a_forgotten_wait_is_reported_as_a_race() -> None:
    with Machine(dependent="waiting", check=False) as machine:
        is_right(machine, ["waits"] * 3, forgetful=True)
        assert [report.kind for report in machine.machine.reports].count("race") >= 2


def test_a_kernel_two_places_behind_comes_after_the_kernel_between_and_so_after_the_first() -> None:
    overlaps = 0
    for seed in range(20):
        with Machine(seed=seed, dependent="waiting") as machine:
            assert is_right(machine, ["waits"] * 6)
            overlaps += machine.machine.overlaps
    assert overlaps > 40, "kernels did not start early"


def test_an_event_behind_a_dependent_kernel_is_complete_when_that_is() -> None:
    for seed in range(40):
        with Machine(seed=seed, dependent="waiting") as machine:
            assert is_right(machine, ["waits"] * 4, by_event=True)


def is_right_with_variants(machine: Machine, chosen: list[bool], forgetful: bool = False) -> bool:
    """Let a kernel, or its early variant where `chosen`, change one array; whether it holds in the end what it should.

    The variant is a kernel of another program. `forgetful`: it does not wait at its entry.
    """
    (stream,) = machine.streams(("nonblocking",))
    array = lp.zeros(N, "uint32", device=machine.device, stream=stream)
    kernel = machine.kernel(waits=True)
    if forgetful:
        machine.machine.devices[0].forget_wait("mix")
    variant = machine.kernel(waits=True)
    expected = 0
    for tag, is_early in enumerate(chosen):
        (variant if is_early else kernel)[1, 1, stream](array, None, N, tag)
        expected = _core.simulated_mix(expected, 0, tag)
    return array.to_numpy().tolist() == [expected] * N


@random_programs
@given(st.lists(st.booleans(), min_size=1, max_size=12), SEEDS)
def test_early_variants_among_their_kernels_leave_all_in_order(chosen: list[bool], seed: int) -> None:
    with Machine(seed=seed, dependent="waiting") as machine:
        assert is_right_with_variants(machine, chosen)
        assert len(machine.machine.dependent_launches) == len(chosen) - 1


@random_programs
@given(st.lists(st.booleans(), min_size=2, max_size=12), SEEDS)
def test_an_early_variant_without_its_wait_is_found_out(chosen: list[bool], seed: int) -> None:
    with Machine(seed=seed, dependent="waiting", check=False) as machine:
        is_right_with_variants(machine, chosen, forgetful=True)
        assert any(report.kind == "race" for report in machine.machine.reports) == any(chosen[1:])


class Dependent(Run):
    """The programs of test_memory.py, most of whose kernels wait at their entry."""

    def __init__(self, machine: Machine, program: Program) -> None:
        super().__init__(machine, program)
        self.plain, self.waiting = machine.kernel(), machine.kernel(waits=True)

    def change(self, action, stream, slot, other, operand):  # type: ignore[no-untyped-def]
        self.mix = self.plain if operand % 5 == 4 else self.waiting
        super().change(action, stream, slot, other, operand)


@random_programs
@given(programs((*ACTIONS, *("launch",) * 12)), SEEDS, st.lists(st.integers(0, 2), min_size=1, max_size=5).map(tuple))
def test_no_schedule_breaks_a_program_of_several_threads(program: Program, seed: int, turns: tuple[int, ...]) -> None:
    with Machine(seed=seed, dependent="waiting") as machine:
        run_by_threads(machine, program, turns)


def run_by_threads(machine: Machine, program: Program, turns: tuple[int, ...]) -> None:
    run = Dependent(machine, program)
    for i, (what, stream, operand) in enumerate(program.steps):
        THREADS[turns[i % len(turns)]].submit(run.step, what, stream, operand).result()
    finish(machine, run)


class DependentInSteps(test_steps.SteppedRun, Dependent):
    """The same, with steps anywhere in them."""


@random_programs
@given(programs((*STEPPED, *("launch",) * 12)), SEEDS)
def test_no_schedule_breaks_a_program_with_steps(program: Program, seed: int) -> None:
    with Machine(seed=seed, dependent="waiting") as machine:
        test_steps.run_in_steps(machine, program, DependentInSteps)
