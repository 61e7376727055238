"""How times of several hosts get onto the time of a Perfetto file.

Where hosts were measured against a reference its clock is the file's. Those that were not, and all if none was, are
moved so that nanoseconds since 1970 agree with the first host's, which is as right as their daemons have kept them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from launchpath._report import format_time
from launchpath._trace.hosts.clocks import Clocks
from launchpath._trace.records import Records


class Move(NamedTuple):
    """How the times of a process are moved. `label`: how well that is known; empty: there is nothing to know."""

    moved: Callable[[int], int]
    label: str


class Moves:
    """The moves of the files' hosts.

    Parameters
    ----------
    clocks : Clocks or None
        None: there is one file.
    """

    def __init__(self, clocks: Clocks | None) -> None:
        self._clocks = clocks
        self._one = clocks is None or len(clocks.hosts) < 2
        self._shifts: dict[str, int] = {}  # of clocks that were not measured
        self._real: int | None = None  # nanoseconds since 1970 when the file's time is 0

    def of(self, records: Records) -> Move:
        """Give the move of a file. The first one that is asked for decides on the time of day."""
        clocks = self._clocks
        if self._one or clocks is None:
            return Move(lambda time: time, "")
        clock = clocks.key(records.file.meta)
        if clocks.is_measured(clock):
            moved = self._measured(clocks, clock)
            self._real = self._real_of(records, moved) if self._real is None else self._real
            return Move(moved, self._label(clocks, clock, records))
        if self._real is None:
            self._real = records.real - self._first_shift(clocks, records)
        # Processes of one host have one monotonic clock, so what was measured of it is not compared.
        shift = self._shifts.setdefault(clock, records.real - self._real)
        return Move(lambda time: time + shift, "clock of the host not measured" if clocks.reference else "")

    def _measured(self, clocks: Clocks, clock: str) -> Callable[[int], int]:
        return lambda time: clocks.at(clock, time)

    def _real_of(self, records: Records, moved: Callable[[int], int]) -> int:
        return records.begin + records.real - moved(records.begin)

    def _first_shift(self, clocks: Clocks, records: Records) -> int:
        """Give the shift of a first file that was not measured: to a host that was, if there is any."""
        for clock, (monotonic, real) in clocks.begun.items():
            if clocks.is_measured(clock):
                return records.real - (monotonic + real - clocks.at(clock, monotonic))
        return 0

    def _label(self, clocks: Clocks, clock: str, records: Records) -> str:
        if clock == clocks.reference:
            return f"clock of {clocks.reference_host}"
        points = clocks.measured(clock)
        worst = clocks.worst(clock, points[0].time, points[-1].time)
        return f"clock within {format_time(worst)} of {clocks.reference_host or 'the reference'}'s"
