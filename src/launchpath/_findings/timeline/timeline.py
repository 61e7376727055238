"""The timeline of a process: what its host threads called, and what devices did for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

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
    evidence: bool = False
    notes: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _sites: Callable[[int], str] = field(default=str, repr=False)

    def site(self, number: int) -> str:
        """Give a source line as "path:line function"; empty if it is not known."""
        return self._sites(number) if number else ""

    @property
    def begin(self) -> int:
        """The first time in the records, nanoseconds of the monotonic clock; 0: there are none."""
        return int(self.ops.begin.min()) if len(self.ops) else 0

    @property
    def end(self) -> int:
        """The last time in the records."""
        ends = [int(each.end.max()) for each in (self.ops, self.works) if len(each)]
        return max(ends, default=0)
