"""Fail every OpenCL call of all scenarios in turn: ``python -m tests.interposer --device intel``.

Each scenario runs in a process of its own. ``--every 7`` fails one call of seven, ``--scenarios launch,copy`` only theirs.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from .build import environment

ROOT = Path(__file__).parents[2]
PATIENCE_S = 900


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.interposer", description=__doc__)
    parser.add_argument("--device", default="intel", help="words for launchpath.device")
    parser.add_argument("--scenarios", help="some of them, by commas")
    parser.add_argument("--calls", help="only calls of these functions, by commas")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--codes", type=int, default=3, help="how many codes each call fails with (3)")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def inside(options: argparse.Namespace) -> int:
    """Run scenarios in this process, which has the library in between."""
    import launchpath as lp

    from .failing import CODES, Failing
    from .scenario import SCENARIOS

    failing = Failing(lp.device(options.device), lambda text: print(text, file=sys.stderr, flush=True))
    names = options.scenarios.split(",") if options.scenarios else list(SCENARIOS)
    codes, only = CODES[: options.codes], options.calls.split(",") if options.calls else None
    problems = [problem for name in names for problem in failing.run(name, options.every, codes, only)]
    print(f"{failing.count} calls failed, {len(problems)} problems", *problems, sep="\n", flush=True)
    return 1 if problems else 0


def run(device: str, scenarios: str | None, every: int, codes: int, calls: str | None = None) -> tuple[int, str]:
    """Run scenarios in a process of their own; return its exit code and what it printed, on stderr only the end."""
    command = [sys.executable, "-m", "tests.interposer", "--inside", "--device", device, "--every", str(every),
               "--codes", str(codes)]  # fmt: skip
    if scenarios:
        command += ["--scenarios", scenarios]
    if calls:
        command += ["--calls", calls]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.run(command, cwd=ROOT, env=environment(), text=True, stdout=subprocess.PIPE, stderr=errors,
                                 timeout=PATIENCE_S, check=False)  # fmt: skip
        errors.seek(0)
        last = errors.read().splitlines()[-60:]
    crashed = process.returncode not in (0, 1) or not process.stdout
    return process.returncode, process.stdout + ("\n".join(last) if crashed else "")


def main() -> int:
    """Run what was asked for, and return the exit code."""
    options = arguments()
    if options.inside:
        return inside(options)
    from .scenario import SCENARIOS

    failed = 0
    for name in options.scenarios.split(",") if options.scenarios else SCENARIOS:
        code, text = run(options.device, name, options.every, options.codes, options.calls)
        failed += code != 0
        print(f"{options.device}, {name}: exit code {code}: {text.rstrip()}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
