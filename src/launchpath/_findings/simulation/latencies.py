"""Latencies: how long after its call a command begins, by how long the queue was idle before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from math import inf, log2
from statistics import median

from launchpath._findings.simulation.program import Program, Work

_SHORT = 2000.0  # nanoseconds of idle time that are not told apart
_MOST = 40
_FEW = 3  # latencies of which something usual can be told


class Latencies:
    """What was seen in all stretches."""

    def __init__(self, programs: Iterable[Program]) -> None:
        seen: dict[tuple[int, int], dict[int, list[float]]] = {}
        for program in programs:
            for works in program.works:
                for work in works:
                    if work.shown and work.idle < inf:
                        seen.setdefault((work.device, work.role), {}).setdefault(_class(work.idle), []).append(
                            work.latency
                        )
        # Of each kind of command: classes of idle times, in their order, and what is usual in each. A queue that was
        # idle for a shorter time does not begin later.
        self._usual = {key: _rising(classes) for key, classes in seen.items()}

    def usual(self, work: Work, idle: float) -> float:
        """Give the latency that is usual for a command on a queue that was idle for so long; else its own."""
        classes, values = self._usual.get((work.device, work.role), ((), ()))
        if not classes:
            return work.latency
        mine = _class(idle)
        at = bisect_left(classes, mine)
        if at == len(classes) or (at and mine - classes[at - 1] < classes[at] - mine):
            at -= 1
        return values[at]


def _rising(classes: dict[int, list[float]]) -> tuple[list[int], list[float]]:
    known = sorted(each for each, values in classes.items() if len(values) >= _FEW) or sorted(classes)
    least, result = inf, []
    for each in reversed(known):
        least = min(least, median(classes[each]))
        result.append(least)
    return known, result[::-1]


def _class(idle: float) -> int:
    return _MOST if idle == inf else min(int(log2((max(idle, 0.0) + _SHORT) / _SHORT)), _MOST)
