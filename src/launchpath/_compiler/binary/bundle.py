"""Clang's offload bundles: binaries for several targets in one file, plain or compressed."""

from __future__ import annotations

import struct

from ...errors import ArgumentValueError
from . import compressed, hsaco
from .kernels import Contents

MAGIC, COMPRESSED = b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"
_ENTRY = struct.Struct("<QQQ")  # offset, bytes, bytes of the target's name
_HEAD = struct.Struct("<4sHH")  # magic, version, method
_SIZES = {
    1: struct.Struct("<IQ"),
    2: struct.Struct("<IIQ"),
    3: struct.Struct("<QQQ"),
}  # [of the file,] uncompressed, hash
_ZLIB, _ZSTD = 0, 1
_MOST = 1 << 16  # of targets, and of bytes of a target's name


def read(data: bytes, name: str, architecture: str) -> Contents:
    """Read what of a bundle a device takes.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call it.
    architecture : str
        The device's target ID.

    Raises
    ------
    ArgumentValueError
        It is damaged, or has nothing for the device; the message has what there is.
    """
    found = parts(_plain(data, name), name)
    fitting = [target for target in found if hsaco.runs_on(target, architecture)]
    if not fitting:
        there = f"code for {', '.join(found)} only" if found else "no code for a GPU"
        raise ArgumentValueError(f"{name}: expected code for {architecture}, got {there}")
    return hsaco.read(found[max(fitting, key=len)], name)  # the one that says most of its features


def parts(data: bytes, name: str) -> dict[str, bytes]:
    """List the binaries for GPUs by target ID."""
    at = len(MAGIC) + 8
    count = int.from_bytes(data[len(MAGIC) : at], "little")
    if len(data) < at or count > _MOST:
        raise ArgumentValueError(f"{name} is a truncated or damaged bundle")
    found = {}
    for _ in range(count):
        if at + _ENTRY.size > len(data):
            raise ArgumentValueError(f"{name} is a truncated bundle: not all of its {count} targets are named")
        offset, size, length = _ENTRY.unpack_from(data, at)
        at += _ENTRY.size
        target = data[at : at + length].decode(errors="replace")
        at += length
        if length > _MOST or at > len(data) or offset + size > len(data):
            raise ArgumentValueError(f"{name} is a truncated or damaged bundle: {target!r} lies beyond its end")
        kind, _, rest = target.partition("-")
        if kind != "host" and size:
            found[rest.partition("--")[2] or rest] = data[offset : offset + size]
    return found


def _plain(data: bytes, name: str) -> bytes:
    if not data.startswith(COMPRESSED):
        return data
    if len(data) < _HEAD.size:
        raise ArgumentValueError(f"{name} is a truncated compressed bundle")
    _, version, method = _HEAD.unpack_from(data)
    sizes = _SIZES.get(version)
    if sizes is None or len(data) < _HEAD.size + sizes.size:
        raise ArgumentValueError(f"{name} is a compressed bundle of the unknown version {version}, or truncated")
    *_, size, _ = sizes.unpack_from(data, _HEAD.size)
    content = data[_HEAD.size + sizes.size :]
    if method not in (_ZLIB, _ZSTD):
        raise ArgumentValueError(f"{name} is a compressed bundle of the unknown method {method}")
    plain = compressed.inflate(content, name) if method == _ZLIB else compressed.zstd(content, size, name)
    if len(plain) != size or not plain.startswith(MAGIC):
        raise ArgumentValueError(f"{name} is damaged: it does not decompress to a bundle of {size} bytes")
    return plain
