"""Pictures as files of PNG, which every browser shows."""

from __future__ import annotations

import re
import struct
import zlib

from launchpath.errors import LaunchpathError


def png(ppm: bytes) -> bytes:
    """Make a PNG of a PPM: ``P6 width height 255`` and three bytes for each pixel."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
    width, height = (int(head[1]), int(head[2])) if head else (0, 0)
    pixels = ppm[head.end() :] if head else b""
    if not pixels or len(pixels) != 3 * width * height:
        raise LaunchpathError(f"expected a picture of {width} x {height} pixels, got {len(pixels)} bytes of pixels")
    rows = b"".join(b"\0" + pixels[begin : begin + 3 * width] for begin in range(0, len(pixels), 3 * width))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
