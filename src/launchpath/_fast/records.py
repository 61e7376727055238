"""Records: how often each kernel was launched by each way, why not the fast one, and what was measured."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from launchpath import _core

TIMED = 64  # of the original's launches, the last ones


class Record:
    """What is known of one kernel.

    Attributes
    ----------
    library, name : str
    originals : Counter
        Launches by the original way, by their reasons.
    original_ns : list of int
        How long the last of them took that had nothing to compile, in ns.
    """

    def __init__(self, library: str, name: str) -> None:
        self.library, self.name = library, name
        self.originals: Counter[str] = Counter()
        self.original_ns: list[int] = []
        self.fast: Any = None  # the core's `FastKernel`, or None
        self._dropped = 0  # launches of specializations that are gone
        self._dropped_ns: list[int] = []

    def count(self, reason: str, took_ns: int | None = None) -> None:
        """Count a launch by the original way."""
        self.originals[reason] += 1
        if took_ns is not None:
            self.original_ns.append(took_ns)
            del self.original_ns[:-TIMED]

    def note_dropped(self, specialization: _core.FastSpecialization) -> None:
        """Take over the numbers of a specialization that ends."""
        self._dropped += specialization.launches
        self._dropped_ns = [*self._dropped_ns, *specialization.samples_ns()][-TIMED:]

    def fast_launches(self) -> int:
        """Return how many launches were fast."""
        return self._dropped + sum(one.launches for one in self._specializations())

    def take_back(self) -> None:
        """Count fast launches from now on."""
        self._dropped -= self.fast_launches()

    def fast_seconds(self) -> float | None:
        """Return the median of the fast launches that were timed, or None: none was."""
        samples = [*self._dropped_ns, *(ns for one in self._specializations() for ns in one.samples_ns())]
        return _median(samples) * 1e-9 if samples else None

    def _specializations(self) -> list[_core.FastSpecialization]:
        return self.fast.specializations() if self.fast is not None else []

    def original_seconds(self) -> float | None:
        """Return the median of the original's launches, or None: none was timed."""
        return _median(self.original_ns) * 1e-9 if self.original_ns else None


def _median(values: list[int]) -> float:
    """Return the median: of `statistics`, which the import of launchpath would pay for."""
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class Records:
    """All kernels of the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Record] = []
        self._otherwise: dict[tuple[str, str], Record] = {}
        self.notes: list[str] = []

    def new(self, library: str, name: str) -> Record:
        """Return the record of a kernel that is seen for the first time."""
        record = Record(library, name)
        with self._lock:
            self._all.append(record)
        return record

    def count(self, library: str, name: str, reason: str) -> None:
        """Count a launch of a kernel that is never launched fast."""
        with self._lock:
            record = self._otherwise.get((library, name))
            if record is None:
                record = self._otherwise[library, name] = Record(library, name)
                self._all.append(record)
        record.count(reason)

    def note(self, text: str) -> None:
        """Note what holds for a whole library."""
        if text not in self.notes:
            self.notes.append(text)

    def all(self) -> list[Record]:
        """Return them in the order of their first launches."""
        with self._lock:
            return list(self._all)

    def begin_again(self) -> None:
        """Count from 0: in a forked child, whose parent's launches are not its own."""
        self._lock = threading.Lock()
        for record in self._all:
            record.originals.clear()
            record.take_back()


RECORDS = Records()
