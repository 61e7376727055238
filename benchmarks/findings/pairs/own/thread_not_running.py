"""A control loop that shares its processor with threads that compress."""

from __future__ import annotations

import os
import threading
import zlib

import numpy

import launchpath as lp
from benchmarks.findings.program import Load, Slices, run, spin

COMPRESSING = 2


def main(mended: bool, repetitions: int) -> None:
    """Control and compress; mended: what compresses takes the processor only where nothing else wants it."""
    load = Load()
    stream = lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    relax, rounds = load.relax[load.whole, load.threads, stream], load.rounds(1000, load.whole)
    relax(x, goal, x.size, 1, 0.0)
    load.device.synchronize()
    data = numpy.random.default_rng(1).integers(0, 9, 1 << 20, "uint8").tobytes()
    end, cpu = threading.Event(), min(os.sched_getaffinity(0))

    def compress() -> None:
        os.sched_setaffinity(0, {cpu})
        if mended:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while not end.is_set():
            zlib.compress(data, 9)

    threads = [threading.Thread(target=compress) for _ in range(COMPRESSING)]
    for thread in threads:
        thread.start()
    os.sched_setaffinity(0, {cpu})  # of this thread: the device's threads run elsewhere
    events: list[lp.Event] = []
    clock = Slices(repetitions)
    try:
        for step in clock:
            for k in range(4):
                rate = 0.01 / (1 + k + step) * min(1.0, spin(100) + 1)
                relax(x, goal, x.size, rounds // 4, rate)  # fault
            events.append(stream.record())
            if step:
                events.pop(0).synchronize()  # not more than a step ahead
    finally:
        end.set()
        for thread in threads:
            thread.join()
    clock.report(x.to_numpy(stream))


if __name__ == "__main__":
    run(main, 150)
