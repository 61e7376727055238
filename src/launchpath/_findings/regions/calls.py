"""Calls of a region that are the same call in each repetition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.regions.regular import regular
from launchpath._findings.site import short_site
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.overhead import overhead
from launchpath._findings.timeline.roles import Scope


@dataclass
class Calls:
    """A call that each typical repetition has, or several of one source line.

    Attributes
    ----------
    region : Region
    rows : numpy.ndarray of int64
        A row for each typical repetition, a column for each call.
    """

    region: Region
    rows: Array

    @property
    def every(self) -> Array:
        """Rows of all calls, in the order of time."""
        return numpy.asarray(self.rows.reshape(-1))

    @property
    def site(self) -> str:
        """The source line; empty: it is not known."""
        timeline = self.region.timeline
        return timeline.site(int(timeline.ops.site[self.rows[0, 0]]))

    def named(self, word: str) -> str:
        """Name the calls for readers: "The copy at simulate.py:63", or "`cuMemcpyHtoD_v2`" where there is no line."""
        if self.site:
            return f"The {word} at {short_site(self.site)}"
        timeline = self.region.timeline
        return f"`{timeline.names[timeline.ops.name[self.rows[0, 0]]]}`"


def typical_calls(region: Region) -> Array:
    """Give the outermost calls of typical repetitions, a row for each, without polling: a column is the same call."""
    if "typical calls" not in region.notes:
        every = numpy.arange(region.first.min(initial=0), region.last.max(initial=0))
        keeps = numpy.zeros(len(region.timeline.ops), "?")
        keeps[every] = (region.timeline.ops.depth[every] == 0) & regular(region.timeline, every)
        matrix = []
        for first, last in zip(region.first[region.typical], region.last[region.typical], strict=True):
            rows = numpy.arange(first, last)
            matrix.append(rows[keeps[rows]])
        lengths = Counter(len(rows) for rows in matrix)
        length = lengths.most_common(1)[0][0] if lengths else 0
        matrix = [rows for rows in matrix if len(rows) == length]
        region.notes["typical calls"] = numpy.array(matrix, "i8").reshape(len(matrix), length)
    calls: Array = region.notes["typical calls"]
    return calls


def grouped(region: Region, columns: Iterable[int]) -> list[Calls]:
    """Give columns of `typical_calls` as groups: those of one source line, function and stream are one.

    A wait for the whole device has no stream of its own.
    """
    calls, ops = typical_calls(region), region.timeline.ops
    groups: dict[tuple[int, int, int], list[int]] = {}
    for column in columns:
        row = int(calls[0, column])
        stream = 0 if ops.scope[row] == Scope.DEVICE else int(ops.stream[row])
        key = (int(ops.site[row]) or -1 - column, int(ops.function[row]), stream)
        groups.setdefault(key, []).append(column)
    return [Calls(region, calls[:, group]) for group in groups.values()]


def call_time(region: Region, rows: Array) -> Array:
    """Give the time of each call without what evidence has cost in it, which reads the bytes of copies."""
    ops = region.timeline.ops
    time = ops.end[rows] - ops.begin[rows]
    return numpy.asarray(numpy.maximum(time - overhead(region.timeline).inside[rows].astype("i8"), 0))


def work_time(region: Region, rows: Array) -> Array:
    """Give the time of each call's works on the device, 0 where it is not known; in the shape of the rows."""
    ops, works = region.timeline.ops, region.timeline.works
    if not len(works):
        return numpy.zeros(rows.shape, "i8")
    sums = numpy.concatenate([numpy.zeros(1, "i8"), numpy.cumsum(works.end - works.begin)])
    first = numpy.maximum(ops.work[rows], 0)
    return numpy.asarray(sums[first + ops.works[rows]] - sums[first])


def work_end(region: Region, rows: Array) -> Array:
    """Give when each call's last work ended; -1: not known."""
    ops, works = region.timeline.ops, region.timeline.works
    if not len(works):
        return numpy.full(rows.shape, -1, "i8")
    last = numpy.maximum(ops.work[rows] + ops.works[rows] - 1, 0)
    return numpy.where(ops.works[rows] > 0, works.end[last], -1)


def work_begin(region: Region, rows: Array) -> Array:
    """Give when each call's first work began; -1: not known."""
    ops, works = region.timeline.ops, region.timeline.works
    if not len(works):
        return numpy.full(rows.shape, -1, "i8")
    return numpy.where(ops.works[rows] > 0, works.begin[numpy.maximum(ops.work[rows], 0)], -1)


def everywhere(calls: Calls) -> Array:
    """Give the rows of calls, and in other repetitions those of the same source line and function.

    A line that has other calls too tells nothing about other repetitions.
    """
    region, ops = calls.region, calls.region.timeline.ops
    first = calls.rows[0, 0]
    typical = typical_calls(region)[0]
    alike = (ops.site[typical] == ops.site[first]) & (ops.function[typical] == ops.function[first])
    if not calls.site or numpy.count_nonzero(alike) != calls.rows.shape[1]:
        return numpy.sort(calls.every)
    rows = region.rows()
    rows = rows[(ops.site[rows] == ops.site[first]) & (ops.function[rows] == ops.function[first])]
    others = rows[~region.typical[region.repetition_of(rows)]]
    return numpy.sort(numpy.concatenate([calls.every, others]))
