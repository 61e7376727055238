"""Measure the host's time for a launch: the library's own, launchpath's in its place, and C's, in one process in turn.

    python -m benchmarks.fast_launches --json FILE [--libraries triton,numba,cupy] [--blocks 60]
    python -m benchmarks.fast_launches --self-check      # without a GPU, on the tests' stand-in; figures mean nothing

Needs a CUDA device, and the libraries that are asked for.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.fast_launches.subjects import SUBJECTS, Subject
from launchpath import fast

_CHECKING = "FAST_LAUNCHES_CHECKING"
LAUNCHES = 160  # of a block: what a stream takes without blocking
PACKAGES = ("triton", "numba-cuda", "cuda-core", "cupy-cuda13x", "cupy-cuda12x", "torch")
MOST = {("triton", 2): 0.5, ("triton", 16): 0.8, ("numba", 2): 0.6, ("numba", 16): 1.2}  # µs over C's


def measured(subject: Subject, blocks: int, launches: int) -> dict[str, Any]:
    """Time blocks of each way in turn, in another order each round; medians in µs a launch."""
    subject.loop(8)
    subject.synchronize()
    c = subject.c()
    samples: dict[str, list[float]] = {"original": [], "fast": [], "c": []}
    ways = list(samples)
    gc.disable()
    try:
        for _ in range(blocks):
            random.shuffle(ways)
            for way in ways:
                if way == "original":
                    fast.uninstall()
                subject.loop(3) if way != "c" else c(3)
                subject.synchronize()
                began = time.perf_counter_ns()
                took = c(launches) if way == "c" else subject.loop(launches)
                took = took or time.perf_counter_ns() - began
                subject.synchronize()
                if way == "original":
                    fast.install(children=False)
                samples[way].append(took / launches / 1e3)
    finally:
        gc.enable()
    medians = {way: statistics.median(values) for way, values in samples.items()}
    lower = {way: statistics.quantiles(values, n=4)[0] for way, values in samples.items()}
    over = medians["fast"] - medians["c"]
    return {
        "library": subject.library, "arguments": subject.arguments,
        **{way: round(value, 3) for way, value in medians.items()},
        "lower quartiles": {way: round(value, 3) for way, value in lower.items()},
        "fast over c": round(over, 3), "at most": MOST.get((subject.library, subject.arguments)),
    }  # fmt: skip


def checked() -> int:
    """Run this in a process whose driver is the tests' stand-in."""
    from tests.fast_launches.triton_cuda import prepared  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.fast_launches", *sys.argv[1:]]
        return subprocess.run(command, env={**prepared(Path(folder)), _CHECKING: "1"}, check=False).returncode


def versions() -> dict[str, str]:
    """Return the versions of what is measured."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def main() -> int:
    """Measure, print a table, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--libraries", default="triton,numba,cupy")
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--launches", type=int, default=LAUNCHES)
    parser.add_argument("--self-check", action="store_true")
    asked = parser.parse_args()
    cuda, names, blocks, launches = None, asked.libraries.split(","), asked.blocks, asked.launches
    if asked.self_check and _CHECKING not in os.environ:
        return checked()
    if asked.self_check:
        from tests.fast_launches.triton_cuda import Cuda  # noqa: PLC0415

        cuda, names, blocks, launches = Cuda(), ["triton"], 3, 5
    fast.install(children=False)
    rows, failed = [], 0
    print(f"{'':16}{'original':>10}{'fast':>10}{'C':>10}{'fast - C':>10}{'at most':>10}   (µs a launch, medians)")
    for name in names:
        try:
            subjects = SUBJECTS[name](cuda) if cuda is not None else SUBJECTS[name]()  # type: ignore[operator]
        except ImportError as error:
            print(f"{name}: not installed: {error}")
            continue
        for subject in subjects:
            try:
                row = measured(subject, blocks, launches)
            except RuntimeError as error:
                print(error)
                failed += 1
                continue
            rows.append(row)
            most = f"{row['at most']:10.2f}" if row["at most"] else f"{'-':>10}"
            figures = "".join(f"{row[way]:10.2f}" for way in ("original", "fast", "c", "fast over c"))
            print(f"{name} {subject.arguments} args".ljust(16) + figures + most)
            failed += bool(row["at most"] and row["fast over c"] > row["at most"] and not asked.self_check)
    print(fast.report())
    if asked.json:
        asked.json.write_text(
            json.dumps({"versions": versions(), "launches": launches, "blocks": blocks, "rows": rows}, indent=1)
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
