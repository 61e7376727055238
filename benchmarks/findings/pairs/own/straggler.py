"""Two threads with a part of a grid each, which wait for each other in each step. The parts are not equal."""

from __future__ import annotations

import threading

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run


def main(mended: bool, repetitions: int) -> None:
    """Compute; mended: both threads have the same work."""
    load, together = Load(), threading.Barrier(2)
    parts = (500, 500) if mended else (800, 200)  # fault
    clock, results = Clock(repetitions), lp.pinned_empty(2, "float32")

    def work(part: int, us: float) -> None:
        stream = lp.Stream(blocking=False)
        x, goal = load.pair(load.half, stream)
        relax, rounds = load.relax[load.half, load.threads, stream], load.rounds(2 * us, load.half)
        for _ in clock if part == 0 else range(repetitions):
            relax(x, goal, x.size, rounds, 1e-4)
            x[:1].copy_to_host_async(results[part : part + 1], stream)
            stream.synchronize()
            together.wait()

    threads = [threading.Thread(target=work, args=part) for part in enumerate(parts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    clock.report(results)


if __name__ == "__main__":
    run(main, 200)
