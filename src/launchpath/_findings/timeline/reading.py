"""Reading a trace file into rows: each record once, in few columns, so that ten million of them fit into memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy

from launchpath._findings.timeline.ops import Array
from launchpath._trace.chunk import Chunk
from launchpath._trace.format import (
    API,
    CALL,
    COMMAND,
    DELAYS,
    DIRECTION,
    EVIDENCE,
    FAILED,
    IN_GRAPH,
    IN_PAUSE,
    KEPT_BACK,
    LAUNCH,
    RANGE,
    THREAD,
)
from launchpath._trace.records import Records

# A name's code: which table its number is in.
KERNEL, DRIVER, COMMANDS, OWN, RANGES, TABLES = range(6)
_BITS = 40
_ENTRY_BITS = 16
_MOST = (1 << 62) - 1
_KEPT = 1 << 7  # in `kinds`: a command that a step keeps back
_GRAPH = 1 << 6  # a command of a graph

COMMAND_KINDS = 31  # the rest of `kinds` is the command's kind; 0: a call that is no command


def code(table: int, number: Array, device: Array | None = None) -> Array:
    """Give numbers of names as codes: no two tables have the same."""
    key = number.astype("i8") & ((1 << _BITS) - 1)
    if device is not None:
        key = device.astype("i8") << _ENTRY_BITS | number.astype("i8") & 0xFFFF
    return key | numpy.int64(table) << _BITS


def decoded(value: int) -> tuple[int, int, int]:
    """Give a code's table, device and number."""
    table, key = value >> _BITS, value & ((1 << _BITS) - 1)
    return (table, 0, key) if table in (KERNEL, OWN, RANGES) else (table, key >> _ENTRY_BITS, key & 0xFFFF)


@dataclass
class Rows:
    """Columns by name, as lists of parts."""

    parts: dict[str, list[Array]] = field(default_factory=dict)

    def add(self, **columns: Array) -> None:
        """Add rows."""
        for name, column in columns.items():
            self.parts.setdefault(name, []).append(column)

    def pop(self, name: str, kind: str) -> Array:
        """Give a column, and let its parts go."""
        parts = self.parts.pop(name, [])
        return numpy.concatenate(parts).astype(kind, copy=False) if parts else numpy.zeros(0, kind)


@dataclass
class Slots:
    """What a file holds, by kinds of records: rows in the file's order."""

    calls: Rows = field(default_factory=Rows)
    evidence: Rows = field(default_factory=Rows)
    ranges: Rows = field(default_factory=Rows)
    looks: Rows = field(default_factory=Rows)
    delays: list[Array] = field(default_factory=list)
    codes: dict[int, int] = field(default_factory=dict)  # of names: their places in the columns `name` and `function`

    def read(self, records: Records) -> None:
        """Read all slots once."""
        for chunk in records.chunks():
            self._commands(chunk, records)
            for kind in (CALL, API):
                if chunk.counts[kind]:
                    self._calls(chunk, records, kind)
            if chunk.counts[EVIDENCE]:
                self._evidence(chunk)
            if chunk.counts[RANGE]:
                self._ranges(chunk, records)
            if chunk.counts[THREAD]:
                self._looks(chunk, records)
            if chunk.counts[DELAYS]:
                self.delays.append(chunk.slots_of(DELAYS).copy())

    def _commands(self, chunk: Chunk, records: Records) -> None:
        if not chunk.counts[COMMAND]:
            return
        slots, details, threads = chunk.commands()
        host, flags = records.host, slots["flags"]
        launch, kept = details["command"] == LAUNCH, (flags & KEPT_BACK) != 0
        graph = (flags & IN_GRAPH) != 0
        begin = host(numpy.where(graph & ~kept, slots["driver_begin"], slots["begin"]))
        end = host(numpy.where(graph & ~kept, slots["driver_end"], slots["end"]))
        driver = host(slots["driver_end"]) - host(numpy.where(kept, slots["driver_end"], slots["driver_begin"]))
        number, device = details["number"], details["device"]
        function = (
            code(DRIVER, number, device) if records.labels.recorder else code(COMMANDS, details["command"], device)
        )
        blocks = details["grid"].astype("u8").prod(axis=1)
        threads_of_block = details["block"].astype("u8").prod(axis=1)
        size = numpy.where(launch, blocks * threads_of_block, details["bytes"])
        self.calls.add(
            begin=begin,
            duration=numpy.minimum(numpy.maximum(end - begin, 0), 0xFFFFFFFF).astype("u4"),
            driver=numpy.minimum(numpy.maximum(driver, 0), 0xFFFFFFFF).astype("u4"),
            waited=numpy.minimum(host(slots["begin"] + slots["waited"]) - host(slots["begin"]), 0xFFFFFFFF).astype(
                "u4"
            ),
            thread=threads.astype("u4"),
            kinds=(details["command"] & COMMAND_KINDS | kept * numpy.uint8(_KEPT) | graph * numpy.uint8(_GRAPH)).astype(
                "u1"
            ),
            name=self._places(numpy.where(launch, code(KERNEL, slots["name"]), function)),
            function=self._places(function),
            stream=slots["stream"].copy(),
            device=device.copy(),
            size=numpy.minimum(size, _MOST).astype("i8"),
            blocks=numpy.where(launch, numpy.minimum(blocks, 0xFFFFFFFF), 0).astype("u4"),
            direction=numpy.where(launch, 0, (flags & DIRECTION) // (DIRECTION // 3)).astype("u1"),
            to=numpy.where(launch, 0, details["to"]),
            source=numpy.where(launch, 0, details["source"]),
            correlation=slots["correlation"].copy(),
            step=details["step"].copy(),
            node=details["node"].copy(),
            run=details["run"].copy(),
            failed=(flags & FAILED) != 0,
        )

    def _calls(self, chunk: Chunk, records: Records, kind: int) -> None:
        slots, count = chunk.slots_of(kind), int(chunk.counts[kind])
        begin, end = records.host(slots["begin"]), records.host(slots["end"])
        function = code(DRIVER, slots["entry"], slots["device"]) if kind == CALL else code(OWN, slots["entry"])
        zeros, place = numpy.zeros(count, "u8"), self._places(function)
        duration = numpy.minimum(numpy.maximum(end - begin, 0), _MOST)
        self.calls.add(
            begin=begin,
            duration=numpy.minimum(duration, 0xFFFFFFFF).astype("u4"),
            driver=(numpy.minimum(duration, 0xFFFFFFFF) if kind == CALL else zeros).astype("u4"),
            waited=zeros.astype("u4"),
            thread=chunk.threads(kind).astype("u4"),
            kinds=zeros.astype("u1"),
            name=place,
            function=place,
            stream=slots["stream"].copy(),
            device=slots["device"].copy(),
            size=numpy.minimum(slots["quantity"], _MOST).astype("i8"),
            blocks=zeros.astype("u4"),
            direction=zeros.astype("u1"),
            to=zeros,
            source=zeros,
            correlation=slots["correlation"].copy(),
            step=zeros.astype("u4"),
            node=zeros.astype("u4"),
            run=zeros.astype("u4"),
            failed=(slots["flags"] & FAILED) != 0,
        )

    def _places(self, codes: Array) -> Array:
        values, places = numpy.unique(codes, return_inverse=True)
        numbers = numpy.array([self.codes.setdefault(value, len(self.codes)) for value in values.tolist()], "i4")
        return numpy.asarray(numbers[places.reshape(-1)])

    def _evidence(self, chunk: Chunk) -> None:
        slots = chunk.slots_of(EVIDENCE)
        names = ("correlation", "site", "flags", "content", "arguments", "event", "wait", "wait_too")
        self.evidence.add(**{name: slots[name].copy() for name in names})

    def _ranges(self, chunk: Chunk, records: Records) -> None:
        slots = chunk.slots_of(RANGE)
        self.ranges.add(
            begin=records.host(slots["begin"]),
            end=records.host(slots["end"]),
            thread=chunk.threads(RANGE).astype("u4"),
            name=code(RANGES, slots["name"]),
            domain=slots["domain"].copy(),
            depth=slots["depth"].copy(),
        )

    def _looks(self, chunk: Chunk, records: Records) -> None:
        slots = chunk.slots_of(THREAD)
        names = ("processor", "runnable", "process", "switches", "faults")
        self.looks.add(
            begin=records.host(slots["begin"]),
            end=records.host(slots["end"]),
            thread=chunk.threads(THREAD).astype("u4"),
            in_pause=slots["flags"] & IN_PAUSE,
            spent=records.host(slots["end"] + slots["spent"]) - records.host(slots["end"]),
            **{name: slots[name].astype("i8") for name in names},
        )


def is_kept(kinds: Array) -> Array:
    """Tell which commands a step keeps back."""
    return numpy.asarray((kinds & _KEPT) != 0)


def is_of_graph(kinds: Array) -> Array:
    """Tell which commands run as a part of a graph."""
    return numpy.asarray((kinds & _GRAPH) != 0)
