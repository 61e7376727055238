"""A simulation in PyOpenCL that sends its parameters in each step."""

from __future__ import annotations

import numpy
import pyopencl as cl

from benchmarks.findings.pairs.pyopencl.session import THREADS, Session
from benchmarks.findings.program import Clock, run

PARAMETERS = 1 << 21


def main(mended: bool, repetitions: int) -> None:
    """Simulate; mended: the parameters are sent once."""
    session = Session()
    n = 4 * session.units * THREADS
    parameters = numpy.linspace(0, 1, PARAMETERS, dtype="float32")
    x, on_device = session.array(numpy.zeros(n, "float32")), session.array(parameters)
    rounds = session.rounds(600, n // THREADS)
    clock = Clock(repetitions)
    for _ in clock:
        if not mended:
            cl.enqueue_copy(session.queue, on_device, parameters)  # fault
        session.relax(session.queue, (n,), (THREADS,), x, on_device, n, rounds, 1e-4)
        if session.read(x, 1)[0] > 2:
            raise SystemExit("it does not converge")
    clock.report(session.read(x, n))


if __name__ == "__main__":
    run(main, 300)
