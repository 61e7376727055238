"""Random programs whose steps are done by three threads in turn: which thread does a step must make no difference."""

import atexit
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.model.programs import Program, programs
from tests.model.random_programs import random_programs
from tests.model.test_memory import ACTIONS, Run
from tests.simulated import Machine

# One thread each; a step is handed over, and its end waited for.
THREADS = [ThreadPoolExecutor(1, f"program-{i}") for i in range(3)]
for pool in THREADS:
    atexit.register(pool.shutdown)


def run_program(machine: Machine, program: Program, turns: tuple[int, ...]) -> None:
    run = Run(machine, program)
    for i, (what, stream, operand) in enumerate(program.steps):
        THREADS[turns[i % len(turns)]].submit(run.step, what, stream, operand).result()
    machine.device.synchronize()
    for slot in run.slots:
        np.testing.assert_array_equal(slot.array.to_numpy(), slot.expected)
    assert len(run.called) == run.host_functions
    assert machine.machine.redundant_waits == 0


@random_programs
@given(programs(ACTIONS), st.integers(0, 2**32 - 1), st.lists(st.integers(0, 2), min_size=1, max_size=7).map(tuple))
def test_which_thread_submits_makes_no_difference(program: Program, seed: int, turns: tuple[int, ...]) -> None:
    with Machine(seed=seed) as machine:
        run_program(machine, program, turns)
