"""Repetition in the records: a call at which a thread begins the same sequence of calls again and again."""

from __future__ import annotations

from typing import NamedTuple

import numpy

from launchpath._findings.regions.region import LEAST
from launchpath._findings.regions.sequences import Stretches
from launchpath._findings.timeline.ops import Array

_CANDIDATES = 96  # different calls that are tried
_ENOUGH = 20  # repetitions after which longer ones are not preferred
_NEARLY = 0.9  # of the best coverage


class Repetition(NamedTuple):
    """Where a sequence repeats: at the places of one call."""

    places: Array  # in the sequence; each begins a repetition, and the last one ends the last
    typical: Array  # for each repetition whether it is the most frequent one
    token: int


def find_repetition(sequence: Array) -> Repetition | None:
    """Find the longest repetition that covers nearly as much of a sequence as any does.

    Parameters
    ----------
    sequence : numpy.ndarray of int
        Small numbers: the same for the same call.

    Returns
    -------
    Repetition or None
        None: nothing repeats three times.
    """
    if len(sequence) < LEAST:
        return None
    counts = numpy.bincount(sequence)
    candidates = numpy.flatnonzero(counts > LEAST)
    # Frequent calls come last: what occurs seldom begins the long repetitions.
    candidates = candidates[numpy.argsort(counts[candidates], kind="stable")]
    if len(candidates) > _CANDIDATES:
        candidates = candidates[numpy.linspace(0, len(candidates) - 1, _CANDIDATES).astype("i8")]
    stretches = Stretches(sequence)
    order = numpy.argsort(sequence, kind="stable")
    ends = numpy.cumsum(counts)
    tried: list[tuple[float, Repetition]] = []
    for token in candidates.tolist():
        places = order[ends[token] - counts[token] : ends[token]]
        hashes = stretches.hashes(places[:-1], places[1:])
        _, codes, number = numpy.unique(hashes, return_inverse=True, return_counts=True)
        lengths = numpy.diff(places)
        typical = codes.reshape(-1) == int(numpy.argmax(number))
        covered = float(lengths[typical].sum()) if number.max() >= LEAST else 0.0
        tried.append((covered / len(sequence), Repetition(places, typical, token)))
    best = max((coverage for coverage, _ in tried), default=0.0)
    good = [each for coverage, each in tried if coverage >= _NEARLY * best and coverage > 0]
    if not good:
        return None
    long = [each for each in good if len(each.typical) >= _ENOUGH]
    return min(long or good, key=lambda each: (len(each.typical), each.places[0]) if long else (-len(each.typical), 0))
