"""The blocks of a trace file, in their order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy

from launchpath._trace.files.held import next_part
from launchpath._trace.format import BLOCK, HEADER, MAGIC, PAGE, SLOT, VERSION
from launchpath.errors import TraceFileError

_SEARCHED = 1 << 20  # bytes of a hole that are looked at in one read
_MAGIC = MAGIC.to_bytes(4, "little")
CONDENSED = b"LPSUM"  # how a condensed trace begins, of any version


class Block(NamedTuple):
    """The header of a block: `format.BLOCK` has its fields, `length` is its count. `offset`: in the file, bytes."""

    offset: int
    kind: int
    size: int
    ring: int
    thread: int
    first: int
    length: int
    capacity: int
    name: bytes  # of the thread


def check(descriptor: int, path: str) -> None:
    """Check that a file is a trace of this version.

    Raises
    ------
    TraceFileError
        It is not.
    """
    head = os.pread(descriptor, SLOT, 0)
    if head[: len(CONDENSED)] == CONDENSED:
        raise TraceFileError(
            f"{path}: expected a trace with records, got a condensed trace, which has none: `launchpath report` and "
            "`summary()` read it"
        )
    if head[:4] != _MAGIC:
        start = f"{head[:4].hex(' ')}" if head else "an empty file"
        raise TraceFileError(f"{path}: expected a trace, which begins with {_MAGIC.hex(' ')}, got {start}")
    if len(head) < SLOT:
        raise TraceFileError(f"{path}: expected a header of {SLOT} bytes, got a file of {len(head)} bytes")
    fields = numpy.frombuffer(head, BLOCK)[0]
    if fields["version"] != VERSION:
        raise TraceFileError(
            f"{path}: expected version {VERSION} of the format, got {fields['version']}: "
            "read it with the version of launchpath that wrote it"
        )
    if fields["kind"] != HEADER:
        raise TraceFileError(f"{path}: expected a header as the first block, got a block of kind {fields['kind']}")


def is_trace(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a file, and it begins as a trace does."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):  # ValueError: no file can have this name
        return False


def walk(descriptor: int) -> Iterator[Block]:
    """Give the blocks of a file, as far as it goes now. Holes are skipped.

    A block may reach beyond the end of the file, which was then cut off: its reader has to look.

    Parameters
    ----------
    descriptor : int
        Of a file that `check` accepts.
    """
    offset, length = 0, os.fstat(descriptor).st_size
    while offset + SLOT <= length:
        head = os.pread(descriptor, SLOT, offset)
        if head[:4] != _MAGIC:
            offset = _next(descriptor, offset + PAGE, length)
            continue
        _, kind, version, size, ring, thread, first, count, capacity, name = numpy.frombuffer(head, BLOCK)[0].item()
        if version != VERSION or size < SLOT:  # the header was not complete
            offset = _next(descriptor, offset + PAGE, length)
            continue
        yield Block(offset, kind, size, ring, thread, first, count, capacity, name)
        offset += -(-size // PAGE) * PAGE


def _next(descriptor: int, offset: int, length: int) -> int:
    """The offset of the next page that begins with the magic number, from `offset` on; `length` if there is none."""
    while offset < length:
        part = next_part(descriptor, offset)  # files are made larger than their blocks: the rest is not read
        if part is None:
            return length
        offset = part[0] // PAGE * PAGE
        data = os.pread(descriptor, _SEARCHED, offset)
        words = numpy.frombuffer(data[: len(data) // 4 * 4], "<u4")[:: PAGE // 4]
        places = numpy.flatnonzero(words == MAGIC)
        if len(places):
            return offset + int(places[0]) * PAGE
        offset += _SEARCHED
    return length
