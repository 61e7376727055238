"""Calls of launchpath and of drivers, as tables."""

from __future__ import annotations

import os

import numpy

from launchpath._trace.chunk import Chunk
from launchpath._trace.columns import Array, Named, NamedTable, Table, combined, joined, plain
from launchpath._trace.format import API, CALL, CALL_SLOT, FAILED
from launchpath._trace.records import Records

_SAME = ("entry", "device", "correlation", "parent", "external", "stream", "quantity", "result")


def calls(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Give the calls of a trace but those of commands: of launchpath, and of drivers by the library's own names.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    dict of numpy.ndarray
        ``driver`` is false for calls of launchpath. ``parent`` is the correlation of the call of launchpath that a
        driver's call is part of, or 0. ``quantity`` is in bytes; of a marker: the events that it waits for.
        Times are nanoseconds of the monotonic clock.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """
    return plain(call_columns(path))


def call_table(chunk: Chunk, records: Records) -> Table:
    """Give the calls of a chunk. Names are numbers still."""
    slots = numpy.concatenate([chunk.slots_of(API), chunk.slots_of(CALL)])
    threads = numpy.concatenate([chunk.threads(API), chunk.threads(CALL)])
    return _table(slots, threads, records)


def calls_with_names(table: Table, records: Records) -> NamedTable:
    """Put names in place of the numbers of calls."""
    labels = records.labels
    values, codes = combined(table["driver"].astype("u1"), table["device"], table["entry"])
    texts = [labels.entry(device, entry) if driver else labels.api(entry) for driver, device, entry in values]
    names = Named(codes, texts)
    return {"name": names, **{name: column for name, column in table.items() if name != "entry"}}


def call_columns(path: str | os.PathLike[str]) -> NamedTable:
    """Give the columns of `calls`, with names as categories."""
    with Records(path) as records:
        empty = _table(numpy.zeros(0, CALL_SLOT), numpy.zeros(0, "u4"), records)
        return calls_with_names(joined((call_table(chunk, records) for chunk in records.chunks()), empty), records)


def _table(slots: Array, threads: Array, records: Records) -> Table:
    return {
        "driver": slots["kind"] == CALL,
        "thread": threads,
        **{name: slots[name].copy() for name in _SAME},
        "begin": records.host(slots["begin"]),
        "end": records.host(slots["end"]),
        "failed": (slots["flags"] & FAILED) != 0,
    }
