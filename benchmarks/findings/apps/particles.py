"""The example's particles, with a line of a log for each step."""

from __future__ import annotations

import itertools
import json
import statistics

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples import particles as app  # noqa: E402

FAULTS = ("host-code", "allocations")
KEPT = 300  # numbers of pairs that a line of the log is of


def line_of(pairs: list[int]) -> str:
    """Return a line of the log: mean and spread of the last numbers of pairs, and the spread of their changes."""
    last = pairs[-KEPT:]
    changes = [after - before for before, after in itertools.pairwise(last)] or [0]
    spread, of_changes = statistics.pstdev(last), statistics.pstdev(changes)
    return json.dumps({"mean": statistics.fmean(last), "spread": spread, "of_changes": of_changes})


def main(mended: frozenset[str], repetitions: int) -> None:
    """Simulate; mended: the log is written at the end, and memory stays in the pool."""
    device = lp.current_device()
    simulation = app.Simulation(app.compiled(device), app.Layout(40_000 if device.kind == "gpu" else 1000))
    log = []
    clock = Clock(repetitions)
    for _ in clock:
        simulation.pairs.append(simulation.step())
        if "host-code" not in mended:
            log.append(line_of(simulation.pairs))  # fault: host-code
        if "allocations" not in mended:
            simulation.make_room(simulation.room)
            device.trim_memory()  # fault: allocations
    clock.report(*simulation.state(), simulation.pairs)


if __name__ == "__main__":
    run_application(main, FAULTS, 300)
