"""Host code that kernels do need: functions that only stand in types, as in ``decltype(get(x))``, and their like.

The text for a device is without host functions, and without the methods of classes that are the host's. Clang can
compile both beside kernels, without making code of them. So where that text lacks a name that host code declares, the
host code is kept, and Clang judges whether kernels may use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .log import Message
from .piece import NEVER, Piece
from .unit import Unit

# Launches are calls then: the kernel is a function of the host's as well.
LAUNCH = re.compile(rb"<<<[^;]*?>>>")
_QUOTED = re.compile(r"'([^']+)'")
_NAME = re.compile(r"\w+")
_BESIDES = "substitution failure"  # in a note that says why a candidate was none


class State:
    """What a unit has of its pieces, to go back to it."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._dropped = {*unit.dropped}
        self._pieces: list[tuple[Piece, list[Any], int, list[Any]]] = [
            (piece, piece.cuts, piece.head, piece.outline) for file in unit.files.values() for piece in file.pieces
        ]

    def restore(self) -> None:
        self._unit.dropped = {*self._dropped}
        for piece, cuts, head, outline in self._pieces:
            piece.cuts, piece.head, piece.outline = cuts, head, outline


def revive(unit: Unit, messages: Iterable[Message]) -> bool:
    """Keep the host code whose names errors have; False if there is no more of it."""
    missed: set[str] = set()
    for message in messages:
        if message.level.endswith("error") or _BESIDES in message.text:
            missed.update(name for quoted in _QUOTED.findall(message.text) for name in _NAME.findall(quoted))
    more = False
    for file in unit.files.values():
        for piece in file.pieces:
            if missed.isdisjoint(piece.names):
                continue
            if piece.keep == NEVER:
                more = more or not piece.names <= unit.revived
                unit.revived |= piece.names
            elif piece.cuts:
                piece.cuts, more = [], True
    return more
