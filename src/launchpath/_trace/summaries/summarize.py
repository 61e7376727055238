"""Summing up the records of trace files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._report import Tally
from launchpath._trace.chunk import Chunk
from launchpath._trace.format import (
    API,
    CALL,
    COMMAND,
    DETAIL,
    DEVICES_MOST,
    FAILED,
    LAUNCH,
    LAYOUTS,
    MARK,
    RANGE,
    RANGE_BEGIN,
    TIMES,
)
from launchpath._trace.hosts.report import process_clock
from launchpath._trace.kernels import KernelName
from launchpath._trace.labels import Labels, text_of
from launchpath._trace.process import is_int
from launchpath._trace.records import Records
from launchpath._trace.summaries.categories import LOADING, category, inside
from launchpath._trace.summaries.commands import PLACES, CommandSums, by_library
from launchpath._trace.summaries.groups import Groups
from launchpath._trace.summaries.summary import HostTime, Summary, entry
from launchpath._trace.summaries.threads import CALLS
from launchpath._trace.summaries.tracing_cost import TracingCost, tracing_costs

Array = NDArray[Any]
_NAME_BITS = 32  # of a name's number in a slot
_OF_HOST = numpy.isin(numpy.arange(256), [COMMAND, CALL, API, RANGE_BEGIN, RANGE, MARK])


def summarize(
    paths: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Sum up trace files: one for each process.

    Parameters
    ----------
    paths : path, or sequence of paths
        The files. They may be in use by a program, or left by a killed program.
    progress : callable, optional
        Called with how much was read, and how much there is, of each file in turn.

    Raises
    ------
    TraceFileError
        A file cannot be read, or is not a trace.
    """
    summary = Summary()
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        with Records(path, progress) as records:
            summary.merge(_Sums(records).summary())
    return summary


def _by_device(meta: dict[str, Any], labels: Labels) -> dict[str, str]:
    """Tell what gave the times of CUDA devices: ``cupti``, or ``events`` and why, by the devices' places and names."""
    sources, devices = meta.get("times"), meta.get("devices")
    if not isinstance(sources, dict) or not isinstance(devices, list):
        return {}
    places = {str(place): f"{place} ({labels.device(place)})" for place in range(min(len(devices), DEVICES_MOST))}
    return {places[place]: text_of(source) for place, source in sources.items() if place in places}


def _remarks(meta: dict[str, Any]) -> list[str]:
    """Give what a process has said of its own trace."""
    hip = meta.get("hip")
    left = hip.get("left") if isinstance(hip, dict) else None
    return [f"HIP's functions are not recorded: {text_of(left)}"] if isinstance(left, str) else []


def _calls_by_name(value: Any) -> dict[str, int]:
    """Give what a file says of calls that have no records."""
    counts = value if isinstance(value, dict) else {}
    return {text_of(name): calls for name, calls in counts.items() if is_int(calls) and calls > 0}


class _Sums:
    """What the records of one file sum up to."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._commands = CommandSums(records)
        self._api, self._calls, self._kernels, self._delays = Groups(), Groups(), Groups(), Groups()
        self._ranges: Tally = Tally()
        self._range_names = Groups()  # by domain and name
        self._starts: dict[int, list[Array]] = {}
        self._waits: dict[int, list[Array]] = {}
        self._threads: set[int] = set()
        self._limits: list[Array] = []
        self._clamped = self._correction = 0
        self._synchronizing = records.labels.synchronizing()
        self._loading = records.labels.entries_that(lambda name: category(name) == LOADING)
        for chunk in records.chunks():
            self._add(chunk)

    def _add(self, chunk: Chunk) -> None:
        runs = numpy.flatnonzero(numpy.bincount(chunk.runs[_OF_HOST[chunk.kinds]]))
        self._threads.update(chunk.thread_of_run[runs].tolist())
        self._limit(self._commands.add(chunk))
        if chunk.counts[TIMES]:
            self._add_times(chunk.slots_of(TIMES))
        if chunk.counts[CALL]:
            slots = chunk.slots_of(CALL)
            threads = chunk.threads(CALL)
            nested = self._in_loading(slots, threads)
            time = self._records.host(slots["end"]) - self._records.host(slots["begin"])
            self._commands.threads.add(threads, time, CALLS)
            self._add_calls(slots, nested, self._calls, self._synchronizing[1], PLACES)
        if chunk.counts[API]:
            slots = chunk.slots_of(API)
            self._add_calls(slots, slots["parent"] != 0, self._api, self._synchronizing[0], 0)
        if chunk.counts[RANGE]:
            self._add_ranges(chunk.slots_of(RANGE))

    def _limit(self, times: Array) -> None:
        if len(times):
            self._limits.append(numpy.array([times.min(), times.max()]))

    def _add_times(self, slots: Array) -> None:
        self._commands.use(slots["device"], slots["stream"])
        placed = self._records.placed(slots)
        self._clamped += placed.clamped
        self._correction = max(self._correction, placed.correction)
        self._limit(placed.end[~placed.failed])
        launch = slots["command"] == LAUNCH
        self._kernels.add(slots["name"][launch], (placed.end - placed.start)[launch], placed.failed[launch])
        ran = launch & ~placed.failed
        for device in self._clocked(slots[ran]):
            mine = ran & (slots["device"] == device)
            self._delays.add(slots["name"][mine], (placed.start - placed.enqueued)[mine])
            self._starts.setdefault(device, []).append(placed.start[mine])
        if not launch.all():
            self._commands.traffic.add_times(placed, ~launch)

    def _add_calls(
        self, slots: Array, nested: Array | None, groups: Groups, synchronizing: list[int], places: int
    ) -> None:
        host = self._records.host
        begin, end, failed = host(slots["begin"]), host(slots["end"]), (slots["flags"] & FAILED) != 0
        self._limit(numpy.array([begin.min(), end.max()]))
        number = slots["entry"].astype("i8")
        key = slots["device"] * numpy.int64(places) + numpy.minimum(number, places - 1) if places else number
        groups.add(key, end - begin, failed, nested)
        waits = ~failed & numpy.isin(number, synchronizing)
        if waits.any():
            for device in self._clocked(slots[waits]):
                self._waits.setdefault(device, []).append(end[waits & (slots["device"] == device)])

    def _in_loading(self, slots: Array, threads: Array) -> Array | None:
        """Tell which calls a library has made while it loaded or compiled: None if none did."""
        loading = numpy.isin(slots["entry"], self._loading)
        if not loading.any():
            return None
        return inside(self._records.host(slots["begin"]), self._records.host(slots["end"]), threads, loading)

    def _clocked(self, slots: Array) -> list[int]:
        """The devices of slots whose clocks are known: few, whatever numbers the file has."""
        return [device for device in numpy.unique(slots["device"]).tolist() if device in self._records.devices]

    def _add_ranges(self, slots: Array) -> None:
        begin, end = self._records.host(slots["begin"]), self._records.host(slots["end"])
        self._limit(numpy.array([begin.min(), end.max()]))
        key = slots["domain"].astype("u8") << _NAME_BITS | slots["name"]
        self._range_names.add(key, end - begin, nested=slots["depth"] != 0)

    def summary(self) -> Summary:
        """Give the sums by name."""
        records, commands = self._records, self._commands
        labels, real = records.labels, records.real
        limits = numpy.concatenate(self._limits) if self._limits else None
        kernels = self._kernels.tally(labels.kernel)
        kernels.merge(commands.refused.tally(labels.kernel))
        host_times = self._host_times()
        calls = self._api.tally(labels.api)
        calls.merge(commands.launches.tally(lambda _: "launch"))
        driver = self._calls.tally(self._entry)
        driver.merge(by_library(commands.driver, labels))
        traffic, sizes = commands.traffic.tally()
        return Summary(
            processes=[self._process() | process_clock(records.file.meta, limits)],
            threads=commands.threads.rows(labels, self._process()),
            begin=None if limits is None else int(limits.min()) + real,
            end=None if limits is None else int(limits.max()) + real,
            calls=calls,
            driver_calls=driver,
            kernels=kernels,
            traffic=traffic,
            traffic_bytes=sizes,
            ranges=self._named_ranges(),
            kernel_names=self._kernel_names({*(kernel.name for kernel in kernels), *host_times}),
            host_times=host_times,
            after_synchronizing=self._after_synchronizing(),
            counts=self._counts(),
            correction=self._correction,
            marks=int(records.kinds[MARK]),
            slots=records.file.count,
            open_calls=self._open_calls(),
            counters=dict(records.file.counters),
            not_traced=_calls_by_name(records.file.meta.get("unseen")),
            tracing=self._tracing(limits),
        )

    def _tracing(self, limits: Array | None) -> dict[str, TracingCost]:
        labels = self._records.labels
        commands: dict[str, int] = {}
        for key, count in self._commands.functions.items():
            name = labels.entry(*divmod(key, PLACES))
            commands[name] = commands.get(name, 0) + count
        calls = {each.name: each.calls + each.failed for each in self._calls.tally(self._entry)}
        span = 0 if limits is None else int(limits.max()) - int(limits.min())
        return tracing_costs(self._records.file.meta.get("cost"), commands, calls, span)

    def _entry(self, key: int) -> str:
        return self._records.labels.entry(*divmod(key, PLACES))

    def _process(self) -> dict[str, Any]:
        records, meta = self._records, self._records.file.meta
        return {
            "path": records.file.path,
            **{key: getattr(records.process, key) for key in ("pid", "rank", "host")},
            "mode": text_of(meta.get("mode")) or None,
            "times": _by_device(meta, records.labels),
            "remarks": _remarks(meta),
            "threads": len(self._threads),
            "devices": len(self._commands.devices),
            "streams": len(self._commands.streams),
        }

    def _named_ranges(self) -> Tally:
        labels = self._records.labels
        return self._range_names.tally(lambda key: labels.range(*divmod(key, 1 << _NAME_BITS)))

    def _kernel_names(self, used: set[str]) -> dict[str, KernelName]:
        labels = self._records.labels
        names = map(labels.kernel_name, labels.names)
        return {name.full: name for name in names if name.full in used}

    def _host_times(self) -> dict[str, HostTime]:
        commands, name = self._commands, self._records.labels.kernel
        times: dict[str, HostTime] = {}
        for kernel in commands.launchpath.tally(name):
            times[kernel.name] = HostTime(launches=kernel.calls, launchpath=kernel.total)
        for groups, part in (
            (commands.recorded, "launchpath"),
            (commands.in_driver, "driver"),
            (commands.waiting, "waiting"),
            (self._delays, "delay"),
        ):
            for kernel in groups.tally(name):
                time = times.setdefault(kernel.name, HostTime())
                setattr(time, part, getattr(time, part) + kernel.total)
                time.started += kernel.calls if part == "delay" else 0
        return times

    def _after_synchronizing(self) -> Tally:
        tally = Tally()
        for device, starts in self._starts.items():
            if device in self._waits:
                name = self._records.labels.device(device)
                tally[name].merge(entry(name, _to_next(self._waits[device], starts)))
        return tally

    def _counts(self) -> dict[str, int]:
        file, kinds = self._records.file, self._records.kinds
        unknown = int(kinds.sum()) - int(kinds[[*LAYOUTS]].sum()) - int(kinds[0])
        counts = {
            "lost": file.lost + int(kinds[0]),
            "halves": self._commands.halves,
            "unknown_slots": unknown,
            "unknown_blocks": file.unknown_blocks,
            "without_times": max(self._commands.timed - int(kinds[TIMES]), 0),
            "clamped": self._clamped,
            "unrelated": self._records.unrelated,
            "open_ranges": max(int(kinds[RANGE_BEGIN]) - int(kinds[RANGE]), 0),
            "unmeasured": int(self._records.host.anchors < 2),
            "not_ended": int(file.counters["state"] == 0),
            "incomplete": int(file.counters["state"] == 2),
        }
        for name in (
            "dropped", "not_understood", "untimed", "unfinished", "failed_times", "excluded", "captured", "overlapped",
            "waits", "timing_waits",
        ):  # fmt: skip
            counts[name] = file.counters[name]
        return counts

    def _open_calls(self) -> list[str]:
        labels, calls = self._records.labels, []
        for ring in self._records.file.rings.values():
            slots = ring.frame.view("u1").reshape(2, -1)
            kind = int(slots[0, 0])
            first = slots[0].view(LAYOUTS.get(kind, LAYOUTS[CALL]))[0]
            second = slots[1].view(LAYOUTS[DETAIL])[0]
            if kind == COMMAND:
                name = labels.command(int(second["device"]), int(second["command"]))
                name = f"{name} of {labels.kernel(int(first['name']))}" if second["command"] == LAUNCH else name
            elif kind == CALL:
                name = labels.entry(int(first["device"]), int(first["entry"]))
            elif kind == API:
                name = labels.api(int(first["entry"]))
            else:
                continue
            calls.append(f"{name} in thread {labels.thread(ring.thread) or ring.thread}")
        return calls


def _to_next(waits: list[Array], starts: list[Array]) -> Array:
    """Time from the last synchronization before a start to that start."""
    ends, begins = numpy.sort(numpy.concatenate(waits)), numpy.sort(numpy.concatenate(starts))
    following = numpy.searchsorted(begins, ends)
    last = numpy.append(following[1:] != following[:-1], True) & (following < len(begins))
    return numpy.asarray(begins[following[last]] - ends[last])
