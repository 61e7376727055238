"""CUDA's fat binaries: cubins and PTX for several architectures in one file."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ...errors import ArgumentValueError
from . import compressed, cubin, ptx
from .kernels import Contents

MAGIC = b"\x50\xed\x55\xba"
_HEADER = struct.Struct("<IHHQ")  # magic, version, bytes of the header, bytes after it
# Kind, version, bytes of the header, bytes of the part, of its compressed form, of options, minor and major version,
# architecture, place and length of a name, flags, nothing, bytes uncompressed.
_PART = struct.Struct("<HHIQIIHHIIIQQQ")
_PTX, _ELF = 1, 2
_LZ4, _ZSTD = 0x2000, 0x8000  # flags


class Part(NamedTuple):
    """A binary: ``cubin`` or ``ptx``, the number of its architecture, and its bytes."""

    kind: str
    compute: int
    data: bytes
    flags: int
    size: int


def read(data: bytes, name: str, architecture: str) -> Contents:
    """Read the binary of a fat binary that a device takes: the cubin that is nearest to it, else PTX.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call it.
    architecture : str
        The device's.

    Raises
    ------
    ArgumentValueError
        It is damaged, or has nothing for the device; the message has what there is.
    """
    binaries = parts(data, name)
    chosen = _chosen(binaries, architecture)
    if chosen is None:
        listed = ", ".join(f"{'sm' if part.kind == 'cubin' else 'compute'}_{part.compute}" for part in binaries)
        contents = f"code for {listed} only" if listed else "no code for a GPU"
        raise ArgumentValueError(f"{name}: expected code for {architecture}, got {contents}")
    return _read(chosen, name)


def contents(data: bytes, name: str) -> list[Contents]:
    """Read all binaries of a fat binary."""
    return [_read(part, name) for part in parts(data, name)]


def parts(data: bytes, name: str) -> list[Part]:
    """List the binaries of a fat binary."""
    binaries = []
    place = 0
    while place + _HEADER.size <= len(data) and data[place : place + 4] == MAGIC:  # several may follow each other
        _, _, header, size = _HEADER.unpack_from(data, place)
        place += header
        end = place + size
        if end > len(data) or header < _HEADER.size:
            raise ArgumentValueError(f"{name} is a truncated or damaged fat binary")
        while place + _PART.size <= end:
            kind, _, header, padded, packed, _, _, _, compute, _, _, flags, _, whole = _PART.unpack_from(data, place)
            if header < _PART.size or place + header + padded > end:
                raise ArgumentValueError(f"{name} is a damaged fat binary: one of its parts is longer than the file")
            start = place + header
            content = data[start : start + (packed if flags & (_LZ4 | _ZSTD) and packed else padded)]
            if kind in (_PTX, _ELF):
                binaries.append(Part("ptx" if kind == _PTX else "cubin", compute, content, flags, whole))
            place = start + padded
        place = end
    if not binaries and place < _HEADER.size:
        raise ArgumentValueError(f"{name} is a truncated fat binary")
    return binaries


def _chosen(binaries: list[Part], architecture: str) -> Part | None:
    device = int("".join(filter(str.isdigit, architecture)) or 0)
    cubins = [part for part in binaries if part.kind == "cubin" and cubin.runs_on(f"sm_{part.compute}", architecture)]
    texts = [part for part in binaries if part.kind == "ptx" and part.compute <= device]
    for among in (cubins, texts):
        if among:
            return max(among, key=lambda part: part.compute)
    return None


def _read(part: Part, name: str) -> Contents:
    code = _whole(part, name)
    return cubin.read(code, name) if part.kind == "cubin" else ptx.read(code.rstrip(b"\0"), name)


def _whole(part: Part, name: str) -> bytes:
    if part.flags & _ZSTD:
        return compressed.zstd(part.data, part.size, name)
    if part.flags & _LZ4:
        return compressed.lz4(part.data, part.size, name)
    return part.data
