"""What calls take without waiting: for works, for room in a queue."""

from __future__ import annotations

from math import inf
from statistics import median

import numpy

from launchpath._findings.simulation.columns import Recorded
from launchpath._findings.simulation.following import Order
from launchpath._findings.simulation.program import Kind
from launchpath._findings.timeline.ops import Array

_OWN = 1000.0  # nanoseconds of a synchronization that does not wait, if none was seen
_LIMIT = 16  # commands that a stream takes at least
_KNOWN = 3  # submissions of which something is known
_FULL = 10.0  # times the usual: a submission that waited for room
_FULL_LEAST = 10_000.0


def own_times(recorded: Recorded, order: Order) -> Array:
    """Give what each call takes without waiting. Puts usual wake-ups where none was seen."""
    own = recorded.end - recorded.begin
    waits = [place for place, kind in enumerate(order.kind) if kind == Kind.WAIT]
    free: dict[int, list[float]] = {}
    woken: dict[int, list[float]] = {}
    names = recorded.function.tolist()
    for place in waits:
        if order.wake[place] == -inf:
            free.setdefault(names[place], []).append(float(own[place]))
        elif order.wake[place] < inf:
            woken.setdefault(names[place], []).append(order.wake[place])
    others = [each for its in woken.values() for each in its] or [
        order.wake[place] for place, kind in enumerate(order.kind) if kind == Kind.BLOCK
    ]
    usual_free = {name: median(times) for name, times in free.items()}
    usual_woken = {name: median(times) for name, times in woken.items()}
    other = median(others or [0.0])
    for place in waits:
        name = names[place]
        if order.wake[place] != -inf:
            own[place] = min(usual_free.get(name, _OWN), float(own[place]))
        if abs(order.wake[place]) == inf:
            order.wake[place] = usual_woken.get(name, other)
    own[[place for place, kind in enumerate(order.kind) if kind == Kind.BLOCK]] = 0.0
    return numpy.asarray(own)


def limits(recorded: Recorded, order: Order, own: Array) -> dict[int, int]:
    """Tell after how many commands submissions to a stream wait: those with the most before them took long.

    Their own times become the usual ones.
    """
    result = {}
    submits = numpy.array([kind == Kind.SUBMIT for kind in order.kind], "?")
    for stream in numpy.unique(recorded.stream[submits]).tolist():
        its = numpy.flatnonzero(recorded.has & (recorded.stream == stream))
        mine = submits[its]
        ends = numpy.maximum.accumulate(recorded.ended[its])
        waiting = numpy.arange(len(its)) - numpy.searchsorted(ends, recorded.begin[its], "right")
        most = int(waiting.max())
        if most < _LIMIT:
            continue
        mine &= numpy.arange(len(its)) >= most  # before, what was submitted before the stretch is in the queue too
        # A submission that waited for room ends behind the end of a command.
        before = ends[numpy.maximum(numpy.searchsorted(ends, recorded.end[its], "right") - 1, 0)]
        behind = recorded.end[its] - before
        much, rest = mine & (waiting >= 0.9 * most), mine & (waiting < 0.8 * most)
        if numpy.count_nonzero(rest) >= _KNOWN:
            usual = float(numpy.median(own[its][rest]))
        else:
            usual = float(numpy.median(numpy.minimum(behind, own[its])[mine]))
        slow = (own[its] > max(_FULL * usual, _FULL_LEAST)) & (before > recorded.begin[its])
        full = much & slow
        few = numpy.count_nonzero(rest & slow) <= 0.1 * numpy.count_nonzero(full)
        if few and numpy.count_nonzero(full) >= max(_KNOWN, 0.3 * numpy.count_nonzero(much)):
            result[stream] = int(numpy.median(waiting[full]))
            own[its[full]] = usual
    return result
