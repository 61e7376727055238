"""What ``LAUNCHPATH_MEND`` asks for, as text and as objects."""

from __future__ import annotations

import re
from dataclasses import dataclass

from launchpath._environment import MEND
from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

STEP, SKIP_UPLOAD, NO_WAIT, READ_BACKS = "step", "skip-upload", "no-wait", "read-backs"
_FORMS = "step:NAME, skip-upload:NAME, no-wait:LINE or read-backs, separated by commas"
_LINE = re.compile(r"(?:(?P<file>.+):)?(?P<line>[0-9]+)")
_TIMES = re.compile(r"(?P<rest>.+)\*(?P<times>[1-9][0-9]*)")


@dataclass(frozen=True)
class Place:
    """Where in a program's source a call is: a line, or a function.

    Attributes
    ----------
    file : str
        The end of a path, from the begin of a part of it on; empty: any file.
    line : int
        0: any line.
    function : str
        Its name, or the name with those of the classes and functions around it; empty: any.
    """

    file: str = ""
    line: int = 0
    function: str = ""

    def has(self, path: str, line: int, function: str) -> bool:
        """Whether it is the place of a call; `function` is the qualified name."""
        if self.function:
            return function == self.function or function.rpartition(".")[2] == self.function
        return line == self.line and (not self.file or path == self.file or path.endswith(f"/{self.file}"))


@dataclass(frozen=True)
class Mend:
    """A mend that is to be forced.

    Attributes
    ----------
    kind : str
        `STEP`, `SKIP_UPLOAD`, `NO_WAIT`, or `READ_BACKS`, which mends nothing: hashes of what is read are kept.
    text : str
        As it was asked for.
    range_name : str
        Of a step: the range that is one.
    kernel : str
        Of a step: its launches begin one, and end the one before; empty with `place`: those of any kernel.
    every : int
        Only each so manyth of these launches does.
    place : Place or None
        Where such a launch, an upload or a wait is; None: anywhere.
    """

    kind: str
    text: str
    range_name: str = ""
    kernel: str = ""
    every: int = 1
    place: Place | None = None


def mends(text: str) -> list[Mend]:
    r"""Read what ``LAUNCHPATH_MEND`` asks for.

    Parameters
    ----------
    text : str
        Mends, separated by commas. ``\,`` is a comma in a name.

    Raises
    ------
    ArgumentValueError
        It is anything else, or names a mend twice.
    """
    parts = [part.replace(r"\,", ",").strip() for part in re.split(r"(?<!\\),", text)]
    for i, part in enumerate(parts):
        if part in parts[:i]:
            raise ArgumentValueError(f"{MEND}: expected each mend once, got {shown(part)} twice")
    return [_mend(part) for part in parts]


def _mend(text: str) -> Mend:
    kind, colon, name = text.partition(":")
    if text == READ_BACKS:
        return Mend(READ_BACKS, text)
    if kind not in (STEP, SKIP_UPLOAD, NO_WAIT) or not colon or not name.strip():
        raise ArgumentValueError(f"{MEND}: expected {_FORMS}, got {shown(text)}")
    name = name.strip()
    if kind == STEP:
        return _step(text, name)
    return Mend(kind, text, place=_place(name))


def _step(text: str, name: str) -> Mend:
    """A range; or ``@KERNEL``, ``@KERNEL@FILE:LINE``, ``FILE:LINE``, each perhaps with ``*N``."""
    every = 1
    anchor = name
    if times := _TIMES.fullmatch(name):
        anchor, every = times["rest"], int(times["times"])
    if anchor.startswith("@"):
        kernel, at, place = anchor[1:].rpartition("@")
        if not at:
            kernel, place = place, ""
        if not kernel or (at and not _LINE.fullmatch(place)):
            raise ArgumentValueError(f"{MEND}: expected step:@KERNEL or step:@KERNEL@FILE:LINE, got {shown(text)}")
        return Mend(STEP, text, kernel=kernel, every=every, place=_place(place) if place else None)
    line = _LINE.fullmatch(anchor)
    if line and line["file"] and re.search(r"\.\w+$|^<.*>$", line["file"]):
        return Mend(STEP, text, every=every, place=_place(anchor))
    return Mend(STEP, text, range_name=name)


def _place(name: str) -> Place:
    line = _LINE.fullmatch(name)
    return Place(line["file"] or "", int(line["line"])) if line else Place(function=name)
