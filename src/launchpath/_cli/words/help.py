"""The text of ``--help``, as wide as the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import Any

import click

from launchpath._report.wrapping import fitted

_USUAL = 52  # columns: click writes for so many at least
_LEAST = 20
_FIRST = 8  # columns of what an option's text stands beside; a longer option has a line of its own


class Formatter(click.HelpFormatter):
    """Writes help for narrow terminals too."""

    def __init__(self, width: int | None = None, **others: Any) -> None:
        self._columns = max(shutil.get_terminal_size().columns, _LEAST)
        self._narrow = width is None and self._columns < _USUAL
        super().__init__(width=self._columns - 2 if self._narrow else width, **others)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands with their texts."""
        super().write_dl(rows, _FIRST if self._narrow else col_max, col_spacing)

    def getvalue(self) -> str:
        """Give the text."""
        return "\n".join(fitted(super().getvalue(), self._columns))


class HelpContext(click.Context):
    """The context of all commands, whose help `Formatter` writes."""

    formatter_class = Formatter
