"""The records of a trace file: its slots, and what is needed to understand them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath._trace.chunk import Chunk
from launchpath._trace.clock import Clock, limited
from launchpath._trace.files.file import CHUNK, TraceFile
from launchpath._trace.files.piece import Piece
from launchpath._trace.format import (
    API,
    CALL,
    COMMAND,
    DEVICE_CLOCK,
    DEVICES_MOST,
    FAILED,
    HOST_CLOCK,
    LAYOUTS,
    MARK,
    RANGE,
    STREAM,
    TIME_MOST,
    TIMES,
)
from launchpath._trace.labels import Labels
from launchpath._trace.process import Process, is_int

Progress = Callable[[int, int], None]
Array = NDArray[Any]


class Placed(NamedTuple):
    """Times of commands on the monotonic clock, nanoseconds: enqueued <= submitted <= start <= end for each."""

    slots: Array  # the ``TIMES`` slots
    # ``submitted`` is ``enqueued`` where the device does not give it. Those that failed have 0 but in ``enqueued``
    enqueued: Array
    submitted: Array
    start: Array
    end: Array
    failed: Array  # commands that failed while they ran, or whose times the library does not give
    clamped: int  # commands that had to be moved, because they seemed to start before they were enqueued
    correction: int  # by how many nanoseconds at most


class Records:
    """The records of a file. Making it reads all slots once, for the clocks and the streams.

    Parameters
    ----------
    path : str
        The file.
    progress : callable, optional
        Called with how many slots were read, and how many there are.
    passes : int
        How often all slots will be read in all, as `progress` is to count it.
    most : int
        How many slots are read, about: of a longer trace those of some stretches of its time. 0: all.
    stretch : tuple of int, optional
        Begin and end of the only time of which records are wanted, nanoseconds of the monotonic clock. Slots of other
        times are read where they are beside those; `overlap` tells which records are meant.

    Attributes
    ----------
    file : TraceFile
    labels : Labels
    process : Process
    host : Clock
        From ticks to the monotonic clock.
    devices : dict
        For each device, by its place in the file, its `Clock`.
    streams : numpy.ndarray
        The ``STREAM`` slots.
    kinds : numpy.ndarray
        How many slots there are of each of the 256 kinds.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is not a trace.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        progress: Progress | None = None,
        passes: int = 2,
        most: int = 0,
        stretch: tuple[int, int] | None = None,
    ) -> None:
        self.file = TraceFile(path)
        if most:
            self.file.keep_stretches(most)
        self._progress, self._total, self._done = None, 0, 0
        self.labels = Labels(self.file.meta, self.file.names, self.file.threads, self.file.mangled)
        self.process = Process(self.file.meta)
        self._stretch = stretch
        self.kinds = numpy.zeros(256, "i8")
        self.unrelated = 0  # devices with times, and without a clock
        try:
            every: list[Piece] = []
            if stretch is not None:
                every = self.file.keep(self.file.between(self.rate).pieces(*stretch, self._earliest))
            self._progress, self._total = progress, passes * self.file.count
            self._survey()
            if every and self.unrelated:  # the clock of a device is far from the stretch, if it has any
                kept, kinds = self.file.keep(every), self.kinds
                self._survey()
                self.file.keep(kept)
                self.kinds = kinds
        except BaseException:
            self.file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def chunks(self, size: int = CHUNK, by_file: bool = False) -> Iterator[Chunk]:
        """Read the slots, as `TraceFile.chunks` does, and report the progress."""
        for chunk in self.file.chunks(size, by_file):
            yield chunk
            self.proceed(len(chunk))

    def proceed(self, slots: int) -> None:
        """Report that as much was done as reading so many slots takes."""
        self._done = min(self._done + slots, self._total)
        if self._progress is not None:
            self._progress(self._done, self._total)

    def overlap(self, begin: Array, end: Array) -> Array:
        """Tell which times, nanoseconds of the monotonic clock, are in the stretch that is wanted, or partly."""
        if self._stretch is None:
            return numpy.ones(len(begin), "?")
        return numpy.asarray((begin <= self._stretch[1]) & (end >= self._stretch[0]))

    @property
    def count(self) -> int:
        """How many records there are, about: of a stretch those too that are read beside it."""
        return int(self.kinds[[COMMAND, CALL, API, RANGE, MARK]].sum())

    @property
    def begin(self) -> int:
        """When the trace began, nanoseconds of the monotonic clock; 0 if the file does not say it."""
        return self._began("monotonic")

    @property
    def real(self) -> int:
        """Nanoseconds since 1970 when the monotonic clock was 0: the same on one host, nearly."""
        return self._real

    def placed(self, slots: Array) -> Placed:
        """Relate the times of ``TIMES`` slots to the monotonic clock."""
        enqueued = self.host(slots["enqueued"])
        failed = (slots["flags"] & FAILED) != 0
        submitted = numpy.zeros(len(slots), "i8")
        # Of a device without a clock the time of a command is known, and nothing else.
        start, end = enqueued.copy(), enqueued + limited(slots["ended"]) - limited(slots["started"])
        for device in numpy.unique(slots["device"]).tolist():
            clock = self.devices.get(device)
            if clock is not None:
                mine = slots["device"] == device
                start[mine], end[mine] = clock(slots["started"][mine]), clock(slots["ended"][mine])
                submitted[mine] = clock(slots["submitted"][mine])
        # Moving the end as well keeps the command's own time: it is the relation of the clocks that is wrong.
        early = numpy.where(failed, 0, numpy.maximum(enqueued - start, 0))
        late = numpy.where(failed, 0, numpy.maximum(start - end, 0))
        start, end = start + early, end + early + late
        submitted = numpy.clip(submitted, enqueued, numpy.maximum(start, enqueued))
        submitted[failed], start[failed], end[failed] = 0, 0, 0
        correction = numpy.maximum(early, late)
        clamped = int(numpy.count_nonzero(correction))
        largest = int(correction.max()) if clamped else 0
        return Placed(slots, enqueued, submitted, start, end, failed, clamped, largest)

    def _earliest(self, pieces: list[Piece]) -> int | None:
        """When the first command of those was enqueued that ran in the stretch; None: there is none."""
        every = self.file.keep(pieces)
        self._survey()
        earliest = None
        for chunk in self.file.chunks():
            if chunk.counts[TIMES]:
                placed = self.placed(chunk.slots_of(TIMES))
                enqueued = placed.enqueued[self.overlap(placed.start, placed.end) & ~placed.failed]
                if len(enqueued) and (earliest is None or enqueued.min() < earliest):
                    earliest = int(enqueued.min())
        self.file.keep(every)
        return earliest

    def _survey(self) -> None:
        self.kinds = numpy.zeros(256, "i8")
        rare: dict[int, list[Array]] = {HOST_CLOCK: [], DEVICE_CLOCK: [], STREAM: []}
        timed = numpy.zeros(1 << 16, "?")  # devices with times
        for chunk in self.chunks():
            self.kinds += chunk.counts
            for kind, slots in rare.items():
                if chunk.counts[kind]:
                    slots.append(chunk.slots_of(kind))
            if chunk.counts[TIMES]:
                timed[chunk.devices(TIMES)] = True
        host, device, streams = (numpy.concatenate([*slots, numpy.zeros(0, LAYOUTS[k])]) for k, slots in rare.items())
        self.host = Clock(host["ticks"], host["monotonic"], rate=self.rate)
        self.devices = {
            number: Clock(mine["device_time"], mine["monotonic"], mine["error"])
            for number in numpy.unique(device["device"]).tolist()
            if number < DEVICES_MOST
            for mine in [device[device["device"] == number]]
        }
        self.streams = streams
        self.unrelated = len(set(numpy.flatnonzero(timed).tolist()) - set(self.devices))
        if len(host):
            self._real = int(host["real"][0]) - int(host["monotonic"][0])
        else:
            self._real = self._began("real") - self._began("monotonic")

    def _began(self, clock: str) -> int:
        begin = self.file.meta.get("begin")
        time = begin.get(clock) if isinstance(begin, dict) else None
        return time if is_int(time) else 0

    @property
    def rate(self) -> tuple[int, int]:
        """The rate of the ticks if it was not measured: nanoseconds, and ticks in that time."""
        clock = self.file.meta.get("clock")
        rate = clock.get("ticks_per_second") if isinstance(clock, dict) else None
        return (10**9, rate) if is_int(rate) and 0 < rate < TIME_MOST else (1, 1)
