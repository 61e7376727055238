"""What is left of a class that turns out to be the host's: its names of types and its constants, in its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...source.active import Active
from .. import clang
from .extent import Extents

Cut = tuple[int, int, bytes]
_TYPES = frozenset({clang.TYPEDEF, clang.ALIAS, clang.ALIAS_TEMPLATE, clang.ENUM})
_ACCESS = (b"public", b"protected", b"private")


def outline(cursor: Any, active: Active, extents: Extents, head: int, last: int) -> list[Cut]:
    """Give the cuts that leave a class with its types and constants; none if it has no types, or its size is not known.

    Parameters
    ----------
    cursor : Cursor
    active : Active
        Its file.
    extents : Extents
    head : int
        Where the text ends that would declare it.
    last : int
        The index of its last token.

    Notes
    -----
    Its size stays, for arrays and structs of it. What kernels would read of it is gone: no offset can be wrong.
    """
    size, align = cursor.type.get_size(), cursor.type.get_align()
    opened = active.index(head)
    while opened < last and not active.is_at(opened, b"{"):
        opened += 1
    parts = list(_kept(cursor, active, extents))
    if size <= 0 or not parts:
        return []
    parts += [
        (token.start, active.tokens[index + 1].end)
        for index, token in enumerate(active.tokens[opened + 1 : last - 1], opened + 1)
        if token.text in _ACCESS and active.is_at(index + 1, b":")
        and not any(start <= token.start < end for start, end in parts)
    ]  # fmt: skip
    cuts: list[Cut] = [(head, active.tokens[opened].start, b"")]
    opaque = f"alignas({align})char __lp[{size}];".encode()
    offset = active.tokens[opened].end
    for start, end in [*sorted(parts), (active.tokens[last - 1].start, 0)]:
        if opaque and (place := _place(active, offset, start, len(opaque))):
            cuts.append((offset, place, b""))
            offset = place
            cuts.append((offset, start, opaque))
            opaque = b""
        else:
            cuts.append((offset, max(offset, start), b""))
        offset = end
    return [] if opaque else cuts


def _place(active: Active, start: int, end: int, size: int) -> int:
    """Find a place for text that ends neither a line nor a directive; 0 if there is none."""
    offset = start
    for line in active.text[start:end].split(b"\n"):
        has_directive = any(
            offset < directive.end and directive.start < offset + size for directive in active.directives
        )
        if len(line) >= size and not has_directive:
            return offset
        offset += len(line) + 1
    return 0


def _kept(cursor: Any, active: Active, extents: Extents) -> Iterator[tuple[int, int]]:
    """Yield where the types and constants of a class stand."""
    file = clang.place(cursor.extent.start).path
    for child in cursor.get_children():
        begin, end = clang.place(child.extent.start), clang.place(child.extent.end)
        if begin.path != file or end.path != file:  # of a file that is included within the class
            continue
        first = active.index(begin.offset)
        last = extents.last(max(first, active.index(end.offset) - 1))
        words = {token.text for token in active.tokens[first : last + 1]}
        if child._kind_id in _TYPES or (child._kind_id == clang.VARIABLE and b"constexpr" in words):
            yield active.tokens[first].start, active.tokens[last].end
