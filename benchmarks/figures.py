"""Write the tables of docs/figures.md from the JSON in benchmarks/results.

Take the figures first, then run this:

    .venv/bin/launchpath bench launch --device all --json benchmarks/results/launch.json
    .venv/bin/launchpath bench idle-streams --device all --json benchmarks/results/idle-streams.json
    .venv/bin/python benchmarks/figures.py

Those of its section "On one H200" are made from launch-cuda.json, idle-streams-nvidia.json and import-gpu.json.
Those of arguments in device memory are made from arguments.json and rigid-bodies.json and, of the GPU,
arguments-cuda.json and rigid-bodies-cuda.json. Those of memory are made from memory.json, memory-cuda.json and
peers-cuda.json (see memory_tables.py). The page has the commands that take them. A figure without a result is not in
the tables.

``machine.json`` beside them names the machine, and each device as the tables are to call it. With ``--check`` nothing
is written, and the exit code is 1 if docs/figures.md is not up to date.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import memory_tables
from benchmarks.rigid_bodies import EXAMPLE_OVER_UPLOADS, KERNEL_TIME, STEP_OVER_EAGER
from benchmarks.tables import RESULTS, table
from launchpath._bench import arguments as arguments_bench
from launchpath._bench import idle_streams as idle_streams_bench
from launchpath._bench import importing as import_bench
from launchpath._bench import launch as launch_bench
from launchpath._bench.result import Row

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "figures.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
ARGUMENTS_BEGIN, ARGUMENTS_END = "<!-- argument figures: begin -->", "<!-- argument figures: end -->"
GPU_BEGIN, GPU_END = "<!-- gpu figures: begin -->", "<!-- gpu figures: end -->"
SUBJECTS = {"launchpath": "launchpath", "c": "C", "pyopencl": "PyOpenCL", "pyopencl-typed": "PyOpenCL, types declared"}
GPU_SUBJECTS = {
    "c": "C, `cuLaunchKernel` with packed arguments",
    "python": "a Python call with these arguments, of C that ignores them and launches",
    "launchpath": "launchpath",
    "launchpath-torch": "launchpath, torch's tensors",
    "launchpath-adopted-triton": "launchpath, a Triton kernel adopted and bound",
    "cuda-core": "cuda.core",
    "cuda-bindings": "cuda.bindings",
    "cupy": "CuPy",
    "tvm-ffi": "tvm-ffi, launcher in C++",
    "triton": "Triton",
    "torch": "torch, `fill_`",
}
PEERS = ("cuda-core", "cupy", "cuda-bindings", "tvm-ffi", "triton", "torch")

Rows = list[dict[str, Any]]
Limit = tuple[float | None, float | None]  # at most, at least


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
    matches = [find(rows, subject, **case) for subject, case in (of, to)]
    if None in matches:
        return None
    measured, other = (Row.from_json(row) for row in matches if row)
    return measured.minus(other) if minus else measured.over(other)


def cell(value: float | None, at_most: float | None, at_least: float | None, form: str) -> str:
    """A figure, and whether it missed what it must be."""
    if value is None:
        return "not measured"
    met = (at_most is None or value <= at_most) and (at_least is None or value >= at_least)
    return form.format(value) + ("" if met else " (missed)")


def required(launch: dict[str, Rows], idle: dict[str, Rows], devices: list[str], names: dict[str, str]) -> str:
    """What must hold, and what was measured."""
    lines = []

    def add(figure: str, at_most: float | None, at_least: float | None, values: list[float | None], form: str) -> None:
        cells = [cell(value, at_most, at_least, form) for value in values]
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
        idle_streams_bench.MARKERS_OVER_CLOCKS["cpu"],
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


def bound(at_most: float | None, at_least: float | None, form: str) -> str:
    if at_most is not None:
        return f"at most {form.format(at_most)}"
    if at_least is None:
        return ""
    return "above 1" if at_least == 1 else f"at least {form.format(at_least)}"


def gpu_required(launch: Rows, idle: Rows, importing: Rows) -> str:
    """What must hold on the GPU, and what was measured."""
    lines = []

    def add(
        figure: str, limits: list[tuple[float | None, float | None]], values: list[float | None], form: str
    ) -> None:
        bounds = [bound(*limit, form) for limit in limits]
        cells = [cell(value, *limit, form) for value, limit in zip(values, limits, strict=True)]
        # What is the same for all of them is said once.
        lines.append([figure, *(" / ".join(each if len(set(each)) > 1 else each[:1]) for each in (bounds, cells))])

    counts = (0, 2, 16)
    own, c, adopted = (
        {n: (subject, {"arguments": n}) for n in counts} for subject in ("launchpath", "c", "launchpath-adopted-triton")
    )
    with_counts = "with 0 / 2 / 16 arguments"
    values = [over(launch, own[n], c[n], True) for n in counts]
    add(f"a launch {with_counts}, over C", [(launch_bench.GPU_OVER_C, None)] * 3, values, "{:+.2f} µs")
    values = [over(launch, ("python", {"arguments": n}), c[n], True) for n in counts]
    add("of that, Python's own call", [(None, None)] * 3, values, "{:+.2f} µs")
    values = [over(launch, own[n], c[n]) for n in counts]
    add("the same launch, as a ratio", [(launch_bench.GPU_TIMES_C, None)] * 3, values, "{:.2f} ×")
    for subject in PEERS:
        taken = (2,) if subject == "torch" else counts
        limits = [(None, launch_bench.PEER_OVER.get((subject, n), 1.0)) for n in taken]
        values = [over(launch, (subject, {"arguments": n}), own[n]) for n in taken]
        name = GPU_SUBJECTS[subject].split(",")[0]
        figure = "torch's `fill_`" if subject == "torch" else f"{name}'s launch {with_counts}"
        add(f"{figure}, over launchpath's", limits, values, "{:.2f} ×")
    values = [over(launch, ("launchpath-torch", {"arguments": n}), own[n], True) for n in (2, 16)]
    values = [None if value is None else value / tensors for value, tensors in zip(values, (1, 8), strict=True)]
    limit = (launch_bench.A_TENSOR, None)
    add("a torch tensor over launchpath's own array, of 1 / 8 of them", [limit] * 2, values, "{:+.3f} µs")
    values = [over(launch, ("triton", {"arguments": n}), adopted[n]) for n in launch_bench.TRITON_OVER_ADOPTED]
    limits = [(None, least) for least in launch_bench.TRITON_OVER_ADOPTED.values()]
    figure = "Triton's launch of its kernel with 2 / 16 arguments, over launchpath's of the same, adopted and bound"
    add(figure, limits, values, "{:.1f} ×")
    none, many = ({"arguments": 2, "idle_streams": n, "ordering": "clocks"} for n in (0, 64))
    always = {"arguments": 2, "idle_streams": 64, "ordering": "always"}
    figure = "NVIDIA's OpenCL: a null-stream launch beside 64 idle blocking streams, over none"
    values = [over(idle, ("launchpath", many), ("launchpath", none))]
    add(figure, [(idle_streams_bench.OVER_NONE, None)], values, "{:.2f} ×")
    values = [over(idle, ("launchpath", always), ("launchpath", many))]
    limits = [(None, idle_streams_bench.MARKERS_OVER_CLOCKS["gpu"])]
    add("the same with a marker in every queue, over clocks", limits, values, "{:.0f} ×")
    first, other = ((module, {"import": module}) for module in import_bench.MODULES)
    more = over(importing, first, other, True)
    limits = [(import_bench.OVER_NUMPY / 1e3, None)]
    add("`import launchpath`, over `import numpy`", limits, [None if more is None else more / 1e3], "{:+.0f} ms")
    return table(["Figure", "Must be", "Measured"], lines)


def gpu_times(launch: Rows, versions: dict[str, str]) -> str:
    """Host time of a launch by who launches."""
    lines = []
    for subject, name in GPU_SUBJECTS.items():
        rows = [find(launch, subject, arguments=n) for n in (0, 2, 16)]
        if any(rows):
            cells = [f"{r['us']:.2f} ({r['us_min']:.2f} to {r['us_max']:.2f})" if r else "" for r in rows]
            version = "" if subject.startswith("launchpath") else versions.get(subject, "")
            lines.append([f"{name} ({version})" if version else name, *cells])
    return table(["Host time of a launch, µs", "0 arguments", "2 arguments", "16 arguments"], lines)


def gpu_figures() -> str:
    """Everything between the two comments of the GPU."""
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    loaded = {}
    for name in ("launch-cuda", "idle-streams-nvidia", "import-gpu"):
        path = RESULTS / f"{name}.json"
        loaded[name] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"rows": []}
    launch, idle, importing = (each["rows"] for each in loaded.values())
    parts = [GPU_BEGIN]
    if launch:
        parts.append(f"Taken on: {machine['gpu']}. Medians of {launch[0]['runs']} blocks.")
    parts.append(gpu_required(launch, idle, importing))
    if launch:
        parts += ["Medians, with the least and the greatest block:"]
        parts += [gpu_times(launch, loaded["launch-cuda"].get("versions", {}))]
    return "\n\n".join([*parts, GPU_END])


def arguments_figures() -> str:
    """Everything between the two comments of arguments in device memory."""
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    columns = [
        (machine["devices"].get(device, device), "cpu", rows, runs.get(device))
        for runs in [example("rigid-bodies")]
        for device, rows in load("arguments").items()
    ]
    if (RESULTS / "arguments-cuda.json").exists():
        runs = example("rigid-bodies-cuda")
        for device, rows in load("arguments-cuda").items():
            columns.append((machine["gpu"].split(",")[0], "gpu", rows, runs.get(device)))
    lines = []
    unchanged = {"block_bytes": arguments_bench.OF, "changed": False}
    size = f"{arguments_bench.OF >> 10} KiB of arguments, unchanged, over 2 plain ones"
    for variant, more in (("", {}), (", as another object with equal bytes each time", {"compared": True})):
        values = [
            over(rows, ("launchpath", {**unchanged, **more}), ("launchpath", {"arguments": 2}), True)
            for _, _, rows, _ in columns
        ]
        cells = [cell(value, arguments_bench.OVER_PLAIN, None, "{:+.2f} µs") for value in values]
        lines.append([size + variant, bound(arguments_bench.OVER_PLAIN, None, "{:+.2f} µs"), *cells])
    of, to = {"block_bytes": arguments_bench.OF, "complete": True}, {**unchanged, "complete": True}
    cells = [
        cell(
            over(rows, ("c-allocate-upload-free", of), ("launchpath", to)),
            None,
            arguments_bench.FRESH_OVER[kind],
            "{:.1f} ×",
        )
        for _, kind, rows, _ in columns
    ]
    limits = ", on a GPU ".join(f"{arguments_bench.FRESH_OVER[kind]:.1f} ×" for kind in ("cpu", "gpu"))
    lines.append(
        [
            "allocating, uploading, launching, freeing for each, in C, over launchpath unchanged, both until complete",
            f"at least {limits}",
            *cells,
        ]
    )
    cells = [rates_over(ran, "skip", "upload", EXAMPLE_OVER_UPLOADS, kind) for _, kind, _, ran in columns]
    figure = "the example's steps per second, skipping over uploading for each launch, median (least to greatest trial)"
    lines.append([figure, f"on a GPU at least {EXAMPLE_OVER_UPLOADS:.2f} ×", *cells])
    cells = [rates_over(ran, "skip", "plain") for _, _, _, ran in columns]
    lines.append(["the same, skipping over plain arguments", "", *cells])
    cells = [rates_over(ran, "step", "skip", STEP_OVER_EAGER, kind) for _, kind, _, ran in columns]
    if set(cells) != {"not measured"}:
        figure = "the same, each step in an `lp.Step` over eager"
        lines.append([figure, f"on a GPU at least {STEP_OVER_EAGER} ×", *cells])
    cells = ["not measured" if ran is None else kernel_time(ran) for _, _, _, ran in columns]
    lines.append(["its kernels' own time, skipping over uploading", "on a GPU within 1%", *cells])
    cells = ["not measured" if ran is None else "yes" if ran["identical"] else "NO" for _, _, _, ran in columns]
    lines.append(["its state, the same bits skipping, uploading and with plain arguments", "yes", *cells])
    return "\n\n".join(
        [ARGUMENTS_BEGIN, table(["Figure", "Must be", *[name for name, *_ in columns]], lines), ARGUMENTS_END]
    )


def example(name: str) -> dict[str, dict[str, Any]]:
    """Results of benchmarks/rigid_bodies.py by device."""
    path = RESULTS / f"{name}.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return {each["device"]: each for each in results}


def rates_over(ran: dict[str, Any] | None, fast: str, slow: str, least: float | None = None, kind: str = "gpu") -> str:
    """Steps per second of a run of the example over those of another; the least that is required counts on a GPU."""
    rates = ran["steps_per_second"] if ran is not None else {}
    if fast not in rates:  # results of a version that did not have it
        return "not measured"
    ratios = [above / below for above, below in zip(rates[fast], rates[slow], strict=True)]
    value = cell(statistics.median(ratios), None, least if kind == "gpu" else None, "{:.2f} ×")
    return f"{value} ({min(ratios):.2f} to {max(ratios):.2f})"


def kernel_time(ran: dict[str, Any]) -> str:
    times = ran["kernel_us_per_step"]
    if not times:
        return "not measured (by CUPTI alone)"
    ratio = statistics.median(times["skip"]) / statistics.median(times["upload"])
    return f"{ratio:.3f} ×" + ("" if abs(ratio - 1) <= KERNEL_TIME else " (missed)")


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    new = text
    sections = (
        (BEGIN, END, figures()),
        (ARGUMENTS_BEGIN, ARGUMENTS_END, arguments_figures()),
        (GPU_BEGIN, GPU_END, gpu_figures()),
        (memory_tables.BEGIN, memory_tables.END, memory_tables.memory_figures()),
    )
    for begin, end, section in sections:
        before, rest = new.split(begin, 1)
        new = before + section + rest.split(end, 1)[1]
    if "--check" in sys.argv[1:]:
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
