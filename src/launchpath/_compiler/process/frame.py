"""Frames: the form of the messages between the two processes, which shows a damaged message."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

_HEAD = struct.Struct(">4sIQ")  # magic, checksum, length
_MAGIC = b"lpc1"
_MOST = 1 << 32  # bytes; a longer message is taken for damage


class FrameError(Exception):
    """The received bytes are no frame."""


def packed(message: bytes) -> bytes:
    """Make a frame of a message."""
    return _HEAD.pack(_MAGIC, zlib.crc32(message), len(message)) + message


def read(receive: Callable[[int], bytes]) -> bytes:
    """Read a message.

    Parameters
    ----------
    receive : callable
        Gives that many bytes or fewer; none at the end.

    Raises
    ------
    EOFError
        The other process closed its end, or died.
    FrameError
    """
    magic, checksum, length = _HEAD.unpack(_exactly(receive, _HEAD.size))
    if magic != _MAGIC or length > _MOST:
        raise FrameError("its first bytes are not those of a message")
    message = _exactly(receive, length)
    if zlib.crc32(message) != checksum:
        raise FrameError("its checksum is wrong")
    return message


def _exactly(receive: Callable[[int], bytes], size: int) -> bytes:
    parts = []
    while size:
        part = receive(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
