"""What condensing trace files costs: ``python -m benchmarks.condensed_files FOLDER [--json FILE]``.

A row is a record of a command or a call. Figures are rows a second of one processor, of a file without evidence and of
one with it, each read by a process of its own; and rows a second of many files, a few at a time, merged as they come:
with ten times the files the time is to be ten times as long, and the memory the same. One file stands for all of them.
Files are written into the folder where they are not there yet.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import trace_file
from benchmarks.findings import trace_file as evidence_file
from launchpath._trace.condensed.condense import condensed_file
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.condensed.packing import pack, unpack

SLOTS_OF_A_ROW = 2.6  # of the file without evidence: commands take three, and one call goes with four of them


def condensed(path: Path) -> tuple[float, int, bytes]:
    """Condense a file; gives the seconds of the processor, the rows, and what it sums up to."""
    began = time.process_time()
    result = condensed_file(path)
    seconds = time.process_time() - began
    rows = sum(row.calls + row.failed for row in result.tables["driver_calls"].values())
    return seconds, rows, pack(result)


def alone(path: Path, repeats: int) -> dict[str, Any]:
    """Measure one file, in a new process each time."""
    figures = []
    for _ in range(repeats):
        with _pool(1) as pool:
            seconds, rows, packed = pool.apply(condensed, (path,))
            most = pool.apply(_memory)
        figures.append((seconds, rows, most, len(packed)))
    seconds = statistics.median(each[0] for each in figures)
    rows = figures[0][1]
    return {
        "rows": rows,
        "bytes": path.stat().st_size,
        "seconds": [each[0] for each in figures],
        "rows_per_second": round(rows / seconds),
        "bytes_at_most": max(each[2] for each in figures),
        "bytes_condensed": figures[0][3],
    }


def many(path: Path, count: int, processes: int) -> dict[str, Any]:
    """Condense the same file again and again, and merge what comes."""
    result, rows = Condensed(), 0
    with _pool(processes) as pool:
        pool.map(condensed, [path] * processes, chunksize=1)  # what starts them is not measured
        began = time.monotonic()
        for _, each, packed in pool.imap_unordered(condensed, [path] * count):
            result.merge(unpack(packed, "a part"))
            rows += each
        seconds = time.monotonic() - began
        most = sum(pool.map(_memory, range(processes), chunksize=1)) + _memory()
    return {
        "files": count,
        "rows": rows,
        "processes": processes,
        "seconds": seconds,
        "rows_per_second": round(rows / seconds),
        "bytes_at_most": most,
        "bytes_condensed": len(pack(result)),
    }


def _pool(processes: int) -> Any:
    return multiprocessing.get_context("spawn").Pool(processes)


def _memory(_: int = 0) -> int:
    """Give the bytes that this process had at most, those of files that it shares with others included."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def main() -> int:
    """Measure, and print or write what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=10_000_000, help="of a file (10000000)")
    parser.add_argument("--files", type=int, default=100, help="as many in the end (100), and a tenth of them before")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    plain, evidence = (asked.folder / f"{name}_{asked.rows}.lptrace" for name in ("plain", "evidence"))
    if not plain.exists():
        trace_file.write(plain, round(asked.rows * SLOTS_OF_A_ROW))
    if not evidence.exists():
        evidence_file.write(evidence, asked.rows)
    result = {
        "machine": {"processor": _processor(), "processors": os.cpu_count(), "system": platform.platform()},
        "plain": alone(plain, asked.repeats),
        "evidence": alone(evidence, asked.repeats),
        "few": many(plain, max(asked.files // 10, 1), asked.processes),
        "many": many(plain, asked.files, asked.processes),
    }
    text = json.dumps(result, indent=1)
    if asked.json:
        asked.json.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    sys.exit(main())
