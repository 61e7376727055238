"""Anchors: what occurs in each repetition of a program, by which a running program's repetitions are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

KERNEL, RANGE, FUNCTION = "kernel", "range", "function"
KINDS = (KERNEL, RANGE, FUNCTION)


@dataclass(frozen=True)
class Anchor:
    """What occurs in each repetition of a program, once or a number of times.

    Attributes
    ----------
    kind : str
        `KERNEL`: a launch; `RANGE`: the begin of a range; `FUNCTION`: a call of a driver or of launchpath.
    name : str
        As the trace's file has it: a kernel's is that of its binary.
    every : int
        How often it occurs in a repetition.
    period : float
        Nanoseconds of a repetition; 0: not known.

    Raises
    ------
    ArgumentValueError
        There is no such kind, or `every` is less than 1.
    """

    kind: str
    name: str
    every: int = 1
    period: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ArgumentValueError(f"anchor: expected {' or '.join(map(repr, KINDS))}, got {shown(self.kind)}")
        if self.every < 1:
            raise ArgumentValueError(f"anchor: expected `every` of 1 or more, got {shown(self.every)}")

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it."""
        return {"kind": self.kind, "name": self.name, "every": self.every}
