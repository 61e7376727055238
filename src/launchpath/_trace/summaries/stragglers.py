"""Stragglers: processes whose turns take longer than those of the others, from which step to which, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._report import format_time
from launchpath._trace.condensed.turns import Turns
from launchpath._trace.summaries.common import Common, Grid
from launchpath._trace.summaries.work import PIECES, Compared, Work

CAUSES = {
    "slow host": "its own code between calls takes longer",
    "no processor": "it is ready to run, and other threads have its processor",
    "slow copies": "its copies take longer",
    "slow device": "it waits longer for its own device: its kernels or copies there are slow",
    "late launches": "the driver's calls of its launches take longer in all",
    "slow calls": "other calls of the driver take longer",
    "waits for another process": "it sleeps outside of the driver: it waits, and does not work longer itself",
    "code or waiting": "its code between calls takes longer, or it waits there for another process",
}
_WORTH = 0.05  # of a step: what is less is not told
_WORTH_OF_ALL, _ALONE = 0.02, 0.1  # of the time of all steps: of a span, and of one of few steps
_FEW = 4
_SPREAD = 4.0  # times the others' spread
_LEAST = 20e3  # nanoseconds of a step
_MOSTLY = 0.75  # of the windows: then it is so all along
_HALF = 0.5
_TOGETHER = 0.1  # by which periods of processes that wait for each other differ at most


@dataclass
class Straggler:
    """A process that takes longer than the others.

    Attributes
    ----------
    process : str
        "host:pid".
    rank : int or None
    name : str
        "rank 3", or "process host:pid".
    cause : str
        One of `CAUSES`.
    first, last : int
        Numbers of the first and of the last step.
    all_along : bool
        Whether that is all steps.
    longer, step : float
        By how many nanoseconds a step takes it longer than the others, and nanoseconds from step to step.
    waited : float
        For how many nanoseconds of a step the others wait for it; 0: they do not.
    waits_for : str or None
        Who it waits for, where that is another one that takes as much longer.
    pieces : dict
        By cause, how many nanoseconds more than the others.
    """

    process: str
    rank: int | None
    name: str
    cause: str
    first: int
    last: int
    all_along: bool
    longer: float
    step: float
    waited: float
    waits_for: str | None = None
    pieces: dict[str, float] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The part of each step in which the others wait for it."""
        return self.waited / self.step if self.step else 0.0

    def sentence(self, others: int) -> str:
        """Say it in plain English; `others` is how many other processes there are."""
        when = "in all steps" if self.all_along else f"from step {self.first} to step {self.last}"
        when = f"in step {self.first}" if self.first == self.last and not self.all_along else when
        rest = "the other one" if others == 1 else f"the other {others}"
        text = f"{self.name} takes {format_time(self.longer)} longer than {rest} {when}: {CAUSES[self.cause]}"
        if self.waits_for is not None:
            text += f", for {self.waits_for}"
        elif self.cause == "waits for another process":
            text += "; for which one is not in the traces"
        if self.waited > 0:
            verb = "waits" if others == 1 else "wait"
            wait = f"{verb} {format_time(self.waited)} of each step for it, {self.share:.0%} of it"
            return f"{text}. {rest[0].upper()}{rest[1:]} {wait}."
        return f"{text}."

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            **{
                name: getattr(self, name) for name in ("name", "rank", "process", "cause", "first", "last", "all_along")
            },
            "us_longer": self.longer / 1e3,
            "us_step": self.step / 1e3,
            "us_others_wait": self.waited / 1e3,
            "share": self.share,
            "waits_for": self.waits_for,
            "us_pieces": {cause: time / 1e3 for cause, time in self.pieces.items()},
        }


def stragglers(turn: Common, work: Work, names: list[str]) -> list[Straggler]:
    """Find the processes that take longer, those for which the most time is lost first."""
    compared, result = Compared(turn, work), []
    for place in numpy.flatnonzero(_may_be(turn, compared)).tolist():
        result += _of(turn, compared, names, place)
    for each in result:
        if each.cause == "waits for another process":
            each.waits_for = _waited_for(each, result)
    result.sort(key=lambda each: (-_lost(each), each.name, each.first))
    return result


def _may_be(turn: Common, compared: Compared) -> NDArray[numpy.bool_]:
    """Leave out at once those of many processes that take no longer than the median of all in any way."""
    every = numpy.ones(compared.count, bool)
    if not compared.are_many:
        return every
    result, bound = ~every, numpy.maximum(_WORTH * turn.period, _LEAST)
    for values in ("own", "active", "total"):
        excess = compared.grids[values] - compared.usual(values, 0)[0]
        over = numpy.where(excess > bound, excess, 0).sum(axis=1)
        result |= over > _WORTH_OF_ALL * turn.period.sum(axis=1)
        result |= numpy.median(excess, axis=1) > numpy.maximum(_WORTH * numpy.median(turn.period, axis=1), _LEAST)
    return result


def _of(turn: Common, compared: Compared, names: list[str], place: int) -> list[Straggler]:
    """Compare a process by its own work, else by the turn as a whole: what it waits for others is in that alone."""
    chosen: list[Straggler] = []
    for values in ("own", "active", "total"):
        if chosen and values == "active":
            continue
        excess, spread = compared.more(values, place), compared.usual(values, place)[1]
        if values == "active":  # the others may wait for it in waits for their devices, as with collective kernels
            excess = numpy.where(-compared.more("wait", place) >= _HALF * excess, excess, 0)
        spans = _spans(excess, spread, turn.period[place], 1 << turn.shift)
        slow = [_straggler(turn, compared, names, place, excess, values, span) for span in spans]
        if sum(map(_lost, slow)) > sum(map(_lost, chosen)) / _HALF:
            chosen = slow
    return chosen


def _lost(straggler: Straggler) -> float:
    return straggler.longer * (straggler.last - straggler.first + 1)


def _spans(excess: Grid, spread: Grid, period: Grid, window: int) -> list[tuple[int, int, bool]]:
    """Give the windows in which it takes longer: first and last of each span, and whether it is so all along."""
    count = len(excess)
    step = numpy.median(period)
    bound = numpy.maximum(numpy.maximum(_WORTH * period, _SPREAD * spread), _LEAST)
    middle = float(numpy.median(excess))
    noise = 1.4826 * float(numpy.median(numpy.abs(excess - middle)))
    if middle > max(_WORTH * step, _SPREAD * float(numpy.median(spread)), _LEAST, 3 * noise / count**0.5):
        return [(0, count - 1, True)]
    over = excess > bound
    if over.mean() >= _MOSTLY:
        return [(0, count - 1, True)]
    over &= excess > middle + _SPREAD * noise
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([False], over, [False])).astype("i1")))
    spans = zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True)
    every = float(period.sum())
    return [
        (first, last, False)
        for first, last in spans
        if excess[first : last + 1].sum() > (_ALONE if (last + 1 - first) * window < _FEW else _WORTH_OF_ALL) * every
    ]


def _straggler(
    turn: Common,
    compared: Compared,
    names: list[str],
    place: int,
    excess: Grid,
    values: str,
    span: tuple[int, int, bool],
) -> Straggler:
    first, last, all_along = span
    windows = slice(first, last + 1)
    longer = float(numpy.median(excess[windows]))
    cause, pieces = _cause(turn, compared, place, longer, values, windows)
    step, apart = (float(numpy.median(of[windows])) for of in (turn.period[place], compared.more("period", place)))
    waited = 0.0
    if abs(apart) <= _TOGETHER * step:
        less = -float(numpy.median(compared.more(f"beside {values}", place)[windows]))
        waited = min(max(less, 0), longer)
    row, (begin, end) = turn.members[place], turn.steps(first, last)
    return Straggler(
        row.process, row.rank, names[place], cause, begin, end, all_along, longer, step, waited, None, pieces
    )


def _cause(
    turn: Common, compared: Compared, place: int, longer: float, values: str, windows: slice
) -> tuple[str, dict[str, float]]:
    """Tell why, and how much more of each kind of work there is than in the others."""

    def middle(of: Grid) -> float:
        return float(numpy.median(of[windows]))

    pieces = {cause: middle(compared.more(cause, place)) for cause in PIECES}
    if values == "total":
        if not turn.has_looks:
            return "code or waiting", pieces
        if middle(compared.more("away", place)) >= _HALF * longer:
            return "waits for another process", pieces
    # Who runs longer is ready longer too where processors are busy: what the others' share of it explains is no cause.
    share = compared.usual("share", place)[0] * compared.grids["run"][place]
    expected = numpy.maximum(compared.usual("ready", place)[0], share)
    if middle(compared.grids["ready"][place] - expected) >= _HALF * longer:
        return "no processor", pieces
    return max(pieces, key=lambda cause: pieces[cause]), pieces


def _waited_for(victim: Straggler, every: list[Straggler]) -> str | None:
    """Name the one that works longer in the same steps, by at least half as much."""
    causes = [
        each
        for each in every
        if each.cause != "waits for another process"
        and each.process != victim.process
        and each.first <= victim.last
        and victim.first <= each.last
        and each.longer >= _HALF * victim.longer
    ]
    return max(causes, key=lambda each: each.longer).name if causes else None


def name_of(row: Turns, ranks_differ: bool) -> str:
    """Name a process by its rank, where no two have the same."""
    return f"rank {row.rank}" if ranks_differ and row.rank is not None else f"process {row.process}"
