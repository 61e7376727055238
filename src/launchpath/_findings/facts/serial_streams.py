"""Kernels in one stream that could run side by side."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.overlap import overlaps, units
from launchpath._findings.ordering.pointers import pointers, pointers_of_copy
from launchpath._findings.regions.calls import typical_calls, work_time
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Move, Together
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.wording import device_word

NEEDS = "evidence"
KIND = "serial-streams"

_LOOKED_AT = 5  # repetitions


def facts(region: Region) -> list[Finding]:
    """Find kernels of one stream that fall into groups which share no argument, and leave room on the device."""
    ops, calls, limit = region.timeline.ops, typical_calls(region), floor(region)
    if not region.timeline.evidence or not calls.size or not numpy.isfinite(limit):
        return []
    first = calls[0]
    findings = []
    for stream in numpy.unique(ops.stream[first[ops.role[first] == Role.LAUNCH]]).tolist():
        columns = numpy.flatnonzero(numpy.isin(ops.role[first], SUBMITS) & (ops.stream[first] == stream))
        each = _of_stream(region, calls, columns, stream, limit)
        findings += [each] if each else []
    return findings


def _of_stream(region: Region, calls: Array, columns: Array, stream: int, limit: float) -> Finding | None:
    ops, timeline = region.timeline.ops, region.timeline
    device = int(ops.device[calls[0, columns[0]]])
    launches = columns[ops.role[calls[0, columns]] == Role.LAUNCH]
    blocks = ops.blocks[calls[0, launches]]
    most = units(region, device)
    if len(launches) < 2 or not most or blocks.min() >= most or not overlaps(timeline, device):
        return None
    groups = _groups(region, calls, columns)
    if len(groups) < 2:
        return None
    if sum(sorted((int(ops.blocks[calls[0, group]].max()) for group in groups), reverse=True)[:2]) > most:
        return None  # two launches at a time have no room
    times = [float(numpy.median(work_time(region, calls[:, group]).sum(axis=1))) for group in groups]
    longest = int(numpy.argmax(times))
    saved = sum(times) - times[longest]
    if saved < limit:
        return None
    rest = [group for place, group in enumerate(groups) if place != longest]
    new = int(ops.stream.max()) + 1
    moves = []
    for number, group in enumerate(rest):
        rows = numpy.sort(calls[:, group].reshape(-1))
        moves.append(Move(rows, new + number, numpy.full(len(rows), -1)))
    rows = numpy.sort(calls[:, launches].reshape(-1))
    names = list(dict.fromkeys(timeline.names[name] for name in ops.name[calls[0, launches]].tolist()))
    subject = ", ".join(names[:3])
    return draft(
        region, KIND, rows, subject=subject,
        sentence=f"{counted(len(launches), 'launch', 'launches')} of `{subject}` follow one another in one stream, "
        f"{plain_time(sum(times))} a repetition, and are {counted(len(groups), 'group')} that share no argument: "
        f"{device_word(timeline, device)} has {counted(most, 'unit')}, a launch {counted(blocks.max(), 'block')}.",
        mend="Give each group a stream of its own, if no two of them use parts of the same array.",
        evidence={
            "groups": len(groups), "launches": len(launches), "units": most, "blocks": int(blocks.max()),
            "us_groups": [time / 1e3 for time in times],
        },
        edit=moves[0] if len(moves) == 1 else Together(rows, tuple(moves)),
    )  # fmt: skip


def _groups(region: Region, calls: Array, columns: Array) -> list[list[int]]:
    """Give the columns of commands as groups, no two of which share a pointer; a single one if that is not known."""
    ops = region.timeline.ops
    looked_at = calls[numpy.linspace(0, len(calls) - 1, min(_LOOKED_AT, len(calls))).astype("i8")]
    uses: list[set[int]] = []
    for column in columns.tolist():
        rows = looked_at[:, column].tolist()
        if ops.role[rows[0]] == Role.LAUNCH:
            each = [pointers(ops, [row]) for row in rows]
        else:
            # A copy belongs to the launches that have its address.
            each = [_of_copy(region, looked_at[place], columns, row) for place, row in enumerate(rows)]
        if any(its is None for its in each):
            return [columns.tolist()]
        uses.append({byte for its in each if its for byte in its})
    groups: list[tuple[set[int], list[int]]] = []
    for column, its in zip(columns.tolist(), uses, strict=True):
        touched = [group for group in groups if group[0] & its]
        merged = (
            its.union(*(group[0] for group in touched)),
            [place for group in touched for place in group[1]] + [column],
        )
        groups = [group for group in groups if not group[0] & its] + [merged]
    with_launches = [sorted(group) for _, group in groups if (ops.role[calls[0, group]] == Role.LAUNCH).any()]
    return with_launches if sum(map(len, with_launches)) == len(columns) else [columns.tolist()]


def _of_copy(region: Region, rows: Array, columns: Array, copy: int) -> frozenset[int] | None:
    ops = region.timeline.ops
    launches = [row for row in rows[columns].tolist() if ops.role[row] == Role.LAUNCH]
    launched, both = pointers(ops, launches), pointers(ops, [*launches, copy])
    return None if launched is None or both is None else pointers_of_copy(ops, copy)
