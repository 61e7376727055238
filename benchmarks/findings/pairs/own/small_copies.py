"""A table of rows that the host has computed: each row is a copy of its own."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

ROWS, COLUMNS = 64, 64


def main(mended: bool, repetitions: int) -> None:
    """Send the table and use it; mended: as one copy."""
    load = Load()
    n = ROWS * COLUMNS
    x, table = lp.zeros(n), lp.zeros((ROWS, COLUMNS))
    rows = numpy.linspace(0, 1, n, dtype="float32").reshape(ROWS, COLUMNS)
    flat = table.reshape(n)
    relax = load.relax[load.whole, load.threads]
    rounds = max(1, load.rounds(800, load.whole) * load.size(load.whole) // n)
    clock = Clock(repetitions)
    value = 0.0
    for step in clock:
        rows[:, 0] = value + step  # from the step before
        if mended:
            table.copy_from(rows)
        else:
            for k in range(ROWS):
                table[k] = rows[k]  # fault
        relax(x, flat, n, rounds, 1e-4)
        value = float(x[0])
    clock.report(x.to_numpy())


if __name__ == "__main__":
    run(main, 200)
