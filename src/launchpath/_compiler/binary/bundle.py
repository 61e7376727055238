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
_SPIRV = ("spirv64", "spir64")  # architectures of triples; launchpath takes no SPIR-V with 32-bit addresses
_MAGIC_SPIRV = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")  # in either byte order
_MOST = 1 << 16  # of targets, and of bytes of a target's name


def read(data: bytes, name: str, architecture: str) -> Contents:
    """Read the binary of a bundle that a device takes.

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
    binaries = parts(_plain(data, name), name)
    fitting = [target for target in binaries if hsaco.runs_on(target, architecture)]
    if not fitting:
        raise ArgumentValueError(f"{name}: expected code for {architecture}, got {_listed(binaries)}")
    return hsaco.read(binaries[max(fitting, key=len)], name)  # the target that names most features


def spirv(data: bytes, name: str, device: str) -> bytes:
    """Return the SPIR-V of a bundle, for an OpenCL device.

    Parameters
    ----------
    data : bytes
    name, device : str
        What messages call the bundle and the device.

    Raises
    ------
    ArgumentValueError
        It is damaged, or has none; the message has what there is.
    """
    binaries = parts(_plain(data, name), name)
    fitting = [target for target in binaries if target in _SPIRV]
    if not fitting:
        raise ArgumentValueError(f"{name}: expected SPIR-V for {device!r}, an OpenCL device, got {_listed(binaries)}")
    content = binaries[fitting[0]]
    if content[:4] not in _MAGIC_SPIRV:
        head = " ".join(f"{byte:02x}" for byte in content[:4])
        raise ArgumentValueError(f"{name}: expected SPIR-V for {fitting[0]}, got data that begins with {head}")
    return content


def targets(data: bytes, name: str) -> str:
    """List the targets of the code, for a message."""
    return _listed(parts(_plain(data, name), name))


def _listed(binaries: dict[str, bytes]) -> str:
    return f"code for {', '.join(binaries)} only" if binaries else "no code for a device"


def unpacked(data: bytes, name: str) -> dict[str, bytes]:
    """List the binaries as `parts` does, of a compressed bundle too."""
    return parts(_plain(data, name), name)


def parts(data: bytes, name: str) -> dict[str, bytes]:
    """List the binaries for devices by target ID; those for any device by the architecture of their triple."""
    place = len(MAGIC) + 8
    count = int.from_bytes(data[len(MAGIC) : place], "little")
    if len(data) < place or count > _MOST:
        raise ArgumentValueError(f"{name} is a truncated or damaged bundle")
    binaries: dict[str, bytes] = {}
    left = len(data)
    for _ in range(count):
        if place + _ENTRY.size > len(data):
            raise ArgumentValueError(f"{name} is a truncated bundle: not all of its {count} targets are named")
        offset, size, length = _ENTRY.unpack_from(data, place)
        place += _ENTRY.size
        target = data[place : place + length].decode(errors="replace")
        place += length
        if length > _MOST or place > len(data) or offset + size > len(data):
            raise ArgumentValueError(f"{name} is a truncated or damaged bundle: {target!r} lies beyond its end")
        left -= size
        if left < 0:  # a crafted bundle may have thousands that all are the whole file
            raise ArgumentValueError(f"{name} is a damaged bundle: its binaries overlap")
        kind, _, rest = target.partition("-")
        if kind != "host" and size:
            short = _short(rest)
            binaries[target if short in binaries else short] = data[offset : offset + size]
    return binaries


def _short(triple: str) -> str:
    architecture, vendor = (*triple.split("-"), "")[:2]
    if architecture in _SPIRV and vendor != "amd":  # AMD's SPIR-V is for its own compiler
        return architecture
    return triple.partition("--")[2] or triple


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
    plain = compressed.inflate(content, size, name) if method == _ZLIB else compressed.zstd(content, size, name)
    if len(plain) != size or not plain.startswith(MAGIC):
        raise ArgumentValueError(f"{name} is damaged: it does not decompress to a bundle of {size} bytes")
    return plain
