"""What each thread did: its commands and other calls, and its time in the driver."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.labels import Labels

Array = NDArray[Any]
COMMANDS, CALLS = 0, 1


class ThreadSums:
    """Counts and times of a file's threads."""

    def __init__(self) -> None:
        self._sums: dict[int, list[int]] = {}  # for each thread its commands, its other calls, and nanoseconds

    def add(self, threads: Array, times: Array, kind: int) -> None:
        """Count calls: for each its thread, and its nanoseconds in the driver."""
        if not len(threads):
            return
        # Slots of a thread follow one another: few segments, which are summed up without sorting the slots.
        starts = numpy.flatnonzero(numpy.diff(threads, prepend=threads[:1] ^ 1))
        counts, sums = numpy.diff(starts, append=len(threads)), numpy.add.reduceat(times.astype("f8"), starts)
        numbers, codes = numpy.unique(threads[starts], return_inverse=True)
        columns = (numpy.bincount(codes.reshape(-1), column) for column in (counts, sums))
        for number, count, time in zip(numbers.tolist(), *(column.tolist() for column in columns), strict=True):
            of = self._sums.setdefault(number, [0, 0, 0])
            of[kind] += int(count)
            of[2] += int(time)

    def rows(self, labels: Labels, process: dict[str, Any]) -> list[dict[str, Any]]:
        """Give a row for each thread: with its process's number, its own, and its name, which may be empty."""
        return [
            {
                "pid": process["pid"],
                "thread": number,
                "name": labels.thread(number),
                "commands": commands,
                "calls": calls,
                "us": time / 1e3,
            }
            for number, (commands, calls, time) in self._sums.items()
        ]
