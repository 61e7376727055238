"""The ring of a thread, as a trace file holds it."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath._trace.blocks import Block
from launchpath._trace.format import RING_FRAME, RING_HEAD, RING_SLOTS, RING_TAIL, SLOT

SLOT_TYPE = numpy.dtype(f"V{SLOT}")


class Ring(NamedTuple):
    """What a ring held when it was copied.

    Attributes
    ----------
    ring, thread : int
        The ring's number, and the system's number of its thread.
    head : int
        Number of the next slot to be written.
    first : int
        Number of the first slot of `slots`.
    slots : numpy.ndarray
        Those that were not in blocks yet.
    frame : numpy.ndarray
        The two slots of the call that the thread was in; of kind 0 if there was none.
    """

    ring: int
    thread: int
    head: int
    first: int
    slots: NDArray[Any]
    frame: NDArray[Any]


def copy_ring(descriptor: int, block: Block) -> Ring:
    """Copy what a ring holds, while its thread may write to it.

    Parameters
    ----------
    descriptor : int
        Of the file.
    block : Block
        Of kind ``RING``.
    """
    head, tail = _number(descriptor, block, RING_HEAD), _number(descriptor, block, RING_TAIL)
    capacity = block.capacity
    first = min(max(tail, head - capacity, 0), head)
    slots = _between(descriptor, block, first, head)
    frame = _read(descriptor, block.offset + RING_FRAME, 2)
    # Slots that were copied to blocks meanwhile may be overwritten by now. A command may be half written: two slots.
    late = _number(descriptor, block, RING_HEAD)
    intact = min(max(first, late + 2 - capacity), head) if late != head else first
    return Ring(block.ring, block.thread, head, intact, slots[intact - first :], frame)


def _between(descriptor: int, block: Block, first: int, head: int) -> NDArray[Any]:
    """Slots `first` to `head` of a ring, which may go round its end."""
    if not block.capacity or first == head:
        return numpy.zeros(0, SLOT_TYPE)
    begin, slots_at = first % block.capacity, block.offset + RING_SLOTS
    straight = min(head - first, block.capacity - begin)
    return numpy.concatenate(
        [
            _read(descriptor, slots_at + begin * SLOT, straight),
            _read(descriptor, slots_at, head - first - straight),
        ]
    )


def _number(descriptor: int, block: Block, at: int) -> int:
    return int.from_bytes(os.pread(descriptor, 8, block.offset + at), "little")


def _read(descriptor: int, offset: int, count: int) -> NDArray[Any]:
    """Read slots; those behind the end of the file are zeros, which are no slots."""
    slots = numpy.zeros(count, SLOT_TYPE)
    if count:
        os.preadv(descriptor, [slots.view("u1").data], offset)
    return slots
