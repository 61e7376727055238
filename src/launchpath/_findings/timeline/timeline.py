"""The timeline of a process: what its host threads called, and what devices did for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy

from launchpath._findings.timeline.ops import Array, Looks, Ops, Ranges, Works
from launchpath._trace.process import Process


@dataclass
class Timeline:
    """What the records of one process tell, in the order of time.

    Attributes
    ----------
    path : str
        The file.
    process : Process
    meta : dict
        The file's facts.
    threads : list of int
        The system's numbers of threads, by their places in columns.
    thread_names : list of str
    names : list of str
        Kernels and functions, by their places in columns.
    symbols : dict
        For each kernel's name the one that its binary has.
    devices : list of str
        Names of devices, by their numbers.
    ops : Ops
    works : Works
    ranges : Ranges
    looks : Looks
    more_waits : tuple of numpy.ndarray
        Events that commands wait for beyond the first two: their correlation numbers, and the events.
    delays : numpy.ndarray
        The ``DELAYS`` slots of an intervention, times in nanoseconds of the monotonic clock.
    counters : dict
        The file's own counters: what is not in the records.
    untimed : int
        Commands whose times are not known.
    clamped, correction : int
        Commands whose times had to be moved, and by how many nanoseconds at most.
    stretches : numpy.ndarray of int64
        Of a long trace: begins and ends of the parts of its time of which all calls are here, a row for each. Without
        rows: all of it is here.
    evidence : bool
        Whether the trace has evidence: source lines, hashes of bytes, events.
    notes : dict
        What was computed from it, by name, so that it need not be computed again.
    """

    path: str
    process: Process
    meta: dict[str, Any]
    threads: list[int]
    thread_names: list[str]
    names: list[str]
    symbols: dict[str, str]
    devices: list[str]
    ops: Ops
    works: Works
    ranges: Ranges
    looks: Looks
    more_waits: tuple[Array, Array]
    delays: Array
    counters: dict[str, int]
    untimed: int = 0
    clamped: int = 0
    correction: int = 0
    stretches: Array = field(default_factory=lambda: numpy.zeros((0, 2), "i8"))
    evidence: bool = False
    notes: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _sites: Callable[[int], str] = field(default=str, repr=False)

    def site(self, number: int) -> str:
        """Give a source line as "path:line function"; empty if it is not known."""
        return self._sites(number) if number else ""

    @property
    def share(self) -> float:
        """The part of the trace's time of which all calls are here."""
        span = self.end - self.begin
        if not len(self.stretches) or span <= 0:
            return 1.0
        return float(numpy.diff(self.stretches, axis=1).sum()) / span

    def is_whole(self, begin: Array, end: Array) -> Array:
        """Tell for spans of time whether all their calls are here: each is in one stretch."""
        return in_stretches(self.stretches, begin, end)

    @property
    def begin(self) -> int:
        """The first time in the records, nanoseconds of the monotonic clock; 0: there are none."""
        return int(self.ops.begin.min()) if len(self.ops) else 0

    @property
    def end(self) -> int:
        """The last time in the records."""
        ends = [int(each.end.max()) for each in (self.ops, self.works) if len(each)]
        return max(ends, default=0)


def in_stretches(stretches: Array, begin: Array, end: Array) -> Array:
    """Tell for spans of time whether each is in one of some stretches; in none: all are, for nothing is left out."""
    if not len(stretches):
        return numpy.ones(len(begin), "?")
    place = numpy.searchsorted(stretches[:, 0], begin, "right") - 1
    return numpy.asarray((place >= 0) & (end <= stretches[numpy.maximum(place, 0), 1]))
