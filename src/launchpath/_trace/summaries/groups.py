"""Statistics of calls by number: what a tally is by name, for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._report import Entry, Tally

_MOST = (1 << 62) - 1  # nanoseconds of a sum; two of them can be added


class Groups:
    """Times of calls by key, a number. Calls that failed are counted, and have no time.

    A key takes the same memory whatever its number is.
    """

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}  # for each key its place in the arrays
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
        rows, codes = self._places(keys)
        if failed is not None and failed.any():
            self.failed[rows] += numpy.bincount(codes[failed], minlength=len(rows))
            codes, times = codes[~failed], times[~failed]
            nested = None if nested is None else nested[~failed]
        if not len(codes):
            return
        count = len(rows)
        self.calls[rows] += numpy.bincount(codes, minlength=count)
        self.total[rows] = _sum(self.total[rows], codes, times)
        if nested is not None and nested.any():
            self.nested[rows] = _sum(self.nested[rows], codes[nested], times[nested])
        self.squares[rows] += numpy.bincount(codes, times.astype("f8") ** 2, count)
        numpy.minimum.at(self.shortest, rows[codes], times)
        numpy.maximum.at(self.longest, rows[codes], times)

    def tally(self, name: Callable[[int], str]) -> Tally:
        """Give the calls by name.

        Parameters
        ----------
        name : callable
            Gives a key's name. Keys of the same name are counted together.
        """
        tally = Tally()
        for key, row in sorted(self._rows.items()):
            calls = int(self.calls[row])
            entry = Entry(name(key), calls, int(self.failed[row]), int(self.total[row]))
            if calls:
                entry.shortest, entry.longest = int(self.shortest[row]), int(self.longest[row])
                entry.squares, entry.nested = float(self.squares[row]), int(self.nested[row])
            tally[entry.name].merge(entry)
        return tally

    def _places(self, keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The places of the keys that there are, each once; and for each call which of these its key has."""
        values, codes = _unique(keys)
        rows = numpy.array([self._rows.setdefault(key, len(self._rows)) for key in values.tolist()], "i8")
        more = len(self._rows) - len(self.calls)
        if more:
            zeros = numpy.zeros(more, "i8")
            for name in ("calls", "failed", "total", "longest", "nested"):
                setattr(self, name, numpy.concatenate([getattr(self, name), zeros]))
            self.shortest = numpy.concatenate([self.shortest, zeros + _MOST])
            self.squares = numpy.concatenate([self.squares, zeros.astype("f8")])
        return rows, codes


def _sum(sums: NDArray[Any], codes: NDArray[Any], times: NDArray[Any]) -> NDArray[Any]:
    """Add times to the sums of their codes. A sum of doubles is exact below 2^53 ns, which is 104 days in a chunk."""
    part = numpy.clip(numpy.bincount(codes, times, len(sums)), -_MOST, _MOST).astype("i8")
    return numpy.asarray(numpy.clip(sums + part, -_MOST, _MOST))


def _unique(keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The different keys in order, and for each key which of them it is."""
    if int(keys.max()) >= len(keys) + 1024:
        values, codes = numpy.unique(keys, return_inverse=True)
        return values, codes.reshape(-1)
    keys = keys.astype("i8")
    is_present = numpy.bincount(keys) > 0  # small numbers: without sorting
    return numpy.flatnonzero(is_present), (numpy.cumsum(is_present) - 1)[keys]
