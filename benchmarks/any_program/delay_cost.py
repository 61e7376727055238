"""Measure what `--prove` costs while its delay is 0, over a plain trace.

    python -m benchmarks.any_program.delay_cost [--launch MICROSECONDS] [--runs N] [--json FILE]

The recorder's own code, compiled into a program, records launches with delays of 0 and without delays, in turns, in one
process: what a launch takes differs more between two processes than this. Runs begin anew: memory is then elsewhere.
`MICROSECONDS` is what the host takes for a launch and what is around it, without a trace: the cost is given as a share
of it. The default is a launch by C on a GPU, the shortest there is.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
PACKAGE = FOLDER.parents[1] / "src" / "launchpath"
DELAYS = "target=submissions;delays=0,0;warmup=0;settle=0;repetitions=8;anchor=k"
REPETITIONS = (16, 100)  # launches of one
MOST = 0.01  # of a launch


def build(folder: Path) -> Path:
    """Compile the program as the recorder is compiled."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[:1]
    words = [*compiler, "-O2", "-std=gnu11", "-fvisibility=hidden", "-w", f"-I{PACKAGE / '_core'}"]
    words += [f"-I{PACKAGE / '_recorder'}", "-o", str(folder / "delay_cost"), str(FOLDER / "delay_cost.c")]
    subprocess.run([*words, "-lpthread", "-ldl"], check=True)
    return folder / "delay_cost"


def run(program: Path, repetition: int) -> dict[str, float]:
    """Run it once, with repetitions of so many launches; nanoseconds of a record."""
    trace = program.with_name("t.lptrace")
    variables = {
        "LAUNCHPATH_RECORDER": "mode=host;drop=1;ring=16384",
        "LAUNCHPATH_TRACE": str(trace),
        "LAUNCHPATH_DELAYS": DELAYS,
    }
    done = subprocess.run(
        [program, str(repetition)], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    trace.unlink(missing_ok=True)
    if done.returncode:
        sys.exit(f"the program ended with {done.returncode}: {done.stderr}")
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--launch", type=float, default=1.6, help="microseconds of a launch without a trace (1.6)")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        rows = [_row(program, repetition, asked) for repetition in REPETITIONS]
    for row in rows:
        spread = f"{row['least_ns']:+.1f} to {row['most_ns']:+.1f}"
        sys.stdout.write(
            f"{row['launches']} launches a repetition: a record takes {row['record_ns']:.1f} ns; with a delay of 0 "
            f"{row['more_ns']:+.1f} ns (runs: {spread}): {100 * row['share']:.2f} % of a launch of {asked.launch:g} us "
            f"with its record; must be at most {100 * MOST:g} %\n"
        )
    if asked.json is not None:
        result = {
            "benchmark": "delay_cost",
            "machine": f"{os.cpu_count()} x {platform.machine()}, load {os.getloadavg()[0]:.1f}",
            "launch_us": asked.launch,
            "rows": rows,
        }
        asked.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if any(row["share"] > MOST for row in rows):
        sys.exit(1)


def _row(program: Path, repetition: int, asked: argparse.Namespace) -> dict[str, float]:
    runs = [run(program, repetition) for _ in range(asked.runs)]
    without = statistics.median(each["without"] for each in runs)
    more = statistics.median(each["more"] for each in runs)
    return {
        "launches": repetition,
        "record_ns": without,
        "more_ns": more,
        "least_ns": min(each["more"] for each in runs),
        "most_ns": max(each["more"] for each in runs),
        "share": more / (1e3 * asked.launch + without),
    }


if __name__ == "__main__":
    main()
