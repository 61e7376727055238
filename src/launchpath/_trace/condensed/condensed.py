"""Condensed traces: what records of processes sum up to, in kilobytes.

Any split of the files, merged in any order, gives the same: sums are of integers, and lists are in a fixed order, or
have the largest rows by a fixed order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from launchpath._trace.condensed.columns import Columns
from launchpath._trace.condensed.tracing_cost import TracingCost
from launchpath._trace.condensed.turns import Turns
from launchpath._trace.kernels import KernelName

# The tables: what a name is, and what is counted of it. Times are nanoseconds.
TABLES = (
    "calls",  # of launchpath
    "driver_calls",  # of libraries' functions
    "kernels",  # time on the device
    "sent",  # kernels: the driver's call of a launch
    "around",  # kernels: launchpath's part of a launch
    "waited",  # kernels: time of a launch that its thread waited
    "recorded",  # kernels: time that a step took to record a launch
    "delays",  # kernels: from the driver's call to the start
    "traffic",  # directions: time on the device; amount: bytes
    "sizes",  # directions: bytes of each copy and fill
    "ranges",
    "after_synchronizing",  # devices: from the end of a synchronization to the next start
    "gaps",  # devices: from an end to the next start in a stream; "late": what is next was submitted behind the end
    "runs",  # devices and classes of gaps: how many commands follow one another so
    "sites",  # source lines and functions: time of the calls
    "uploads",  # source lines: time of the calls; amount: bytes
    "equal_uploads",  # those whose bytes were there already
    "host_memory",  # directions, pinned or pageable: time of the calls; amount: bytes
    "looks",  # threads: time on a processor; nested: ready and without one; amount: time that was looked at
)
THREADS_MOST, TURNS_MOST = 4096, 1 << 15  # rows that are kept, of all processes together
OPEN_MOST = 1000


@dataclass
class Condensed:
    """What records of processes sum up to.

    Attributes
    ----------
    tables : dict of Columns
        `TABLES` by name.
    kernel_names : dict of KernelName
        By the kernels' full names.
    processes, threads : list of dict
        As `Summary` has them. Of threads those with the most time in the driver are here.
    n_threads : int
        How many threads there are.
    turns : list of Turns
    begin, end : int or None
        First and last time, nanoseconds since 1970.
    counts, counters, not_traced : dict of int
        As `Summary` has them.
    tracing : dict of TracingCost
    open_calls : list of str
    correction, marks, slots : int
    """

    tables: dict[str, Columns] = field(default_factory=lambda: {name: Columns() for name in TABLES})
    kernel_names: dict[str, KernelName] = field(default_factory=dict)
    processes: list[dict[str, Any]] = field(default_factory=list)
    threads: list[dict[str, Any]] = field(default_factory=list)
    n_threads: int = 0
    turns: list[Turns] = field(default_factory=list)
    begin: int | None = None
    end: int | None = None
    counts: dict[str, int] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    not_traced: dict[str, int] = field(default_factory=dict)
    tracing: dict[str, TracingCost] = field(default_factory=dict)
    open_calls: list[str] = field(default_factory=list)
    correction: int = 0
    marks: int = 0
    slots: int = 0

    def merge(self, other: Condensed) -> None:
        """Count what another one has as well, of other processes. Its rows are this one's from now on."""
        for name, table in other.tables.items():
            self.tables[name].merge(table)
        for name, known in other.kernel_names.items():
            self.kernel_names[name] = min(self.kernel_names.get(name, known), known)
        for end, choose in (("begin", min), ("end", max)):
            times = [time for time in (getattr(self, end), getattr(other, end)) if time is not None]
            setattr(self, end, choose(times) if times else None)
        for name in ("counts", "counters", "not_traced"):
            _add(getattr(self, name), getattr(other, name))
        for driver, cost in other.tracing.items():
            self.tracing.setdefault(driver, TracingCost()).merge(cost)
        self.processes += other.processes
        self.threads += other.threads
        self.turns += other.turns
        self.open_calls += other.open_calls
        self.correction = max(self.correction, other.correction)
        for name in ("n_threads", "marks", "slots"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if (
            len(self.threads) > 2 * THREADS_MOST
            or len(self.turns) > 2 * TURNS_MOST
            or len(self.open_calls) > 2 * OPEN_MOST
        ):
            self.ordered()

    def ordered(self) -> Condensed:
        """Bring lists into their order, and keep as many of their rows as there is room for. Returns itself."""
        self.processes.sort(key=process_order)
        self.threads.sort(key=lambda row: (-row["ns"], *process_order(row)))
        self.turns.sort(key=Turns.order)
        self.open_calls.sort()
        del self.threads[THREADS_MOST:], self.turns[TURNS_MOST:], self.open_calls[OPEN_MOST:]
        return self


def process_order(row: dict[str, Any]) -> tuple[str, int, int, str, str]:
    """Give what sorts processes, and rows of them: host, rank, number and file, and of equal ones all the rest."""
    rank, pid = (-1 if row[key] is None else row[key] for key in ("rank", "pid"))
    return str(row["host"]), rank, pid, str(row.get("path")), repr(row)


def _add(counts: dict[str, int], others: dict[str, int]) -> None:
    for name, count in others.items():
        counts[name] = counts.get(name, 0) + count
