"""A long signal in pieces: each is sent, transformed and brought back on one stream, one after the other."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.program import Load, Slices, run

LENGTH = 1 << 20


def main(mended: bool, repetitions: int) -> None:
    """Transform the pieces; mended: on two streams in turn, so that copies run beside kernels."""
    load = Load()
    streams = [lp.Stream(blocking=False) for _ in range(2 if mended else 1)]  # fault
    blocks = load.whole if load.on_gpu else load.half
    rounds = load.rounds(500, blocks)
    signal, result = (lp.pinned_empty((2, LENGTH), "float32") for _ in range(2))
    signal[:] = numpy.linspace(0, 1, LENGTH)
    x, goal = load.pair(blocks)
    lanes = []
    for k in range(2):
        stream = streams[k % len(streams)]
        piece = lp.empty(LENGTH, stream=stream)
        lanes.append((stream, piece, load.relax[blocks, load.threads, stream], signal[k], result[k]))
    load.device.synchronize()
    clock = Slices(repetitions)
    events: list[lp.Event] = []
    for step in range(repetitions):
        stream, piece, relax, came, goes = lanes[step % 2]
        if step >= 2:
            events[step - 2].synchronize()  # the host's memory of this lane is free again
            clock.done()
        came[: x.size] = step
        piece.copy_from(came, stream)
        relax(piece, goal, x.size, rounds, 1e-4)
        piece[: LENGTH // 4].copy_to_host_async(goes[: LENGTH // 4], stream)
        events.append(stream.record())
    load.device.synchronize()
    clock.report(result[:, : LENGTH // 4])


if __name__ == "__main__":
    run(main, 300)
