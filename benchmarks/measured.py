"""Write the first part of docs/figures.md, and its charts in docs/charts, from benchmarks/results.

    .venv/bin/python benchmarks/measured.py

It has a chart and a table for each subject, with the machine of each. The commands of that page take the figures,
``machine.json`` names the machines. With ``--check`` nothing is written, and the exit code is 1 if the
page or a chart is not up to date.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bars import Bar, Panel, drawing, figure
from benchmarks.figures import ROOT, find, load
from benchmarks.tables import RESULTS, table

PAGE, CHARTS = ROOT / "docs" / "figures.md", ROOT / "docs" / "charts"
BEGIN, END = "<!-- charts: begin -->", "<!-- charts: end -->"
NAMES = {
    "launchpath": "launchpath",
    "c": "C, the driver's own calls",
    "cuda-core": "cuda.core",
    "cuda-bindings": "cuda.bindings",
    "cupy": "CuPy",
    "tvm-ffi": "tvm-ffi, launcher in C++",
    "triton": "Triton",
    "torch": "torch",
    "pyopencl-typed": "PyOpenCL, types declared",
    "pyopencl": "PyOpenCL",
    "step": "launchpath, in a step",
    "frozen": "launchpath, a frozen step",
    "eager": "launchpath, without a step",
    "c-graph": "C, a CUDA graph",
}
OWN = {"launchpath", "step", "frozen", "eager"}
PEERS = ("c", "launchpath", "cuda-core", "cuda-bindings", "cupy", "tvm-ffi", "triton", "pyopencl-typed", "pyopencl")

Case = dict[str, Any]
Wanted = list[tuple[str, Case, str]]  # a subject, its case, and its name if it is another


@dataclass
class Subject:
    """A section of the page: a chart, its text, and what its panels show."""

    chart: str
    title: str
    text: str
    panels: list[tuple[str, str, Wanted]] = field(default_factory=list)  # a file, what is measured, the bars
    unit: float = 1  # in µs

    def add(self, files: tuple[str, ...], measured: str, wanted: Wanted) -> None:
        self.panels += [(file, measured, wanted) for file in files]


def machine(device: str) -> str:
    """Name a device with its machine, as machine.json has it; a device without an entry by its own name."""
    named = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    if device in named["devices"]:
        return str(named["machine"])
    gpu: str = named["gpu"]
    return gpu if any(word in gpu for word in device.split() if word.startswith("H")) else device


def subjects() -> list[Subject]:
    """Give the sections in their order."""
    return [_launches(), _idle_streams(), _steps(), _memory(), _traces(), _compiling()]


def _launches() -> Subject:
    launch = Subject(
        "launch",
        "Host time of a launch, in µs",
        "The same kernel on the same arrays. Each library is called as its documentation shows.",
    )
    for count in (2, 16):
        wanted: Wanted = [(subject, {"arguments": count}, "") for subject in PEERS]
        launch.add(("launch-cuda", "launch"), f"{count} arguments", wanted)
    return launch


def _idle_streams() -> Subject:
    idle = Subject(
        "idle-streams",
        "Host time of a launch on the legacy default stream, in µs",
        "Beside idle blocking streams. HIP's rules order such a launch behind all of them. launchpath knows by clocks\n"
        "that they are idle. A marker in every queue costs more with each stream.",
    )
    streams: Wanted = []
    for count in (0, 8, 64):
        streams.append(("launchpath", _idle(count, "clocks"), f"launchpath, {count} idle streams"))
    for count in (8, 64):
        streams.append(("launchpath", _idle(count, "always"), f"a marker in each of {count} queues"))
    idle.add(("idle-streams-nvidia", "idle-streams"), "2 arguments", streams)
    return idle


def _steps() -> Subject:
    step = Subject(
        "step",
        "Time of a launch in a run of 100, in µs",
        "On CUDA and HIP devices a step is a graph, of which launchpath updates what has changed. On OpenCL devices\n"
        "its launches are submitted in a loop.",
    )
    order = ("c", "eager", "step", "frozen", "c-graph")
    for measure, meaning in (("host", "host, nothing changed"), ("completion", "until complete, nothing changed")):
        wanted = [(name, {"launches": 100, "changed": "none", "measure": measure}, "") for name in order]
        step.add(("step-cuda", "step") if measure == "host" else ("step-cuda",), meaning, wanted)
    return step


def _memory() -> Subject:
    memory = Subject(
        "memory",
        "Memory: host time of a call, in µs",
        "Allocations in the order of the current stream, and copies to the device.",
    )
    libraries = ("c", "launchpath", "cupy", "torch")
    for case, meaning in (
        ({"operation": "allocate", "bytes": 4096, "stream": "current"}, "allocate and free 4 KiB"),
        ({"operation": "in", "bytes": 4096, "pinned": False}, "copy 4 KiB of pageable memory to the device"),
        ({"operation": "in", "bytes": 1048576, "pinned": False, "complete": True}, "copy 1 MiB of it, until complete"),
    ):
        memory.add(("memory-cuda",), meaning, [(name, case, "") for name in libraries])
    return memory


def _traces() -> Subject:
    trace = Subject(
        "trace",
        "Host time of a launch while a trace records it, in µs",
        "Without a trace, with records of the host only, and with the device's times of each launch.",
    )
    traced: Wanted = [("c", _traced("off"), "C, no trace")]
    for mode, name in (("off", "no trace"), ("host", 'mode="host"'), ("device", 'mode="device"')):
        traced.append(("launchpath", _traced(mode), f"launchpath, {name}"))
    trace.add(("trace-cuda", "trace"), "2 arguments, until the call returns", traced)
    return trace


def _compiling() -> Subject:
    compiling = Subject(
        unit=1000,
        chart="compile",
        title="Time of lp.compile, in ms",
        text="Each in a new process. The first process fills the cache on disk, the second one reads it. A new kernel\n"
        "is one that no process has compiled before. The times are with all that `lp.compile` imports.",
    )
    processes: Wanted = [
        ("launchpath", {"process": process}, f"launchpath, {name}")
        for process, name in (("first", "first process"), ("second", "from the cache"), ("new kernel", "a new kernel"))
    ]
    processes.append(("cupy", {"process": "new kernel"}, "CuPy, a new kernel"))
    compiling.add(("compile-cuda", "compile"), "one kernel", processes)
    return compiling


def _idle(streams: int, ordering: str) -> Case:
    return {"arguments": 2, "idle_streams": streams, "ordering": ordering}


def _traced(mode: str) -> Case:
    return {"arguments": 2, "tracing": mode, "until": "enqueued"}


def panels(subject: Subject) -> list[Panel]:
    """Read the bars of a subject: those that were measured."""
    result = []
    for file, measured, wanted in subject.panels:
        for device, rows in load(file).items():
            bars = []
            for name, case, shown in wanted:
                row = find(rows, name, **case)
                if row is not None:
                    values = [float(row[key]) / subject.unit for key in ("us", "us_min", "us_max")]
                    bars.append(Bar(shown or NAMES[name], *values, own=name in OWN and "marker" not in shown))
            if not bars:
                raise ValueError(f"expected figures of {measured!r} in {file}.json, got none for {device!r}")
            result.append(Panel(f"{device_name(device)}, {measured}", tuple(bars)))
    return result


def device_name(device: str) -> str:
    """Name a device as charts do, without its machine."""
    named = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    return str(named["devices"].get(device, device))


def section(subject: Subject) -> str:
    """Write the section of a subject: its text, chart, machines and table."""
    shown = panels(subject)
    devices = dict.fromkeys(device for file, _, _ in subject.panels for device in load(file))
    machines = [f"- {device_name(device)}: {machine(device)}" for device in devices]
    lines = []
    for panel in shown:
        lines.append([f"**{panel.title}**", "", ""])
        lines += [
            [each.name, figure(each.value), f"{figure(each.least)} to {figure(each.most)}"] for each in panel.bars
        ]
    parts = [
        f"## {subject.title}",
        subject.text,
        f"![{subject.title}: the table below has the values](charts/{subject.chart}.svg)",
        "Machines:",
        "\n".join(machines),
        table(["of", "median", "least to greatest"], lines),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN, 1)
    sections = "\n".join(section(subject) for subject in subjects())
    texts = {PAGE: f"{before}{BEGIN}\n\n{sections}\n{END}{rest.split(END, 1)[1]}"}
    for subject in subjects():
        texts[CHARTS / f"{subject.chart}.svg"] = drawing(subject.title, panels(subject))
    if "--check" in sys.argv[1:]:
        return int(any(not file.exists() or file.read_text(encoding="utf-8") != new for file, new in texts.items()))
    CHARTS.mkdir(exist_ok=True)
    for file, new in texts.items():
        file.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
