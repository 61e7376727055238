"""A simulation of many short kernels a step."""

from __future__ import annotations

from contextlib import nullcontext

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

KERNELS = 96


def main(mended: bool, repetitions: int) -> None:
    """Simulate; mended: a step's launches are submitted together, on CUDA and HIP devices as a graph."""
    load = Load()
    x, goal = load.pair(load.whole)
    y, _ = load.pair(load.whole)
    rounds = load.rounds(0.5 if load.on_gpu else 20, load.whole)
    region = lp.Step() if mended else nullcontext()
    clock = Clock(repetitions)
    for _ in clock:
        with region:
            for _ in range(KERNELS // 2):
                load.relax[load.whole, load.threads](x, goal, x.size, rounds, 1e-4)  # fault
                load.relax[load.whole, load.threads](y, x, x.size, rounds, 1e-4)
        if float(y[0]) > 2:
            raise SystemExit("it does not converge")
    clock.report(x.to_numpy(), y.to_numpy())


if __name__ == "__main__":
    run(main, 200)
