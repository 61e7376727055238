"""Host code that kernels do need: functions that only stand in types, as in ``decltype(get(x))``, and their like.

The text for a device is without host functions, and without the methods of classes that are the host's. Clang can
compile both beside kernels, without making code of them: hipcc gives it the whole text. So where that text lacks a name
that host code declares, the whole text is compiled, and Clang judges which of it kernels may use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .active import blank
from .log import Message
from .piece import NEVER
from .unit import Unit

_LAUNCH = re.compile(rb"<<<[^;]*?>>>")
_QUOTED = re.compile(r"'([^']+)'")
_NAME = re.compile(r"\w+")
_BESIDES = "substitution failure"  # in a note that says why a candidate was none
# Of the check that a kernel's parameters are as they were laid out. The classes may be others without host code.
OTHER_LAYOUT = "parameter '{}' of kernel '{}' has another layout on this device"
_OTHER_LAYOUT = OTHER_LAYOUT.rpartition("{}'")[2]


def is_missed(unit: Unit, messages: Iterable[Message]) -> bool:
    """Whether errors have names that host code declares, which is left out, or say that a parameter is another."""
    missed: set[str] = set()
    for message in messages:
        if _OTHER_LAYOUT in message.text:
            return True
        if message.level.endswith("error") or _BESIDES in message.text:
            missed.update(name for quoted in _QUOTED.findall(message.text) for name in _NAME.findall(quoted))
    return any(
        (piece.keep == NEVER or piece.cuts) and not missed.isdisjoint(piece.names)
        for file in unit.files.values()
        for piece in file.pieces
    )


class Kept:
    """A unit's host code, which the unit's text has from now on."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._dropped = unit.dropped
        pieces = [piece for file in unit.files.values() for piece in file.pieces]
        self._pieces = [(piece, piece.cuts, piece.head, piece.outline) for piece in pieces]
        unit.whole, unit.dropped = True, set()
        for piece in pieces:
            piece.cuts = []

    def undo(self) -> None:
        """Leave the host code out again."""
        self._unit.whole, self._unit.dropped = False, self._dropped
        for piece, cuts, head, outline in self._pieces:
            piece.cuts, piece.head, piece.outline = cuts, head, outline


def without_launches(text: bytes) -> bytes:
    """Make calls of launches: beside kernels, a kernel is a function of the host's as well."""
    blanked = bytearray(text)
    for match in _LAUNCH.finditer(text):
        blank(blanked, match.start(), match.end())
    return bytes(blanked)
