"""Overhead: the time that the trace took beside its records, to read the bytes of copies and to look at threads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.timeline.ops import Array, Looks, Ops
from launchpath._findings.timeline.roles import Direction, Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.format import ARGUMENTS

_MOST = 1e10  # nanoseconds: a file that says more of a copy or a look was damaged
_FITS = 0.9  # of the time, to which a pause may be shorter: two clocks' rates


@dataclass
class Overhead:
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


def overhead(timeline: Timeline) -> Overhead:
    """Tell where a trace has read the bytes of copies, and has looked at threads.

    What goes to a device is read before its call begins; a copy of launchpath's own through pinned memory begins
    earlier. What comes to the host is read when it has arrived: behind the call, or behind the wait that comes next.
    """
    if "overhead" not in timeline.notes:
        timeline.notes["overhead"] = _overhead(timeline)
    result: Overhead = timeline.notes["overhead"]
    return result


def _overhead(timeline: Timeline) -> Overhead:
    ops, looks = timeline.ops, timeline.looks
    copies = numpy.zeros(0, "i8")
    if timeline.evidence:
        copies = numpy.flatnonzero((ops.role == Role.COPY) & (ops.flags & ARGUMENTS == 0) & (ops.arguments > 0))
    if not len(ops) or not (len(copies) or looks.spent.any()):
        nothing = numpy.broadcast_to(numpy.zeros(1, "f4"), len(ops))
        return Overhead(nothing, nothing)
    result = Overhead(*numpy.zeros((2, len(ops)), "f4"))
    outer = numpy.flatnonzero(ops.depth == 0)
    _add_reading(result, ops, outer, copies)
    _add_looks(result, ops, outer, looks.take(looks.spent > 0))
    return result


def _add_reading(result: Overhead, ops: Ops, outer: Array, copies: Array) -> None:
    thread, ends = ops.thread[outer], ops.end[outer]
    pause = numpy.full(len(outer), numpy.inf)  # before the first call of a thread: as long as need be
    same = thread[1:] == thread[:-1]
    pause[1:][same] = (ops.begin[outer][1:] - ends[:-1])[same]
    spent = numpy.minimum(ops.arguments[copies].astype("f8"), _MOST)
    place = numpy.searchsorted(outer, copies, "right") - 1
    comes = ops.direction[copies] == Direction.TO_HOST
    fits = pause[place] >= _FITS * spent
    goes = ~comes & fits
    numpy.add.at(result.before, outer[place[goes]], spent[goes])
    numpy.add.at(result.inside, outer[place[~comes & ~fits]], spent[~comes & ~fits])
    for later in (1, 2):
        behind = numpy.minimum(place + later, len(outer) - 1)
        fits = comes & (behind > place) & (thread[behind] == thread[place]) & (pause[behind] >= _FITS * spent)
        numpy.add.at(result.before, outer[behind[fits]], spent[fits])
        comes &= ~fits


def _add_looks(result: Overhead, ops: Ops, outer: Array, looks: Looks) -> None:
    for thread in numpy.unique(looks.thread[looks.thread >= 0]).tolist():
        rows = outer[slice(*numpy.searchsorted(ops.thread[outer], [thread, thread + 1]))]
        its = looks.take(looks.thread == thread)
        spent = numpy.minimum(its.spent, _MOST)
        following = numpy.searchsorted(ops.begin[rows], its.end, "right")
        call = rows[numpy.maximum(following - 1, 0)]
        within = (following > 0) & (its.end < ops.end[call])
        numpy.add.at(result.inside, call[within], spent[within])
        between = ~within & (following < len(rows))
        numpy.add.at(result.before, rows[following[between]], spent[between])
