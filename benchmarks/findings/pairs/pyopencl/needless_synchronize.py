"""A solver in PyOpenCL that finishes its queue behind each kernel."""

from __future__ import annotations

import numpy
import pyopencl as cl

from benchmarks.findings.pairs.pyopencl.session import THREADS, Session
from benchmarks.findings.program import Clock, run, spin

KERNELS = 8


def main(mended: bool, repetitions: int) -> None:
    """Solve; mended: the next launch is prepared while the device works."""
    session = Session()
    n = 4 * session.units * THREADS
    x = session.array(numpy.zeros(n, "float32"))
    goal = session.array(numpy.linspace(0, 1, n, dtype="float32"))
    rounds = session.rounds(150, n // THREADS)
    events: list[cl.Event] = []
    clock = Clock(repetitions)
    for step in clock:
        for k in range(KERNELS):
            rate = 0.01 / (1 + k + step) * min(1.0, spin(60) + 1)
            event = session.relax(session.queue, (n,), (THREADS,), x, goal, n, rounds, rate)
            if mended:
                session.queue.flush()
            else:
                session.queue.finish()  # fault
        events.append(event)
        if step:
            events.pop(0).wait()  # not more than a step ahead
    clock.report(session.read(x, n))


if __name__ == "__main__":
    run(main, 300)
