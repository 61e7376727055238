"""The parts of a file that were written. The sizes that the file states are checked against them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from launchpath._trace.format import SLOT


def held_parts(descriptor: int, offset: int, size: int) -> Iterator[tuple[int, int]]:
    """Give the offsets and sizes of what a file holds from `offset` on, in `size` bytes.

    Holes are left out: a file of a terabyte may take 8 KiB on its disk, and what is read of it is to be no more.

    Parameters
    ----------
    descriptor : int
        Of the file.
    offset, size : int
        Of any size: what is behind the end of the file is not held.
    """
    end = min(offset + size, os.fstat(descriptor).st_size)
    while offset < end:
        try:
            begin = os.lseek(descriptor, offset, os.SEEK_DATA)
            after = os.lseek(descriptor, begin, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:  # a hole to the end
                return
            begin, after = offset, end  # a file system that knows no holes
        if begin < end:
            yield begin, min(after, end) - begin
        offset = after


def read_held(descriptor: int, offset: int, size: int) -> bytes:
    """Read what a file holds from `offset` on, at most `size` bytes, up to the first hole."""
    for begin, held in held_parts(descriptor, offset, size):
        return os.pread(descriptor, held, offset) if begin == offset else b""
    return b""


def held_slots(descriptor: int, offset: int, place: int, count: int) -> Iterator[tuple[int, int]]:
    """Give the places and numbers of the slots that a file holds, of `count` slots from `place` on.

    Parameters
    ----------
    descriptor : int
        Of the file.
    offset : int
        Of place 0.
    place, count : int
        Slots. One that the file ends in is not held.
    """
    within = (os.fstat(descriptor).st_size - offset) // SLOT - place
    for begin_of_part, size in held_parts(descriptor, offset + place * SLOT, max(min(count, within), 0) * SLOT):
        begin = (begin_of_part - offset) // SLOT
        yield begin, -(-(begin_of_part + size - offset) // SLOT) - begin
