"""Files of condensed traces, ``.lpsum``: a line that says what it is, and MessagePack.

MessagePack has the few types that are needed, is read in any language and needs no scheme; Arrow's files take kilobytes
for each table, whatever it has. Buckets are bytes: their places as numbers of 16 bits, and their counts of 16 or of 64,
little-endian. Integers of more than 64 bits are bytes too, 24 of them.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import asdict, fields
from typing import Any

import msgpack
import numpy

from launchpath._trace.condensed.buckets import Buckets
from launchpath._trace.condensed.columns import Columns, Row
from launchpath._trace.condensed.condensed import TABLES, Condensed
from launchpath._trace.condensed.tracing_cost import TracingCost
from launchpath._trace.condensed.turns import Turns
from launchpath._trace.kernels import KernelName
from launchpath.errors import TraceFileError

MAGIC = b"LPSUM 1\n"  # and the version
_PLAIN = ("processes", "threads", "n_threads", "begin", "end", "counts", "counters", "not_traced", "open_calls",
    "correction", "marks", "slots")  # fmt: skip
_ROW = ("calls", "failed", "total", "squares", "nested", "amount", "shortest", "longest", "at", "where")
_MOST = 1 << 30  # bytes of a file, unpacked
_WIDE = 1 << 63
_NO_UNICODE = "surrogatepass"  # names of files may be any bytes
_PLACES = 1 << 13  # buckets that there are


def pack(condensed: Condensed) -> bytes:
    """Give the bytes of a condensed trace; equal ones have equal bytes."""
    condensed.ordered()
    values: dict[str, Any] = {name: getattr(condensed, name) for name in _PLAIN}
    for name in ("counts", "counters", "not_traced"):
        values[name] = dict(sorted(values[name].items()))
    values["tables"] = {
        name: [
            [key, *map(_number, (getattr(row, each) for each in _ROW)), *_buckets(row.buckets)]
            for key, row in its.in_order()
        ]
        for name, its in condensed.tables.items()
        if its
    }
    values["kernel_names"] = [list(known) for _, known in sorted(condensed.kernel_names.items())]
    values["tracing"] = [[driver, asdict(cost)] for driver, cost in sorted(condensed.tracing.items())]
    values["turns"] = [each.pack() for each in condensed.turns]
    return MAGIC + bytes(msgpack.packb(values, unicode_errors=_NO_UNICODE))


def unpack(data: bytes, path: str) -> Condensed:
    """Read back what `pack` has given.

    Parameters
    ----------
    data : bytes
    path : str
        What to call it in errors.

    Raises
    ------
    TraceFileError
        It is none of this version, or damaged.
    """
    if data[: len(MAGIC)] != MAGIC:
        raise TraceFileError(f"{path}: expected a file that begins with {MAGIC!r}, got {data[: len(MAGIC)]!r}")
    try:
        values = msgpack.unpackb(memoryview(data)[len(MAGIC) :], strict_map_key=False, unicode_errors=_NO_UNICODE)
        return _unpacked(values)
    except Exception as error:  # MessagePack's own errors, and whatever wrong types lead to
        reason = f"{type(error).__name__}: {error}"
        raise TraceFileError(f"{path}: expected a condensed trace, got a damaged file: {reason}") from None


def _unpacked(values: dict[str, Any]) -> Condensed:
    result = Condensed(**{name: values[name] for name in _PLAIN})
    for name, rows in values["tables"].items():
        table = result.tables[name] if name in TABLES else Columns()  # a newer version's
        for key, *numbers, places, counts in rows:
            if len(numbers) != len(_ROW):
                raise ValueError(f"a row: expected {len(_ROW)} values, got {len(numbers)}")
            # In the order of `_ROW`, which is the order of a row's fields: by names it takes three times as long.
            values_of = [*map(_read_number, numbers), _read_buckets(places, counts)]
            table[key] = Row(*values_of)
    known = (KernelName(*names) for names in values["kernel_names"])
    result.kernel_names = {each.full: each for each in known}
    names = {each.name for each in fields(TracingCost)}
    for driver, cost in values["tracing"]:
        result.tracing[driver] = TracingCost(**{name: value for name, value in cost.items() if name in names})
    result.turns = [Turns.unpack(each) for each in values["turns"]]
    return result


def _number(value: int | str) -> int | str | bytes:
    if isinstance(value, int) and not -_WIDE <= value < _WIDE:
        return value.to_bytes(24, "little", signed=True)
    return value


def _read_number(value: Any) -> Any:
    return int.from_bytes(value, "little", signed=True) if isinstance(value, bytes) else value


def _buckets(buckets: Buckets) -> tuple[bytes, bytes]:
    places, counts = buckets.sums()
    width = "<u2" if not len(counts) or counts.max() < 1 << 16 else "<u8"
    return places.astype("<u2").tobytes(), counts.astype(width).tobytes()


def _read_buckets(places: bytes, counts: bytes) -> Buckets:
    numbers = numpy.frombuffer(places, "<u2").astype("i8")
    sums = numpy.frombuffer(counts, "<u2" if len(counts) == len(places) else "<u8").astype("i8")
    if len(numbers) != len(sums) or (len(numbers) and numbers.max() >= _PLACES):
        raise ValueError("buckets: expected as many places as counts")
    return Buckets(numbers, sums)


def is_condensed(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a file, and it begins as a condensed trace does."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):  # ValueError: no file can have this name
        return False


def read(path: str | os.PathLike[str]) -> Condensed:
    """Read a file.

    Raises
    ------
    TraceFileError
        It cannot be read, or is none of this version.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read(_MOST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TraceFileError(f"{name!r}: expected a condensed trace that can be read, got: {reason}") from None
    return unpack(data, name)


def write(condensed: Condensed, path: str | os.PathLike[str]) -> None:
    """Write a file; whoever reads it meanwhile sees the old one, or the new one.

    Raises
    ------
    OSError
        It cannot be written.
    """
    name = os.fspath(path)
    descriptor, part = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(name)), suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(pack(condensed))
        os.chmod(part, 0o666 & ~_umask())
        os.replace(part, name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
