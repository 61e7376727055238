"""Compressed parts of fat binaries and bundles."""

from __future__ import annotations

import zlib
from typing import Any

from ...errors import ArgumentValueError

_MOST = 1 << 32  # bytes uncompressed: a damaged header may have more


def inflate(data: bytes, name: str) -> bytes:
    """Undo zlib's compression."""
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise ArgumentValueError(f"{name} is damaged: {error}") from error


def zstd(data: bytes, size: int, name: str) -> bytes:
    """Undo Zstandard's compression, with the module that this Python has.

    Raises
    ------
    ArgumentValueError
        It is damaged, or this Python has nothing for it.
    """
    decompressor = _zstd()
    if decompressor is None:
        raise ArgumentValueError(
            f"{name} is compressed by Zstandard. Python before 3.14 needs a package for that: pip install "
            "backports.zstd (or compile without compression: nvcc --no-compress, clang --no-offload-compress)"
        )
    try:
        return bytes(decompressor(data, size))
    except Exception as error:  # of either module's own class
        raise ArgumentValueError(f"{name} is damaged: {error}") from error


def _zstd() -> Any:
    """Python's own module, since 3.14; before that its package of the same interface, or the older package."""
    try:
        from compression import zstd as module  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
    except ImportError:
        try:
            from backports import zstd as module  # type: ignore[import-not-found, no-redef, unused-ignore] # noqa: PLC0415
        except ImportError:
            return _zstandard()
    return lambda data, _size: module.decompress(data)


def _zstandard() -> Any:
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
    except ImportError:
        return None
    return lambda data, size: zstandard.ZstdDecompressor().decompress(data, max_output_size=size)


def lz4(data: bytes, size: int, name: str) -> bytes:
    """Undo LZ4's compression of one block: literals, and copies of what was there before."""
    if size > _MOST:
        raise ArgumentValueError(f"{name} is damaged: its header gives {size} bytes as its uncompressed size")
    out = bytearray()
    at = 0
    try:
        while at < len(data) and len(out) < size:
            token = data[at]
            at += 1
            length, at = _length(data, at, token >> 4)
            out += data[at : at + length]
            at += length
            if at >= len(data) or len(out) >= size:
                break
            back = data[at] | data[at + 1] << 8
            at += 2
            length, at = _length(data, at, token & 15)
            start = len(out) - back
            if back == 0 or start < 0:
                raise IndexError
            for i in range(length + 4):  # byte by byte: the copy may read bytes that it has just written
                out.append(out[start + i])
    except IndexError:
        raise ArgumentValueError(f"{name} is damaged: its compressed part cannot be read") from None
    if len(out) != size:
        raise ArgumentValueError(f"{name} is damaged: expected {size} bytes from its compressed part, got {len(out)}")
    return bytes(out)


def _length(data: bytes, at: int, length: int) -> tuple[int, int]:
    if length == 15:
        while True:
            more = data[at]
            at += 1
            length += more
            if more != 255:
                break
    return length, at
