"""A chunk: slots of threads, as arrays."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.format import COMMAND, DETAIL, LAYOUTS

Slots = NDArray[Any]


class Chunk:
    """Slots that were read together.

    Parameters
    ----------
    slots : numpy.ndarray
        Of 64 bytes each. Slots of a ring are in their order.
    runs : numpy.ndarray
        For each slot the number of its run: slots that follow one another without a gap in the ring of one thread.
    threads : numpy.ndarray
        For each run the system's number of its thread.
    """

    def __init__(self, slots: Slots, runs: Slots, threads: Slots) -> None:
        self.slots, self.runs, self.thread_of_run = slots, runs, threads
        self.kinds = slots.view("u1").reshape(-1, slots.itemsize)[:, 0].copy()  # for each slot its kind
        self.counts = numpy.bincount(self.kinds, minlength=256)  # for each of the 256 kinds how many slots it has

    def __len__(self) -> int:
        return len(self.slots)

    def slots_of(self, kind: int) -> Slots:
        """Give the slots of a kind, in the fields of its layout."""
        if not self.counts[kind]:
            return numpy.zeros(0, LAYOUTS[kind])
        return numpy.asarray(self.slots[self.kinds == kind].view(LAYOUTS[kind]))

    def devices(self, kind: int) -> Slots:
        """Give the devices of the slots of a kind, without reading their other fields."""
        return numpy.asarray(self.slots.view(LAYOUTS[kind])["device"][self.kinds == kind])

    def threads(self, kind: int) -> Slots:
        """Give the threads of the slots of a kind."""
        return numpy.asarray(self.thread_of_run[self.runs[self.kinds == kind]])

    def commands(self) -> tuple[Slots, Slots, Slots]:
        """Give the commands with their details, and their threads. A half without the other half is left out."""
        if not self.counts[COMMAND]:
            return numpy.zeros(0, LAYOUTS[COMMAND]), numpy.zeros(0, LAYOUTS[DETAIL]), numpy.zeros(0, "u4")
        first = numpy.flatnonzero(self.kinds[:-1] == COMMAND)
        pairs = (self.kinds[first + 1] == DETAIL) & (self.runs[first] == self.runs[first + 1])
        first = first if pairs.all() else first[pairs]
        return (
            self.slots[first].view(LAYOUTS[COMMAND]),
            self.slots[first + 1].view(LAYOUTS[DETAIL]),
            self.thread_of_run[self.runs[first]],
        )
