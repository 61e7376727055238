"""What the processes of condensed traces have in common: a turn that all of them do, window by window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.condensed.turns import PART_NAMES, Turns

Grid = NDArray[numpy.float64]  # processes x windows: nanoseconds of a turn, on the average

_MOST = 0.5  # of the processes with turns: as many must have it
_SAME = 0.1  # by which the numbers of turns differ at most


@dataclass
class Common:
    """A turn that several processes do, in windows of as many turns each.

    Attributes
    ----------
    name, kind : str
        As `Turns` has them.
    members : list of Turns
        The processes' rows, in the order of ranks.
    shift : int
        A window has ``2**shift`` turns.
    turns : int
        How many turns all members have.
    total, period : numpy.ndarray
        For each member and window nanoseconds of a turn, and from its begin to the begin of the next one.
    parts : dict
        For each of `PART_NAMES` nanoseconds of a turn.
    left_out : int
        Processes with turns that do not have this one, or another number of it.
    """

    name: str
    kind: str
    members: list[Turns]
    shift: int
    turns: int
    total: Grid
    period: Grid
    parts: dict[str, Grid]
    left_out: int

    @property
    def has_looks(self) -> bool:
        """Whether threads were looked at in all members: sleep is told from work."""
        return all(each.windows["parts"][:, PART_NAMES.index("run")].any() for each in self.members)

    def steps(self, first: int, last: int) -> tuple[int, int]:
        """Give the numbers of the first and of the last turn of windows."""
        return first << self.shift, min((last + 1) << self.shift, self.turns) - 1


def common(rows: Sequence[Turns]) -> Common | None:
    """Choose the turn that most processes have, about as often each; None: fewer than two processes share one.

    Of several, ranges come before waits: they are the program's own steps. Then the one of the most time is taken.
    """
    processes = {each.process for each in rows}
    groups: dict[tuple[str, str], dict[str, Turns]] = {}
    for row in rows:
        groups.setdefault((row.kind, row.name), {}).setdefault(row.process, row)
    shared = [alike for group in groups.values() if len(alike := _alike(list(group.values()))) > 1]
    shared = [group for group in shared if len(group) >= _MOST * len(processes)]
    if not shared:
        return None
    most = max(map(len, shared))
    chosen = max(
        (group for group in shared if len(group) >= (1 - _SAME) * most),
        key=lambda group: (group[0].kind == "range", sum(each.total for each in group), group[0].name),
    )
    return _aligned(chosen, len(processes) - len(chosen))


def _alike(rows: list[Turns]) -> list[Turns]:
    """Leave out those whose number of turns is another one than that of most."""
    counts = Counter(each.turns for each in rows)
    usual, often = max(counts.items(), key=lambda item: (item[1], item[0]))
    if often == 1:
        usual = int(numpy.median([each.turns for each in rows]))
    return [each for each in rows if abs(each.turns - usual) <= max(_SAME * usual, 2)]


def _aligned(rows: list[Turns], left_out: int) -> Common:
    shift = max(each.shift for each in rows)
    members = sorted(rows, key=Turns.order)
    windows = [each.at(shift) for each in members]
    count, turns = min(map(len, windows)), min(each.turns for each in members)
    stacked: NDArray[Any] = numpy.stack([each[:count] for each in windows])
    number = numpy.maximum(stacked["turns"], 1).astype(float)
    total = stacked["total"] / number
    period = total.copy()
    if members[0].kind == "range":
        begin = stacked["begin"].astype(float)
        period[:, -1] = numpy.maximum((stacked["end"][:, -1] - stacked["begin"][:, -1]) / number[:, -1], total[:, -1])
        period[:, :-1] = numpy.maximum(numpy.diff(begin, axis=1) / number[:, :-1], total[:, :-1])
    parts = {name: stacked["parts"][:, :, place] / number for place, name in enumerate(PART_NAMES)}
    return Common(members[0].name, members[0].kind, members, shift, turns, total, period, parts, left_out)
