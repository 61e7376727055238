"""The simulation against a reference machine: random programs, and the same ones with a mend."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy
import pytest

from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation import edits
from launchpath._findings.simulation.simulation import Simulation
from tests.findings.machine import Call, Machine, Running, without_waiting

REPETITIONS = 16
PROGRAMS = 40  # of each kind of edit
SHARE = 0.95  # of the predictions that have to be right; a machine's latency is not always to be seen


@dataclass(frozen=True)
class Change:
    """A mend: as an edit of a timeline, and as a change of the program; and the calls that can have it."""

    edit: Callable[[numpy.ndarray], edits.Edit]
    call: Callable[[Call], Call]
    fits: Callable[[Call], bool]


CHANGES = {
    "remove": Change(edits.Remove, lambda call: replace(call, what="nothing", own=0), lambda _: True),
    "return": Change(edits.Return, without_waiting, lambda call: call.what.startswith("synchronize")),
    "before": Change(
        lambda rows: edits.Before(rows, 0.25), lambda call: replace(call, before=call.before // 4), lambda _: True
    ),
    "host": Change(
        lambda rows: edits.Faster(rows, host=0.5),
        lambda call: replace(call, own=call.own // 2),
        lambda call: call.what in ("launch", "upload", "allocate"),
    ),
    "work": Change(
        lambda rows: edits.Faster(rows, work=0.5),
        lambda call: replace(call, time=call.time // 2),
        lambda call: call.submits,
    ),
}


def between(dice: random.Random, least: int, most: int) -> int:
    """Draw a number: as many of each order of magnitude."""
    return round(least * (most / least) ** dice.random())


def drawn_machine(dice: random.Random) -> Machine:
    return Machine(
        latency=between(dice, 800, 5000),
        gap=dice.choice([0, between(dice, 200, 900)]),
        wake=between(dice, 400, 7000),
        alone=dice.random() < 0.4,
    )


def drawn_body(dice: random.Random) -> list[Call]:
    body = [Call("launch", time=between(dice, 600, 50_000))]
    for _ in range(dice.randint(1, 9)):
        what = dice.choice(["launch"] * 4 + ["upload", "copy", "synchronize", "synchronize device", "allocate"])
        body.append(
            Call(
                what,
                dice.choice([1, 1, 2]),
                between(dice, 300, 15_000),
                0 if what == "copy" else 1000 if what.startswith("synchronize") else between(dice, 300, 15_000),
                between(dice, 600, 50_000) if what in ("launch", "upload", "copy") else 0,
            )
        )
    dice.shuffle(body)
    return body


def simulate(running: Running) -> Simulation:
    """Give the simulation of a program that ran."""
    return Simulation(find_regions(running.calls().timeline())[0])


def rows_of(simulation: Simulation, body: list[Call], chosen: list[int]) -> numpy.ndarray:
    """Give the rows of some calls of the body, of all repetitions."""
    mine = numpy.flatnonzero(simulation.timeline.ops.thread == 0)
    return mine[numpy.isin(numpy.arange(len(mine)) % len(body), chosen)]


def test_the_unchanged_program_takes_as_long_as_it_took() -> None:
    wrong = []
    for seed in range(PROGRAMS):
        dice = random.Random(seed)
        running = Running(drawn_machine(dice), [drawn_body(dice)], REPETITIONS)
        simulation = simulate(running)
        period = running.period()
        if simulation.error > 1e-3 or abs(simulation.measured.value - period) > 0.02 * period:
            wrong.append((seed, simulation.error, simulation.measured, period))
    assert len(wrong) <= (1 - SHARE) * PROGRAMS, wrong


@pytest.mark.parametrize("name", CHANGES)
def test_edits_save_what_the_machine_saves(name: str) -> None:
    change, wrong, looked_at = CHANGES[name], [], 0
    for seed in range(2 * PROGRAMS):
        dice = random.Random(1000 + seed)
        machine, body = drawn_machine(dice), drawn_body(dice)
        fitting = [place for place, call in enumerate(body) if change.fits(call)]
        if not fitting or looked_at == PROGRAMS:
            continue
        looked_at += 1
        chosen = dice.sample(fitting, min(len(fitting), dice.randint(1, 3)))
        running = Running(machine, [body], REPETITIONS)
        simulation = simulate(running)
        mended = [change.call(call) if place in chosen else call for place, call in enumerate(body)]
        period = running.period()
        truth = period - Running(machine, [mended], REPETITIONS).period()
        saving = simulation.saving(change.edit(rows_of(simulation, body, chosen)))
        if saving is None or abs(saving.value - truth) > max(0.02 * period, 200.0, 0.1 * abs(truth)):
            wrong.append((seed, saving, truth, period, simulation.refusal))
    assert looked_at >= PROGRAMS / 2
    assert len(wrong) <= max((1 - SHARE) * looked_at, 1), wrong
