"""A region: what a thread does again and again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy

from launchpath._findings.anchor import Anchor
from launchpath._findings.interval import Interval
from launchpath._findings.regions.regular import regular
from launchpath._findings.statistics import median_interval
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.timeline import Timeline

LEAST = 3  # repetitions of which something can be said


@dataclass
class Region:
    """What a thread does again and again. A repetition lasts from its begin to the begin of the next one.

    Where the thread runs ahead of its devices, the time of a repetition is that of its work: from the end of the work
    before it to the end of its own.

    Attributes
    ----------
    timeline : Timeline
    name : str
        For readers: a range's name, or "loop at simulate.py:41".
    source : str
        ``range``, ``step`` or ``repetition``.
    thread : int
        The thread's place in the timeline.
    begins, ends : numpy.ndarray of int64
        Of each repetition, in the order of time. Where the next repetition follows at once the end is its begin.
    first, last : numpy.ndarray of int64
        The rows of ``timeline.ops`` that a repetition has: ``first <= row < last``, inner calls included.
    typical : numpy.ndarray of bool
        Repetitions with the most frequent sequence of calls, without the first.
    begun, ended : numpy.ndarray of int64
        Of the time of each repetition: `begins` and `ends`, and where the thread runs ahead, those of the work.
    anchor : Anchor or None
    notes : dict
        What was computed from it, by name, so that each fact need not do it again.
    """

    timeline: Timeline
    name: str
    source: str
    thread: int
    begins: Array
    ends: Array
    first: Array
    last: Array
    typical: Array
    begun: Array
    ended: Array
    anchor: Anchor | None = None
    notes: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _rows: Array | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.begins)

    @property
    def durations(self) -> Array:
        """Nanoseconds of each repetition."""
        return numpy.asarray(self.ended - self.begun)

    @property
    def period(self) -> Interval:
        """Nanoseconds of a typical repetition: the median, with the 95 % interval of the median."""
        durations = self.durations
        return median_interval(durations[self.typical] if self.typical.any() else durations)

    @property
    def time(self) -> int:
        """Nanoseconds of all repetitions."""
        return int(self.durations.sum())

    def rows(self) -> Array:
        """Give the outermost calls of all repetitions: their rows in ``timeline.ops``."""
        if self._rows is None:
            ops = self.timeline.ops
            parts = [numpy.arange(first, last) for first, last in zip(self.first, self.last, strict=True)]
            rows = numpy.concatenate([*parts, numpy.zeros(0, "i8")]).astype("i8")
            self._rows = rows[ops.depth[rows] == 0]
        return self._rows

    def repetition_of(self, rows: Array) -> Array:
        """Tell which repetition each row of ``timeline.ops`` is in; -1: none."""
        place = numpy.searchsorted(self.first, rows, "right") - 1
        inside = (place >= 0) & (rows < self.last[numpy.maximum(place, 0)])
        return numpy.where(inside, place, -1)

    def aligned(self) -> Array:
        """Give the outermost calls of typical repetitions as a matrix: a row for each, a column for each call.

        Those of which repetitions have any number, as queries, are left out.
        """
        rows = self.rows()
        rows = rows[regular(self.timeline, rows)]
        rows = rows[self.typical[self.repetition_of(rows)]]
        return rows.reshape(int(self.typical.sum()), -1) if len(rows) else numpy.zeros((0, 0), "i8")
