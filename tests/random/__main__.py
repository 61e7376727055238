"""Run random programs: ``python -m tests.random --device pocl --programs 20000 --processes 2``.

``--seed 123`` alone runs that program again, ``--times 50`` runs each program so many times. The last line counts the
programs that gave something wrong, hung, crashed or ran out of memory; the exit code is 1 if there was any.
"""

import argparse
import itertools
import random
import sys
import time

from .drawing.generator import OPERATIONS
from .processes import Options, Workers
from .report import Report


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.random", description=__doc__)
    parser.add_argument(
        "--device",
        default="intel",
        help="words for launchpath.device, several by commas; or standin, standin-hip, standin-cupti",
    )
    parser.add_argument("--seed", type=int, help="of the first program; alone: only that one")
    parser.add_argument("--programs", type=int, help="how many (1000)")
    parser.add_argument("--seconds", type=float, help="how long, in place of how many")
    parser.add_argument("--times", type=int, default=1, help="run each program so often (1)")
    parser.add_argument("--threads", type=int, help="threads of each program, in place of what its seed says")
    parser.add_argument("--processes", type=int, default=1, help="how many run beside one another (1)")
    parser.add_argument("--patience", type=float, default=60, help="seconds until a program counts as hung (60)")
    parser.add_argument("--failures", type=int, default=10, help="stop after so many (10)")
    parser.add_argument(
        "--without",
        type=operations,
        default=(),
        metavar="NAMES",
        help="operations to leave out, by commas; without hold,host_function no stream waits for the host",
    )
    parser.add_argument(
        "--trace",
        metavar="JSON",
        help="trace each program with these options of launchpath.trace, such as '{\"cupti\": true}', and check the trace",
    )
    parser.add_argument(
        "--traces",
        type=lambda word: {"all": True, "none": False}[word],
        metavar="all|none",
        help="let all programs, or none, begin, pause and end traces in their middle (some do)",
    )
    return parser.parse_args()


def operations(names: str) -> tuple[str, ...]:
    """Read names of operations."""
    chosen = tuple(names.split(","))
    if unknown := set(chosen) - OPERATIONS:
        raise argparse.ArgumentTypeError(f"expected names out of {sorted(OPERATIONS)}, got {sorted(unknown)}")
    return chosen


def main() -> int:
    """Run programs, and return the exit code."""
    options = arguments()
    first, programs = options.seed, options.programs
    if first is None:
        first = random.SystemRandom().randrange(1_000_000_000)
    elif programs is None and options.seconds is None:
        programs = 1
    if programs is None and options.seconds is None:
        programs = 1000
    until = None if options.seconds is None else time.monotonic() + options.seconds
    print(f"{options.device}: from seed {first} on", flush=True)
    count = itertools.count(first) if programs is None else range(first, first + programs)
    seeds = (seed for seed in count for _ in range(options.times))
    report = Report(options.device)
    how = Options(
        options.device,
        options.processes,
        options.patience,
        options.threads,
        options.failures,
        options.without,
        options.trace,
        options.traces,
    )
    Workers(how, report, seeds, until).run()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
