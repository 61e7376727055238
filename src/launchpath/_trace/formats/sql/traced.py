"""The rows of views that a trace file has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from launchpath._trace.calls import call_table, calls_with_names
from launchpath._trace.columns import NamedTable, cut
from launchpath._trace.files.file import CHUNK, TraceFile
from launchpath._trace.formats.sql.batches import Batches
from launchpath._trace.labels import Labels, text_of
from launchpath._trace.pairing import dispatch_parts
from launchpath._trace.process import Process
from launchpath._trace.ranges import STREAM_TYPES, open_ranges, range_table, ranges_with_names
from launchpath._trace.records import Progress, Records

_MOST = 1 << 63


class Traced:
    """A trace file, of which rows are read.

    Parameters
    ----------
    path : str
    number : int
        Of its process.
    progress : callable, optional
        Called with how many slots were read, and how many there are.
    """

    def __init__(self, path: str, number: int, progress: Progress | None = None) -> None:
        self._path, self._number, self._progress = path, number, progress

    def batches(self, view: str, batches: Batches, columns: list[str]) -> Iterator[Any]:
        """Read the rows of a view in batches; only the columns that are named."""
        if view in _TABLES:
            with Records(self._path, self._progress) as records:
                constants = self._constants(records.file)
                for table in _TABLES[view](records, batches.needed(columns)):
                    yield batches.of_table(table, constants, columns)
        elif view == "streams":
            with Records(self._path, self._progress, passes=1) as records:
                yield batches.of_rows(self._with_process(records.file, _streams(records)), columns)
        else:
            with TraceFile(self._path) as file:
                rows = [self._about(file)] if view == "processes" else _ROWS[view](file)
                yield batches.of_rows(self._with_process(file, rows), columns)

    def _constants(self, file: TraceFile) -> dict[str, Any]:
        process = Process(file.meta)
        return {"process": self._number, "host": process.host, "rank": process.rank, "pid": process.pid}

    def _with_process(self, file: TraceFile, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        constants = self._constants(file)
        return [{**constants, **row} for row in rows]

    def _about(self, file: TraceFile) -> dict[str, Any]:
        process = Process(file.meta)
        with Records(self._path, self._progress, passes=1) as records:
            begin, real = records.begin, records.real
        return {
            "file": self._path,
            "command": " ".join(process.argv),
            "executable": process.executable,
            "python": text_of(process.facts.get("python")) or None,
            "mode": text_of(file.meta.get("mode")) or None,
            "begin": _number(begin),
            "real": _number(real),
            "ended": file.counters["state"] != 0,
            "lost": _number(file.lost),
            "dropped": _number(file.counters["dropped"]),
        }


def _number(value: int) -> int | None:
    """A number of a file as SQL has it; what is not of 64 bits was damaged."""
    return value if -_MOST <= value < _MOST else None


def _dispatches(records: Records, columns: list[str]) -> Iterator[NamedTable]:
    return dispatch_parts(records, columns)


def _calls(records: Records, columns: list[str]) -> Iterator[NamedTable]:
    for chunk in records.chunks(by_file=True):
        table = call_table(chunk, records)
        if len(table["begin"]):
            yield calls_with_names(table, records)


def _ranges(records: Records, columns: list[str]) -> Iterator[NamedTable]:
    for chunk in records.chunks(by_file=True):
        table = range_table(chunk, records)
        if len(table["begin"]):
            yield ranges_with_names(table, records)
    for part in cut(open_ranges(records), CHUNK):
        yield ranges_with_names(part, records)


def _streams(records: Records) -> list[dict[str, Any]]:
    slots, last = records.streams, len(STREAM_TYPES) - 1
    times = records.host(slots["ticks"]).tolist()
    types = [STREAM_TYPES[min(number, last)] for number in slots["type"].tolist()]
    same = (slots[name].tolist() for name in ("stream", "device", "handle"))
    names = ("type", "time", "stream", "device", "handle")
    return [dict(zip(names, row, strict=True)) for row in zip(types, times, *same, strict=True)]


def _threads(file: TraceFile) -> list[dict[str, Any]]:
    labels = Labels(file.meta, file.names, file.threads)
    return [{"thread": thread, "name": labels.thread(thread)} for thread in file.thread_numbers()]


def _devices(file: TraceFile) -> list[dict[str, Any]]:
    labels = Labels(file.meta, {})
    rows = []
    for device, facts in enumerate(labels.devices()):
        same = {name: text_of(facts.get(name)) for name in ("driver", "platform", "vendor", "kind")}
        rows.append({"device": device, "name": labels.device(device), "ordinal": labels.agent(device), **same})
    return rows


_TABLES: dict[str, Callable[[Records, list[str]], Iterator[NamedTable]]] = {
    "dispatches": _dispatches,
    "calls": _calls,
    "ranges": _ranges,
}
_ROWS: dict[str, Callable[[TraceFile], list[dict[str, Any]]]] = {"threads": _threads, "devices": _devices}
