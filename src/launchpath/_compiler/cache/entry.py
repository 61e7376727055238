"""Entries: the file format of the cache on disk and of saved programs. It has a checksum, and reading runs no code.

All numbers are little-endian::

    magic (12 bytes), format (4), bytes of the index (8), bytes of the whole (8)
    index: JSON, with `meta` and the names and lengths of the blobs
    the blobs, one after the other
    BLAKE2b of everything before it (32 bytes)
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

from launchpath._compiler.cache.fingerprint import BYTES, fingerprint
from launchpath.errors import ArgumentValueError

FORMAT = 1
MAGIC = b"\x93launchpath\n"  # a first byte that no text has, and a line end that transfers as text change

_HEADER = struct.Struct("<12sIQQ")
HEADER_BYTES = _HEADER.size


class Entry(NamedTuple):
    """What is kept of a program."""

    # what can be read without taking the blobs. The cache looks at ``files`` (see `fingerprint.unchanged`), and
    # ``launchpath cache`` shows ``kernels``, ``source`` and ``device`` (with a ``name``)
    meta: Mapping[str, Any]
    blobs: Mapping[str, bytes]  # binaries, by name

    def encode(self) -> bytes:
        """Make the bytes of a file."""
        blobs = [[name, len(blob)] for name, blob in self.blobs.items()]
        # ASCII, so that file names that are no UTF-8 (lone surrogates in Python) survive as escapes.
        index = json.dumps({"meta": self.meta, "blobs": blobs}, separators=(",", ":"), allow_nan=False).encode("ascii")
        total = _HEADER.size + len(index) + sum(map(len, self.blobs.values())) + BYTES
        data = b"".join((_HEADER.pack(MAGIC, FORMAT, len(index), total), index, *self.blobs.values()))
        return data + fingerprint(data)

    @staticmethod
    def decode(data: bytes, name: str = "the data") -> Entry:
        """Read the bytes of a file; `name` is what an error calls it.

        Raises
        ------
        ArgumentValueError
            It is something else, of another format, cut short or damaged; the message says which.
        """
        end, total = _header(data, name)
        if len(data) < total:
            raise ArgumentValueError(f"{name} is truncated: expected {total} bytes, got {len(data)}")
        if len(data) > total:
            raise ArgumentValueError(f"{name} is damaged: {len(data) - total} bytes follow its end")
        body = memoryview(data)[:-BYTES]
        if fingerprint(body) != data[-BYTES:]:
            raise ArgumentValueError(f"{name} is damaged: its checksum does not match its bytes")
        meta, lengths = _index(data, end, name)
        if end + sum(lengths.values()) != len(body):
            raise ArgumentValueError(f"{name} is malformed: its blobs do not fill the file")
        blobs = {}
        for blob, length in lengths.items():
            blobs[blob] = data[end : end + length]
            end += length
        return Entry(meta, blobs)


def is_entry(data: bytes) -> bool:
    """Whether these bytes begin as an entry does, of whatever format, whole or not."""
    return data[: len(MAGIC)] == MAGIC


def index_end(data: bytes, name: str = "the data") -> int:
    """Say how many bytes from the start of a file `meta_of` needs; the first 32 say it.

    Raises
    ------
    ArgumentValueError
        It is no entry that can be read.
    """
    return _header(data, name)[0]


def total_size(header: bytes) -> int:
    """Say how many bytes an entry has, by its first `HEADER_BYTES`.

    Raises
    ------
    ArgumentValueError
        It is no entry that can be read.
    """
    return _header(header, "the data")[1]


def meta_of(data: bytes, name: str = "the data") -> dict[str, Any]:
    """Read the meta from the start of a file. Good for showing it: the checksum is at the end and is not looked at.

    Raises
    ------
    ArgumentValueError
        It is no entry that can be read.
    """
    end, _ = _header(data, name)
    if len(data) < end:
        raise ArgumentValueError(
            f"{name} is truncated: expected an index that ends at byte {end}, got {len(data)} bytes"
        )
    return _index(data, end, name)[0]


def _header(data: bytes, name: str) -> tuple[int, int]:
    """Where the index ends, and the bytes of the whole."""
    if not data:
        raise ArgumentValueError(f"{name} is empty")
    if not is_entry(data) and not MAGIC.startswith(data):
        raise ArgumentValueError(f"{name} is not a program that launchpath saved")
    if len(data) < _HEADER.size:
        raise ArgumentValueError(f"{name} is truncated: {len(data)} bytes are less than its header")
    _, version, index, total = _HEADER.unpack_from(data)
    if version != FORMAT:
        raise ArgumentValueError(
            f"{name}: expected format {FORMAT}, got format {version}: compile it again from its source"
            + (", or use a later launchpath" if version > FORMAT else "")
        )
    if _HEADER.size + index + BYTES > total:
        raise ArgumentValueError(f"{name} is damaged: its header is inconsistent")
    return _HEADER.size + index, total


def _index(data: bytes, end: int, name: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Read the meta, and the blobs' lengths by name."""
    try:
        index = json.loads(data[_HEADER.size : end])
    except (ValueError, RecursionError):  # a right checksum says only that the writer meant it
        raise ArgumentValueError(f"{name} is malformed: its index is not JSON") from None
    meta, blobs = (index.get("meta"), index.get("blobs")) if type(index) is dict else (None, None)
    if type(meta) is not dict or type(blobs) is not list:
        raise ArgumentValueError(f"{name} is malformed: its index lacks meta or blobs")
    lengths: dict[str, int] = {}
    for blob in blobs:
        if type(blob) is not list or [type(part) for part in blob] != [str, int] or blob[1] < 0 or blob[0] in lengths:
            raise ArgumentValueError(f"{name} is malformed: expected the name and length of a blob, got {blob!r}")
        lengths[blob[0]] = blob[1]
    return meta, lengths
