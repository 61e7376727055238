"""The device globals that a kernel can access, by the names in its declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..extraction.pieces.piece import NEVER, Piece, Pieces
from ..extraction.unit import ParsedUnit
from ..kernels.instance import Instance


def reached(units: Sequence[ParsedUnit], instances: Iterable[Instance], variables: Iterable[str]) -> list[str]:
    """Say which of the globals `variables` some kernels can reach: possibly too many, but never too few.

    Parameters
    ----------
    units : sequence of ParsedUnit
        The files of a program, of which each may use the functions of all.
    instances : iterable of Instance
    variables : iterable of str
    """
    owners: dict[str, list[tuple[ParsedUnit, Pieces, Piece]]] = {}
    macros: dict[str, set[str]] = {}
    for unit in units:
        for file in unit.files.values():
            for name, within in file.active.macros.items():
                macros.setdefault(name, set()).update(within)
            for piece in file.pieces:
                if piece.keep != NEVER:
                    for name in piece.names:
                        owners.setdefault(name, []).append((unit, file, piece))
        for name, value in unit.source.defines:
            macros.setdefault(name, set()).update(re.findall(r"[A-Za-z_]\w*", value or ""))
    waiting = {word for instance in instances for word in re.findall(r"[A-Za-z_]\w*", instance.name)}
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        names = set(macros.get(name, ()))
        for unit, file, piece in owners.get(name, ()):
            names |= file.active.names(piece.start, piece.end)
            for path in piece.includes:
                names |= unit.files[path].active.names(0, len(unit.files[path].active.text))
        waiting |= names - seen
    return [name for name in variables if name.rpartition("::")[2] in seen]
