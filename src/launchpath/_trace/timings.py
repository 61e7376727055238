"""The device times of a trace's commands, found by the commands' correlation numbers."""

from __future__ import annotations

import numpy

from launchpath._trace.columns import Array, Table
from launchpath._trace.format import TIMES
from launchpath._trace.records import Records

_COLUMN_TYPES = {"submitted": "i8", "started": "i8", "ended": "i8", "failed": "?"}


class Timings:
    """The device times of all commands in a file.

    The record of a command is written when it is submitted, and its times when it has ended: both have the same
    correlation number. To make this reads all slots of the file once.

    Parameters
    ----------
    records : Records

    Attributes
    ----------
    correlation : numpy.ndarray
        The numbers of the commands that have times, ascending.
    clamped : int
        How many commands had to be moved, because they seemed to start before they were enqueued: see `Placed`.
    correction : int
        By how many nanoseconds they were moved at most.
    """

    def __init__(self, records: Records) -> None:
        parts: list[tuple[Array, ...]] = []
        self.clamped = self.correction = 0
        for chunk in records.chunks():
            if chunk.counts[TIMES]:
                placed = records.placed(chunk.slots_of(TIMES))
                self.clamped += placed.clamped
                self.correction = max(self.correction, placed.correction)
                correlation = placed.slots["correlation"].copy()
                parts.append((correlation, placed.submitted, placed.start, placed.end, placed.failed))
        no_commands = (numpy.zeros(0, "u8"), *(numpy.zeros(0, kind) for kind in _COLUMN_TYPES.values()))
        columns = [numpy.concatenate(column) for column in zip(no_commands, *parts, strict=True)]
        order = numpy.argsort(columns[0], kind="stable")
        self.correlation = columns[0][order]
        self._columns = dict(zip(_COLUMN_TYPES, (column[order] for column in columns[1:]), strict=True))

    def times_of(self, correlation: Array) -> Table:
        """Look up the times of commands.

        Parameters
        ----------
        correlation : numpy.ndarray
            The commands' numbers, in any order. Some may have no times.

        Returns
        -------
        dict of str to numpy.ndarray
            A row for each number. ``timed`` is true where the times are known; ``submitted``, ``started`` and ``ended``
            are nanoseconds of the monotonic clock, and 0 where a command has no times or failed; ``failed`` is true for
            commands that failed while they ran, or whose times the library does not give.
        """
        if not len(self.correlation):
            zeros = {name: numpy.zeros(len(correlation), kind) for name, kind in _COLUMN_TYPES.items()}
            return {"timed": numpy.zeros(len(correlation), "?"), **zeros}
        rows = numpy.minimum(numpy.searchsorted(self.correlation, correlation), len(self.correlation) - 1)
        is_found = self.correlation[rows] == correlation
        columns = {name: numpy.where(is_found, column[rows], 0) for name, column in self._columns.items()}
        columns["failed"] = columns["failed"].astype("?")
        return {"timed": is_found & ~columns["failed"], **columns}
