"""Run everything for a while: ``python -m tests.soak --device intel --minutes 10``.

It prints what the process holds every few seconds, and ends with 1 if that is not flat after the first minute.
``--loads compiled,streams`` runs only these.
"""

import argparse
import faulthandler
import random
import sys
import time

import launchpath as lp
from tests.random.kernels import Kernels

from .figures import take
from .loads import LOADS
from .watch import Watch

PATIENCE_S = 120


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--device", help="words for launchpath.device, several by commas; all CPU devices if left out")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--warm", type=float, default=60, help="seconds before it must be flat (60)")
    parser.add_argument("--every", type=float, default=5, help="seconds between two lines (5)")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--loads", default=",".join(LOADS))
    return parser.parse_args()


def main() -> int:
    """Run, and return the exit code."""
    options = arguments()
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    if options.device:
        devices = [lp.device(words) for words in options.device.split(",")]
    else:
        devices = [device for device in lp.devices() if device.info["kind"] == "cpu"]
    names = [device.info["platform"] for device in devices]
    print(f"seed {seed}, on {names}, loads {options.loads}", flush=True)
    chance, loads = random.Random(seed), [LOADS[name] for name in options.loads.split(",")]
    watch, begun, printed, count = Watch(options.warm), time.monotonic(), time.monotonic(), 0
    while time.monotonic() - begun < options.minutes * 60:
        faulthandler.dump_traceback_later(PATIENCE_S, exit=True)
        chance.choice(loads)(chance.choice(devices), chance)
        count += 1
        if time.monotonic() - printed > options.every:
            printed = time.monotonic()
            figures = take(devices)
            watch.add(printed - begun, figures, count + Kernels.loaded)
            print(f"{printed - begun:.0f} s, loads {count}, programs {Kernels.loaded}: {figures.line}", flush=True)
    growths = watch.growths()
    for growth in growths:
        print(f"not flat: {growth}")
    print("flat" if not growths else f"not flat, seed {seed}", flush=True)
    return 1 if growths else 0


if __name__ == "__main__":
    sys.exit(main())
