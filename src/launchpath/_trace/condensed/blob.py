"""A condenser's blob, read: cells by table and key, and turns."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.condensed.buckets import Buckets
from launchpath._trace.condensed.columns import Row
from launchpath._trace.condensed.format import CELL, COUNTS, HEAD, KINDS, MAGIC, ROW, VERSION, WINDOW, Table
from launchpath._trace.condensed.turns import WINDOW_TYPE

_COUNT_BITS = 48
_TABLES = {int(table) for table in Table}


class Blob:
    """What a condenser has counted.

    Parameters
    ----------
    words : numpy.ndarray of uint64
        As `Condenser.blob` gives them.

    Attributes
    ----------
    counts : dict
        `format.COUNTS` by name; ``real`` may be negative.
    kinds : list of int
        How many slots there are of each kind below 32, and of all others together.
    cells : dict
        For each table its rows by key.
    turns : list
        For each row of turns its table, key, number of turns, shift and windows. Times are of the monotonic clock.

    Raises
    ------
    ValueError
        The words are none of this version.
    """

    def __init__(self, words: NDArray[numpy.uint64]) -> None:
        if len(words) < HEAD or int(words[0]) != MAGIC or int(words[1]) != VERSION:
            raise ValueError("expected a blob of this version")
        head = words[:HEAD].tolist()
        self.counts = dict(zip(COUNTS, head[5:KINDS], strict=True))
        if self.counts["real"] >> 63:
            self.counts["real"] -= 1 << 64
        self.kinds = head[KINDS : KINDS + 33]
        self.cells: dict[int, dict[int, Row]] = defaultdict(dict)
        self.turns: list[tuple[int, int, int, int, NDArray[Any]]] = []
        place = HEAD
        for _ in range(head[2]):
            place = self._cell(words, place)
        for _ in range(head[3]):
            place = self._turns(words, place)

    def _cell(self, words: NDArray[numpy.uint64], place: int) -> int:
        if place + CELL > len(words):
            raise ValueError("expected more words")
        (key, table, calls, failed, shortest, longest, nested, amount, at, total, total_high, squares, squares_high) = (
            words[place : place + CELL].tolist()
        )
        table, count = table & 0xFFFFFFFF, table >> 32
        end: int = place + CELL + count
        if end > len(words):
            raise ValueError("expected more words")
        packed = words[place + CELL : end]
        if table in _TABLES:
            buckets = Buckets(
                (packed >> numpy.uint64(_COUNT_BITS)).astype("i8"),
                (packed & numpy.uint64((1 << _COUNT_BITS) - 1)).astype("i8"),
            )
            self.cells[table][key] = Row(
                calls, failed, total + (total_high << 64), squares + (squares_high << 64), nested, amount, shortest,
                longest, at, "", buckets,
            )  # fmt: skip
        return end

    def _turns(self, words: NDArray[numpy.uint64], place: int) -> int:
        if place + ROW > len(words):
            raise ValueError("expected more words")
        key, table, turns, count = words[place : place + ROW].tolist()
        end: int = place + ROW + count * WINDOW
        if end > len(words):
            raise ValueError("expected more words")
        windows = words[place + ROW : end].view(WINDOW_TYPE).copy()
        self.turns.append((table & 0xFFFFFFFF, key, turns, table >> 32, windows))
        return end
