"""Evidence: what condensed traces know of what holds their programs back, of all processes together.

A finding tells what a mend saves of a repetition. It needs the order of a process's calls, which a condensed trace does
not have. What is here sums up over any number of processes: how often it happened, and how long it took.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from launchpath._trace.condensed.condensed import Condensed

_MOST = 5  # rows of a kind


@dataclass(frozen=True)
class Evidence:
    """A row of the evidence.

    Attributes
    ----------
    kind : str
        Of the finding that it is for, as `launchpath why` names them.
    event : str
        What happened.
    where : str
        The source line, the direction of copies, the device, or the thread's name.
    count : int
        How often.
    ns : int
        How long, in nanoseconds; of several processes, threads or streams: their sum.
    n_bytes : int
        Of how many bytes. 0: of none.
    """

    kind: str
    event: str
    where: str
    count: int
    ns: int
    n_bytes: int = 0

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            "kind": self.kind, "event": self.event, "where": self.where, "count": self.count, "us": self.ns / 1e3,
            "bytes": self.n_bytes,
        }  # fmt: skip


def evidence(condensed: Condensed) -> list[Evidence]:
    """Give the evidence of a condensed trace: of each kind the rows that took longest."""
    rows = list(_rows(condensed))
    kinds = list(dict.fromkeys(row.kind for row in rows))
    return [
        row
        for kind in kinds
        for row in sorted((each for each in rows if each.kind == kind), key=lambda each: (-each.ns, each.where))[:_MOST]
    ]


def _rows(condensed: Condensed) -> Iterator[Evidence]:
    tables = condensed.tables
    for site, row in tables["equal_uploads"].items():
        yield Evidence("equal-uploads", "copied bytes that were there", site, row.calls, row.total, row.amount)
    for name, row in tables["host_memory"].items():
        if name.endswith(", pageable"):
            yield Evidence("pageable-copies", "copied pageable memory", name, row.calls, row.total, row.amount)
    for name, row in tables["gaps"].items():
        if name.endswith(": late"):
            device = name.removesuffix(": late")
            yield Evidence("launch-bound", "stream idle, next command came late", device, row.calls, row.total)
    for name, row in tables["looks"].items():
        if row.nested:
            yield Evidence("thread-not-running", "ready, without a processor", name, row.calls, row.nested)
