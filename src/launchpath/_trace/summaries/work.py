"""Own work of processes, and waiting for others, told apart by the parts of their turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from launchpath._trace.summaries.common import Common, Grid

PIECES = ("slow host", "slow copies", "slow device", "late launches", "slow calls")
_EXACT = 64  # processes up to which each is compared with all but itself


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
        grids = (self.host, parts["copy"], parts["wait"], parts["submit"], parts["call"])
        return dict(zip(PIECES, grids, strict=True))


class Compared:
    """Each process beside the others.

    Parameters
    ----------
    turn : Common
    work : Work

    Attributes
    ----------
    grids : dict
        By name, processes x windows: ``own``, ``active`` (own work without waits for the device), ``total``,
        ``period``, ``away``, ``ready``, ``run``, ``wait``, ``share`` (ready, of what it ran), what is left of the
        period beside each of the first three, ``beside own`` and so on, and `Work.pieces` by cause.
    """

    def __init__(self, turn: Common, work: Work) -> None:
        wait = work.parts["wait"]
        self.count = len(turn.members)
        self.are_many = self.count > _EXACT
        self.grids: dict[str, Grid] = {
            "own": work.own,
            "active": work.own - wait,
            "total": work.total,
            "period": turn.period,
            "away": work.away,
            "ready": work.ready,
            "run": work.run,
            "wait": wait,
            "share": work.ready / numpy.maximum(work.run, 1),
            **work.pieces(),
        }
        for name in ("own", "active", "total"):
            self.grids[f"beside {name}"] = turn.period - self.grids[name]
        self._of_all: dict[str, tuple[Grid, Grid]] = {}

    def usual(self, name: str, place: int) -> tuple[Grid, Grid]:
        """Give for each window the others' median, and their spread: that of a normal distribution.

        Where there are many, it is that of all: one of them changes little.
        """
        grid = self.grids[name]
        if not self.are_many:
            return _usual(numpy.delete(grid, place, axis=0))
        if name not in self._of_all:
            self._of_all[name] = _usual(grid)
        return self._of_all[name]

    def more(self, name: str, place: int) -> Grid:
        """Give for each window how much more it is than the others' median."""
        result: Grid = self.grids[name][place] - self.usual(name, place)[0]
        return result


def _usual(values: Grid) -> tuple[Grid, Grid]:
    middle: Grid = numpy.median(values, axis=0)
    return middle, 1.4826 * numpy.median(numpy.abs(values - middle), axis=0)
