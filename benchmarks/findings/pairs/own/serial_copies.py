"""A long signal in pieces: each is sent, transformed and brought back on one stream, one after the other."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

PIECES = 4


def main(mended: bool, repetitions: int) -> None:
    """Transform the pieces; mended: copies have a stream of their own, and run beside kernels."""
    load = Load()
    length = (1 << 20 if load.on_gpu else 1 << 18) * 2
    compute = lp.Stream(blocking=False)
    copies = lp.Stream(blocking=False) if mended else compute  # fault
    blocks = load.whole if load.on_gpu else load.half
    rounds = load.rounds(300, blocks)
    signals, result = (lp.pinned_empty((count, PIECES, length), "float32") for count in (2, 1))
    for k in range(2):
        signals[k] = numpy.linspace(k, k + 1, length)  # no part is the same in both
    _, goal = load.pair(blocks, compute)
    pieces = [lp.empty(length, stream=compute) for _ in range(PIECES)]
    relax = load.relax[blocks, load.threads, compute]
    load.device.synchronize()
    clock = Clock(repetitions)
    for step in clock:
        signal = signals[step % 2]
        signal[:, : goal.size] = step
        done = []
        for k, piece in enumerate(pieces):
            piece.copy_from(signal[k], copies)
            if mended:
                compute.wait(copies.record())
            relax(piece, goal, goal.size, rounds, 1e-4)
            if mended:
                done.append(compute.record())
            else:
                piece[: length // 4].copy_to_host_async(result[0, k, : length // 4], compute)
        if mended:
            for k, (piece, event) in enumerate(zip(pieces, done, strict=True)):
                copies.wait(event)
                piece[: length // 4].copy_to_host_async(result[0, k, : length // 4], copies)
        compute.synchronize()
        copies.synchronize()
        if result[0, 0, 0] > repetitions:
            raise SystemExit("it does not converge")
    clock.report(result[0, :, : length // 4])


if __name__ == "__main__":
    run(main, 200)
