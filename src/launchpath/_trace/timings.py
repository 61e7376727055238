"""The times of commands by correlation."""

from __future__ import annotations

import numpy

from launchpath._trace.columns import Array, Table
from launchpath._trace.format import TIMES
from launchpath._trace.records import Records

_COLUMNS = {"submitted": "i8", "started": "i8", "ended": "i8", "failed": "?"}


class Timings:
    """Times of a file's commands, sorted by their correlation. Making it reads all slots once."""

    def __init__(self, records: Records) -> None:
        parts: list[tuple[Array, ...]] = []
        # how many commands were moved, and by how many nanoseconds at most: see `Placed`
        self.clamped = self.correction = 0
        for chunk in records.chunks():
            if chunk.counts[TIMES]:
                placed = records.placed(chunk.slots_of(TIMES))
                self.clamped += placed.clamped
                self.correction = max(self.correction, placed.correction)
                correlation = placed.slots["correlation"].copy()
                parts.append((correlation, placed.submitted, placed.start, placed.end, placed.failed))
        empty = (numpy.zeros(0, "u8"), *(numpy.zeros(0, kind) for kind in _COLUMNS.values()))
        columns = [numpy.concatenate(column) for column in zip(empty, *parts, strict=True)]
        order = numpy.argsort(columns[0], kind="stable")
        self.correlation = columns[0][order]
        self._columns = dict(zip(_COLUMNS, (column[order] for column in columns[1:]), strict=True))

    def times_of(self, correlation: Array) -> Table:
        """Give the times of commands: columns ``timed``, ``submitted``, ``started``, ``ended`` and ``failed``.

        ``timed`` is true where the times are known. Else they are 0.
        """
        if not len(self.correlation):
            zeros = {name: numpy.zeros(len(correlation), kind) for name, kind in _COLUMNS.items()}
            return {"timed": numpy.zeros(len(correlation), "?"), **zeros}
        place = numpy.minimum(numpy.searchsorted(self.correlation, correlation), len(self.correlation) - 1)
        match = self.correlation[place] == correlation
        columns = {name: numpy.where(match, column[place], 0) for name, column in self._columns.items()}
        columns["failed"] = columns["failed"].astype("?")
        return {"timed": match & ~columns["failed"], **columns}
