"""Waits of streams that order nothing."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft
from launchpath._findings.finding import Finding
from launchpath._findings.noise import floor
from launchpath._findings.ordering.order import Clocks, Order, order_of, takes_place
from launchpath._findings.ordering.pointers import share_nothing
from launchpath._findings.regions.calls import Calls, everywhere, grouped, typical_calls, work_begin, work_end
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.simulation.edits import Remove
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Direction, Role, Scope
from launchpath._trace.format import BLOCKING

NEEDS = "evidence"
KIND = "needless-order"

_MOST = 40  # repetitions that are looked at
_CALLS = 40_000  # calls that are looked at


def facts(region: Region) -> list[Finding]:
    """Find waits for what is in order already, and waits for another stream with which nothing is shared."""
    limit = floor(region)
    if not region.timeline.evidence or not numpy.isfinite(limit) or len(typical_calls(region)) < LEAST:
        return []
    return _implied(region, limit) + _unshared(region, limit)


def _window(region: Region) -> Array:
    """Give the rows of `typical_calls` that are looked at: consecutive ones in the middle."""
    calls = typical_calls(region)
    count = max(LEAST, min(_MOST, len(calls), _CALLS // max(calls.shape[1], 1)))
    first = (len(calls) - count) // 2
    return numpy.arange(first, first + count)


def _implied(region: Region, limit: float) -> list[Finding]:
    """Waits for what is in order already."""
    ops, calls, order = region.timeline.ops, typical_calls(region), order_of(region)
    columns = numpy.flatnonzero(ops.role[calls[0]] == Role.ORDER)
    if not len(columns):
        return []
    rows = calls[_window(region)]
    new = _orders_new(region, order, int(ops.begin[rows[0, 0]]), int(ops.end[rows[-1, -1]]))
    own = region.timeline.meta.get("recorder") is not True
    waited = {maker for makers in order.makers.values() for maker in makers}
    needless = []
    for column in columns.tolist():
        its = rows[1:, column].tolist()  # before the first one's begin anything may have been recorded
        waits = all(row in order.makers for row in its)
        bare = not own and all(row not in order.makers and row not in waited for row in its)
        if (waits and not any(row in new for row in its)) or (bare and _keeps_order(region, calls, column)):
            needless.append(column)
    findings = []
    for place in grouped(region, needless):
        each = ops.end[place.rows] - ops.begin[place.rows]
        cost = float(numpy.median(each.sum(axis=1)))
        if cost < limit:
            continue
        every, number = everywhere(place), place.rows.shape[1]
        bare = int(place.rows[0, 0]) not in order.makers
        why = "its queue is in order" if bare else "what it waits for is in order already"
        findings.append(
            draft(
                region, KIND, every, subject=place.named("wait"),
                sentence=f"{place.named('wait')} orders nothing, for {why}: {counted(number, 'call')} a repetition, "
                f"{plain_time(float(numpy.median(each)))} each.",
                mend="Leave it out, if the queue was not made to run out of order." if bare else "Leave it out.",
                evidence={"us_host": float(numpy.median(each)) / 1e3, "waits": number}, edit=Remove(every),
            )
        )  # fmt: skip
    return findings


def _keeps_order(region: Region, calls: Array, column: int) -> bool:
    """Tell whether works of the column's stream never overlap."""
    ops, works = region.timeline.ops, region.timeline.works
    if "arrier" not in region.timeline.names[int(ops.function[calls[0, column]])]:
        return False
    mine = numpy.flatnonzero(works.stream == ops.stream[calls[0, column]])
    mine = mine[numpy.argsort(works.enqueued[mine], kind="stable")]
    return len(mine) > LEAST and bool((works.begin[mine[1:]] >= works.end[mine[:-1]]).all())


def _orders_new(region: Region, order: Order, begin: int, end: int) -> set[int]:
    """Give the calls in a span of time whose waits order something new."""
    ops = region.timeline.ops
    inside = numpy.flatnonzero((ops.begin >= begin) & (ops.begin < end))
    rows = inside[takes_place(ops, inside) | ((ops.role[inside] == Role.SYNCHRONIZE) & (ops.depth[inside] == 0))]
    rows = rows[numpy.argsort(order.moment[rows], kind="stable")]
    clocks, new = Clocks(order), set()
    for row, role in zip(rows.tolist(), ops.role[rows].tolist(), strict=True):
        if role == Role.SYNCHRONIZE:
            clocks.synchronize(row)
        elif clocks.submit(row):
            new.add(row)
    return new


def _unshared(region: Region, limit: float) -> list[Finding]:
    """Waits for another stream's commands, which use nothing that the commands behind the wait use."""
    ops, calls, order = region.timeline.ops, typical_calls(region), order_of(region)
    window = _window(region)[1:-1]
    findings = []
    for column in range(calls.shape[1]):
        rows = calls[window, column]
        if ops.role[rows[0]] not in (*SUBMITS, Role.ORDER) or int(rows[0]) not in order.makers:
            continue
        held = []
        for repetition, row in zip(window.tolist(), rows.tolist(), strict=True):
            # The next repetition is looked at too: what comes behind it is as what comes in it.
            until = int(ops.end[calls[repetition + 1, -1]])
            each = _held_back(region, order, row, int(ops.begin[calls[repetition - 1, 0]]), until)
            if each is None:
                break
            held.append(each)
        if len(held) < len(rows) or not held or float(numpy.mean(held)) < limit:
            continue
        removed = _removed(region, order, calls, column)
        site_rows = removed if len(removed) else calls[:, column]
        [place] = grouped(region, [column])
        place.rows = site_rows.reshape(-1, 1)
        time = float(numpy.mean(held))
        findings.append(
            draft(
                region, KIND, site_rows, subject=place.named("wait"),
                sentence=f"{place.named('wait')} holds a stream back {plain_time(time)} a repetition for another one, "
                "and the commands of the two share no argument.",
                mend="Leave it out, if no two of them use parts of the same array.",
                evidence={"us_held_back": time / 1e3, "looked_at": len(held)},
                edit=Remove(removed) if len(removed) else None,
            )
        )  # fmt: skip
    return findings


def _removed(region: Region, order: Order, calls: Array, column: int) -> Array:
    """Give the calls that make the wait: itself, or what it waits for if nothing else does."""
    ops, rows = order.ops, calls[:, column]
    makers: list[int] = []
    if ops.role[rows[0]] == Role.ORDER:
        return everywhere(Calls(region, rows.reshape(-1, 1)))
    waiting = order.outermost[order.edges.waiter]
    by_maker = numpy.bincount(order.edges.maker[order.edges.maker >= 0], minlength=len(ops))
    mine = numpy.isin(waiting, rows)
    for maker in order.edges.maker[mine].tolist():
        if maker < 0 or by_maker[maker] != 1 or ops.role[maker] not in (Role.RECORD, Role.ORDER) or ops.depth[maker]:
            return numpy.zeros(0, "i8")
        makers.append(maker)
    return everywhere(Calls(region, numpy.sort(numpy.array(makers, "i8")).reshape(-1, 1)))


def _held_back(region: Region, order: Order, row: int, begin: int, until: int) -> int | None:
    """Tell how long a wait holds its stream back; None: it may be needed."""
    ops = region.timeline.ops
    stream, moment = int(ops.stream[row]), int(order.moment[row])
    makers = order.makers[row]
    if min(makers) < 0 or any(ops.stream[maker] == stream for maker in makers):
        return None
    sources = {int(ops.stream[maker]): int(order.moment[maker]) for maker in makers}
    for source in _waited_for(order, set(sources), begin, moment) - {stream}:
        sources.setdefault(source, moment)
    before: list[int] = []
    behind: list[int] = []
    mine: list[int] = []
    open_sources = dict(sources)
    for each in order.between(begin, until).tolist():
        its, role, at = int(ops.stream[each]), int(ops.role[each]), int(order.moment[each])
        waits = role == Role.SYNCHRONIZE or (ops.flags[each] & BLOCKING and role in SUBMITS)
        if waits and ops.thread[each] == ops.thread[row]:
            every = role == Role.SYNCHRONIZE and ops.scope[each] == Scope.DEVICE
            if at < moment:
                # The host has seen it complete.
                before = [] if every else [other for other in before if ops.stream[other] != its]
                continue
            if ops.scope[each] != Scope.EVENT or role != Role.SYNCHRONIZE:
                open_sources = {} if every else {key: value for key, value in open_sources.items() if key != its}
        if role in SUBMITS:
            if its in sources and at <= sources[its]:
                before.append(each)
            elif its == stream and at >= moment and open_sources:
                behind.append(each)
            elif its == stream and at < moment:
                mine.append(each)
    if not behind or not before or _leaves(order, stream, moment, until, set(sources)):
        return None
    if any(
        ops.role[each] == Role.COPY and ops.direction[each] == Direction.TO_HOST and not ops.flags[each] & BLOCKING
        for each in before
    ):
        return None
    if not share_nothing(ops, behind, before):
        return None
    first = behind[0]
    started = int(work_begin(region, numpy.array([first]))[0])
    ended = int(work_end(region, numpy.array(before)).max())
    ready = max([int(ops.begin[first]), *(work_end(region, numpy.array(mine)).tolist() if mine else [])])
    return max(0, min(started, ended) - ready) if started >= 0 else 0


def _waited_for(order: Order, streams: set[int], begin: int, end: int) -> set[int]:
    """Give the streams whose commands come before some streams' in a span of time."""
    ops, edges = order.ops, order.edges
    first, last = numpy.searchsorted(order.moment[edges.waiter], [begin, end])
    pairs = {
        (int(ops.stream[order.outermost[waiter]]), int(ops.stream[maker]))
        for waiter, maker in zip(edges.waiter[first:last].tolist(), edges.maker[first:last].tolist(), strict=True)
        if maker >= 0
    }
    known = set(streams)
    while more := {source for waiting, source in pairs if waiting in known} - known:
        known |= more
    return known


def _leaves(order: Order, stream: int, begin: int, end: int, sources: set[int]) -> bool:
    """Tell whether further streams wait for what comes behind the wait."""
    ops, edges = order.ops, order.edges
    known = edges.maker >= 0
    makers, waiters = edges.maker[known], edges.waiter[known]
    at = order.moment[makers]
    its = (ops.stream[makers] == stream) & (at >= begin) & (at < end)
    others = numpy.unique(ops.stream[order.outermost[waiters[its]]]).tolist()
    return any(other not in sources and other not in (stream, 0) for other in others)
