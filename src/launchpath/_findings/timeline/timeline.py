"""The timeline of a process: what its host threads called, and what devices did for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy

from launchpath._findings.timeline.ops import Array, Looks, Ops, Ranges, Works, empty
from launchpath._findings.timeline.reading import (
    COMMAND_KINDS,
    COMMANDS,
    DRIVER,
    KERNEL,
    OWN,
    Rows,
    Slots,
    decoded,
    is_kept,
    is_of_graph,
)
from launchpath._findings.timeline.roles import Role, Scope, role_of, scope_of
from launchpath._trace.format import BLOCKING, COPY, COPY_PEER, COPY_ROWS, DELAYS_SLOT, FILL, LAUNCH
from launchpath._trace.labels import Labels
from launchpath._trace.process import Process
from launchpath._trace.records import Records
from launchpath._trace.timings import Timings

_ROLES = {LAUNCH: Role.LAUNCH, COPY: Role.COPY, FILL: Role.FILL, COPY_ROWS: Role.COPY, COPY_PEER: Role.COPY}
_EVIDENCE = {
    "site": "u4",
    "flags": "u1",
    "content": "u8",
    "arguments": "u8",
    "event": "u8",
    "wait": "u8",
    "wait_too": "u8",
}
_CALLS = {
    "begin": "i8", "duration": "u4", "driver": "u4", "waited": "u4", "thread": "u4", "kinds": "u1", "name": "i8",
    "function": "i8", "stream": "u4", "device": "u2", "size": "i8", "blocks": "u4", "direction": "u1", "to": "u8",
    "source": "u8", "correlation": "u8", "step": "u4", "node": "u4", "run": "u4", "failed": "?",
}  # fmt: skip


@dataclass
class Timeline:
    """What the records of one process tell, in the order of time.

    Attributes
    ----------
    path : str
        The file.
    process : Process
    meta : dict
        The file's facts.
    threads : list of int
        The system's numbers of threads, by their places in columns.
    thread_names : list of str
    names : list of str
        Kernels and functions, by their places in columns.
    devices : list of str
        Names of devices, by their numbers.
    ops : Ops
    works : Works
    ranges : Ranges
    looks : Looks
    more_waits : tuple of numpy.ndarray
        Events that commands wait for beyond the first two: their correlation numbers, and the events.
    delays : numpy.ndarray
        The ``DELAYS`` slots of an intervention, times in nanoseconds of the monotonic clock.
    counters : dict
        The file's own counters: what is not in the records.
    untimed : int
        Commands whose times are not known.
    clamped, correction : int
        Commands whose times had to be moved, and by how many nanoseconds at most.
    evidence : bool
        Whether the trace has evidence: source lines, hashes of bytes, events.
    """

    path: str
    process: Process
    meta: dict[str, Any]
    threads: list[int]
    thread_names: list[str]
    names: list[str]
    devices: list[str]
    ops: Ops
    works: Works
    ranges: Ranges
    looks: Looks
    more_waits: tuple[Array, Array]
    delays: Array
    counters: dict[str, int]
    untimed: int = 0
    clamped: int = 0
    correction: int = 0
    evidence: bool = False
    _sites: Callable[[int], str] = field(default=str, repr=False)

    def site(self, number: int) -> str:
        """Give a source line as "path:line function"; empty if it is not known."""
        return self._sites(number) if number else ""

    @property
    def begin(self) -> int:
        """The first time in the records, nanoseconds of the monotonic clock; 0: there are none."""
        return int(self.ops.begin.min()) if len(self.ops) else 0

    @property
    def end(self) -> int:
        """The last time in the records."""
        ends = [int(each.end.max()) for each in (self.ops, self.works) if len(each)]
        return max(ends, default=0)


def read_timeline(path: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None) -> Timeline:
    """Read a trace file.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """
    with Records(path, progress, passes=3) as records:
        timings = Timings(records)
        slots = Slots()
        slots.read(records)
        return _timeline(records, timings, slots)


def _timeline(records: Records, timings: Timings, slots: Slots) -> Timeline:
    labels = records.labels
    columns = {name: slots.calls.pop(name, kind) for name, kind in _CALLS.items()}
    columns["end"] = columns["begin"] + columns.pop("duration")
    threads, columns["thread"] = _numbered(columns["thread"])
    names, (columns["name"], columns["function"]) = _named(labels, columns["name"], columns["function"])
    roles = numpy.array([role_of(name) for name in names] or [Role.OTHER], "u1")
    scopes = numpy.array([scope_of(name) for name in names] or [Scope.NOTHING], "u1")
    command = columns["kinds"] & COMMAND_KINDS
    role = roles[columns["function"]]
    for kind, its in _ROLES.items():
        role[command == kind] = its
    role[is_kept(columns["kinds"])] = Role.DEFERRED
    columns["role"] = role
    columns["scope"] = numpy.where(role == Role.SYNCHRONIZE, scopes[columns["function"]], 0).astype("u1")
    more = _add_evidence(columns, slots.evidence)
    columns = _collapsed(columns)
    _nest(columns)
    works = _works(columns, timings)
    ops = Ops(**{name: columns[name] for name in Ops.__dataclass_fields__})
    delays = numpy.concatenate([*slots.delays, numpy.zeros(0, DELAYS_SLOT)])
    for name in ("begin", "end"):
        delays[name] = records.host(delays[name])
    own = numpy.array(threads, "u4")
    commands = int(numpy.count_nonzero(numpy.isin(ops.role, (Role.LAUNCH, Role.COPY, Role.FILL)) & ~ops.failed))
    return Timeline(
        path=records.file.path,
        process=records.process,
        meta=records.file.meta,
        threads=threads,
        thread_names=[labels.thread(thread) or f"thread {thread}" for thread in threads],
        names=names,
        devices=[labels.device(place) for place in range(int(ops.device.max()) + 1 if len(ops) else 0)],
        ops=ops,
        works=works,
        ranges=_ranges(slots.ranges, own, labels, names),
        looks=_looks(slots.looks, own),
        more_waits=more,
        delays=delays[numpy.argsort(delays["begin"], kind="stable")],
        counters=dict(records.file.counters),
        untimed=max(commands - int(numpy.count_nonzero(ops.works)), 0),
        clamped=timings.clamped,
        correction=timings.correction,
        evidence=records.file.meta.get("findings") is True,
        _sites=labels.name,
    )


def _numbered(threads: Array) -> tuple[list[int], Array]:
    values, codes = numpy.unique(threads, return_inverse=True)
    return values.tolist(), codes.reshape(-1).astype("i4")


def _named(labels: Labels, *columns: Array) -> tuple[list[str], list[Array]]:
    """Put places in a list of names in place of codes."""
    places: dict[str, int] = {}
    result = []
    for column in columns:
        values, codes = numpy.unique(column, return_inverse=True)
        rows = numpy.array([places.setdefault(_name(labels, value), len(places)) for value in values.tolist()], "i4")
        result.append(rows[codes.reshape(-1)] if len(rows) else numpy.zeros(0, "i4"))
    return list(places), result


def _name(labels: Labels, value: int) -> str:
    table, device, number = decoded(value)
    if table == KERNEL:
        return labels.kernel_name(number).stem
    if table == DRIVER:
        return labels.entry(device, number)
    if table == COMMANDS:
        return labels.command(device, number)
    return labels.api(number) if table == OWN else labels.name(number)


def _add_evidence(columns: dict[str, Array], evidence: Rows) -> tuple[Array, Array]:
    """Look up the evidence of each call. Gives what is in further slots: correlation numbers, and events waited for."""
    correlation = evidence.pop("correlation", "u8")
    order = numpy.argsort(correlation, kind="stable")
    correlation = correlation[order]
    first = numpy.ones(len(correlation), "?")
    first[1:] = correlation[1:] != correlation[:-1]
    known, rows = correlation[first], order[first]
    place = numpy.minimum(numpy.searchsorted(known, columns["correlation"]), max(len(known) - 1, 0))
    match = known[place] == columns["correlation"] if len(known) else numpy.zeros(len(place), "?")
    more: list[Array] = []
    for name, kind in _EVIDENCE.items():
        values = evidence.pop(name, kind)
        column = numpy.zeros(len(match), kind)
        column[match] = values[rows[place[match]]] if len(known) else 0
        columns[name] = column
        if name in ("wait", "wait_too"):
            more.append(values[order[~first]])
    pairs = [(correlation[~first], events) for events in more]
    waiters, events = (numpy.concatenate(each) for each in zip(*pairs, strict=True))
    return waiters[events != 0], events[events != 0]


def _collapsed(columns: dict[str, Array]) -> dict[str, Array]:
    """Order the calls by thread and begin; commands of one run of a graph become one call with several works."""
    order = numpy.lexsort((columns["node"], -columns["end"], columns["begin"], columns["thread"]))
    for name in list(columns):
        columns[name] = columns[name][order]
    graph = is_of_graph(columns["kinds"])
    same = numpy.zeros(len(graph), "?")
    if graph.any():
        same[1:] = graph[1:] & graph[:-1]
        for name in ("thread", "begin", "end", "step", "run"):
            same[1:] &= columns[name][1:] == columns[name][:-1]
        columns["role"][graph & ~same] = Role.GRAPH
        columns["name"] = numpy.where(graph, columns["function"], columns["name"])
    columns["owner"] = numpy.cumsum(~same) - 1  # for each command the row of its call
    columns["rows"] = ~same
    return columns


def _nest(columns: dict[str, Array]) -> None:
    """Note which calls are inside others, and hand evidence of inner calls on to the outermost."""
    rows = columns.pop("rows")
    whole = {
        name: columns[name] for name in ("correlation", "owner", "kinds", "name", "stream", "device", "node", "role")
    }
    command = whole["kinds"] & COMMAND_KINDS
    single = numpy.zeros(len(command), "u1")
    for kind, its in _ROLES.items():
        single[command == kind] = its
    whole["single"] = single
    if not rows.all():
        for name in list(columns):
            columns[name] = columns[name][rows]
    columns.pop("owner")
    begin, end, thread = columns["begin"], columns["end"], columns["thread"]
    count = len(begin)
    base = thread.astype("i8")
    depth = numpy.zeros(count, "u1")
    outer = numpy.arange(count)
    if count:
        # Rows are in the order of their begins, the longer first: a call is inside another if one before it ends later.
        span = int(end.max()) - int(begin.min()) + 2
        latest = numpy.maximum.accumulate(base * span + (end - int(begin.min())))
        inside = numpy.zeros(count, "?")
        inside[1:] = (latest[:-1] >= base[1:] * span + (end[1:] - int(begin.min()))) & (thread[1:] == thread[:-1])
        depth[inside] = 1
        outer = numpy.maximum.accumulate(numpy.where(inside, 0, outer))
    columns["depth"] = depth
    columns["_outer"] = outer
    inner = numpy.flatnonzero(depth)
    for name in ("site", "event", "stream", "wait"):
        missing = inner[(columns[name][outer[inner]] == 0) & (columns[name][inner] != 0)]
        columns[name][outer[missing[::-1]]] = columns[name][missing[::-1]]
    waits = inner[
        (columns["role"][inner] == Role.SYNCHRONIZE) & numpy.isin(columns["role"][outer[inner]], (Role.COPY, Role.FILL))
    ]
    columns["flags"][outer[waits]] |= BLOCKING
    columns.update({f"whole_{name}": column for name, column in whole.items()})


def _works(columns: dict[str, Array], timings: Timings) -> Works:
    """Find the times of commands, and give each call the place of its works."""
    correlation = columns["whole_correlation"]
    command = (columns["whole_kinds"] & COMMAND_KINDS) != 0
    rows = numpy.flatnonzero(command & ~is_kept(columns["whole_kinds"]))
    times = timings.times_of(correlation[rows])
    rows, timed = rows[times["timed"]], times["timed"]
    owner = columns["_outer"][columns["whole_owner"][rows]]
    order = numpy.lexsort((columns["whole_node"][rows], owner))
    rows, owner = rows[order], owner[order]
    works = Works(
        begin=times["started"][timed][order],
        end=times["ended"][timed][order],
        enqueued=columns["begin"][columns["whole_owner"][rows]],
        op=owner.astype("i4"),
        role=columns["whole_single"][rows],
        name=columns["whole_name"][rows],
        stream=columns["whole_stream"][rows],
        device=columns["whole_device"][rows],
        node=columns["whole_node"][rows],
    )
    count = len(columns["begin"])
    number = numpy.bincount(owner, minlength=count).astype("i4") if count else numpy.zeros(0, "i4")
    first = numpy.cumsum(number) - number
    columns["works"] = number
    columns["work"] = numpy.where(number > 0, first, -1).astype("i4")
    return works


def _ranges(rows: Rows, threads: Array, labels: Labels, names: list[str]) -> Ranges:
    begin = rows.pop("begin", "i8")
    order = numpy.argsort(begin, kind="stable")
    name, domain = rows.pop("name", "i8"), rows.pop("domain", "u4")
    places = {text: place for place, text in enumerate(names)}
    key = name & ((1 << 32) - 1) | domain.astype("i8") << 32
    values, codes = numpy.unique(key, return_inverse=True)
    numbers = []
    for value in values.tolist():
        text = labels.range(value >> 32, value & ((1 << 32) - 1))
        if text not in places:
            places[text] = len(names)
            names.append(text)
        numbers.append(places[text])
    return Ranges(
        begin=begin[order],
        end=rows.pop("end", "i8")[order],
        thread=_places(rows.pop("thread", "u4"), threads)[order],
        name=numpy.array(numbers, "i4")[codes.reshape(-1)][order] if len(values) else numpy.zeros(0, "i4"),
        depth=rows.pop("depth", "u2")[order],
    )


def _looks(rows: Rows, threads: Array) -> Looks:
    begin = rows.pop("begin", "i8")
    if not len(begin):
        result: Looks = empty(Looks, {})
        return result
    order = numpy.argsort(begin, kind="stable")
    columns = {
        name: rows.pop(name, "i8")[order] for name in ("end", "processor", "runnable", "process", "switches", "faults")
    }
    return Looks(begin=begin[order], thread=_places(rows.pop("thread", "u4"), threads)[order], **columns)


def _places(values: Array, threads: Array) -> Array:
    """Give the threads' places; -1: the thread has no calls."""
    if not len(threads):
        return numpy.full(len(values), -1, "i4")
    place = numpy.minimum(numpy.searchsorted(threads, values), len(threads) - 1)
    return numpy.where(threads[place] == values, place, -1).astype("i4")
