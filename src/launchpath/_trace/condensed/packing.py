"""Files of condensed traces, ``.lpsum``: a line that says what it is, a sum that tells damage, and MessagePack.

MessagePack has the few types that are needed, is read in any language and needs no scheme; Arrow's files take kilobytes
for each table, whatever it has. Buckets are bytes: their places as numbers of 16 bits, and their counts of 16 or of 64,
little-endian. Integers of more than 64 bits are an extension of type 1: little-endian, with a sign. The sum is the
CRC-32 of what is behind it, 4 bytes, little-endian.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import zlib
from dataclasses import asdict, fields
from types import NoneType
from typing import Any

import msgpack
import numpy

from launchpath._trace.condensed.buckets import Buckets
from launchpath._trace.condensed.columns import Columns, Row
from launchpath._trace.condensed.condensed import TABLES, Condensed
from launchpath._trace.condensed.tracing_cost import TracingCost
from launchpath._trace.condensed.turns import Turns
from launchpath._trace.files.blocks import CONDENSED
from launchpath._trace.kernels import KernelName
from launchpath.errors import TraceFileError

MAGIC = CONDENSED + b" 2\n"  # and the version
_PLAIN: dict[str, tuple[type, ...]] = {
    "processes": (list,), "threads": (list,), "n_threads": (int,), "begin": (int, NoneType), "end": (int, NoneType),
    "counts": (dict,), "counters": (dict,), "not_traced": (dict,), "open_calls": (list,), "correction": (int,),
    "marks": (int,), "slots": (int,),
}  # fmt: skip
_ROW = ("calls", "failed", "total", "squares", "nested", "amount", "shortest", "longest", "at", "where")
_MOST = 1 << 30  # bytes of a file, unpacked
_INTEGER = 1  # the extension
_SUM = 4  # bytes
_NO_UNICODE = "surrogatepass"  # names of files may be any bytes
_PLACES = 1 << 13  # buckets that there are


def pack(condensed: Condensed) -> bytes:
    """Give the bytes of a condensed trace; equal ones have equal bytes."""
    condensed.ordered()
    values: dict[str, Any] = {name: getattr(condensed, name) for name in _PLAIN}
    for name in ("counts", "counters", "not_traced"):
        values[name] = dict(sorted(values[name].items()))
    values["tables"] = {
        name: [[key, *(getattr(row, each) for each in _ROW), *_buckets(row.buckets)] for key, row in its.in_order()]
        for name, its in condensed.tables.items()
        if its
    }
    values["kernel_names"] = [list(known) for _, known in sorted(condensed.kernel_names.items())]
    values["tracing"] = [[driver, _cost(cost)] for driver, cost in sorted(condensed.tracing.items())]
    values["turns"] = [each.pack() for each in condensed.turns]
    packed = bytes(msgpack.packb(values, default=_wide, unicode_errors=_NO_UNICODE))
    return MAGIC + zlib.crc32(packed).to_bytes(_SUM, "little") + packed


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
    packed = memoryview(data)[len(MAGIC) + _SUM :]
    try:
        if zlib.crc32(packed).to_bytes(_SUM, "little") != data[len(MAGIC) : len(MAGIC) + _SUM]:
            raise ValueError("its sum is another one")
        return _unpacked(msgpack.unpackb(packed, strict_map_key=False, ext_hook=_read_wide, unicode_errors=_NO_UNICODE))
    except Exception as error:  # MessagePack's own errors, and whatever wrong types lead to
        reason = f"{type(error).__name__}: {error}"
        raise TraceFileError(f"{path}: expected a condensed trace, got a damaged file: {reason}") from None


def _unpacked(values: dict[str, Any]) -> Condensed:
    result = Condensed(**{name: _checked(values[name], *types) for name, types in _PLAIN.items()})
    for name, rows in values["tables"].items():
        table = result.tables[name] if name in TABLES else Columns()  # a newer version's
        for key, *numbers, where, places, counts in rows:
            if len(numbers) != len(_ROW) - 1:
                raise ValueError(f"a row: expected {len(_ROW)} values, got {len(numbers) + 1}")
            # In the order of `_ROW`, which is the order of a row's fields: by names it takes three times as long.
            values_of = [
                *(_checked(number, int) for number in numbers),
                _checked(where, str),
                _read_buckets(places, counts),
            ]
            table[_checked(key, str)] = Row(*values_of)
    known = (KernelName(*names) for names in values["kernel_names"])
    result.kernel_names = {each.full: each for each in known}
    names = {each.name for each in fields(TracingCost)}
    for driver, cost in values["tracing"]:
        result.tracing[driver] = TracingCost(**{name: value for name, value in cost.items() if name in names})
    result.turns = [Turns.unpack(each) for each in values["turns"]]
    return result


def _cost(cost: TracingCost) -> dict[str, Any]:
    return {**asdict(cost), "not_measured": dict(sorted(cost.not_measured.items()))}


def _checked(value: Any, *types: type) -> Any:
    if type(value) not in types:
        raise TypeError(f"expected {' or '.join(each.__name__ for each in types)}, got {value!r}")
    return value


def _wide(value: Any) -> msgpack.ExtType:
    """Give an integer that MessagePack has no type for."""
    size = _checked(value, int).bit_length() // 8 + 1
    return msgpack.ExtType(_INTEGER, value.to_bytes(size, "little", signed=True))


def _read_wide(kind: int, data: bytes) -> int:
    if kind != _INTEGER:
        raise ValueError(f"expected an integer, got an extension of type {kind}")
    return int.from_bytes(data, "little", signed=True)


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
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would be waited for
            return False
        with open(path, "rb") as file:
            return file.read(len(CONDENSED)) == CONDENSED
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
