"""The example's particles, with a line of a log for each step."""

from __future__ import annotations

import json
import statistics

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples import particles as app  # noqa: E402

FAULTS = ("host-code", "allocations")
KEPT, LAGS = 40, 40  # numbers of pairs that a line of the log is of, and how far apart they are compared
SPARE = 24  # arrays that a careful program has for each step, and gives back


def line_of(pairs: list[int]) -> str:
    """Return a line of the log: the mean of the last numbers of pairs, and how they go together with earlier ones."""
    last = (pairs[-1:] * KEPT + pairs)[-KEPT:]
    mean = statistics.fmean(last)
    alike = [sum((last[i] - mean) * (last[i - lag] - mean) for i in range(KEPT)) / KEPT for lag in range(LAGS)]
    return json.dumps({"mean": mean, "alike": alike})


def main(mended: frozenset[str], repetitions: int) -> None:
    """Simulate; mended: the log is written at the end, and memory stays in the pool."""
    device = lp.current_device()
    on_gpu = device.kind == "gpu"
    simulation = app.Simulation(app.compiled(device), app.Layout(40_000 if on_gpu else 1000))
    log = []
    clock = Clock(repetitions)
    for _ in clock:
        simulation.pairs.append(simulation.step())
        if "host-code" not in mended:
            log.append(line_of(simulation.pairs))  # fault: host-code
        if "allocations" not in mended:
            spare = [lp.empty(1 << (20 if on_gpu else 18), "int32") for _ in range(SPARE)]  # for pairs that may come
            del spare
            device.trim_memory()  # fault: allocations
    clock.report(*simulation.state(), simulation.pairs)


if __name__ == "__main__":
    run_application(main, FAULTS, 300)
