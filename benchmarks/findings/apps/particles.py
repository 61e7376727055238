"""The example's particles, with a line of a log for each step."""

from __future__ import annotations

import json

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples import particles as app  # noqa: E402

FAULTS = ("host-code", "allocations")
KEPT = 400  # numbers of pairs in a line of the log


def line_of(pairs: list[int]) -> str:
    """Return a line of the log: the last numbers of pairs, and their mean."""
    last = pairs[-KEPT:]
    return json.dumps({"pairs": last, "mean": sum(last) / len(last)})


def main(mended: frozenset[str], repetitions: int) -> None:
    """Simulate; mended: the log is written at the end, and memory stays in the pool."""
    device = lp.current_device()
    simulation = app.Simulation(app.compiled(device), app.Layout(4000))
    log = []
    clock = Clock(repetitions)
    for _ in clock:
        simulation.pairs.append(simulation.step())
        if "host-code" not in mended:
            log.append(line_of(simulation.pairs))  # fault: host-code
        if "allocations" not in mended:
            simulation.make_room(simulation.room)
            device.trim_memory()  # fault: allocations
        simulation.stream.synchronize()
    clock.report(*simulation.state(), simulation.pairs)


if __name__ == "__main__":
    run_application(main, FAULTS, 300)
