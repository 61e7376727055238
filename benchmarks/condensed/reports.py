"""`launchpath report` of thousands of condensed traces: the command as a whole."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.condensed.memory import MostMemory
from launchpath._trace.condensed import packing
from launchpath._trace.condensed.condense import condensed_file
from tests.trace.program import write

SECONDS, BYTES = 10.0, 1 << 29  # must be at most
ON_A_HOST = 64
_KINDS = 16  # of traces, each drawn anew; the others are like them
_ROUNDS = 3


class Run(NamedTuple):
    """What a report took: time, time of processors, and bytes; and how many lines it printed."""

    seconds: float
    cpu_seconds: float
    memory: int
    lines: int


def measure(asked: argparse.Namespace) -> dict[str, Any]:
    """Time reports of all files."""
    folder: Path = asked.folder
    made = sorted(folder.glob("*.lpsum"))
    if len(made) != asked.files:
        made = make(folder, asked.files)
    hosts = -(-asked.files // ON_A_HOST)
    size = sum(path.stat().st_size for path in made)
    rows = [_row("processes", folder), _row("one process", folder, processors=1)]
    for row in rows:
        shown = f"{row['s']:.2f} s ({row['cpu_s']:.2f} s of processors), {row['mib']:.0f} MiB, {row['lines']} lines"
        print(f"{asked.files} files, {row['executor']}: {shown}")
    first = rows[0]
    missed = [f"reports: expected at most {SECONDS} s, got {first['s']:.2f} s"] * (first["s"] > SECONDS)
    missed += [f"reports: expected at most 512 MiB, got {first['mib']:.0f} MiB"] * (first["mib"] > BYTES >> 20)
    return {"files": asked.files, "hosts": hosts, "bytes": size, "rows": rows, "missed": missed}


def make(folder: Path, count: int) -> list[Path]:
    """Write the files of so many processes, `ON_A_HOST` on each host."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    with tempfile.TemporaryDirectory(prefix="launchpath-kinds-") as kinds:
        for kind in range(_KINDS):
            write(Path(kinds, f"{kind}.lptrace"), kind, 300, process={"pid": 1, "rank": 0, "host": "h"})
        for rank in range(count):
            # Anew for each process: merging changes what it gets.
            condensed = condensed_file(Path(kinds, f"{rank % _KINDS}.lptrace"))
            own = {"pid": 1000 + rank, "rank": rank, "host": f"node{rank // ON_A_HOST:04}"}
            path = folder / f"run.{rank:06}.lpsum"
            condensed.processes = [{**row, **own, "path": f"run.{rank:06}.lptrace"} for row in condensed.processes]
            condensed.threads = [{**row, **own} for row in condensed.threads]
            where = f"{own['host']}:{own['pid']}"
            for table in condensed.tables.values():
                for row in table.values():
                    row.where = where if row.where else ""
            for turns in condensed.turns:
                turns.process, turns.rank = where, rank
            packing.write(condensed, path)
            paths.append(path)
    return paths


def _row(executor: str, folder: Path, processors: int | None = None) -> dict[str, Any]:
    """Run the command some times, on so many processors; the first time is not counted."""
    allowed = sorted(os.sched_getaffinity(0))[:processors]
    runs = [_run(folder, allowed) for _ in range(1 + _ROUNDS)][1:]
    return {
        "executor": executor,
        "processors": len(allowed),
        "s": statistics.median(run.seconds for run in runs),
        "s_min": min(run.seconds for run in runs),
        "s_max": max(run.seconds for run in runs),
        "cpu_s": statistics.median(run.cpu_seconds for run in runs),
        "mib": max(run.memory for run in runs) / (1 << 20),
        "lines": runs[0].lines,
    }


def _run(folder: Path, processors: list[int]) -> Run:
    words = ["taskset", "-c", ",".join(map(str, processors))]
    with tempfile.TemporaryFile() as shown:
        began = time.monotonic()
        process = subprocess.Popen([*words, sys.executable, "-m", "launchpath", "report", str(folder)], stdout=shown)
        with MostMemory(process.pid) as memory:
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        shown.seek(0)
        lines = len(shown.read().splitlines())
    if process.returncode:
        raise RuntimeError(f"expected a report, got exit code {process.returncode}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, memory.most, lines)
