"""The random programs of test_memory.py with steps anywhere in them: kept back or not, the bytes are the same."""

from hypothesis import given
from hypothesis import strategies as st

from launchpath import _core
from tests.model.programs import Program, programs
from tests.model.random_programs import random_programs
from tests.model.test_memory import ACTIONS, Run, finish
from tests.simulated import Machine

STEPPED = (*ACTIONS, *("step",) * 6)


class SteppedRun(Run):
    """A program that enters and leaves steps; of two steps of a program either may be in the other."""

    def __init__(self, machine: Machine, program: Program) -> None:
        self.steps = [_core.StepBase(), _core.StepBase()]
        self.entered: list[_core.StepBase] = []
        super().__init__(machine, program)

    def step(self, action: str, stream: int, operand: int) -> None:
        if action != "step":
            super().step(action, stream, operand)
        elif self.entered and operand % 3:
            self.entered.pop().__exit__(None, None, None)
        else:
            self.entered.append(self.steps[operand % 2])
            self.entered[-1].__enter__()


@random_programs
@given(programs(STEPPED), st.integers(0, 2**32 - 1), st.sampled_from([0, 1 << 16]))
def test_no_schedule_breaks_a_program_with_steps(program: Program, seed: int, slab: int) -> None:
    with Machine(seed=seed, memory_slab=slab) as machine:
        run_in_steps(machine, program)


def run_in_steps(machine: Machine, program: Program, kind: type[SteppedRun] = SteppedRun) -> None:
    run = kind(machine, program)
    try:
        for action, stream, operand in program.steps:
            run.step(action, stream, operand)
    finally:
        while run.entered:
            run.entered.pop().__exit__(None, None, None)
    finish(machine, run)
