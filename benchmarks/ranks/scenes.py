"""Scenes: which process is the straggler, and what it does in each step beside the others' work."""

from __future__ import annotations

from dataclasses import dataclass

HOST, COPY, LAUNCH, WAIT = "slow host", "slow copies", "late launches", "waits for another process"
KINDS = (HOST, COPY, LAUNCH, WAIT)


@dataclass(frozen=True)
class Scene:
    """A program of several processes.

    Attributes
    ----------
    kind : str
        What is planted: the cause that has to be named.
    rank : int
        In which process.
    """

    kind: str
    rank: int

    @property
    def inside(self) -> bool:
        """Whether the barrier is part of the step's range, so that all steps take equally long.

        Who waits for a process that is not there at all sleeps as those do that wait at the barrier. So that is told
        only where the range ends before it.
        """
        return self.kind != WAIT


def scenes(processes: int, places: int) -> list[Scene]:
    """Give each kind in so many processes: the last, the first, and one in the middle."""
    ranks = [processes - 1, 0, processes // 2][:places]
    return [Scene(kind, rank) for kind in KINDS for rank in sorted(ranks)]
