"""Queries over a large trace: their time, and the memory of the process.

    .venv/bin/python -m benchmarks.sql --json benchmarks/results/sql.json

``launchpath sql`` reads a trace, and its Parquet folder. Beside it stands DuckDB alone on that folder, which it reads
by itself and in all threads. The trace is made in a temporary folder (`benchmarks/trace_file.py`), with as many
launches and copies as ``--rows`` says: 210 bytes each. Each query runs in a process of its own, and its time has the
start of Python's packages in it. The files are in the page cache.
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

from benchmarks.trace_file import write

SLOTS = 3.25  # of a launch or a copy: two, one for its times, and a call after every fourth
REPEATED = 3
QUERIES = {
    "group by name, host only": "select name, count(*) from dispatches group by name",
    "group by name, times on the device": (
        "select name, count(*), avg(ended - started), max(ended - started) from dispatches group by name"
    ),
    "time of each second of a thread": (
        "select thread, begin // 1000000000 as second, sum(ended - started) from dispatches group by all"
    ),
    "calls by name": 'select name, count(*), sum("end" - begin) from calls group by name',
    "all columns, first 1000 rows": "select * from dispatches limit 1000",
}
ONE = """
import json, resource, sys, time
began, query, path, how = time.perf_counter(), *sys.argv[1:]
if how == "launchpath":
    import launchpath._trace.formats.sql.query as sql
    rows = sql.result_of([path], query).num_rows
else:
    import duckdb
    duckdb.sql("set enable_progress_bar = false")
    for view in ("dispatches", "calls"):
        duckdb.sql(f"create view {view} as select * from read_parquet('{path}/{view}/*/*/*.parquet')")
    rows = duckdb.sql(query).fetchall()
used = resource.getrusage(resource.RUSAGE_SELF)
cpu = used.ru_utime + used.ru_stime
print(json.dumps({"s": time.perf_counter() - began, "cpu_s": cpu, "mib": used.ru_maxrss / 1024}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000, help="launches and copies")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace, parquet = Path(folder) / "run.lptrace", Path(folder) / "parquet"
        write(trace, int(options.rows * SLOTS))
        _launchpath("report", trace, "--parquet", parquet)
        total = json.loads(_launchpath("sql", "select count(*) as n from dispatches", trace, "--json", "-"))[0]["n"]
        rows = [
            {"query": name, "sql": query, "from": source, "rows": total, **_measured(query, path, how, total)}
            for name, query in QUERIES.items()
            for source, path, how in (
                ("trace", trace, "launchpath"),
                ("Parquet folder", parquet, "launchpath"),
                ("Parquet folder, DuckDB alone", parquet, "duckdb"),
            )
        ]
        size = trace.stat().st_size
    for row in rows:
        figures = f"{row['s']:7.2f} s {row['million_rows_per_s']:7.2f} M rows/s {row['mib']:6.0f} MiB"
        print(f"{row['query']:36} {row['from']:30} {figures}")
    if options.json:
        about = {"machine": f"{os.cpu_count()} processors, {platform.machine()}, {_processor()}", "bytes": size}
        results = {**about, "python": platform.python_version(), "results": rows}
        Path(options.json).write_text(json.dumps(results, indent=2) + "\n")


def _measured(query: str, path: Path, how: str, rows: int) -> dict[str, float]:
    runs = []
    for _ in range(REPEATED):
        command = [sys.executable, "-c", ONE, query, str(path), how]
        runs.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    seconds = statistics.median(run["s"] for run in runs)
    return {
        "s": round(seconds, 2),
        "s_min": round(min(run["s"] for run in runs), 2),
        "s_max": round(max(run["s"] for run in runs), 2),
        "cpu_s": round(statistics.median(run["cpu_s"] for run in runs), 2),
        "mib": round(max(run["mib"] for run in runs)),
        "million_rows_per_s": round(rows / seconds / 1e6, 2),
        "million_rows_per_cpu_s": round(rows / statistics.median(run["cpu_s"] for run in runs) / 1e6, 2),
    }


def _launchpath(*words: object) -> str:
    command = [sys.executable, "-m", "launchpath", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown processor")


if __name__ == "__main__":
    main()
