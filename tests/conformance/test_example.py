"""The example of examples/: its three ways of giving arguments come to the same state, which is a sane one."""

from __future__ import annotations

import pytest

import launchpath as lp
from examples import rigid_bodies

STEPS = 20


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(rigid_bodies.source(), device)


@pytest.fixture(scope="module")
def simulations(program):
    layout = rigid_bodies.Layout(worlds=5, bodies=4)
    return {mode: rigid_bodies.Simulation(program, layout, mode) for mode in rigid_bodies.MODES}


def test_a_step_is_many_launches(simulations):
    assert all(len(simulation.step) >= 20 for simulation in simulations.values())


def test_every_mode_comes_to_the_same_state(simulations):
    checksums = set()
    for simulation in [*simulations.values(), *simulations.values()]:
        simulation.reset()
        simulation.run(STEPS)
        assert simulation.problems(STEPS) == []
        checksums.add(simulation.checksum())
    assert len(checksums) == 1


def test_what_is_printed_says_so(program, capsys):
    comparison = rigid_bodies.compare(program, rigid_bodies.Layout(3, 2), STEPS, trials=2)
    assert comparison.sane
    rigid_bodies.show(comparison)
    assert "identical in all modes" in capsys.readouterr().out


def test_it_falls_and_stays_above_the_ground(simulations):
    simulation = simulations["skip"]
    simulation.reset()
    simulation.run(150)
    assert simulation.problems(150) == []
    assert (simulation.read("total") < simulation.read("highest") / 2).all()
    assert simulation.read("near").any()


def test_structs_are_uploaded_once_unless_told_otherwise(simulations):
    made = {}
    for mode, simulation in simulations.items():
        simulation.reset()
        simulation.run(1)
        before = lp.argument_counts()["uploads"]
        simulation.run(STEPS)
        made[mode] = lp.argument_counts()["uploads"] - before
    assert made == {"skip": 0, "upload": STEPS * len(simulations["upload"].step), "plain": 0}
