"""The ring of a thread, as a trace file holds it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath._trace.files.blocks import Block
from launchpath._trace.files.held import held_slots
from launchpath._trace.format import RING_FRAME, RING_HEAD, RING_MOST, RING_SLOTS, RING_TAIL, SLOT

SLOT_TYPE = numpy.dtype(f"V{SLOT}")


class Run(NamedTuple):
    """Slots of a ring in a row: the number of the first, and the slots."""

    first: int
    slots: NDArray[Any]


class Ring(NamedTuple):
    """What a ring held when it was copied."""

    ring: int  # its number
    thread: int  # the system's number of its thread
    head: int  # number of the next slot to be written
    runs: list[Run]  # the slots that were not in blocks yet
    frame: NDArray[Any]  # the two slots of the call that the thread was in; of kind 0 if there was none


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
    # A block that is smaller than its ring was damaged, and no ring has more than so many slots.
    fits = block.capacity <= RING_MOST and RING_SLOTS + block.capacity * SLOT <= block.size
    capacity = block.capacity if fits else 0
    first = min(max(tail, head - capacity, 0), head)
    runs = list(_between(descriptor, block, first, head)) if capacity else []
    frame = _read(descriptor, block.offset + RING_FRAME, 2)
    # A thread writes only over slots that are in blocks, so what the tail has passed meanwhile may be half written.
    late = _number(descriptor, block, RING_HEAD) - capacity
    intact = max(_number(descriptor, block, RING_TAIL), late)
    later = (run if run.first >= intact else Run(intact, run.slots[intact - run.first :]) for run in runs)
    return Ring(block.ring, block.thread, head, [run for run in later if len(run.slots)], frame)


def _between(descriptor: int, block: Block, first: int, head: int) -> Iterator[Run]:
    """Slots `first` to `head` of a ring, which may go round its end."""
    begin = first % block.capacity
    straight = min(head - first, block.capacity - begin)
    yield from _runs(descriptor, block, begin, straight, first)
    yield from _runs(descriptor, block, 0, head - first - straight, first + straight)


def _runs(descriptor: int, block: Block, place: int, count: int, number: int) -> Iterator[Run]:
    """The slots that the file holds of `count` places; the slot at the first of them has the number `number`."""
    slots = block.offset + RING_SLOTS
    for begin, held in held_slots(descriptor, slots, place, count):
        yield Run(number + begin - place, _read(descriptor, slots + begin * SLOT, held))


def _number(descriptor: int, block: Block, place: int) -> int:
    return int.from_bytes(os.pread(descriptor, 8, block.offset + place), "little")


def _read(descriptor: int, offset: int, count: int) -> NDArray[Any]:
    """Read slots; those behind the end of the file are zeros, which are no slots."""
    slots = numpy.zeros(count, SLOT_TYPE)
    os.preadv(descriptor, [slots.view("u1").data], offset)
    return slots
