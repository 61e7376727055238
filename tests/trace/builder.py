"""Trace files of given slots, written with NumPy from the format's own description."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy

from launchpath._trace.format import (
    API,
    BLOCK,
    CALL,
    COMMAND,
    COUNTERS,
    DETAIL,
    DEVICE_CLOCK,
    HEADER,
    HOST_CLOCK,
    LAUNCH,
    LAYOUTS,
    MAGIC,
    META,
    NAMES,
    PAGE,
    RANGE,
    RING,
    RING_FRAME,
    RING_HEAD,
    RING_SLOTS,
    RING_TAIL,
    SLOT,
    SLOTS,
    STREAM,
    TIMED,
    TIMES,
    VERSION,
)

EPOCH = 1_700_000_000_000_000_000  # `real` minus `monotonic`
TICKS = 3  # in a nanosecond
DEVICE_AHEAD = 5_000_000  # nanoseconds by which the device's clock is ahead
PROCESS = {"pid": 100, "rank": None, "host": "node0"}
FACTS: dict[str, Any] = {
    "process": PROCESS,
    "begin": {"monotonic": 1000, "real": EPOCH + 1000},
    "mode": "device",
    "devices": [{"name": "GPU 0", "driver": "cuda", "platform": "CUDA", "ordinal": 0}],
    "entries": ["launch", "copy", "fill", "queue_finish", "allocate", "event_wait"],
    "library_names": {
        "cuda": {"launch": "cuLaunchKernel", "copy": "cuMemcpyAsync", "queue_finish": "cuStreamSynchronize"}
    },
    "api": ["Stream.synchronize", "empty"],
    "threads": {"11": "MainThread"},
}


def slot(kind: int, **fields: Any) -> bytes:
    """Give a slot of a kind."""
    record = numpy.zeros(1, LAYOUTS.get(kind, LAYOUTS[CALL]))
    record["kind"] = kind
    for name, value in fields.items():
        record[name] = value
    return record.tobytes()


def host_clock(monotonic: int) -> bytes:
    """Give an anchor of a host whose ticks are a third of a nanosecond."""
    return slot(HOST_CLOCK, ticks=monotonic * TICKS, monotonic=monotonic, real=monotonic + EPOCH)


def device_clock(monotonic: int, device: int = 0) -> bytes:
    return slot(DEVICE_CLOCK, device=device, device_time=monotonic + DEVICE_AHEAD, monotonic=monotonic)


def clocks() -> list[bytes]:
    return [host_clock(1000), device_clock(1000), host_clock(1_000_001_000), device_clock(1_000_001_000)]


def command(
    correlation: int, begin: int, driver: tuple[int, int], end: int, *, waited: int = 0, flags: int = TIMED,
    name: int = 1, stream: int = 1, result: int = 0, waits: int = 0, command: int = LAUNCH, **detail: Any,
) -> bytes:  # fmt: skip
    """Give a command and its detail; times in nanoseconds of the monotonic clock."""
    first = slot(
        COMMAND, correlation=correlation, begin=begin * TICKS, driver_begin=driver[0] * TICKS, driver_end=driver[1] * TICKS,
        end=end * TICKS, waited=waited * TICKS, flags=flags, name=name, stream=stream, result=result, waits=waits,
    )  # fmt: skip
    if command == LAUNCH:
        detail = {"grid": (4, 1, 1), "block": (64, 1, 1), **detail}
    return first + slot(DETAIL, command=command, **detail)


def times(
    correlation: int, enqueued: int, start: int, end: int, *, name: int = 1, stream: int = 1, flags: int = 0,
    submitted: int = 0, **more: Any,
) -> bytes:  # fmt: skip
    """Give the times of a command, in nanoseconds of the monotonic clock."""
    more = {"command": LAUNCH, **more}
    started, ended, to_device = (time + DEVICE_AHEAD if time else 0 for time in (start, end, submitted))
    return slot(
        TIMES, correlation=correlation, enqueued=enqueued * TICKS, started=started, ended=ended, submitted=to_device,
        name=name, stream=stream, flags=flags, **more,
    )  # fmt: skip


def call(entry: int, begin: int, end: int, kind: int = CALL, **more: Any) -> bytes:
    return slot(kind, entry=entry, begin=begin * TICKS, end=end * TICKS, **more)


def api(entry: int, begin: int, end: int, **more: Any) -> bytes:
    return call(entry, begin, end, API, **more)


def range_(name: int, begin: int, end: int, kind: int = RANGE, **more: Any) -> bytes:
    return slot(kind, name=name, begin=begin * TICKS, end=end * TICKS, **more)


def stream(number: int, device: int = 0, **more: Any) -> bytes:
    return slot(STREAM, stream=number, device=device, **more)


class Builder:
    """A trace file: blocks in the order of the calls."""

    def __init__(self, **counters: int) -> None:
        self.parts: list[bytes] = []
        self.header(**{"state": 1, **counters})

    def header(self, **counters: int) -> Builder:
        values = numpy.array([counters.get(name, 0) for name in COUNTERS], "<u8").tobytes()
        return self.block(HEADER, values)

    def block(self, kind: int, data: bytes, **fields: int) -> Builder:
        size = -(-(SLOT + len(data)) // PAGE) * PAGE
        head = numpy.zeros(1, BLOCK)
        for name, value in {"magic": MAGIC, "kind": kind, "version": VERSION, "size": size, **fields}.items():
            head[name] = value
        self.parts.append((head.tobytes() + data).ljust(size, b"\0"))
        return self

    def slots(self, *slots: bytes, ring: int = 0, thread: int = 11, first: int = 0) -> Builder:
        data = b"".join(slots)
        return self.block(SLOTS, data, ring=ring, thread=thread, first=first, count=len(data) // SLOT)

    def ring(
        self, slots: dict[int, bytes], head: int, tail: int, capacity: int = 64, ring: int = 0, thread: int = 11,
        frame: bytes = b"",
    ) -> Builder:  # fmt: skip
        """Add a ring with slots by number."""
        data = bytearray(RING_SLOTS + capacity * SLOT)
        data[RING_HEAD : RING_HEAD + 8] = head.to_bytes(8, "little")
        data[RING_TAIL : RING_TAIL + 8] = tail.to_bytes(8, "little")
        data[RING_FRAME : RING_FRAME + len(frame)] = frame
        for number, content in slots.items():
            at = RING_SLOTS + number % capacity * SLOT
            data[at : at + SLOT] = content
        return self.block(RING, bytes(data[SLOT:]), ring=ring, thread=thread, capacity=capacity)

    def names(self, names: dict[int, str]) -> Builder:
        data = b""
        for number, name in names.items():
            text = name.encode()
            data += numpy.array([number, len(text)], "<u4").tobytes() + text.ljust(-(-len(text) // 8) * 8, b"\0")
        return self.block(NAMES, data, count=len(names))

    def meta(self, **meta: Any) -> Builder:
        text = json.dumps(meta).encode()
        return self.block(META, text, count=len(text))

    def hole(self, pages: int = 3) -> Builder:
        self.parts.append(bytes(pages * PAGE))
        return self

    def write(self, path: Path, cut: int = 0) -> Path:
        """Write the file, without its last `cut` bytes."""
        data = b"".join(self.parts)
        path.write_bytes(data[: len(data) - cut])
        return path
