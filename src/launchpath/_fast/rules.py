"""Rules: rows that the core checks arguments and packs them by."""

from __future__ import annotations

from typing import Any

from launchpath import _core

# (kind, flags, bytes, offset, torch's number of an element type, least, most, value)
Row = tuple[int, int, int, int, int, int, int, Any]

KINDS = _core.FAST_KINDS
MULTIPLE, NO_MULTIPLE, NOT_ONE, PACKED, WIDE = (
    _core.FAST_FLAGS[name] for name in ("multiple", "no multiple", "not one", "packed", "wide")
)


def constant(value: Any) -> Row:
    """Take an argument of the same type and value; nothing is packed."""
    return (KINDS["constant"], 0, 0, 0, 0, 0, 0, value)


def anything() -> Row:
    """Take any argument; nothing is packed."""
    return (KINDS["any"], 0, 0, 0, 0, 0, 0, None)


def integer(least: int, most: int, flags: int = 0, place: tuple[int, int] | None = None) -> Row:
    """Take an int in a range; ``place`` is offset and bytes, None: nothing is packed."""
    offset, size = place or (0, 0)
    flags |= PACKED if place else 0
    if least >= 1 << 63:
        return (KINDS["unsigned"], flags, size, offset, 0, 0, 0, None)
    return (KINDS["int"], flags, size, offset, 0, least, most, None)


def boolean(offset: int) -> Row:
    """Take a bool, packed as a byte."""
    return (KINDS["bool"], PACKED, 1, offset, 0, 0, 0, None)


def real(offset: int, size: int, brain: bool = False) -> Row:
    """Take a float; ``brain``: packed as a bfloat16."""
    return (KINDS["bfloat"] if brain else KINDS["float"], PACKED, size, offset, 0, 0, 0, None)


def tensor(offset: int, dtype: int, flags: int = 0) -> Row:
    """Take a tensor of an element type."""
    return (KINDS["tensor"], PACKED | flags, 8, offset, dtype, 0, 0, None)


def fixed(offset: int, size: int, type_: Any) -> Row:
    """Take an object that Python reads once for each state of it, of a type."""
    return (KINDS["fixed"], PACKED, size, offset, 0, 0, 0, type_)


def scalar(offset: int, size: int, type_: type) -> Row:
    """Take a NumPy scalar of a class."""
    return (KINDS["scalar"], PACKED, size, offset, 0, 0, 0, type_)


def cupy_array(offset: int) -> Row:
    """Take an array of CuPy; its address is packed."""
    return (KINDS["cupy"], PACKED, 8, offset, 0, 0, 0, None)
