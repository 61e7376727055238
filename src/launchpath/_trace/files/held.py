"""The parts of a file that were written. The sizes that the file states are checked against them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from launchpath._trace.format import SLOT

_NO_HOLES = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)  # from file systems that know none


def next_part(descriptor: int, offset: int) -> tuple[int, int] | None:
    """Give the begin and the end of the next part that a file holds, from `offset` on; None if it holds no more."""
    try:
        begin = os.lseek(descriptor, offset, os.SEEK_DATA)
        return begin, os.lseek(descriptor, begin, os.SEEK_HOLE)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a hole to the end, or the end
            return None
        if error.errno not in _NO_HOLES:
            raise
    size = os.fstat(descriptor).st_size
    return (offset, size) if offset < size else None


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
    while offset < end and (part := next_part(descriptor, offset)) is not None:
        begin, offset = part
        if begin < end:
            yield begin, min(offset, end) - begin


def read_held(descriptor: int, offset: int, size: int) -> bytes:
    """Read what a file holds from `offset` on, at most `size` bytes, up to the first hole."""
    for begin, held in held_parts(descriptor, offset, size):
        return os.pread(descriptor, held, offset) if begin == offset else b""
    return b""


def held_slots(descriptor: int, offset: int, place: int, count: int) -> Iterator[tuple[int, int]]:
    """Give what a file holds of `count` slots from `place` on, in parts: (place of the first slot, how many).

    Parameters
    ----------
    descriptor : int
        Of the file.
    offset : int
        Of place 0.
    place, count : int
        Slots. One that the file's end cuts off is left out.
    """
    within = (os.fstat(descriptor).st_size - offset) // SLOT - place
    for begin_of_part, size in held_parts(descriptor, offset + place * SLOT, max(min(count, within), 0) * SLOT):
        begin = (begin_of_part - offset) // SLOT
        yield begin, -(-(begin_of_part + size - offset) // SLOT) - begin
