"""Evidence: what a trace knows of commands and calls beside their records, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.format import ARGUMENTS, CONTENT, EVIDENCE, LAYOUTS

Array = NDArray[Any]


@dataclass(frozen=True)
class Evidence:
    """A row for each command or call that has evidence, in the order of their correlation ids.

    What is not known is 0. Which of `content` and `arguments` are known the flags say.
    """

    correlation: Array
    flags: Array  # CONTENT, ARGUMENTS, BLOCKING, PINNED, PAGEABLE
    count: Array  # of a launch: arguments; else events that it waits for
    site: Array  # a name's number
    content: Array
    arguments: Array  # a byte for each argument, see `format.EVIDENCE_SLOT`
    spent: Array  # ticks that reading a copy's bytes has taken: the trace's own cost, within the call or beside it
    event: Array  # that it makes or records
    host: Array
    wait_row: Array  # for each event that is waited for: the row, in ascending order,
    wait: Array  # and the event

    def find(self, correlation: Array) -> Array:
        """Give the rows of correlation ids; -1 where there is none."""
        if not len(self.correlation):
            return numpy.full(len(correlation), -1)
        at = numpy.minimum(numpy.searchsorted(self.correlation, correlation), len(self.correlation) - 1)
        return numpy.where(self.correlation[at] == correlation, at, -1)


def evidence(*slots: Array) -> Evidence:
    """Merge ``EVIDENCE`` slots, as `Chunk.slots_of` gives them, of any number of chunks.

    Several slots of one correlation are one row.
    """
    mine = numpy.concatenate([*slots, numpy.zeros(0, LAYOUTS[EVIDENCE])])
    mine = mine[numpy.argsort(mine["correlation"], kind="stable")]
    correlation, first = numpy.unique(mine["correlation"], return_index=True)
    known = mine["flags"]

    def merged(column: Array) -> Array:
        return numpy.maximum.reduceat(column, first) if len(first) else column[:0]

    row = numpy.repeat(numpy.arange(len(first)), numpy.diff(numpy.append(first, len(mine))))
    waits = numpy.stack([mine["wait"], mine["wait_too"]], 1).ravel()
    at = numpy.flatnonzero(waits)
    return Evidence(
        correlation,
        numpy.bitwise_or.reduceat(known, first) if len(first) else known[:0],
        merged(mine["count"]),
        merged(mine["site"]),
        merged(numpy.where(known & CONTENT, mine["content"], 0)),
        merged(numpy.where(known & ARGUMENTS, mine["arguments"], 0)),
        merged(numpy.where(known & ARGUMENTS, 0, mine["arguments"])),
        merged(mine["event"]),
        merged(mine["host"]),
        row[at // 2],
        waits[at],
    )
