"""Progress of a proof's runs: which run begins, how many are left, and how long they will take."""

from __future__ import annotations

import time
from collections.abc import Callable

from launchpath._findings.amounts import counted, short_time

Progress = Callable[[str], object]


class RunProgress:
    """Reports each run of a proof.

    Parameters
    ----------
    progress : callable
        Called with a line for each run.
    nanoseconds : float
        That a run takes, as long as none has ended.
    runs : int
        How many there are at most.
    """

    def __init__(self, progress: Progress, nanoseconds: float, runs: int) -> None:
        self._progress, self._nanoseconds, self.left = progress, nanoseconds, runs
        self._begun: int | None = None
        self._times: list[int] = []

    def __call__(self, text: str) -> None:
        """Report that a run begins."""
        now = time.monotonic_ns()
        if self._begun is not None:
            self._times.append(now - self._begun)
        self._begun = now
        each = sum(self._times) / len(self._times) if self._times else self._nanoseconds
        left = max(self.left, 1)
        self._progress(f"{text}; {counted(left, 'run')} at most, about {short_time(left * each)}")
        self.left = left - 1
