"""A long signal in parts: while one is transformed the next one could be sent, but both are on one stream."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run


def main(mended: bool, repetitions: int) -> None:
    """Transform the parts; mended: copies have a stream of their own, and run beside kernels."""
    load = Load()
    length = 1 << (23 if load.on_gpu else 21)
    compute = lp.Stream(blocking=False)
    copies = lp.Stream(blocking=False) if mended else compute
    blocks = load.whole if load.on_gpu else load.half
    rounds = load.rounds(1000, blocks)
    signals = lp.pinned_empty((2, length), "float32")
    for k in range(2):
        signals[k] = numpy.linspace(k, k + 1, length)  # no part is the same in both
    _, goal = load.pair(blocks, compute)
    parts = [lp.asarray(signal, stream=compute) for signal in signals]
    relax = load.relax[blocks, load.threads, compute]
    seen = lp.pinned_empty(1, "float32")
    load.device.synchronize()
    clock = Clock(repetitions)
    for step in clock:
        this, following = step % 2, (step + 1) % 2
        relax(parts[this], goal, goal.size, rounds, 1e-4)
        parts[this][:1].copy_to_host_async(seen, compute)
        signals[following, : goal.size] = step
        parts[following].copy_from(signals[following], copies)  # fault
        compute.synchronize()
        copies.synchronize()
        if seen[0] > repetitions:
            raise SystemExit("it does not converge")
    clock.report(*(part.to_numpy(compute) for part in parts))


if __name__ == "__main__":
    run(main, 200)
