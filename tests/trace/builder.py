"""Trace files of given slots, written with NumPy from the format's own description."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy

from launchpath._trace import format

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
    record = numpy.zeros(1, format.LAYOUTS.get(kind, format.LAYOUTS[format.CALL]))
    record["kind"] = kind
    for name, value in fields.items():
        record[name] = value
    return record.tobytes()


def host_clock(monotonic: int) -> bytes:
    """Give an anchor of a host whose ticks are a third of a nanosecond."""
    return slot(format.HOST_CLOCK, ticks=monotonic * TICKS, monotonic=monotonic, real=monotonic + EPOCH)


def device_clock(monotonic: int, device: int = 0) -> bytes:
    return slot(format.DEVICE_CLOCK, device=device, device_time=monotonic + DEVICE_AHEAD, monotonic=monotonic)


def clocks() -> list[bytes]:
    return [host_clock(1000), device_clock(1000), host_clock(1_000_001_000), device_clock(1_000_001_000)]


def command(
    correlation: int, begin: int, driver: tuple[int, int], end: int, *, waited: int = 0, flags: int = format.TIMED,
    name: int = 1, stream: int = 1, result: int = 0, waits: int = 0, command: int = format.LAUNCH, **detail: Any,
) -> bytes:  # fmt: skip
    """Give a command and its detail; times in nanoseconds of the monotonic clock."""
    first = slot(
        format.COMMAND, correlation=correlation, begin=begin * TICKS, driver_begin=driver[0] * TICKS, driver_end=driver[1] * TICKS,
        end=end * TICKS, waited=waited * TICKS, flags=flags, name=name, stream=stream, result=result, waits=waits,
    )  # fmt: skip
    if command == format.LAUNCH:
        detail = {"grid": (4, 1, 1), "block": (64, 1, 1), **detail}
    return first + slot(format.DETAIL, command=command, **detail)


def times(
    correlation: int, enqueued: int, start: int, end: int, *, name: int = 1, stream: int = 1, flags: int = 0,
    submitted: int = 0, **more: Any,
) -> bytes:  # fmt: skip
    """Give the times of a command, in nanoseconds of the monotonic clock."""
    more = {"command": format.LAUNCH, **more}
    started, ended, to_device = (time + DEVICE_AHEAD if time else 0 for time in (start, end, submitted))
    return slot(
        format.TIMES, correlation=correlation, enqueued=enqueued * TICKS, started=started, ended=ended, submitted=to_device,
        name=name, stream=stream, flags=flags, **more,
    )  # fmt: skip


def call(entry: int, begin: int, end: int, kind: int = format.CALL, **more: Any) -> bytes:
    return slot(kind, entry=entry, begin=begin * TICKS, end=end * TICKS, **more)


def api(entry: int, begin: int, end: int, **more: Any) -> bytes:
    return call(entry, begin, end, format.API, **more)


def range_(name: int, begin: int, end: int, kind: int = format.RANGE, **more: Any) -> bytes:
    return slot(kind, name=name, begin=begin * TICKS, end=end * TICKS, **more)


def stream(number: int, device: int = 0, **more: Any) -> bytes:
    return slot(format.STREAM, stream=number, device=device, **more)


class Builder:
    """A trace file: blocks in the order of the calls."""

    def __init__(self, **counters: int) -> None:
        self.parts: list[bytes] = []
        self.header(**{"state": 1, **counters})

    def header(self, **counters: int) -> Builder:
        values = numpy.array([counters.get(name, 0) for name in format.COUNTERS], "<u8").tobytes()
        return self.block(format.HEADER, values)

    def block(self, kind: int, data: bytes, **fields: int) -> Builder:
        size = -(-(format.SLOT + len(data)) // format.PAGE) * format.PAGE
        head = numpy.zeros(1, format.BLOCK)
        for name, value in {
            "magic": format.MAGIC,
            "kind": kind,
            "version": format.VERSION,
            "size": size,
            **fields,
        }.items():
            head[name] = value
        self.parts.append((head.tobytes() + data).ljust(size, b"\0"))
        return self

    def slots(self, *slots: bytes, ring: int = 0, thread: int = 11, first: int = 0) -> Builder:
        data = b"".join(slots)
        return self.block(format.SLOTS, data, ring=ring, thread=thread, first=first, count=len(data) // format.SLOT)

    def ring(
        self, slots: dict[int, bytes], head: int, tail: int, capacity: int = 64, ring: int = 0, thread: int = 11,
        frame: bytes = b"",
    ) -> Builder:  # fmt: skip
        """Add a ring with slots by number."""
        data = bytearray(format.RING_SLOTS + capacity * format.SLOT)
        data[format.RING_HEAD : format.RING_HEAD + 8] = head.to_bytes(8, "little")
        data[format.RING_TAIL : format.RING_TAIL + 8] = tail.to_bytes(8, "little")
        data[format.RING_FRAME : format.RING_FRAME + len(frame)] = frame
        for number, content in slots.items():
            at = format.RING_SLOTS + number % capacity * format.SLOT
            data[at : at + format.SLOT] = content
        return self.block(format.RING, bytes(data[format.SLOT :]), ring=ring, thread=thread, capacity=capacity)

    def names(self, names: dict[int, str]) -> Builder:
        data = b""
        for number, name in names.items():
            text = name.encode()
            data += numpy.array([number, len(text)], "<u4").tobytes() + text.ljust(-(-len(text) // 8) * 8, b"\0")
        return self.block(format.NAMES, data, count=len(names))

    def meta(self, **meta: Any) -> Builder:
        text = json.dumps(meta).encode()
        return self.block(format.META, text, count=len(text))

    def hole(self, pages: int = 3) -> Builder:
        self.parts.append(bytes(pages * format.PAGE))
        return self

    def write(self, path: Path, cut: int = 0) -> Path:
        """Write the file, without its last `cut` bytes."""
        data = b"".join(self.parts)
        path.write_bytes(data[: len(data) - cut])
        return path
