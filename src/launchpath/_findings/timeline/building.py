"""Building a timeline from the records of a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import numpy

from launchpath._findings.timeline.looks import joined, repaired
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
from launchpath._findings.timeline.roles import SUBMITS, Role, Scope, role_of, scope_of
from launchpath._findings.timeline.timeline import Timeline, in_stretches
from launchpath._trace.format import (
    ARGUMENTS,
    BLOCKING,
    COPY,
    COPY_PEER,
    COPY_ROWS,
    DELAYS_SLOT,
    FILL,
    HOST_PROGRAM,
    LAUNCH,
)
from launchpath._trace.labels import Labels
from launchpath._trace.records import Records
from launchpath._trace.timings import Timings

_RATE = 10**9  # ticks over which the clock's rate is taken
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
    "begin": "i8", "duration": "u4", "driver": "u4", "waited": "u4", "thread": "u4", "kinds": "u1", "name": "i4",
    "function": "i4", "stream": "u4", "device": "u2", "size": "i8", "blocks": "u4", "direction": "u1", "to": "u8",
    "source": "u8", "correlation": "u8", "step": "u4", "node": "u4", "run": "u4", "failed": "?",
}  # fmt: skip
_OF_COMMANDS = {"correlation": "u8", "name": "i4", "stream": "u4", "device": "u2", "node": "u4"}

MOST = 6_000_000  # slots: they take some 700 MiB
Columns = dict[str, Array]


def read_timeline(
    path: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None, most: int = MOST
) -> Timeline:
    """Read a trace file: of one with more than `most` slots some stretches of its time, so that it fits into memory.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """
    with Records(path, progress, passes=3, most=most) as records:
        slots = Slots()
        slots.read(records)
        return _timeline(records, slots)


def _timeline(records: Records, slots: Slots) -> Timeline:
    labels = records.labels
    columns = {name: slots.calls.pop(name, kind) for name, kind in _CALLS.items()}
    columns["end"] = columns["begin"] + columns.pop("duration")
    _order(columns)
    threads, columns["thread"] = _numbered(columns["thread"])
    stretches, threads = _stretches(records, columns, threads)
    names = [_name(labels, value) for value in slots.codes]
    commands = _commands(columns)
    _add_roles(columns, names)
    more = _add_evidence(columns, slots.evidence)
    _spent_as_time(columns, records)
    # The core's marker that only waits is recorded by the name of the driver's function for markers.
    only_waits = (columns["role"] == Role.RECORD) & (columns["wait"] != 0) & (columns["event"] == 0)
    columns["role"][only_waits] = Role.ORDER
    outer = _nest(columns)
    timings = Timings(records)
    works = _works(commands, columns, outer, timings)
    if HOST_PROGRAM in records.file.meta:  # the lines of Python that run the program are not its own
        columns["site"] = numpy.zeros_like(columns["site"])
    ops = Ops(**{name: columns[name] for name in Ops.__dataclass_fields__})
    delays = numpy.concatenate([*slots.delays, numpy.zeros(0, DELAYS_SLOT)])
    for name in ("begin", "end"):
        delays[name] = records.host(delays[name])
    own = numpy.array(threads, "u4")
    submitted = numpy.isin(ops.role, SUBMITS) & (ops.depth == 0) & ~ops.failed
    return Timeline(
        path=records.file.path,
        process=records.process,
        meta=records.file.meta,
        threads=threads,
        thread_names=[labels.thread(thread) or f"thread {thread}" for thread in threads],
        names=names,
        symbols=_symbols(labels, slots.codes, names),
        devices=[labels.device(place) for place in range(int(ops.device.max()) + 1 if len(ops) else 0)],
        ops=ops,
        works=works,
        ranges=_ranges(slots.ranges, own, labels, names),
        looks=_looks(slots.looks, own),
        more_waits=more,
        delays=delays[numpy.argsort(delays["begin"], kind="stable")],
        counters=dict(records.file.counters),
        untimed=int(numpy.count_nonzero(submitted & (ops.works == 0))),
        clamped=timings.clamped,
        correction=timings.correction,
        stretches=stretches,
        evidence=records.file.meta.get("findings") is True,
        _sites=labels.name,
    )


def _stretches(records: Records, columns: Columns, threads: list[int]) -> tuple[Array, list[int]]:
    """Give the times of the stretches that were read, and leave out the calls beside them, with those inside these."""
    ticks = numpy.array(records.file.stretches, "u8").reshape(-1, 2)
    if not len(ticks):
        return numpy.zeros((0, 2), "i8"), threads
    stretches = numpy.stack([records.host(ticks[:, 0]), records.host(ticks[:, 1])], axis=1)
    # A call is written when it has ended: those that were under way at the begin are behind the first one.
    stretches[0, 0] = columns["begin"].min(initial=stretches[0, 1])
    stretches[-1, 1] = columns["end"].max(initial=stretches[-1, 0])
    outer = _outermost(columns["thread"], columns["begin"], columns["end"])[0]
    inside = in_stretches(stretches, columns["begin"][outer], columns["end"][outer])
    for name in list(columns):
        columns[name] = columns[name][inside]
    places, columns["thread"] = _numbered(columns["thread"])
    return stretches, [threads[place] for place in places]


def _numbered(threads: Array) -> tuple[list[int], Array]:
    values, codes = numpy.unique(threads, return_inverse=True)
    return values.tolist(), codes.reshape(-1).astype("i4")


def _name(labels: Labels, value: int) -> str:
    table, device, number = decoded(value)
    if table == KERNEL:
        return labels.kernel_name(number).stem
    if table == DRIVER:
        return labels.entry(device, number)
    if table == COMMANDS:
        return labels.command(device, number)
    return labels.api(number) if table == OWN else labels.name(number)


def _symbols(labels: Labels, codes: Iterable[int], names: list[str]) -> dict[str, str]:
    kernels = ((decoded(value), name) for value, name in zip(codes, names, strict=False))
    return {name: labels.name(number) for (table, _, number), name in kernels if table == KERNEL}


def _order(columns: Columns) -> None:
    """Order the records by thread and begin, the longer first: a call comes before those inside of it."""
    order = numpy.lexsort((columns["node"], -columns["end"], columns["begin"], columns["thread"]))
    for name in list(columns):
        columns[name] = columns[name][order]


def _commands(columns: Columns) -> Columns:
    """Take out what is needed of each command. Commands of one run of a graph then become a single row."""
    graph = is_of_graph(columns["kinds"])
    again = numpy.zeros(len(graph), "?")
    if graph.any():
        again[1:] = graph[1:] & graph[:-1]
        for name in ("thread", "begin", "end", "step", "run"):
            again[1:] &= columns[name][1:] == columns[name][:-1]
    kind = columns["kinds"] & COMMAND_KINDS
    rows = numpy.flatnonzero((kind != 0) & ~is_kept(columns["kinds"]))
    commands = {name: columns[name][rows] for name in _OF_COMMANDS}
    commands["kind"] = kind[rows]
    commands["row"] = (numpy.cumsum(~again) - 1)[rows]  # of its call
    if graph.any():
        columns["name"] = numpy.where(graph, columns["function"], columns["name"])
        for name in list(columns):
            columns[name] = columns[name][~again]
    columns.pop("node"), columns.pop("run")
    return commands


def _role(kinds: Array, otherwise: Array) -> Array:
    for kind, its in _ROLES.items():
        otherwise[kinds == kind] = its
    return otherwise


def _add_roles(columns: Columns, names: list[str]) -> None:
    kinds = columns.pop("kinds")
    roles = numpy.array([role_of(name) for name in names] or [Role.OTHER], "u1")
    scopes = numpy.array([scope_of(name) for name in names] or [Scope.NOTHING], "u1")
    role = _role(kinds & COMMAND_KINDS, roles[columns["function"]])
    role[is_of_graph(kinds)] = Role.GRAPH
    role[is_kept(kinds)] = Role.DEFERRED
    columns["role"] = role
    columns["scope"] = numpy.where(role == Role.SYNCHRONIZE, scopes[columns["function"]], 0).astype("u1")


def _add_evidence(columns: dict[str, Array], evidence: Rows) -> tuple[Array, Array]:
    """Look up the evidence of each call: several slots of one call are merged.

    Gives the events waited for that are in further slots: correlation numbers, and events.
    """
    correlation = evidence.pop("correlation", "u8")
    order = numpy.argsort(correlation, kind="stable")
    correlation = correlation[order]
    first = numpy.ones(len(correlation), "?")
    first[1:] = correlation[1:] != correlation[:-1]
    starts = numpy.flatnonzero(first)
    known = correlation[starts]
    place = numpy.minimum(numpy.searchsorted(known, columns["correlation"]), max(len(known) - 1, 0))
    match = known[place] == columns["correlation"] if len(known) else numpy.zeros(len(place), "?")
    more: list[Array] = []
    for name, kind in _EVIDENCE.items():
        values = evidence.pop(name, kind)[order]
        if len(known):
            columns[name] = numpy.zeros(len(match), kind)
            columns[name][match] = _MERGED.get(name, _first)(values, starts)[place[match]]
        elif name == "flags":
            columns[name] = numpy.zeros(len(match), kind)
        else:  # a trace without evidence: no memory for it
            columns[name] = numpy.broadcast_to(numpy.zeros(1, kind), len(match))
        if name in ("wait", "wait_too"):
            more.append(values[~first])
    pairs = [(correlation[~first], events) for events in more]
    waiters, events = (numpy.concatenate(each) for each in zip(*pairs, strict=True))
    return waiters[events != 0], events[events != 0]


def _first(values: Array, starts: Array) -> Array:
    return values[starts]


# What a copy brought to the host is known when it has ended, and comes in a slot of its own.
_MERGED: dict[str, Callable[[Array, Array], Array]] = {
    "flags": numpy.bitwise_or.reduceat,
    "content": numpy.maximum.reduceat,
    "arguments": numpy.maximum.reduceat,
    "event": numpy.maximum.reduceat,
}


def _spent_as_time(columns: dict[str, Array], records: Records) -> None:
    """Give in nanoseconds what it took the trace to read the bytes of copies: it stands where launches have hashes."""
    rows = numpy.flatnonzero(((columns["flags"] & ARGUMENTS) == 0) & (columns["arguments"] != 0))
    if len(rows):
        begin, end = records.host(numpy.array([0, _RATE], "u8")).tolist()
        spent = columns["arguments"][rows].astype("f8") * ((end - begin) / _RATE)
        columns["arguments"][rows] = spent.astype("u8")


def _nest(columns: Columns) -> Array:
    """Note which calls are inside others, and hand what these know on to the outermost. Gives the outermost's rows."""
    outer, inside = _outermost(columns["thread"], columns["begin"], columns["end"])
    columns["depth"] = inside.astype("u1")
    inner = numpy.flatnonzero(inside)
    for name in ("site", "event", "stream", "wait"):
        missing = inner[(columns[name][outer[inner]] == 0) & (columns[name][inner] != 0)]
        if len(missing):
            columns[name][outer[missing[::-1]]] = columns[name][missing[::-1]]
    waits = inner[columns["role"][inner] == Role.SYNCHRONIZE]
    waits = waits[numpy.isin(columns["role"][outer[waits]], (Role.COPY, Role.FILL))]
    columns["flags"][outer[waits]] |= BLOCKING
    return numpy.asarray(outer)


def _outermost(thread: Array, begin: Array, end: Array) -> tuple[Array, Array]:
    """Give the row of the outermost call that each call is inside of, itself if there is none; and which are inside."""
    count = len(begin)
    outer, inside = numpy.arange(count, dtype="i4"), numpy.zeros(count, "?")
    if count:
        # A call is inside another if one before it, of its thread, ends later. Threads follow one another by an offset.
        start = int(begin.min())
        offset = thread.astype("i8") * (int(end.max()) - start + 2)
        offset += end
        offset -= start
        inside[1:] = (numpy.maximum.accumulate(offset)[:-1] >= offset[1:]) & (thread[1:] == thread[:-1])
        outer = numpy.maximum.accumulate(numpy.where(inside, 0, outer))
    return outer, inside


def _works(commands: Columns, columns: Columns, outer: Array, timings: Timings) -> Works:
    """Find the times of commands, and give each call the place of its works."""
    times = timings.times_of(commands["correlation"])
    timed = numpy.flatnonzero(times["timed"])
    row = commands["row"][timed]
    op = outer[row]
    order = numpy.lexsort((commands["node"][timed], op))
    timed, op, row = timed[order], op[order], row[order]
    count = len(outer)
    number = numpy.bincount(op, minlength=count).astype("i4") if count else numpy.zeros(0, "i4")
    columns["works"] = number
    columns["work"] = numpy.where(number > 0, numpy.cumsum(number) - number, -1).astype("i4")
    return Works(
        begin=times["started"][timed],
        end=times["ended"][timed],
        enqueued=columns["begin"][row],
        op=op.astype("i4"),
        role=_role(commands["kind"][timed], numpy.zeros(len(timed), "u1")),
        name=commands["name"][timed],
        stream=commands["stream"][timed],
        device=commands["device"][timed],
        node=commands["node"][timed],
    )


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
    names = ("end", "processor", "runnable", "process", "switches", "faults", "spent")
    columns = {name: rows.pop(name, "i8")[order] for name in names}
    looks = Looks(begin=begin[order], thread=_places(rows.pop("thread", "u4"), threads)[order], **columns)
    return repaired(joined(looks, rows.pop("in_pause", "u1")[order] != 0))


def _places(values: Array, threads: Array) -> Array:
    """Give the threads' places; -1: the thread has no calls."""
    if not len(threads):
        return numpy.full(len(values), -1, "i4")
    place = numpy.minimum(numpy.searchsorted(threads, values), len(threads) - 1)
    return numpy.where(threads[place] == values, place, -1).astype("i4")
