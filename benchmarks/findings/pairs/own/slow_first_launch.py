"""A function that compiles its kernel each time it is called, and so launches a new program for the first time."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import SOURCE, Clock, Load, run


def main(mended: bool, repetitions: int) -> None:
    """Relax; mended: the program is compiled once."""
    load = Load()
    x, goal = load.pair(load.whole)
    rounds, program = load.rounds(1500, load.whole), load.program
    clock = Clock(repetitions)
    for _ in clock:
        if not mended:
            program = lp.compile(SOURCE, name="relax")  # fault
        program.relax[load.whole, load.threads](x, goal, x.size, rounds, 1e-4)
        if float(x[0]) > 2:
            raise SystemExit("it does not converge")
    clock.report(x.to_numpy())


if __name__ == "__main__":
    run(main, 100)
