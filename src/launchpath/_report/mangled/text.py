"""Mangled names as C++ writes them."""

from __future__ import annotations

import re
from functools import lru_cache

from launchpath._report.mangled.expressions import Expressions
from launchpath._report.mangled.nodes import Node, NotReadableError, Writer

_READ_MOST = 1 << 16  # characters
_CACHED = 4096
_COPIES = re.compile(r"\.[A-Za-z_]+(?:\.\d+)*|\..+")


@lru_cache(_CACHED)
def demangled(name: str) -> str | None:
    """Give a mangled name as C++ writes it, in the style of GCC's library.

    Returns
    -------
    str or None
        None if it is not mangled, or has what is not known here: then the name itself is to be shown.
    """
    node = parsed(name)
    try:
        return None if node is None else Writer().text(node) + _suffix(name)
    except (NotReadableError, RecursionError):
        return None


def parsed(name: str) -> Node | None:
    """Read a mangled name; None if that cannot be done."""
    if not name.startswith("_Z") or len(name) > _READ_MOST:
        return None
    reader = Expressions(name[2:])
    try:
        node = reader.encoding(outermost=True)
    except (NotReadableError, RecursionError):
        return None
    return node if reader.at == len(reader.rest_of) or reader.next() == "." else None


def _suffix(name: str) -> str:
    """What compilers add for a copy of a function, as GCC's library shows it."""
    return "".join(f" [clone {part}]" for part in _COPIES.findall("".join(name.partition(".")[1:])))
