"""A simulation that sends all its parameters to the device in each step, whether they have changed or not."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

PARAMETERS = 1 << 20


def main(mended: bool, repetitions: int) -> None:
    """Simulate; mended: the parameters are sent once."""
    load = Load()
    x, _ = load.pair(load.whole)
    parameters = numpy.linspace(0, 1, PARAMETERS, dtype="float32")
    on_device = lp.asarray(parameters)
    relax, rounds = load.relax[load.whole, load.threads], load.rounds(600, load.whole)
    clock = Clock(repetitions)
    for _ in clock:
        with lp.range("step"):
            if not mended:
                on_device.copy_from(parameters)  # fault
            relax(x, on_device, x.size, rounds, 1e-4)
            if float(x[0]) > 2:
                raise SystemExit("it does not converge")
    clock.report(x.to_numpy())


if __name__ == "__main__":
    run(main, 300)
