"""The simulation against a reference machine: random programs, edited, run again."""

from __future__ import annotations

from dataclasses import replace

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from launchpath._findings.interval import Interval
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation import edits
from launchpath._findings.simulation.simulation import Simulation
from tests.findings.machine import Call, Machine, Running

REPETITIONS = 16

times = st.sampled_from([800, 2000, 5000, 12_000, 40_000])
hosts = st.sampled_from([300, 1000, 4000, 15_000])
launches = st.builds(Call, st.just("launch"), st.integers(1, 2), hosts, hosts, times, name=st.sampled_from(["a", "b"]))
uploads = st.builds(Call, st.just("upload"), st.integers(1, 2), hosts, hosts, times)
copies = st.builds(Call, st.just("copy"), st.integers(1, 2), hosts, st.just(0), times)
waits = st.builds(Call, st.sampled_from(["synchronize", "synchronize device"]), st.integers(1, 2), hosts, st.just(1000))
allocations = st.builds(Call, st.just("allocate"), st.just(1), hosts, hosts)
machines = st.builds(
    Machine,
    latency=st.sampled_from([1000, 4000]),
    gap=st.sampled_from([0, 700]),
    wake=st.sampled_from([500, 6000]),
    alone=st.booleans(),
)
bodies = st.lists(st.one_of(launches, launches, uploads, copies, waits, allocations), min_size=2, max_size=9).filter(
    lambda body: any(call.submits for call in body)
)


def simulate(running: Running) -> Simulation:
    """Give the simulation of a program that ran."""
    return Simulation(find_regions(running.calls().timeline())[0])


def rows_of(simulation: Simulation, body: list[Call], chosen: list[int]) -> numpy.ndarray:
    """Give the rows of some calls of the body, of all repetitions."""
    ops = simulation.timeline.ops
    mine = numpy.flatnonzero(ops.thread == 0)
    return mine[numpy.isin(numpy.arange(len(mine)) % len(body), chosen)]


def agree(predicted: Interval | None, truth: float, period: float, refusal: str) -> None:
    assert predicted is not None, refusal
    assert abs(predicted.value - truth) <= max(0.02 * period, 200.0), (predicted, truth, period)


@given(machine=machines, body=bodies)
def test_the_unchanged_program_takes_as_long_as_it_took(machine: Machine, body: list[Call]) -> None:
    running = Running(machine, [body], REPETITIONS)
    simulation = simulate(running)
    assert simulation.error < 1e-3
    assert simulation.measured.value == pytest.approx(running.period(), rel=0.01, abs=20)


@given(machine=machines, body=bodies, data=st.data())
def test_edits_save_what_the_machine_saves(machine: Machine, body: list[Call], data: st.DataObject) -> None:
    running = Running(machine, [body], REPETITIONS)
    simulation = simulate(running)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(body) - 1), min_size=1, max_size=3), "calls"))
    kind = data.draw(st.sampled_from(["remove", "return", "before", "host", "work"]), "edit")
    rows = rows_of(simulation, body, chosen)
    edit: edits.Edit
    if kind == "remove":
        edit, change = edits.Remove(rows), lambda call: replace(call, what="nothing", own=0)
    elif kind == "return":
        edit, change = edits.Return(rows), lambda call: replace(call, waits=False)
        for place in chosen:
            if not body[place].what.startswith("synchronize"):
                return
    elif kind == "before":
        edit, change = edits.Before(rows, 0.25), lambda call: replace(call, before=round(call.before * 0.25))
    elif kind == "host":
        edit, change = edits.Faster(rows, host=0.5), lambda call: replace(call, own=round(call.own * 0.5))
        for place in chosen:
            if body[place].what not in ("launch", "upload", "allocate"):
                return
    else:
        edit, change = edits.Faster(rows, work=0.5), lambda call: replace(call, time=round(call.time * 0.5))
    mended = [change(call) if place in chosen else call for place, call in enumerate(body)]
    truth = running.period() - Running(machine, [mended], REPETITIONS).period()
    agree(simulation.saving(edit), truth, running.period(), simulation.refusal)
