"""Tables as text: columns with one line below their heads. ASCII only, fit for logs, and for cut and awk."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from launchpath._report.wrapping import text_width, wrapped

_BETWEEN, _ACROSS = " | ", "-+-"
_NARROWEST = 12  # columns that a long word keeps where there is no room for all of it
_DEEPER = "  "


@dataclass
class Column:
    """A column: its head, its cells, and whether these are aligned on the right."""

    header: str
    right: bool
    cells: list[str]


class Table:
    """Rows of cells below a line of heads.

    Parameters
    ----------
    columns : sequence of str
        Their heads.
    right : collection of str
        Heads of the columns to align on the right.
    spare : sequence of str
        Heads of the columns that a narrow terminal does without, the first one first. A line below names them then.
    """

    def __init__(self, columns: Sequence[str], right: Collection[str] = (), spare: Sequence[str] = ()) -> None:
        self.columns = [Column(head, head in right, []) for head in columns]
        self.spare = spare
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
        """Draw the table, line by line.

        Parameters
        ----------
        width : int, optional
            Of the terminal. To fit into it cells are wrapped between words. Then the spare columns are left out, and
            long words are broken. Where that is not enough, each row is a paragraph of heads and cells.
        """
        columns, left_out = self.columns, list[str]()
        while (widths := _widths(columns, width)) is None and len(left_out) < len(self.spare):
            left_out.append(self.spare[len(left_out)])
            columns = [column for column in columns if column.header != left_out[-1]]
        if widths is None:
            yield from self._paragraphs(max(width or 0, _NARROWEST))
            return
        yield from self._drawn(columns, widths)
        if left_out:
            yield from wrapped(f"(a wider terminal shows: {', '.join(left_out)})", width or 0)

    def _drawn(self, columns: Sequence[Column], widths: Sequence[int]) -> Iterator[str]:
        across = _ACROSS.join("-" * each for each in widths)
        yield from _row(columns, [column.header for column in columns], widths)
        yield across
        for number in range(len(self)):
            yield from _row(columns, [column.cells[number] for column in columns], widths)
            if number in self._lines:
                yield across

    def _paragraphs(self, width: int) -> Iterator[str]:
        """Draw each row as its heads and cells, between the same signs."""
        for number in range(len(self)):
            line = ""
            for column in self.columns:
                if not column.cells[number]:
                    continue
                pair = f"{column.header}: {column.cells[number]}"
                if line.strip() and text_width(line + _BETWEEN + pair) > width:
                    yield from _within(line, width)
                    line = _DEEPER
                line += f"{_BETWEEN if line.strip() else ''}{pair}"
            yield from _within(line, width)
            if number in self._lines:
                yield "-" * width


def _within(line: str, width: int) -> Iterator[str]:
    """Break a line of a paragraph."""
    if text_width(line) <= width:
        yield line
        return
    begin = _DEEPER if line.startswith(_DEEPER) else ""
    first, *others = wrapped(line.removeprefix(begin), width - len(_DEEPER))
    yield begin + first
    yield from (_DEEPER + other for other in others)


def _widths(columns: Sequence[Column], width: int | None) -> list[int] | None:
    """Give the widths of columns; None: they do not fit."""
    widths = [max(map(text_width, (column.header, *column.cells))) for column in columns]
    if width is None:
        return widths
    longest = [max(_longest_part(text, column.right) for text in (column.header, *column.cells)) for column in columns]
    excess = sum(widths) + len(_BETWEEN) * (len(widths) - 1) - width
    # The widest column becomes narrower, as far as its longest word, and then further.
    for least in (longest, [min(each, _NARROWEST) for each in longest]):
        while excess > 0:
            wide = [place for place in range(len(widths)) if widths[place] > least[place]]
            if not wide:
                break
            widths[max(wide, key=widths.__getitem__)] -= 1
            excess -= 1
    return widths if excess <= 0 else None


def _row(columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    drawn = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for number in range(max(map(len, drawn))):
        texts = []
        for column, lines, width in zip(columns, drawn, widths, strict=True):
            text = lines[number] if number < len(lines) else ""
            blanks = " " * (width - text_width(text))
            texts.append(blanks + text if column.right else text + blanks)
        yield _BETWEEN.join(texts).rstrip()


def _longest_part(text: str, right: bool) -> int:
    """The longest part of a cell that is not broken if it need not be: a word, or a number with its unit."""
    if right and text_width(text) <= _NARROWEST:
        return text_width(text)
    return max(map(text_width, text.split(" ")))
