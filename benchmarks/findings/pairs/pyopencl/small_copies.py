"""A table of rows in PyOpenCL: each row is a copy of its own."""

from __future__ import annotations

import numpy
import pyopencl as cl

from benchmarks.findings.pairs.pyopencl.session import THREADS, Session
from benchmarks.findings.program import Clock, run

ROWS = 64


def main(mended: bool, repetitions: int) -> None:
    """Send the table and use it; mended: as one copy."""
    session = Session()
    n = ROWS * THREADS
    rows = numpy.linspace(0, 1, n, dtype="float32").reshape(ROWS, THREADS)
    x, table = session.array(numpy.zeros(n, "float32")), session.array(rows)
    rounds = session.rounds(800, ROWS)
    clock = Clock(repetitions)
    value = 0.0
    for step in clock:
        rows[:, 0] = value + step  # from the step before
        if mended:
            cl.enqueue_copy(session.queue, table, rows)
        else:
            for k in range(ROWS):
                cl.enqueue_copy(session.queue, table, rows[k], dst_offset=k * rows[k].nbytes)  # fault
        session.relax(session.queue, (n,), (THREADS,), x, table, n, rounds, 1e-4)
        value = float(session.read(x, 1)[0])
    clock.report(session.read(x, n))


if __name__ == "__main__":
    run(main, 200)
