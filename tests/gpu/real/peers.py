"""Copies between two real GPUs: whether they are ordered, and what they cost: `python tests/gpu/real/peers.py`.

It needs two CUDA devices, NumPy and, for the figures beside them, torch; no compiler. It takes at most two minutes, and
prints one line of JSON; the status is 1 if something is wrong. ``--seconds`` is how long the random programs run.
"""

import argparse
import ctypes
import importlib.util
import json
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import launchpath as lp
from launchpath import _core
from launchpath._memory.copies.peer import copy_between

KIB, MIB = 1 << 10, 1 << 20
SIZES = (4 * KIB, 64 * KIB, MIB, 16 * MIB, 256 * MIB)
KINDS = ("legacy", "per-thread", "blocking", "nonblocking")
PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r2, %r2, %r3, %r4;
    setp.ge.s32 %p, %r2, %r1;
    @%p bra done;
    mul.wide.s32 %d2, %r2, 4;
    add.s64 %d1, %d1, %d2;
    ld.global.u32 %r5, [%d1];
    add.s32 %r5, %r5, 1;
    st.global.u32 [%d1], %r5;
done:
    ret;
}
"""


def wrong(array: lp.Array, value: int, stream: lp.Stream) -> str | None:
    """Look at an array's elements, in the order of a stream: all of a small one, some pieces of a large one."""
    piece = 4 * KIB // 4
    length = len(array)
    for begin in {0, length // 3, length // 2, length - piece} if array.nbytes > MIB else {0}:
        values = array[begin : begin + piece if array.nbytes > MIB else length].to_numpy(stream)
        if (values != value).any():
            at = int(np.flatnonzero(values != value)[0])
            return f"{array.nbytes} bytes: element {begin + at} is {values[at]}, not {value}"
    return None


class Programs:
    """Random programs of fills and copies between two devices, on streams of all kinds, with streams held back."""

    def __init__(self, devices: list[lp.Device], seconds: float, sizes: tuple[int, ...]) -> None:
        self.devices, self.sizes = devices, sizes
        self.until = time.monotonic() + seconds
        self.errors: list[str] = []
        self.copies = self.checks = 0
        self.lock = threading.Lock()

    def streams(self, device: lp.Device) -> list[lp.Stream]:
        create = {
            "legacy": lambda: device.legacy_stream,
            "per-thread": lambda: device.per_thread_stream,
            "blocking": lambda: lp.Stream(device=device),
            "nonblocking": lambda: lp.Stream(blocking=False, device=device),
        }
        return [create[kind]() for kind in KINDS]

    def work(self, seed: int) -> None:
        try:
            self.program(random.Random(seed))
        except Exception as error:  # a thread's: it is told at the end
            self.errors.append(f"thread {seed}: {type(error).__name__}: {error}")

    def program(self, rng: random.Random) -> None:
        streams = [self.streams(device) for device in self.devices]
        pairs = {size: [lp.zeros(size // 4, "int32", device) for device in self.devices] for size in self.sizes}
        before: list[lp.Event | None] = [None, None]  # the newest command of this thread on each device
        value = 0
        for device in self.devices:
            device.synchronize()
        while time.monotonic() < self.until and not self.errors:
            value += 1
            at = rng.randrange(2)
            here, there = rng.choice(streams[at]), rng.choice(streams[1 - at])
            for stream, event in ((here, before[at]), (there, before[1 - at])):
                if event is not None:
                    stream.wait(event)
            held = [stream for stream in (here, there) if rng.random() < 0.4 and stream not in self.defaults()]
            holds = [stream.hold() for stream in held]
            size = rng.choices(self.sizes, (8, 4, 3, 2, 1)[: len(self.sizes)])[0]
            source, to = pairs[size][at], pairs[size][1 - at]
            if rng.random() < 0.3:  # of memory that is used again as soon as it is dropped
                source = lp.empty(size // 4, "int32", stream=here)
            source.fill(value, here)
            to.fill(-1, there)
            named, current = (here, there) if rng.random() < 0.5 else (there, here)
            with current:
                if not copy_between(source, to, named):
                    raise RuntimeError("the devices have no copies between them")
            source.fill(-value, here)
            del source
            before[at], before[1 - at] = here.record(), there.record()
            for hold in holds:
                hold.release()
            self.note(wrong(to, value, there) if rng.random() < 0.5 else None)

    def defaults(self) -> list[lp.Stream]:
        """Streams that hold other threads' work back as well."""
        return [device.legacy_stream for device in self.devices]

    def note(self, error: str | None) -> None:
        with self.lock:
            self.copies += 1
            if error:
                self.errors.append(error)

    def run(self, threads: int) -> None:
        started = [threading.Thread(target=self.work, args=(seed,)) for seed in range(threads)]
        for thread in started:
            thread.start()
        for thread in started:
            thread.join()


def kernels(devices: list[lp.Device]) -> list[str]:
    """Launch kernels on arrays of the other device: of the pool, and memory that was there before access was asked for."""
    first, second = devices
    n, errors = 100_000, []
    early = lp.zeros(n, "int32", second)
    second.synchronize()
    increment = lp.load(PTX, device=first).increment
    _core.forget_peers(first)
    try:
        increment[1, 1](early, np.int32(1))
        errors.append("a kernel took an array of a peer that nobody had asked for")
    except lp.ArgumentValueError as error:
        if "enable_peer" not in str(error):
            errors.append(str(error))
    first.enable_peer(second)
    late = lp.zeros(n, "int32", second)
    second.synchronize()
    for _ in range(3):
        for array in (early, late):
            increment[(n + 255) // 256, 256](array, np.int32(n))
    for array in (early, late):  # it waits for the other device's kernels
        if (array.to_numpy() != 3).any():
            errors.append("a kernel on an array of a peer did not write it")
    return errors


def rows(device: lp.Device) -> list[str]:
    """Copy a slice of a table into another one."""
    table = lp.asarray(np.arange(1000 * 1024, dtype="int32").reshape(1000, 1024), device=device)
    to = lp.zeros((1000, 512), "int32", device)
    stream = lp.Stream(blocking=False, device=device)
    device.synchronize()
    _core.copy_rows(stream, to.pointer_on(stream), 2048, table.pointer_on(stream) + 400, 4096, 1200, 1000)
    expected = np.zeros((1000, 512), "int32")
    expected[:, :300] = np.arange(1000 * 1024, dtype="int32").reshape(1000, 1024)[:, 100:400]
    return [] if (to.to_numpy(stream) == expected).all() else ["copy_rows copied something else"]


def interleaved(subjects: dict[str, Callable[[], float]], blocks: int) -> dict[str, float]:
    """Measure each in turn, many times; return the medians."""
    blocks_of: dict[str, list[float]] = {name: [] for name in subjects}
    for measure in subjects.values():
        measure()
    for _ in range(blocks):
        for name, measure in subjects.items():
            blocks_of[name].append(measure())
    return {name: statistics.median(values) for name, values in blocks_of.items()}


def per_second(copy: Callable[[], Any], finish: Callable[[], Any], nbytes: int, count: int = 40) -> Callable[[], float]:
    """Return a function that measures GB/s of copies that are submitted one after another.

    They are many, because a wait that a signal can end is handed to another thread and back: tens of microseconds.
    """

    def measure() -> float:
        finish()
        began = time.perf_counter()
        for _ in range(count):
            copy()
        finish()
        return count * nbytes / (time.perf_counter() - began) / 1e9

    return measure


def each_us(copy: Callable[[], Any], finish: Callable[[], Any], wait: bool, count: int = 100) -> Callable[[], float]:
    """Return a function that measures microseconds of a copy: the host's alone, or with the wait for each."""

    def measure() -> float:
        finish()
        began = time.perf_counter()
        for _ in range(count):
            copy()
            if wait:
                finish()
        took = time.perf_counter() - began
        finish()
        return took / count * 1e6

    return measure


class CudaC:
    """The library's own copies by ctypes, on memory and streams of its own."""

    def __init__(self, devices: list[lp.Device], nbytes: int) -> None:
        self.library = ctypes.CDLL(devices[0].info["library"])
        self.contexts = [self.out("cuDevicePrimaryCtxRetain", device.info["ordinal"]) for device in devices]
        self.memory, self.streams, self.events = [], [], []
        for context in self.contexts:
            self.call("cuCtxSetCurrent", context)
            self.memory.append(self.out("cuMemAlloc_v2", nbytes))
            self.streams.append(self.out("cuStreamCreateWithPriority", 1, 0))
            self.events.append(self.out("cuEventCreate", 2))
        words = [ctypes.c_uint64] * 6
        self.copy_call, self.copy_call.argtypes = self.library.cuMemcpyPeerAsync, words  # type: ignore[attr-defined]
        self.copy_words = (self.memory[1], self.contexts[1], self.memory[0], self.contexts[0], nbytes, self.streams[1])
        self.nothing = ctypes.CDLL(None).getpid
        self.nothing.argtypes = words
        self.record, self.wait = self.library.cuEventRecord, self.library.cuStreamWaitEvent
        self.record.argtypes, self.wait.argtypes = words[:2], [*words[:2], ctypes.c_uint]
        self.synchronize = self.library.cuStreamSynchronize
        self.synchronize.argtypes = words[:1]

    def call(self, name: str, *arguments: Any) -> None:
        wide = [ctypes.c_uint64(value) if isinstance(value, int) else value for value in arguments]
        code = getattr(self.library, name)(*wide)
        if code:
            raise RuntimeError(f"{name}: {code}")

    def out(self, name: str, *arguments: Any) -> int:
        result = ctypes.c_uint64()
        self.call(name, ctypes.byref(result), *arguments)
        return result.value

    def current(self) -> None:
        self.call("cuCtxSetCurrent", self.contexts[1])

    def copy(self) -> None:
        self.copy_call(*self.copy_words)

    def copy_ordered(self) -> None:
        """The copy, ordered with a stream of each device as launchpath's."""
        self.record(self.events[0], self.streams[0])
        self.wait(self.streams[1], self.events[0], 0)
        self.copy_call(*self.copy_words)
        self.record(self.events[1], self.streams[1])
        self.wait(self.streams[0], self.events[1], 0)

    def call_of_nothing(self) -> None:
        self.nothing(*self.copy_words)

    def finish(self) -> None:
        self.synchronize(self.streams[1])
        self.synchronize(self.streams[0])


def figures(devices: list[lp.Device]) -> dict[str, Any]:
    """Measure large copies beside torch's, small ones beside C's."""
    large, small = 256 * MIB, 4 * KIB
    streams = [lp.Stream(blocking=False, device=device) for device in devices]
    ours = {nbytes: [lp.zeros(nbytes // 4, "int32", stream=stream) for stream in streams] for nbytes in (large, small)}

    def copy(nbytes: int) -> Callable[[], Any]:
        source, to = ours[nbytes]

        def work() -> None:
            _core.copy_between(streams[0], streams[1], to, source)

        return work

    def public(nbytes: int) -> Callable[[], Any]:
        source, to = ours[nbytes]
        return lambda: copy_between(source, to, None)

    def finish() -> None:
        streams[1].synchronize()
        streams[0].synchronize()

    def finish_defaults() -> None:
        for device in devices:
            device.legacy_stream.synchronize()

    subjects = {"launchpath": per_second(copy(large), finish, large)}
    c = CudaC(devices, small)
    torch = torch_copies(large, small)
    if torch:
        subjects["torch"] = per_second(torch[0], torch[2], large)
    measured: dict[str, Any] = {"gb_per_s_256_mib": interleaved(subjects, 9)}
    ways = {
        "launchpath": (copy(small), finish),
        "launchpath, default streams": (public(small), finish_defaults),
        "c, one call": (c.copy, c.finish),
        "c, ordered": (c.copy_ordered, c.finish),
        "ctypes alone, one call": (c.call_of_nothing, c.finish),
    }
    if torch:
        ways["torch"] = (torch[1], torch[2])
    c.current()
    measured["host_us_4_kib"] = interleaved({name: each_us(*way, False) for name, way in ways.items()}, 15)
    del ways["ctypes alone, one call"]
    measured["latency_us_4_kib"] = interleaved({name: each_us(*way, True) for name, way in ways.items()}, 15)
    if torch:
        measured["ratio_to_torch_256_mib"] = (
            measured["gb_per_s_256_mib"]["launchpath"] / measured["gb_per_s_256_mib"]["torch"]
        )
    return measured


def torch_copies(large: int, small: int) -> tuple[Callable[[], Any], Callable[[], Any], Callable[[], Any]] | None:
    """Return torch's large copy, its small one, and its wait; None without torch or its GPUs."""
    if importlib.util.find_spec("torch") is None:
        return None
    import torch  # it may not be there

    if not torch.cuda.is_available() or torch.cuda.device_count() < 2:
        return None
    tensors = {
        nbytes: [torch.zeros(nbytes // 4, dtype=torch.int32, device=f"cuda:{at}") for at in (0, 1)]
        for nbytes in (large, small)
    }

    def finish() -> None:
        for at in (1, 0):
            torch.cuda.current_stream(at).synchronize()

    def copies(nbytes: int) -> Callable[[], Any]:
        source, to = tensors[nbytes]
        return lambda: to.copy_(source, non_blocking=True)

    return copies(large), copies(small), finish


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=45)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="bytes of the random programs' arrays at most")
    parser.add_argument("--no-figures", action="store_true")
    options = parser.parse_args()
    devices = [device for device in lp.devices() if device.info["driver"] == "cuda"][:2]
    if len(devices) < 2:
        print(json.dumps({"error": f"expected two CUDA devices, got {len(devices)}"}))
        return 1
    began = time.monotonic()
    result: dict[str, Any] = {
        "devices": [device.name for device in devices],
        "access": [devices[0].can_access_peer(devices[1]), devices[1].can_access_peer(devices[0])],
        "errors": [],
    }
    if result["access"][0]:
        result["errors"] += kernels(devices)
    result["errors"] += rows(devices[0])
    programs = Programs(devices, options.seconds, tuple(size for size in SIZES if size <= options.largest))
    programs.run(options.threads)
    result["errors"] += programs.errors
    result["random_copies"] = programs.copies
    for device in devices:
        device.synchronize()
        device.trim_memory()
    result["memory"] = [device.memory_info()["in_use"] for device in devices]
    if not options.no_figures and not result["errors"]:
        result |= figures(devices)
    result["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(result))
    return 1 if result["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
