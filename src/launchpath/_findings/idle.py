"""Idle time of a device: how much of a region's time nothing runs there, and what its host threads did meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.pauses import Pauses, split_pauses
from launchpath._findings.region_summary import CAUSES
from launchpath._findings.regions.region import Region
from launchpath._findings.spans import Spans, union
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._trace.format import BLOCKING

_OF_ROLES = {
    Role.OTHER: "other",
    Role.COPY: "copy",
    Role.SYNCHRONIZE: "synchronize",
    Role.QUERY: "query",
    Role.ALLOCATE: "allocation",
    Role.FREE: "allocation",
    Role.LOAD: "load and compile",
}  # of other roles: "launching"
_HOST_TO_DEVICE = 1
_MUCH = 0.75  # a share of the time that holds the rest back
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
        For each of `CAUSES` with any time: the mean of a repetition. All of them and the busy time are the period.
    rows : numpy.ndarray of int64
        The region's calls: ``region.rows()``.
    repetition : numpy.ndarray of int64
        For each of these which repetition it is in.
    inside : numpy.ndarray of int64
        For each of these calls: how long the device waited for the host, which was in this call.
    before : numpy.ndarray of int64
        The same, while the host was between the call before it (or the begin of the repetition) and this one.
    pauses : Pauses
        What the thread did in the host code before each call.
    pieces : numpy.ndarray of int64
        For each of these calls: how long the host code before it took in all.
    gaps : Spans
        When the device was idle, in the region's time.
    """

    device: int
    ordinary: Array
    period: float
    busy: float
    causes: dict[str, float]
    rows: Array
    repetition: Array
    inside: Array
    before: Array
    pieces: Array
    pauses: Pauses
    gaps: Spans

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
        count = int(self.repetition.max()) + 1 if len(self.repetition) else 0
        sums = numpy.bincount(self.repetition, times, minlength=max(count, int(self.ordinary.max()) + 1))
        return numpy.asarray(sums[self.ordinary])


@dataclass
class _Gaps:
    begin: Array
    end: Array
    host: Array  # until when the host had not submitted the next command
    thread: Array  # that submitted it
    handed: Array  # the command before it was of another stream


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
    ops, rows = region.timeline.ops, region.rows()
    busy, gaps = _gaps_of(region, device)
    period = float(region.durations[ordinary].mean())
    repetition = region.repetition_of(rows)
    after = numpy.empty(len(rows), "i8")  # when the host code before a call began
    begin_of = region.begins[repetition]
    after[:1] = begin_of[:1]
    after[1:] = numpy.maximum(ops.end[rows[:-1]], begin_of[1:])
    after = numpy.minimum(after, ops.begin[rows])
    # What is charged to the host: the part of a gap in which the next command had not been submitted.
    mine = gaps.thread == region.thread
    own = Spans(gaps.begin[mine], gaps.host[mine])
    begin, end = ops.begin[rows], ops.end[rows]
    inside, before = own.between(begin, end), own.between(after, begin)
    pauses = split_pauses(region.timeline, region.thread, after, begin)
    sums = _Sums(region, ordinary)
    sums.add_calls(ops, rows, inside, repetition)
    _add_code(sums, before, begin - after, pauses, repetition)
    last = numpy.maximum(region.begins, _last_ends(region, rows, repetition))
    tails = own.between(numpy.minimum(last, region.ends), region.ends)
    sums.add("host code", tails, numpy.arange(len(region)))
    for thread in numpy.unique(gaps.thread[~mine]).tolist():
        _add_thread(sums, region, gaps, thread)
    for cause, chosen in (("launch latency", ~gaps.handed), ("other stream", gaps.handed)):
        spans = Spans(gaps.host[chosen], gaps.end[chosen])
        sums.add(cause, spans.between(region.begins, region.ends), numpy.arange(len(region)))
    share = float(busy.between(region.begins[ordinary], region.ends[ordinary]).mean()) / period if period else 0.0
    return Idle(
        device=device,
        ordinary=ordinary,
        period=period,
        busy=share,
        causes={cause: sums.totals[cause] for cause in CAUSES if sums.totals.get(cause, 0.0) > 0},
        rows=rows,
        repetition=repetition,
        inside=inside,
        before=before,
        pieces=begin - after,
        pauses=pauses,
        gaps=Spans(gaps.begin, gaps.end),
    )


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

    def add_calls(self, ops: Ops, rows: Array, times: Array, repetition: Array) -> None:
        roles = ops.role[rows]
        for role in numpy.unique(roles).tolist():
            chosen = numpy.flatnonzero(roles == role)
            if role == Role.COPY:
                up = ops.direction[rows[chosen]] == _HOST_TO_DEVICE
                self.add("upload", times[chosen[up]], repetition[chosen[up]])
                chosen = chosen[~up]
            self.add(_OF_ROLES.get(role, "launching"), times[chosen], repetition[chosen])


def _add_code(sums: _Sums, before: Array, pieces: Array, pauses: Pauses, repetition: Array) -> None:
    """Add what is between calls, split by what the thread did there."""
    share = before / numpy.maximum(pieces, 1)
    ready, blocked = share * pauses.ready, share * pauses.blocked
    sums.add("thread not running", ready, repetition)
    sums.add(pauses.lock, blocked, repetition)
    sums.add("host code", before - ready - blocked, repetition)


def _add_thread(sums: _Sums, region: Region, gaps: _Gaps, thread: int) -> None:
    """Add what another thread did while the device waited for its commands."""
    ops = region.timeline.ops
    first, last = numpy.searchsorted(ops.thread, [thread, thread + 1])
    rows = numpy.arange(first, last)
    rows = rows[(ops.depth[rows] == 0) & (ops.end[rows] > region.begins[0]) & (ops.begin[rows] < region.ends[-1])]
    mine = gaps.thread == thread
    spans = Spans(gaps.begin[mine], gaps.host[mine])
    if not len(rows):
        return
    begin, end = ops.begin[rows], ops.end[rows]
    after = numpy.concatenate([[region.begins[0]], end[:-1]])
    after = numpy.minimum(after, begin)
    repetition = numpy.searchsorted(region.begins, begin, "right") - 1
    inside, before = spans.between(begin, end), spans.between(after, begin)
    sums.add_calls(ops, rows, inside, repetition)
    _add_code(sums, before, begin - after, split_pauses(region.timeline, thread, after, begin), repetition)


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


def _gaps_of(region: Region, device: int) -> tuple[Spans, _Gaps]:
    """Give when the device is busy in the region's time, and its gaps."""
    timeline = region.timeline
    works, ops = timeline.works, timeline.ops
    low, high = int(region.begins[0]), int(region.ends[-1])
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
    return spans, _Gaps(begin, end, host, thread, handed)


def _last_ends(region: Region, rows: Array, repetition: Array) -> Array:
    """Give for each repetition when its last call ended; 0: it has none."""
    ends = numpy.zeros(len(region), "i8")
    numpy.maximum.at(ends, repetition, region.timeline.ops.end[rows])
    return ends


def waits(ops: Ops, rows: Array) -> Array:
    """Tell which calls wait for the device."""
    return numpy.asarray((ops.role[rows] == Role.SYNCHRONIZE) | ((ops.flags[rows] & BLOCKING) != 0))


def submits(ops: Ops, rows: Array) -> Array:
    """Tell which calls submit a command, or keep one back for a step."""
    return numpy.asarray(numpy.isin(ops.role[rows], (*SUBMITS, Role.DEFERRED)))
