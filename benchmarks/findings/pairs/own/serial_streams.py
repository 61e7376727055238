"""Two robots that know nothing of each other, simulated by small kernels in one stream."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

KERNELS = 4


def main(mended: bool, repetitions: int) -> None:
    """Simulate both; mended: each in a stream of its own."""
    load = Load()
    streams = [lp.Stream(blocking=False) for _ in range(2)]
    used = streams if mended else [streams[0], streams[0]]
    robots = [load.pair(load.half, stream) for stream in used]
    launches = [load.relax[load.half, load.threads, stream] for stream in used]
    rounds = load.rounds(250, load.half)
    seen = lp.pinned_empty(2, "float32")
    load.device.synchronize()
    clock = Clock(repetitions)
    for _ in clock:
        for _ in range(KERNELS):
            for relax, (x, goal) in zip(launches, robots, strict=True):
                relax(x, goal, x.size, rounds, 1e-4)  # fault
        for k, (stream, (x, _)) in enumerate(zip(used, robots, strict=True)):
            x[:1].copy_to_host_async(seen[k : k + 1], stream)
        for stream in streams:
            stream.synchronize()
        if seen.max() > 2:
            raise SystemExit("it does not converge")
    clock.report(*(x.to_numpy(stream) for stream, (x, _) in zip(used, robots, strict=True)))


if __name__ == "__main__":
    run(main, 200)
