"""Copies of host memory that is not pinned, on devices whose library waits for the stream in such a copy.

The library's call would wait with the GIL, perhaps for a host function that needs it; and it would never return on a
stream that this thread holds back. So these copies go through launchpath's own pinned memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._memory.allocations import HOST, REGISTERED, Allocation

if TYPE_CHECKING:
    from launchpath.hip._copies.copies import Copy

Row = tuple[int, int, int]  # where its bytes go, where they are, and how many they are


def rows_of(copy: Copy) -> Iterator[Row]:
    """Give the rows of a copy; rows without a gap between them are one. A copy onto itself has none."""
    if copy.to == copy.source and (copy.height == 1 or copy.to_pitch == copy.source_pitch):
        return
    if copy.height == 1 or copy.width == copy.to_pitch == copy.source_pitch:
        yield copy.to, copy.source, copy.width * copy.height
        return
    for row in range(copy.height):
        yield copy.to + row * copy.to_pitch, copy.source + row * copy.source_pitch, copy.width


def is_staged(copy: Copy, device: Device) -> bool:
    """Whether a copy has to go through pinned memory."""
    return any(_ends(copy, device))


def _ends(copy: Copy, device: Device) -> tuple[bool, bool]:
    """Whether the source is pageable memory of the host, and whether the destination is."""
    if not device.driver_device.stages:
        return False, False
    return _pageable(copy.source_known, copy.source, device), _pageable(copy.to_known, copy.to, device)


def _pageable(end: Allocation | None, pointer: int, device: Device) -> bool:
    if end is not None:
        return end.kind == REGISTERED
    return device.driver_device.device_of(pointer) is None  # else another library's, of the device or pinned


def copy_now(copy: Copy, stream: Stream) -> None:
    """Copy in a stream's order. The host's pageable memory is not used any more when this returns."""
    up, down = _ends(copy, stream.device)
    if up and down:
        stream.synchronize()
        _move(rows_of(copy))
        return
    for to, source, size in rows_of(copy):
        (_core.upload_address if up else _core.download_address)(stream, to, source, size)


def submit(copy: Copy, stream: Stream) -> None:
    """Submit a copy. The host's memory is read or written when the stream comes to it."""
    rows = list(rows_of(copy))
    up, down = _ends(copy, stream.device)
    if up and down:
        stream.host_function(_move, rows, copy.ends)
        return
    memory = stream.device.pool.allocate(copy.width * copy.height, stream, HOST)
    place, ups, downs = memory.pointer, [], []
    for to, source, size in rows:
        ups.append(((place, source, size), (to, place, size)))
        downs.append(((to, place, size), (place, source, size)))
        place += size
    moved = [move for move, _ in (ups if up else downs)]
    if up:
        stream.host_function(_move, moved, (memory, copy.ends))
    for to, source, size in (row for _, row in (ups if up else downs)):
        _core.copy_bytes(stream, to, source, size, _core.UP if up else _core.DOWN)
    if down:
        stream.host_function(_move, moved, (memory, copy.ends))


def _move(rows: Iterable[Row], _owners: object = None) -> None:
    """Copy rows from host memory to host memory. The owners are arguments so that they live until then."""
    for to, source, size in rows:
        ctypes.memmove(to, source, size)
