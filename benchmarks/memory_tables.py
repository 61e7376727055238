"""The tables of memory and copies in docs/figures.md, from memory.json (CPU devices), memory-cuda.json and
peers-cuda.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.tables import RESULTS, table
from launchpath._bench.memory.figures import Amount, Key, Required, rates, required
from launchpath._bench.result import Figure, Row
from launchpath._bench.table import describe

BEGIN, END = "<!-- memory figures: begin -->", "<!-- memory figures: end -->"
SUBJECTS = {"c": "C", "launchpath": "launchpath", "cupy": "CuPy", "torch": "torch"}
BLANK = "not measured"


def results(path: Path) -> list[dict[str, Any]]:
    """Give the results of a file, one for each device; none if there is no such file."""
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    return data if isinstance(data, list) else [data]


def text(figure: Figure, value: float | None = None) -> str:
    """Write a value of a figure's kind with the page's units."""
    written = figure.text(value)
    for unit, sign in ((" us", " µs"), (" x", " ×")):
        written = written.removesuffix(unit) + sign if written.endswith(unit) else written
    return written


def bound(each: Required) -> str:
    """Write what a figure must be."""
    figure = Figure(Row.of("", {}, [0.0]), "", 0.0, each.kind)
    words = "at most" if each.at_most is not None else "at least"
    return f"{words} {text(figure, each.at_least if each.at_most is None else each.at_most)}"


def measured(rows: list[Row], each: Required) -> str:
    """Write what was measured, and whether it misses what it must be."""

    def find(key: Key) -> Row | None:
        return next((row for row in rows if (row.subject, row.case) == key), None)

    figure = each.figure(find)
    return BLANK if figure is None else text(figure) + ("" if figure.met else " (missed)")


def requirements(amount: Amount, columns: list[tuple[str, list[Row]]]) -> str:
    """Write the table of what must hold, and what was measured on each device."""
    columns = columns or [("Measured", [])]
    lines = [[each.words, bound(each), *(measured(rows, each) for _, rows in columns)] for each in required(amount)]
    return table(["Figure", "Must be", *(name for name, _ in columns)], lines)


def times(rows: list[Row], versions: dict[str, str]) -> str:
    """Write the table of times by who allocates and copies; of large copies, the rate."""
    rate = {(figure.row.subject, str(figure.row.case)): text(figure) for figure in rates(rows)}
    subjects = [subject for subject in SUBJECTS if any(row.subject == subject for row in rows)]
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        value = rate.get((row.subject, str(row.case)), f"{row.us:.2f} µs")
        cells.setdefault(describe(row.case), {})[row.subject] = value
    head = [f"{SUBJECTS[each]} ({versions[each]})" if each in versions else SUBJECTS[each] for each in subjects]
    lines = [[case, *(values.get(subject, "") for subject in subjects)] for case, values in cells.items()]
    return table(["Time of a call, or rate", *head], lines)


def between_devices(path: Path) -> list[str]:
    """Write the table of copies between two GPUs, from what ``tests/gpu/real/peers.py`` printed."""
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    columns = {
        "launchpath": "launchpath",
        "launchpath, default streams": "the same, default streams",
        "c, one call": "C, `cuMemcpyPeerAsync` alone",
        "c, ordered": "C, ordered on both devices",
        "torch": "torch",
    }
    lines = []
    for key, words, unit in (
        ("gb_per_s_256_mib", "256 MiB", " GB/s"),
        ("host_us_4_kib", "4 KiB, host time", " µs"),
        ("latency_us_4_kib", "4 KiB, until complete", " µs"),
    ):
        values = data[key]
        digits = 0 if unit == " GB/s" else 2
        lines.append([words, *(f"{values[name]:.{digits}f}{unit}" if name in values else "" for name in columns)])
    return ["Between two GPUs (two H200s of one host, the same driver):", table(["Copy", *columns.values()], lines)]


def memory_figures(folder: Path = RESULTS) -> str:
    """Everything between the two comments."""
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    own = results(folder / "memory.json")
    columns = [
        (machine["devices"].get(each["device"], each["device"]), [Row.from_json(row) for row in each["rows"]])
        for each in own
    ]
    parts = [BEGIN, "On CPU devices:", requirements(Amount.of(gpu=False), columns)]
    gpu = results(folder / "memory-cuda.json")[:1]
    rows = [Row.from_json(row) for each in gpu for row in each["rows"]]
    taken = f"On a GPU ({machine['gpu']}):" if rows else "On a GPU:"
    parts += [taken, requirements(Amount.of(gpu=True), [("Measured", rows)])]
    if rows:
        parts += ["Medians:", times(rows, gpu[0].get("versions", {}))]
    parts += between_devices(folder / "peers-cuda.json")
    return "\n\n".join([*parts, END])
