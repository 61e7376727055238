"""Latencies and gaps: a work begins when both are over, and the longer one is seen."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy

from launchpath._findings.simulation.columns import CLOCKS, NEVER, Recorded
from launchpath._findings.simulation.following import Order
from launchpath._findings.simulation.program import Kind, Work
from launchpath._findings.timeline.ops import Array

_FEW = 10  # commands of which something usual can be told
_GAP = 1000.0  # nanoseconds between two commands of a GPU's stream, if no others are known
_GAPS = 4.0  # times the usual gap: what is longer was not the gap
_LATENCY = 100_000.0  # nanoseconds; what is longer on queues that were never idle is time in the queue
_BUSY = 10_000.0  # nanoseconds of idle time after which a queue still begins as if it had been busy
_ALIKE = 0.1  # by which latencies may differ that are taken for the same
_BLOCKING_ROLE = 64  # added to the role of commands whose call blocks: their latencies are from its begin
_LOOSE = 0.1  # of a stream's works that begin before what they are behind has ended: it does not keep the order
_CHANCES = 3  # for two commands to run at once, of which some would have been taken
_WHILE = 30_000.0  # nanoseconds that a command has to go on, for another one to begin beside it
_TOGETHER = 0.01  # of a device's works that overlap: it runs several at once
_RIGHT_BEHIND = 10_000.0  # nanoseconds between the end of a command and the begin of one that waited for its place


def loose_streams(recorded: Recorded, order: Order) -> frozenset[int]:
    """Tell which streams do not keep the order: their works overlap."""
    loose = []
    for stream in numpy.unique(recorded.stream[recorded.has]).tolist():
        its = recorded.has & (recorded.stream == stream)
        over = recorded.started[its] < order.behind[its] - CLOCKS
        if numpy.count_nonzero(over) > _LOOSE * len(over):
            loose.append(stream)
            for place in numpy.flatnonzero(its).tolist():
                order.behind[place] = order.latest(order.ready[place])
    return frozenset(loose)


def devices_alone(recorded: Recorded, order: Order, blocks: Array, facts: Any) -> frozenset[int]:
    """Tell which devices run one command at a time. Their works are behind the ones that they ran before.

    A device does that if it did not run two streams' commands at once although both were there. Where they never were,
    it does if most of its kernels fill it: those have more blocks than half of its units.

    Parameters
    ----------
    blocks : numpy.ndarray
        Of each launch; 0 for other calls.
    facts : object
        What the file says of devices.
    """
    known = [each if isinstance(each, dict) else {} for each in (facts if isinstance(facts, list) else ())]
    alone = []
    for device in numpy.unique(recorded.device[recorded.has]).tolist():
        its = known[device] if device < len(known) else {}
        if its.get("driver") in ("cuda", "hip"):
            continue
        works = numpy.flatnonzero(recorded.has & (recorded.device == device))
        works = works[numpy.argsort(recorded.started[works], kind="stable")]
        latest = numpy.concatenate([[NEVER], numpy.maximum.accumulate(recorded.ended[works])[:-1]])
        over = numpy.count_nonzero(recorded.started[works] < latest - 1)
        ready = numpy.maximum(recorded.end[works], order.behind[works])
        # For how long both were there: the command that ran, and the one of another stream that came next.
        both = latest[1:] - numpy.maximum(ready[1:], recorded.started[works][:-1])
        could = (both > _WHILE) & (recorded.stream[works][1:] != recorded.stream[works][:-1])
        could &= ~order.unsure[works][1:]
        if over > _TOGETHER * len(works):
            continue
        if numpy.count_nonzero(could) <= max(_CHANCES, _TOGETHER * len(works)):
            units, sizes = its.get("units"), blocks[works][blocks[works] > 0]
            if isinstance(units, int) and units > 0 and len(sizes) and numpy.median(sizes) <= units / 2:
                continue
        alone.append(device)
        order.behind[works] = numpy.maximum(order.behind[works], numpy.minimum(latest, recorded.started[works]))
    return frozenset(alone)


def wait_for_places(recorded: Recorded, order: Order, alone: frozenset[int]) -> None:
    """Find commands that waited for a place on their device, and let them wait for the one that left it.

    A device that runs several commands at once has places for so many. A command that nothing held back, and that
    began right behind one of another stream, has waited for its place.
    """
    others = numpy.array([device not in alone for device in recorded.device.tolist()], "?")
    works = numpy.flatnonzero(recorded.has & others)
    works = works[numpy.argsort(recorded.ended[works], kind="stable")]
    ends = recorded.ended[works]
    enqueued = numpy.where(recorded.blocks, recorded.begin, recorded.end)
    since = recorded.started - numpy.maximum(order.behind, enqueued)
    for place in works[since[works] > _WHILE].tolist():
        begin = float(recorded.started[place])
        first, last = numpy.searchsorted(ends, [begin - _RIGHT_BEHIND, begin + CLOCKS])
        for other in works[first:last][::-1].tolist():
            same = recorded.stream[other] == recorded.stream[place]
            if other < place and not same and recorded.device[other] == recorded.device[place]:
                order.ready[place] = (*order.ready[place], other)
                order.behind[place] = max(float(order.behind[place]), min(float(recorded.ended[other]), begin))
                break


def works_of(recorded: Recorded, order: Order) -> list[tuple[Work, ...]]:
    """Give the works of each call."""
    enqueued = numpy.where(recorded.blocks, recorded.begin, recorded.end)
    with numpy.errstate(invalid="ignore"):
        since, gap, idle = recorded.started - enqueued, recorded.started - order.behind, enqueued - order.behind
    seen, usual, typical = _seen(recorded, order, since, gap, idle)
    columns = (
        recorded.stream,
        recorded.device,
        recorded.ended - recorded.started,
        numpy.where(seen, since, numpy.minimum(since, typical)),
        numpy.where(seen, numpy.maximum(idle, 0.0), numpy.maximum(idle, -1.0)),
        numpy.where(seen, numpy.minimum(gap, usual), gap),
        recorded.role.astype("i8") + _BLOCKING_ROLE * recorded.blocks,
        seen,
    )
    result: list[tuple[Work, ...]] = []
    for place, (stream, device, time, latency, its_idle, its_gap, role, shown) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        if order.kind[place] in (Kind.SUBMIT, Kind.BLOCK):
            result.append((Work(stream, device, time, latency, its_idle, its_gap, order.ready[place], role, shown),))
        elif order.kind[place] in (Kind.MARK, Kind.ORDER):
            result.append((Work(stream, device, 0.0, 0.0, -1.0, 0.0),))
        else:
            result.append(())
    return result


def _spread(values: Array) -> float:
    low, high = numpy.quantile(values, (0.1, 0.9))
    return float(high - low)


def _seen(recorded: Recorded, order: Order, since: Array, gap: Array, idle: Array) -> tuple[Array, float, float]:
    """Tell which works began by their latencies, which gap is usual, and which latency on a queue that was busy.

    A work that was submitted before the one before it had ended began after both its latency and the gap: which of
    them was the longer one cannot be seen. It was the gap where that is as usual, and the latency where the gap would
    be far too long, or where all of them began so long after their calls.
    """
    # The trace reads the bytes of a copy before the driver has it: meanwhile nothing is submitted.
    reading = numpy.where(recorded.blocks, 0.0, recorded.read_inside)
    seen = recorded.has & (order.behind < recorded.begin + reading)
    rest = recorded.has & ~seen
    # Of the first works of a stretch it is not known what they were behind.
    known = seen & (idle < inf)
    short = known & (idle < _BUSY)
    known = short if short.any() else known
    if not rest.any():
        return seen, 0.0, float(numpy.median(since[known])) if known.any() else 0.0
    # Where no queue was idle, latencies are not known, but for what they may be at most.
    typical = float(numpy.median(since[known])) if known.any() else float(since[rest].min())
    # What was submitted to a queue that had ended all before began by its latency, if the latencies are alike and the
    # gaps are not: so short kernels are on a GPU, each of which ends while the next one's call goes on.
    idly = rest & (idle > 0) & (since > 0)
    if numpy.count_nonzero(idly) < _FEW or 2 * _spread(since[idly]) > _spread(gap[idly]):
        idly[:] = False
    seen, rest = seen | idly, rest & ~idly
    if not rest.any():
        return seen, 0.0, float(numpy.median(since[seen & (idle < inf)]))
    clear = rest & (since > 2 * typical + 1000.0)
    told = clear if clear.any() else rest
    usual = float(numpy.quantile(gap[told], 0.25))
    if idly.any() and numpy.count_nonzero(told & (idle < 0)) < _FEW:
        usual = min(usual, _GAP, float(gap[idly].min()))  # no gap was seen, but for what it is at most
    alike = rest & ~clear & (numpy.abs(since - typical) <= _ALIKE * abs(typical))
    if clear.any():
        alike &= gap > usual + 100.0
    believed = known.any() or typical < _LATENCY
    if not believed or numpy.count_nonzero(alike) < 0.9 * numpy.count_nonzero(rest & ~clear):
        alike = numpy.zeros(len(rest), "?")
    late = rest & (gap > _GAPS * max(usual, 0.0) + 1000.0) & (since <= 2 * typical) & known.any()
    if not clear.any() and alike.any():
        usual = 0.0
    return seen | late | alike, usual, typical
