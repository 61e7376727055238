"""Rows in memory: an end of a copy of two or three dimensions, and copies between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from launchpath.hip._copies import copies
from launchpath.hip._memory import allocations
from launchpath.hip._types.bindings import Error, address
from launchpath.hip._types.errors import HipError


@dataclass(frozen=True)
class Place:
    """Where rows begin.

    Parameters
    ----------
    memory : Any
        What has the memory: a pointer, an array of NumPy's.
    offset : int
        Bytes from there to the first row.
    pitch, slice : int
        Bytes from row to row, and from slice to slice.
    """

    memory: Any
    offset: int
    pitch: int
    slice: int

    def at(self, bytes: int) -> Any:
        """Return what a copy takes for its end: the object itself if it begins there, so that it stays alive."""
        offset = self.offset + bytes
        return self.memory if offset == 0 else address(self.memory) + offset


def copy_box(to: Place, source: Place, box: tuple[int, int, int], kind: Any, stream: Any, waits: bool) -> None:
    """Copy rows of bytes: `box` is the bytes of a row, the rows of a slice, and the slices."""
    width, height, depth = box
    copies.check_sizes(*box)
    if 0 in box:
        return
    if width > min(to.pitch, source.pitch) and (height > 1 or depth > 1):
        raise HipError(
            Error.hipErrorInvalidPitchValue, f"rows of {width} bytes, {to.pitch} and {source.pitch} bytes apart"
        )
    for end in (to, source):
        _check(end.memory, end.offset, (depth - 1) * end.slice + (height - 1) * end.pitch + width)
    if depth > 1 and height * to.pitch == to.slice and height * source.pitch == source.slice:
        height, depth = height * depth, 1
    with _kept(to.memory, source.memory):
        for index in range(depth):
            ends = to.at(index * to.slice), source.at(index * source.slice)
            wait = waits and index == depth - 1
            copies._copy(*ends, width, kind, stream, wait, (height, to.pitch, source.pitch))


@contextmanager
def _kept(*owners: Any) -> Iterator[None]:
    """Keep memory of which a copy may be under way if a later part of it fails."""
    try:
        yield
    except HipError:
        raise  # nothing was submitted
    except BaseException:
        _owners.append(owners)
        raise


_owners: list[Any] = []


Pieces = Iterator[tuple[Any, int]]


def plain(memory: Any, size: int) -> Pieces:
    """Return memory as its only piece."""
    _check(memory, 0, size)
    return iter([(memory, size)])


def _check(memory: Any, offset: int, size: int) -> None:
    """Refuse memory that is too small, before a part of it is copied."""
    first = address(memory)
    if not first:
        raise HipError(Error.hipErrorInvalidValue, "expected two ends of a copy, got a null pointer")
    allocation = allocations.find(first + offset)
    if allocation is not None:
        allocations.check(allocation, first + offset, size, "an end of the copy")


def copy_pieces(to: Pieces, source: Pieces, kind: Any, stream: Any, waits: bool) -> None:
    """Copy bytes one behind the other, between memory that is in pieces of other lengths."""
    end = start = None
    room = left = 0
    cuts: list[tuple[Any, Any, int]] = []
    while True:
        end, room = next(to, (None, 0)) if room == 0 else (end, room)
        start, left = next(source, (None, 0)) if left == 0 else (start, left)
        size = min(room, left)
        if size == 0:
            break
        cuts.append((end, start, size))
        room, left = room - size, left - size
        end = address(end) + size if room else end
        start = address(start) + size if left else start
    with _kept(cuts):
        for index, (target, origin, size) in enumerate(cuts):
            copies._copy(target, origin, size, kind, stream, waits and index == len(cuts) - 1)
