"""Uploads of the bytes that are there already."""

from __future__ import annotations

import re

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.order import order_of
from launchpath._findings.regions.calls import Calls, call_time, grouped, typical_calls, work_time
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.simulation.edits import Before, Edit, Remove, Together
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import Direction, Role
from launchpath._findings.timeline.timeline import Timeline
from launchpath._report.units import format_bytes
from launchpath._trace.format import CONTENT, PAGEABLE

NEEDS = "evidence"
KIND = "equal-uploads"

_SHARE = 0.9  # of a place's uploads that must be equal
_OBJECTS = re.compile(r"clEnqueue(Write|Read|Copy|Fill)(Buffer|Image)")  # their addresses are objects' handles
_WRITES_NOTHING = re.compile(r".*(Prefetch|Advise|Migrate|AttachMem|Unmap)")
_EVERYTHING = numpy.iinfo("u8").max


def facts(region: Region) -> list[Finding]:
    """Find uploads of a region that send what the last upload to the same place has sent."""
    timeline, limit = region.timeline, floor(region)
    calls = typical_calls(region)
    if not timeline.evidence or not calls.size or not numpy.isfinite(limit):
        return []
    columns, equal = equal_columns(region)
    findings = []
    for place in grouped(region, columns.tolist()):
        each = call_time(region, place.rows)
        device = work_time(region, place.rows)
        cost = float(numpy.median(numpy.maximum(each, device).sum(axis=1)))
        if cost >= limit:
            findings.append(_finding(place, equal, cost, each, device))
    return findings


def equal_columns(region: Region) -> tuple[Array, Array]:
    """Give the columns of `typical_calls` that nearly always send what is there, and for each call whether it does."""
    timeline, calls = region.timeline, typical_calls(region)
    ops = timeline.ops
    if not timeline.evidence or len(calls) < LEAST:
        return numpy.zeros(0, "i8"), numpy.zeros(len(ops), "?")
    if "equal uploads" not in timeline.notes:
        timeline.notes["equal uploads"] = _equal(timeline, order_of(region).by_time)
    columns = numpy.flatnonzero((ops.role[calls[0]] == Role.COPY) & (ops.direction[calls[0]] == Direction.TO_DEVICE))
    equal = timeline.notes["equal uploads"] | _allocated_anew(region, calls, columns)
    # Of a line that sends several arrays, some may change; an array in pieces is as equal as its least equal one.
    shares = equal[calls[1:, columns]].mean(axis=0)
    new = numpy.ones(len(columns), "?")
    new[1:] = ~_follows(ops, calls[0, columns[:-1]], calls[0, columns[1:]]) | (numpy.diff(columns) > 1)
    array = numpy.cumsum(new) - 1
    least = numpy.ones(len(columns))
    numpy.minimum.at(least, array, shares)
    return columns[least[array] >= _SHARE], equal


def _follows(ops: Ops, before: Array, rows: Array) -> Array:
    """Tell which uploads go on where the upload before has ended, from memory that is not pinned."""
    pieces = (ops.flags[rows] & ops.flags[before] & PAGEABLE) != 0
    pieces &= (ops.site[rows] == ops.site[before]) & (ops.stream[rows] == ops.stream[before])
    return numpy.asarray(pieces & (ops.to[before] + ops.size[before].astype("u8") == ops.to[rows]))


def _finding(place: Calls, equal: Array, cost: float, each: Array, device: Array) -> Finding:
    region, ops = place.region, place.region.timeline.ops
    rows = place.every[equal[place.every]]
    others = _elsewhere(place, equal)
    rows = numpy.sort(numpy.concatenate([rows, others]))
    sizes, size = ops.size[rows], int(numpy.median(ops.size[place.rows].sum(axis=1)))
    several = place.rows.shape[1] > 1
    typical = float(numpy.median(numpy.maximum(each, device)))
    what = f"the same {format_bytes(int(numpy.median(sizes)))}"
    times = f"{counted(place.rows.shape[1], 'time')} a repetition, " if several else ""
    sentence = (
        f"{place.named('upload')} sends {what} {times}{counted(len(rows), 'time')} ({plain_time(typical)} each): "
        f"{plain_time(cost * len(region))} of {plain_time(region.time)}."
    )
    share = len(rows) / max(len(place.every) + len(others), 1)
    mend = "Send it once, before the loop, and again only when it has changed; no kernel may write to that memory."
    if share < 1 - 1 / LEAST / len(region):
        mend = "Send it only when it has changed: compare before, or set a mark; no kernel may write to that memory."
    return draft(
        region, KIND, rows, subject=place.named("upload"), sentence=sentence, mend=mend,
        evidence={
            "bytes": size, "uploads": place.rows.shape[1], "share_equal": share,
            "us_host": float(numpy.median(each)) / 1e3, "us_device": float(numpy.median(device)) / 1e3,
        },
        edit=_without(region, rows),
    )  # fmt: skip


def _without(region: Region, rows: Array) -> Edit:
    """Leave uploads out, and the waits right behind them for what they have submitted: a library's own, of its call."""
    ops = region.timeline.ops
    behind = rows[rows + 1 < len(ops)] + 1
    before = behind - 1
    waits = (ops.role[behind] == Role.SYNCHRONIZE) & (ops.depth[behind] == 0) & (ops.site[behind] == ops.site[before])
    waits &= (ops.thread[behind] == ops.thread[before]) & (ops.event[before] != 0)
    waits &= ops.wait[behind] == ops.event[before]
    its = behind[waits]
    if not len(its):
        return Remove(rows)
    return Together(rows, (Remove(numpy.sort(numpy.concatenate([rows, its]))), Before(its, 0.0)))


def _elsewhere(place: Calls, equal: Array) -> Array:
    """Equal uploads of the same line in repetitions that are not typical."""
    region, ops = place.region, place.region.timeline.ops
    if not place.site:
        return numpy.zeros(0, "i8")
    rows = region.rows()
    rows = rows[
        equal[rows] & (ops.site[rows] == ops.site[place.rows[0, 0]]) & (ops.direction[rows] == Direction.TO_DEVICE)
    ]
    return numpy.asarray(rows[~region.typical[region.repetition_of(rows)]])


def _allocated_anew(region: Region, calls: Array, columns: Array) -> Array:
    """Uploads that send what the repetition before has sent to memory that is allocated for each."""
    ops = region.timeline.ops
    equal = numpy.zeros(len(ops), "?")
    sizes = [
        ops.size[calls[0, column]] for column in range(calls.shape[1]) if ops.role[calls[0, column]] == Role.ALLOCATE
    ]
    for column in columns.tolist():
        rows = calls[:, column]
        if ops.size[rows[0]] in sizes and (ops.flags[rows] & CONTENT).all():
            equal[rows[1:]] = ops.content[rows[1:]] == ops.content[rows[:-1]]
    return equal


def _equal(timeline: Timeline, by_time: Array) -> Array:
    """Tell which uploads send what the last write to exactly the same bytes has sent."""
    ops = timeline.ops
    names = [_WRITES_NOTHING.match(name) is not None for name in timeline.names]
    writes = by_time[
        numpy.isin(ops.role[by_time], (Role.COPY, Role.FILL)) & (ops.direction[by_time] != Direction.TO_HOST)
    ]
    writes = writes[~numpy.array(names, "?")[ops.function[writes]]]
    objects = numpy.array([_OBJECTS.match(name) is not None for name in timeline.names], "?")
    result = numpy.zeros(len(ops), "?")
    low = ops.to[writes]
    size = numpy.where(objects[ops.function[writes]], 1, numpy.maximum(ops.size[writes], 1)).astype("u8")
    high = low + size
    anywhere = low == 0
    low[anywhere], high[anywhere] = 0, _EVERYTHING
    # The same bytes, not those of one object: of these the number of bytes is looked at too.
    by_target = numpy.lexsort((ops.size[writes], high, low))
    new = numpy.zeros(len(writes), "?")
    for column in (low, high, ops.size[writes]):
        new[1:] |= column[by_target[1:]] != column[by_target[:-1]]
    code = numpy.empty(len(writes), "i4")
    code[by_target] = numpy.cumsum(new)
    one = by_target[numpy.concatenate([[True], new[1:]])] if len(writes) else by_target  # a write to each target
    order = numpy.argsort(code, kind="stable")  # in the order of time for each target
    here, before = order[1:], order[:-1]
    upload = (
        (ops.direction[writes] == Direction.TO_DEVICE)
        & ((ops.flags[writes] & CONTENT) != 0)
        & ~ops.failed[writes]
        & ~anywhere
    )
    same = (code[here] == code[before]) & upload[here] & upload[before]
    same &= ops.content[writes[here]] == ops.content[writes[before]]
    here, before = here[same], before[same]
    lows, highs = low[one], high[one]
    first = numpy.searchsorted(code[order], numpy.arange(len(lows) + 1))
    for its in numpy.unique(code[here]).tolist():
        over = numpy.flatnonzero((lows < highs[its]) & (highs > lows[its]))
        mine = code[here] == its
        if len(over) > 1:
            others = numpy.sort(
                numpy.concatenate([order[first[each] : first[each + 1]] for each in over if each != its])
            )
            between = numpy.searchsorted(others, here[mine]) > numpy.searchsorted(others, before[mine])
            here_mine = here[mine][~between]
        else:
            here_mine = here[mine]
        result[writes[here_mine]] = True
    return result
