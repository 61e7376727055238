"""Write the tables of README.md's section "Figures" from the JSON in benchmarks/results.

Take the figures first, then run this:

    .venv/bin/launchpath bench launch --device all --json benchmarks/results/launch.json
    .venv/bin/launchpath bench idle-streams --device all --json benchmarks/results/idle-streams.json
    .venv/bin/python benchmarks/readme.py

``machine.json`` beside them names the machine, and each device as the tables are to call it. With ``--check`` nothing
is written, and the exit code is 1 if README.md is not up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from launchpath.bench import idle_streams as idle_streams_bench
from launchpath.bench import launch as launch_bench

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
RESULTS = ROOT / "benchmarks" / "results"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
SUBJECTS = {"launchpath": "launchpath", "c": "C", "pyopencl": "PyOpenCL", "pyopencl-typed": "PyOpenCL, types declared"}

Rows = list[dict[str, Any]]


def load(name: str) -> dict[str, Rows]:
    """Rows of a benchmark by device."""
    data = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return {each["device"]: each["rows"] for each in (data if isinstance(data, list) else [data])}


def find(rows: Rows, subject: str, **case: Any) -> dict[str, Any] | None:
    return next((row for row in rows if row["subject"] == subject and row["case"] == case), None)


def us(rows: Rows, subject: str, **case: Any) -> float | None:
    row = find(rows, subject, **case)
    return None if row is None else float(row["us"])


def over(
    rows: Rows, of: tuple[str, dict[str, Any]], to: tuple[str, dict[str, Any]], minus: bool = False
) -> float | None:
    one, other = us(rows, of[0], **of[1]), us(rows, to[0], **to[1])
    if one is None or other is None:
        return None
    return one - other if minus else one / other


def table(head: list[str], lines: list[list[str]]) -> str:
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ruler, *lines])


def required(launch: dict[str, Rows], idle: dict[str, Rows], devices: list[str], names: dict[str, str]) -> str:
    """What must hold, and what was measured."""
    lines = []

    def add(figure: str, at_most: float | None, at_least: float | None, values: list[float | None], form: str) -> None:
        cells = []
        for value in values:
            met = (
                value is not None and (at_most is None or value <= at_most) and (at_least is None or value >= at_least)
            )
            cells.append("not measured" if value is None else form.format(value) + ("" if met else " (missed)"))
        bound = f"at most {form.format(at_most)}" if at_most is not None else f"at least {form.format(at_least)}"
        lines.append([figure, bound, *cells])

    for n in (0, 2, 16):
        values = [over(launch[d], ("launchpath", {"arguments": n}), ("c", {"arguments": n}), True) for d in devices]
        add(f"a launch with {n} arguments, over C", launch_bench.OVER_C, None, values, "{:+.2f} µs")
    for n, least in launch_bench.PYOPENCL_OVER.items():
        values = [over(launch[d], ("pyopencl", {"arguments": n}), ("launchpath", {"arguments": n})) for d in devices]
        add(f"PyOpenCL's call with {n} arguments, over launchpath's", None, least, values, "{:.1f} ×")
    none, many = ({"arguments": 2, "idle_streams": n, "ordering": "clocks"} for n in (0, 64))
    always = {"arguments": 2, "idle_streams": 64, "ordering": "always"}
    values = [over(idle[d], ("launchpath", many), ("launchpath", none)) for d in devices]
    add(
        "a null-stream launch beside 64 idle blocking streams, over none",
        idle_streams_bench.OVER_NONE,
        None,
        values,
        "{:.2f} ×",
    )
    values = [over(idle[d], ("launchpath", always), ("launchpath", many)) for d in devices]
    add(
        "the same with a marker in every queue, over clocks",
        None,
        idle_streams_bench.MARKERS_OVER_CLOCKS,
        values,
        "{:.0f} ×",
    )
    busy, alone = ({"arguments": 2, "busy_streams": n, "launch": "second on"} for n in (64, 0))
    # As the benchmark has it: against the faster of two cases without other streams.
    ratios = [[over(idle[d], ("launchpath", busy), ("launchpath", to)) for to in (alone, none)] for d in devices]
    values = [None if None in pair else max(pair) for pair in ratios]
    limit = idle_streams_bench.SECOND_OVER_ALONE
    add("null-stream launches from the second on, after 64 busy streams, over none", limit, None, values, "{:.2f} ×")
    many, none = ({"arguments": 2, "idle_streams": n, "synchronize": True} for n in (64, 0))
    values = [over(idle[d], ("launchpath", many), ("launchpath", none)) for d in devices]
    limit = idle_streams_bench.SYNCHRONIZE_OVER_NONE
    add("a launch and a stream synchronize beside 64 idle streams, over none", limit, None, values, "{:.2f} ×")
    beside, alone = {"arguments": 2, "busy_thread": True}, {"arguments": 2}
    values = [over(launch[d], ("launchpath", beside), ("launchpath", alone)) for d in devices]
    add(
        "a launch beside a busy Python thread, over one alone",
        launch_bench.BESIDE_BUSY_THREAD,
        None,
        values,
        "{:.2f} ×",
    )
    return table(["Figure", "Must be", *[names[d] for d in devices]], lines)


def times(launch: dict[str, Rows], devices: list[str], names: dict[str, str]) -> str:
    """Host time of a launch by who launches."""
    lines = []
    for n in (0, 2, 16):
        for subject, name in SUBJECTS.items():
            rows = [find(launch[d], subject, arguments=n) for d in devices]
            if any(rows):
                cells = [
                    f"{r['us']:.2f} ({r['us_min']:.2f} to {r['us_max']:.2f})" if r else "not measured" for r in rows
                ]
                lines.append([f"{n} arguments, {name}", *cells])
    return table(["Host time of a launch, µs", *[names[d] for d in devices]], lines)


def idle_streams(idle: dict[str, Rows], devices: list[str], names: dict[str, str]) -> str:
    """Host time of a null-stream launch by idle streams."""
    counts = sorted({row["case"]["idle_streams"] for row in idle[devices[0]] if "idle_streams" in row["case"]})
    lines = []
    for count in counts:
        cells = []
        for d in devices:
            for mode in ("clocks", "always"):
                value = us(idle[d], "launchpath", arguments=2, idle_streams=count, ordering=mode)
                cells.append("" if value is None else f"{value:.2f}")
        lines.append([str(count), *cells])
    head = [f"{names[d]}, {mode}" for d in devices for mode in ("clocks", "a marker in every queue")]
    return table(["Idle blocking streams", *head], lines)


def figures() -> str:
    """Everything between the two comments."""
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    launch, idle = load("launch"), load("idle-streams")
    devices = [device for device in launch if device in idle]
    names = {device: machine["devices"].get(device, device) for device in devices}
    runs = launch[devices[0]][0]["runs"]
    return "\n\n".join(
        [
            BEGIN,
            f"Taken on: {machine['machine']}. Medians of {runs} blocks.",
            required(launch, idle, devices, names),
            "Medians, with the least and the greatest block:",
            times(launch, devices, names),
            "A launch on the null stream (2 arguments), medians in µs:",
            idle_streams(idle, devices, names),
            END,
        ]
    )


def main() -> int:
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN, 1)
    new = before + figures() + rest.split(END, 1)[1]
    if "--check" in sys.argv[1:]:
        return int(new != text)
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
