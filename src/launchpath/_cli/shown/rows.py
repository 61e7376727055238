"""Rows of a query's result: as a table for people, and in files. They are read as a stream."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import IO, Any

from launchpath._report.console import printable, table
from launchpath._report.table import Table
from launchpath._report.wrapping import text_width
from launchpath._trace.extra import imported

_FORMULAS = ("=", "+", "-", "@")
_NARROWEST = 12  # columns of a terminal that a cell keeps
_BETWEEN = 3  # columns between two cells


class Rows:
    """The rows of a result.

    Parameters
    ----------
    reader : pyarrow.RecordBatchReader
    """

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.names = [printable(name) for name in reader.schema.names]

    def __iter__(self) -> Iterator[list[Any]]:
        for batch in self._reader:
            columns = [batch.column(place).to_pylist() for place in range(batch.num_columns)]
            yield from map(list, zip(*columns, strict=True))

    def table(self, most: int, width: int | None) -> tuple[Table, bool]:
        """Draw the first rows, and give whether there are more.

        Parameters
        ----------
        most : int
            How many rows.
        width : int or None
            Of the terminal: long texts are cut in their middle to fit. None: nothing is cut.
        """
        cells: list[list[str]] = []
        more = False
        numbers, texts = set[int](), set[int]()  # places of columns
        for row in self:
            if len(cells) == most:
                more = True
                break
            for place, value in enumerate(row):
                if value is not None:
                    (numbers if _is_number(value) else texts).add(place)
            cells.append([_cell(value) for value in row])
        if width is not None:
            cells = _fitting(self.names, cells, width)
        # Two columns may have the same name, so columns are aligned by their places.
        drawn = table(*self.names)
        for place in numbers - texts:
            drawn.columns[place].right = True
        for line in cells:
            drawn.add_row(*line)
        return drawn, more


def write_csv(reader: Any, target: str) -> int:
    """Write the rows as CSV; gives their number. A text that a spreadsheet would calculate gets an apostrophe first."""
    count = 0
    with _opened(target) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(reader.schema.names)
        for row in Rows(reader):
            writer.writerow([_guarded(_plain(value)) for value in row])
            count += 1
    return count


def write_json(reader: Any, target: str) -> int:
    """Write the rows as a list of JSON objects, a line for each; gives their number."""
    count, names = 0, reader.schema.names
    with _opened(target) as file:
        file.write("[")
        for row in Rows(reader):
            data = dict(zip(names, map(_plain, row), strict=True))
            file.write(("," if count else "") + "\n" + json.dumps(data, default=str))
            count += 1
        file.write("\n]\n")
    return count


def write_parquet(reader: Any, target: str) -> int:
    """Write the rows as a Parquet file; gives their number."""
    count = 0
    with imported("pyarrow.parquet").ParquetWriter(target, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


@contextmanager
def _opened(target: str) -> Iterator[IO[str]]:
    if target == "-":
        yield sys.stdout
    else:
        with open(target, "w", newline="", encoding="utf-8") as file:
            yield file


def _plain(value: Any) -> Any:
    """A value as JSON and CSV have it: whole numbers as such, and no number that is not finite."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _guarded(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if value and not 1e-3 <= abs(value) < 1e15:
            return f"{value:.4g}"
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return printable(str(value))


def _fitting(names: list[str], cells: list[list[str]], width: int) -> list[list[str]]:
    """Cut the widest columns until a row fits into a width."""
    widths = [max(map(text_width, column)) for column in zip(names, *cells, strict=True)]
    heads = [max(text_width(name), _NARROWEST) for name in names]
    excess = sum(widths) + _BETWEEN * (len(widths) - 1) - width
    while excess > 0:
        wide = [place for place in range(len(widths)) if widths[place] > heads[place]]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
        excess -= 1
    return [[_cut(cell, most) for cell, most in zip(row, widths, strict=True)] for row in cells]


def _cut(text: str, most: int) -> str:
    if text_width(text) <= most:
        return text
    head = _begin(text, (most - 3) // 2)
    tail = _begin(text[::-1], most - 3 - text_width(head))
    return f"{head}...{tail[::-1]}"


def _begin(text: str, most: int) -> str:
    """The begin of a text, of so many columns of a terminal at most."""
    text = text[: max(most, 0)]
    while text_width(text) > most:
        text = text[:-1]
    return text
