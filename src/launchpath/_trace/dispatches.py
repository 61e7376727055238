"""Dispatches: commands with their times, as tables."""

from __future__ import annotations

import os

import numpy

from launchpath._trace.chunk import Chunk
from launchpath._trace.columns import Array, Named, NamedTable, Table, joined, named, plain
from launchpath._trace.format import (
    COMMAND,
    COMMAND_NAMES,
    COOPERATIVE,
    DETAIL,
    DIRECTION,
    FAILED,
    IN_GRAPH,
    IN_STEP,
    KEPT_BACK,
    LAUNCH,
    LAYOUTS,
)
from launchpath._trace.labels import Labels
from launchpath._trace.records import Records
from launchpath._trace.timings import Timings

DIRECTIONS = ("", "host to device", "device to host", "device to device")
_AXES = "xyz"
_ENTRIES = 0xFFFFFF  # more functions than any library has


def dispatches(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Give all commands of a trace with their times: a row for each launch, copy and fill that was submitted.

    A command of a step or a graph has a row for each run.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    dict of numpy.ndarray
        Times are nanoseconds of the monotonic clock, 0 where they are not known: ``timed`` says whether ``started`` and
        ``ended`` are.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """
    return plain(dispatch_columns(path))


def dispatch_columns(path: str | os.PathLike[str]) -> NamedTable:
    """Give the columns of `dispatches`, with names as categories."""
    with Records(path) as records:
        timings = Timings(records)
        parts = (submitted(commands(chunk, records, timings)) for chunk in records.chunks())
        return with_names(joined(parts, _empty(records, timings)), records)


def submitted(table: Table) -> Table:
    """Leave out the commands that a step kept back: they come again when it runs."""
    kept_back = table["kept_back"]
    return {name: column[~kept_back] for name, column in table.items() if name != "kept_back"}


def commands(chunk: Chunk, records: Records, timings: Timings) -> Table:
    """Give the commands of a chunk with their times. Names are numbers still."""
    slots, details, threads = chunk.commands()
    return _table(slots, details, threads, records, timings)


def with_names(table: Table, records: Records) -> NamedTable:
    """Put names in place of the numbers of commands, kernels, devices and directions."""
    labels = records.labels
    texts: dict[str, Named] = {
        "command": named(table["command"], lambda command: COMMAND_NAMES.get(command, f"(command {command})")),
        "name": named(table["name"], lambda name: labels.kernel(name) if name else ""),
        "symbol": named(table["name"], lambda name: labels.name(name) if name else ""),
        "function": _functions(table, labels),
        "direction": Named(table["direction"].astype("i4"), list(DIRECTIONS)),
        "device_name": named(table["device"], labels.device),
    }
    number = numpy.zeros_like(table["number"]) if labels.recorder else table["number"]
    return {**table, "number": number, **texts}


def _functions(table: Table, labels: Labels) -> Named:
    entry = table["number"] if labels.recorder else table["command"]
    key = (
        table["device"].astype("i8") << 32
        | numpy.minimum(entry.astype("u8"), _ENTRIES).astype("i8") << 8
        | table["command"]
    )
    values, codes = numpy.unique(key, return_inverse=True)
    texts = [labels.function(value >> 32, value & 255, value >> 8 & _ENTRIES) for value in values.tolist()]
    return Named(codes.reshape(-1).astype("i4"), texts)


def _empty(records: Records, timings: Timings) -> Table:
    slots, details = numpy.zeros(0, LAYOUTS[COMMAND]), numpy.zeros(0, LAYOUTS[DETAIL])
    return submitted(_table(slots, details, numpy.zeros(0, "u4"), records, timings))


def _table(slots: Array, details: Array, threads: Array, records: Records, timings: Timings) -> Table:
    flags, launch = slots["flags"], details["command"] == LAUNCH
    kept_back = (flags & KEPT_BACK) != 0
    times = timings.times_of(slots["correlation"])
    host = records.host
    begin = host(slots["begin"])
    sizes = {
        f"{noun}_{axis}": numpy.where(launch, details[noun][:, place], 0)
        for noun in ("grid", "block")
        for place, axis in enumerate(_AXES)
    }
    amounts = {name: numpy.where(launch, 0, details[name]) for name in ("bytes", "to", "source")}
    return {
        "command": details["command"].copy(),
        "name": slots["name"].copy(),
        "correlation": slots["correlation"].copy(),
        "external": details["external"].copy(),
        "thread": threads,
        "device": details["device"].copy(),
        "stream": slots["stream"].copy(),
        "number": details["number"].copy(),
        "step": details["step"].copy(),
        "node": details["node"].copy(),
        "run": details["run"].copy(),
        **sizes,
        "shared": numpy.where(launch, details["shared"], 0),
        **amounts,
        "rows": numpy.where(launch, 0, details["shared"]),
        "direction": numpy.where(launch, 0, (flags & DIRECTION) // (DIRECTION // 3)),
        "begin": begin,
        "driver_begin": numpy.where(kept_back, 0, host(numpy.where(kept_back, slots["begin"], slots["driver_begin"]))),
        "driver_end": numpy.where(kept_back, 0, host(numpy.where(kept_back, slots["begin"], slots["driver_end"]))),
        "end": host(slots["end"]),
        "waited": host(slots["begin"] + slots["waited"]) - begin,
        **{name: times[name] for name in ("timed", "submitted", "started", "ended")},
        "failed": times["failed"] | ((flags & FAILED) != 0),
        "result": slots["result"].copy(),
        "waits": slots["waits"].copy(),
        "left_out": details["left_out"].copy(),
        "in_step": (flags & IN_STEP) != 0,
        "in_graph": (flags & IN_GRAPH) != 0,
        "cooperative": (flags & COOPERATIVE) != 0,
        "kept_back": kept_back,
    }
