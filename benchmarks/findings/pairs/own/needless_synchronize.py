"""A solver that waits for the device behind each kernel, as its author did to find a mistake."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run, spin

KERNELS = 8


def main(mended: bool, repetitions: int) -> None:
    """Solve; mended: without the wait, the next launch is prepared while the device works."""
    load = Load()
    stream = lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    relax, rounds = load.relax[load.whole, load.threads, stream], load.rounds(150, load.whole)
    events: list[lp.Event] = []
    clock = Clock(repetitions)
    for step in clock:
        for k in range(KERNELS):
            rate = 0.01 / (1 + k + step) * min(1.0, spin(60) + 1)
            relax(x, goal, x.size, rounds, rate)
            if not mended:
                stream.synchronize()  # fault
        events.append(stream.record())
        if step:
            events.pop(0).synchronize()  # not more than a step ahead
    clock.report(x.to_numpy(stream))


if __name__ == "__main__":
    run(main, 300)
