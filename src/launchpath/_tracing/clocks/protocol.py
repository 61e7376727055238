"""What is sent between a host and the reference by TCP: questions and answers of 40 bytes.

=========  ======  ====================================================================================================
field      bytes   meaning
=========  ======  ====================================================================================================
magic      4       ``LPCK``
version    2       1
kind       2       ``PING``, ``SLEWING`` or ``ABOUT``
number     8       an answer has that of its question
first      8       ``PING``: when the question was received. ``SLEWING``: of a question the first of two times; of an
                   answer what daemons have added to the clock. ``ABOUT``: how many bytes of JSON follow
second     8       ``PING``: when the answer is sent. ``SLEWING``: the other time; of an answer the bend
=========  ======  ====================================================================================================

All are little-endian and signed but the magic. 8 bytes of zeros follow, for later versions.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

MAGIC, VERSION = b"LPCK", 1
PING, SLEWING, ABOUT = 1, 2, 3
LONGEST = 4096  # bytes of JSON

_LAYOUT = struct.Struct("<4shhqqqq")
SIZE = _LAYOUT.size


class Message(NamedTuple):
    """A question or an answer."""

    kind: int
    number: int
    first: int = 0
    second: int = 0

    def packed(self) -> bytes:
        """Give its bytes."""
        return _LAYOUT.pack(MAGIC, VERSION, *self, 0)


def unpacked(data: bytes) -> Message | str:
    """Read a message; a text says why it is none."""
    magic, version, kind, number, first, second, _ = _LAYOUT.unpack(data)
    if magic != MAGIC:
        return f"expected {MAGIC.hex(' ')} as its first bytes, got {magic.hex(' ')}"
    if version != VERSION:
        return f"expected version {VERSION}, got {version}: use the same version of launchpath on both hosts"
    return Message(kind, number, first, second)
