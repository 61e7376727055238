"""What a trace adds to 1,000,000 launches of a program in C on a CUDA device.

    python -m benchmarks.any_program.cuda_launches [--json FILE] [--launches 1000000] [--rounds 5] [--cupti LIBRARY]

Each way runs in turn, in a process of its own: the program as it is; by `launchpath trace` with and without times of
the device; and with CUPTI alone, called by the program itself.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import launchpath as lp
from launchpath._drivers import cupti

SOURCE = Path(__file__).with_suffix(".c")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--launches", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cupti", default=next(iter(cupti.libraries()), "libcupti.so.13"))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return measure(asked, Path(folder))


def measure(asked: argparse.Namespace, folder: Path) -> int:
    """Run each way in turn."""
    program, file = folder / "launches", folder / "t.lptrace"
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", program, SOURCE, "-ldl"], check=True)
    words = [os.fspath(program), str(asked.launches)]
    trace = [sys.executable, "-m", "launchpath", "trace", "-o", os.fspath(file)]
    ways = {
        "plain": words,
        "host": [*trace, "--mode", "host", "--", *words],
        "CUPTI alone": [*words, asked.cupti],
        "device": [*trace, "--", *words],
    }
    environment = {**os.environ, "LAUNCHPATH_CUPTI_LIBRARY": asked.cupti}
    times: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    records: dict[str, dict[str, int]] = {}
    for _ in range(asked.rounds):
        for way, command in ways.items():
            file.unlink(missing_ok=True)
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            least, median, seen = done.stdout.split()
            times[way].append((float(least), float(median)))
            records[way] = {"records": int(seen)}
            if file.exists():
                summary = lp.read_trace(file).summary()
                records[way] = {
                    "records": sum(kernel.calls for kernel in summary.driver_calls if kernel.name == "cuLaunchKernel"),
                    "with times": sum(kernel.calls for kernel in summary.kernels),
                }
    medians = {way: statistics.median(median for _, median in rows) for way, rows in times.items()}
    leasts = {way: min(least for least, _ in rows) for way, rows in times.items()}
    for way in ways:
        print(f"{way:12}{leasts[way] / 1e3:8.2f} us least{medians[way] / 1e3:8.2f} us median   {records[way]}")
    added = {
        "host over plain": medians["host"] - medians["plain"],
        "device over CUPTI alone": medians["device"] - medians["CUPTI alone"],
    }
    print("   ".join(f"{name}: {value / 1e3:+.2f} us" for name, value in added.items()))
    if asked.json:
        row = {"ns": times, "records": records, "added ns": added, "launches": asked.launches}
        asked.json.write_text(json.dumps(row, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
