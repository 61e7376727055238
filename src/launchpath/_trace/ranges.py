"""Ranges and marks that users name, and streams, as tables."""

from __future__ import annotations

import os

import numpy

from launchpath._trace.chunk import Chunk
from launchpath._trace.columns import Array, Named, NamedTable, Table, joined, named, plain
from launchpath._trace.format import MARK, NVTX, RANGE, RANGE_BEGIN, RANGE_SLOT, ROCTX
from launchpath._trace.records import Records

_SAME = ("name", "domain", "category", "correlation", "external", "depth", "color", "payload")
_NUMBERS = ("name", "domain", "category")
SOURCES = ("launchpath", "nvtx", "roctx")
STREAM_TYPES = ("legacy", "blocking", "nonblocking")


def ranges(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Give the ranges and marks of a trace.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    dict of numpy.ndarray
        Times are nanoseconds of the monotonic clock. ``end`` of a mark is its ``begin``. Where ``open`` is true the
        range had not ended, and its ``end`` is 0.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """
    return plain(range_columns(path))


def streams(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Give the streams of a trace: number, device, type, the library's handle, and when they were first seen.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """
    with Records(path) as records:
        slots = records.streams
        return plain(
            {
                "stream": slots["stream"].copy(),
                "device": slots["device"].copy(),
                "type": Named(numpy.minimum(slots["type"], 2).astype("i4"), list(STREAM_TYPES)),
                "handle": slots["handle"].copy(),
                "time": records.host(slots["ticks"]),
            }
        )


def open_ranges(records: Records) -> Table:
    """Give the ranges that have not ended. It reads all slots once."""
    begun, ended, threads = [numpy.zeros(0, RANGE_SLOT)], [numpy.zeros(0, "u8")], [numpy.zeros(0, "u4")]
    for chunk in records.chunks() if records.kinds[RANGE_BEGIN] else ():
        begun.append(chunk.slots_of(RANGE_BEGIN))
        threads.append(chunk.threads(RANGE_BEGIN))
        ended.append(chunk.slots_of(RANGE)["correlation"].copy())
    slots = numpy.concatenate(begun)
    still = ~numpy.isin(slots["correlation"], numpy.concatenate(ended))
    return _table(slots[still], numpy.concatenate(threads)[still], records)


def range_table(chunk: Chunk, records: Records) -> Table:
    """Give the ranges of a chunk that have ended, and its marks. Names are numbers still."""
    slots = numpy.concatenate([chunk.slots_of(RANGE), chunk.slots_of(MARK)])
    return _table(slots, numpy.concatenate([chunk.threads(RANGE), chunk.threads(MARK)]), records)


def ranges_with_names(table: Table, records: Records) -> NamedTable:
    """Put names in place of the numbers of ranges, domains and categories."""
    texts: dict[str, Array | Named] = {
        column: named(table[column], lambda number: records.labels.name(number) if number else "")
        for column in _NUMBERS
    }
    texts["source"] = Named(table["source"], list(SOURCES))
    return {**table, **texts}


def range_columns(path: str | os.PathLike[str]) -> NamedTable:
    """Give the columns of `ranges`, with names as categories."""
    with Records(path) as records:
        empty = _table(numpy.zeros(0, RANGE_SLOT), numpy.zeros(0, "u4"), records)
        parts = [range_table(chunk, records) for chunk in records.chunks()]
        return ranges_with_names(joined([*parts, open_ranges(records)], empty), records)


def _table(slots: Array, threads: Array, records: Records) -> Table:
    begin, mark = records.host(slots["begin"]), slots["kind"] == MARK
    still = slots["kind"] == RANGE_BEGIN
    end = records.host(numpy.where(still | mark, slots["begin"], slots["end"]))
    source = numpy.where(slots["flags"] & ROCTX, 2, numpy.where(slots["flags"] & NVTX, 1, 0)).astype("i4")
    return {
        **{name: slots[name].copy() for name in _SAME},
        "thread": threads,
        "begin": begin,
        "end": numpy.where(still, 0, end),
        "mark": mark,
        "open": still,
        "source": source,
    }
