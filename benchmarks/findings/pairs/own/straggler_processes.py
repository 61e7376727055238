"""Two processes with a part of a grid each, as ranks have them, which wait for each other in each step."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.synchronize import Barrier

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run


def work(place: int, us: float, repetitions: int, together: Barrier, results: multiprocessing.SimpleQueue) -> None:
    """Do the steps of a rank, on a processor of its own; the first one tells the times."""
    if hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[place % len(processors)]})
    load, stream = Load(), lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    relax, rounds = load.relax[load.whole, load.threads, stream], load.rounds(us, load.whole)
    relax(x, goal, x.size, 1, 0.0)
    stream.synchronize()
    clock = Clock(repetitions)
    together.wait()
    for _ in clock:
        relax(x, goal, x.size, rounds, 1e-4)
        if float(x[:1].to_numpy(stream)[0]) > 2:
            raise SystemExit("it does not converge")
        together.wait()
    results.put((clock.times, float(x[:1].to_numpy(stream)[0])))


def main(mended: bool, repetitions: int) -> None:
    """Compute; mended: both processes have the same work."""
    ways = multiprocessing.get_context("spawn")
    together, results = ways.Barrier(2), ways.SimpleQueue()
    parts = (3000, 3000) if mended else (4800, 1200)  # fault
    ranks = [
        ways.Process(target=work, args=(place, us, repetitions, together, results)) for place, us in enumerate(parts)
    ]
    for rank in ranks:
        rank.start()
    told = sorted(results.get() for _ in ranks)
    for rank in ranks:
        rank.join()
    clock = Clock(repetitions)
    clock.times = told[0][0]
    clock.report(sorted(value for _, value in told))


if __name__ == "__main__":
    run(main, 200)
