"""Launches that C++, Numba and HIP's API make: the same kernel, found by its symbol or by a handle."""

from __future__ import annotations

import ctypes
import importlib.util
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from launchpath import _core
from launchpath._bench.kernels import GPU, Kernels
from launchpath._bench.measure import Loop, Probe, Size, held
from launchpath._bench.native import shared_library
from launchpath._bench.peer import Missing
from launchpath._bench.result import Figure, Result, Row
from launchpath._c_interface import c_interface, get_include
from launchpath._programs.compilation import compile
from launchpath._programs.registry import register
from launchpath._streams.stream import Stream

OVER_C = 0.05  # microseconds
PUSHED = 0.03
HIP_OVER_C = 1.0
UNTIL_START = 1.15  # times C's, at most
THREADS = (1, 4, 16)
WAYS = {"kept": "kept configuration", "each": "configuration per call", "pushed": "pushed configuration"}
SYMBOL = "launchpath_benchmark"

# Each loop changes the int before each launch, as C's loop on the driver does.
SOURCE = """
#include <chrono>
#include <launchpath.h>

static launchpath::kernel<void *, int> kernel{"%s"};
static long long now() {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}
extern "C" int begin(const void *table) { return launchpath_use(table); }
extern "C" long long kept(void *p, unsigned long long stream, int n) {
    const launchpath::configuration at{{1, 1, 1}, {1, 1, 1}, 0, 0, stream};
    long long began = now();
    for (int i = 0; i < n; i++) if (kernel(at, p, i + 1)) return -1;
    return now() - began;
}
extern "C" long long each(void *p, unsigned long long stream, int n) {
    volatile unsigned one = 1;
    long long began = now();
    for (int i = 0; i < n; i++) if (kernel({{one, 1, 1}, {one, 1, 1}, 0, 0, stream}, p, i + 1)) return -1;
    return now() - began;
}
extern "C" long long synchronized(void *p, unsigned long long stream, int n) {
    const launchpath::configuration at{{1, 1, 1}, {1, 1, 1}, 0, 0, stream};
    long long began = now();
    for (int i = 0; i < n; i++) if (kernel(at, p, i + 1) || launchpath_table->stream_synchronize(stream)) return -1;
    return now() - began;
}
extern "C" long long pushed(void *p, unsigned long long stream, int n) {
    volatile unsigned one = 1;
    long long began = now();
    for (int i = 0; i < n; i++) {
        const launchpath::configuration at{{one, 1, 1}, {one, 1, 1}, 0, 0, stream};
        launchpath::configuration popped;
        if (launchpath_table->push(&at) || launchpath_table->pop(&popped) || kernel(popped, p, i + 1)) return -1;
    }
    return now() - began;
}
"""
FOUR = 'extern "C" __global__ void four(float *x, float *y, float a, int n) { if (n < 0) x[0] = y[0] * a; }'


@dataclass
class Callers:
    """The probes, and what must live as long as they do."""

    probes: list[Probe]
    kept: list[Any]

    def close(self) -> None:
        """End the registration."""
        for each in self.kept:
            if hasattr(each, "unregister"):
                each.unregister()


def callers(kernels: Kernels, size: Size, result: Result) -> Callers:
    """Return the probes of a device; what cannot be measured goes to ``result.left_out``."""
    registration = register(kernels.kernels[2], SYMBOL, replace=True)
    collected = Callers([], [registration])
    for add, subject in ((_cpp, "c++"), (_numba, "numba"), (_hip, "hip")):
        try:
            add(kernels, size, collected)
        except Missing as error:
            result.left_out.append((subject, str(error)))
    return collected


def _cpp(kernels: Kernels, size: Size, collected: Callers) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = shared_library(SOURCE % SYMBOL, "C++", Path(folder), [f"-I{get_include()}"])
        library = ctypes.CDLL(str(path))
    collected.kept.append(library)
    library.begin(ctypes.c_void_p(c_interface().address))
    pointer = ctypes.c_void_p(kernels.arrays[0].pointer)

    def launches(way: str, stream: Stream, n: int) -> int:
        function = getattr(library, way)
        function.restype = ctypes.c_longlong
        took = int(function(pointer, ctypes.c_ulonglong(stream.c_handle), n))
        if took < 0:
            raise RuntimeError("a launch from C++ failed")
        return took

    def loop(way: str) -> Loop:
        return lambda values: launches(way, kernels.stream, len(values))

    for way, words in WAYS.items():
        case = {"arguments": 2, "configuration": words}
        collected.probes.append(Probe("c++", [case], _holding(kernels.stream, loop(way), size), 2))
    packed = kernels.packed(2)
    _synchronized(kernels, size, collected, launches)
    for threads in THREADS:
        streams = [Stream(blocking=False, device=kernels.device) for _ in range(threads)]
        baselines = [kernels.baseline(2, stream) for stream in streams]
        collected.kept.append(streams)

        def c(i: int, n: int, baselines: Sequence[Any] = baselines) -> None:
            baselines[i].launch(n, packed, 8)

        def launch_on(i: int, n: int, streams: Sequence[Stream] = streams) -> None:
            launches("kept", streams[i], n)

        case = {"arguments": 2, "launching_threads": threads}
        for subject, work in (("c", c), ("c++", launch_on)):
            collected.probes.append(Probe(subject, [case], _threaded(streams, work, size), f"{threads} threads"))


def _synchronized(
    kernels: Kernels, size: Size, collected: Callers, launches: Callable[[str, Stream, int], int]
) -> None:
    """Add launches that are waited for one by one: of C's loop, and of C++ by symbol."""
    stream = Stream(blocking=False, device=kernels.device)
    baseline, packed, case = kernels.baseline(2, stream), kernels.packed(2), {"arguments": 2, "synchronize": True}
    collected.kept.append(stream)

    def c() -> list[float]:
        return [baseline.launch(size.launches, packed, 8, True) / size.launches / 1e3]

    def launch_and_wait() -> list[float]:
        return [launches("synchronized", stream, size.launches) / size.launches / 1e3]

    collected.probes += [Probe("c", [case], c, "synchronize"), Probe("c++", [case], launch_and_wait, "synchronize")]


def _holding(stream: Stream, loop: Loop, size: Size) -> Callable[[], Sequence[float]]:
    return lambda: [held(stream, loop, size.launches)]


def _threaded(streams: Sequence[Stream], work: Callable[[int, int], None], size: Size) -> Callable[[], Sequence[float]]:
    """Return what launches on each stream from a thread of its own, and gives the processor's time of a launch."""
    # Threads that begin have cold caches, so many launches; a GPU's streams share queues that can be full.
    gpu = streams[0].device.info["driver"] in GPU
    launches = max(size.launches // len(streams), 50) if gpu else 6 * size.launches

    def block() -> list[float]:
        holds = [stream.hold() for stream in streams]
        start, took = threading.Barrier(len(streams)), [0] * len(streams)

        def thread(i: int) -> None:
            work(i, launches // 5)
            start.wait()
            began = time.thread_time_ns()
            work(i, launches)
            took[i] = time.thread_time_ns() - began

        try:
            workers = [threading.Thread(target=thread, args=(i,)) for i in range(len(streams))]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        finally:
            for hold in holds:
                hold.release()
            for stream in streams:
                stream.synchronize()
        return [sum(took) / launches / len(streams) / 1e3]

    return block


def _numba(kernels: Kernels, size: Size, collected: Callers) -> None:
    if importlib.util.find_spec("numba") is None:
        raise Missing("Numba is not installed")
    import numba  # noqa: PLC0415 (it is optional, and takes long to import)

    functions, kernel = c_interface().functions, np.zeros(1, "u8")
    find = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p)(functions["find"])
    find(SYMBOL.encode(), kernels.stream.c_handle, kernel.ctypes.data)
    types = (ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    launch: Any = ctypes.CFUNCTYPE(ctypes.c_int, *types)(functions["launch"])
    handle, configuration = int(kernel[0]), np.array([1, 1, 1, 1, 1, 1, 0, 0, 0, 0], "u4")
    configuration[8:] = np.array([kernels.stream.c_handle], "u8").view("u4")
    pointer, number = np.array([kernels.arrays[0].pointer], "u8"), np.zeros(1, "i4")
    addresses = np.array([pointer.ctypes.data, number.ctypes.data], "u8")
    where, arguments = configuration.ctypes.data, addresses.ctypes.data

    @numba.njit
    def run(number: Any, n: int) -> int:
        failed = 0
        for i in range(n):
            number[0] = i + 1
            failed |= launch(handle, where, arguments, 2, 0)
        return failed

    run(number, 1)
    collected.kept.append((configuration, pointer, number, addresses, launch))

    def loop(values: Sequence[Any]) -> int:
        began = time.perf_counter_ns()
        if run(number, len(values)):
            raise RuntimeError("a launch from Numba failed")
        return time.perf_counter_ns() - began

    collected.probes.append(Probe("numba", [{"arguments": 2}], _holding(kernels.stream, loop, size), 2))


def _hip(kernels: Kernels, size: Size, collected: Callers) -> None:
    if importlib.util.find_spec("rocm") is None:
        raise Missing("the types of HIP's are not installed: pip install 'launchpath[hip]'")
    from launchpath import hip  # noqa: PLC0415 (it is optional)
    from launchpath.hip._devices import current  # noqa: PLC0415
    from launchpath.hip._launches import modules  # noqa: PLC0415
    from launchpath.hip._streams import streams as _streams  # noqa: PLC0415

    program = compile(FOUR, kernels.device, name="<benchmark>")
    kernel = modules.functions.add(modules.Function(program["four"]))
    stream = Stream(blocking=False, device=kernels.device)
    handle = _streams._streams.add(stream)
    before = current._thread.device
    current.choose(kernels.device)
    x, y = (hip.hipMalloc(16)[1] for _ in range(2))
    current.choose(before or current.all_devices()[0])
    launch, factor, number = hip.hipModuleLaunchKernel, ctypes.c_float(1), ctypes.c_int
    collected.kept.append((program, stream, x, y))
    packed = struct.pack("=QQfi", int(x), int(y), 1.0, 1)
    baseline = kernels.baseline_of(program["four"][1, 1], stream)

    def c(values: Sequence[Any]) -> int:
        return int(baseline.launch(len(values), packed, 20))

    arguments = kernel, handle, x, y, factor
    loops: list[tuple[str, Loop]] = [("c", c), ("hip", _hip_calls(launch, arguments))]
    if isinstance(baseline, _core.GPUBaseline):  # what Python itself costs: C that ignores the arguments and launches
        loops.append(("python", _hip_calls(baseline.callable(packed), arguments)))
    if launch(kernel, 1, 1, 1, 1, 1, 1, 0, handle, None, (x, y, factor, number(1)))[0]:
        raise Missing(f"its launch fails: {hip.reason()}")
    for subject, loop in loops:
        collected.probes.append(Probe(subject, [{"arguments": 4}], _holding(stream, loop, size), 4))


def _hip_calls(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Loop:
    """Return the loop of calls with the arguments of a hipModuleLaunchKernel, the last of which changes."""
    kernel, handle, x, y, factor = arguments
    number = ctypes.c_int

    def loop(values: Sequence[Any]) -> int:
        began = time.perf_counter_ns()
        for value in values:
            call(
                kernel, 1, 1, 1, 1, 1, 1, sharedMemBytes=0, stream=handle, kernelParams=None,
                extra=(x, y, factor, number(value)),
            )  # fmt: skip
        return time.perf_counter_ns() - began

    return loop


def figures(result: Result, gpu: bool) -> None:
    """Hold the rows against C's, and against what is required."""
    for row in result.rows:
        if row.subject not in ("c++", "numba", "hip"):
            continue
        case = {key: value for key, value in row.case.items() if key != "configuration"}
        limit = HIP_OVER_C if row.subject == "hip" else OVER_C if row.subject == "c++" else None
        if row.case.get("configuration", WAYS["kept"]) != WAYS["kept"]:
            limit = None
        if row.case.get("synchronize"):
            _until_the_start(result, row, gpu)
            continue
        result.figures.append(Figure(row, "over c", row.minus(result.find("c", **case)), "us", at_most=limit))
        if row.case.get("configuration") == WAYS["pushed"]:
            per_call = result.find("c++", **{**row.case, "configuration": WAYS["each"]})
            result.figures.append(Figure(row, "over per call", row.minus(per_call), "us", at_most=PUSHED))


def _until_the_start(result: Result, row: Row, gpu: bool) -> None:
    """Bound the time from the end of a synchronize to the kernel's start, over C's.

    That time is longer than C's by no more than the whole time of a launch that is waited for is. And it is at least
    what C's launch takes, because the device has the kernel only at the end of the library's call.
    """
    c = result.find("c", **row.case)
    result.compare(row, c, "over c")
    bound = 1 + max(row.minus(c), 0) / result.find("c", arguments=2).us
    limit = UNTIL_START if gpu else None
    result.figures.append(Figure(row, "until the start, over c", bound, "ratio", at_most=limit))
