"""Charges: how long a device waited for a thread, by the thread's calls and the host code between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.idle.pauses import PAUSE, lock_of, split_calls, split_pauses
from launchpath._findings.idle.spans import Spans, union
from launchpath._findings.idle.turns import partners
from launchpath._findings.timeline.ops import Array, Columns, Ops
from launchpath._findings.timeline.overhead import overhead
from launchpath._findings.timeline.roles import Role
from launchpath._findings.timeline.timeline import Timeline

_WAITS = (Role.SYNCHRONIZE, Role.COPY, Role.FILL)
_COPIED = 2.0  # bytes a nanosecond: drivers copy pageable memory faster


@dataclass
class Charge(Columns):
    """What a device waited for, of a thread's outermost calls: a row for each. Nanoseconds.

    Attributes
    ----------
    rows : numpy.ndarray of int64
        The calls: rows of ``timeline.ops``.
    inside : numpy.ndarray of float64
        In the call. What is in the columns below is not in it.
    before : numpy.ndarray of float64
        In the code between the call before it and this one; the same is left out.
    loading : numpy.ndarray of float64
        Between the calls, while another thread compiled or loaded, or this one waited for a compiler or a processor.
    ready : numpy.ndarray of float64
        In both, while the thread was ready to run and had no processor.
    held : numpy.ndarray of float64
        In both, while it waited for another thread: `lock`.
    ready_inside, held_inside : numpy.ndarray of float64
        The parts of these in the call.
    asleep : numpy.ndarray of float64
        The part of `before` in which the thread waited for something that is no thread of its process.
    pieces : numpy.ndarray of int64
        How long the code between the calls took, whether the device waited or not.
    away : numpy.ndarray of float64
        The part of `pieces` in which the thread did not run: it waited for another thread or for something else.
    share : numpy.ndarray of float64
        The part of `pieces` in which the device waited.
    known : numpy.ndarray of bool
        Whether there was a look at that code.
    tracing : numpy.ndarray of float64
        In both, while the trace read the bytes of copies.
    """

    rows: Array
    inside: Array
    before: Array
    loading: Array
    ready: Array
    held: Array
    ready_inside: Array
    held_inside: Array
    asleep: Array
    pieces: Array
    away: Array
    share: Array
    known: Array
    tracing: Array


def charge(timeline: Timeline, thread: int, rows: Array, after: Array, waits: Spans) -> Charge:
    """Find out what a device waited for.

    Parameters
    ----------
    thread : int
    rows : numpy.ndarray of int64
        Its outermost calls, in the order of time.
    after : numpy.ndarray of int64
        When the code before each call began.
    waits : Spans
        When the device waited for this thread.
    """
    ops = timeline.ops
    begin, end = ops.begin[rows], ops.end[rows]
    pieces = begin - after
    before = waits.between(after, begin).astype("f8")
    inside = waits.between(begin, end).astype("f8")
    pauses = split_pauses(timeline, thread, after, begin)
    share = before / numpy.maximum(pieces, 1)
    beside = overhead(timeline)
    tracing = numpy.minimum(share * beside.before[rows], before)
    tracing_inside = numpy.minimum(inside / numpy.maximum(end - begin, 1), 1) * beside.inside[rows]
    before, inside = before - tracing, inside - tracing_inside
    loads = _loads(timeline, thread)
    loading = numpy.minimum(share * loads.between(after, begin), before)
    ready = numpy.minimum(share * pauses.ready, before - loading)
    held = numpy.minimum(share * pauses.blocked, before - loading - ready)
    if len(partners(timeline, thread)) > 1:
        # Without a look at it, the code of threads that take turns is taken for time with the lock, or without it.
        held = numpy.where(pauses.known | (pieces < PAUSE), held, before - loading - ready)
    # What a thread waits for where it compiles or loads is a compiler, another thread that compiles for it, or a
    # processor that these have.
    compiling = ops.role[rows] == Role.LOAD
    around = compiling.copy()
    around[1:] |= compiling[:-1]
    loading = loading + numpy.where(around, held + ready, 0)
    held, ready = numpy.where(around, 0, held), numpy.where(around, 0, ready)
    before = before - loading - ready - held
    asleep = numpy.minimum(share * pauses.asleep, before)
    own = inside * ops.waited[rows] / numpy.maximum(end - begin, 1)
    own = numpy.where(compiling, 0, own)
    long = numpy.flatnonzero((inside >= PAUSE) & numpy.isin(ops.role[rows], _WAITS))
    late_ready, late_held = split_calls(timeline, thread, begin[long], end[long], inside[long])
    late_held = numpy.maximum(late_held - _copying(ops, rows[long]), 0)
    in_ready = numpy.zeros(len(rows))
    in_ready[long] = late_ready
    own[long] = numpy.maximum(own[long], late_held)
    own = numpy.minimum(own, inside - in_ready)
    return Charge(
        rows=rows,
        inside=inside - in_ready - own,
        before=before,
        loading=loading,
        ready=ready + in_ready,
        held=held + own,
        ready_inside=in_ready,
        held_inside=own,
        asleep=asleep,
        pieces=pieces - numpy.minimum(beside.before[rows], pieces).astype("i8"),
        away=pauses.blocked + pauses.asleep,
        share=share,
        known=pauses.known,
        tracing=tracing + tracing_inside,
    )


def joined(parts: list[Charge]) -> Charge:
    """Put charges behind one another."""
    return Charge(**{name: numpy.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])})


def lock_word(timeline: Timeline, thread: int) -> str:
    """Name the cause of time that a thread waits for others: "lock" or "GIL"."""
    return "lock" if len(partners(timeline, thread)) > 1 else lock_of(timeline)


def _copying(ops: Ops, rows: Array) -> Array:
    """Give for how long at most threads of a driver copy bytes for the thread that calls it."""
    return numpy.where(ops.role[rows] == Role.COPY, ops.size[rows] / _COPIED, 0.0)


def _loads(timeline: Timeline, thread: int) -> Spans:
    """Give when other threads compile or load."""
    ops = timeline.ops
    chosen = (ops.role == Role.LOAD) & (ops.thread != thread)
    return union(ops.begin[chosen], ops.end[chosen])[0]
