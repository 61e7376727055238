"""The summary of traces: what took how long, by name, and what is not in the records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from launchpath._report import Entry, Tally
from launchpath._report.mangled import distinct
from launchpath._trace.condensed.columns import Columns
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.condensed.tracing_cost import TracingCost
from launchpath._trace.kernels import KernelName
from launchpath._trace.summaries.categories import by_category, category
from launchpath._trace.summaries.evidence import Evidence, evidence
from launchpath._trace.summaries.ranks import Ranks
from launchpath._trace.summaries.stragglers import Straggler

if TYPE_CHECKING:
    import pandas

_TALLIES = ("calls", "driver_calls", "kernels", "traffic", "ranges", "after_synchronizing")
_SAME = (
    "n_threads",
    "begin",
    "end",
    "counts",
    "correction",
    "marks",
    "slots",
    "open_calls",
    "counters",
    "not_traced",
    "tracing",
)
COLUMNS = ("name", "calls", "failed", "us", "us_nested", "us_average", "us_min", "us_max", "us_deviation")


@dataclass
class HostTime:
    """Where the time of a kernel's launches went. Times are sums, in nanoseconds.

    Attributes
    ----------
    launches : int
        Launches with a call of their own. Those in a graph of the driver have none: its call submits them all.
    launchpath, driver, waiting : int
        Host time in launchpath, in the driver's call, and waiting for a lock, the GIL or room in the queue. Time that a
        step took to record the launch is in ``launchpath``.
    started, delay : int
        Launches whose start is known, and the time from enqueue to start.
    """

    launches: int = 0
    launchpath: int = 0
    driver: int = 0
    waiting: int = 0
    started: int = 0
    delay: int = 0

    def as_json(self) -> dict[str, Any]:
        """Give the averages as JSON takes them, in microseconds; null where there is nothing to average."""
        host = {
            f"us_{name}": getattr(self, name) / 1e3 / self.launches if self.launches else None
            for name in ("launchpath", "driver", "waiting")
        }
        delay = self.delay / 1e3 / self.started if self.started else None
        return {"launches": self.launches, **host, "us_enqueue_to_start": delay}


@dataclass
class Summary:
    """What traces hold, by name. ``str()`` gives the tables as text.

    Attributes
    ----------
    processes : list of dict
        For each file its ``path``, ``pid``, ``rank``, ``host``, ``mode``, the numbers of ``threads`` with records, of
        ``devices`` and of ``streams`` with commands, and ``times``: the source of CUDA devices' times, by their places
        and names; and where its host's clock was measured, ``clock``: see `launchpath._trace.hosts.report`.
    threads : list of dict
        For each thread with calls of the driver its process's ``host``, ``rank`` and ``pid``, its own number ``thread``
        and ``name``, how many ``commands`` and other ``calls`` it made, and its time in the driver, ``us``. Of
        thousands of threads those with the most time are here.
    n_threads : int
        How many threads with calls of the driver there are.
    begin, end : int or None
        First and last time in the records: nanoseconds since 1970.
    calls : Tally
        Calls of launchpath. Launches are among them, as ``launch``.
    driver_calls : Tally
        Calls of the driver by the library's own names, launches included.
    kernels : Tally
        Kernels, by their time on the device.
    traffic : Tally
        Copies and fills by direction, by their time on the device.
    traffic_bytes : dict
        For each direction, the bytes of the commands that have a time.
    ranges : Tally
        Ranges by name.
    kernel_names : dict
        For each kernel its ``full`` name, by which the tables know it, its ``short`` one, and its ``symbol``: as its
        binary has it.
    host_times : dict
        For each kernel its `HostTime`.
    after_synchronizing : Tally
        For each device the time from the end of a synchronization to the start of the next kernel.
    counts : dict
        What is not in the records, or not exact: the keys of `counts.COUNTS`.
    correction : int
        By how many nanoseconds a command was moved at most.
    marks, slots : int
        Marks, and slots read.
    open_calls : list of str
        Calls that threads were in when the records ended.
    counters : dict
        The sums of the files' own counters, `format.COUNTERS`.
    not_traced : dict
        Calls of functions that submit work and are not traced, by the functions' names: of any program's traces.
    tracing : dict
        For each driver, ``cuda`` or ``opencl``, what its records have cost: a `TracingCost`. Of any program's traces.
    ranks : Ranks or None
        What differs between processes that do the same steps; None: no two of them share one.
    evidence : list of Evidence
        What holds programs back, of all processes together: how often, and how long. Of traces with ``findings=True``.
    """

    processes: list[dict[str, Any]] = field(default_factory=list)
    threads: list[dict[str, Any]] = field(default_factory=list)
    n_threads: int = 0
    begin: int | None = None
    end: int | None = None
    calls: Tally = field(default_factory=Tally)
    driver_calls: Tally = field(default_factory=Tally)
    kernels: Tally = field(default_factory=Tally)
    traffic: Tally = field(default_factory=Tally)
    traffic_bytes: dict[str, int] = field(default_factory=dict)
    ranges: Tally = field(default_factory=Tally)
    kernel_names: dict[str, KernelName] = field(default_factory=dict)
    host_times: dict[str, HostTime] = field(default_factory=dict)
    after_synchronizing: Tally = field(default_factory=Tally)
    counts: dict[str, int] = field(default_factory=dict)
    correction: int = 0
    marks: int = 0
    slots: int = 0
    open_calls: list[str] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    not_traced: dict[str, int] = field(default_factory=dict)
    tracing: dict[str, TracingCost] = field(default_factory=dict)
    ranks: Ranks | None = None
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def api(self) -> Tally:
        """Calls of launchpath and of the driver. A total counts time twice: the driver's is part of launchpath's."""
        tally = Tally(self.calls)
        tally.merge(self.driver_calls)
        return tally

    @property
    def stragglers(self) -> list[Straggler]:
        """The processes that take longer than others that do the same steps, and why."""
        return [] if self.ranks is None else self.ranks.stragglers

    @property
    def categories(self) -> Tally:
        """Calls of the driver by what they are for: to submit, to copy, to wait, to load and compile, and so on."""
        return by_category(self.driver_calls)

    @property
    def short_names(self) -> dict[str, str]:
        """For each kernel its short name; no two of the summary have the same."""
        return distinct({name: known.stem for name, known in self.kernel_names.items()})

    def _names_of(self, kernel: str, short: dict[str, str]) -> dict[str, str]:
        known = self.kernel_names.get(kernel)
        return {"short": short.get(kernel, kernel), "symbol": known.symbol if known else kernel}

    @property
    def length(self) -> int:
        """Nanoseconds from the first to the last time in the records."""
        return 0 if self.begin is None or self.end is None else self.end - self.begin

    @classmethod
    def of(cls, condensed: Condensed) -> Summary:
        """Make the tables of a condensed trace."""
        tables = condensed.tables
        same: dict[str, Any] = {name: getattr(condensed, name) for name in _SAME}
        tallies: dict[str, Any] = {name: _tally(tables[name]) for name in _TALLIES}
        return cls(
            processes=condensed.processes,
            threads=[_thread(row) for row in condensed.threads],
            kernel_names=condensed.kernel_names,
            traffic_bytes={name: row.amount for name, row in tables["traffic"].items()},
            host_times=_host_times(tables),
            ranks=Ranks.of(condensed.turns),
            evidence=evidence(condensed),
            **tallies,
            **same,
        )

    def as_json(self) -> dict[str, Any]:
        """Give the summary as JSON takes it, times in microseconds."""
        short = self.short_names
        return {
            "processes": self.processes,
            "threads": self.threads,
            "n_threads": self.n_threads,
            "us": self.length / 1e3,
            "calls": _rows(self.calls),
            "driver_calls": [{**row, "category": category(row["name"])} for row in _rows(self.driver_calls)],
            "categories": _rows(self.categories),
            "kernels": [
                {
                    **row,
                    **self._names_of(row["name"], short),
                    "host": self.host_times[row["name"]].as_json() if row["name"] in self.host_times else None,
                }
                for row in _rows(self.kernels)
            ],
            "traffic": [{**row, "bytes": self.traffic_bytes.get(row["name"], 0)} for row in _rows(self.traffic)],
            "ranges": _rows(self.ranges),
            "after_synchronizing": _rows(self.after_synchronizing),
            "not_in_records": {name: count for name, count in self.counts.items() if count},
            "us_correction": self.correction / 1e3,
            "marks": self.marks,
            "slots": self.slots,
            "open_calls": self.open_calls,
            "counters": self.counters,
            "not_traced": self.not_traced,
            "ranks": None if self.ranks is None else self.ranks.as_json(),
            "tracing": {driver: cost.as_json() for driver, cost in self.tracing.items()},
            "evidence": [row.as_json() for row in self.evidence],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """Give the tables as one data frame: a row for each name, times in microseconds.

        The column ``table`` names the table: ``calls``, ``driver_calls``, ``kernels``, ``traffic``, ``ranges`` or
        ``after_synchronizing``.

        Raises
        ------
        LibraryError
            pandas is not installed.
        """
        from launchpath._trace.extra import imported  # noqa: PLC0415 (only where a data frame is asked for)

        rows = []
        for name in _TALLIES:
            rows += [{"table": name, **row} for row in _rows(getattr(self, name))]
        frame: pandas.DataFrame = imported("pandas").DataFrame(rows, columns=["table", *COLUMNS])
        return frame

    def __str__(self) -> str:
        from launchpath._trace.summaries.tables import text  # noqa: PLC0415 (only where it is drawn)

        return text(self)

    def __repr__(self) -> str:
        kernels = self.kernels.total().calls
        return f"<Summary: {len(self.processes)} processes, {kernels} kernels with times, {self.slots} slots>"

    def _repr_html_(self) -> str:
        from launchpath._trace.summaries.tables import html  # noqa: PLC0415 (only where it is drawn)

        return html(self)


def _rows(tally: Tally) -> list[dict[str, Any]]:
    return [
        {**entry.as_json(), "us_nested": entry.nested / 1e3, "us_deviation": entry.deviation / 1e3}
        for entry in tally.by_time()
    ]


def _thread(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("host", "rank", "pid", "thread", "name", "commands", "calls")} | {
        "us": row["ns"] / 1e3
    }


def _tally(table: Columns) -> Tally:
    return Tally(
        Entry(name, row.calls, row.failed, row.total, row.shortest, row.longest, row.squares, row.nested)
        for name, row in table.in_order()
    )


def _host_times(tables: dict[str, Columns]) -> dict[str, HostTime]:
    times: dict[str, HostTime] = {}
    for table, part in (
        ("sent", "driver"),
        ("around", "launchpath"),
        ("recorded", "launchpath"),
        ("waited", "waiting"),
        ("delays", "delay"),
    ):
        for name, row in tables[table].in_order():
            time = times.setdefault(name, HostTime())
            setattr(time, part, getattr(time, part) + row.total)
            time.launches += row.calls if table == "sent" else 0
            time.started += row.calls if table == "delays" else 0
    return times
