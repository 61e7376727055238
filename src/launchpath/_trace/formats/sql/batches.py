"""Arrow's batches of rows, made of tables of columns."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy

from launchpath._trace.columns import Named, NamedTable
from launchpath._trace.formats.sql.views import OF_PROCESS, VIEWS

_MOST = (1 << 63) - 1
_ARROW = {"BIGINT": "int64", "UBIGINT": "uint64", "INTEGER": "int32", "BOOLEAN": "bool_"}
_UNTIMED = ("submitted", "started", "ended")  # null where there are no times


class Batches:
    """Makes batches of one view.

    Parameters
    ----------
    view : str
        Its name.
    pyarrow : module
    """

    def __init__(self, view: str, pyarrow: Any) -> None:
        self._pyarrow, self._types = pyarrow, {}
        for column in VIEWS[view]:
            named = column.type == "VARCHAR"
            text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
            self._types[column.name] = text if named else getattr(pyarrow, _ARROW[column.type])()
        self.schema = pyarrow.schema(list(self._types.items()))

    def needed(self, columns: Collection[str]) -> list[str]:
        """Give the columns of records that are needed: also those that say where others are null, and at least one."""
        more = ["timed"] if set(columns).intersection(_UNTIMED) and "timed" in self._types else []
        more += ["open"] if "end" in columns and "open" in self._types else []
        return [name for name in dict.fromkeys([*columns, *more]) if name not in OF_PROCESS] or ["correlation"]

    def of_table(self, table: NamedTable, constants: dict[str, Any], columns: list[str]) -> Any:
        """Make a batch of a table of a file; `constants` are the same in each row."""
        rows = len(_codes(next(iter(table.values()))))
        arrays = [
            self._constant(name, constants[name], rows) if name in constants else self._array(name, table)
            for name in columns
        ]
        return self._batch(arrays, columns)

    def of_arrow(self, batch: Any, constants: dict[str, Any], columns: list[str]) -> Any:
        """Make a batch of one that was read from Parquet. Columns that it does not have are null."""
        arrays = []
        for name in columns:
            if name in constants:
                arrays.append(self._constant(name, constants[name], batch.num_rows))
            elif name in batch.schema.names:
                array = batch.column(name)
                arrays.append(array if array.type == self._types[name] else self._cast(array, self._types[name]))
            else:
                arrays.append(self._pyarrow.nulls(batch.num_rows, self._types[name]))
        return self._batch(arrays, columns)

    def of_rows(self, rows: list[dict[str, Any]], columns: list[str]) -> Any:
        """Make a batch of rows; what a row does not have is null."""
        arrays = []
        for name in columns:
            values, kind = [row.get(name) for row in rows], self._types[name]
            if self._pyarrow.types.is_dictionary(kind):
                arrays.append(self._pyarrow.array(values, "string").dictionary_encode())
            else:
                arrays.append(self._pyarrow.array(values, kind))
        return self._batch(arrays, columns)

    def _batch(self, arrays: list[Any], columns: list[str]) -> Any:
        fields = [self.schema.field(name) for name in columns]
        return self._pyarrow.RecordBatch.from_arrays(arrays, schema=self._pyarrow.schema(fields))

    def _array(self, name: str, table: NamedTable) -> Any:
        column, kind = table[name], self._types[name]
        if isinstance(column, Named):
            texts = self._pyarrow.array(column.texts, "string")
            return self._pyarrow.DictionaryArray.from_arrays(column.codes, texts)
        mask = None
        if name in _UNTIMED and "timed" in table:
            mask = ~table["timed"]  # type: ignore[operator]
        elif name == "end" and "open" in table:
            mask = table["open"]
        if column.dtype == numpy.dtype("u8") and kind == self._pyarrow.int64():  # no such amount is true
            column = numpy.minimum(column, _MOST).astype("i8")
        return self._pyarrow.array(column, kind, mask=mask)

    def _cast(self, array: Any, kind: Any) -> Any:
        if self._pyarrow.types.is_dictionary(kind):
            return array.cast("string").dictionary_encode()
        return array.cast(kind, safe=False)

    def _constant(self, name: str, value: Any, rows: int) -> Any:
        kind = self._types[name]
        if value is None:
            return self._pyarrow.nulls(rows, kind)
        if self._pyarrow.types.is_dictionary(kind):
            codes = numpy.zeros(rows, "i4")
            return self._pyarrow.DictionaryArray.from_arrays(codes, self._pyarrow.array([value], "string"))
        return self._pyarrow.array(numpy.full(rows, value), kind)


def _codes(column: Any) -> Any:
    return column.codes if isinstance(column, Named) else column
