"""Synchronizations that wait for more than is read behind them."""

from __future__ import annotations

from collections import Counter

import numpy

from launchpath._findings.amounts import plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.pointers import share_nothing
from launchpath._findings.ordering.synchronizations import (
    ORDERS,
    READ_BEFORE,
    READ_BEHIND,
    Need,
    Synchronizations,
    synchronizations_of,
)
from launchpath._findings.regions.calls import Calls, everywhere, work_end
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Narrow
from launchpath._findings.timeline.roles import Direction, Scope

NEEDS = ""
KIND = "wide-synchronize"

_SHARE = 0.95  # of a place's synchronizations that may be narrow
_REASONS = (ORDERS, READ_BEFORE, READ_BEHIND)  # for which something narrower is enough


def facts(region: Region) -> list[Finding]:
    """Find synchronizations behind which only one stream is read, or a part of it, while other work goes on."""
    limit = floor(region)
    if not numpy.isfinite(limit):
        return []
    looked_up = synchronizations_of(region)
    if looked_up.shares_memory:
        return []
    findings = [_of_place(region, looked_up, place, limit) for place in looked_up.places()]
    return [each for each in findings if each is not None]


def _of_place(region: Region, looked_up: Synchronizations, place: Calls, limit: float) -> Finding | None:
    ops = region.timeline.ops
    if ops.scope[place.rows[0, 0]] not in (Scope.DEVICE, Scope.STREAM):
        return None
    needs = looked_up.needs(place)
    narrow = [_narrow(region, need) for need in needs]
    known = [each for each in narrow if each is not None]
    streams = Counter(stream for stream, _, excess in known if excess > 0)
    if not streams or len(known) < _SHARE * len(needs):
        return None
    stream = streams.most_common(1)[0][0]
    if any(each != stream for each, _, _ in known):
        return None
    repetitions = len(needs) / place.rows.shape[1]
    excess = sum(excess for _, _, excess in known) / repetitions
    if excess < limit:
        return None
    rows = everywhere(place)
    within = [upto for _, upto, excess in known if excess > 0]
    event = sum(upto >= 0 for upto in within) > len(within) / 2
    device = ops.scope[place.rows[0, 0]] == Scope.DEVICE
    whole = "the whole device" if device else "all of its stream"
    later = "what comes behind them in the stream" if event and not device else "other streams"
    sentence = (
        f"{place.named('synchronize')} waits for {whole}, {plain_time(excess)} a repetition for {later},"
        f" whose results nothing reads before the next one."
    )
    mend = (
        "Record an event behind the copy that is read, and wait for that event."
        if event
        else "Wait for the stream that is read: `stream.synchronize()`."
    )
    if any(need.orders for need in needs):
        mend += " Where a stream uses another one's results, `stream.wait(event)` keeps the order."
    return draft(
        region, KIND, rows, subject=place.named("synchronize"), sentence=sentence, mend=mend,
        evidence={"us_for_others": excess / 1e3, "stream": stream, "looked_at": len(needs)},
        edit=Narrow(rows, stream, _upto(region, rows, stream) if event else numpy.full(len(rows), -1)),
    )  # fmt: skip


def _narrow(region: Region, need: Need) -> tuple[int, int, int] | None:
    """Give the stream that is read, up to which call (-1: all), and how long others are waited for; None: no such."""
    ops = region.timeline.ops
    if (need.reason and need.reason not in _REASONS) or not need.read:
        return None
    streams = {int(ops.stream[row]) for row in need.read}
    if len(streams) != 1:
        return None
    stream = streams.pop()
    mine = need.outstanding.get(stream, [])
    before = [row for row in need.read if ops.begin[row] < ops.begin[need.row]]
    behind = len(before) < len(need.read)
    last = max(before, key=lambda row: int(ops.begin[row])) if before and not behind else -1
    others = [row for source, its in need.outstanding.items() if source != stream for row in its]
    reads = [row for row in need.read if row not in before]
    if reads and not share_nothing(ops, reads + mine, others):
        return None  # what is read behind it may come from another stream
    needed = [row for row in mine if last < 0 or ops.begin[row] <= ops.begin[last]]
    ended = int(ops.end[need.row])
    ends = work_end(region, numpy.array(needed or [need.row], "i8"))
    every = work_end(
        region, numpy.array([row for rows in need.outstanding.values() for row in rows] or [need.row], "i8")
    )
    until = max(int(ends.max()), int(ops.begin[need.row]))
    excess = min(int(every.max()), ended) - until
    return stream, last if last >= 0 and len(needed) < len(mine) else -1, max(excess, 0)


def _upto(region: Region, rows: numpy.ndarray, stream: int) -> numpy.ndarray:
    """For each synchronization the last copy to the host before it in the stream; -1: there is none."""
    ops = region.timeline.ops
    copies = numpy.flatnonzero((ops.direction == Direction.TO_HOST) & (ops.stream == stream) & (ops.depth == 0))
    copies = copies[numpy.argsort(ops.begin[copies], kind="stable")]
    place = numpy.searchsorted(ops.begin[copies], ops.begin[rows]) - 1
    return numpy.where(place >= 0, copies[numpy.maximum(place, 0)], -1) if len(copies) else numpy.full(len(rows), -1)
