"""Hashing: the time that the trace itself took to read the bytes of copies, and where in a thread's time it stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import Direction, Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import ARGUMENTS

_MOST = 1e10  # nanoseconds: a file that says more of a copy was damaged
_FITS = 0.9  # of the time, to which a pause may be shorter: two clocks' rates


@dataclass
class Hashing:
    """A value for each row of ``Timeline.ops``, nanoseconds.

    Attributes
    ----------
    before : numpy.ndarray of float32
        In the pause between the thread's outermost call before and this one.
    inside : numpy.ndarray of float32
        In the call.
    """

    before: Array
    inside: Array


def hashing(timeline: Timeline) -> Hashing:
    """Tell where a trace has read the bytes of copies.

    What goes to a device is read before its call begins; a copy of launchpath's own through pinned memory begins
    earlier. What comes to the host is read when it has arrived: behind the call, or behind the wait that comes next.
    """
    if "hashing" not in timeline.notes:
        timeline.notes["hashing"] = _hashing(timeline.ops, timeline.evidence)
    result: Hashing = timeline.notes["hashing"]
    return result


def _hashing(ops: Ops, evidence: bool) -> Hashing:
    copies = (ops.role == Role.COPY) & (ops.flags & ARGUMENTS == 0) & (ops.arguments > 0) if evidence else None
    if copies is None or not copies.any():
        nothing = numpy.broadcast_to(numpy.zeros(1, "f4"), len(ops))
        return Hashing(nothing, nothing)
    before, inside = numpy.zeros((2, len(ops)), "f4")
    outer = numpy.flatnonzero(ops.depth == 0)
    thread, ends = ops.thread[outer], ops.end[outer]
    pause = numpy.full(len(outer), -1.0)  # before the first call of a thread: not known, and as long as need be
    same = thread[1:] == thread[:-1]
    pause[1:][same] = (ops.begin[outer][1:] - ends[:-1])[same]
    pause = numpy.where(pause < 0, numpy.inf, pause)
    rows = numpy.flatnonzero(copies)
    spent = numpy.minimum(ops.arguments[rows].astype("f8"), _MOST)
    place = numpy.searchsorted(outer, rows, "right") - 1
    comes = ops.direction[rows] == Direction.TO_HOST
    fits = pause[place] >= _FITS * spent
    goes = ~comes & fits
    numpy.add.at(before, outer[place[goes]], spent[goes])
    numpy.add.at(inside, outer[place[~comes & ~fits]], spent[~comes & ~fits])
    for later in (1, 2):
        behind = numpy.minimum(place + later, len(outer) - 1)
        fits = comes & (behind > place) & (thread[behind] == thread[place]) & (pause[behind] >= _FITS * spent)
        numpy.add.at(before, outer[behind[fits]], spent[fits])
        comes &= ~fits
    return Hashing(before, inside)
