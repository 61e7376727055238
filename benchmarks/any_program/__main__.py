"""Measure what `launchpath trace` costs an unmodified program of PyOpenCL, and count its records.

    pip install pyopencl pocl-binary-distribution intel-opencl-rt
    python -m benchmarks.any_program --platform Intel [--python PYTHON] [--icd FILE] [--json FILE]

The program (launches.py) runs by itself, with `--mode host` and with `--mode device`, in turns. Its own clock tells
microseconds for each launch: until the call returns, while the device does not work, and until all are complete. What a
trace costs is the median of the differences between runs that follow one another; a run's time is the median of its
blocks. Processes differ by more than a record costs. So that is measured in one process too, which records every second
30 ms (`--period`): blocks with records are compared with those without. `PYTHON` has PyOpenCL; it need not have
launchpath. `FILE` is the library of a runtime that is not installed for all programs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy

import launchpath as lp

PROGRAM = Path(__file__).with_name("launches.py")
MODES = (None, "host", "device")


def run(
    asked: argparse.Namespace, mode: str | None, *options: str, launches: int = 0, blocks: int = 0
) -> dict[str, Any]:
    """Run the program once, in a trace of this mode; None: by itself."""
    environment = dict(os.environ)
    words = [asked.python, str(PROGRAM), asked.platform, str(launches or asked.launches), str(blocks or asked.blocks)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.lptrace"
        if asked.icd:
            Path(folder, "runtime.icd").write_text(asked.icd + "\n", encoding="utf-8")
            needed = (str(Path(asked.icd).parent), environment.get("LD_LIBRARY_PATH", ""))
            environment |= {"OCL_ICD_VENDORS": folder, "LD_LIBRARY_PATH": os.pathsep.join(filter(None, needed))}
        if mode:
            words = [
                sys.executable,
                "-m",
                "launchpath",
                "trace",
                "-o",
                str(file),
                "--mode",
                mode,
                *options,
                "--",
                *words,
            ]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        result["recorded"] = _recorded(file) if mode else None
        result["begins"] = _begins(file) if options else None
    return result


def _begins(file: Path) -> numpy.ndarray:
    """Give the times at which the recorded launches began."""
    (table,) = lp.read_trace(file).dispatches()
    return numpy.sort(table["driver_begin"])


def within(asked: argparse.Namespace) -> dict[str, Any]:
    """Compare blocks of one process that are recorded with those that are not, in mode host."""
    launches, differences, rows = 500, [], []
    for _ in range(asked.runs):
        result = run(asked, "host", "--period", "0.03:0.03:0", launches=launches, blocks=1000)
        times: dict[bool, list[float]] = {True: [], False: []}
        for began, returned in result["held"][20:]:
            recorded = int(numpy.diff(numpy.searchsorted(result["begins"], (began, returned)))[0])
            if recorded in (0, launches):
                times[recorded > 0].append((returned - began) / launches / 1e3)
        quartiles = {way: numpy.percentile(values, (25, 50)) for way, values in times.items()}
        differences.append((quartiles[True] - quartiles[False]).tolist())
        rows.append({"with": quartiles[True].tolist(), "without": quartiles[False].tolist()})
    lower, median = (statistics.median(each) for each in zip(*differences, strict=True))
    return {"median_more": median, "lower_quartile_more": lower, "quartiles and medians": rows}


def _recorded(file: Path) -> dict[str, int]:
    """Count launches in a trace, and those with times of the device."""
    (table,) = lp.read_trace(file).dispatches()
    launches = (table["command"] == "launch") & ~table["failed"]
    return {"launches": int(launches.sum()), "timed": int((launches & table["timed"]).sum())}


def _processor() -> str:
    """Name the processor, with how many of them there are."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return f"{os.cpu_count()} x {line.partition(':')[2].strip()}"
    return f"{os.cpu_count()} x {platform.machine()}"


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", required=True, metavar="WORDS", help="in the platform's name and version")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has PyOpenCL")
    parser.add_argument("--icd", metavar="FILE", help="the runtime's library")
    parser.add_argument("--launches", type=int, default=20000, help="of a block (20000)")
    parser.add_argument("--blocks", type=int, default=15, help="of a run (15)")
    parser.add_argument("--runs", type=int, default=7, help="in each mode (7)")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    load = os.getloadavg()[0]
    runs: dict[str | None, list[dict[str, Any]]] = {mode: [] for mode in MODES}
    for _ in range(asked.runs):
        for mode in MODES:
            runs[mode].append(run(asked, mode))
    rows = [_row(mode, runs) for mode in MODES]
    for row in rows:
        seen = "{recorded} of {launches} launches, {timed} with times".format(**row) if row["mode"] else ""
        sys.stdout.write(
            f"{row['mode'] or 'no trace':9} {row['submitted']:7.3f} us ({row['submitted_more']:+.3f}) to submit, "
            f"{row['complete']:7.3f} us (x {row['complete_ratio']:.3f}) until complete  {seen}\n"
        )
    switched = within(asked)
    medians, quartiles = switched["median_more"], switched["lower_quartile_more"]
    sys.stdout.write(f"in one process, host: {medians:+.3f} us by medians, {quartiles:+.3f} us by lower quartiles\n")
    if asked.json is not None:
        result = {
            "benchmark": "any_program",
            "machine": f"{_processor()}, Python {platform.python_version()}",
            "device": runs[None][0]["device"],
            "load": load,
            "rows": rows,
            "host in one process": switched,
        }
        asked.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _row(mode: str | None, runs: dict[str | None, list[dict[str, Any]]]) -> dict[str, Any]:
    """Compare the runs of a mode with those by itself."""
    of = {
        kind: [
            (statistics.median(own[kind]), statistics.median(alone[kind]))
            for own, alone in zip(runs[mode], runs[None], strict=True)
        ]
        for kind in ("submitted", "complete")
    }
    recorded = [each["recorded"] or {"launches": 0, "timed": 0} for each in runs[mode]]
    return {
        "mode": mode,
        "submitted": statistics.median(own for own, _ in of["submitted"]),
        "submitted_more": statistics.median(own - alone for own, alone in of["submitted"]),
        "complete": statistics.median(own for own, _ in of["complete"]),
        "complete_ratio": statistics.median(own / alone for own, alone in of["complete"]),
        "launches": sum(each["launches"] for each in runs[mode]),
        "recorded": sum(each["launches"] for each in recorded),
        "timed": sum(each["timed"] for each in recorded),
        "runs": {kind: of[kind] for kind in of},
    }


if __name__ == "__main__":
    main()
