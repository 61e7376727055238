"""A chain of kernels, each launched with few blocks, though there is work for many."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

KERNELS = 4


def main(mended: bool, repetitions: int) -> None:
    """Run the chain; mended: with as many blocks as the device works on at a time."""
    load, stream = Load(), lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    blocks = load.whole if mended else max(1, load.units // 8)
    rounds = load.rounds(40 if load.on_gpu else 300, load.whole)
    seen = lp.pinned_empty(1, "float32")
    load.device.synchronize()
    clock = Clock(repetitions)
    for _ in clock:
        for _ in range(KERNELS):
            load.relax[blocks, load.threads, stream](x, goal, x.size, rounds, 1e-4)  # fault
        x[:1].copy_to_host_async(seen, stream)
        stream.synchronize()
        if seen[0] > 2:
            raise SystemExit("it does not converge")
    clock.report(x.to_numpy(stream))


if __name__ == "__main__":
    run(main, 200)
