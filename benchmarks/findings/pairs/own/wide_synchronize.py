"""A control loop beside statistics: the loop needs its own stream's result, and waits for all of the device."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

EVERY = 5  # steps with statistics


def main(mended: bool, repetitions: int) -> None:
    """Run the loop; mended: it waits for its stream alone, and its steps run beside the statistics."""
    load = Load()
    control, statistics = lp.Stream(blocking=False), lp.Stream(blocking=False)
    x, goal = load.pair(load.half, control)
    y, other_goal = load.pair(load.half, statistics)
    step_kernel, step_rounds = load.relax[load.half, load.threads, control], load.rounds(400, load.half)
    statistics_kernel = load.relax[load.half, load.threads, statistics]
    statistics_rounds = load.rounds(2600, load.half)
    seen = lp.pinned_empty(1, "float32")
    clock = Clock(EVERY * repetitions)
    load.device.synchronize()
    for step in clock:
        if step % EVERY == 0:
            statistics.synchronize()
            statistics_kernel(y, other_goal, y.size, statistics_rounds, 1e-4)
        step_kernel(x, goal, x.size, step_rounds, 1e-4)
        x[:1].copy_to_host_async(seen, control)
        (control if mended else load.device).synchronize()  # fault
        if seen[0] > 2:
            raise SystemExit("it does not converge")
    clock.times = clock.times[::EVERY]
    clock.repetitions = repetitions
    statistics.synchronize()
    clock.report(x.to_numpy(control), y.to_numpy(statistics))


if __name__ == "__main__":
    run(main, 150)
