"""A solver that gives its memory back to the driver after each step, to be on the safe side."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

WORKSPACE = 1 << 22


def main(mended: bool, repetitions: int) -> None:
    """Solve; mended: the memory stays in the pool from step to step."""
    load = Load()
    stream = lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    relax, rounds = load.relax[load.whole, load.threads, stream], load.rounds(300, load.whole)
    clock = Clock(repetitions)
    for _ in clock:
        workspaces = [lp.empty(WORKSPACE << k, stream=stream) for k in range(4)]
        for workspace in workspaces:
            workspace[: x.size].copy_from(x, stream)
            relax(workspace, goal, x.size, rounds, 1e-4)
            x.copy_from(workspace[: x.size], stream)
        if float(x[:1].to_numpy(stream)[0]) > 2:
            raise SystemExit("it does not converge")
        del workspaces, workspace
        if not mended:
            load.device.trim_memory()  # fault
    clock.report(x.to_numpy(stream))


if __name__ == "__main__":
    run(main, 200)
