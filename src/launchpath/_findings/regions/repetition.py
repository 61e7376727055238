"""Repetition in the records: a call at which a thread begins the same sequence of calls again and again."""

from __future__ import annotations

from typing import NamedTuple

import numpy

from launchpath._findings.regions.region import LEAST
from launchpath._findings.regions.sequences import Stretches
from launchpath._findings.timeline.ops import Array

_CANDIDATES = 96  # different calls that are tried
_WIDTHS = (1, 2, 4, 8)  # calls by which the begin of a repetition is recognized
_ENOUGH = 20  # repetitions after which longer ones are not preferred
_NEARLY = 0.9  # of the best coverage
_LEAST = 0.5  # of the sequence that must be the same repetition


class Repetition(NamedTuple):
    """Where a sequence repeats: at the places of one call."""

    places: Array  # in the sequence; each begins a repetition, and the last one ends the last
    typical: Array  # for each repetition whether it is the one that covers most of the sequence

    @property
    def length(self) -> int:
        """How many calls a typical repetition has."""
        return int(numpy.diff(self.places)[self.typical][0])


def find_repetition(sequence: Array) -> Repetition | None:
    """Find the longest repetition that covers nearly as much of a sequence as any does.

    Parameters
    ----------
    sequence : numpy.ndarray of int
        Small numbers: the same for the same call.

    Returns
    -------
    Repetition or None
        None: nothing repeats three times, or what does is not most of the sequence.
    """
    if len(sequence) < LEAST:
        return None
    stretches = Stretches(sequence)
    tried: list[tuple[float, Repetition]] = []
    for width in _WIDTHS:
        tried += _tried(_windows(sequence, stretches, width), stretches, len(sequence))
        if max((coverage for coverage, _ in tried), default=0.0) >= _NEARLY:
            break
    most = max((coverage for coverage, _ in tried), default=0.0)
    if most <= _LEAST:
        return None
    good = [each for coverage, each in tried if coverage >= _NEARLY * most]
    long = [each for each in good if len(each.typical) >= _ENOUGH]
    best = min(long or good, key=lambda each: (len(each.typical), each.places[0]) if long else (-len(each.typical), 0))
    # What is recognized by more calls ends before its last repetitions: the same one by fewer calls has these too.
    # A loop begins with the first of its calls.
    same = [each for each in long or good if each.length == best.length]
    return min(same, key=lambda each: (each.places[0], -numpy.count_nonzero(each.typical)))


def _windows(sequence: Array, stretches: Stretches, width: int) -> Array:
    """Number the calls by themselves and the `width` - 1 that follow."""
    if width == 1:
        return sequence
    first = numpy.arange(max(len(sequence) - width + 1, 0))
    return numpy.unique(stretches.hashes(first, first + width), return_inverse=True)[1].reshape(-1)


def _tried(numbers: Array, stretches: Stretches, length: int) -> list[tuple[float, Repetition]]:
    """Try repetitions that begin at the same number; each with the part of the sequence that it covers."""
    if not len(numbers):
        return []
    counts = numpy.bincount(numbers)
    candidates = numpy.flatnonzero(counts > LEAST)
    # What occurs seldom begins the long repetitions.
    candidates = candidates[numpy.argsort(counts[candidates], kind="stable")]
    if len(candidates) > _CANDIDATES:
        candidates = candidates[numpy.linspace(0, len(candidates) - 1, _CANDIDATES).astype("i8")]
    order, ends = numpy.argsort(numbers, kind="stable"), numpy.cumsum(counts)
    tried = []
    for token in candidates.tolist():
        places = order[ends[token] - counts[token] : ends[token]]
        _, codes, times = numpy.unique(
            stretches.hashes(places[:-1], places[1:]), return_inverse=True, return_counts=True
        )
        # All stretches that come again count: a warm-up loop may have other source lines than the loop behind it.
        covered = numpy.bincount(codes.reshape(-1), numpy.diff(places)) * (times >= LEAST)
        typical = codes.reshape(-1) == int(numpy.argmax(covered))
        tried.append((float(covered.sum()) / length, Repetition(places, typical)))
    return tried
