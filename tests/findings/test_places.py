"""The simulation of devices that run several commands at once, and of calls that record what they wait for."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from launchpath._findings.facts import wide_synchronize
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.simulation import edits
from launchpath._findings.simulation.simulation import Simulation
from launchpath._findings.timeline.roles import Role
from launchpath._trace.format import BLOCKING
from tests.findings.loops import Loop, download, launch
from tests.findings.timelines import Calls

PERIOD, REPETITIONS = 1_000_000, 20
X, Y, Z = 0x10000, 0x20000, 0x30000
CPU = {"driver": "opencl", "kind": "cpu", "platform": "Portable Computing Language", "units": 2}


def simulated(body: Any) -> Simulation:
    """Simulate a loop on a CPU device of two units; a body adds a repetition's calls."""
    calls = Calls(driver="opencl")
    calls.facts["devices"] = [CPU]
    for number in range(REPETITIONS):
        body(calls, float(number * PERIOD))
    return Simulation(find_regions(calls.timeline())[0])


def saved(simulation: Simulation, edit: edits.Edit) -> float:
    saving = simulation.saving(edit)
    assert saving is not None, simulation.refusal
    return saving.value


def rows(simulation: Simulation, role: Role, stream: int) -> Any:
    ops = simulation.timeline.ops
    return numpy.flatnonzero((ops.role == role) & (ops.stream == stream) & (ops.depth == 0))


@pytest.mark.parametrize(("blocks", "saving"), [(1, 300_000), (64, 0)], ids=["leaves units", "fills the device"])
def test_kernels_of_a_single_stream_can_run_side_by_side_if_they_leave_room(blocks: int, saving: float) -> None:
    def body(calls: Calls, begin: float) -> None:
        for k, name in enumerate(("first", "second")):
            at, start = begin + 1000 + 2000 * k, begin + 6000 + 300_500 * k
            works = [(start, start + 300_000)]
            calls.call("launch", at, at + 1000, name=name, stream=1, blocks=blocks, works=works)
        calls.call("synchronize", begin + 20_000, begin + 615_000, stream=1)

    simulation = simulated(body)
    names = simulation.timeline.names
    second = rows(simulation, Role.LAUNCH, 1)
    second = second[simulation.timeline.ops.name[second] == names.index("second")]
    move = edits.Move(second, 2, numpy.full(len(second), -1))
    assert saved(simulation, move) == pytest.approx(saving, abs=5000)


def test_a_command_that_waited_for_its_place_begins_earlier_with_what_had_it() -> None:
    """The copy's own kernel ended long before: a kernel of the other stream had the last unit that was free."""

    def body(calls: Calls, begin: float) -> None:
        calls.call(
            "launch", begin, begin + 2000, name="other", stream=2, blocks=1, works=[(begin + 5000, begin + 505_000)]
        )
        calls.call(
            "launch",
            begin + 3000,
            begin + 5000,
            name="mine",
            stream=1,
            blocks=1,
            works=[(begin + 8000, begin + 58_000)],
        )
        calls.call("copy", begin + 6000, begin + 7000, stream=1, size=4, works=[(begin + 507_000, begin + 508_000)])
        calls.call("synchronize", begin + 8000, begin + 512_000, stream=1)

    simulation = simulated(body)
    faster = edits.Faster(rows(simulation, Role.LAUNCH, 2), work=0.5)
    assert saved(simulation, faster) == pytest.approx(250_000, abs=5000)


def test_a_call_that_records_its_event_waits_for_what_is_in_its_stream_now() -> None:
    """The handle is used again and again: its record of the repetition before is no reason to return."""

    def body(calls: Calls, begin: float) -> None:
        calls.call(
            "launch", begin, begin + 2000, name="kernel", stream=1, blocks=1, works=[(begin + 5000, begin + 405_000)]
        )
        calls.call("synchronize event", begin + 3000, begin + 410_000, stream=1, event=0xE0, waits=(0xE0,))

    simulation = simulated(body)
    faster = edits.Faster(rows(simulation, Role.LAUNCH, 1), work=0.5)
    assert saved(simulation, faster) == pytest.approx(200_000, abs=5000)
    stretch = simulation._part.stretches[0]
    assert {awaits for awaits in stretch.program.awaits if awaits} == {(-2,)}


def test_waits_of_a_line_for_the_whole_device_are_one_place_whichever_stream_has_work() -> None:
    """Only the first of the two waits for the statistics: without it the second one would."""

    def body(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin + 1000, [(begin + 5000, begin + 505_000)], stream=2, uses=(Z,), name="statistics")
        for at, end, stream in ((begin, begin + 510_000, 2), (begin + 600_000, begin + 705_000, 1)):
            launch(calls, at + 5000, [(at + 9000, at + 99_000)], stream=1, uses=(X, Y))
            calls.call("synchronize device", at + 9000, end, stream=stream, site="simulate.py:63 step")
            download(calls, end + 10_000, [(end + 20_000, end + 21_000)], source=X, end=end + 25_000, flags=BLOCKING)

    [found] = wide_synchronize.facts(Loop().region(body))
    assert len(found.edit.rows) == 2 * found.repetitions
