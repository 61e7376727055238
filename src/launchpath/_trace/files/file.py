"""A trace file: what its blocks hold, and its slots in chunks."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.chunk import Chunk
from launchpath._trace.files.between import Between
from launchpath._trace.files.blocks import Block, check, walk
from launchpath._trace.files.facts import LARGEST_BLOCK, Facts
from launchpath._trace.files.flow import in_order_of_file, in_order_of_rings
from launchpath._trace.files.held import held_slots, read_held
from launchpath._trace.files.piece import Piece
from launchpath._trace.files.ring import SLOT_TYPE, Ring, copy_ring
from launchpath._trace.files.stretches import choose
from launchpath._trace.files.summary import read_summary
from launchpath._trace.format import COUNTERS, HEADER, META, NAMES, RING, SLOT, SLOTS, SUMMARY
from launchpath._trace.text import LONGEST, name_text
from launchpath.errors import TraceFileError

CHUNK = 1 << 18  # slots: 16 MiB
_SYMBOL = re.compile(rb"[\w.$]+")
_NAMES = 4 << 20  # bytes of a block of names; each name has a block of its own


class TraceFile:
    """A trace file, opened. What is written to it later is not seen.

    Parameters
    ----------
    path : str
        The file. It may be one that a program still writes, or that a killed program left.

    Raises
    ------
    TraceFileError
        The file cannot be opened, or is not a trace of this version.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._facts = Facts()
        self.meta = self._facts.values  # the merged ``META`` blocks, as `Facts` gives them
        self.names: dict[int, str] = {}  # names by number, as `name_text` gives them
        self.mangled: dict[int, str] = {}  # of those that are cut there the mangled ones, whole
        self.summary: NDArray[numpy.uint64] | None = None  # words of a condenser's blob, in a trace that keeps one
        self._summary_number = 0
        self.counters = dict.fromkeys(COUNTERS, 0)  # the header's counters by name, `format.COUNTERS`
        self.rings: dict[int, Ring] = {}  # the rings by number, each as it was copied
        self.threads: dict[int, str] = {}  # names of threads by the system's numbers, as blocks of their slots tell
        self.count = 0  # how many slots can be read
        self.lost = 0  # slots that were written to a ring, and are not in the file
        self.unknown_blocks = 0  # blocks of a kind that is not known, or whose content cannot be read
        self._pieces: list[Piece] = []
        self.stretches: list[tuple[int, int]] = []  # ticks: see `keep_stretches`; empty: all slots are read
        self._ends: dict[int, int] = {}  # for each ring the number behind that of its last slot
        self._file = -1
        try:
            self._file = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)  # opening a pipe would wait for its writer
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise ValueError("no regular file")
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

    def chunks(self, size: int = CHUNK, by_file: bool = False) -> Iterator[Chunk]:
        """Read the slots. A command and its detail are in the same chunk.

        Parameters
        ----------
        size : int
            The most slots in a chunk, at least 2.
        by_file : bool
            Whether they come as they stand in the file, nearly in the order of time; else ring by ring.
        """
        return (in_order_of_file if by_file else in_order_of_rings)(self._pieces, self._read, size)

    def between(self, rate: tuple[int, int]) -> Between:
        """Give what finds the pieces of a stretch of time; `Between` has the parameter."""
        return Between(self._pieces, self._read, rate)

    def keep(self, pieces: list[Piece]) -> list[Piece]:
        """Read only some pieces from now on; gives those that were read before."""
        before, self._pieces = self._pieces, pieces
        self.count = sum(piece.length for piece in pieces)
        return before

    def thread_numbers(self) -> list[int]:
        """Give the system's numbers of the threads that have records, ascending."""
        return sorted({piece.thread for piece in self._pieces})

    @property
    def pieces(self) -> list[Piece]:
        """The slots: pieces of rings, in the order of rings and of their numbers."""
        return self._pieces

    @property
    def descriptor(self) -> int:
        """The system's number of the open file."""
        return self._file

    def slots(self, pieces: Iterable[Piece], size: int = 1 << 14) -> Iterator[NDArray[Any]]:
        """Read the slots of some pieces, at most `size` at a time; they are overwritten by those that come next."""
        room = numpy.empty(size, SLOT_TYPE)
        for piece in pieces:
            for begin in range(0, piece.length, size):
                slots = room[: min(size, piece.length - begin)]
                self._read(piece, begin, slots)
                yield slots

    def keep_stretches(self, most: int) -> None:
        """Read about `most` slots from now on: those of stretches of time that are spread over the trace."""
        chosen = choose(self._pieces, most, self._read)
        if chosen is not None:
            self.keep(chosen.pieces)
            self.stretches = list(zip(chosen.begins, chosen.ends, strict=True))

    def _read(self, piece: Piece, begin: int, slots: NDArray[Any]) -> None:
        if piece.copied is not None:
            count = slots.nbytes // SLOT
            slots.view("u1")[:] = piece.copied[begin : begin + count].view("u1").reshape(-1)
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
        pieces: list[Piece] = []
        for block in blocks:
            if block.kind in (SLOTS, RING) and block.name:
                self.threads[block.thread] = name_text(block.name)
            if block.kind == SLOTS:
                pieces += self._pieces_of(block)
            elif block.kind != RING:
                self._take(block)
        for ring in self.rings.values():
            pieces += [Piece(ring.ring, run.first, len(run.slots), ring.thread, 0, run.slots) for run in ring.runs]
            self._tell_end(ring.ring, ring.head)
        self._pieces = self._in_order(pieces)
        self.count = sum(piece.length for piece in self._pieces)

    def _pieces_of(self, block: Block) -> Iterator[Piece]:
        count, offset = min(block.length, (block.size - SLOT) // SLOT), block.offset + SLOT
        self._tell_end(block.ring, block.first + count)
        for place, held in held_slots(self._file, offset, 0, count):
            yield Piece(block.ring, block.first + place, held, block.thread, offset + place * SLOT, None)

    def _tell_end(self, ring: int, end: int) -> None:
        """Note that slots of a ring up to number `end` were written."""
        self._ends[ring] = max(self._ends.get(ring, 0), end)

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
        self.lost += sum(max(end - ends.get(ring, 0), 0) for ring, end in self._ends.items())
        return ordered

    def _take(self, block: Block) -> None:
        if block.kind == HEADER:
            values = os.pread(self._file, 8 * len(COUNTERS), block.offset + SLOT)
            numbers = numpy.frombuffer(values[: len(values) // 8 * 8], "<u8").tolist()
            self.counters.update(zip(COUNTERS, numbers, strict=False))
        elif block.kind == NAMES:
            size = min(block.size - SLOT, _NAMES)
            self._take_names(read_held(self._file, block.offset + SLOT, size), block.length)
        elif block.kind == META:
            size = min(block.length, block.size - SLOT, LARGEST_BLOCK)
            try:
                self._facts.add(read_held(self._file, block.offset + SLOT, size))
            except ValueError:
                self.unknown_blocks += 1
        elif block.kind == SUMMARY:
            words = read_summary(self._file, block) if block.first > self._summary_number else None
            if words is not None:
                self.summary, self._summary_number = words, block.first
        else:
            self.unknown_blocks += 1

    def _take_names(self, data: bytes, count: int) -> None:
        begin = 0
        for _ in range(count):
            number, size = (int.from_bytes(data[begin + place : begin + place + 4], "little") for place in (0, 4))
            if begin + 8 + size > len(data):
                self.unknown_blocks += 1
                return
            name = data[begin + 8 : begin + 8 + size]
            self.names[number] = name_text(name)
            if size > LONGEST and name.startswith(b"_Z") and _SYMBOL.fullmatch(name):
                self.mangled[number] = name.decode()
            begin += 8 + -(-size // 8) * 8
