"""Many small copies in a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._findings.amounts import plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.regions.calls import Calls, call_time, typical_calls, work_time
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Before, Edit, Merge, Remove, Together
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import Role
from launchpath._report.units import format_bytes

NEEDS = ""
KIND = "small-copies"

_FEW = 4  # copies in a row that are worth being one
_LARGE = 256 << 10  # bytes of a copy that is not small
_ALIKE = 4.0  # between the largest and the smallest size: nothing can be told from them
_SMALL = 16 << 10  # bytes that are small where sizes tell nothing
_BETWEEN = (Role.SYNCHRONIZE, Role.RECORD, Role.ORDER, Role.FLUSH, Role.ALLOCATE, Role.FREE, Role.OTHER)
_WORDS = {1: "upload", 2: "download", 3: "copy"}


@dataclass
class Cost:
    """What copies take: a fixed part, and a part for each byte. Nanoseconds."""

    fixed: float
    byte: float


def facts(region: Region) -> list[Finding]:
    """Find small copies in a row whose time is mostly the fixed part of each."""
    limit, ops, calls = floor(region), region.timeline.ops, typical_calls(region)
    if not numpy.isfinite(limit) or not calls.size:
        return []
    findings = []
    for direction, run in _runs(ops, calls):
        rows = calls[:, run]
        cost = cost_of_copies(region, direction)
        sizes = ops.size[rows].mean(axis=0)
        if cost.byte * sizes.sum() > cost.fixed * len(run):
            continue
        taken = numpy.median(ops.end[rows[:, -1]] - ops.begin[rows[:, 0]])
        saved = float(taken) * (len(run) - 1) / len(run)
        if saved < limit:
            continue
        place = Calls(region, rows)
        named = place.named(_WORDS[direction])
        each = float(numpy.median(call_time(region, rows)))
        findings.append(
            draft(
                region, KIND, numpy.sort(place.every), subject=named,
                sentence=f"{named} is {len(run)} copies of {format_bytes(int(numpy.median(sizes)))} in a row, "
                f"{plain_time(float(taken))} a repetition: each takes {plain_time(each)}, mostly the fixed part.",
                mend="Gather the bytes in one array, and copy that once.",
                evidence={
                    "copies": len(run), "bytes": int(sizes.sum()), "us_fixed": cost.fixed / 1e3, "us_each": each / 1e3,
                    "us_in_a_row": float(taken) / 1e3,
                },
                edit=_merge(region, calls, run, cost),
            )
        )  # fmt: skip
    return findings


def cost_of_copies(region: Region, direction: int) -> Cost:
    """Tell what copies of a direction cost, from all of the region's."""
    ops = region.timeline.ops
    rows = region.rows()
    rows = rows[(ops.role[rows] == Role.COPY) & (ops.direction[rows] == direction)]
    if not len(rows):
        return Cost(0.0, 0.0)
    times = numpy.maximum(call_time(region, rows), work_time(region, rows)).astype("f8")
    sizes = ops.size[rows].astype("f8")
    least = sizes.min()
    small = sizes <= 2 * least
    fixed = float(numpy.median(times[small]))
    if sizes.max() < _ALIKE * max(least, 1.0):
        return Cost(fixed, 0.0) if least <= _SMALL else Cost(0.0, fixed / least)
    large = sizes >= sizes.max() / 2
    byte = max(float(numpy.median(times[large])) - fixed, 0.0) / float(
        numpy.median(sizes[large]) - numpy.median(sizes[small])
    )
    return Cost(max(fixed - byte * float(numpy.median(sizes[small])), 0.0), byte)


def _runs(ops: Ops, calls: Array) -> list[tuple[int, list[int]]]:
    """Find columns of copies in a row: of one direction and stream, with no other command between them."""
    runs: list[tuple[int, list[int]]] = []
    run: list[int] = []
    key = (0, 0)
    for column, row in enumerate(calls[0].tolist()):
        role, its = int(ops.role[row]), (int(ops.direction[row]), int(ops.stream[row]))
        if role == Role.COPY and its[0] in _WORDS and ops.size[row] <= _LARGE:
            if run and key != its:
                runs.append((key[0], run))
                run = []
            key = its
            run.append(column)
        elif role not in _BETWEEN and run:
            runs.append((key[0], run))
            run = []
    if run:
        runs.append((key[0], run))
    return [(direction, columns) for direction, columns in runs if len(columns) >= _FEW]


def _merge(region: Region, calls: Array, run: list[int], cost: Cost) -> Edit:
    """Make one copy of a row of copies; the waits and the host's code between them go too."""
    ops, rows = region.timeline.ops, calls[:, run]
    group = numpy.repeat(numpy.arange(len(rows)), len(run))
    work = cost.fixed + cost.byte * float(ops.size[rows].sum(axis=1).mean()) if cost.byte else -1.0
    if work >= 0 and not (work_time(region, rows) > 0).all():
        work = -1.0
    gone = numpy.concatenate([numpy.arange(first + 1, last + 1) for first, last in rows[:, [0, -1]].tolist()])
    gone = gone[ops.depth[gone] == 0]
    waits = numpy.setdiff1d(gone, rows)
    edits: list[Edit] = [Before(gone, 0.0), Merge(rows.reshape(-1), group, work)]
    if len(waits):
        edits.append(Remove(waits))
    return Together(gone, tuple(edits))
