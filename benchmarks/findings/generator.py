"""Random programs of which it is known what bounds them: the host, the device, or neither.

    python -m benchmarks.findings.generator --seed 3 [--host 0.5] [--device-work 0.5]

A step has kernels of drawn durations, with work of the host of drawn durations before each, and its host waits where it
was drawn to. ``--host`` and ``--device-work`` are factors of the work of either, which show what bounds the program.
"""

from __future__ import annotations

import argparse
import random
from contextlib import nullcontext
from dataclasses import dataclass

from benchmarks.findings.program import Clock, Load, spin

HOST, DEVICE, NEITHER = "host", "device", "neither"
BOUNDS = (HOST, DEVICE, NEITHER)
REPETITIONS = 200


@dataclass(frozen=True)
class Drawn:
    """A random program.

    Attributes
    ----------
    bound : str
        What bounds it, by construction. The host: it has at least 2.2 times the device's work, and waits for nothing
        but the step before the last. The device: the other way round. Neither: the host waits for each kernel before it
        goes on, and both have about as much work.
    host, device : tuple of float
        Microseconds of the host before each kernel, and of the kernel.
    ranged : bool
        The step is a range.
    """

    seed: int
    bound: str
    host: tuple[float, ...]
    device: tuple[float, ...]
    ranged: bool


def drawn(seed: int) -> Drawn:
    """Draw a program. Programs of seeds in a row have the three bounds in turn."""
    dice, bound = random.Random(seed), BOUNDS[seed % 3]
    kernels, total = dice.randint(2, 10), dice.uniform(1200, 4000)  # of the larger part
    ratio = dice.uniform(2.2, 6) if bound != NEITHER else dice.uniform(0.8, 1.25)
    parts = {HOST: (1, 1 / ratio), DEVICE: (1 / ratio, 1), NEITHER: (0.5, 0.5 * ratio)}
    host, device = (total * part for part in parts[bound])
    return Drawn(seed, bound, split(dice, host, kernels), split(dice, device, kernels), dice.random() < 0.5)


def split(dice: random.Random, total: float, parts: int) -> tuple[float, ...]:
    """Split a time into parts that differ by a factor of 3 at most."""
    weights = [dice.uniform(1, 3) for _ in range(parts)]
    return tuple(total * weight / sum(weights) for weight in weights)


def run(program: Drawn, host: float, device: float, repetitions: int) -> None:
    """Run a drawn program, with the work of the host and of the device times these factors."""
    import launchpath as lp  # noqa: PLC0415

    load, stream = Load(), lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    relax = load.relax[load.whole, load.threads, stream]
    rounds = [load.rounds(us * device, load.whole) for us in program.device]
    events: list[lp.Event] = []
    clock = Clock(repetitions)
    for _ in clock:
        with lp.range("step") if program.ranged else nullcontext():
            for us, count in zip(program.host, rounds, strict=True):
                rate = 1e-4 * min(1.0, spin(us * host) + 1)
                relax(x, goal, x.size, count, rate)
                if program.bound == NEITHER:
                    stream.synchronize()
            events.append(stream.record())
            if len(events) > 2:
                events.pop(0).synchronize()  # not more than two steps ahead
    stream.synchronize()
    clock.report(x.to_numpy(stream))


def main() -> None:
    """Run the program that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--host", type=float, default=1.0, help="factor of the host's work (1)")
    parser.add_argument("--device-work", type=float, default=1.0, help="factor of the device's work (1)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    asked = parser.parse_args()
    run(drawn(asked.seed), asked.host, asked.device_work, asked.repetitions)


if __name__ == "__main__":
    main()
