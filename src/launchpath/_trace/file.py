"""A trace file: what its blocks hold, and its slots in chunks."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath._trace.blocks import Block, check, walk
from launchpath._trace.chunk import Chunk
from launchpath._trace.format import COMMAND, COUNTERS, HEADER, META, NAMES, RING, SLOT, SLOTS
from launchpath._trace.ring import SLOT_TYPE, Ring, copy_ring
from launchpath.errors import TraceFileError

CHUNK = 1 << 18  # slots: 16 MiB


class Piece(NamedTuple):
    """Slots `first` to `first + length` of a ring: in the file at `offset`, or in `copied`."""

    ring: int
    first: int
    length: int
    thread: int
    offset: int
    copied: NDArray[Any] | None


class TraceFile:
    """A trace file, opened. What is written to it later is not seen.

    Parameters
    ----------
    path : str
        The file. It may be one that a program still writes, or that a killed program left.

    Attributes
    ----------
    path : str
    meta : dict
        The merged ``META`` blocks.
    names : dict
        Names by number.
    counters : dict
        The header's counters by name, `format.COUNTERS`.
    rings : dict
        The rings by number, each as it was copied.
    count : int
        How many slots can be read.
    lost : int
        Slots that were written to a ring, and are not in the file.
    unknown_blocks : int
        Blocks of a kind that is not known, or whose content cannot be read.

    Raises
    ------
    TraceFileError
        The file cannot be opened, or is not a trace of this version.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.meta: dict[str, Any] = {}
        self.names: dict[int, str] = {}
        self.counters = dict.fromkeys(COUNTERS, 0)
        self.rings: dict[int, Ring] = {}
        self.count = self.lost = self.unknown_blocks = 0
        self._file = -1
        try:
            self._file = os.open(self.path, os.O_RDONLY)
            self._index()
        except (OSError, ValueError) as error:  # ValueError: no file can have this name
            self.close()
            reason = error.strerror if isinstance(error, OSError) else error
            raise TraceFileError(f"{self.path!r}: expected a trace that can be read, got: {reason}") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> TraceFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        """Read the slots, ring by ring. A command and its detail are in the same chunk.

        Parameters
        ----------
        size : int
            The most slots in a chunk, at least 2.
        """
        slots, fill, lengths, threads = numpy.empty(size, SLOT_TYPE), 0, [0], [0]
        behind = (-1, -1)  # ring, and number of its slot that would continue the run
        for piece in self._pieces:
            begin = 0
            if behind != (piece.ring, piece.first) or threads[-1] != piece.thread:
                lengths.append(0)
                threads.append(piece.thread)
            behind = (piece.ring, piece.first + piece.length)
            while begin < piece.length:
                part = min(size - fill, piece.length - begin)
                self._read(piece, begin, slots[fill : fill + part])
                begin, fill = begin + part, fill + part
                lengths[-1] += part
                if fill == size:
                    # The detail of a last command is in the next chunk, so the command goes there too.
                    kept = int(slots[-1:].view("u1")[0] == COMMAND)
                    lengths[-1] -= kept
                    yield _chunk(slots[: size - kept], lengths, threads)
                    last, slots = slots[size - kept :], numpy.empty(size, SLOT_TYPE)
                    slots[:kept] = last
                    fill, lengths, threads = kept, [kept], threads[-1:]
        if fill:
            yield _chunk(slots[:fill], lengths, threads)

    def _read(self, piece: Piece, begin: int, slots: NDArray[Any]) -> None:
        if piece.copied is not None:
            slots[:] = piece.copied[begin : begin + len(slots)]
            return
        room = slots.view("u1").data
        size = os.preadv(self._file, [room], piece.offset + begin * SLOT)
        room[size:] = bytes(len(room) - size)

    def _index(self) -> None:
        check(self._file, self.path)
        # Rings first: what leaves a ring after that is in a block that the next walk meets.
        blocks = list(walk(self._file))
        while fresh := [block for block in blocks if block.kind == RING and block.ring not in self.rings]:
            self.rings.update((block.ring, copy_ring(self._file, block)) for block in fresh)
            blocks = list(walk(self._file))
        pieces = []
        length = os.fstat(self._file).st_size
        for block in blocks:
            if block.kind == SLOTS:
                room = (min(block.size, length - block.offset) - SLOT) // SLOT
                pieces.append(
                    Piece(block.ring, block.first, min(block.length, room), block.thread, block.offset + SLOT, None)
                )
            elif block.kind != RING:
                self._take(block)
        pieces += [
            Piece(ring.ring, ring.first, len(ring.slots), ring.thread, 0, ring.slots) for ring in self.rings.values()
        ]
        self._pieces = self._in_order(pieces)
        self.count = sum(piece.length for piece in self._pieces)

    def _in_order(self, pieces: list[Piece]) -> list[Piece]:
        """Sort pieces by ring and number, drop what several of them hold, and count what none of them holds."""
        ordered: list[Piece] = []
        ends: dict[int, int] = {}
        for piece in sorted(pieces, key=lambda piece: piece[:2]):
            end = ends.get(piece.ring, 0)
            begin = max(end - piece.first, 0)
            self.lost += max(piece.first - end, 0)
            if piece.length <= begin:
                ends[piece.ring] = max(end, piece.first)
                continue
            ordered.append(
                piece._replace(
                    first=piece.first + begin,
                    length=piece.length - begin,
                    offset=piece.offset + begin * SLOT,
                    copied=None if piece.copied is None else piece.copied[begin:],
                )
            )
            ends[piece.ring] = piece.first + piece.length
        self.lost += sum(max(ring.head - ends.get(number, 0), 0) for number, ring in self.rings.items())
        return ordered

    def _take(self, block: Block) -> None:
        if block.kind == HEADER:
            values = os.pread(self._file, 8 * len(COUNTERS), block.offset + SLOT)
            numbers = numpy.frombuffer(values[: len(values) // 8 * 8], "<u8").tolist()
            self.counters.update(zip(COUNTERS, numbers, strict=False))
        elif block.kind == NAMES:
            self._take_names(os.pread(self._file, block.size - SLOT, block.offset + SLOT), block.length)
        elif block.kind == META:
            size = min(block.length, block.size - SLOT)
            try:
                _merge(self.meta, json.loads(os.pread(self._file, size, block.offset + SLOT)))
            except (ValueError, AttributeError):
                self.unknown_blocks += 1
        else:
            self.unknown_blocks += 1

    def _take_names(self, data: bytes, count: int) -> None:
        at = 0
        for _ in range(count):
            number, size = (int.from_bytes(data[at + place : at + place + 4], "little") for place in (0, 4))
            if at + 8 + size > len(data):
                self.unknown_blocks += 1
                return
            self.names[number] = data[at + 8 : at + 8 + size].decode("utf-8", "replace")
            at += 8 + -(-size // 8) * 8


def _merge(meta: dict[str, Any], later: dict[str, Any]) -> None:
    for key, value in later.items():
        if isinstance(value, dict) and isinstance(meta.get(key), dict):
            _merge(meta[key], value)
        else:
            meta[key] = value


def _chunk(slots: NDArray[Any], lengths: list[int], threads: list[int]) -> Chunk:
    runs = numpy.repeat(numpy.arange(len(lengths), dtype="i4"), lengths)
    return Chunk(slots, runs, numpy.array(threads, "u4"))
