"""Sequences of calls as numbers: which calls are the same, and which stretches of calls are."""

from __future__ import annotations

import numpy

from launchpath._findings.timeline.ops import Array, Ops

_BASE = numpy.uint64(0x9E3779B97F4A7C15)


def tokens(ops: Ops, rows: Array) -> Array:
    """Give each call a number: calls of the same role, name, stream and source line have the same."""
    token = ops.name[rows].astype("u8") << numpy.uint64(8) | ops.role[rows].astype("u8")
    token ^= _mixed(ops.site[rows].astype("u8")) ^ _mixed(ops.stream[rows].astype("u8") + numpy.uint64(1 << 40))
    return numpy.unique(token, return_inverse=True)[1].reshape(-1)


class Stretches:
    """Compares stretches of a sequence in constant time each, by polynomial hashes of 64 bits."""

    def __init__(self, sequence: Array) -> None:
        mixed = _mixed(sequence.astype("u8") + numpy.uint64(1))
        with numpy.errstate(over="ignore"):
            self._powers = numpy.concatenate(
                [numpy.ones(1, "u8"), numpy.cumprod(numpy.full(len(sequence), _BASE), dtype="u8")]
            )
            # sum of m[i] * B^i; a stretch is moved to the same power by the power of what follows it
            self._sums = numpy.concatenate([numpy.zeros(1, "u8"), numpy.cumsum(mixed * self._powers[:-1], dtype="u8")])

    def hashes(self, first: Array, last: Array) -> Array:
        """Give the hashes of stretches ``first <= place < last``; their lengths are part of them."""
        with numpy.errstate(over="ignore"):
            shift = self._powers[len(self._sums) - 1 - first]
            return numpy.asarray((self._sums[last] - self._sums[first]) * shift ^ _mixed((last - first).astype("u8")))


def _mixed(values: Array) -> Array:
    """Spread numbers over 64 bits (the finalizer of splitmix64)."""
    with numpy.errstate(over="ignore"):
        x = values.astype("u8") + numpy.uint64(0x9E3779B97F4A7C15)
        x = (x ^ x >> numpy.uint64(30)) * numpy.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> numpy.uint64(27)) * numpy.uint64(0x94D049BB133111EB)
        return numpy.asarray(x ^ x >> numpy.uint64(31))
