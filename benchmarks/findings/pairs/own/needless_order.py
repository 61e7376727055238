"""Two parts of a step that share nothing, on two streams: one waits for the other all the same."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run


def main(mended: bool, repetitions: int) -> None:
    """Do both parts; mended: neither waits for the other."""
    load = Load()
    streams = [lp.Stream(blocking=False) for _ in range(2)]
    pairs = [load.pair(load.half, stream) for stream in streams]
    first, second = (load.relax[load.half, load.threads, stream] for stream in streams)
    rounds = load.rounds(350, load.half)
    seen = lp.pinned_empty(2, "float32")
    load.device.synchronize()
    clock = Clock(repetitions)
    for _ in clock:
        for _ in range(3):
            first(*pairs[0], pairs[0][0].size, rounds, 1e-4)
        if not mended:
            streams[1].wait(streams[0].record())  # fault
        for _ in range(3):
            second(*pairs[1], pairs[1][0].size, rounds, 1e-4)
        for k, (stream, (x, _)) in enumerate(zip(streams, pairs, strict=True)):
            x[:1].copy_to_host_async(seen[k : k + 1], stream)
        for stream in streams:
            stream.synchronize()
        if seen.max() > 2:
            raise SystemExit("it does not converge")
    clock.report(*(x.to_numpy(stream) for stream, (x, _) in zip(streams, pairs, strict=True)))


if __name__ == "__main__":
    run(main, 200)
