"""Copies from or to memory that is not pinned."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.facts.equal_uploads import equal_columns
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.regions.calls import Calls, call_time, grouped, typical_calls, work_time
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Asynchronous, Edit, Faster, Together
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import Direction, Role
from launchpath._findings.wording import is_own
from launchpath._report.units import format_bytes
from launchpath._trace.format import BLOCKING, PAGEABLE, PINNED

NEEDS = "evidence"
KIND = "pageable-copies"

_LEAST = 32 << 10  # bytes below which pinning changes little
_HOST = 5000.0  # nanoseconds of a call that only submits a copy, where the trace has none


def facts(region: Region) -> list[Finding]:
    """Find copies whose bytes the host has to move first, since their memory is not pinned."""
    ops, calls, limit = region.timeline.ops, typical_calls(region), floor(region)
    if not region.timeline.evidence or not calls.size or not numpy.isfinite(limit):
        return []
    first = calls[0]
    pageable = (ops.role[first] == Role.COPY) & ((ops.flags[first] & PAGEABLE) != 0) & (ops.size[first] >= _LEAST)
    pageable &= numpy.isin(ops.direction[first], (Direction.TO_DEVICE, Direction.TO_HOST))
    pageable[equal_columns(region)[0]] = False  # those that need not be sent are another finding
    findings = []
    for place in grouped(region, numpy.flatnonzero(pageable).tolist()):
        each = call_time(region, place.rows)
        host = _submitting(region, int(ops.direction[place.rows[0, 0]]))
        saved = float(numpy.median(numpy.maximum(each - host, 0).sum(axis=1)))
        if saved < limit:
            continue
        upload = ops.direction[place.rows[0, 0]] == Direction.TO_DEVICE
        rows, size = numpy.sort(place.every), int(numpy.median(ops.size[place.rows]))
        named = place.named("upload" if upload else "download")
        number = place.rows.shape[1]
        times = f", {counted(number, 'time')} a repetition" if number > 1 else ""
        findings.append(
            draft(
                region, KIND, rows, subject=named,
                sentence=f"{named} holds the host for {plain_time(float(numpy.median(each)))}"
                f"{times}: "
                f"its {format_bytes(size)} are in memory that is not pinned.",
                mend=_mend(region, upload),
                evidence={
                    "bytes": size, "copies": number, "us_host": float(numpy.median(each)) / 1e3,
                    "us_device": float(numpy.median(work_time(region, place.rows))) / 1e3, "us_submitting": host / 1e3,
                },
                edit=_edit(region, place, host),
            )
        )  # fmt: skip
    return findings


def _mend(region: Region, upload: bool) -> str:
    pinned = "`launchpath.pinned_empty()`" if is_own(region.timeline) else "pinned memory"
    if upload:
        return f"Keep the bytes in {pinned}: the copy then goes on by itself. Change them only when it has ended."
    return f"Copy into {pinned}."


def _copies(region: Region, direction: int, flag: int) -> Array:
    rows = region.rows()
    ops = region.timeline.ops
    mine = (ops.role[rows] == Role.COPY) & (ops.direction[rows] == direction) & ((ops.flags[rows] & flag) != 0)
    return numpy.asarray(rows[mine])


def _submitting(region: Region, direction: int) -> float:
    """Tell how long a call takes that only submits a copy of a direction: that of pinned memory in the same region."""
    ops = region.timeline.ops
    rows = _copies(region, direction, PINNED)
    rows = rows[(ops.flags[rows] & BLOCKING) == 0]
    return float(numpy.median(call_time(region, rows))) if len(rows) else _HOST


def _edit(region: Region, place: Calls, host: float) -> Edit | None:
    """Make an upload that the host does not wait for, on the device as fast as pinned copies, if any were seen."""
    ops, rows = region.timeline.ops, numpy.sort(place.every)
    direction = int(ops.direction[rows[0]])
    work = _speed(region, rows, direction)
    blocks = (ops.flags[rows] & BLOCKING) != 0
    if direction == Direction.TO_HOST:
        return Faster(rows, work=work) if work < 1 else None
    edits: list[Edit] = []
    if blocks.any():
        edits.append(Asynchronous(rows[blocks], host))
    if not blocks.all():
        staged = rows[~blocks]
        each = float(numpy.median(call_time(region, staged)))
        edits.append(Faster(staged, host=min(host / each, 1.0) if each else 1.0))
    if work < 1:
        edits.append(Faster(rows, work=work))
    return edits[0] if len(edits) == 1 else Together(rows, tuple(edits))


def _speed(region: Region, rows: Array, direction: int) -> float:
    """Give the factor of a copy's time on the device with pinned memory; 1: no such copy is in the region."""
    ops, pinned = region.timeline.ops, _copies(region, direction, PINNED)
    times, mine = work_time(region, pinned), work_time(region, rows)
    pinned = pinned[(times > 0) & (ops.size[pinned] >= _LEAST)]
    if not len(pinned) or not (mine > 0).all():
        return 1.0
    byte = float(numpy.median(work_time(region, pinned) / ops.size[pinned]))
    return min(byte / float(numpy.median(mine / ops.size[rows])), 1.0)
