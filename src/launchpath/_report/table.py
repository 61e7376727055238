"""Tables as text: columns with one line below their heads. ASCII only, fit for logs, and for cut and awk."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

_BETWEEN, _ACROSS = " | ", "-+-"


@dataclass
class Column:
    """A column: its head, its cells, and whether these are aligned on the right."""

    header: str
    right: bool
    cells: list[str]


class Table:
    """Rows of cells below a line of heads."""

    def __init__(self, columns: Sequence[str], right: Collection[str] = ()) -> None:
        self.columns = [Column(head, head in right, []) for head in columns]
        self._lines: set[int] = set()  # rows with a line below

    def add_row(self, *cells: str, end_section: bool = False) -> None:
        """Add a row; the cells that are left out are empty. `end_section`: with a line below."""
        for column, cell in zip(self.columns, [*cells, *[""] * (len(self.columns) - len(cells))], strict=True):
            column.cells.append(cell)
        if end_section:
            self._lines.add(len(self) - 1)

    def __len__(self) -> int:
        return len(self.columns[0].cells)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Give the rows."""
        return zip(*(column.cells for column in self.columns), strict=True)

    def lines(self, width: int | None = None) -> Iterator[str]:
        """Draw the table, line by line. Nothing is cut off.

        Parameters
        ----------
        width : int, optional
            Of the terminal: cells are wrapped between words to fit into it. If the longest words do not fit, the
            terminal breaks the lines.
        """
        widths = self._widths(width)
        across = _ACROSS.join("-" * each for each in widths)
        yield from self._row([column.header for column in self.columns], widths)
        yield across
        for number, cells in enumerate(self.rows()):
            yield from self._row(cells, widths)
            if number in self._lines:
                yield across

    def _widths(self, width: int | None) -> list[int]:
        widths = [max(map(text_width, (column.header, *column.cells))) for column in self.columns]
        if width is None:
            return widths
        # The widest column becomes narrower, as far as its longest word.
        least = [max(map(_longest_word, (column.header, *column.cells))) for column in self.columns]
        excess = sum(widths) + len(_BETWEEN) * (len(widths) - 1) - width
        while excess > 0:
            wide = [place for place in range(len(widths)) if widths[place] > least[place]]
            if not wide:
                break
            widths[max(wide, key=widths.__getitem__)] -= 1
            excess -= 1
        return widths

    def _row(self, cells: Sequence[str], widths: list[int]) -> Iterator[str]:
        wrapped = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for number in range(max(map(len, wrapped))):
            parts = []
            for column, lines, width in zip(self.columns, wrapped, widths, strict=True):
                text = lines[number] if number < len(lines) else ""
                blanks = " " * (width - text_width(text))
                parts.append(blanks + text if column.right else text + blanks)
            yield _BETWEEN.join(parts).rstrip()


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def _longest_word(text: str) -> int:
    return max(map(text_width, text.split(" ")))


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a cell, broken at blanks."""
    if text_width(text) <= width:
        return [text]
    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(lines[-1]) + 1 + text_width(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
