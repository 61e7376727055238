"""The cost of a trace: of a launch without one, with records of the host, with the device's times, and serialized."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from statistics import median
from time import perf_counter_ns as now
from typing import Any

from launchpath import _core
from launchpath._bench.kernels import GPU, Kernels
from launchpath._bench.measure import (
    TRACE_WARM_UP,
    VALUES,
    Probe,
    Size,
    held,
    interleave,
    no_garbage_collection,
    until_complete,
)
from launchpath._bench.result import Figure, Result, Row
from launchpath._bench.trace.cupti import measure as measure_cupti
from launchpath._streams.device import Device
from launchpath._streams.step import Step
from launchpath._streams.stream import Stream
from launchpath._tracing.options import MODES
from launchpath._tracing.session import Trace

HOST_OVER_OFF = 0.10  # microseconds
SUMMARY = "host, summary"  # the mode, and what is kept in place of the records
SUMMARY_OVER_RECORDS = 0.02  # microseconds
DEVICE_TIMES_OFF = 1.35  # on CPU devices, until complete
AFTER_OVER_BEFORE = 0.10  # microseconds
RECORD = 0.060  # microseconds
REPEATS = 5
THREADS = 8
LAYERS, STREAMS, WIDTH = 32, 8, 8  # of the wide graph: 2,048 launches
PHASES = ("setup", "timing object", "arming", "completion", "per dispatch")


def run(device: Device, size: Size | None = None, phases: bool = False) -> Result:
    """Measure on one device.

    Parameters
    ----------
    device : Device
    size : Size, optional
    phases : bool
        What the parts of a trace cost instead, on a wide graph of launches that depend on one another.
    """
    size = Size() if size is None else size
    if phases:
        return _phases(device, size)
    result = Result("trace", device.name)
    result.measured = "time of a launch, on the host or until all are complete"
    with device:
        kernels = Kernels(device)
        launchpath, c = kernels.launchpath(2), kernels.c(2)
        few = Size(max(size.blocks // 3, 1), size.launches, size.step)
        result.rows = interleave(_when(kernels, launchpath, c, size, "before"), few)
        result.rows += interleave(_during(kernels, launchpath, c, size), few)
        result.rows += interleave(_when(kernels, launchpath, c, size, "after"), few)
        result.rows.append(_record(size))
    _figures(result, device.info["driver"] in GPU)
    measure_cupti(device, size, result)
    return result


@contextmanager
def traced(mode: str) -> Iterator[Trace | None]:
    """Trace to a file that is deleted; ``"off"``: no trace."""
    if mode == "off":
        yield None
        return
    mode, _, keep = mode.partition(", ")
    with tempfile.TemporaryDirectory() as folder, Trace(f"{folder}/it", mode=mode, keep=keep or "records") as trace:
        yield trace


def _when(kernels: Kernels, launchpath: Any, c: Any, size: Size, when: str) -> list[Probe]:
    """Launches before or after all traces."""
    case = {"arguments": 2, "tracing": "off", "when": when}
    probes = [Probe("launchpath", [case], lambda: [held(kernels.stream, launchpath, size.launches)])]
    if c is not None:
        probes.append(Probe("c", [case], lambda: [held(kernels.stream, c, size.launches)]))
    return probes


def _during(kernels: Kernels, launchpath: Any, c: Any, size: Size) -> list[Probe]:
    def probe(mode: str) -> Probe:
        until = ["complete"] if mode == "serialized" else ["enqueued", "complete"]

        def measure() -> list[float]:
            enqueued = [held(kernels.stream, launchpath, size.launches)] if "enqueued" in until else []
            return [*enqueued, until_complete(kernels.stream, launchpath)]

        def block() -> list[float]:
            with traced(mode):
                for _ in range(1 if mode in ("off", "serialized") else TRACE_WARM_UP):
                    launchpath(VALUES)
                    kernels.stream.synchronize()
                return _repeated(measure)

        return Probe("launchpath", [{"arguments": 2, "tracing": mode, "until": each} for each in until], block)

    probes = [probe(mode) for mode in ("off", *MODES, SUMMARY)]
    ends = ("enqueued", "complete")
    if c is not None:

        def measure_c() -> list[float]:
            return [held(kernels.stream, c, size.launches), until_complete(kernels.stream, c)]

        cases = [{"arguments": 2, "tracing": "off", "until": each} for each in ends]
        probes.append(Probe("c", cases, partial(_repeated, measure_c)))
    with_events = _c_with_events(kernels)
    if with_events is not None:
        cases = [{"arguments": 2, "tracing": "device", "until": each} for each in ends]
        probes.append(Probe("c", cases, partial(with_events, size)))
    return probes


def _repeated(measure: Callable[[], list[float]]) -> list[float]:
    """Measure several times while a trace goes on, since to begin it takes longer than that; give the medians."""
    return [median(values) for values in zip(*(measure() for _ in range(REPEATS)), strict=True)]


def _c_with_events(kernels: Kernels) -> Callable[[Size], list[float]] | None:
    """Give C's loop with an event of each launch, whose times are read at the end; None where there is none."""
    baseline = kernels.baseline(2)
    if not isinstance(baseline, _core.OpenCLBaseline):
        return None
    packed, stream = kernels.packed(2), kernels.stream

    def block(size: Size) -> list[float]:
        def loop(values: Sequence[Any]) -> int:
            return int(baseline.launch(len(values), packed, 8, False, True))

        def measure() -> list[float]:
            enqueued = held(stream, loop, size.launches)
            baseline.read_times()
            stream.synchronize()
            began = now()
            loop(VALUES)
            stream.synchronize()
            baseline.read_times()
            return [enqueued, (now() - began) / len(VALUES) / 1e3]

        return _repeated(measure)

    return block


def _record(size: Size) -> Row:
    """Write records on several threads; the time of one."""
    costs: list[float] = []
    with traced("host"), ThreadPoolExecutor(THREADS) as pool:
        for _ in range(max(size.blocks // 10, 3)):
            each = list(pool.map(_core.trace_record_cost, [4096] * THREADS))
            costs.append(sum(each) / len(each) / 1e3)
    return Row.of("launchpath", {"record": "written", "threads": THREADS}, costs)


def _figures(result: Result, gpu: bool) -> None:
    def launchpath(**case: Any) -> Row:
        return result.find("launchpath", arguments=2, **case)

    off = launchpath(tracing="off", until="enqueued")
    for mode in ("host", "device"):
        row = launchpath(tracing=mode, until="enqueued")
        limit = HOST_OVER_OFF if mode == "host" else None
        result.figures.append(Figure(row, "over off", row.minus(off), "us", at_most=limit))
    row, records = (launchpath(tracing=mode, until="enqueued") for mode in (SUMMARY, "host"))
    result.figures.append(Figure(row, "over host", row.minus(records), "us", at_most=SUMMARY_OVER_RECORDS))
    for mode in MODES:
        row = launchpath(tracing=mode, until="complete")
        limit = DEVICE_TIMES_OFF if mode == "device" and not gpu else None
        result.compare(row, launchpath(tracing="off", until="complete"), "over off", at_most=limit)
    after, before = launchpath(tracing="off", when="after"), launchpath(tracing="off", when="before")
    more = after.us - before.us
    c = [row for row in result.rows if row.subject == "c" and "when" in row.case]
    if c:  # the machine's own clock may have changed meanwhile
        more -= c[1].us - c[0].us
    result.figures.append(Figure(after, "over before, less C's", more, "us", at_most=AFTER_OVER_BEFORE))
    record = result.find("launchpath", record="written", threads=THREADS)
    result.figures.append(Figure(record, "a record", record.us, "time", at_most=RECORD))


# What the parts of a trace cost.


def _phases(device: Device, size: Size) -> Result:
    result = Result("trace", device.name)
    result.measured = "what a trace adds to each launch of a wide graph, by its parts"
    with device:
        graph = WideGraph(device)
        blocks: dict[str, list[float]] = {phase: [] for phase in PHASES}
        rounds = max(size.blocks // 10, 3)
        with no_garbage_collection():
            for done in range(rounds + 1):
                began = now()
                with traced("device") as trace:
                    assert trace is not None
                    setup = (now() - began) / 1e3
                    _core.trace_phases(True)
                    graph.launch()
                    device.synchronize()
                    _settle()
                    parts = _core.trace_phases(False)
                if done:  # the first one warms up
                    for phase, value in zip(PHASES, [setup / graph.launches, *parts], strict=True):
                        blocks[phase].append(value)
                size.step(done, rounds)
    result.rows = [Row.of("launchpath", {"phase": phase}, values) for phase, values in blocks.items()]
    return result


def _settle() -> None:
    while _core.trace_outstanding()[0]:
        _core.trace_wait(50)


class WideGraph:
    """Launches on several streams, layer by layer: each layer waits for all of the one before.

    Attributes
    ----------
    launches : int
        How many it has.
    """

    launches = LAYERS * STREAMS * WIDTH

    def __init__(self, device: Device) -> None:
        kernels = Kernels(device)
        self.streams = [Stream(blocking=False, device=device) for _ in range(STREAMS)]
        self._launches = [kernels.launchpath(2, stream=stream) for stream in self.streams]
        self._step = Step()

    def launch(self, step: bool = True) -> None:
        """Submit all of it."""
        with self._step if step else nullcontext():
            for _ in range(LAYERS):
                for launch in self._launches:
                    launch(VALUES[:WIDTH])
                events = [stream.record() for stream in self.streams]
                for stream in self.streams:
                    for event in events:
                        stream.wait(event)
