"""Commands with their times, in one pass over a file: neither all commands nor all times are in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy

from launchpath._trace.chunk import Chunk
from launchpath._trace.columns import Array, NamedTable, Table
from launchpath._trace.dispatches import NAMED_FROM, command_table, with_names
from launchpath._trace.files.file import CHUNK
from launchpath._trace.format import FAILED, KEPT_BACK, TIMED, TIMES
from launchpath._trace.records import Records

_TIMES = {"submitted": "i8", "started": "i8", "ended": "i8", "failed": "?"}
OF_TIMES = ("timed", *_TIMES)  # columns for which times are looked up
_NUMBER, _REFUSED, _TO_COME = "correlation", "refused", "to come"


def dispatch_parts(records: Records, wanted: Collection[str], size: int = CHUNK) -> Iterator[NamedTable]:
    """Give dispatches, some at a time, nearly in the order of time.

    A command waits for its times, which stand behind it in the file: so many commands are in memory as were in flight
    at a time. Commands whose times are not in the file come last.

    Parameters
    ----------
    records : Records
    wanted : collection of str
        The columns to make: of those of `dispatches.dispatches`.
    size : int
        Slots that are read at a time.
    """
    needed = {*wanted, *(source for name in wanted for source in NAMED_FROM.get(name, ()))}
    parts = _paired(records, needed, size) if needed.intersection(OF_TIMES) else _alone(records, needed, size)
    for part in parts:
        if len(next(iter(part.values()))):
            yield with_names(part, records, wanted)


def _alone(records: Records, needed: Collection[str], size: int) -> Iterator[Table]:
    for chunk in records.chunks(size, by_file=True):
        yield _commands(chunk, records, needed)


def _paired(records: Records, needed: set[str], size: int) -> Iterator[Table]:
    known, waiting = _Known(records), _Waiting()
    for chunk in records.chunks(size, by_file=True):
        part = _commands(chunk, records, {*needed.difference(OF_TIMES), _NUMBER, _REFUSED, _TO_COME})
        if chunk.counts[TIMES]:
            known.add(chunk.slots_of(TIMES))
            part = waiting.with_those_that_wait(part)
        there, times = known.take(part[_NUMBER])
        ready = there | ~part[_TO_COME]
        waiting.add(_chosen(part, ~ready))
        yield _chosen({**part, **times, "failed": times["failed"] | part[_REFUSED]}, ready)
    for part in waiting.rest():
        times = known.take(part[_NUMBER])[1]
        yield {**part, **times, "failed": times["failed"] | part[_REFUSED]}


def _commands(chunk: Chunk, records: Records, needed: Collection[str]) -> Table:
    """The commands of a chunk that were submitted, without times."""
    slots, details, threads = chunk.commands()
    submitted = (slots["flags"] & KEPT_BACK) == 0
    if not submitted.all():
        slots, details, threads = slots[submitted], details[submitted], threads[submitted]
    table = command_table(slots, details, threads, records, {}, needed)
    if _TO_COME in needed:
        table |= {_REFUSED: (slots["flags"] & FAILED) != 0, _TO_COME: (slots["flags"] & TIMED) != 0}
    return table


def _chosen(table: Table, chosen: Array) -> Table:
    return table if chosen.all() else {name: column[chosen] for name, column in table.items()}


class _Waiting:
    """Commands whose times were not read yet. They are looked for only where there are new times."""

    def __init__(self) -> None:
        self._parts: list[Table] = []

    def add(self, table: Table) -> None:
        if len(table[_NUMBER]):
            self._parts.append(table)

    def with_those_that_wait(self, table: Table) -> Table:
        """Give them with further ones; none wait then."""
        if not self._parts:
            return table
        parts, self._parts = [*self._parts, table], []
        return {name: numpy.concatenate([part[name] for part in parts]) for name in table}

    def rest(self) -> Iterator[Table]:
        yield from self._parts


class _Known:
    """Times whose commands were not read yet, in the order of their correlation."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._numbers = numpy.zeros(0, "u8")
        self._columns: Table = {name: numpy.zeros(0, kind) for name, kind in _TIMES.items()}

    def add(self, slots: Array) -> None:
        """Add ``TIMES`` slots."""
        placed = self._records.placed(slots)
        numbers = numpy.concatenate([self._numbers, slots["correlation"]])
        order = numpy.argsort(numbers, kind="stable")
        self._numbers = numbers[order]
        columns = (placed.submitted, placed.start, placed.end, placed.failed)
        for name, column in zip(_TIMES, columns, strict=True):
            self._columns[name] = numpy.concatenate([self._columns[name], column])[order]

    def take(self, correlation: Array) -> tuple[Array, Table]:
        """Look up times; which are there, and `Timings.times_of`'s columns. Those that are there are taken away."""
        there = numpy.zeros(len(correlation), "?")
        times: Table = {name: numpy.zeros(len(correlation), kind) for name, kind in _TIMES.items()}
        if len(self._numbers) and len(correlation):
            places = numpy.minimum(numpy.searchsorted(self._numbers, correlation), len(self._numbers) - 1)
            there = self._numbers[places] == correlation
            left = numpy.ones(len(self._numbers), "?")
            left[places[there]] = False
            for name, column in self._columns.items():
                times[name] = numpy.where(there, column[places], times[name])
                self._columns[name] = column[left]
            self._numbers = self._numbers[left]
        times["timed"] = there & ~times["failed"]
        return there, times
