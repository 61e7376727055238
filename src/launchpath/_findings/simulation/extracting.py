"""Taking a stretch out of a timeline: waits are taken out, latencies and gaps are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from statistics import median

import numpy

from launchpath._findings.simulation.costs import Costs
from launchpath._findings.simulation.marks import Marks
from launchpath._findings.simulation.program import Kind, Program, Work, waits_for_streams
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role, Scope
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import BLOCKING

_NEVER = float("-inf")
_CLOCKS = 3000.0  # nanoseconds by which times of hosts and devices may disagree
_BLOCKS = 0.9  # of the copies of a kind that end behind their work: all of them block
_OWN = 1000.0  # nanoseconds of a synchronization that does not wait, if none was seen
_POLL = 200_000  # nanoseconds between two queries of the same polling
_GAPS = 4.0  # times the usual gap: what is longer was not the gap
_BLOCKING_ROLE = 64  # added to the role of commands whose call blocks: their latencies are from its begin
_LIMIT = 16  # commands that a stream takes at least
_FULL = 10.0  # times the usual: a submission that waited for room
_FULL_LEAST = 10_000.0
_IMPLICIT = 20_000.0  # nanoseconds of a call that frees memory or maps it, from which on it may have waited


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
        self.costs = Costs(timeline)
        ops = timeline.ops
        bounds = numpy.searchsorted(ops.thread, numpy.arange(len(timeline.threads) + 1))
        self.threads = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        works = timeline.works
        keys = numpy.unique(works.stream.astype("i8") << 16 | works.device) if len(works) else numpy.zeros(0, "i8")
        self.streams = {int(key) >> 16: int(key) & 0xFFFF for key in keys.tolist()}
        self.more: dict[int, list[int]] = {}
        for correlation, event in zip(*(each.tolist() for each in timeline.more_waits), strict=True):
            self.more.setdefault(correlation, []).append(event)

    def rows(self, begin: int, end: int) -> Array:
        """Give the outermost calls of all threads that begin in a time, in the order of their begins."""
        ops = self.timeline.ops
        parts = []
        for start, stop in self.threads:
            first, last = start + numpy.searchsorted(ops.begin[start:stop], [begin, end])
            rows = numpy.arange(first, last)
            parts.append(rows[ops.depth[rows] == 0])
        rows = numpy.concatenate([*parts, numpy.zeros(0, "i8")]).astype("i8")
        return numpy.asarray(rows[numpy.argsort(ops.begin[rows], kind="stable")])

    def stretch(self, begin: int, end: int, thread: int, begins: Array, ends: Array, repetitions: Array) -> Stretch:
        """Take a stretch with repetitions that begin and end in it."""
        calls = _Calls(self, self.rows(begin, end), begin)
        marks = _marks(calls, thread, numpy.stack([begins, ends], 1).reshape(-1) - begin)
        program = calls.program()
        return Stretch(program, marks, repetitions, calls.end, numpy.array(calls.done))


def _marks(calls: _Calls, thread: int, times: Array) -> Marks:
    mine = numpy.flatnonzero(calls.thread == thread)
    at = numpy.searchsorted(calls.begin[mine], times)
    padded = numpy.concatenate([[-1], mine, [len(calls.rows)]])
    previous, following = padded[at], padded[at + 1]
    from_ = numpy.where(previous < 0, 0.0, calls.end[previous])
    before = numpy.append(calls.before, 0.0)[following]
    part = numpy.clip((times - from_) / numpy.maximum(before, 1.0), 0.0, 1.0)
    return Marks(thread, following, previous, part)


class _Calls:
    """The calls of a stretch while it is taken out."""

    def __init__(self, extractor: Extractor, rows: Array, begin: int) -> None:
        timeline = extractor.timeline
        ops, works = timeline.ops, timeline.works
        self.extractor = extractor
        self.origin = begin
        rows, last = _without_polls(ops, rows)
        self.rows = rows
        self.thread = ops.thread[rows]
        self.begin = (ops.begin[rows] - begin).astype("f8")
        self.end = (ops.end[last] - begin).astype("f8")
        self.role = ops.role[rows]
        self.polls = last != rows
        self.name = ops.function[rows]
        self.before = _before(self.thread, self.begin, self.end)
        self.cost = extractor.costs.of(rows)
        count = len(rows)
        first, number = ops.work[rows], ops.works[rows]
        self.has = number > 0
        self.started = numpy.full(count, numpy.inf)
        self.ended = numpy.full(count, _NEVER)
        at = numpy.where(self.has, first, 0)
        if len(works):
            self.started = numpy.where(self.has, works.begin[at] - begin, numpy.inf).astype("f8")
            self.ended = numpy.where(self.has, works.end[at] - begin, _NEVER).astype("f8")
            for place in numpy.flatnonzero(number > 1).tolist():
                its = slice(first[place], first[place] + number[place])
                self.started[place] = works.begin[its].min() - begin
                self.ended[place] = works.end[its].max() - begin
            self.stream = numpy.where(self.has, works.stream[at], ops.stream[rows]).astype("i8")
            self.device = numpy.where(self.has, works.device[at], ops.device[rows]).astype("i8")
        else:
            self.stream, self.device = ops.stream[rows].astype("i8"), ops.device[rows].astype("i8")
        self.blocks: Array = self._blocking(ops.flags[rows], ops.direction[rows])
        self.done: list[float] = [_NEVER] * count
        self.awaits: list[tuple[int, ...]] = [()] * count
        self.ready: list[tuple[int, ...]] = [()] * count
        self.behind = numpy.full(count, _NEVER)

    def _blocking(self, flags: Array, direction: Array) -> Array:
        """Tell which commands are waited for by their own call."""
        copies = self.has & ((self.role == Role.COPY) | (self.role == Role.FILL))
        known = (flags & BLOCKING) != 0
        late = copies & (self.end >= self.ended - _CLOCKS) & (self.started >= self.begin - _CLOCKS)
        blocks = copies & known
        if self.extractor.timeline.evidence:
            return numpy.asarray(blocks)
        kinds = self.name.astype("i8") << 2 | direction
        for kind in numpy.unique(kinds[copies]).tolist():
            its = copies & (kinds == kind)
            if numpy.count_nonzero(late & its) >= _BLOCKS * numpy.count_nonzero(its):
                blocks |= its
        return numpy.asarray(blocks)

    def program(self) -> Program:
        """Give the stretch as a program."""
        kinds, wake = self._follow()
        loose, alone = self._loose(), self._alone()
        if loose:
            self.behind = numpy.array(
                [
                    max((self.done[each] for each in ready), default=_NEVER) if stream in loose else behind
                    for ready, stream, behind in zip(
                        self.ready, self.stream.tolist(), self.behind.tolist(), strict=True
                    )
                ]
            )
        works = self._works(kinds)
        own = self.end - self.begin
        self._own_times(kinds, own, wake)
        limit = self._limits(kinds, own)
        return Program(
            rows=self.rows.tolist(),
            thread=self.thread.tolist(),
            begin=float(self.origin),
            before=self.before.tolist(),
            own=own.tolist(),
            kind=kinds,
            wake=wake,
            awaits=self.awaits,
            works=works,
            limit=limit,
            alone=alone,
            loose=loose,
            cost=self.cost.tolist(),
        )

    def _follow(self) -> tuple[list[Kind], list[float]]:
        """Follow the recorded order: what each call has waited for, and what each work was behind."""
        ops = self.extractor.timeline.ops
        count = len(self.rows)
        kinds, wake = [Kind.PLAIN] * count, [0.0] * count
        tail: dict[int, float] = {}
        handles: dict[int, int] = {}
        columns = (ops.event, ops.wait, ops.wait_too, ops.correlation, ops.scope)
        event, wait, wait_too, correlation, scope = (column[self.rows].tolist() for column in columns)
        inferring = _Ends(self.started, self.ended)
        begins, ends, roles = self.begin.tolist(), self.end.tolist(), self.role.tolist()
        streams, has, blocks = self.stream.tolist(), self.has.tolist(), self.blocks.tolist()
        submits = frozenset(int(role) for role in SUBMITS)
        more, streams_of = self.extractor.more, self.extractor.streams
        for place in range(count):
            role, stream = roles[place], streams[place]
            waits = [each for each in (wait[place], wait_too[place], *more.get(correlation[place], ())) if each]
            awaited = tuple(handles[each] for each in waits if each in handles)
            if role in submits and has[place]:
                kinds[place] = Kind.BLOCK if blocks[place] else Kind.SUBMIT
                self.ready[place] = awaited
                behind = tail.get(stream, _NEVER)
                for each in awaited:
                    behind = max(behind, self.done[each])
                self.behind[place] = behind
                done = self.done[place] = float(self.ended[place])
                tail[stream] = max(done, tail.get(stream, _NEVER))
                if blocks[place]:
                    wake[place] = ends[place] - done
            elif role == Role.SYNCHRONIZE or self.polls[place]:
                known = bool(waits)
                if not known and scope[place] == Scope.STREAM and stream in streams_of:
                    awaited, known = waits_for_streams([stream]), True
                elif not known and scope[place] == Scope.DEVICE:
                    mine = streams_of.get(stream, int(self.device[place]))
                    awaited = waits_for_streams([each for each, its in streams_of.items() if its == mine])
                    known = True
                latest = _latest(awaited, self.done, tail)
                if not known or latest > ends[place] + _CLOCKS:
                    awaited = inferring.awaited(begins[place], ends[place], place)
                    latest = _latest(awaited, self.done, tail)
                kinds[place] = Kind.WAIT
                self.awaits[place] = awaited
                wake[place] = ends[place] - latest if latest > begins[place] else -inf
            elif role in (Role.RECORD, Role.ORDER) and stream:
                kinds[place] = Kind.MARK if role == Role.RECORD and not awaited else Kind.ORDER
                self.awaits[place] = awaited
                if kinds[place] == Kind.ORDER:
                    tail[stream] = max(tail.get(stream, _NEVER), _latest(awaited, self.done, tail))
                self.done[place] = max(tail.get(stream, _NEVER), ends[place])
            elif role in (Role.FREE, Role.COPY, Role.OTHER) and ends[place] - begins[place] > _IMPLICIT:
                awaited = inferring.awaited(begins[place], ends[place], place)
                latest = _latest(awaited, self.done, tail)
                if latest > begins[place] and ends[place] - latest < _IMPLICIT:
                    kinds[place], self.awaits[place], wake[place] = Kind.WAIT, awaited, ends[place] - latest
            if event[place]:
                handles[event[place]] = place
                if self.done[place] == _NEVER and kinds[place] == Kind.PLAIN:
                    self.done[place] = ends[place]
        return kinds, wake

    def _loose(self) -> frozenset[int]:
        """Tell which streams do not keep the order: their works overlap."""
        loose = []
        for stream in numpy.unique(self.stream[self.has]).tolist():
            its = self.has & (self.stream == stream)
            over = self.started[its] < self.behind[its] - _CLOCKS
            if numpy.count_nonzero(over) > 0.1 * len(over):
                loose.append(stream)
        return frozenset(loose)

    def _alone(self) -> frozenset[int]:
        """Tell which devices were never seen to run two commands at once."""
        alone = []
        driver = {
            place: each.get("driver") if isinstance(each, dict) else None
            for place, each in enumerate(self.extractor.timeline.meta.get("devices") or [])
        }
        for device in numpy.unique(self.device[self.has]).tolist():
            its = numpy.flatnonzero(self.has & (self.device == device))
            its = its[numpy.argsort(self.started[its], kind="stable")]
            latest = numpy.maximum.accumulate(self.ended[its])[:-1]
            over = numpy.count_nonzero(self.started[its][1:] < latest - 1)
            several = len(numpy.unique(self.stream[its])) > 1
            if over <= 0.01 * len(its) and (several or driver.get(device) not in ("cuda", "hip")):
                alone.append(device)
        return frozenset(alone)

    def _works(self, kinds: list[Kind]) -> list[tuple[Work, ...]]:
        """Tell latencies and gaps apart: a work begins when both are over."""
        blocks = self.blocks
        enqueued = numpy.where(blocks, self.begin, self.end)
        with numpy.errstate(invalid="ignore"):
            since = self.started - enqueued
            gap = self.started - self.behind
            idle = enqueued - self.behind
        queued = self.has & (self.behind >= self.end)
        usual = float(numpy.quantile(gap[queued], 0.25)) if queued.any() else 0.0
        seen = self.has & (self.behind < self.begin)
        late = self.has & ~seen & (gap > _GAPS * max(usual, 0.0) + 1000.0)
        if seen.any():
            late &= since <= 2 * float(numpy.median(since[seen]))
            short = seen & (idle < 10_000.0)
            typical = float(numpy.median(since[short if short.any() else seen]))
        else:
            late &= False
            typical = 0.0
        seen |= late
        result: list[tuple[Work, ...]] = []
        roles = self.role.astype("i8") + _BLOCKING_ROLE * blocks
        latency = numpy.where(seen, since, numpy.minimum(since, typical))
        idle = numpy.where(seen, numpy.maximum(idle, 0.0), -1.0)
        gap = numpy.where(seen, numpy.minimum(gap, usual), gap)
        columns = (
            self.stream, self.device, self.ended - self.started, latency, idle, gap, roles,
        )  # fmt: skip
        for place, (stream, device, time, its, since_idle, its_gap, role) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        ):
            if kinds[place] in (Kind.SUBMIT, Kind.BLOCK):
                result.append((Work(stream, device, time, its, since_idle, its_gap, self.ready[place], role),))
            elif kinds[place] in (Kind.MARK, Kind.ORDER):
                result.append((Work(stream, device, 0.0, 0.0, -1.0, 0.0, (), role),))
            else:
                result.append(())
        return result

    def _own_times(self, kinds: list[Kind], own: Array, wake: list[float]) -> None:
        """Put what calls take without waiting in place of what they took, and usual wake-ups where none was seen."""
        waits = [place for place, kind in enumerate(kinds) if kind == Kind.WAIT]
        free: dict[int, list[float]] = {}
        woken: dict[int, list[float]] = {}
        for place in waits:
            name = int(self.name[place])
            if wake[place] == -inf:
                free.setdefault(name, []).append(float(own[place]))
            else:
                woken.setdefault(name, []).append(wake[place])
        for place in waits:
            name = int(self.name[place])
            if wake[place] == -inf:
                wake[place] = median(woken.get(name, [0.0]))
            else:
                own[place] = min(median(free.get(name, [_OWN])), float(own[place]))
        for place, kind in enumerate(kinds):
            if kind == Kind.BLOCK:
                own[place] = 0.0

    def _limits(self, kinds: list[Kind], own: Array) -> dict[int, int]:
        """Tell after how many commands submissions to a stream wait: those with the most before them took long."""
        limits = {}
        submits = numpy.array([kind == Kind.SUBMIT for kind in kinds], "?")
        for stream in numpy.unique(self.stream[submits]).tolist():
            its = numpy.flatnonzero(self.has & (self.stream == stream))
            ends = numpy.maximum.accumulate(self.ended[its])
            waiting = numpy.arange(len(its)) - numpy.searchsorted(ends, self.begin[its], "right")
            most = int(waiting.max())
            usual = float(numpy.median(own[its][submits[its]]))
            slow = own[its] > max(_FULL * usual, _FULL_LEAST)
            much, little = submits[its] & (waiting >= 0.9 * most), submits[its] & (waiting < 0.8 * most)
            full = much & slow
            few = numpy.count_nonzero(little & slow) <= 0.1 * numpy.count_nonzero(full)
            if most >= _LIMIT and few and numpy.count_nonzero(full) >= max(3, 0.3 * numpy.count_nonzero(much)):
                limits[stream] = int(numpy.median(waiting[full]))
                own[its[full]] = usual
        return limits


class _Ends:
    """Finds what a synchronization has waited for, where the records do not tell: the last work that ended in it."""

    def __init__(self, started: Array, ended: Array) -> None:
        places = numpy.flatnonzero(ended > _NEVER)
        self.places = places[numpy.argsort(ended[places], kind="stable")]
        self.ends = ended[self.places]

    def awaited(self, begin: float, end: float, before: int) -> tuple[int, ...]:
        """Give the call, made before the place `before`, whose work ended last in the time of a call."""
        at = int(numpy.searchsorted(self.ends, end + _CLOCKS, "right")) - 1
        while at >= 0 and self.ends[at] > begin:
            if self.places[at] < before:
                return (int(self.places[at]),)
            at -= 1
        return ()


def _latest(awaits: Sequence[int], done: list[float], tail: dict[int, float]) -> float:
    return max((done[each] if each >= 0 else tail.get(-1 - each, _NEVER) for each in awaits), default=_NEVER)


def _before(thread: Array, begin: Array, end: Array) -> Array:
    """Give the time of each call's thread since the call before."""
    order = numpy.lexsort((begin, thread))
    previous = numpy.zeros(len(order))
    previous[1:] = numpy.where(thread[order][1:] == thread[order][:-1], end[order][:-1], 0.0)
    result = numpy.zeros(len(order))
    result[order] = begin[order] - previous
    return numpy.maximum(result, 0.0)


def _without_polls(ops: object, rows: Array) -> tuple[Array, Array]:
    """Make one call of the queries of a polling. Gives the rows that are left, and for each the last of its calls."""
    role, thread, begin, end = (getattr(ops, name)[rows] for name in ("role", "thread", "begin", "end"))
    order = numpy.argsort(thread, kind="stable")
    query = role[order] == Role.QUERY
    joined = numpy.zeros(len(rows), "?")
    joined[1:] = (
        query[1:]
        & query[:-1]
        & (thread[order][1:] == thread[order][:-1])
        & (begin[order][1:] - end[order][:-1] < _POLL)
    )
    if not joined.any():
        return rows, rows
    heads = numpy.flatnonzero(~joined)
    tails = numpy.append(heads[1:], len(rows)) - 1
    left = numpy.argsort(order[heads], kind="stable")
    return rows[order[heads][left]], rows[order[tails][left]]
