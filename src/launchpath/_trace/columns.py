"""Tables as columns: NumPy arrays by name, and columns of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath._trace.extra import imported

if TYPE_CHECKING:
    import pandas

Array = NDArray[Any]
_FEW = 1 << 20


class Named(NamedTuple):
    """A column of texts: for each row the place of its text in `texts`."""

    codes: Array
    texts: list[str]

    def array(self) -> Array:
        """Give the texts as an array of objects."""
        return numpy.array([*self.texts, ""], object)[self.codes]


Table = dict[str, Array]
NamedTable = dict[str, Array | Named]


def named(numbers: Array, name: Callable[[int], str]) -> Named:
    """Make a column of names from numbers."""
    values, codes = distinct(numbers)
    return Named(codes, [name(value) for value in values.tolist()])


def distinct(numbers: Array) -> tuple[Array, Array]:
    """Give the different numbers, ascending, and for each place which of them is there."""
    if len(numbers) and int(numbers.min()) >= 0 and int(numbers.max()) < _FEW:  # without sorting
        there = numpy.zeros(int(numbers.max()) + 1, "?")
        there[numbers] = True
        values = numpy.flatnonzero(there)
        places = numpy.zeros(len(there), "i4")
        places[values] = numpy.arange(len(values), dtype="i4")
        return values, places[numbers]
    values, codes = numpy.unique(numbers, return_inverse=True)
    return values, codes.reshape(-1).astype("i4")


def combined(*columns: Array) -> tuple[list[tuple[int, ...]], Array]:
    """Give the different rows of columns of numbers, and for each place which of them is there."""
    parts = [distinct(column) for column in columns]
    key = numpy.zeros(len(columns[0]), "i8")
    for values, codes in parts:
        key = key * len(values) + codes
    keys, places = distinct(key)
    rows: list[Array] = []
    for values, _ in reversed(parts):
        rows.insert(0, values[keys % len(values)] if len(values) else keys)
        keys = keys // max(len(values), 1)
    return list(zip(*(column.tolist() for column in rows), strict=True)), places


def joined(tables: Iterable[Table], empty: Table) -> Table:
    """Join tables of the same columns; `empty` is one without rows."""
    parts = [empty, *tables]
    return {name: numpy.concatenate([part[name] for part in parts]) for name in empty}


def plain(table: NamedTable) -> Table:
    """Give a table whose texts are arrays of objects."""
    return {name: column.array() if isinstance(column, Named) else column for name, column in table.items()}


def cut(table: Table, size: int) -> Iterator[Table]:
    """Cut a table into parts of at most `size` rows."""
    for begin in range(0, len(next(iter(table.values()))), size):
        yield {name: column[begin : begin + size] for name, column in table.items()}


def frame(table: NamedTable) -> pandas.DataFrame:
    """Give a table as a data frame, texts as categories.

    Raises
    ------
    LibraryError
        pandas is not installed.
    """
    pandas_ = imported("pandas")
    columns = {}
    for name, column in table.items():
        if isinstance(column, Named):
            # Two numbers may have the same name, and categories may not.
            places = {text: place for place, text in enumerate(dict.fromkeys(column.texts))}
            codes = numpy.array([places[text] for text in column.texts], "i4")[column.codes]
            columns[name] = pandas_.Categorical.from_codes(codes, list(places))
        else:
            columns[name] = column
    result: pandas.DataFrame = pandas_.DataFrame(columns)
    return result
