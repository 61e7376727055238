"""The trace of a program that has a bit of everything, drawn at random, and its sums in plain Python."""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from launchpath._trace import format
from tests.trace.builder import FACTS, Builder, api, call, clocks, command, range_, stream, times

KERNELS = {1: "saxpy", 2: "ns::reduce<float>", 3: "saxpy"}  # two of one name
RANGES = {10: "step", 11: "io"}
DOMAIN = {20: "solver"}
LIBRARY = {format.LAUNCH: "cuLaunchKernel", format.COPY: "cuMemcpyAsync", format.FILL: "fill"}


@dataclass
class Sum:
    """Times of calls of a name."""

    times: list[int] = field(default_factory=list)
    failed: int = 0

    def add(self, time: int, failed: bool = False) -> None:
        if failed:
            self.failed += 1
        else:
            self.times.append(time)

    def row(self) -> tuple[int, int, int, int, int]:
        return len(self.times), self.failed, sum(self.times), min(self.times, default=0), max(self.times, default=0)


@dataclass
class Expected:
    """What the summary must have."""

    calls: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    driver_calls: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    kernels: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    traffic: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    ranges: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    bytes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    host: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0, 0, 0]))
    starts: list[int] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    dispatches: int = 0

    def gaps(self) -> list[int]:
        result = {}
        for wait in sorted(self.waits):
            following = [start for start in self.starts if start >= wait]
            if following:
                result[min(following)] = min(following) - wait
        return list(result.values())


def write(path: Path, seed: int, count: int = 300, **meta: object) -> Expected:
    """Write the trace of three threads."""
    draw, expected = random.Random(seed), Expected()
    built = Builder().meta(**{**FACTS, **meta}).names({**KERNELS, **RANGES, **DOMAIN})
    built.slots(*clocks(), stream(1), stream(2), ring=9, thread=99)
    rows: list[bytes] = []
    for thread in range(3):
        slots, now = [], 2000
        for number in range(count):
            now += draw.randrange(1, 400)
            correlation = thread * count + number + 1
            kind = draw.choice(["launch", "launch", "launch", "copy", "call", "api", "range"])
            if kind in ("launch", "copy"):
                now = _command(draw, expected, slots, rows, correlation, now, kind == "copy")
            elif kind == "range":
                now = _range(draw, expected, slots, correlation, now)
            else:
                now = _call(draw, expected, slots, now, kind)
        half = draw.randrange(len(slots))
        first = sum(len(each) for each in slots[:half]) // 64
        built.slots(*slots[half:], ring=thread, thread=11 + thread, first=first)
        built.slots(*slots[:half], ring=thread, thread=11 + thread)
    draw.shuffle(rows)
    built.slots(*rows, ring=9, thread=99, first=6)
    built.write(path)
    return expected


def _command(
    draw: random.Random, expected: Expected, slots: list[bytes], rows: list[bytes], correlation: int, now: int, copy: bool
) -> int:  # fmt: skip
    own, driver, rest, waited = (draw.randrange(1, 500) for _ in range(4))
    begin = now
    driver_begin = begin + own + waited
    driver_end = driver_begin + driver
    end = driver_end + rest
    refused, late, kept, graph = (draw.random() < 0.1 for _ in range(4))
    kind = draw.choice([format.COPY, format.FILL]) if copy else format.LAUNCH
    name = 0 if copy else draw.choice(list(KERNELS))
    direction = draw.choice([0, format.HOST_TO_DEVICE, format.DEVICE_TO_HOST]) if kind == format.COPY else 0
    flags = direction
    if kept:
        flags |= format.KEPT_BACK
        driver_begin, driver_end, refused, graph = 0, 0, False, False
    elif refused:
        flags |= format.FAILED
        graph = False
    else:
        flags |= format.TIMED | (format.IN_GRAPH | format.IN_STEP) * graph
    detail = {"bytes": draw.randrange(1, 10**6)} if copy else {}
    slots.append(
        command(
            correlation, begin, (driver_begin, driver_end), end, waited=waited, flags=flags, name=name, command=kind,
            result=7 * refused, step=5 * graph, node=3 * graph, **detail,
        )
    )  # fmt: skip
    expected.dispatches += not kept
    launch = None if copy else (end - begin, driver, waited)
    if not kept and not graph:
        expected.driver_calls[LIBRARY[kind]].add(driver, refused)
    if launch is not None:
        _host(expected, KERNELS[name], launch, refused, kept, graph)
    moved = {0: "copy", format.HOST_TO_DEVICE: "host to device", format.DEVICE_TO_HOST: "device to host"}[direction]
    moved = moved if kind == format.COPY else "fill"
    table = expected.traffic[moved] if copy else expected.kernels[KERNELS[name]]
    if refused:
        table.add(0, True)
    if refused or kept:
        return end
    delay, time = draw.randrange(-50, 3000), draw.randrange(1, 5000)
    start = driver_begin + delay
    device = (start * (not late), (start + time) * (not late))
    rows.append(times(correlation, driver_begin, *device, flags=late, name=name, command=kind))
    table.add(time, late)
    if copy and not late:
        expected.bytes[moved] += detail["bytes"]
    if not copy and not late:
        host = expected.host[KERNELS[name]]
        host[4] += 1
        host[5] += max(delay, 0)
        expected.starts.append(max(start, driver_begin))
    return end


def _host(
    expected: Expected, kernel: str, launch: tuple[int, int, int], refused: bool, kept: bool, graph: bool
) -> None:
    """Count the host time of a launch."""
    whole, driver, waited = launch
    host = expected.host[kernel]
    if not graph:
        expected.calls["launch"].add(whole, refused)
    if kept:
        host[1] += whole - waited
    elif not graph and not refused:
        for place, time in enumerate((1, whole - driver - waited, driver, waited)):
            host[place] += time


def _call(draw: random.Random, expected: Expected, slots: list[bytes], now: int, kind: str) -> int:
    end, failed = now + draw.randrange(1, 2000), draw.random() < 0.2
    entry = draw.randrange(2) if kind == "api" else draw.choice([3, 4])
    make, tables = (api, expected.calls) if kind == "api" else (call, expected.driver_calls)
    names = FACTS["api"] if kind == "api" else [*FACTS["entries"][:3], "cuStreamSynchronize", "allocate"]
    slots.append(make(entry, now, end, flags=int(failed)))
    tables[names[entry]].add(end - now, failed)
    if not failed and names[entry] in ("Stream.synchronize", "cuStreamSynchronize"):
        expected.waits.append(end)
    return end


def _range(draw: random.Random, expected: Expected, slots: list[bytes], correlation: int, now: int) -> int:
    end, name, domain = now + draw.randrange(1, 2000), draw.choice(list(RANGES)), draw.choice([0, 20])
    slots.append(range_(name, now, 0, format.RANGE_BEGIN, domain=domain, correlation=correlation))
    slots.append(range_(name, now, end, domain=domain, correlation=correlation))
    prefix = f"{DOMAIN[domain]}: " if domain else ""
    expected.ranges[prefix + RANGES[name]].add(end - now)
    return now
