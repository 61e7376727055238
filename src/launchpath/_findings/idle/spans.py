"""Spans of time that do not overlap, and how much of them is before a moment."""

from __future__ import annotations

import numpy

from launchpath._findings.timeline.ops import Array


class Spans:
    """Spans in the order of time.

    Parameters
    ----------
    begin, end : numpy.ndarray of int64
        Each span ends before the next one begins, or where it does.
    """

    def __init__(self, begin: Array, end: Array) -> None:
        self.begin, self.end = begin, end
        self._sums = numpy.concatenate([numpy.zeros(1, "i8"), numpy.cumsum(end - begin, dtype="i8")])

    def __len__(self) -> int:
        return len(self.begin)

    def before(self, times: Array) -> Array:
        """Tell for each moment how much of the spans is before it."""
        if not len(self.begin):
            return numpy.zeros(len(times), "i8")
        place = numpy.searchsorted(self.begin, times, "right") - 1
        known = numpy.maximum(place, 0)
        part = numpy.minimum(times, self.end[known]) - self.begin[known]
        return numpy.asarray(numpy.where(place < 0, 0, self._sums[known] + part))

    def between(self, begin: Array, end: Array) -> Array:
        """Tell how much of the spans is between two moments; 0 where the second is the earlier one."""
        return numpy.asarray(numpy.maximum(self.before(end) - self.before(begin), 0))


def union(begin: Array, end: Array) -> tuple[Spans, Array, Array]:
    """Unite spans that may overlap.

    Returns
    -------
    Spans
    first, last : numpy.ndarray of int64
        For each span of the union, which of the given spans begins it, and which ends it.
    """
    order = numpy.argsort(begin, kind="stable")
    begin, end = begin[order], end[order]
    if not len(order):
        return Spans(begin, end), order, order
    latest = numpy.maximum.accumulate(end)
    new = numpy.concatenate([[True], begin[1:] > latest[:-1]])
    first = numpy.flatnonzero(new)
    last = numpy.append(first[1:], len(order)) - 1
    # The span that reaches furthest so far: the last one that has moved the end.
    moved = numpy.concatenate([[True], latest[1:] > latest[:-1]])
    furthest = numpy.maximum.accumulate(numpy.where(moved, numpy.arange(len(order)), 0))
    return Spans(begin[first], latest[last]), order[first], order[furthest[last]]
