"""Places of calls in a repetition: the same call of each repetition, with what it costs in the median."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.idle.idle import Idle
from launchpath._findings.regions.region import Region
from launchpath._findings.regions.regular import regular
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._trace.format import BLOCKING

_SUBMITS = (*SUBMITS, Role.DEFERRED)


@dataclass
class Places:
    """The calls of the ordinary repetitions of a region, as matrices: a row for each, a column for each call.

    Queries, of which repetitions have any number, are left out.

    Attributes
    ----------
    rows : numpy.ndarray of int64
        Rows in ``timeline.ops``.
    inside, before : numpy.ndarray of float64
        How long the device waited for the host: which was in the call, or in code before it; without the time that the
        thread had no processor, or waited for another thread. Code before the first call may begin in the repetition
        before.
    latency : numpy.ndarray of int64
        How long the device was idle from the call's end to the begin of its works.
    asleep : numpy.ndarray of float64
        The part of `before` in which the thread did not run.
    loading : numpy.ndarray of float64
        While another thread compiled or loaded before the call, which is not in `before`.
    pieces : numpy.ndarray of int64
        How long the host code before the call took.
    duration : numpy.ndarray of int64
        How long the call took.
    away : numpy.ndarray of float64
        How much of that the thread did not run.
    known : numpy.ndarray of bool
        Whether the code before the call was looked at.
    loads : numpy.ndarray of bool
        Of each column: it loads or compiles, or another thread does before it.
    role : numpy.ndarray of uint8
        Of each column.
    waits, submits : numpy.ndarray of bool
        Of each column: it waits for the device in all repetitions; it submits a command, or keeps one back.
    """

    rows: Array
    inside: Array
    before: Array
    latency: Array
    asleep: Array
    loading: Array
    pieces: Array
    duration: Array
    away: Array
    known: Array
    loads: Array
    role: Array
    waits: Array
    submits: Array

    def __len__(self) -> int:
        return len(self.role)


def places_of(region: Region, idle: Idle) -> Places:
    """Arrange the calls of a region by their places."""
    if "places" not in region.notes:
        region.notes["places"] = _places_of(region, idle)
    places: Places = region.notes["places"]
    return places


def _places_of(region: Region, idle: Idle) -> Places:
    ops = region.timeline.ops
    ordinary = numpy.zeros(len(region), "?")
    ordinary[idle.ordinary] = True
    calls = idle.calls
    chosen = numpy.flatnonzero(ordinary[idle.repetition] & regular(region.timeline, calls.rows))
    shape = (len(idle.ordinary), -1) if len(chosen) else (0, 0)
    rows, inside, before, latency, asleep, loading, pieces, away, known = (
        column[chosen].reshape(shape)
        for column in (
            calls.rows,
            calls.inside,
            calls.before,
            idle.latency,
            calls.asleep,
            calls.loading,
            calls.pieces,
            calls.away + calls.ready,
            calls.known,
        )
    )
    flags, roles = ops.flags[rows], ops.role[rows]
    role = roles[0] if len(roles) else numpy.zeros(0, "u1")
    return Places(
        rows=rows,
        inside=inside,
        before=before,
        latency=latency,
        asleep=asleep,
        loading=loading,
        pieces=pieces,
        duration=ops.end[rows] - ops.begin[rows],
        away=away,
        known=known,
        loads=(role == Role.LOAD) | (numpy.median(loading, axis=0) > 0) if len(rows) else role == Role.LOAD,
        role=role,
        waits=(role == Role.SYNCHRONIZE) | ((flags & BLOCKING) != 0).all(axis=0) & numpy.isin(role, _SUBMITS),
        submits=numpy.isin(role, _SUBMITS),
    )
