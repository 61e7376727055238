"""A large trace file, and what its summary costs: ``python benchmarks/trace_file.py FILE [SLOTS]``.

Eight threads launch and copy, and call the driver after every fourth command; a ninth thread writes the times, and a
tenth measures the clocks.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy

from launchpath._trace.format import (
    BLOCK,
    CALL,
    COMMAND,
    COPY,
    COUNTERS,
    DETAIL,
    DEVICE_CLOCK,
    HEADER,
    HOST_CLOCK,
    HOST_TO_DEVICE,
    LAUNCH,
    LAYOUTS,
    MAGIC,
    META,
    NAMES,
    PAGE,
    SLOT,
    SLOTS,
    TIMED,
    TIMES,
    VERSION,
)
from launchpath._trace.summaries.summarize import summarize

THREADS, KERNELS, COPIES = 8, 50, 10  # one command in so many is a copy
BLOCK_SLOTS = 4095  # in a block of 256 KiB
ROUND = 1 << 14  # commands that a thread writes at a time
TICKS = 3  # in a nanosecond


def main() -> None:
    path = Path(sys.argv[1])
    total = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000_000
    if not path.exists():
        write(path, total)
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    calls = []
    summary = summarize(path, lambda done, total: calls.append(done))
    seconds = time.monotonic() - began
    print(summary)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"\n{summary.slots} slots: {seconds:.1f} s, {most / 1024:.0f} MiB at most ({before / 1024:.0f} before)")


def write(path: Path, total: int) -> None:
    random = numpy.random.default_rng(5)
    meta = (
        b'{"process": {"pid": 1, "host": "node0"}, "mode": "device", "entries": ["launch", "copy", "queue_finish"],'
        b'"devices": [{"name": "GPU 0", "driver": "cuda", "ordinal": 0}], "api": ["Stream.synchronize"]}'
    )
    with path.open("wb") as file:
        _block(file, HEADER, numpy.array([1] + [0] * (len(COUNTERS) - 1), "<u8").tobytes())
        _block(file, META, meta, count=len(meta))
        _block(file, NAMES, b"".join(_name(number) for number in range(1, KERNELS + 1)), count=KERNELS)
        at, number, written, now = [0] * (THREADS + 2), 1, 0, 1000
        while written < total:
            _measure(file, at, now)
            for thread in range(THREADS):
                host, device = _round(random, number, now)
                _flush(file, at, thread, host)
                _flush(file, at, THREADS, device)
                number += ROUND
            now += ROUND * 5000
            written = sum(at)
        _measure(file, at, now + 10**9)


def _round(random: numpy.random.Generator, first: int, now: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Commands of a thread with a call of the driver after every fourth, and their times."""
    begin = now + numpy.arange(ROUND) * 5000 + random.integers(0, 500, ROUND)
    copy = numpy.arange(ROUND) % COPIES == 0
    command, detail, call = (numpy.zeros(ROUND, LAYOUTS[kind]) for kind in (COMMAND, DETAIL, CALL))
    command["kind"], detail["kind"], call["kind"] = COMMAND, DETAIL, CALL
    command["correlation"] = numpy.arange(first, first + ROUND)
    command["flags"] = numpy.where(copy, TIMED | HOST_TO_DEVICE, TIMED)
    command["begin"], command["driver_begin"] = begin * TICKS, (begin + 300) * TICKS
    command["driver_end"], command["end"] = (begin + 2000) * TICKS, (begin + 2200) * TICKS
    command["name"] = numpy.where(copy, 0, random.integers(1, KERNELS + 1, ROUND))
    command["stream"] = 1
    detail["command"], detail["bytes"] = numpy.where(copy, COPY, LAUNCH), numpy.where(copy, 4096, 1 << 32 | 4)
    call["entry"], call["begin"], call["end"] = 2, (begin + 2300) * TICKS, (begin + 4000) * TICKS
    times = numpy.zeros(ROUND, LAYOUTS[TIMES])
    times["kind"], times["correlation"], times["command"] = TIMES, command["correlation"], detail["command"]
    times["enqueued"], times["name"], times["stream"] = command["driver_begin"], command["name"], 1
    times["started"] = begin + 300 + random.integers(0, 3000, ROUND)
    times["ended"] = times["started"] + random.integers(1000, 9000, ROUND).astype("u8")
    slots = numpy.stack([each.view(f"V{SLOT}") for each in (command, detail, call)], axis=1)
    keep = numpy.ones(slots.shape, bool)
    keep[:, 2] = numpy.arange(ROUND) % 4 == 0
    return slots[keep], times.view(f"V{SLOT}")


def _measure(file, at: list[int], now: int) -> None:
    """Write measurements of clocks: the device's among the times, the host's in a ring of its own, as the drainer's."""
    host, device = numpy.zeros(1, LAYOUTS[HOST_CLOCK]), numpy.zeros(1, LAYOUTS[DEVICE_CLOCK])
    host["kind"], host["ticks"], host["monotonic"], host["real"] = HOST_CLOCK, now * TICKS, now, now + 10**18
    device["kind"], device["device_time"], device["monotonic"] = DEVICE_CLOCK, now, now
    _flush(file, at, THREADS, device.view(f"V{SLOT}"))
    _flush(file, at, THREADS + 1, host.view(f"V{SLOT}"))


def _flush(file, at: list[int], ring: int, slots: numpy.ndarray) -> None:
    for begin in range(0, len(slots), BLOCK_SLOTS):
        part = slots[begin : begin + BLOCK_SLOTS]
        _block(file, SLOTS, part.tobytes(), ring=ring, thread=100 + ring, first=at[ring], count=len(part))
        at[ring] += len(part)


def _block(file, kind: int, data: bytes, **fields: int) -> None:
    size = -(-(SLOT + len(data)) // PAGE) * PAGE
    head = numpy.zeros(1, BLOCK)
    for name, value in {"magic": MAGIC, "kind": kind, "version": VERSION, "size": size, **fields}.items():
        head[name] = value
    file.write((head.tobytes() + data).ljust(size, b"\0"))


def _name(number: int) -> bytes:
    text = f"kernel_{number}<float>".encode()
    return numpy.array([number, len(text)], "<u4").tobytes() + text.ljust(-(-len(text) // 8) * 8, b"\0")


if __name__ == "__main__":
    main()
