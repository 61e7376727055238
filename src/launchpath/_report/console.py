"""The output of tables: the same on a terminal and in a file, where no line is cut off."""

from __future__ import annotations

from collections.abc import Collection
from typing import IO

from rich.box import Box
from rich.console import Console
from rich.table import Table

# ASCII only, dividers between columns and one line below the head: fit for logs, and for cut and awk.
PLAIN = Box("\n".join(["    ", "  | ", " -+ ", "  | ", " -+ ", " -+ ", "  | ", "    "]) + "\n", ascii=True)
WIDE = 100_000  # columns: a file has no width


def console(file: IO[str] | None = None, stderr: bool = False) -> Console:
    """Make a console for tables.

    Parameters
    ----------
    file : file, optional
        Where to print; standard output if left out.
    stderr : bool
        Standard error instead.
    """
    output = Console(file=file, stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)
    if not output.is_terminal:
        output.width = WIDE
    return output


def table(*columns: str, right: Collection[str] = ()) -> Table:
    """Make an empty table.

    Parameters
    ----------
    *columns : str
        Their heads.
    right : collection of str
        Heads of the columns to align on the right.
    """
    drawn = Table(box=PLAIN, show_edge=False, pad_edge=False)
    for column in columns:
        drawn.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return drawn


def printable(text: str) -> str:
    """Write characters as escapes that would move the cursor or change the terminal."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def show(where: Console, drawn: Table) -> None:
    """Print a table: cells that are too wide for the terminal are wrapped between words, and nothing is cut off."""
    least = 3 * (len(drawn.columns) - 1)
    for column in drawn.columns:
        words = " ".join([str(column.header), *map(str, column.cells)]).split()
        column.min_width = max(map(len, words), default=0)
        least += column.min_width
    if where.width < least:  # noqa: PLR1730 (setting it fixes it)
        where.width = least  # the terminal breaks the lines
    where.print(drawn, crop=False)
