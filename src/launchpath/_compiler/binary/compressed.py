"""Compressed parts of fat binaries and bundles."""

from __future__ import annotations

import zlib
from typing import Any

from ...errors import ArgumentValueError

# A part may be so many times as large as it is compressed, and always so many bytes. Binaries for a dozen devices are
# nearly the same: together they are 30 times as large.
_TIMES, _ALWAYS = 100, 16 << 20


def inflate(data: bytes, size: int, name: str) -> bytes:
    """Undo zlib's compression; gives one byte more than `size` at most."""
    _check_size(data, size, name)
    try:
        return zlib.decompressobj().decompress(data, size + 1)
    except zlib.error as error:
        raise ArgumentValueError(f"{name} is damaged: {error}") from error


def zstd(data: bytes, size: int, name: str) -> bytes:
    """Undo Zstandard's compression, with the module that this Python has; gives one byte more than `size` at most.

    Raises
    ------
    ArgumentValueError
        It is damaged, or this Python has nothing for it.
    """
    _check_size(data, size, name)
    decompressor = _zstd()
    if decompressor is None:
        raise ArgumentValueError(
            f"{name} is compressed by Zstandard. Python before 3.14 needs a package for that: pip install "
            "backports.zstd (or compile without compression: nvcc --no-compress, clang --no-offload-compress)"
        )
    try:
        return bytes(decompressor(data, size + 1))
    except Exception as error:  # of either module's own class
        raise ArgumentValueError(f"{name} is damaged: {error}") from error


def _check_size(data: bytes, size: int, name: str) -> None:
    if size > max(_TIMES * len(data), _ALWAYS):
        raise ArgumentValueError(f"{name} is damaged: its header gives {size} bytes as its uncompressed size")


def _zstd() -> Any:
    """Python's own module, since 3.14; before that its package of the same interface, or the older package."""
    try:
        from compression import zstd as module  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
    except ImportError:
        try:
            from backports import zstd as module  # type: ignore[import-not-found, no-redef, unused-ignore] # noqa: PLC0415
        except ImportError:
            return _zstandard()
    return lambda data, most: module.ZstdDecompressor().decompress(data, most)


def _zstandard() -> Any:
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
    except ImportError:
        return None
    return lambda data, most: zstandard.ZstdDecompressor().stream_reader(data).read(most)


def lz4(data: bytes, size: int, name: str) -> bytes:
    """Undo LZ4's compression of one block: literals, and copies of what was there before."""
    _check_size(data, size, name)
    out = bytearray()
    place = 0
    try:
        while place < len(data) and len(out) < size:
            token = data[place]
            place += 1
            length, place = _length(data, place, token >> 4)
            out += data[place : place + length]
            place += length
            if place >= len(data) or len(out) >= size:
                break
            back = data[place] | data[place + 1] << 8
            place += 2
            length, place = _length(data, place, token & 15)
            start = len(out) - back
            if back == 0 or start < 0 or len(out) + length + 4 > size:
                raise IndexError
            copied = bytes(out[start : start + length + 4])
            repeats = -(-(length + 4) // len(copied))  # the copy may go beyond what was there before
            out += (copied * repeats)[: length + 4]
    except IndexError:
        raise ArgumentValueError(f"{name} is damaged: its compressed part cannot be read") from None
    if len(out) != size:
        raise ArgumentValueError(f"{name} is damaged: expected {size} bytes from its compressed part, got {len(out)}")
    return bytes(out)


def _length(data: bytes, place: int, length: int) -> tuple[int, int]:
    if length == 15:
        while True:
            more = data[place]
            place += 1
            length += more
            if more != 255:
                break
    return length, place
