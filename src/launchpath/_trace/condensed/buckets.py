"""Buckets: how many values there are of each size, by which quantiles are known to 1 %."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

from launchpath._trace.condensed.format import IN_OCTAVE

Array = NDArray[numpy.int64]
_MOST = 1 << 13  # buckets that there can be


def middle(places: Array) -> Array:
    """Give the value in the middle of each bucket."""
    octave, place = places // IN_OCTAVE, places % IN_OCTAVE
    shift = numpy.maximum(octave - 1, 0)
    low = numpy.where(octave == 0, place, (IN_OCTAVE + place) << shift)
    return numpy.asarray(low + (((1 << shift) - 1) // 2) * (octave > 0))


class Buckets:
    """Counts of values by size; those of other rows are added when they are needed.

    Parameters
    ----------
    places : numpy.ndarray of int64
        Numbers of buckets, ascending: below 64 each value has its own; behind, each power of 2 has 64.
    counts : numpy.ndarray of int64
    """

    __slots__ = ("_parts",)

    def __init__(self, places: Array, counts: Array) -> None:
        self._parts: list[tuple[Array, Array]] = [(places, counts)]

    @classmethod
    def empty(cls) -> Buckets:
        """Give buckets without a value."""
        return cls(numpy.zeros(0, "i8"), numpy.zeros(0, "i8"))

    def merge(self, other: Buckets) -> None:
        """Count the values of other buckets as well."""
        self._parts += other._parts
        if len(self._parts) > 256:
            self.sums()

    def sums(self) -> tuple[Array, Array]:
        """Give the numbers of the buckets that have values, ascending, and how many values they have."""
        if len(self._parts) > 1:
            dense = numpy.zeros(_MOST, "i8")
            for places, counts in self._parts:
                dense[places] += counts  # a place occurs once in a part
            places = numpy.flatnonzero(dense)
            self._parts = [(places, dense[places])]
        return self._parts[0]

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """Give quantiles, each known to 1 %; not a number where there are no values."""
        places, counts = self.sums()
        if not len(places):
            return [float("nan")] * len(shares)
        ends = numpy.cumsum(counts)
        ranks = numpy.maximum(numpy.ceil(numpy.asarray(shares) * ends[-1]), 1)
        return [float(value) for value in middle(places[numpy.searchsorted(ends, ranks)])]
