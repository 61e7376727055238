"""What a condenser's blob holds: the same as ``_core/trace/condense/cell.h`` and ``blob.h``; a test compares them."""

from __future__ import annotations

from enum import IntEnum

MAGIC, VERSION = 0x4E45444E4F43504C, 2
HEAD, KINDS, CELL, ROW, WINDOW, PARTS = 64, 20, 13, 4, 13, 7  # in words of 64 bits; KINDS: where they are in the head
OTHERS = (1 << 64) - 1  # the key of what came when there were too many keys
IN_OCTAVE = 64  # buckets


class Table(IntEnum):
    """The tables of a blob. What a key of each is stands in ``cell.h``."""

    KERNEL = 1
    DELAY = 2
    SENT = 3
    AROUND = 4
    WAITED = 5
    KEPT = 6
    REFUSED = 7
    COMMAND = 8
    CALL = 9
    API = 10
    LAUNCH = 11
    TRAFFIC = 12
    SIZE = 13
    RANGE = 14
    AFTER = 15
    THREAD = 16
    STREAM = 17
    RECORDED = 18
    GAP = 19
    RUN = 20
    EQUAL = 21
    UPLOAD = 22
    SITE = 23
    MEMORY = 24
    LOOK = 25


# Counts of the head, from word 5 on.
COUNTS = (
    "slots", "halves", "timed", "times", "clamped", "correction", "begin", "end", "untracked", "marks", "begun_ranges",
    "ended_ranges", "anchors", "unrelated", "real",
)  # fmt: skip
DIRECTIONS = ("copy", "host to device", "device to host", "device to device", "fill")
GAP_CLASSES = ("below 1 us", "1 to 10 us", "10 to 100 us", "0.1 to 1 ms", "1 to 10 ms", "over 10 ms")
