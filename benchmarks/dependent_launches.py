"""Chains of kernels, each of which needs what the one before wrote, until they are complete; beside the same in C.

    python -m benchmarks.dependent_launches --each --json benchmarks/results/dependent-launches-cuda.json

The subjects take turns in one process: launchpath's launches on a stream, a step, a frozen step, and by the driver's
own calls a loop of launches and a graph without dependent launches (``c-stream``, ``c-graph``). Three more graphs by
the driver's calls have programmatic edges and kernels that wait at their entry: without a trigger, with one before the
wait, with one behind it. ``--each`` runs it with ``LAUNCHPATH_DEPENDENT`` 0, wait, 1 and trigger, each in a process of
its own: with 1, the default, frozen steps have early variants of kernels in small grids.

Figures are microseconds a kernel until complete, medians of the rounds. All subjects must come to the same bits.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import launchpath as lp
from launchpath import _core

CHAIN = 100
THREADS = 256
BLOCKS = (1, 16, 132, 528, 4096)
WORK = {"none": 0, "short": 1000, "long": 17000}  # rounds of a loop: about 0, 2.4 and 40 us on an H200
CASES = [*((blocks, work) for work in ("none", "short") for blocks in BLOCKS), (132, "long"), (528, "long")]
SETTINGS = ("0", "wait", "1", "trigger")

# The sum is kept only if it is what it never is: y depends on the launch before, and on nothing else.
SOURCE = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    ENTRY
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i % n];
    for (int r = 0; r < ROUNDS; ++r) v = v * 0.999f + 0.5f;
    if (v == -1.0f) y[0] = v;
    if (i < n) y[i] = y[i] + a * x[i];
}
"""
ENTRIES = {
    "c-graph-wait": 'asm volatile("griddepcontrol.wait;" ::: "memory");',
    "c-graph-trigger": 'asm volatile("griddepcontrol.launch_dependents; griddepcontrol.wait;" ::: "memory");',
    "c-graph-behind": 'asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;" ::: "memory");',
}


class NodeParameters(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS_v2."""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("arguments", ctypes.c_void_p),
        ("extra", ctypes.c_void_p),
        ("kernel", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    )


class Driver:
    """The driver's own calls, with a device's primary context current, and a stream of their own."""

    def __init__(self, device: lp.Device) -> None:
        self.library = ctypes.CDLL(device.info["library"])
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device.info["ordinal"])
        self.call("cuCtxSetCurrent", context)
        self.stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(self.stream), 1)

    def call(self, name: str, *arguments: Any) -> None:
        """Make a call, which must succeed."""
        code = self.library[name](*arguments)
        if code:
            raise SystemExit(f"{name}: expected 0, got {code}")

    def wait(self) -> None:
        """Ask until the stream's work is complete."""
        query = self.library["cuStreamQuery"]
        while query(self.stream):
            pass

    def graph(self, kernel: lp.Kernel, blocks: int, packed: bytes, programmatic: bool) -> ctypes.c_void_p:
        """Make an executable graph of a chain of launches."""
        data, size = ctypes.create_string_buffer(packed, len(packed)), ctypes.c_size_t(kernel.signature.end)
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(data), 2, ctypes.addressof(size), 0)
        parameters = NodeParameters(
            kernel._driver.function, (blocks, 1, 1), (THREADS, 1, 1), 0, 0, ctypes.addressof(extra), 0, 0
        )
        graph, executable, before = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        edge = (ctypes.c_ubyte * 8)(1, 0, 1)
        self.call("cuGraphCreate", ctypes.byref(graph), 0)
        for number in range(CHAIN):
            node = ctypes.c_void_p()
            plain = number > 0 and not programmatic
            self.call(
                "cuGraphAddKernelNode_v2", ctypes.byref(node), graph, ctypes.byref(before) if plain else None,
                ctypes.c_size_t(plain), ctypes.byref(parameters),
            )  # fmt: skip
            if number and programmatic:
                self.call(
                    "cuGraphAddDependencies_v2", graph, ctypes.byref(before), ctypes.byref(node), edge,
                    ctypes.c_size_t(1),
                )  # fmt: skip
            before = node
        self.call("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph, ctypes.c_ulonglong(0))
        return executable


class Case:
    """The subjects of a number of blocks and of some work."""

    def __init__(self, device: lp.Device, driver: Driver, blocks: int, work: str, repeat: int) -> None:
        self.device, self.driver, self.blocks, self.repeat = device, driver, blocks, repeat
        self.count, self.work = blocks * THREADS, WORK[work]
        self.x = lp.asarray(np.linspace(0, 1, self.count, dtype=np.float32), device=device)
        self.y = {}
        self.kept: list[Any] = []
        self.subjects: dict[str, Callable[[], None]] = {
            "stream": self._stream(),
            "step": self._step(),
            "frozen": self._frozen(),
            "c-stream": self._c_stream(),
            "c-graph": self._c_graph("c-graph", "", False),
        }
        if device.info["architecture"] >= "sm_90":
            self.subjects |= {name: self._c_graph(name, entry, True) for name, entry in ENTRIES.items()}

    def _kernel(self, entry: str = "", **options: Any) -> lp.Kernel:
        return lp.compile(SOURCE, self.device, defines={"ENTRY": entry, "ROUNDS": self.work}, **options).saxpy

    def _output(self, name: str) -> lp.Array:
        self.y[name] = lp.zeros(self.count, "float32", device=self.device)
        self.device.synchronize()
        return self.y[name]

    def _launches(self, name: str, kernel: lp.Kernel, stream: lp.Stream) -> Callable[[], None]:
        launch, x, y, n = kernel[self.blocks, THREADS, stream], self.x, self._output(name), self.count

        def chain() -> None:
            for _ in range(CHAIN):
                launch(0.25, x, y, n)

        return chain

    def _wait(self, stream: lp.Stream) -> None:
        while not stream.query():
            pass

    def _stream(self) -> Callable[[], None]:
        stream = lp.Stream(blocking=False, device=self.device)
        chain = self._launches("stream", self._kernel(), stream)

        def run() -> None:
            for _ in range(self.repeat):
                chain()
            self._wait(stream)

        return run

    def _step(self) -> Callable[[], None]:
        stream, step = lp.Stream(blocking=False, device=self.device), lp.Step()
        chain = self._launches("step", self._kernel(), stream)

        def run() -> None:
            for _ in range(self.repeat):
                with step:
                    chain()
            self._wait(stream)

        return run

    def _frozen(self) -> Callable[[], None]:
        stream, step = lp.Stream(blocking=False, device=self.device), lp.Step()
        chain = self._launches("frozen", self._kernel(), stream)
        with step:
            chain()
        stream.synchronize()
        times = []
        for _ in range(2):
            began = time.perf_counter()
            frozen = step.freeze()
            times.append(round(1e3 * (time.perf_counter() - began), 2))
        self.freezing, self.without_trigger = times, frozen.report().without_trigger
        self.y["frozen"].fill(0)  # the run that was frozen counts for nothing
        self.device.synchronize()

        def run() -> None:
            for _ in range(self.repeat):
                frozen.launch()
            self._wait(stream)

        return run

    def _packed(self, kernel: lp.Kernel, name: str) -> bytes:
        packed = bytearray(kernel.signature.size)
        values = (0.25, self.x.bare_address, self._output(name).bare_address, self.count)
        kinds = (ctypes.c_float, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int)
        for parameter, kind, value in zip(kernel.signature.parameters, kinds, values, strict=True):
            packed[parameter.offset : parameter.offset + parameter.size] = bytes(kind(value))
        return bytes(packed)

    def _c_stream(self) -> Callable[[], None]:
        kernel, stream = self._kernel(dependent=False), lp.Stream(blocking=False, device=self.device)
        packed = self._packed(kernel, "c-stream")
        loop = _core.GPUBaseline(kernel[self.blocks, THREADS], stream)
        handle, query = ctypes.c_void_p(stream.handle), self.driver.library["cuStreamQuery"]

        def run() -> None:
            loop.launch(CHAIN * self.repeat, packed)
            while query(handle):
                pass

        return run

    def _c_graph(self, name: str, entry: str, programmatic: bool) -> Callable[[], None]:
        kernel = self._kernel(entry, dependent=False)
        executable = self.driver.graph(kernel, self.blocks, self._packed(kernel, name), programmatic)
        self.kept.append(kernel)
        launch = self.driver.library["cuGraphLaunch"]

        def run() -> None:
            for _ in range(self.repeat):
                if launch(executable, self.driver.stream):
                    raise SystemExit(f"{name}: cuGraphLaunch failed")
            self.driver.wait()

        return run

    def measure(self, rounds: int) -> dict[str, float]:
        """Run the subjects in turn; microseconds a kernel, the median of the rounds."""
        times: dict[str, list[float]] = {name: [] for name in self.subjects}
        order = [*self.subjects.items()]
        for number in range(rounds + 3):
            random.shuffle(order)
            for name, run in order:
                began = time.perf_counter_ns()
                run()
                took = time.perf_counter_ns() - began
                if number >= 3:
                    times[name].append(took / 1e3 / CHAIN / self.repeat)
        self.device.synchronize()
        expected = self.y["c-stream"].to_numpy()
        for name, array in self.y.items():
            if not np.array_equal(array.to_numpy(), expected):
                raise SystemExit(f"{self.blocks} blocks: expected the bits of c-stream, got others of {name}")
        return {name: round(statistics.median(taken), 3) for name, taken in times.items()}


def beside(device: lp.Device, rounds: int) -> dict[str, float]:
    """Measure a chain of short kernels alone, and beside a stream with a chain of long ones that trigger early.

    Blocks that wait take room: here as many of them as an early trigger allows on an H200. Microseconds of the short
    chain, medians.
    """
    blocks = {"short": 132, "long": 2 * device.compute_units}
    x = lp.asarray(np.linspace(0, 1, max(blocks.values()) * THREADS, dtype=np.float32), device=device)
    launches, streams = {}, {}
    for name, work in (("short", 0), ("long", WORK["long"])):
        kernel = lp.compile(SOURCE, device, defines={"ENTRY": "", "ROUNDS": work}).saxpy
        streams[name] = lp.Stream(blocking=False, device=device)
        launch, count = kernel[blocks[name], THREADS, streams[name]], blocks[name] * THREADS
        launches[name] = launch, lp.zeros(count, "float32", device=device), count
    times: dict[str, list[float]] = {"alone": [], "beside": []}
    for _ in range(rounds):
        for what, taken in times.items():
            device.synchronize()
            for name, times_of_it in (("long", 20 if what == "beside" else 0), ("short", CHAIN)):
                if name == "short":
                    began = time.perf_counter_ns()
                launch, y, count = launches[name]
                for _ in range(times_of_it):
                    launch(0.25, x, y, count)
            while not streams["short"].query():
                pass
            taken.append((time.perf_counter_ns() - began) / 1e3)
    device.synchronize()
    return {f"{what}_us": round(statistics.median(taken), 1) for what, taken in times.items()}


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Measure all cases in this process."""
    device = lp.device(options.device)
    driver, rows = Driver(device), []
    counted = device.driver_device
    for blocks, work in CASES:
        if options.blocks and blocks not in options.blocks:
            continue
        before = counted.dependent_launches, counted.dependent_edges, counted.early_nodes
        case = Case(device, driver, blocks, work, options.repeat)
        figures = case.measure(options.rounds)
        rows.append(
            {
                "blocks": blocks, "work": work, "us": figures,
                "dependent_launches": counted.dependent_launches - before[0],
                "dependent_edges": counted.dependent_edges - before[1],
                "early_nodes": counted.early_nodes - before[2],
                "freeze_ms": case.freezing,
                "without_trigger": case.without_trigger,
                "stream_over_c": round(figures["stream"] / figures["c-stream"], 3),
                "step_over_c": round(figures["step"] / figures["c-graph"], 3),
                "frozen_over_c": round(figures["frozen"] / figures["c-graph"], 3),
            }
        )  # fmt: skip
        print(_line(rows[-1]), file=sys.stderr, flush=True)
    other = beside(device, options.rounds)
    print(f"100 short kernels beside 20 long ones: {other}", file=sys.stderr, flush=True)
    return {
        "device": device.name,
        "driver_version": device.driver_version,
        "setting": os.environ.get("LAUNCHPATH_DEPENDENT", "1"),
        "lacks": counted.dependent_lacks,
        "limit": counted.dependent_limit,
        "beside": other,
        "rows": rows,
    }


def _line(row: dict[str, Any]) -> str:
    times = " ".join(f"{name} {value:.2f}" for name, value in row["us"].items())
    ratios = " ".join(f"{name[:-7]} x{row[name]:.2f}" for name in ("stream_over_c", "step_over_c", "frozen_over_c"))
    early = f"{row['dependent_launches']}+{row['dependent_edges']} dependent, {row['early_nodes']} early"
    early += f", freeze {' '.join(f'{taken:.1f}' for taken in row['freeze_ms'])} ms"
    return f"{row['blocks']:5} {row['work']:5} {times} | {ratios} | {early}"


def main() -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dependent_launches", description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=4, help="chains of a round, one behind the other (4)")
    parser.add_argument("--blocks", type=int, nargs="*", help="only these numbers of blocks")
    parser.add_argument("--each", action="store_true", help=f"with LAUNCHPATH_DEPENDENT {', '.join(SETTINGS)}")
    options = parser.parse_args()
    if options.each:
        words = [word for word in sys.argv[1:] if word != "--each"]
        if options.json:
            place = words.index("--json")
            del words[place : place + 2]
        results = []
        for setting in SETTINGS:
            print(f"LAUNCHPATH_DEPENDENT={setting}", file=sys.stderr, flush=True)
            command = [sys.executable, "-m", "benchmarks.dependent_launches", *words]
            around = os.environ | {"LAUNCHPATH_DEPENDENT": setting}
            done = subprocess.run(command, env=around, stdout=subprocess.PIPE, check=True)
            results.append(json.loads(done.stdout))
    else:
        results = [measured(options)]
    text = json.dumps(results if options.each else results[0], indent=1)
    if options.json:
        options.json.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
