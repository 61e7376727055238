"""The stages of a compilation."""

import subprocess
import sys

import pytest

import launchpath as lp
from launchpath._compiler import stages
from tests.simulated import Machine


def test_stages_are_recorded_where_somebody_asks() -> None:
    with stages.stage("before"):
        pass
    with stages.record() as recorded:
        with stages.stage("first"):
            sum(range(200_000))
        with stages.stage("second"), stages.record() as inner, stages.stage("within"):
            pass
    with stages.stage("after"):
        pass
    assert [stage.name for stage in recorded] == ["first", "second"]
    assert [stage.name for stage in inner] == ["within"]
    assert all(stage.seconds > 0 for stage in recorded)
    assert recorded[0].processor > 0


@pytest.mark.processes
def test_a_stage_counts_the_programs_that_it_runs() -> None:
    with stages.record() as recorded, stages.stage("program"):
        subprocess.run([sys.executable, "-S", "-c", "sum(range(1000000))"], check=True)
    assert recorded[0].processor > 0.005


@pytest.mark.compiles
def test_stages_of_the_process_that_compiles_come_back(machine: Machine) -> None:
    with stages.record() as recorded:
        lp.compile("__global__ void mix(int *x) { *x = 1; }", machine.device)
    assert [stage.name for stage in recorded] == ["parser", "driver"]
