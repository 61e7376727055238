"""Commands in summaries: the driver's calls, where host time went, and what was copied."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._report import Tally
from launchpath._trace.chunk import Chunk
from launchpath._trace.format import (
    COPY_PEER,
    DEVICE_TO_DEVICE,
    DIRECTION,
    FAILED,
    FILL,
    IN_GRAPH,
    IN_STEP,
    KEPT_BACK,
    LAUNCH,
    TIMED,
)
from launchpath._trace.labels import Labels
from launchpath._trace.records import Placed, Records
from launchpath._trace.summaries.groups import Groups
from launchpath._trace.summaries.threads import COMMANDS, ThreadSums

Array = NDArray[Any]
DIRECTIONS = ("copy", "host to device", "device to host", "device to device", "fill")
_FILL = DIRECTIONS.index("fill")
PLACES = 512  # of a device in a key that a call's number is part of


class CommandSums:
    """What the commands of a file sum up to.

    Attributes
    ----------
    launches : Groups
        Launches as calls of launchpath.
    driver : Groups
        The driver's calls, by device and command.
    refused : Groups
        Launches that the driver refused, by kernel; without times.
    launchpath, in_driver, waiting : Groups
        Host time of launches by kernel.
    recorded : Groups
        Host time of launches that a step kept back, by kernel.
    timed : int
        Commands for which the file should have times.
    halves : int
        Commands without their details, and the other way round.
    functions : dict
        Of the recorder's files: how many records of commands there are, for each device and function.
    threads : ThreadSums
    devices, streams : set of int
        Those that have commands.
    """

    def __init__(self, records: Records) -> None:
        self._host, self._recorder = records.host, records.labels.recorder
        self.launches, self.driver, self.refused = Groups(), Groups(), Groups()
        self.launchpath, self.in_driver, self.waiting, self.recorded = Groups(), Groups(), Groups(), Groups()
        self.timed = self.halves = 0
        self.functions: dict[int, int] = {}
        self.threads = ThreadSums()
        self.devices: set[int] = set()
        self.streams: set[int] = set()
        self.traffic = Traffic()

    def add(self, chunk: Chunk) -> Array:
        """Count the commands of a chunk; gives the first and the last time in them, if there are any."""
        slots, details, threads = chunk.commands()
        self.halves += int(chunk.counts[1] + chunk.counts[2]) - 2 * len(slots)
        if not len(slots):
            return numpy.zeros(0, "i8")
        self.use(details["device"], slots["stream"])
        flags = slots["flags"]
        failed, kept_back = (flags & FAILED) != 0, (flags & KEPT_BACK) != 0
        self.timed += int(numpy.count_nonzero(flags & TIMED))
        begin, end = self._host(slots["begin"]), self._host(slots["end"])
        driver = self._host(slots["driver_end"]) - self._host(
            numpy.where(kept_back, slots["driver_end"], slots["driver_begin"])
        )
        called = ~kept_back & ((flags & IN_GRAPH) == 0)
        # The recorder notes the function itself, and there are no calls of launchpath around it.
        function = numpy.minimum(details["number"], PLACES - 1) if self._recorder else details["command"]
        key = details["device"].astype("i8") * PLACES + function.astype("i8")
        self.driver.add(key[called], driver[called], failed[called])
        self.threads.add(threads[called], driver[called], COMMANDS)
        if self._recorder:
            for place, count in zip(*numpy.unique(key, return_counts=True), strict=True):
                self.functions[int(place)] = self.functions.get(int(place), 0) + int(count)
        launch = details["command"] == LAUNCH
        single = launch & ((flags & IN_STEP) == 0) & (not self._recorder)
        self.launches.add(numpy.zeros(numpy.count_nonzero(single), "i8"), (end - begin)[single], failed[single])
        self._add_launches(slots, launch, called, failed, (begin, end, driver))
        moved = ~launch & ~kept_back
        self.traffic.add(slots[moved], details[moved], failed[moved])
        return numpy.array([begin.min(), end.max()])

    def use(self, devices: Array, streams: Array) -> None:
        """Note the devices and streams of commands."""
        self.devices.update(numpy.unique(devices).tolist())
        self.streams.update(numpy.unique(streams).tolist())

    def _add_launches(
        self, slots: Array, launch: Array, called: Array, failed: Array, times: tuple[Array, Array, Array]
    ) -> None:
        begin, end, driver = times
        name, refused = slots["name"], launch & called & failed
        self.refused.add(name[refused], driver[refused], failed[refused])
        waited = self._host(slots["begin"] + slots["waited"]) - begin
        launchpath = numpy.maximum(end - begin - driver - waited, 0)
        if self._recorder:  # it stands around the driver's function alone: the library's own time is not in its records
            launchpath = numpy.zeros_like(launchpath)
        sent = launch & called & ~failed
        for groups, value in ((self.launchpath, launchpath), (self.in_driver, driver), (self.waiting, waited)):
            groups.add(name[sent], value[sent])
        kept_back = launch & ((slots["flags"] & KEPT_BACK) != 0)
        self.recorded.add(name[kept_back], launchpath[kept_back])


class Traffic:
    """Copies and fills: their direction and bytes are in the commands, their times in other slots."""

    def __init__(self) -> None:
        self._commands: list[tuple[Array, Array, Array]] = []
        self._times: list[tuple[Array, Array, Array, Array]] = []
        self._refused = Groups()

    def add(self, slots: Array, details: Array, failed: Array) -> None:
        """Keep commands."""
        if not len(slots):
            return
        direction = (slots["flags"] & DIRECTION) // (DIRECTION // 3)
        direction[details["command"] == COPY_PEER] = DEVICE_TO_DEVICE // (DIRECTION // 3)
        direction[details["command"] == FILL] = _FILL
        self._refused.add(direction[failed], numpy.zeros(numpy.count_nonzero(failed), "i8"), failed[failed])
        self._commands.append((slots["correlation"].copy(), details["bytes"].copy(), direction))

    def add_times(self, placed: Placed, moved: Array) -> None:
        """Keep the times of those that are copies or fills."""
        slots = placed.slots[moved]
        time = (placed.end - placed.start)[moved]
        self._times.append((slots["correlation"].copy(), time, placed.failed[moved], slots["command"] == FILL))

    def tally(self) -> tuple[Tally, dict[str, int]]:
        """Give the times and the bytes by direction."""
        groups = self._refused
        size: Array = numpy.zeros(len(DIRECTIONS), "u8")
        if self._times:
            correlation, time, failed, fill = (numpy.concatenate(column) for column in zip(*self._times, strict=True))
            direction = numpy.where(fill, _FILL, 0)
            amount = numpy.zeros(len(time), "u8")
            if self._commands:
                correlations, bytes_, directions = (
                    numpy.concatenate(column) for column in zip(*self._commands, strict=True)
                )
                order = numpy.argsort(correlations)
                correlations = correlations[order]
                place = numpy.minimum(numpy.searchsorted(correlations, correlation), len(correlations) - 1)
                match = correlations[place] == correlation
                place = order[place[match]]
                direction[match], amount[match] = directions[place], bytes_[place]
            groups.add(direction, time, failed)
            for number in range(len(DIRECTIONS)):
                size[number] = amount[(direction == number) & ~failed].sum()
        tally = groups.tally(DIRECTIONS.__getitem__)
        return tally, {name: int(size[place]) for place, name in enumerate(DIRECTIONS) if name in tally}


def by_library(driver: Groups, labels: Labels) -> Tally:
    """Give the driver's calls of commands by the library's names."""
    name = labels.entry if labels.recorder else labels.command
    return driver.tally(lambda key: name(*divmod(key, PLACES)))
