"""Idle time of a device: how much of a region's time nothing runs there, and what its host threads did meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.idle.charge import Charge, charge, joined, lock_word
from launchpath._findings.idle.spans import Spans, union
from launchpath._findings.region_summary import CAUSES
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Direction, Role
from launchpath._findings.timeline.timeline import Timeline

_OF_ROLES = {
    Role.OTHER: "other",
    Role.COPY: "copy",
    Role.SYNCHRONIZE: "synchronize",
    Role.QUERY: "query",
    Role.ALLOCATE: "allocation",
    Role.FREE: "allocation",
    Role.LOAD: "load and compile",
}  # of other roles: "launching"
_MUCH = 0.75  # a share of the time that holds the rest back
_MOST_CALLS = 600_000  # that are looked at, in so many stretches
_BLOCKS = 6
_ORDINARY = 2.0  # a repetition that took longer than so many medians was disturbed


@dataclass
class Idle:
    """How busy a device is in a region, and what holds it back. Times are nanoseconds.

    Attributes
    ----------
    device : int
        The device that the region's thread keeps busy the longest.
    ordinary : numpy.ndarray of int64
        The repetitions that it is about: typical ones that took no longer than twice the median.
    period : float
        The mean of these repetitions.
    busy : float
        The share of their time in which any command runs on the device, copies too. Commands of all threads count.
    causes : dict
        For each of `CAUSES` with any time: the mean of a repetition. All of them and the busy time are the
        period, but for code that is partly in the repetition before.
    calls : Charge
        The region's outermost calls and what the device waited for them; of a region of millions of calls some.
    latency : numpy.ndarray of int64
        For each of these calls: how long the device was idle from the call's end to the begin of its works.
    repetition : numpy.ndarray of int64
        For each of these which repetition it is in.
    repetitions : numpy.ndarray of int64
        Those that were looked at, others too.
    """

    device: int
    ordinary: Array
    period: float
    busy: float
    causes: dict[str, float]
    calls: Charge
    latency: Array
    repetition: Array
    repetitions: Array

    @property
    def bound(self) -> str:
        """A hint: ``host``, ``device`` or ``neither``. The simulation knows better."""
        if self.busy >= _MUCH:
            return "device"
        own = ("launch latency", "other stream")
        host = sum(time for cause, time in self.causes.items() if cause not in own)
        return "host" if host >= _MUCH * self.period else "neither"

    def each(self, times: Array) -> Array:
        """Sum up a column of calls by repetition: of the ordinary ones."""
        sums = numpy.bincount(self.repetition, times, minlength=int(self.ordinary[-1]) + 1)
        return numpy.asarray(sums[self.ordinary])


@dataclass
class _Gaps:
    begin: Array
    end: Array
    host: Array  # until when the host had not submitted the next command
    thread: Array  # that submitted it
    handed: Array  # the command before it was of another stream
    op: Array  # the call that submitted it; -1: none


def idle_of(region: Region) -> Idle | None:
    """Find out how busy a region's device is, and what it waits for.

    Returns
    -------
    Idle or None
        None: no command of the region has times.
    """
    if "idle" not in region.notes:
        region.notes["idle"] = _idle_of(region)
    idle: Idle | None = region.notes["idle"]
    return idle


def _idle_of(region: Region) -> Idle | None:
    device = _device_of(region)
    ordinary = ordinary_of(region)
    if device is None or not len(ordinary):
        return None
    blocks = [_Block(region, device, first, last) for first, last in _stretches(region)]
    repetition = numpy.concatenate([block.repetition for block in blocks])
    ordinary = ordinary[numpy.isin(ordinary, numpy.concatenate([block.repetitions for block in blocks]))]
    if not len(ordinary):
        return None
    sums = _Sums(region, ordinary)
    busy = 0.0
    for block in blocks:
        busy += block.add_to(sums)
    period = float(region.durations[ordinary].mean())
    return Idle(
        device=device,
        ordinary=ordinary,
        period=period,
        busy=busy / len(ordinary) / period if period else 0.0,
        causes={cause: sums.totals[cause] for cause in CAUSES if sums.totals.get(cause, 0.0) > 0},
        calls=joined([block.calls for block in blocks]),
        latency=numpy.concatenate([block.latency for block in blocks]),
        repetition=repetition,
        repetitions=numpy.concatenate([block.repetitions for block in blocks]),
    )


def _stretches(region: Region) -> list[tuple[int, int]]:
    """Choose repetitions that follow one another: all of them, or of very many some from the begin to the end."""
    count, calls = len(region), int((region.last - region.first).sum())
    if calls <= _MOST_CALLS:
        return [(0, count)]
    each = max(int(count * _MOST_CALLS / calls / _BLOCKS), 1)
    firsts = numpy.unique(numpy.linspace(0, count - each, _BLOCKS).astype("i8")).tolist()
    return [(first, first + each) for first in firsts]


class _Block:
    """Repetitions that follow one another."""

    def __init__(self, region: Region, device: int, first: int, last: int) -> None:
        self.region = region
        ops, rows = region.timeline.ops, region.rows()
        low, high = numpy.searchsorted(rows, [region.first[first], region.last[last - 1]])
        rows = rows[low:high]
        self.repetitions = numpy.arange(first, last)
        self.begun, self.ended = region.begun[first:last], region.ended[first:last]
        self.busy, self.gaps = _gaps_of(region, device, int(self.begun[0]), int(self.ended[-1]))
        self.repetition = region.repetition_of(rows)
        begin, end = ops.begin[rows], ops.end[rows]
        # When the host code before a call began: in the repetition before, if this one begins where that ended.
        begins, ends = region.begins[first:last], region.ends[first:last]
        follows = numpy.concatenate([[False], begins[1:] == ends[:-1]])
        after = numpy.where(follows[self.repetition - first], 0, region.begins[self.repetition])
        after[1:] = numpy.maximum(end[:-1], after[1:])
        # What is charged to the host: the part of a gap in which the next command had not been submitted.
        waits = self._charged(region.thread)
        self.calls = charge(region.timeline, region.thread, rows, numpy.minimum(after, begin), waits)
        self.latency = numpy.zeros(len(rows), "i8")
        if len(rows):
            place = numpy.minimum(numpy.searchsorted(rows, self.gaps.op), len(rows) - 1)
            own = rows[place] == self.gaps.op
            numpy.add.at(self.latency, place[own], (self.gaps.end - self.gaps.host)[own])
        last_ends = begins.copy()
        numpy.maximum.at(last_ends, self.repetition - first, end)
        tails = waits.between(numpy.minimum(last_ends, ends), ends)
        # Where repetitions follow one another it counts as code of the next one, so that each has such code once.
        self.tails = numpy.where(numpy.append(follows[1:], False) | follows, 0, tails)

    def _charged(self, thread: int) -> Spans:
        mine = self.gaps.thread == thread
        return Spans(self.gaps.begin[mine], self.gaps.host[mine])

    def add_to(self, sums: _Sums) -> float:
        """Add the causes of its repetitions. Gives how long the device is busy in those that count."""
        gaps = self.gaps
        sums.add_calls(self.region.timeline, self.region.thread, self.calls, self.repetition)
        sums.add("host code", self.tails, self.repetitions)
        for thread in numpy.unique(gaps.thread[gaps.thread != self.region.thread]).tolist():
            self._add_thread(sums, thread)
        for cause, chosen in (("launch latency", ~gaps.handed), ("other stream", gaps.handed)):
            spans = Spans(gaps.host[chosen], gaps.end[chosen])
            sums.add(cause, spans.between(self.begun, self.ended), self.repetitions)
        return float(self.busy.between(self.begun, self.ended)[sums.counted[self.repetitions]].sum())

    def _add_thread(self, sums: _Sums, thread: int) -> None:
        """Add what another thread did while the device waited for its commands."""
        timeline = self.region.timeline
        ops = timeline.ops
        rows = numpy.arange(*numpy.searchsorted(ops.thread, [thread, thread + 1]))
        rows = rows[(ops.depth[rows] == 0) & (ops.end[rows] > self.begun[0]) & (ops.begin[rows] < self.ended[-1])]
        if not len(rows):
            return
        spans = self._charged(thread)
        begin, end = ops.begin[rows], ops.end[rows]
        after = numpy.minimum(numpy.concatenate([self.begun[:1], end[:-1]]), begin)
        place = numpy.maximum(numpy.searchsorted(self.begun, begin, "right") - 1, 0)
        repetition = numpy.where(begin < self.ended[place], self.repetitions[place], len(self.region))
        sums.add_calls(timeline, thread, charge(timeline, thread, rows, after, spans), repetition)


def ordinary_of(region: Region) -> Array:
    """Give the repetitions that are typical and were not disturbed."""
    durations = region.durations
    typical = numpy.flatnonzero(region.typical)
    return typical[durations[typical] <= _ORDINARY * numpy.median(durations[typical])] if len(typical) else typical


class _Sums:
    """Means of a repetition, by cause."""

    def __init__(self, region: Region, ordinary: Array) -> None:
        self.counted = numpy.zeros(len(region) + 1, "?")  # the last one: no repetition
        self.counted[ordinary] = True
        self.count = len(ordinary)
        self.totals: dict[str, float] = {}

    def add(self, cause: str, times: Array, repetition: Array) -> None:
        time = float(times[self.counted[repetition]].sum()) / self.count
        self.totals[cause] = self.totals.get(cause, 0.0) + time

    def add_calls(self, timeline: Timeline, thread: int, calls: Charge, repetition: Array) -> None:
        """Add what the device waited for a thread's calls."""
        ops = timeline.ops
        roles = ops.role[calls.rows]
        for role in numpy.unique(roles).tolist():
            chosen = numpy.flatnonzero(roles == role)
            if role == Role.COPY:
                up = ops.direction[calls.rows[chosen]] == Direction.TO_DEVICE
                self.add("upload", calls.inside[chosen[up]], repetition[chosen[up]])
                chosen = chosen[~up]
            self.add(_OF_ROLES.get(role, "launching"), calls.inside[chosen], repetition[chosen])
        self.add("thread not running", calls.ready, repetition)
        self.add(lock_word(timeline, thread), calls.held, repetition)
        self.add("load and compile", calls.loading, repetition)
        self.add("host code", calls.before, repetition)
        self.add("tracing", calls.tracing, repetition)


def _device_of(region: Region) -> int | None:
    """Give the device on which the region's calls have the longest works."""
    timeline, rows = region.timeline, region.rows()
    rows = rows[timeline.ops.works[rows] > 0]
    if not len(rows):
        return None
    first, count = timeline.ops.work[rows].astype("i8"), timeline.ops.works[rows].astype("i8")
    sums = numpy.concatenate([[0], numpy.cumsum(timeline.works.end - timeline.works.begin)])
    times = sums[first + count] - sums[first]
    # A graph may have works on several devices: its first one stands for all.
    return int(numpy.argmax(numpy.bincount(timeline.works.device[first], times + 1)))


def _gaps_of(region: Region, device: int, low: int, high: int) -> tuple[Spans, _Gaps]:
    """Give when the device is busy between two moments, and its gaps."""
    timeline = region.timeline
    works, ops = timeline.works, timeline.ops
    rows = numpy.flatnonzero((works.device == device) & (works.end > low))
    later = works.begin[rows] >= high
    after = rows[later]
    following = int(after[numpy.argmin(works.begin[after])]) if len(after) else -1
    rows = rows[~later]
    spans, first, last = union(works.begin[rows], works.end[rows])
    before = numpy.append(-1, rows[last])  # the work that ended last; -1: before the region
    work = numpy.append(rows[first], following)
    begin = numpy.append(low, spans.end)
    end = numpy.append(spans.begin, high)
    real = end > begin
    begin, end, work, before = begin[real], end[real], work[real], before[real]
    known = work >= 0
    op = works.op[work]
    host = numpy.where(known, ops.end[op], high)
    host = numpy.clip(host, begin, end)
    thread = numpy.where(known, ops.thread[op], region.thread)
    handed = known & (before >= 0) & (works.stream[work] != works.stream[before])
    return spans, _Gaps(begin, end, host, thread, handed, numpy.where(known, op, -1))
