"""The outermost calls of a stretch, as columns: times are nanoseconds since its begin."""

from __future__ import annotations

import numpy

from launchpath._findings.simulation.costs import Costs
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.overhead import overhead
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import BLOCKING

NEVER = float("-inf")
CLOCKS = 3000.0  # nanoseconds by which times of hosts and devices may disagree
_BLOCKS = 0.9  # of the copies of a kind that end behind their work: all of them block
_POLL = 200_000  # nanoseconds between two queries of the same polling
_LONG = 10.0  # times the usual, and
_LONG_LEAST = 50_000.0  # nanoseconds of a submission that ended with its work: that had its processor


class Recorded:
    """Calls of all threads, in the order of their begins.

    Attributes
    ----------
    rows, role, function, thread : numpy.ndarray
        Of ``Timeline.ops``.
    begin, end : numpy.ndarray of float64
    before : numpy.ndarray of float64
        Since the end of the thread's call before; of its first one, since the begin of the stretch.
    polls : numpy.ndarray of bool
        Calls that stand for all queries of a polling.
    has : numpy.ndarray of bool
        Calls with works whose times are known: `started`, `ended`, `stream`, `device` are theirs.
    blocks : numpy.ndarray of bool
        Submissions that return when their own work has ended.
    cost : numpy.ndarray of float64
        Of their records.
    read, read_inside : numpy.ndarray of float32
        Of reading the bytes of copies: in `before`, and in the calls.
    """

    def __init__(self, timeline: Timeline, costs: Costs, rows: Array, origin: int) -> None:
        ops, works = timeline.ops, timeline.works
        rows, last = _without_polls(ops, rows)
        self.rows, self.polls = rows, last != rows
        self.thread, self.role, self.function = ops.thread[rows], ops.role[rows], ops.function[rows]
        self.begin = (ops.begin[rows] - origin).astype("f8")
        self.end = (ops.end[last] - origin).astype("f8")
        self.before = _before(self.thread, self.begin, self.end)
        self.cost, beside = costs.of(rows), overhead(timeline)
        self.read, self.read_inside = beside.before[rows], beside.inside[rows]
        first, number = ops.work[rows], ops.works[rows]
        self.has = number > 0
        self.stream, self.device = ops.stream[rows].astype("i8"), ops.device[rows].astype("i8")
        self.started, self.ended = numpy.full(len(rows), numpy.inf), numpy.full(len(rows), NEVER)
        if self.has.any():
            at = first[self.has]
            self.stream[self.has], self.device[self.has] = works.stream[at], works.device[at]
            self.started[self.has], self.ended[self.has] = works.begin[at] - origin, works.end[at] - origin
        for place in numpy.flatnonzero(number > 1).tolist():
            its = slice(first[place], first[place] + number[place])
            self.started[place] = works.begin[its].min() - origin
            self.ended[place] = works.end[its].max() - origin
        self.blocks = self._blocking(ops.flags[rows], ops.direction[rows], timeline.evidence) | self._robbed()

    def __len__(self) -> int:
        return len(self.rows)

    def _blocking(self, flags: Array, direction: Array, evidence: bool) -> Array:
        """Tell which copies are waited for by their own call."""
        copies = self.has & ((self.role == Role.COPY) | (self.role == Role.FILL))
        blocks: Array = copies & ((flags & BLOCKING) != 0)
        if evidence:
            return blocks
        late = copies & (self.end >= self.ended - CLOCKS) & (self.started >= self.begin - CLOCKS)
        kinds = self.function.astype("i8") << 2 | direction
        for kind in numpy.unique(kinds[copies]).tolist():
            its = copies & (kinds == kind)
            if numpy.count_nonzero(late & its) >= _BLOCKS * numpy.count_nonzero(its):
                blocks |= its
        return blocks

    def _robbed(self) -> Array:
        """Tell which submissions did not go on before their work had ended: a CPU device ran it on their processor."""
        submits = self.has & (self.role == Role.LAUNCH)
        if not submits.any():
            return numpy.asarray(submits)
        time = self.end - self.begin
        usual = float(numpy.median(time[submits]))
        last = self.ended - self.started
        long = submits & (time > max(_LONG * usual, _LONG_LEAST)) & (last > 0.5 * time)
        return numpy.asarray(long & (self.started < self.end) & (self.ended > self.begin + 0.5 * time))


def _before(thread: Array, begin: Array, end: Array) -> Array:
    order = numpy.lexsort((begin, thread))
    previous = numpy.zeros(len(order))
    previous[1:] = numpy.where(thread[order][1:] == thread[order][:-1], end[order][:-1], 0.0)
    result = numpy.zeros(len(order))
    result[order] = begin[order] - previous
    return numpy.maximum(result, 0.0)


def _without_polls(ops: Ops, rows: Array) -> tuple[Array, Array]:
    """Make one call of the queries of a polling. Gives the rows that are left, and for each the last of its calls."""
    order = numpy.argsort(ops.thread[rows], kind="stable")
    its = rows[order]
    query = ops.role[its] == Role.QUERY
    joined = numpy.zeros(len(rows), "?")
    joined[1:] = (
        query[1:]
        & query[:-1]
        & (ops.thread[its][1:] == ops.thread[its][:-1])
        & (ops.begin[its][1:] - ops.end[its][:-1] < _POLL)
    )
    if not joined.any():
        return rows, rows
    heads = numpy.flatnonzero(~joined)
    tails = numpy.append(heads[1:], len(rows)) - 1
    left = numpy.argsort(order[heads], kind="stable")
    return its[heads][left], its[tails][left]
