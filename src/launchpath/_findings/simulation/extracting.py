"""Taking a stretch out of a timeline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.columns import Recorded
from launchpath._findings.simulation.costs import Costs
from launchpath._findings.simulation.following import Order
from launchpath._findings.simulation.gaps import devices_alone, loose_streams, wait_for_places, works_of
from launchpath._findings.simulation.marks import Marks
from launchpath._findings.simulation.own_times import limits, own_times
from launchpath._findings.simulation.program import Program
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.timeline import Timeline

_EARLIER = 4096  # calls before a stretch whose works are looked at


@dataclass
class Stretch:
    """A program with its marks, and the recorded ends of its calls and works, from its begin on."""

    program: Program
    marks: Marks
    repetitions: Array  # the numbers of the repetitions that begin and end in it
    end: Array
    done: Array

    def measured(self) -> Array:
        """Give the recorded times of its marks."""
        mine = numpy.array(self.program.thread) == self.marks.thread
        before = numpy.array([*self.program.before, 0.0])
        return self.marks.from_columns(self.end, before, numpy.where(mine, self.done, -numpy.inf))


class Extractor:
    """Takes stretches out of a timeline."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        bounds = numpy.searchsorted(timeline.ops.thread, numpy.arange(len(timeline.threads) + 1))
        self._threads = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        works = timeline.works
        devices = numpy.full(int(works.stream.max()) + 1 if len(works) else 0, -1, "i8")
        devices[works.stream] = works.device
        self._streams = {stream: int(devices[stream]) for stream in numpy.flatnonzero(devices >= 0).tolist()}
        self._more: dict[int, list[int]] = {}
        for correlation, event in zip(*(each.tolist() for each in timeline.more_waits), strict=True):
            self._more.setdefault(correlation, []).append(event)

    def rows(self, begin: int, end: int) -> Array:
        """Give the outermost calls of all threads that begin in a time, in the order of their begins."""
        ops = self.timeline.ops
        parts = []
        for start, stop in self._threads:
            first, last = start + numpy.searchsorted(ops.begin[start:stop], [begin, end])
            rows = numpy.arange(first, last)
            parts.append(rows[ops.depth[rows] == 0])
        rows = numpy.concatenate([*parts, numpy.zeros(0, "i8")]).astype("i8")
        return numpy.asarray(rows[numpy.argsort(ops.begin[rows], kind="stable")])

    def _earlier(self, begin: int) -> Array:
        """Give when the last works that were submitted before a time have ended, from there on."""
        ops, works = self.timeline.ops, self.timeline.works
        parts = [numpy.zeros(0, "f8")]
        for start, stop in self._threads:
            first = start + int(numpy.searchsorted(ops.begin[start:stop], begin))
            rows = numpy.arange(max(first - _EARLIER, start), first)
            rows = rows[ops.works[rows] > 0]
            ends = works.end[ops.work[rows] + ops.works[rows] - 1] - begin
            parts.append(ends[ends > 0].astype("f8"))
        return numpy.concatenate(parts)

    def stretch(self, region: Region, first: int, last: int, costs: Costs) -> Stretch:
        """Take a stretch with the repetitions ``first <= repetition < last`` of a region."""
        begins, ends, thread = region.begins[first:last], region.ends[first:last], region.thread
        begin, end = int(begins[0]), int(ends[-1])
        recorded = Recorded(self.timeline, costs, self.rows(begin, end), begin)
        order = Order(self.timeline, recorded, self._streams, self._more, self._earlier(begin))
        marks = _marks(recorded, thread, numpy.stack([begins, ends], 1).reshape(-1) - begin)
        loose = loose_streams(recorded, order)
        alone = devices_alone(
            recorded, order, self.timeline.ops.blocks[recorded.rows], self.timeline.meta.get("devices")
        )
        wait_for_places(recorded, order, alone)
        works = works_of(recorded, order)
        own = own_times(recorded, order)
        room = limits(recorded, order, own)
        program = Program(
            rows=recorded.rows.tolist(),
            thread=recorded.thread.tolist(),
            begin=float(begin),
            before=recorded.before.tolist(),
            own=own.tolist(),
            kind=order.kind,
            wake=order.wake,
            awaits=order.awaits,
            works=works,
            limit=room,
            alone=alone,
            loose=loose,
            cost=recorded.cost.tolist(),
            read=recorded.read.tolist(),
            read_inside=recorded.read_inside.tolist(),
            late=costs.wake,
        )
        return Stretch(program, marks, numpy.arange(first, last), recorded.end, numpy.array(order.done))


def _marks(recorded: Recorded, thread: int, times: Array) -> Marks:
    mine = numpy.flatnonzero(recorded.thread == thread)
    at = numpy.searchsorted(recorded.begin[mine], times)
    padded = numpy.concatenate([[-1], mine, [len(recorded)]])
    previous, following = padded[at], padded[at + 1]
    since = numpy.where(previous < 0, 0.0, recorded.end[previous])
    before = numpy.append(recorded.before, 0.0)[following]
    part = numpy.clip((times - since) / numpy.maximum(before, 1.0), 0.0, 1.0)
    return Marks(thread, following, previous, part)
