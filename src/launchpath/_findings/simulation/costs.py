"""What the trace itself has cost each call, by what the process has measured of its records."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS
from launchpath._findings.timeline.timeline import Timeline

_CUPTI = "cupti"  # its records come to those of CUDA's driver
_MOST = 100_000.0  # nanoseconds: a file that says more of a record was damaged


class Costs:
    """Nanoseconds of a call's records.

    Parameters
    ----------
    timeline : Timeline
    calibration : Calibration or None
        Has what a trace of launchpath's own costs, which does not measure itself.

    Attributes
    ----------
    command, call : float
        Of a record of a command, and of another call; 0: it is not known.
    wake : float
        By which a thread wakes up later.
    """

    def __init__(self, timeline: Timeline, calibration: Calibration | None = None) -> None:
        self._ops = timeline.ops
        fact = timeline.meta.get("cost")
        drivers = (
            {name: each for name, each in fact.items() if isinstance(each, dict)} if isinstance(fact, dict) else {}
        )
        more = drivers.pop(_CUPTI, {})
        self.command, self.call = (
            max((_figure(each.get(noun)) for each in drivers.values()), default=0.0) + _figure(more.get(noun))
            for noun in ("command", "call")
        )
        self.wake = 0.0
        if calibration is not None and not drivers and "launchpath" in timeline.process.facts:
            self.command, self.wake = calibration.traced_launch, calibration.traced_wait

    def of(self, rows: Array) -> Array:
        """Give what the records of outermost calls have cost, those of calls inside them included."""
        ops = self._ops
        own = numpy.where(numpy.isin(ops.role[rows], SUBMITS), self.command, self.call)
        if not self.call or not len(rows):
            return own
        inner = numpy.zeros(len(rows))
        last = numpy.minimum(rows + 1, len(ops) - 1)
        for _ in range(4):
            inside = (ops.depth[last] > 0) & (last > rows)
            inner += numpy.where(inside, self.call, 0.0)
            last = numpy.where(inside, numpy.minimum(last + 1, len(ops) - 1), rows)
        return own + inner


def _figure(figure: Any) -> float:
    value = figure.get("ns") if isinstance(figure, dict) else None
    return (
        float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < _MOST else 0.0
    )
