"""Slots in the order of the file, in which all rings stand beside one another: nearly that of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.chunk import Chunk
from launchpath._trace.files.piece import Piece
from launchpath._trace.files.ring import SLOT_TYPE
from launchpath._trace.format import COMMAND

Read = Callable[[Piece, int, NDArray[Any]], None]


def in_order_of_rings(pieces: Iterable[Piece], read: Read, size: int) -> Iterator[Chunk]:
    """Read slots ring by ring; `TraceFile.chunks` has the parameters."""
    filled = _Filled(size)
    continuation = (-1, -1)  # ring, and number of its slot that would continue the run
    for piece in pieces:
        if continuation != (piece.ring, piece.first) or filled.threads[-1] != piece.thread:
            filled.begin_run(piece.thread)
        continuation = (piece.ring, piece.first + piece.length)
        yield from filled.add(piece, read)
    yield from filled.rest()


def in_order_of_file(pieces: Iterable[Piece], read: Read, size: int) -> Iterator[Chunk]:
    """Read slots as they stand in the file; those that were not in blocks yet come last.

    A command whose detail is in another block goes with the detail.
    """
    ordered = sorted(pieces, key=lambda piece: (piece.copied is not None, piece.offset, piece.ring, piece.first))
    begins = {_continued(piece, 0) for piece in ordered}
    halves: dict[tuple[int, int, int], NDArray[Any]] = {}  # commands, by where their details are
    filled = _Filled(size)
    for piece in ordered:
        filled.begin_run(piece.thread)
        half = halves.pop(_continued(piece, 0), None)
        if half is not None:
            yield from filled.put(half)
        yield from filled.add(piece, read)
        behind = _continued(piece, piece.length)
        if filled.ends_with_command and behind in begins:
            halves[behind] = filled.take_last()
    yield from filled.rest()


def _continued(piece: Piece, length: int) -> tuple[int, int, int]:
    """The place of the slot that is `length` behind the begin of a piece."""
    return piece.ring, piece.first + length, piece.thread


class _Filled:
    """A chunk while it is filled. A command and its detail are in the same one."""

    def __init__(self, size: int) -> None:
        self._size, self._slots, self._fill = size, numpy.empty(size, SLOT_TYPE), 0
        self._lengths, self.threads = [0], [0]

    def begin_run(self, thread: int) -> None:
        self._lengths.append(0)
        self.threads.append(thread)

    def add(self, piece: Piece, read: Read) -> Iterator[Chunk]:
        """Add the slots of a piece; gives the chunks that are full."""
        begin = 0
        while begin < piece.length:
            part = min(self._size - self._fill, piece.length - begin)
            read(piece, begin, self._slots[self._fill : self._fill + part])
            begin += part
            yield from self._grown(part)

    def put(self, slot: NDArray[Any]) -> Iterator[Chunk]:
        """Add a slot."""
        self._slots[self._fill : self._fill + 1] = slot
        yield from self._grown(1)

    @property
    def ends_with_command(self) -> bool:
        """Whether the last slot of the run is a command, without its detail."""
        last = self._slots[self._fill - 1 : self._fill]
        return self._lengths[-1] > 0 and int(last.view("u1")[0]) == COMMAND

    def take_last(self) -> NDArray[Any]:
        """Take the last slot away."""
        self._fill -= 1
        self._lengths[-1] -= 1
        return self._slots[self._fill : self._fill + 1].copy()

    def rest(self) -> Iterator[Chunk]:
        """Give what is there."""
        if self._fill:
            yield _chunk(self._slots[: self._fill], self._lengths, self.threads)

    def _grown(self, slots: int) -> Iterator[Chunk]:
        self._fill += slots
        self._lengths[-1] += slots
        if self._fill < self._size:
            return
        carried = int(self.ends_with_command)  # to the next chunk, where its detail is
        self._lengths[-1] -= carried
        kept = self._size - carried
        yield _chunk(self._slots[:kept], self._lengths, self.threads)
        last, self._slots = self._slots[kept:], numpy.empty(self._size, SLOT_TYPE)
        self._slots[:carried] = last
        self._fill, self._lengths, self.threads = carried, [carried], self.threads[-1:]


def _chunk(slots: NDArray[Any], lengths: list[int], threads: list[int]) -> Chunk:
    runs = numpy.repeat(numpy.arange(len(lengths), dtype="i4"), lengths)
    return Chunk(slots, runs, numpy.array(threads, "u4"))
