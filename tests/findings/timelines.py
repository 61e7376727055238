"""Timelines of calls that a test lists, without a trace file."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy

from launchpath._findings.timeline.ops import Looks, Ops, Ranges, Works, empty
from launchpath._findings.timeline.roles import Role, Scope, role_of, scope_of
from launchpath._findings.timeline.timeline import Timeline
from launchpath._trace.process import Process

EPOCH = 1_000_000_000  # nanoseconds, before all times of a timeline
_OPS = {
    "begin": "i8", "end": "i8", "driver": "i8", "waited": "i8", "thread": "i4", "role": "u1", "scope": "u1", "name": "i4",
    "function": "i4", "stream": "u4", "device": "u2", "size": "i8", "blocks": "i8", "direction": "u1", "to": "u8",
    "source": "u8", "depth": "u1", "correlation": "u8", "step": "u4", "failed": "?", "work": "i4", "works": "i4",
    "site": "u4", "flags": "u1", "content": "u8", "arguments": "u8", "event": "u8", "wait": "u8", "wait_too": "u8",
}  # fmt: skip
_WORKS = {
    "begin": "i8", "end": "i8", "enqueued": "i8", "op": "i4", "role": "u1", "name": "i4", "stream": "u4", "device": "u2",
    "node": "u4",
}  # fmt: skip
_RANGES = {"begin": "i8", "end": "i8", "thread": "i4", "name": "i4", "depth": "u2"}
# Names that tests know better, and the functions of a driver.
FUNCTIONS = {
    "launch": "cuLaunchKernel", "copy": "cuMemcpyAsync", "fill": "cuMemsetD8Async", "record": "cuEventRecord",
    "order": "cuStreamWaitEvent", "synchronize": "cuStreamSynchronize", "synchronize device": "cuCtxSynchronize",
    "synchronize event": "cuEventSynchronize", "allocate": "cuMemAlloc_v2", "free": "cuMemFree_v2",
    "query": "cuEventQuery", "load": "cuModuleLoadDataEx", "graph": "cuGraphLaunch",
}  # fmt: skip


@dataclass
class Calls:
    """Calls as a test lists them, in any order. Times are nanoseconds from the begin of the timeline on.

    Attributes
    ----------
    driver : str
        Of the only device.
    evidence : bool
    """

    driver: str = "cuda"
    evidence: bool = True
    rows: list[dict[str, Any]] = field(default_factory=list)
    ranges: list[tuple[int, int, int, str]] = field(default_factory=list)
    sites: list[str] = field(default_factory=lambda: [""])
    more: list[tuple[int, int]] = field(default_factory=list)
    looks: list[dict[str, int]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def call(
        self, what: str, begin: float, end: float, *, name: str = "", thread: int = 0, stream: int = 0, site: str = "",
        works: Any = (), waits: tuple[int, ...] = (), **columns: Any,
    ) -> None:  # fmt: skip
        """Add a call.

        Parameters
        ----------
        what : str
            A key of `FUNCTIONS`, or a function.
        name : str
            The kernel of a launch.
        works : list of tuple
            ``(begin, end)`` or ``(begin, end, stream)`` of what the device did.
        waits : tuple of int
            Events that it waits for.
        columns : dict
            Of `Ops`, by name.
        """
        function = FUNCTIONS.get(what, what)
        if site and site not in self.sites:
            self.sites.append(site)
        role = role_of(function)
        row = {
            "function": function,
            "name": name or function,
            "begin": round(begin) + EPOCH,
            "end": round(end) + EPOCH,
            "thread": thread,
            "stream": stream,
            "role": {"copy": Role.COPY, "fill": Role.FILL}.get(what, role),
            "scope": scope_of(function) if role == Role.SYNCHRONIZE else Scope.NOTHING,
            "site": self.sites.index(site),
            "_works": [tuple(work) for work in works],
            "correlation": len(self.rows) + 1,
            **columns,
        }
        row["wait"], row["wait_too"] = (*waits, 0, 0)[:2]
        self.more += [(row["correlation"], event) for event in waits[2:]]
        self.rows.append(row)

    def range(self, name: str, begin: float, end: float, thread: int = 0) -> None:
        """Add a range."""
        self.ranges.append((round(begin) + EPOCH, round(end) + EPOCH, thread, name))

    def look(self, begin: float, end: float, thread: int = 0, **columns: int) -> None:
        """Add a look at a thread."""
        self.looks.append({"begin": round(begin) + EPOCH, "end": round(end) + EPOCH, "thread": thread, **columns})

    def timeline(self) -> Timeline:
        """Make the timeline."""
        rows = sorted(self.rows, key=lambda row: (row["thread"], row["begin"], -row["end"]))
        names: dict[str, int] = {}
        for row in rows:
            for column in ("name", "function"):
                row[column] = names.setdefault(row[column], len(names)) if isinstance(row[column], str) else row[column]
        works: list[dict[str, Any]] = []
        latest: dict[int, int] = {}
        for place, row in enumerate(rows):
            row["depth"] = row.get("depth", int(latest.get(row["thread"], 0) > row["begin"]))
            latest[row["thread"]] = max(latest.get(row["thread"], 0), row["end"])
            row["work"], row["works"] = len(works) if row["_works"] else -1, len(row["_works"])
            for node, (begin, end, *stream) in enumerate(row["_works"]):
                works.append(
                    {
                        "begin": round(begin) + EPOCH, "end": round(end) + EPOCH, "enqueued": row["begin"], "op": place,
                        "role": Role.LAUNCH if row["role"] == Role.GRAPH else row["role"], "name": row["name"],
                        "stream": stream[0] if stream else row["stream"], "device": row.get("device", 0), "node": node,
                    }
                )  # fmt: skip
        ranges = sorted(self.ranges)
        numbers = [names.setdefault(each[3], len(names)) for each in ranges]
        threads = range(max((row["thread"] for row in rows), default=0) + 1)
        looks = sorted(self.looks, key=lambda look: look["begin"])
        more = numpy.array(self.more, "u8").reshape(-1, 2)
        return Timeline(
            path="made up",
            process=Process({"process": {"pid": 100, "rank": None, "host": "node0"}}),
            meta={"devices": [{"name": "GPU 0", "driver": self.driver, "ordinal": 0}], **self.facts},
            threads=[11 + thread for thread in threads],
            thread_names=["MainThread", *(f"worker {thread}" for thread in threads[1:])],
            names=list(names),
            symbols={name: name for name in names},
            devices=["GPU 0"],
            ops=_columns(Ops, _OPS, rows),
            works=_columns(Works, _WORKS, works),
            ranges=Ranges(
                begin=numpy.array([each[0] for each in ranges], "i8"),
                end=numpy.array([each[1] for each in ranges], "i8"),
                thread=numpy.array([each[2] for each in ranges], "i4"),
                name=numpy.array(numbers, "i4"),
                depth=numpy.zeros(len(ranges), "u2"),
            ),
            looks=_columns(Looks, {each.name: "i8" for each in fields(Looks)}, looks) if looks else empty(Looks, {}),
            more_waits=(more[:, 0], more[:, 1]),
            delays=numpy.zeros(0, "u1"),
            counters={},
            evidence=self.evidence,
            _sites=self.sites.__getitem__,
        )


def _columns(kind: type[Any], types: dict[str, str], rows: list[dict[str, Any]]) -> Any:
    return kind(**{name: numpy.array([row.get(name, 0) for row in rows], its) for name, its in types.items()})
