"""Places of calls in a repetition: the same call of each repetition, with what it costs in the median."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.idle import Idle
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Role
from launchpath._trace.format import BLOCKING

_SUBMITS = (Role.LAUNCH, Role.COPY, Role.FILL, Role.GRAPH, Role.DEFERRED)


@dataclass
class Places:
    """The calls of the ordinary repetitions of a region, as matrices: a row for each, a column for each call.

    Queries, of which repetitions have any number, are left out.

    Attributes
    ----------
    rows : numpy.ndarray of int64
        Rows in ``timeline.ops``.
    inside, before, code : numpy.ndarray of float64
        How long the device waited for the host: which was in the call; before it; and before it in code that ran or
        slept, and did not wait for a processor or a lock. Before the first call: since the last one of the repetition
        before, where that ended with the begin of this one.
    pieces : numpy.ndarray of int64
        How long the host code before the call took.
    duration : numpy.ndarray of int64
        How long the call took.
    role : numpy.ndarray of uint8
        Of each column.
    waits, submits : numpy.ndarray of bool
        Of each column: it waits for the device in all repetitions; it submits a command, or keeps one back.
    """

    rows: Array
    inside: Array
    before: Array
    code: Array
    pieces: Array
    duration: Array
    role: Array
    waits: Array
    submits: Array

    def __len__(self) -> int:
        return self.rows.shape[1]


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
    chosen = numpy.flatnonzero(ordinary[idle.repetition] & (ops.role[idle.rows] != Role.QUERY))
    shape = (len(idle.ordinary), -1) if len(chosen) else (0, 0)
    rows = idle.rows[chosen].reshape(shape)
    inside, before = (column[chosen].reshape(shape).astype("f8") for column in (idle.inside, idle.before))
    pieces = idle.pieces[chosen].reshape(shape)
    held = (idle.pauses.ready + idle.pauses.blocked)[chosen].reshape(shape)
    code = before * (1 - held / numpy.maximum(pieces, 1))
    if rows.shape[1]:
        _add_tails(region, idle, rows, before, code, pieces)
    flags, roles = ops.flags[rows], ops.role[rows]
    role = roles[0] if len(roles) else numpy.zeros(0, "u1")
    return Places(
        rows=rows,
        inside=inside,
        before=before,
        code=code,
        pieces=pieces,
        duration=ops.end[rows] - ops.begin[rows],
        role=role,
        waits=(role == Role.SYNCHRONIZE) | ((flags & BLOCKING) != 0).all(axis=0) & numpy.isin(role, _SUBMITS),
        submits=numpy.isin(role, _SUBMITS),
    )


def _add_tails(region: Region, idle: Idle, rows: Array, before: Array, code: Array, pieces: Array) -> None:
    """Add to the first call's host code what is behind the last call of the repetition before."""
    ops = region.timeline.ops
    tails = numpy.zeros(len(region))
    tails[idle.repetitions] = idle.tails
    previous = idle.ordinary - 1
    follows = (previous >= 0) & (region.ends[previous] == region.begins[idle.ordinary])
    extra = numpy.where(follows, tails[previous], 0)
    before[:, 0] += extra
    code[:, 0] += extra
    last = numpy.maximum(region.first[idle.ordinary] - 1, 0)
    length = region.begins[idle.ordinary] - numpy.maximum(ops.end[last], region.begins[previous])
    pieces[:, 0] += numpy.where(follows & (ops.thread[last] == region.thread), numpy.maximum(length, 0), 0)
