"""Stretches of a long trace: parts of its time, spread over the whole, of which all records are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath._trace.files.piece import Piece
from launchpath._trace.format import (
    API,
    CALL,
    COMMAND,
    HOST_CLOCK,
    MARK,
    RANGE,
    RANGE_BEGIN,
    SLOT,
    THREAD,
    TIME_MOST,
    TIMES,
)

_PARTS = 8  # stretches of a trace
LOOKED = 16  # slots of a piece among which the first that has a time is looked for
# Where the slots of a kind have ticks.
TICKS = {COMMAND: 16, CALL: 16, API: 16, RANGE: 16, RANGE_BEGIN: 16, MARK: 16, TIMES: 40, HOST_CLOCK: 8, THREAD: 8}

Read = Callable[[Piece, int, NDArray[numpy.uint8]], None]


class Stretches(NamedTuple):
    """Some of the pieces of a file, and the times between which no slot of a thread is missing.

    Attributes
    ----------
    pieces : list of Piece
    begins, ends : list of int
        Ticks of each stretch, in the order of time.
    """

    pieces: list[Piece]
    begins: list[int]
    ends: list[int]


def choose(pieces: list[Piece], most: int, read: Read) -> Stretches | None:
    """Choose stretches, the first at the begin of the trace and the last at its end.

    Parameters
    ----------
    pieces : list of Piece
        All of a file, in the order of rings and numbers.
    most : int
        How many slots the stretches may have, about.
    read : callable
        Reads slots of a piece, from a place of it on, into an array of bytes.

    Returns
    -------
    Stretches or None
        None: the file has no more slots than that, or its slots have no times.
    """
    lengths = numpy.array([piece.length for piece in pieces])
    if lengths.sum() <= most:
        return None
    starts = _starts(pieces, read)
    # By time in which so many slots were written, not by time alone: stretches of a part that waits would have nothing.
    order = numpy.argsort(starts, kind="stable")
    order = order[starts[order] < TIME_MOST]
    if not len(order) or starts[order[0]] == starts[order[-1]]:
        return None
    written = numpy.cumsum(lengths[order])
    count = int(written[-1])
    rings = numpy.array([piece.ring for piece in pieces])
    following = numpy.append(rings[1:] == rings[:-1], False)
    ends = numpy.where(following, numpy.append(starts[1:], 0), TIME_MOST)
    share = min(most / count, 1.0) / _PARTS
    chosen = numpy.zeros(len(pieces), "?")
    begins: list[int] = []
    stops: list[int] = []
    for part in range(_PARTS):
        low = part * (1 - share) / (_PARTS - 1)
        first, last = numpy.searchsorted(written, numpy.minimum([low * count, (low + share) * count], count - 1))
        begin = max(int(starts[order[first]]), *stops[-1:], 0)
        end = TIME_MOST if part == _PARTS - 1 else int(starts[order[min(max(last, first + 1), len(order) - 1)]])
        if end > begin:
            chosen |= (starts < end) & (ends > begin)
            begins.append(begin)
            stops.append(end)
    # The times of a command may be in the piece behind, and those before it in the piece before.
    beside = chosen.copy()
    beside[1:] |= chosen[:-1] & (rings[1:] == rings[:-1])
    beside[:-1] |= chosen[1:] & (rings[1:] == rings[:-1])
    return Stretches([piece for piece, its in zip(pieces, beside.tolist(), strict=True) if its], begins, stops)


def _starts(pieces: list[Piece], read: Read) -> NDArray[numpy.int64]:
    """Give the first time in each piece, in ticks; of a piece without a time that of the next one of its ring."""
    room = numpy.zeros(LOOKED * SLOT, "u1")
    starts = numpy.full(len(pieces), TIME_MOST)
    for place in range(len(pieces) - 1, -1, -1):
        piece = pieces[place]
        slots = room[: min(LOOKED, piece.length) * SLOT]
        read(piece, 0, slots)
        for at in range(0, len(slots), SLOT):
            offset = TICKS.get(int(slots[at]))
            if offset is not None:
                starts[place] = min(int.from_bytes(slots[at + offset : at + offset + 8].tobytes(), "little"), TIME_MOST)
                break
        else:
            if place + 1 < len(pieces) and pieces[place + 1].ring == piece.ring:
                starts[place] = starts[place + 1]
    return starts
