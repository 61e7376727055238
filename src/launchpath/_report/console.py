"""Printing of text and tables: on a terminal a table fits its width, in a file no line is cut off."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from typing import IO

from launchpath._report.table import Table
from launchpath._report.wrapping import fitted


class Console:
    """Where tables and lines are printed."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.width = _terminal_width(file)  # of the terminal, in columns; None: it is no terminal, and has no width

    def print(self, content: str | Table, as_it_is: bool = False) -> None:
        """Print text or a table.

        Parameters
        ----------
        content : str or Table
        as_it_is : bool
            A text of which no line is broken: that of a compiler, whose marks stand below what they are for.
        """
        if isinstance(content, str):
            lines = fitted(content, None if as_it_is else self.width)
        else:
            lines = content.lines(self.width)
        for line in lines:
            self._file.write(_encodable(line, getattr(self._file, "encoding", None)) + "\n")


def console(file: IO[str] | None = None, stderr: bool = False) -> Console:
    """Make a console for tables.

    Parameters
    ----------
    file : file, optional
        Where to print; standard output if left out.
    stderr : bool
        Standard error instead.
    """
    return Console(file or (sys.stderr if stderr else sys.stdout))


def table(*columns: str, right: Collection[str] = (), spare: Sequence[str] = ()) -> Table:
    """Make an empty table; see `Table`."""
    return Table(columns, right, spare)


def printable(text: str) -> str:
    """Write characters as escapes that would move the cursor or change the terminal."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def _terminal_width(file: IO[str]) -> int | None:
    if not file.isatty():
        return None
    try:
        columns = int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(file.fileno()).columns
    except (OSError, ValueError):
        return None
    return columns if columns > 0 else None


def _encodable(text: str, encoding: str | None) -> str:
    """The text with escapes for what the encoding of the output does not have."""
    if text.isascii() or not encoding:
        return text
    try:
        "±".encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("±", "+-")
    return text.encode(encoding, "backslashreplace").decode(encoding)
