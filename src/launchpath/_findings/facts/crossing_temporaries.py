"""Temporary memory that crosses streams: its use waits for another stream."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.order import Order, order_of
from launchpath._findings.regions.calls import Calls, typical_calls, work_begin, work_end
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.simulation.edits import Remove
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.wording import is_own

NEEDS = "evidence"
KIND = "crossing-temporaries"

_MOST = 60  # repetitions that are looked at
_MARKS = (Role.RECORD, Role.ORDER)


def facts(region: Region) -> list[Finding]:
    """Find memory that is allocated and freed in each repetition, and whose first use waits for another stream."""
    ops, calls, limit = region.timeline.ops, typical_calls(region), floor(region)
    if not calls.size or not numpy.isfinite(limit) or len(calls) < LEAST or not is_own(region.timeline):
        return []
    order = order_of(region)
    roles = ops.role[calls[0]]
    if not (roles == Role.FREE).any():
        return []
    first = (len(calls) - min(_MOST, len(calls))) // 2
    looked_at = calls[first : first + _MOST]
    groups: dict[int, list[tuple[int, int, float]]] = {}
    for column in numpy.flatnonzero(roles == Role.ALLOCATE).tolist():
        use = next((each for each in range(column + 1, calls.shape[1]) if roles[each] in SUBMITS), -1)
        if use < 0 or (roles[column + 1 : use] == Role.ALLOCATE).any():
            continue
        held = [_held_back(region, order, int(row), int(other)) for row, other in looked_at[:, [column, use]]]
        times = [each for each in held if each is not None]
        if len(times) > len(held) / 2:
            site = int(ops.site[calls[0, column]]) or -1 - column
            groups.setdefault(site, []).append((column, use, float(numpy.sum(times)) / len(held)))
    findings = []
    for its in groups.values():
        saved = sum(time for _, _, time in its)
        if saved < limit:
            continue
        place = Calls(region, calls[:, [column for column, _, _ in its]])
        marks = _marks(order, place.rows, calls[:, [use for _, use, _ in its]])
        streams = numpy.unique(ops.stream[calls[0, [use for _, use, _ in its]]])
        crosses = int(ops.stream[place.rows[0, 0]]) not in streams.tolist()
        why = "it is used on another stream than the one in whose order it is made"
        if not crosses:
            why = "its memory was used on another stream before"
        findings.append(
            draft(
                region, KIND, numpy.sort(place.every), subject=place.named("allocation"),
                sentence=f"{place.named('allocation')} makes a stream wait for another, {plain_time(saved)} a "
                f"repetition in {counted(len(its), 'use')}: {why}.",
                mend="Make it in the order of the stream that uses it (`stream=`), or keep it for all repetitions.",
                evidence={"us_held_back": saved / 1e3, "allocations": len(its)},
                edit=Remove(marks) if len(marks) else None,
            )
        )  # fmt: skip
    return findings


def _between(order: Order, allocation: int, use: int) -> list[int]:
    """Give the marks of other streams that were made between an allocation and its use, or for the use."""
    ops = order.ops
    last = use + 1
    while last < len(ops) and ops.depth[last] and ops.thread[last] == ops.thread[use]:
        last += 1
    rows = numpy.arange(allocation + 1, last)
    return rows[numpy.isin(ops.role[rows], _MARKS) & (ops.stream[rows] != ops.stream[use])].tolist()  # type: ignore[no-any-return]


def _marks(order: Order, allocations: Array, uses: Array) -> Array:
    pairs = zip(allocations.reshape(-1).tolist(), uses.reshape(-1).tolist(), strict=True)
    rows = [row for allocation, use in pairs for row in _between(order, allocation, use)]
    return numpy.unique(numpy.array(rows, "i8"))


def _held_back(region: Region, order: Order, allocation: int, use: int) -> int | None:
    """Tell how long the use of memory was held back by other streams; None: it waits for none."""
    ops, works = region.timeline.ops, region.timeline.works
    marks = _between(order, allocation, use)
    makers = order.makers.get(use)
    if not marks or (makers is not None and not set(makers) & set(marks)):
        return None
    begin, end = int(work_begin(region, numpy.array([use]))[0]), int(work_end(region, numpy.array([use]))[0])
    if begin < 0:
        return 0
    stream = int(ops.stream[use])
    others = numpy.isin(works.stream, ops.stream[marks]) & (works.end <= end) & (works.enqueued < ops.end[use])
    mine = (works.stream == stream) & (works.begin < begin)
    until = int(works.end[others].max(initial=0))
    ready = max(int(ops.begin[use]), int(works.end[mine].max(initial=0)))
    return max(0, min(begin, until) - ready)
