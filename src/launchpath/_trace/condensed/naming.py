"""From a blob, whose keys are numbers, to a condensed trace, whose keys are names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from launchpath._report import Entry, Tally
from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.condensed.format import DIRECTIONS, GAP_CLASSES, OTHERS, Table
from launchpath._trace.condensed.tracing_cost import TracingCost, tracing_costs
from launchpath._trace.condensed.turns import Turns
from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import API as API_SLOT
from launchpath._trace.format import CALL as CALL_SLOT
from launchpath._trace.format import COMMAND, DETAIL, DEVICES_MOST, LAUNCH, LAYOUTS
from launchpath._trace.hosts.report import process_clock
from launchpath._trace.labels import Labels, text_of
from launchpath._trace.process import Process, is_int

_LOW = (1 << 32) - 1
_OTHER = "(others)"  # what came when there were too many names
_TURNS = 3  # rows of turns that a process keeps: those of the most time
_COUNTERS = (
    "dropped", "not_understood", "untimed", "unfinished", "failed_times", "excluded", "captured", "overlapped", "waits",
    "timing_waits",
)  # fmt: skip


def named(file: TraceFile, labels: Labels, blob: Blob) -> Condensed:
    """Give the numbers of a file's blob their names."""
    return _Naming(file, labels, blob).condensed()


class _Naming:
    def __init__(self, file: TraceFile, labels: Labels, blob: Blob) -> None:
        self.file, self.labels, self.blob = file, labels, blob
        self.process = Process(file.meta)
        self.where = f"{self.process.host or ''}:{'' if self.process.pid is None else self.process.pid}"
        self.result = Condensed()

    def condensed(self) -> Condensed:
        labels, result, counts = self.labels, self.result, self.blob.counts
        kernel = labels.kernel
        for table, name in (
            ("kernels", Table.KERNEL), ("kernels", Table.REFUSED), ("sent", Table.SENT), ("around", Table.AROUND),
            ("waited", Table.WAITED), ("recorded", Table.KEPT), ("delays", Table.DELAY),
        ):  # fmt: skip
            self._fill(table, name, kernel)
        self._fill("calls", Table.API, labels.api)
        self._fill("calls", Table.LAUNCH, lambda _: "launch")
        self._fill("driver_calls", Table.CALL, self._entry)
        self._fill("driver_calls", Table.COMMAND, self._function)
        self._fill("traffic", Table.TRAFFIC, DIRECTIONS.__getitem__)
        self._fill("sizes", Table.SIZE, DIRECTIONS.__getitem__)
        self._fill("ranges", Table.RANGE, lambda key: labels.range(key >> 32, key & _LOW))
        self._fill("after_synchronizing", Table.AFTER, labels.device)
        self._fill("gaps", Table.GAP, lambda key: f"{labels.device(key >> 1)}: {'late' if key & 1 else 'in time'}")
        self._fill("runs", Table.RUN, lambda key: f"{labels.device(key >> 3)}: {GAP_CLASSES[key & 7]}")
        self._fill("sites", Table.SITE, self._site)
        self._fill("uploads", Table.UPLOAD, self._line)
        self._fill("equal_uploads", Table.EQUAL, self._line)
        self._fill("host_memory", Table.MEMORY, _memory)
        self._fill("looks", Table.LOOK, lambda key: labels.thread(key) or "(no name)")
        result.kernel_names = {
            known.full: known
            for known in map(labels.kernel_name, labels.names)
            if any(known.full in result.tables[table] for table in ("kernels", "sent", "recorded"))
        }
        real = counts["real"]
        if counts["end"] or counts["begin"] < 1 << 62:
            result.begin, result.end = counts["begin"] + real, counts["end"] + real
        result.processes, result.threads = [self._process()], self._threads()
        result.n_threads = len(result.threads)
        result.counts, result.counters = self._counts(), dict(self.file.counters)
        result.not_traced = _calls_by_name(self.file.meta.get("unseen"))
        result.tracing = self._tracing()
        result.open_calls = self._open_calls()
        result.turns = self._turns()
        result.correction, result.marks, result.slots = counts["correction"], counts["marks"], counts["slots"]
        return result.ordered()

    def _fill(self, table: str, cells: Table, name: Callable[[int], str]) -> None:
        for key, row in sorted(self.blob.cells[cells].items()):
            if row.calls or row.failed:
                row.where = self.where if row.calls else ""
                self.result.tables[table].add(_OTHER if key == OTHERS else name(key), row)

    def _entry(self, key: int) -> str:
        return self.labels.entry(key >> 32, key & _LOW)

    def _function(self, key: int) -> str:
        name = self.labels.entry if self.labels.recorder else self.labels.command
        return name(key >> 32, key & _LOW)

    def _site(self, key: int) -> str:
        entry, is_command = key & 0xFFFF, key >> 16 & 1
        function = self._function(entry) if is_command else self._entry(entry)
        return f"{self.labels.site(key >> 17)}: {function}"

    def _line(self, key: int) -> str:
        return self.labels.site(key) or "(no line)"

    def _process(self) -> dict[str, Any]:
        meta, cells, counts = self.file.meta, self.blob.cells, self.blob.counts
        limits = [counts["begin"], counts["end"]] if counts["end"] else None
        return {
            "path": self.file.path,
            **{key: getattr(self.process, key) for key in ("pid", "rank", "host")},
            "mode": text_of(meta.get("mode")) or None,
            "times": _by_device(meta, self.labels),
            "remarks": _remarks(meta),
            "threads": len({key >> 1 for key in cells[Table.THREAD] if key != OTHERS}),
            "devices": len({key >> 32 for key in cells[Table.STREAM] if key != OTHERS}),
            "streams": len({key & _LOW for key in cells[Table.STREAM] if key != OTHERS}),
            **process_clock(meta, limits),
        }

    def _threads(self) -> list[dict[str, Any]]:
        sums: dict[int, list[int]] = {}
        for key, row in self.blob.cells[Table.THREAD].items():
            if key == OTHERS:
                continue
            of = sums.setdefault(key >> 1, [0, 0, 0])
            of[key & 1] += row.calls
            of[2] += row.total
        own = {key: getattr(self.process, key) for key in ("pid", "rank", "host")}
        return [
            {
                **own,
                "thread": number,
                "name": self.labels.thread(number),
                "commands": commands,
                "calls": calls,
                "ns": time,
            }
            for number, (commands, calls, time) in sums.items()
            if commands or calls
        ]

    def _counts(self) -> dict[str, int]:
        file, counts, kinds = self.file, self.blob.counts, self.blob.kinds
        known = sum(kinds[kind] for kind in LAYOUTS)
        result = {
            "lost": file.lost + kinds[0],
            "halves": counts["halves"],
            "unknown_slots": sum(kinds) - known - kinds[0],
            "unknown_blocks": file.unknown_blocks,
            "without_times": max(counts["timed"] - counts["times"], 0),
            "clamped": counts["clamped"],
            "unrelated": counts["unrelated"],
            "open_ranges": max(counts["begun_ranges"] - counts["ended_ranges"], 0),
            "unmeasured": int(counts["anchors"] < 2),
            "not_ended": int(file.counters["state"] == 0),
            "incomplete": int(file.counters["state"] == 2),
        }
        return result | {name: file.counters[name] for name in _COUNTERS}

    def _tracing(self) -> dict[str, TracingCost]:
        commands: dict[str, int] = {}
        for key, row in self.blob.cells[Table.RECORDED].items():
            name = self._function(key)
            commands[name] = commands.get(name, 0) + row.calls
        calls: Tally = Tally()
        for key, row in self.blob.cells[Table.CALL].items():
            calls.entry(self._entry(key)).merge(Entry("", row.calls, row.failed))
        counts = {each.name: each.calls + each.failed for each in calls}
        span = (self.result.end or 0) - (self.result.begin or 0)
        return tracing_costs(self.file.meta.get("cost"), commands, counts, span)

    def _turns(self) -> list[Turns]:
        kinds = {Table.RANGE: "range", Table.CALL: "wait", Table.API: "wait"}
        names: dict[int, Callable[[int], str]] = {
            Table.RANGE: lambda key: self.labels.range(key >> 32, key & _LOW),
            Table.CALL: self._entry,
            Table.API: self.labels.api,
        }
        turns = []
        for table, key, count, shift, windows in self.blob.turns:
            if table in names and count > 1:
                for end in ("begin", "end"):
                    windows[end] += self.blob.counts["real"] % (1 << 64)
                name, kind = names[table](key), kinds[Table(table)]
                turns.append(Turns(self.where, self.process.rank, name, kind, count, shift, windows))
        turns.sort(key=lambda each: (-each.total, each.order()))
        return turns[:_TURNS]

    def _open_calls(self) -> list[str]:
        labels, calls = self.labels, []
        for ring in self.file.rings.values():
            slots = ring.frame.view("u1").reshape(2, -1)
            kind = int(slots[0, 0])
            first = slots[0].view(LAYOUTS.get(kind, LAYOUTS[CALL_SLOT]))[0]
            second = slots[1].view(LAYOUTS[DETAIL])[0]
            if kind == COMMAND:
                name = labels.command(int(second["device"]), int(second["command"]))
                name = f"{name} of {labels.kernel(int(first['name']))}" if second["command"] == LAUNCH else name
            elif kind == CALL_SLOT:
                name = labels.entry(int(first["device"]), int(first["entry"]))
            elif kind == API_SLOT:
                name = labels.api(int(first["entry"]))
            else:
                continue
            calls.append(f"{name} in thread {labels.thread(ring.thread) or ring.thread}")
        return calls


def _memory(key: int) -> str:
    return f"{DIRECTIONS[min(key >> 1, len(DIRECTIONS) - 1)]}, {'pinned' if key & 1 else 'pageable'}"


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
    remarks = [f"HIP's functions are not recorded: {text_of(left)}"] if isinstance(left, str) else []
    kept = meta.get("kept")
    blocks = kept.get("shortened") if isinstance(kept, dict) else None
    if is_int(blocks) and blocks > 0:
        remarks.append(
            f"records around slow steps: {blocks} blocks were let go before their time, for there was no room"
        )
    return remarks


def _calls_by_name(value: Any) -> dict[str, int]:
    """Give what a file says of calls that have no records."""
    counts = value if isinstance(value, dict) else {}
    return {text_of(name): calls for name, calls in counts.items() if is_int(calls) and calls > 0}
