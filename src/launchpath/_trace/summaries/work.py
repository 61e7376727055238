"""Own work of processes, and waiting for others, told apart by the parts of their turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._trace.summaries.common import Common, Grid


@dataclass
class Work:
    """For each process and window nanoseconds of a turn.

    Attributes
    ----------
    own : numpy.ndarray
        What the process does itself: calls of the driver, waits for its own device, and code between calls. Without
        looks at threads it is calls alone: code is not told from waiting.
    away : numpy.ndarray
        Sleep outside of the driver: waiting for others. 0 without looks.
    host : numpy.ndarray
        Code between calls, and ready without a processor there. Without looks waiting for others is in it.
    ready, run : numpy.ndarray
        Ready without a processor, and on one, wherever.
    """

    own: Grid
    away: Grid
    host: Grid
    ready: Grid
    run: Grid
    total: Grid
    parts: dict[str, Grid]

    @classmethod
    def of(cls, turn: Common) -> Work:
        """Tell them apart."""
        parts = turn.parts
        calls = parts["submit"] + parts["copy"] + parts["wait"] + parts["call"]
        outside = numpy.maximum(turn.total - calls, 0)
        if not turn.has_looks:
            none = numpy.zeros_like(outside)
            return cls(numpy.minimum(calls, turn.total), none, outside, none, none, turn.total, parts)
        away = numpy.minimum(parts["away"], outside)
        own = turn.total - away
        return cls(own, away, outside - away, parts["ready"], parts["run"], turn.total, parts)

    def pieces(self) -> dict[str, Grid]:
        """Give what own work consists of, by cause."""
        parts = self.parts
        return {
            "slow host": self.host,
            "slow copies": parts["copy"],
            "slow device": parts["wait"],
            "late launches": parts["submit"],
            "slow calls": parts["call"],
        }


def usual(values: Grid, places: list[int]) -> tuple[Grid, Grid]:
    """Give the median over some processes for each window, and their spread: that of a normal distribution."""
    chosen = values[places]
    middle: Grid = numpy.median(chosen, axis=0)
    return middle, 1.4826 * numpy.median(numpy.abs(chosen - middle), axis=0)
