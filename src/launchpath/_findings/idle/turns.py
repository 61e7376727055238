"""Turns: threads that never make their calls at the same time, as a lock makes them do."""

from __future__ import annotations

import numpy

from launchpath._findings.idle.spans import Spans
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS
from launchpath._findings.timeline.timeline import Timeline

_PAUSE = 100_000  # nanoseconds without a call, after which a turn has ended
_LEAST = 10  # turns that each of two threads has
_RARE = 0.2  # of the time that two threads would call at once by chance
_ENOUGH = 5  # turns that would overlap by chance
_LONG = 4.0  # times the median: what lasts longer is no turn, but how a thread begins or ends


def partners(timeline: Timeline, thread: int) -> list[int]:
    """Give the threads that take turns with a thread, itself among them; alone: none does."""
    key = f"turns of {thread}"
    if key not in timeline.notes:
        own = turns(timeline, thread)
        timeline.notes[key] = [
            other
            for other in range(len(timeline.threads))
            if other == thread or take_turns(own, turns(timeline, other))
        ]
    found: list[int] = timeline.notes[key]
    return found


def take_turns(one: Spans, other: Spans) -> bool:
    """Tell whether two threads' turns overlap far less than they would by chance."""
    one, other = _usual(one), _usual(other)
    if min(len(one), len(other)) < _LEAST:
        return False
    begin, end = max(one.begin[0], other.begin[0]), min(one.end[-1], other.end[-1])
    if end <= begin:
        return False
    time = numpy.array([begin]), numpy.array([end])
    shares = [float(each.between(*time)[0]) / float(end - begin) for each in (one, other)]
    inside = (one.begin >= begin) & (one.end <= end)
    overlap = float(other.between(one.begin[inside], one.end[inside]).sum())
    chance = shares[0] * shares[1] * float(end - begin)
    usual = float(numpy.median(one.end[inside] - one.begin[inside])) if inside.any() else 0.0
    return usual > 0 and chance >= _ENOUGH * usual * max(shares) and overlap < _RARE * chance


def _usual(spans: Spans) -> Spans:
    time = spans.end - spans.begin
    usual = time <= _LONG * numpy.median(time) if len(time) else numpy.zeros(0, "?")
    return Spans(spans.begin[usual], spans.end[usual])


def turns(timeline: Timeline, thread: int) -> Spans:
    """Give a thread's turns: calls without a pause between them. A thread that submits nothing has none."""
    ops = timeline.ops
    rows: Array = numpy.arange(*numpy.searchsorted(ops.thread, [thread, thread + 1]))
    rows = rows[ops.depth[rows] == 0]
    if numpy.count_nonzero(numpy.isin(ops.role[rows], SUBMITS)) < _LEAST:
        return Spans(ops.begin[:0], ops.end[:0])
    begin, end = ops.begin[rows], ops.end[rows]
    new = numpy.flatnonzero(numpy.concatenate([[True], begin[1:] - end[:-1] >= _PAUSE]))
    return Spans(begin[new], end[numpy.append(new[1:], len(rows)) - 1])
