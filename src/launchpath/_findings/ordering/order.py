"""The order of works: streams, events that are recorded and waited for, and what the host waits for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import BLOCKING


@dataclass
class Edges:
    """Waits for events: a row of `Ops` for each, in the order of time.

    Attributes
    ----------
    waiter : numpy.ndarray of int64
        The call that waits, which may be inside another.
    maker : numpy.ndarray of int64
        The last call before it that recorded the event, or made it; -1: there is none in the trace.
    """

    waiter: Array
    maker: Array


class Order:
    """What a timeline's records tell about the order of its works."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.ops: Ops = timeline.ops

    @cached_property
    def outermost(self) -> Array:
        """For each call the outermost one that it is inside of: itself, mostly."""
        rows = numpy.arange(len(self.ops), dtype="i4")
        return numpy.maximum.accumulate(numpy.where(self.ops.depth == 0, rows, 0)) if len(rows) else rows

    @cached_property
    def moment(self) -> Array:
        """When each call reached the driver: commands come behind the markers that are made inside their call."""
        moment = self.ops.begin.copy()
        inner = numpy.flatnonzero(self.ops.depth)
        numpy.maximum.at(moment, self.outermost[inner], self.ops.end[inner])
        return moment

    @cached_property
    def by_time(self) -> Array:
        """The outermost calls of all threads, in the order of their begins."""
        rows = numpy.flatnonzero(self.ops.depth == 0).astype("i4")
        return rows[numpy.argsort(self.ops.begin[rows], kind="stable")]

    @cached_property
    def _times(self) -> Array:
        return self.ops.begin[self.by_time]

    def between(self, begin: int, end: int) -> Array:
        """Give the outermost calls of all threads that began in a span of time."""
        first, last = numpy.searchsorted(self._times, [begin, end])
        return self.by_time[first:last]

    @cached_property
    def edges(self) -> Edges:
        """Who waits for whom. A handle can be used again: its last record before the wait counts."""
        ops = self.ops
        makers = self._own("event")
        events, moments = [ops.event[makers]], [self.moment[makers]]
        waiters = []
        for name in ("wait", "wait_too"):
            rows = self._own(name)
            waiters.append(rows)
            events.append(getattr(ops, name)[rows])
        correlations, more = self.timeline.more_waits
        if len(correlations):
            order = numpy.argsort(ops.correlation, kind="stable")
            place = numpy.minimum(numpy.searchsorted(ops.correlation[order], correlations), len(ops) - 1)
            match = ops.correlation[order[place]] == correlations
            waiters.append(order[place[match]])
            events.append(more[match])
        waiter = numpy.concatenate(waiters)
        moments.append(self.moment[waiter])
        event, moment = numpy.concatenate(events), numpy.concatenate(moments)
        row = numpy.concatenate([makers, waiter])
        waits = numpy.arange(len(row)) >= len(makers)
        # In the order of (event, time): the last record so far, unless it was of another event.
        order = numpy.lexsort((waits, moment, event))
        event, row, waits = event[order], row[order], waits[order]
        latest = numpy.maximum.accumulate(numpy.where(waits, -1, numpy.arange(len(row)))) if len(row) else row
        known = (latest >= 0) & (event[numpy.maximum(latest, 0)] == event)
        maker = numpy.where(known, row[numpy.maximum(latest, 0)], -1)[waits]
        waiter, moment = row[waits], moment[order][waits]
        again = numpy.argsort(moment, kind="stable")
        return Edges(waiter[again].astype("i8"), maker[again].astype("i8"))

    def _own(self, name: str) -> Array:
        """Rows with an event of their own: outer calls have those of inner ones too."""
        column = getattr(self.ops, name)
        rows = numpy.flatnonzero(column)
        inner = rows[self.ops.depth[rows] > 0]
        outer = self.outermost[inner]
        handed_on = outer[column[outer] == column[inner]]
        return rows[~numpy.isin(rows, handed_on)]

    @cached_property
    def makers(self) -> dict[int, list[int]]:
        """For each waiting call the calls that made what it waits for; -1: not known."""
        result: dict[int, list[int]] = {}
        for waiter, maker in zip(self.edges.waiter.tolist(), self.edges.maker.tolist(), strict=True):
            result.setdefault(waiter, []).append(maker)
            outer = int(self.outermost[waiter])
            if outer != waiter:
                result.setdefault(outer, []).append(maker)
        return result


class Clocks:
    """Numbers of commands by stream, and for each stream what its next command is ordered behind: DESIGN section 3."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._number: dict[int, int] = {}
        self._clock: dict[int, dict[int, int]] = {}
        self._point: dict[int, tuple[int, int, dict[int, int]]] = {}  # of a call that made an event
        self._seen: dict[int, dict[int, int]] = {}  # by each thread: complete

    def submit(self, row: int) -> bool:
        """Put a command, a record or a wait into its stream. Gives whether its waits order anything new."""
        ops = self._order.ops
        stream, thread = int(ops.stream[row]), int(ops.thread[row])
        clock = self._clock.setdefault(stream, {})
        new = False
        points = [self._point.get(maker) for maker in self._order.makers.get(row, ())]
        for point in points:
            if point is None:
                new = True  # not in the records
                continue
            source, number, its = point
            if source == stream:
                continue
            seen = self._seen.get(thread, {})
            if clock.get(source, 0) < number and seen.get(source, 0) < number:
                new = True
            _join(clock, its)
        self._number[stream] = clock[stream] = self._number.get(stream, 0) + 1
        if ops.event[row]:
            self._point[row] = (stream, self._number[stream], dict(clock))
        if ops.flags[row] & BLOCKING:
            _join(self._seen.setdefault(thread, {}), clock)
        return new

    def synchronize(self, row: int) -> None:
        """Note what a thread has seen to be complete."""
        ops = self._order.ops
        seen = self._seen.setdefault(int(ops.thread[row]), {})
        scope, stream = int(ops.scope[row]), int(ops.stream[row])
        if scope == 3:
            for clock in self._clock.values():
                _join(seen, clock)
        elif scope == 2:
            _join(seen, self._clock.get(stream, {}))
        else:
            for maker in self._order.makers.get(row, ()):
                point = self._point.get(maker)
                if point:
                    _join(seen, point[2])


def _join(into: dict[int, int], other: dict[int, int]) -> None:
    for stream, number in other.items():
        if number > into.get(stream, 0):
            into[stream] = number


def order_of(region: Region) -> Order:
    """Give the order of a region's timeline; it is worked out once."""
    notes = region.timeline.notes
    if "order" not in notes:
        notes["order"] = Order(region.timeline)
    order: Order = notes["order"]
    return order


def takes_place(ops: Ops, rows: Array) -> Array:
    """Tell which calls put something into a stream."""
    return numpy.asarray(numpy.isin(ops.role[rows], (*SUBMITS, Role.RECORD, Role.ORDER)) & (ops.stream[rows] != 0))
