"""What is wanted of traces: some ranks, some seconds, and no more records than a file can have."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from launchpath._trace.files.file import TraceFile
from launchpath._trace.process import Process, is_int
from launchpath._trace.records import Progress, Records
from launchpath.errors import ArgumentValueError

LIMIT = 20_000_000  # records of one file for Perfetto or spreadsheets: more are seldom meant, and take minutes
_SECOND = 10**9  # nanoseconds
_LATEST = 1 << 60


class Part(NamedTuple):
    """A file, and the time in it that is wanted: nanoseconds of its monotonic clock; None: all of it."""

    path: str
    stretch: tuple[int, int] | None

    def records(self, progress: Progress | None = None, passes: int = 2) -> Records:
        """Read it; `Records` has the parameters."""
        return Records(self.path, progress, passes=passes, stretch=self.stretch)


@dataclass(frozen=True)
class Choice:
    """What is wanted.

    Parameters
    ----------
    ranks : collection of int, optional
        If left out, all processes, also those without a rank.
    seconds : tuple of float or None, optional
        Begin and end, from the begin of the earliest trace; None: its begin, or its end.
    limit : int
        How many records a file of another format may have.
    """

    ranks: Collection[int] | None = None
    seconds: tuple[float | None, float | None] | None = None
    limit: int = LIMIT

    def parts(self, paths: Sequence[str | os.PathLike[str]]) -> list[Part]:
        """Give the files that are wanted, in their order, with the time in each.

        Raises
        ------
        ArgumentValueError
            No file has one of the ranks, or the end is not behind the begin.
        """
        names = [os.fspath(path) for path in paths]
        if self.ranks is None and self.seconds is None:
            return [Part(name, None) for name in names]
        began = [_Begun(name, self.seconds is not None) for name in names]
        chosen = [each for each in began if self.ranks is None or each.rank in self.ranks]
        self._check_ranks(began)
        if self.seconds is None:
            return [Part(each.path, None) for each in chosen]
        first, last = self.seconds
        if first is not None and last is not None and not first < last:
            raise ArgumentValueError(f"seconds: expected a begin before the end, got {first:g}:{last:g}")
        # Processes of one host have one monotonic clock; those of another are compared by the time of day.
        real: dict[str, int] = {}
        for each in began:
            real.setdefault(each.host, each.real)
        start = min(each.begin + real[each.host] for each in began)
        return [
            Part(
                each.path,
                (
                    -_LATEST if first is None else start + round(first * _SECOND) - real[each.host],
                    _LATEST if last is None else start + round(last * _SECOND) - real[each.host],
                ),
            )
            for each in chosen
        ]

    def check(self, parts: Sequence[Part], form: str) -> None:
        """Refuse what has more records than `limit`; `form` says where they were to go.

        Raises
        ------
        ArgumentValueError
            There are more.
        """
        if sum(_slots(part.path) for part in parts) <= self.limit:  # a record takes a slot, or more
            return
        count = 0
        for part in parts:
            with part.records() as records:
                count += records.count
        if count > self.limit:
            raise ArgumentValueError(
                f"expected at most {self.limit:,} records in one file {form}, got {count:,} of {len(parts)} traces: "
                "choose some with ranks and seconds (--ranks 0,3-5 --seconds 12.5:14), "
                f"or raise the limit (--limit {count})"
            )

    def _check_ranks(self, began: Sequence[_Begun]) -> None:
        there = {each.rank for each in began if each.rank is not None}
        missing = sorted(set(self.ranks or ()) - there)
        if missing:
            listed = ", ".join(map(str, sorted(there)[:20])) + (", ..." if len(there) > 20 else "")
            raise ArgumentValueError(
                f"ranks: expected ranks of the traces, which are {listed or 'without ranks'}, got "
                f"{', '.join(map(str, missing[:20]))}"
            )


EVERYTHING = Choice()


class _Begun:
    """When the trace of a file began, and of which process it is."""

    def __init__(self, path: str, timed: bool) -> None:
        self.path = path
        with TraceFile(path) as file:
            process = Process(file.meta)
        self.rank, self.host = process.rank, str(process.host)
        self.begin = self.real = 0
        if timed:
            begin = file.meta.get("begin")
            times = [begin.get(clock) if isinstance(begin, dict) else None for clock in ("monotonic", "real")]
            if is_int(times[0]) and is_int(times[1]):
                self.begin, self.real = times[0], times[1] - times[0]
            else:
                self._look(path)

    def _look(self, path: str) -> None:
        """Take the first record for the begin: the file does not say when it began."""
        with TraceFile(path) as file:
            between = file.between((1, 1))
            self.begin, self.real = between.first or 0, between.real


def _slots(path: str) -> int:
    with TraceFile(path) as file:
        return file.count
