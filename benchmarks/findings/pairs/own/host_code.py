"""An annealed relaxation: each round of a step has a rate of its own, which Python computes while the device waits."""

from __future__ import annotations

from benchmarks.findings.program import Clock, Load, run, spin

ROUNDS = 8


def rate_of(k: int) -> float:
    """Compute the rate of a round, by a sum that takes Python some time."""
    return 0.01 / (1 + k) * min(1.0, spin(200) + 1)


def main(mended: bool, repetitions: int) -> None:
    """Relax in rounds; mended: the rates, which are the same in each step, are computed before the steps."""
    load = Load()
    x, goal = load.pair(load.whole)
    relax, rounds = load.relax[load.whole, load.threads], load.rounds(100, load.whole)
    rates = [rate_of(k) for k in range(ROUNDS)]
    clock = Clock(repetitions)
    for _ in clock:
        for k in range(ROUNDS):
            relax(x, goal, x.size, rounds, rates[k] if mended else rate_of(k))  # fault
        if float(x[0]) > 2:
            raise SystemExit("it does not converge")
    clock.report(x.to_numpy())


if __name__ == "__main__":
    run(main, 300)
