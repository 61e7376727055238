"""The pieces of a file that hold a stretch of time: the others are not read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.clock import Clock
from launchpath._trace.files.piece import Piece
from launchpath._trace.files.stretches import LOOKED, TICKS
from launchpath._trace.format import DEVICE_CLOCK, HOST_CLOCK, HOST_CLOCK_SLOT, SLOT, TIME_MOST, TIMES

# What was recorded is in the file soon after: the rings are drained every few milliseconds. Commands that run when a
# stretch ends have their times in the file when they have ended.
BEFORE, BEHIND = 20_000_000, 100_000_000  # nanoseconds
_CLOCKS = 1024  # pieces on each side, among which clocks of devices are looked for
_EDGE = 16  # pieces at the begin and the end of a file, which are read for its clocks

Read = Callable[[Piece, int, NDArray[Any]], None]


class Between:
    """Finds the pieces of a file that hold a stretch of time.

    Parameters
    ----------
    pieces : list of Piece
        All of a file, in the order of rings and numbers.
    read : callable
        Reads slots of a piece, from a place of it on, into an array of bytes.
    rate : tuple of int
        Nanoseconds, and ticks in that time: of a file with a single measurement of the host's clock.

    Attributes
    ----------
    real : int
        Nanoseconds since 1970 when the monotonic clock was 0; 0: that is not known.
    """

    def __init__(self, pieces: list[Piece], read: Read, rate: tuple[int, int]) -> None:
        self._pieces, self._read = pieces, read
        self._by_file = sorted(range(len(pieces)), key=lambda place: _in_file(pieces[place]))
        self._starts = numpy.full(len(pieces), -1)  # ticks of the first slot that has some; -1: it is not known
        anchors: list[NDArray[Any]] = []
        self._of_times = numpy.zeros(len(pieces), "?")
        for place in range(len(pieces)):
            self._look(place, anchors)
        clocks = numpy.concatenate([numpy.zeros(0, HOST_CLOCK_SLOT), *anchors])
        self.real = int(clocks["real"][0]) - int(clocks["monotonic"][0]) if len(clocks) else 0
        self._ticks = Clock(clocks["monotonic"], clocks["ticks"], rate=rate[::-1])
        self._host = Clock(clocks["ticks"], clocks["monotonic"], rate=rate)
        self._fill()

    @property
    def first(self) -> int | None:
        """When the first record was made, nanoseconds of the monotonic clock; None: that is not known."""
        known = self._starts[(self._starts >= 0) & (self._starts < TIME_MOST)]
        if not len(known) or not self._host.anchors:
            return None
        return int(self._host(known.min()[None])[0])

    def pieces(self, begin: int, end: int, earliest: Callable[[list[Piece]], int | None]) -> list[Piece]:
        """Give the pieces of a stretch, and of the clocks beside it.

        Parameters
        ----------
        begin, end : int
            Nanoseconds of the monotonic clock.
        earliest : callable
            Gives when the first command was enqueued of those that ran in the stretch, in nanoseconds of the monotonic
            clock, from the pieces that it gets; None: there is none.
        """
        if not self._ticks.anchors:
            return self._pieces
        chosen = self._within(begin - BEFORE, end + BEHIND)
        chosen |= self._clocks(chosen)
        enqueued = earliest(self._listed(chosen))
        if enqueued is not None and enqueued < begin:
            chosen |= self._within(enqueued - BEFORE, begin)
        return self._listed(chosen)

    def _look(self, place: int, anchors: list[NDArray[Any]]) -> None:
        """Read the first slots of a piece, for its time and for clocks of the host."""
        piece = self._pieces[place]
        slots = numpy.zeros(min(LOOKED, piece.length) * SLOT, "u1")
        self._read(piece, 0, slots)
        kinds = slots[::SLOT]
        clocks = kinds == HOST_CLOCK
        if clocks.any():
            anchors.append(slots.reshape(-1, SLOT)[clocks].reshape(-1).view(HOST_CLOCK_SLOT))
        for at, kind in enumerate(kinds.tolist()):
            offset = TICKS.get(kind)
            if offset is not None:
                offset += at * SLOT
                self._of_times[place] = kind == TIMES
                self._starts[place] = min(int.from_bytes(slots[offset : offset + 8].tobytes(), "little"), TIME_MOST)
                break

    def _fill(self) -> None:
        """Where the first time of a piece is not when it was recorded, take the latest time before it in the file.

        That of a command which has ended is when it was enqueued, perhaps long ago.
        """
        latest = 0
        for place in self._by_file:
            start = int(self._starts[place])
            if 0 <= start < TIME_MOST and not self._of_times[place]:
                latest = max(latest, start)
            else:
                self._starts[place] = latest

    def _within(self, begin: int, end: int) -> NDArray[numpy.bool_]:
        """Which pieces have slots of some time, and which are beside them in their ring."""
        low, high = (int(time) for time in self._ticks(numpy.array([begin, end])))
        rings = numpy.array([piece.ring for piece in self._pieces])
        same = rings[1:] == rings[:-1]
        ends = numpy.full(len(rings), TIME_MOST)
        ends[:-1][same] = self._starts[1:][same]
        chosen: NDArray[numpy.bool_] = (self._starts <= high) & (ends >= low)
        beside = chosen.copy()
        beside[1:] |= chosen[:-1] & same
        beside[:-1] |= chosen[1:] & same
        return beside

    def _clocks(self, chosen: NDArray[numpy.bool_]) -> NDArray[numpy.bool_]:
        """Which further pieces have the clocks around those that are chosen."""
        more = numpy.zeros(len(chosen), "?")
        for place in (*self._by_file[:_EDGE], *self._by_file[-_EDGE:]):
            more[place] = self._has_clock(place)
        places = numpy.flatnonzero(chosen[self._by_file])
        if len(places):
            before = range(int(places[0]) - 1, max(int(places[0]) - 1 - _CLOCKS, -1), -1)
            behind = range(int(places[-1]) + 1, min(int(places[-1]) + 1 + _CLOCKS, len(chosen)))
            for side in (before, behind):
                for at in side:
                    if self._has_clock(self._by_file[at], DEVICE_CLOCK):
                        more[self._by_file[at]] = True
                        break
        for place in range(len(chosen)):  # of the host, those that need not be looked for: they are few
            more[place] |= self._pieces[place].length <= LOOKED and self._has_clock(place)
        return more

    def _has_clock(self, place: int, *kinds: int) -> bool:
        piece = self._pieces[place]
        slots = numpy.zeros(piece.length * SLOT, "u1")
        self._read(piece, 0, slots)
        return bool(numpy.isin(slots[::SLOT], kinds or (HOST_CLOCK, DEVICE_CLOCK)).any())

    def _listed(self, chosen: NDArray[numpy.bool_]) -> list[Piece]:
        return [piece for piece, its in zip(self._pieces, chosen.tolist(), strict=True) if its]


def _in_file(piece: Piece) -> tuple[bool, int, int, int]:
    return piece.copied is not None, piece.offset, piece.ring, piece.first
