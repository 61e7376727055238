"""Slices: what is drawn on a row of tracks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy

from launchpath._trace.columns import Array
from launchpath._trace.formats.perfetto.rows import Lanes

BEGIN, END, INSTANT = 1, 2, 3  # as TrackEvent.Type has them
_BATCH = 1 << 14


class Event(NamedTuple):
    """The begin or the end of a slice, or an instant."""

    type: int  # ``BEGIN``, ``END`` or ``INSTANT``
    lane: int  # which of the row's tracks, from 0
    time: int  # nanoseconds
    place: int  # of the slice among those that `events` was called with


def events(begin: Array, end: Array, order: Array | None = None, instant: Array | None = None) -> Iterator[Event]:
    """Draw slices: on lanes, where slices nest, or follow one another. A lane's times never decrease.

    Parameters
    ----------
    begin, end : numpy.ndarray
        Nanoseconds.
    order : numpy.ndarray, optional
        Slices may nest: of those with the same times, the one with the lower number is outside. If left out, slices do
        not nest: those that overlap are on different lanes.
    instant : numpy.ndarray of bool, optional
        Those that are instants.
    """
    places = numpy.lexsort((end, begin) if order is None else (order, -end, begin))
    lanes = Lanes(order is not None)
    for place, first, last, is_instant in _batches(places, begin, end, instant):
        while ended := lanes.ended(first):
            yield Event(END, ended[1], ended[0], ended[2])
        if is_instant:
            yield Event(INSTANT, 0, first, place)
        else:
            yield Event(BEGIN, lanes.begin(max(first, last), place), first, place)
    while ended := lanes.ended():
        yield Event(END, ended[1], ended[0], ended[2])


def _batches(places: Array, begin: Array, end: Array, instant: Array | None) -> Iterator[tuple[int, int, int, bool]]:
    """Give places, times and whether it is an instant, some at a time: Python's numbers take much memory."""
    for first in range(0, len(places), _BATCH):
        part = places[first : first + _BATCH]
        instants = [False] * len(part) if instant is None else instant[part].tolist()
        yield from zip(part.tolist(), begin[part].tolist(), end[part].tolist(), instants, strict=True)


class Rows:
    """Rows of a table, in the order in which `events` draws them.

    Parameters
    ----------
    table : dict of numpy.ndarray
        With columns `begin` and `end`.
    begin, end : str
        Columns of times.
    order : str, optional
        As in `events`.
    """

    def __init__(self, table: dict[str, Array], begin: str, end: str, order: str | None = None) -> None:
        keys = (table[end], table[begin]) if order is None else (table[order], -table[end], table[begin])
        places = numpy.lexsort(keys)
        self.table = {name: column[places] for name, column in table.items()}  # the sorted columns
        self._first = -_BATCH
        self._lists: dict[str, list[Any]] = {}

    def __getitem__(self, place: int) -> dict[str, Any]:
        """Give a row. Fast only if rows are asked for in their order."""
        if not self._first <= place < self._first + _BATCH:
            self._first = place // _BATCH * _BATCH
            part = slice(self._first, self._first + _BATCH)
            self._lists = {name: column[part].tolist() for name, column in self.table.items()}
        return {name: column[place - self._first] for name, column in self._lists.items()}


class Columns:
    """Columns that grow by parts.

    Parameters
    ----------
    **kinds : str
        For each column its dtype.
    """

    def __init__(self, **kinds: str) -> None:
        self._kinds = kinds
        self._parts: list[dict[str, Array]] = []

    def add(self, count: int, **columns: Any) -> None:
        """Add rows. Columns that are left out are 0; a number is that of all rows."""
        part = {}
        for name, kind in self._kinds.items():
            column = numpy.asarray(columns.get(name, 0)).astype(kind)
            part[name] = column if column.ndim else numpy.full(count, column, kind)
        self._parts.append(part)

    def parts(self) -> list[dict[str, Array]]:
        """Give the rows as they were added."""
        return self._parts

    def groups(self, *names: str) -> Iterator[tuple[tuple[int, ...], dict[str, Array]]]:
        """Give the rows in groups of equal numbers in some columns, with these numbers. Afterwards there are none."""
        parts, self._parts = self._parts, []
        if not parts:
            return
        columns = {name: numpy.concatenate([part.pop(name) for part in parts]) for name in self._kinds}
        places = numpy.lexsort([columns[name] for name in reversed(names)])
        changed = numpy.zeros(len(places), bool)
        for name in names:
            key = columns[name][places]
            changed[1:] |= key[1:] != key[:-1]
        for group in numpy.split(places, numpy.flatnonzero(changed)):
            if len(group):
                yield (
                    tuple(int(columns[name][group[0]]) for name in names),
                    {name: column[group] for name, column in columns.items()},
                )
