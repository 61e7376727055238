"""Clocks of the hosts of several files: times on one clock, and the order of two times."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.files.file import TraceFile
from launchpath._trace.hosts.host_clock import HostClock, joined, read
from launchpath._trace.hosts.measurement import Measurement
from launchpath._trace.hosts.offset import Offset
from launchpath._trace.process import Process, is_int

Integers = NDArray[Any]


class Order(enum.Enum):
    """Which of two times was first."""

    BEFORE = "before"
    AFTER = "after"
    NOT_ORDERED = "not ordered"  # they are closer than the clocks are known, or the clocks are not known at all


@dataclass(frozen=True)
class Moment:
    """A time of a process: nanoseconds of its host's monotonic clock. `clock` is `Clocks.key` of its file."""

    clock: str
    time: int


class Clocks:
    """The clocks of several files.

    Parameters
    ----------
    metas : iterable of dict
        The ``META`` of each file.

    Attributes
    ----------
    hosts : dict
        For each clock, by its key, its host's name.
    reference : str
        The key of the reference's clock, on which times are compared: the one that most clocks were measured against;
        empty if none was.
    reference_host : str
        Its host.
    begun : dict
        For each clock a time of it, and what to add to it for nanoseconds since 1970, as its first file tells them.
    """

    def __init__(self, metas: Iterable[Mapping[str, Any]]) -> None:
        files = [dict(meta) for meta in metas]
        about = [(read(meta), Process(meta).host or "") for meta in files]
        self._read: dict[str, list[HostClock]] = {}
        self._named: dict[str, set[str]] = {}  # clocks by their hosts' names
        for clock, host in about:
            if clock is not None:
                self._read.setdefault(clock.id, []).append(clock)
                self._named.setdefault(clock.host or host, set()).add(clock.id)
        self.hosts: dict[str, str] = {}
        for clock, host in about:
            key = clock.id if clock else self._key_of(host)
            self.hosts[key] = self.hosts.get(key) or (clock.host if clock else "") or host
        self.begun: dict[str, tuple[int, int]] = {}
        for meta in files:
            begin = meta.get("begin")
            if isinstance(begin, dict):
                monotonic, real = begin.get("monotonic"), begin.get("real")
                if is_int(monotonic) and is_int(real):
                    self.begun.setdefault(self.key(meta), (monotonic, real - monotonic))
        asked = [(each.reference_id, each.reference_host) for key in self._read for each in self._read[key][:1]]
        asked = [each for each in asked if each[0]]
        # Of as many the first by name: the order of the files does not matter.
        self.reference, self.reference_host = max(sorted(set(asked)), key=asked.count, default=("", ""))
        self._offsets = {key: offset for key in self._read if (offset := self._offset(key)) is not None}

    @classmethod
    def of_files(cls, paths: Sequence[str | os.PathLike[str]]) -> Clocks:
        """Read the clocks of files.

        Raises
        ------
        TraceFileError
            A file cannot be read, or is not a trace.
        """
        metas = []
        for path in paths:
            with TraceFile(path) as file:
                metas.append(file.meta)
        return cls(metas)

    def key(self, meta: Mapping[str, Any]) -> str:
        """Name the clock of a file: files of the same clock have the same name.

        A file that says nothing of its clock has that of the others of its host, if these agree.
        """
        clock = read(dict(meta))
        return clock.id if clock else self._key_of(Process(dict(meta)).host or "")

    def _key_of(self, host: str) -> str:
        known = self._named.get(host, set())
        return next(iter(known)) if len(known) == 1 else f"host {host}"

    def is_measured(self, clock: str) -> bool:
        """Whether a clock's offset to the reference's is known: it was measured, or is the reference's own."""
        return bool(self.reference) and (clock == self.reference or clock in self._offsets)

    def measured(self, clock: str) -> list[Measurement]:
        """Give the measurements of a clock, in their order; none of the reference's."""
        return self._offsets[clock].measurements if clock in self._offsets else []

    def steps(self, clock: str) -> int:
        """Count the measurements of a clock that contradict others: it was set between them."""
        return self._offsets[clock].steps if clock in self._offsets else 0

    def facts(self, clock: str) -> list[HostClock]:
        """Give what each file of a clock says of it."""
        return self._read.get(clock, [])

    def on_reference(self, clock: str, times: Integers) -> tuple[Integers, Integers]:
        """Give times of a clock on the reference's clock, and by how much each may be wrong; both nanoseconds.

        Raises
        ------
        KeyError
            The clock was not measured: see `is_measured`.
        """
        times = numpy.asarray(times, "i8")
        if clock == self.reference and self.reference:
            return times, numpy.zeros_like(times)
        offset, bound = self._offsets[clock](times)
        return times + offset, bound

    def at(self, clock: str, time: int) -> int:
        """Give a single time on the reference's clock; times that follow one another stay in their order."""
        return time if clock == self.reference else time + self._offsets[clock].at(time)

    def worst(self, clock: str, begin: int, end: int) -> int:
        """Give by how much times of a clock on the reference's may be wrong, from `begin` to `end`, at most."""
        return 0 if clock == self.reference else self._offsets[clock].worst(begin, end)

    def order(self, one: Moment, other: Moment) -> Order:
        """Tell whether a time was before another one: ``BEFORE`` if it was for certain."""
        if one.clock == other.clock:
            low, high = other.time - one.time, other.time - one.time
        elif self.is_measured(one.clock) and self.is_measured(other.clock):
            here, wrong_here = self.on_reference(one.clock, numpy.array([one.time]))
            there, wrong_there = self.on_reference(other.clock, numpy.array([other.time]))
            apart, bound = int(there[0] - here[0]), int(wrong_here[0] + wrong_there[0])
            low, high = apart - bound, apart + bound
        else:
            return Order.NOT_ORDERED
        return Order.BEFORE if low > 0 else Order.AFTER if high < 0 else Order.NOT_ORDERED

    def _offset(self, key: str) -> Offset | None:
        if key == self.reference:
            return None
        series = [each.measurements for each in self._read[key] if each.reference_id == self.reference]
        points = joined(series)
        return Offset(points) if points else None
