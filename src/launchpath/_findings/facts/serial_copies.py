"""Copies that stand between kernels in a stream and could run beside them."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.overlap import overlaps
from launchpath._findings.regions.calls import grouped, typical_calls, work_begin, work_end, work_time
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.simulation.edits import Edit, Move, Together
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Direction, Role
from launchpath._report.units import format_bytes
from launchpath._trace.format import BLOCKING

NEEDS = ""
KIND = "serial-copies"


def facts(region: Region) -> list[Finding]:
    """Find uploads that were submitted while the kernels before them ran, and downloads that hold up later kernels."""
    ops, calls, limit = region.timeline.ops, typical_calls(region), floor(region)
    if not calls.size or not numpy.isfinite(limit) or len(calls) < LEAST:
        return []
    first = calls[0]
    copies = (ops.role[first] == Role.COPY) & numpy.isin(ops.direction[first], (Direction.TO_DEVICE, Direction.TO_HOST))
    copies &= ops.works[first] == 1
    streams = numpy.unique(ops.stream[first[ops.role[first] == Role.LAUNCH]])
    columns = numpy.flatnonzero(copies & numpy.isin(ops.stream[first], streams))
    able = {device: overlaps(region.timeline, device) for device in numpy.unique(ops.device[first]).tolist()}
    columns = columns[numpy.array([able[device] for device in ops.device[first[columns]].tolist()], "?")]
    findings = []
    for place in grouped(region, columns.tolist()):
        upload = ops.direction[place.rows[0, 0]] == Direction.TO_DEVICE
        if not upload and (ops.flags[place.rows] & BLOCKING).any():
            continue
        gain = _beside(region, place.rows, upload)
        saved = float(gain.sum(axis=1).mean())
        if saved < limit:
            continue
        rows, number = numpy.sort(place.every), place.rows.shape[1]
        size = int(numpy.median(ops.size[place.rows]))
        named = place.named("upload" if upload else "download")
        what = "waits for kernels that do not use it" if upload else "holds up kernels that do not need it"
        findings.append(
            draft(
                region, KIND, rows, subject=named,
                sentence=f"{named} ({counted(number, 'copy', 'copies')} of {format_bytes(size)} a repetition) {what}: "
                f"{plain_time(saved)} in which both could run.",
                mend="Copy in a stream of its own, ordered by events, while kernels use a second array.",
                evidence={
                    "bytes": size, "copies": number, "us_beside": saved / 1e3,
                    "us_device": float(numpy.median(work_time(region, place.rows))) / 1e3,
                },
                edit=_move(region, rows, upload),
            )
        )  # fmt: skip
    return findings


def _neighbours(region: Region, stream: int) -> tuple[Array, Array]:
    """Give the works of a stream in the order of their begins, and for each work its place there."""
    key = f"works of {stream}"
    if key not in region.timeline.notes:
        works = region.timeline.works
        mine = numpy.flatnonzero(works.stream == stream)
        mine = mine[numpy.argsort(works.begin[mine], kind="stable")]
        place = numpy.full(len(works), -1, "i8")
        place[mine] = numpy.arange(len(mine))
        region.timeline.notes[key] = (mine, place)
    result: tuple[Array, Array] = region.timeline.notes[key]
    return result


def _beside(region: Region, rows: Array, upload: bool) -> Array:
    """Tell how long each copy could have run beside a kernel: of uploads the last one before it, else the next one."""
    ops, works = region.timeline.ops, region.timeline.works
    mine, place = _neighbours(region, int(ops.stream[rows[0, 0]]))
    kernels = mine[works.role[mine] == Role.LAUNCH]
    at = numpy.searchsorted(place[kernels], place[ops.work[rows]]) - (1 if upload else 0)
    there = (at >= 0) & (at < len(kernels))
    kernel = kernels[numpy.clip(at, 0, len(kernels) - 1)]
    begin, end = work_begin(region, rows), work_end(region, rows)
    if upload:
        # It was there to be done since its call, and the kernel was not done.
        shared = works.end[kernel] - numpy.maximum(ops.end[rows], works.begin[kernel])
    else:
        shared = end - numpy.maximum(begin, works.enqueued[kernel])
        shared = numpy.minimum(shared, works.end[kernel] - works.begin[kernel])
    return numpy.where(there, numpy.clip(shared, 0, end - begin), 0)


def _move(region: Region, rows: Array, upload: bool) -> Edit:
    """Move copies to a stream of their own: uploads one repetition ahead, and what follows them waits for them."""
    ops = region.timeline.ops
    mine = _neighbours(region, int(ops.stream[rows[0]]))[0]
    works = region.timeline.works
    kernels = mine[works.role[mine] == Role.LAUNCH]
    at = numpy.searchsorted(works.begin[kernels], work_begin(region, rows))  # kernels before each copy
    new = int(ops.stream.max()) + (1 if upload else 2)
    before = numpy.where(at > 0, works.op[kernels[numpy.maximum(at - 1, 0)]], -1) if len(kernels) else at - 1
    if not upload:
        return Move(rows, new, before.astype("i8"))
    # Its array was used by the kernels before the copy before.
    earlier = numpy.concatenate([[-1], before[:-1]]).astype("i8")
    follows = at < len(kernels)
    users, first = numpy.unique(works.op[kernels[numpy.minimum(at, len(kernels) - 1)]][follows], return_index=True)
    behind = Move(users.astype("i8"), int(ops.stream[rows[0]]), rows[follows][first])
    return Together(rows, (Move(rows, new, earlier), behind))
