"""A point that follows a path: each of its places is a launch of a kernel of some microseconds."""

from __future__ import annotations

import numpy

from benchmarks.findings.pairs.pyopencl.session import THREADS, Session
from benchmarks.findings.program import Clock, run

PLACES, BLOCKS = 64, 4


def main(mended: bool, repetitions: int) -> None:
    """Follow the path; mended: one launch does all rounds."""
    session = Session()
    n = BLOCKS * THREADS
    goal = numpy.linspace(0, 1, n, dtype="float32")
    x, to = session.array(numpy.zeros_like(goal)), session.array(goal)
    rounds = session.rounds(1, BLOCKS)
    clock = Clock(repetitions)
    for _ in clock:
        if mended:
            session.relax(session.queue, (n,), (THREADS,), x, to, n, rounds * PLACES, 1e-4)
        else:
            for _ in range(PLACES):
                session.relax(session.queue, (n,), (THREADS,), x, to, n, rounds, 1e-4)  # fault
        if session.read(x, 1)[0] > 2:
            raise SystemExit("it does not converge")
    clock.report(session.read(x, n))


if __name__ == "__main__":
    run(main, 300)
