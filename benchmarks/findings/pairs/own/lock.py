"""Three threads that serve requests, with a lock for the device that each holds until its answer is sent."""

from __future__ import annotations

import threading
import time

import launchpath as lp
from benchmarks.findings.program import Load, Slices, run

THREADS = 3


def main(mended: bool, repetitions: int) -> None:
    """Serve; mended: the lock is free while an answer is sent."""
    load, device_lock = Load(), threading.Lock()
    clock, answers = Slices(repetitions), []
    rounds = load.rounds(500, load.whole)

    def send(answer: float) -> None:
        answers.append(answer)
        time.sleep(400e-6)  # until the network has taken it
        clock.done()

    def serve(requests: int) -> None:
        stream = lp.Stream(blocking=False)
        x, goal = load.pair(load.whole, stream)
        relax = load.relax[load.whole, load.threads, stream]
        for _ in range(requests):
            time.sleep(50e-6)  # until the next request has come
            if mended:
                with device_lock:
                    relax(x, goal, x.size, rounds, 1e-4)
                send(float(x[-1:].to_numpy(stream)[0]))
            else:
                with device_lock:  # fault
                    relax(x, goal, x.size, rounds, 1e-4)
                    send(float(x[-1:].to_numpy(stream)[0]))

    threads = [threading.Thread(target=serve, args=[repetitions // THREADS]) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    clock.report(sorted(answers))


if __name__ == "__main__":
    run(main, 600)
