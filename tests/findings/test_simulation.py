"""The simulation: each mend, what is refused, bounds, slopes and the critical path, on made-up timelines."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy
import pytest

from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation import edits
from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.simulation.simulation import Simulation
from launchpath._findings.timeline.roles import Role
from tests.findings.machine import Call, Machine, Running, without_waiting
from tests.findings.timelines import Calls

REPETITIONS = 24
MACHINE = Machine(latency=3000, gap=400, wake=4000)


def simulated(
    *bodies: list[Call], machine: Machine = MACHINE, calibration: Calibration | None = None, **facts: Any
) -> Simulation:
    calls = Running(machine, bodies, REPETITIONS).calls()
    calls.facts.update(facts)
    return Simulation(find_regions(calls.timeline())[0], calibration)


def rows(simulation: Simulation, *roles: Role) -> numpy.ndarray:
    ops = simulation.timeline.ops
    return numpy.flatnonzero(numpy.isin(ops.role, roles) & (ops.depth == 0))


def saved(simulation: Simulation, edit: edits.Edit) -> float:
    saving = simulation.saving(edit)
    assert saving is not None, simulation.refusal
    assert saving.low <= saving.value <= saving.high
    return saving.value


def period(*bodies: list[Call], machine: Machine = MACHINE) -> float:
    return Running(machine, bodies, REPETITIONS).period()


LAUNCH, LONG = Call("launch", time=2000), Call("launch", time=50_000)
WAIT = Call("synchronize", own=1000)


def test_a_wait_that_is_hidden_saves_nothing() -> None:
    body = [LONG, WAIT, Call("launch", before=500, own=500, time=50_000)]
    simulation = simulated(body)
    truth = period(body) - period([body[0], without_waiting(WAIT), body[2]])
    assert saved(simulation, edits.Return(rows(simulation, Role.SYNCHRONIZE))) == pytest.approx(truth, abs=300)


def test_the_host_that_runs_ahead_is_not_what_counts() -> None:
    """Nothing is waited for: the device is the slower one, and launches cost nothing."""
    body = [LONG, LONG]
    simulation = simulated(body)
    assert simulation.bound == "device"
    assert saved(simulation, edits.Faster(rows(simulation, Role.LAUNCH), host=0.5)) == pytest.approx(0, abs=10)
    assert saved(simulation, edits.Faster(rows(simulation, Role.LAUNCH), work=0.5)) == pytest.approx(50_000, abs=500)


def test_a_faster_device_saves_only_until_the_host_is_the_slower_one() -> None:
    body = [Call("launch", before=10_000, own=10_000, time=50_000)]
    simulation = simulated(body)
    assert saved(simulation, edits.Faster(rows(simulation, Role.LAUNCH), work=0.1)) == pytest.approx(30_400, abs=100)


def test_launches_that_wait_for_room_end_earlier_with_a_faster_device() -> None:
    calls, now, ends = Calls(), 0.0, [0.0]
    for _ in range(2000):
        # At most 64 are in the queue: a launch waits until one of them is complete.
        begin = now + 1000
        free = ends[-64] if len(ends) > 64 else 0.0
        end = max(begin + 2000, free + 500)
        start = max(end + 3000, ends[-1] + 400)
        ends.append(start + 20_000)
        calls.call("launch", begin, end, name="a", stream=1, works=[(start, ends[-1])])
        now = end
    simulation = Simulation(find_regions(calls.timeline())[0])
    assert simulation.error < 0.05
    launches = rows(simulation, Role.LAUNCH)
    assert saved(simulation, edits.Faster(launches, work=0.5)) == pytest.approx(10_000, rel=0.05)
    assert saved(simulation, edits.Faster(launches, host=0.5)) == pytest.approx(0, abs=100)


def test_a_polling_is_a_wait() -> None:
    calls, now = Calls(evidence=False), 0.0
    for _ in range(REPETITIONS):
        calls.range("step", now, now + 1)
        calls.call("launch", now + 1000, now + 3000, name="a", stream=1, works=[(now + 5000, now + 45_000)])
        at = now + 4000
        while at < now + 45_000:
            calls.call("query", at, at + 500)
            at += 1500
        now = at
    simulation = Simulation(find_regions(calls.timeline())[0])
    assert saved(simulation, edits.Faster(rows(simulation, Role.LAUNCH), work=0.5)) == pytest.approx(20_000, rel=0.05)


def test_a_wait_for_one_stream_is_narrower_than_one_for_the_device() -> None:
    other = Call("launch", stream=2, time=150_000)
    wait = Call("synchronize device", own=1000)
    body = [LONG, other, wait, Call("launch", stream=1, time=50_000), WAIT, Call("allocate", own=100_000)]
    simulation = simulated(body)
    waits = numpy.flatnonzero(simulation.timeline.ops.function == simulation.timeline.names.index("cuCtxSynchronize"))
    truth = period(body) - period([*body[:2], WAIT, *body[3:]])
    assert truth > 50_000
    narrow = edits.Narrow(waits, 1, numpy.full(len(waits), -1))
    assert saved(simulation, narrow) == pytest.approx(truth, rel=0.02)
    upto = edits.Narrow(waits, 1, waits - 2)  # the launch of stream 1
    assert saved(simulation, upto) == pytest.approx(truth, rel=0.02)


def test_works_move_to_another_stream_and_wait_for_what_they_need() -> None:
    body = [Call("launch", time=50_000), Call("launch", time=50_000), WAIT]
    simulation = simulated(body)
    launches = rows(simulation, Role.LAUNCH)
    second = launches[1::2]
    other = Call("launch", stream=2, time=50_000)
    truth = period(body) - period([body[0], other, WAIT, Call("synchronize", stream=2, before=0, own=0)])
    free = edits.Move(second, 9, numpy.full(len(second), -1))
    assert saved(simulation, free) == pytest.approx(truth, abs=4000)  # the machine has two waits
    assert saved(simulation, edits.Move(second, 9, launches[::2])) == pytest.approx(0, abs=1000)


def test_copies_become_one() -> None:
    copies = [Call("upload", time=10_000 + size) for size in (0, 0, 0, 0)]
    body = [*copies, LAUNCH, WAIT]
    simulation = simulated(body)
    uploads = rows(simulation, Role.COPY)
    group = numpy.arange(len(uploads)) // 4
    truth = period(body) - period([Call("upload", time=12_000), *[Call("nothing", own=0)] * 3, LAUNCH, WAIT])
    assert saved(simulation, edits.Merge(uploads, group, 12_000.0)) == pytest.approx(truth, rel=0.02)
    assert saved(simulation, edits.Merge(uploads, group)) > truth  # all of their times is the fixed part


def test_a_blocking_copy_that_returns_at_once() -> None:
    body = [Call("copy", own=0, time=30_000), Call("allocate", own=40_000)]
    simulation = simulated(body)
    truth = period(body) - period([Call("upload", own=1000, time=30_000), body[1]])
    assert saved(simulation, edits.Asynchronous(rows(simulation, Role.COPY), 1000.0)) == pytest.approx(truth, rel=0.05)


def test_a_step_needs_a_calibration() -> None:
    body = [*[Call("launch", before=300, own=4000, time=1000)] * 10, WAIT]
    simulation = simulated(body)
    assert simulation.saving(edits.AsStep(rows(simulation, Role.LAUNCH))) is None
    assert "step" in simulation.refusal
    known = simulated(body, calibration=Calibration("GPU 0", 4000, kept=200, submit=5000, node=100, gap=-200))
    # Ten launches of 4.3 us each are ten of 0.5 us and a submission of 5.9 us. What was the device's behind the last
    # launch was 1 us: now it is ten kernels with gaps between them.
    saving = saved(known, edits.AsStep(rows(known, Role.LAUNCH)))
    assert saving == pytest.approx(43_000 - 5_000 - 5_900 - 9 * 1_000, abs=2_500)


def test_several_edits_at_once() -> None:
    body = [Call("allocate", own=5000), LONG, WAIT]
    simulation = simulated(body)
    one = edits.Remove(rows(simulation, Role.ALLOCATE))
    other = edits.Faster(rows(simulation, Role.LAUNCH), work=0.5)
    both = edits.Together(numpy.zeros(0, "i8"), (one, other))
    assert saved(simulation, both) == pytest.approx(saved(simulation, one) + saved(simulation, other), abs=1)


def test_calls_of_few_repetitions_are_simulated_where_they_are() -> None:
    calls, now = Calls(), 0.0
    for number in range(400):
        calls.range("step", now, now + 1)
        calls.call("launch", now + 1000, now + 3000, name="a", stream=1, works=[(now + 6000, now + 16_000)])
        calls.call("synchronize", now + 4000, now + 20_000, stream=1)
        now += 21_000
        if number % 100 == 50:
            calls.call("allocate", now - 500, now + 299_500)
            now += 300_000
    simulation = Simulation(find_regions(calls.timeline())[0])
    assert saved(simulation, edits.Remove(rows(simulation, Role.ALLOCATE))) == pytest.approx(3000, rel=0.01)


def test_each_call_has_its_own_factor() -> None:
    simulation = simulated([Call("launch", before=5000, time=20_000), WAIT])
    launches = rows(simulation, Role.LAUNCH)
    few = edits.Before(launches[::6], 0.0)
    factors = numpy.tile([0.0, 1.0], 4)
    assert saved(simulation, edits.Before(launches[::3], factors)) == saved(simulation, few)
    # What few repetitions have counts by its mean, over all repetitions.
    assert saved(simulation, few) == pytest.approx(3 * 5000 / REPETITIONS)  # the first call has nothing before it


def test_what_the_trace_has_cost_is_no_saving() -> None:
    cost = {"opencl": {"command": {"ns": 1500.0}, "call": {"ns": 500.0}}}
    body = [Call("launch", before=4000, own=4000, time=1000)] * 3
    simulation = simulated(body, cost=cost)
    assert simulation.measured.value == pytest.approx(24_000, rel=0.01)
    assert simulation.period.value == pytest.approx(24_000 - 3 * 1500, rel=0.01)
    assert saved(simulation, edits.Before(rows(simulation, Role.LAUNCH))) == pytest.approx(3 * 2500, rel=0.01)


def test_two_threads_share_a_stream() -> None:
    bodies = [[LONG, WAIT], [Call("launch", time=30_000), WAIT]]
    simulation = simulated(*bodies)
    assert simulation.error < 0.01
    ops = simulation.timeline.ops
    mine = numpy.flatnonzero((ops.role == Role.LAUNCH) & (ops.thread == 0))
    assert 0 < saved(simulation, edits.Faster(mine, work=0.5)) <= 26_000


def test_events_hold_a_stream_back() -> None:
    body = [
        Call("launch", stream=1, time=40_000), Call("record", stream=1, event=1), Call("order", stream=2, event=1),
        Call("launch", stream=2, time=40_000), Call("synchronize event", event=2, before=0), Call("synchronize device"),
    ]  # fmt: skip
    simulation = simulated(body)
    assert simulation.error < 0.01
    order = edits.Remove(rows(simulation, Role.ORDER))
    truth = period(body) - period([*body[:2], Call("nothing", own=0), *body[3:]])
    assert truth > 20_000
    assert saved(simulation, order) == pytest.approx(truth, rel=0.05)


@pytest.mark.parametrize(
    "body, bound",
    [
        ([Call("launch", before=20_000, time=5000)] * 3, "host"),
        ([Call("launch", before=2000, time=40_000)] * 3, "device"),
        ([Call("launch", before=30_000, time=30_000), WAIT] * 2, "neither"),
        ([Call("launch", before=40_000, time=3000), WAIT] * 2, "host"),
    ],
)
def test_bounds(body: list[Call], bound: str) -> None:
    assert simulated(body).bound == bound


def test_short_kernels_that_begin_behind_their_calls_are_bound_by_the_host() -> None:
    """Each kernel of a GPU ends while the next one's call goes on: no queue is seen to be idle at the begin of a call."""
    calls, random, now = Calls(), numpy.random.default_rng(1), 0.0
    for _ in range(60):
        for _ in range(20):
            end = now + float(random.uniform(6500, 9500))
            begin = end + float(random.uniform(1500, 1800) if random.random() > 0.03 else 5500)  # a few are late
            calls.call("launch", now, end, name="short", stream=1, works=[(begin, begin + 2000)])
            now = end + 100
        calls.call("synchronize", now, now + 6000, stream=1)
        now += 6500
    simulation = Simulation(find_regions(calls.timeline())[0])
    assert simulation.bound == "host"
    launches = rows(simulation, Role.LAUNCH)
    assert saved(simulation, edits.Faster(launches, host=0.5)) == pytest.approx(20 * 4000, rel=0.05)


def test_slopes() -> None:
    host = simulated([Call("launch", before=20_000, time=5000)] * 3)
    assert host.slope("submissions").value == pytest.approx(1, abs=0.01)
    assert host.slope("host code").value == pytest.approx(1, abs=0.01)
    assert host.slope("works").value == pytest.approx(0, abs=0.01)
    assert host.slope("synchronizations").value == 0
    device = simulated([Call("launch", before=2000, time=40_000)] * 3)
    assert device.slope("submissions").value == pytest.approx(0, abs=0.01)
    assert device.slope("works").value == pytest.approx(1, abs=0.01)
    both = simulated([LONG, WAIT])
    assert both.slope("submissions").value == pytest.approx(1, abs=0.01)
    assert both.slope("works").value == pytest.approx(1, abs=0.01)
    assert both.slope("synchronizations").value == pytest.approx(0, abs=0.01)


def test_the_critical_path() -> None:
    simulation = simulated([LONG, Call("launch", stream=2, time=2000), Call("synchronize device")])
    path = simulation.critical(10)
    ops = simulation.timeline.ops
    region = simulation.region
    assert ((path.works >= region.first[10]) & (path.works < region.last[10])).all()
    assert [Role(role) for role in ops.role[path.works]] == [Role.LAUNCH]
    assert ops.stream[path.works].tolist() == [1]
    first = int(region.first[10])
    assert set(path.calls.tolist()) >= {first, first + 2}
    assert first + 1 not in path.calls
    # Where nothing is waited for and the host is the slower one, no work is on it but the last.
    host = simulated([Call("launch", before=20_000, time=5000)] * 3)
    path = host.critical(10)
    assert len(path.calls) >= 3
    assert len(path.works) <= 1


def test_what_cannot_be_told_is_refused_with_the_reason() -> None:
    body = [LONG, WAIT]
    few = Running(MACHINE, [body], 4).calls().timeline()
    region = find_regions(few)[0]
    region.begins, region.ends = region.begins[:2], region.ends[:2]
    simulation = Simulation(region)
    assert simulation.saving(edits.Remove(numpy.array([0]))) is None
    assert "2 times" in simulation.refusal
    assert simulation.bound == "unknown"

    lost = simulated(body)
    lost.timeline.counters["dropped"] = 12
    assert lost.saving(edits.Remove(rows(lost, Role.LAUNCH))) is None
    assert "12 records" in lost.refusal

    none = simulated(body)
    assert none.saving(edits.Remove(numpy.array([10_000]))) is None
    assert "none of the calls" in none.refusal

    calls, now = Calls(), 0.0
    for _ in range(REPETITIONS):
        calls.range("step", now, now + 1)
        calls.call("launch", now + 1000, now + 3000, name="a", stream=1)
        now += 10_000
    untimed = Simulation(find_regions(calls.timeline())[0])
    assert untimed.saving(edits.Remove(rows(untimed, Role.LAUNCH))) is None
    assert "times of the device" in untimed.refusal
    assert untimed.bound == "unknown"


def test_a_simulation_that_is_wrong_says_nothing() -> None:
    simulation = simulated([LONG, WAIT])
    assert simulation.saving(edits.Remove(rows(simulation, Role.LAUNCH))) is not None
    wrong = simulated([LONG, WAIT])
    for stretch in wrong._part.stretches:
        stretch.program.before[:] = [2 * each + 50_000 for each in stretch.program.before]
    assert wrong.error > 0.2
    assert wrong.saving(edits.Remove(rows(wrong, Role.LAUNCH))) is None
    assert "were measured" in wrong.refusal
    assert math.isfinite(wrong.error)


def test_a_graph_is_one_work() -> None:
    calls, now = Calls(), 0.0
    for _ in range(REPETITIONS):
        calls.range("step", now, now + 1)
        nodes = [(now + 8000 + 2000 * node, now + 9500 + 2000 * node) for node in range(10)]
        calls.call("graph", now + 1000, now + 5000, stream=1, works=nodes)
        calls.call("synchronize", now + 6000, now + 30_000, stream=1)
        now += 31_000
    simulation = Simulation(find_regions(calls.timeline())[0])
    assert simulation.error < 0.01
    assert saved(simulation, edits.Faster(rows(simulation, Role.GRAPH), work=0.5)) == pytest.approx(9750, rel=0.02)


def test_events_between_streams_of_a_device_that_runs_one_command_at_a_time() -> None:
    body = [
        Call("launch", stream=1, time=40_000), Call("record", stream=1, event=1), Call("order", stream=2, event=1),
        Call("launch", stream=2, time=30_000), Call("launch", stream=1, time=20_000), Call("record", stream=2, event=2),
        Call("synchronize event", event=2), Call("synchronize device"),
    ]  # fmt: skip
    machine = Machine(latency=3000, gap=0, wake=4000, alone=True)
    simulation = simulated(body, machine=machine)
    assert simulation.error < 0.05
    half = edits.Faster(rows(simulation, Role.LAUNCH), work=0.5)
    truth = period(body, machine=machine) - period(
        [replace(call, time=call.time // 2) for call in body], machine=machine
    )
    assert saved(simulation, half) == pytest.approx(truth, rel=0.1)
