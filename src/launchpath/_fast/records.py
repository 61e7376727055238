"""Records: how often each kernel was launched by each way, why not the fast one, and what was measured."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
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
        self.counters: list[tuple[str, _core.FastCounter]] = []  # reasons, of launchers that are left as they are
        self._dropped = 0  # launches of specializations that are gone
        self._dropped_ns: list[int] = []

    def count(self, reason: str, took_ns: int | None = None) -> None:
        """Count a launch by the original way."""
        self.originals[reason] += 1
        if took_ns is not None:
            self.original_ns.append(took_ns)
            del self.original_ns[:-TIMED]

    def launch(
        self,
        original: Callable[[], Any],
        reason: str | None,
        specialization: _core.FastSpecialization | None,
        tried: Callable[[Any], str],
        admitted: Callable[[Any], str],
    ) -> Any:
        """Launch the original way, count that, and learn from it for the next launch.

        Parameters
        ----------
        original : callable
            Launches.
        reason : str or None
            Why not the fast way; None: what is learned says it.
        specialization : FastSpecialization or None
            Which is on trial.
        tried, admitted : callable
            Learn from what the launch returned, with such a specialization and without, and return the reason.
        """
        began = time.perf_counter_ns()
        try:
            result = original()
        except BaseException as error:
            self.count(reason or f"it raised {type(error).__name__}")
            raise
        took = time.perf_counter_ns() - began
        if reason is not None:
            self.count(reason)
        elif specialization is not None:
            self.count(_learned(tried, result, specialization), took)
        else:
            self.count(_learned(admitted, result))
        return result

    def reasons(self) -> Counter[str]:
        """Return the launches by the original way, by their reasons."""
        total = Counter(self.originals)
        for reason, counter in self.counters:
            if counter.calls:
                total[reason] += counter.calls
        return total

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
        self._dropped_ns = []

    def fast_seconds(self) -> float | None:
        """Return the median of the fast launches that were timed, or None: none was."""
        samples = [*self._dropped_ns, *(ns for one in self._specializations() for ns in one.samples_ns())]
        return _median(samples) * 1e-9 if samples else None

    def _specializations(self) -> list[_core.FastSpecialization]:
        return self.fast.specializations() if self.fast is not None else []

    def original_seconds(self) -> float | None:
        """Return the median of the original's launches, or None: none was timed."""
        return _median(self.original_ns) * 1e-9 if self.original_ns else None


def _learned(learn: Callable[[Any], str], result: Any, specialization: _core.FastSpecialization | None = None) -> str:
    """Learn from a launch, and return the reason that this gives.

    The launch is over by then, so an error of launchpath's own must not look like one of it: it is the reason.
    """
    try:
        return learn(result)
    except Exception as error:
        text = not_understood(error)
        if specialization is not None:
            specialization.note.refused = text
            specialization.decide(False)
        return text


def not_understood(error: Exception) -> str:
    """Return the reason for an error of launchpath's own."""
    return f"launchpath does not understand it ({type(error).__name__}: {error})"


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
        # Whose kernels would be unloaded where they are not loaded
        self._of_parent: list[_core.FastSpecialization] = []

    def new(self, library: str, name: str) -> Record:
        """Return the record of a kernel that is seen for the first time."""
        record = Record(library, name)
        with self._lock:
            self._all.append(record)
        return record

    def count(self, library: str, name: str, reason: str) -> None:
        """Count a launch of a kernel that is never launched fast."""
        self._never_fast(library, name).count(reason)

    def counter(self, library: str, name: str, reason: str, launcher: Callable[..., Any]) -> _core.FastCounter:
        """Return a launcher that does the same, and whose calls are counted."""
        counter = _core.FastCounter(launcher)
        self._never_fast(library, name).counters.append((reason, counter))
        return counter

    def _never_fast(self, library: str, name: str) -> Record:
        with self._lock:
            record = self._otherwise.get((library, name))
            if record is None:
                record = self._otherwise[library, name] = Record(library, name)
                self._all.append(record)
        return record

    def note(self, text: str) -> None:
        """Note what holds for a whole library."""
        if text not in self.notes:
            self.notes.append(text)

    def all(self) -> list[Record]:
        """Return them in the order of their first launches."""
        with self._lock:
            return list(self._all)

    def begin_again(self) -> None:
        """Count from 0, and launch nothing of the parent: in a forked child, where its CUDA contexts are gone."""
        self._lock = threading.Lock()
        for record in self._all:
            if record.fast is not None:
                self._of_parent += record.fast.specializations()
                record.fast.keep_only(lambda _: False)
                record.fast.forget_grids()
            record.originals.clear()
            record.original_ns.clear()
            for _, counter in record.counters:
                counter.calls = 0
            record.take_back()


RECORDS = Records()
