"""Ranks: what differs between processes that do the same steps, from their condensed traces alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from launchpath._trace.condensed.turns import Turns
from launchpath._trace.summaries.common import Common, Grid, common
from launchpath._trace.summaries.stragglers import Straggler, name_of, stragglers
from launchpath._trace.summaries.work import Work

NO_LOOKS = (
    "the traces have no looks at threads, so code and waiting for others cannot be told apart: begin them with "
    "--findings"
)


@dataclass
class Rank:
    """A process, in numbers of a step: medians over the windows, in nanoseconds.

    Attributes
    ----------
    process, name, host : str
    rank : int or None
    step : float
        From the begin of a step to the begin of the next one.
    own, away : float
        What it does itself in the step, and its sleep outside of the driver. Without looks at threads `own` is calls
        of the driver alone, and `away` is 0.
    causes : list of str
        Why it takes longer, where it does.
    """

    process: str
    name: str
    host: str
    rank: int | None
    step: float
    own: float
    away: float
    causes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        same = {name: getattr(self, name) for name in ("name", "rank", "process", "host", "causes")}
        return same | {f"us_{name}": getattr(self, name) / 1e3 for name in ("step", "own", "away")}


@dataclass
class Ranks:
    """What differs between processes that do the same steps.

    Attributes
    ----------
    name, kind : str
        The step: a range's name, or that of a wait: then a step is from one wait to the next.
    steps, window : int
        How many steps all of them have, and how many of them a column of `grid` has.
    rows : list of Rank
        In the order of ranks.
    grid : numpy.ndarray
        For each of `rows` and each window nanoseconds of own work in a step.
    has_looks : bool
        Whether waiting for others is told from work.
    stragglers : list of Straggler
        Those that take longer, the most time first.
    notes : list of str
        What cannot be told.
    """

    name: str
    kind: str
    steps: int
    window: int
    rows: list[Rank]
    grid: Grid
    has_looks: bool
    stragglers: list[Straggler]
    notes: list[str]

    @classmethod
    def of(cls, turns: Sequence[Turns]) -> Ranks | None:
        """Compare processes by their turns; None: no two of them have a turn in common."""
        turn = common(turns)
        if turn is None:
            return None
        ranks = [each.rank for each in turn.members]
        differ = None not in ranks and len(set(ranks)) == len(ranks)
        names = [name_of(each, differ) for each in turn.members]
        work = Work.of(turn)
        slow = stragglers(turn, work, names)
        rows = _rows(turn, work, names, slow)
        grid = work.own if turn.has_looks else turn.total
        return cls(
            turn.name, turn.kind, turn.turns, 1 << turn.shift, rows, grid, turn.has_looks, slow, _notes(turn, work)
        )

    def sentences(self) -> list[str]:
        """Say what differs in plain English: one or two sentences for each straggler, then what cannot be told."""
        others = len(self.rows) - 1
        lines = [each.sentence(others) for each in self.stragglers]
        if not lines:
            lines.append(f"No process takes longer than the others in the steps that all have ({self.title}).")
        return lines + [f"{note[0].upper()}{note[1:]}." for note in self.notes]

    @property
    def title(self) -> str:
        """What a step is, and how many there are."""
        kind = f"range `{self.name}`" if self.kind == "range" else f"from one {self.name} to the next"
        return f"{kind}, {self.steps} times in each of {len(self.rows)} processes"

    def relative(self) -> Grid:
        """Give own work of each process and window as a multiple of the median of all in that window."""
        result: Grid = self.grid / numpy.maximum(numpy.median(self.grid, axis=0), 1)
        return result

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            "step": self.name,
            "kind": self.kind,
            "steps": self.steps,
            "window": self.window,
            "has_looks": self.has_looks,
            "ranks": [each.as_json() for each in self.rows],
            "us_own": (self.grid / 1e3).round(3).tolist(),
            "stragglers": [each.as_json() for each in self.stragglers],
            "notes": self.notes,
        }


def _rows(turn: Common, work: Work, names: list[str], slow: list[Straggler]) -> list[Rank]:
    medians = [numpy.median(grid, axis=1).tolist() for grid in (turn.period, work.own, work.away)]
    causes: dict[str, list[str]] = {}
    for each in slow:
        causes.setdefault(each.process, []).append(each.cause)
    return [
        Rank(row.process, name, row.process.rpartition(":")[0], row.rank, step, own, away, causes.get(row.process, []))
        for row, name, step, own, away in zip(turn.members, names, *medians, strict=True)
    ]


def _notes(turn: Common, work: Work) -> list[str]:
    notes = []
    if not turn.has_looks:
        notes.append(NO_LOOKS)
    elif float(numpy.median(work.away)) > float(numpy.median(work.own)) and float(
        numpy.median(work.away, axis=1).min()
    ) > float(numpy.median(work.own)):
        notes.append(
            "all of them sleep outside of the driver for longer than they work: they wait for something that is not "
            "in the traces, such as another process, a file or the network"
        )
    if turn.left_out:
        noun = "process is" if turn.left_out == 1 else "processes are"
        notes.append(f"{turn.left_out} other {noun} not compared: other steps, or another number of them")
    return notes
