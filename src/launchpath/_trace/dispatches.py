"""Dispatches: commands with their times, as tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import partial

import numpy

from launchpath._trace.chunk import Chunk
from launchpath._trace.columns import Array, Named, NamedTable, Table, combined, joined, named, plain
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
    return command_table(slots, details, threads, records, timings.times_of(slots["correlation"]))


def with_names(table: Table, records: Records, wanted: Collection[str] | None = None) -> NamedTable:
    """Put names in place of the numbers of commands, kernels, devices and directions; only in the columns `wanted`."""
    labels = records.labels
    texts: dict[str, Callable[[], Named]] = {
        "command": lambda: named(table["command"], lambda number: COMMAND_NAMES.get(number, f"(command {number})")),
        "name": lambda: named(table["name"], lambda name: labels.kernel(name) if name else ""),
        "symbol": lambda: named(table["name"], lambda name: labels.name(name) if name else ""),
        "function": lambda: _functions(table, labels),
        "direction": lambda: Named(table["direction"].astype("i4"), list(DIRECTIONS)),
        "device_name": lambda: named(table["device"], labels.device),
    }
    result: NamedTable = {**table}
    if "number" in table and labels.recorder:
        result["number"] = numpy.zeros_like(table["number"])
    return result | {name: make() for name, make in texts.items() if wanted is None or name in wanted}


# The columns that columns of names are made of.
NAMED_FROM = {
    "symbol": ("name",),
    "function": ("device", "number", "command"),
    "device_name": ("device",),
}


def _functions(table: Table, labels: Labels) -> Named:
    entry = table["number"] if labels.recorder else table["command"]
    values, codes = combined(
        table["device"], numpy.minimum(entry.astype("u8"), _ENTRIES).astype("i8"), table["command"]
    )
    return Named(codes, [labels.function(device, command, entry) for device, entry, command in values])


def _empty(records: Records, timings: Timings) -> Table:
    slots, details = numpy.zeros(0, LAYOUTS[COMMAND]), numpy.zeros(0, LAYOUTS[DETAIL])
    times = timings.times_of(slots["correlation"])
    return submitted(command_table(slots, details, numpy.zeros(0, "u4"), records, times))


def command_table(
    slots: Array, details: Array, threads: Array, records: Records, times: Table, wanted: Collection[str] | None = None
) -> Table:
    """Give commands as a table.

    Parameters
    ----------
    slots, details, threads : numpy.ndarray
        As `Chunk.commands` gives them.
    records : Records
    times : dict of numpy.ndarray
        As `Timings.times_of` gives them; what no wanted column needs may be missing.
    wanted : collection of str, optional
        The columns to make. If left out, all.
    """
    flags, launch = slots["flags"], details["command"] == LAUNCH
    kept_back = (flags & KEPT_BACK) != 0

    def host(name: str) -> Array:
        return records.host(slots[name])

    def of_driver(name: str) -> Array:
        return numpy.where(kept_back, 0, records.host(numpy.where(kept_back, slots["begin"], slots[name])))

    def of_launch(column: Array) -> Array:
        return numpy.where(launch, column, 0)

    def of_copy(column: Array) -> Array:
        return numpy.where(launch, 0, column)

    makers: dict[str, Callable[[], Array]] = {
        "command": partial(_copied, details, "command"),
        "name": partial(_copied, slots, "name"),
        "correlation": partial(_copied, slots, "correlation"),
        "external": partial(_copied, details, "external"),
        "thread": lambda: threads,
        "device": partial(_copied, details, "device"),
        "stream": partial(_copied, slots, "stream"),
        **{name: partial(_copied, details, name) for name in ("number", "step", "node", "run")},
        **{
            f"{noun}_{axis}": partial(of_launch, details[noun][:, place])
            for noun in ("grid", "block")
            for place, axis in enumerate(_AXES)
        },
        "shared": lambda: of_launch(details["shared"]),
        **{name: partial(of_copy, details[name]) for name in ("bytes", "to", "source")},
        "rows": lambda: of_copy(details["shared"]),
        "direction": lambda: of_copy((flags & DIRECTION) // (DIRECTION // 3)),
        "begin": lambda: host("begin"),
        "driver_begin": lambda: of_driver("driver_begin"),
        "driver_end": lambda: of_driver("driver_end"),
        "end": lambda: host("end"),
        "waited": lambda: records.host(slots["begin"] + slots["waited"]) - host("begin"),
        **{name: partial(times.__getitem__, name) for name in ("timed", "submitted", "started", "ended")},
        "failed": lambda: times["failed"] | ((flags & FAILED) != 0),
        "result": partial(_copied, slots, "result"),
        "waits": partial(_copied, slots, "waits"),
        "left_out": partial(_copied, details, "left_out"),
        "in_step": lambda: (flags & IN_STEP) != 0,
        "in_graph": lambda: (flags & IN_GRAPH) != 0,
        "cooperative": lambda: (flags & COOPERATIVE) != 0,
        "kept_back": lambda: kept_back,
    }
    return {name: make() for name, make in makers.items() if wanted is None or name in wanted}


def _copied(slots: Array, name: str) -> Array:
    return slots[name].copy()
