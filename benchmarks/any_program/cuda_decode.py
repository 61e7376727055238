"""A decode loop of small Triton kernels, as it is, traced, and under torch.profiler.

    python -m benchmarks.any_program.cuda_decode [--json FILE] [--rounds 3]

Each way runs in turn in a process of its own: 200 launches a token. Nsight Systems takes part where it is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAY = "--way"  # of the process that decodes
TOKENS = 128


def decode(way: str) -> None:
    """Decode some times and print the rate of each; the first time compiles."""
    import torch  # noqa: PLC0415

    from benchmarks.fast_launches.decode import Transformer  # noqa: PLC0415

    model = Transformer(torch, 14, 256)
    model.decode(TOKENS)
    torch.cuda.synchronize()
    for _ in range(5):
        began = time.perf_counter()
        if way == "torch.profiler":
            with torch.profiler.profile():
                model.decode(TOKENS)
                torch.cuda.synchronize()
                seconds = time.perf_counter() - began
        else:
            model.decode(TOKENS)
            torch.cuda.synchronize()
            seconds = time.perf_counter() - began
        print(TOKENS / seconds)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(WAY)
    asked = parser.parse_args()
    if asked.way:
        decode(asked.way)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "t.lptrace")
        own = [sys.executable, "-m", "benchmarks.any_program.cuda_decode", WAY]
        trace = [sys.executable, "-m", "launchpath", "trace", "-o", file]
        ways = {
            "plain": [*own, "plain"],
            "host": [*trace, "--mode", "host", "--", *own, "plain"],
            "device": [*trace, "--", *own, "plain"],
            "torch.profiler": [*own, "torch.profiler"],
        }
        if nsys := shutil.which("nsys"):
            ways["nsys"] = [nsys, "profile", "-o", os.path.join(folder, "n"), "-f", "true", *own, "plain"]
        rates: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(asked.rounds):
            for way, command in ways.items():
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                lines = [line for line in done.stdout.splitlines() if line.replace(".", "").isdigit()]
                rates[way] += map(float, lines)
                Path(file).unlink(missing_ok=True)
    medians = {way: statistics.median(values) for way, values in rates.items()}
    for way, rate in medians.items():
        print(f"{way:16}{rate:9.1f} tokens/s{medians['plain'] / rate:8.3f} x")
    if asked.json:
        asked.json.write_text(json.dumps({"tokens/s": rates}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
