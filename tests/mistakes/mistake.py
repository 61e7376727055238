"""A mistake, and what is to be told of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

FILE = "mistake.py"
LINE = f'{FILE}", line 1'  # a traceback's last entry is the program's line
FUNCTION = "function"  # it is the public function that the line calls


@dataclass(frozen=True)
class Mistake:
    """A line or a program, and pieces of the message: what was wrong, where, and what to do.

    The program has `lp`, `np`, `hip`, `SOURCE`, and what `world.py` makes of them.
    """

    program: str
    wrong: str
    where: str
    advice: str
    ends: str = LINE
    known: str = ""  # why it is not told well

    @property
    def pieces(self) -> tuple[str, str, str]:
        return self.wrong, self.where, self.advice


@dataclass(frozen=True)
class Process(Mistake):
    """A program that needs a process of its own: for its environment, its end, or an interrupt."""

    environment: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False  # as soon as it has printed a line


@dataclass(frozen=True)
class Command(Mistake):
    """Words of the command line, in `program`."""


SUGGESTION = re.compile("did you mean", re.IGNORECASE)


def missing(mistake: Mistake, text: str) -> list[str]:
    """What a text lacks of the message, or has too much."""
    faults = [f"lacks {piece!r}" for piece in mistake.pieces if piece not in text]
    if len(SUGGESTION.findall(text)) > 1:
        faults.append("suggests twice")
    return faults
