"""Statistics of calls by number: what a tally is by name, for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._report import Entry, Tally

_MOST = (1 << 63) - 1
LARGEST = 1 << 20  # numbers above are counted together


class Groups:
    """Times of calls by key. Calls that failed are counted, and have no time.

    Keys are numbers from 0; those above `LARGEST` are counted together, as that key.
    """

    def __init__(self) -> None:
        self.calls = numpy.zeros(0, "i8")
        self.failed = numpy.zeros(0, "i8")
        self.total = numpy.zeros(0, "i8")
        self.shortest = numpy.zeros(0, "i8")
        self.longest = numpy.zeros(0, "i8")
        self.nested = numpy.zeros(0, "i8")
        self.squares = numpy.zeros(0, "f8")

    def add(
        self,
        keys: NDArray[Any],
        times: NDArray[Any],
        failed: NDArray[Any] | None = None,
        nested: NDArray[Any] | None = None,
    ) -> None:
        """Count calls.

        Parameters
        ----------
        keys : numpy.ndarray
            For each call its key.
        times : numpy.ndarray
            Nanoseconds, int64.
        failed : numpy.ndarray of bool, optional
            Those that failed.
        nested : numpy.ndarray of bool, optional
            Those that are inside another call.
        """
        if not len(keys):
            return
        keys = numpy.minimum(keys.astype("i8"), LARGEST)
        self._grow(int(keys.max()) + 1)
        if failed is not None and failed.any():
            self._count(self.failed, keys[failed])
            keys, times = keys[~failed], times[~failed]
            nested = None if nested is None else nested[~failed]
        self._count(self.calls, keys)
        # A sum of doubles is exact below 2^53 ns, which is 104 days in a chunk.
        part = numpy.bincount(keys, times)
        self.total[: len(part)] += part.astype("i8")
        if nested is not None and nested.any():
            part = numpy.bincount(keys[nested], times[nested])
            self.nested[: len(part)] += part.astype("i8")
        part = numpy.bincount(keys, times.astype("f8") ** 2)
        self.squares[: len(part)] += part
        numpy.minimum.at(self.shortest, keys, times)
        numpy.maximum.at(self.longest, keys, times)

    def tally(self, name: Callable[[int], str]) -> Tally:
        """Give the calls by name.

        Parameters
        ----------
        name : callable
            Gives a key's name. Keys of the same name are counted together.
        """
        tally = Tally()
        for key in numpy.flatnonzero(self.calls + self.failed).tolist():
            calls = int(self.calls[key])
            entry = Entry(name(key), calls, int(self.failed[key]), int(self.total[key]))
            if calls:
                entry.shortest, entry.longest = int(self.shortest[key]), int(self.longest[key])
                entry.squares, entry.nested = float(self.squares[key]), int(self.nested[key])
            tally[entry.name].merge(entry)
        return tally

    @staticmethod
    def _count(counts: NDArray[Any], keys: NDArray[Any]) -> None:
        part = numpy.bincount(keys)
        counts[: len(part)] += part

    def _grow(self, size: int) -> None:
        more = size - len(self.calls)
        if more > 0:
            zeros = numpy.zeros(more, "i8")
            for name in ("calls", "failed", "total", "longest", "nested"):
                setattr(self, name, numpy.concatenate([getattr(self, name), zeros]))
            self.shortest = numpy.concatenate([self.shortest, zeros + _MOST])
            self.squares = numpy.concatenate([self.squares, zeros.astype("f8")])
