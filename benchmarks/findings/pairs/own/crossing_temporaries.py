"""Two streams with temporary arrays: those of the second stream are made in the order of the first one."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run


def main(mended: bool, repetitions: int) -> None:
    """Use temporary arrays; mended: each is made in the order of the stream that uses it."""
    load = Load()
    streams = [lp.Stream(blocking=False) for _ in range(2)]
    pairs = [load.pair(load.half, stream) for stream in streams]
    n, rounds = pairs[0][0].size, load.rounds(350, load.half)
    launches = [load.relax[load.half, load.threads, stream] for stream in streams]
    seen = lp.pinned_empty(2, "float32")
    load.device.synchronize()
    clock = Clock(repetitions)
    for _ in clock:
        for _ in range(3):
            for stream, relax, (x, goal) in zip(streams, launches, pairs, strict=True):
                temporary = lp.empty(n, stream=stream if mended else streams[0])  # fault
                temporary.copy_from(goal, stream)
                relax(x, temporary, n, rounds, 1e-4)
                del temporary
        for k, (stream, (x, _)) in enumerate(zip(streams, pairs, strict=True)):
            x[:1].copy_to_host_async(seen[k : k + 1], stream)
        for stream in streams:
            stream.synchronize()
        if seen.max() > 2:
            raise SystemExit("it does not converge")
    clock.report(*(x.to_numpy(stream) for stream, (x, _) in zip(streams, pairs, strict=True)))


if __name__ == "__main__":
    run(main, 200)
