"""The pieces of a unit that kernels and device globals reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...source.active import Active
from .piece import ALWAYS, NEVER, Piece, Pieces

if TYPE_CHECKING:
    from ..unit import ParsedUnit


def reached(unit: ParsedUnit) -> set[int]:
    """Find the pieces that kernels and device globals reach, by the names that stand in them."""
    macros, pasted = unit.macros(), unit.pasted()
    by_name: dict[str, list[tuple[Pieces, Piece]]] = {}
    work: list[tuple[Pieces, Piece]] = []
    for path, file in unit.files.items():
        for piece in file.pieces:
            if (path, piece.start) in unit.dropped or piece.keep == NEVER:
                continue
            if piece.keep == ALWAYS:
                work.append((file, piece))
            for name in piece.names:
                by_name.setdefault(name, []).append((file, piece))
    ids: set[int] = set()
    seen: set[str] = set()
    names = {*unit.roots, *re.findall(r"[A-Za-z_]\w*", "".join(unit.classes().values()))}
    while work or names:
        while names:
            name = names.pop()
            if name not in seen:
                seen.add(name)
                names |= macros.get(name, frozenset())
                if name in pasted:
                    names |= {*filter(pasted[name].fullmatch, by_name)}
                work += by_name.get(name, ())
        if work:
            file, piece = work.pop()
            if id(piece) not in ids:
                ids.add(id(piece))
                names = _names(file.active, piece)
                work += [(unit.files[path], inner) for path in piece.includes for inner in unit.files[path].pieces]
    return ids


def _names(active: Active, piece: Piece) -> set[str]:
    """The names in a piece, less those in the text that is cut out of it."""
    names: set[str] = set()
    offset = piece.start
    for start, end, _ in sorted(piece.cuts):
        names |= active.names(offset, start)
        offset = max(offset, end)
    return names | active.names(offset, piece.end)
