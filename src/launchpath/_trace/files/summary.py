"""The summary in a trace's file: of a trace that keeps no records, or not all."""

from __future__ import annotations

import os

import numpy
from numpy.typing import NDArray

from launchpath._trace.files.blocks import Block
from launchpath._trace.format import SLOT

_MOST = 1 << 30  # bytes
_MASK = (1 << 64) - 1


def read_summary(descriptor: int, block: Block) -> NDArray[numpy.uint64] | None:
    """Read the words of a summary; None: it was not written to its end, and another one holds."""
    size = block.length
    if not 0 < size <= min(block.size - SLOT, _MOST) or size % 8:
        return None
    data = os.pread(descriptor, size, block.offset + SLOT)
    words = numpy.frombuffer(data[: len(data) // 8 * 8], "<u8")
    return words if 8 * len(words) == size and checksum(words) == block.capacity else None


def checksum(words: NDArray[numpy.uint64]) -> int:
    """Sum words up as `keep.h` of the core does."""
    total = 0
    for word in words.tolist():
        total = ((total << 7 | total >> 57) & _MASK) ^ word
    return total
