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
    # A block that is smaller than its ring was damaged.
    capacity = block.capacity if RING_SLOTS + block.capacity * SLOT <= block.size else 0
    first = min(max(tail, head - capacity, 0), head)
    slots = _between(descriptor, block, first, head) if capacity else numpy.zeros(0, SLOT_TYPE)
    first = head - len(slots)
    frame = _read(descriptor, block.offset + RING_FRAME, 2)
    # A thread writes only over slots that are in blocks, so what the tail has passed meanwhile may be half written.
    late = _number(descriptor, block, RING_HEAD) - capacity
    intact = min(max(first, _number(descriptor, block, RING_TAIL), late), head)
    return Ring(block.ring, block.thread, head, intact, slots[intact - first :], frame)


def _between(descriptor: int, block: Block, first: int, head: int) -> NDArray[Any]:
    """Slots `first` to `head` of a ring, which may go round its end."""
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
