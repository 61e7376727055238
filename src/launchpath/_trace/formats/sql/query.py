"""Queries: DuckDB over the views of traces. It reads them as streams, and nothing else."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from launchpath._trace.extra import imported
from launchpath._trace.files.file import TraceFile
from launchpath._trace.formats.sql.batches import Batches
from launchpath._trace.formats.sql.folder import Folder
from launchpath._trace.formats.sql.traced import Traced
from launchpath._trace.formats.sql.views import VIEWS
from launchpath._trace.records import Progress
from launchpath.errors import QueryError

_ROWS = 1 << 16  # of a batch of results
# DuckDB would draw its own bar on the standard output.
_OFF = ("enable_progress_bar", "python_enable_replacements", "preserve_insertion_order", "enable_external_access")
_READING = ("SELECT", "EXPLAIN")
Source = Traced | Folder
Read = Callable[[list[str]], Iterator[Any]]


@contextmanager
def answered(paths: Sequence[str | os.PathLike[str]], query: str, progress: Progress | None = None) -> Iterator[Any]:
    """Run a query over traces, and give a reader of Arrow's batches with the rows.

    Parameters
    ----------
    paths : sequence of paths
        Trace files, and folders that `write_parquet` made.
    query : str
        One query in DuckDB's SQL. It can read the views of `views.VIEWS`, and no files.
    progress : callable, optional
        Called with how many slots were read, and how many there are, of each file in turn.

    Raises
    ------
    QueryError
        The query is not right, does something other than read, or has no memory.
    TraceFileError
        A file cannot be read, or is not a trace.
    LibraryError
        duckdb or pyarrow is not installed.
    """
    duckdb, pyarrow = imported("duckdb"), imported("pyarrow")
    imported("pyarrow.dataset")
    sources = _sources(paths, progress)
    broken: list[BaseException] = []
    with tempfile.TemporaryDirectory(prefix="launchpath-sql-") as room:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(f"SET temp_directory = '{room.replace(chr(39), chr(39) * 2)}'")  # for what is sorted
            for setting in _OFF:
                connection.execute(f"SET {setting} = false")
            connection.execute("SET lock_configuration = true")
            for view in VIEWS:
                batches = Batches(view, pyarrow)
                read = _reader(sources, view, batches, broken)
                connection.register(view, dataset(batches.schema, read, pyarrow))
            relation = _relation(connection, query, duckdb)
            stream = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
            yield stream(_ROWS)
        except (duckdb.Error, pyarrow.ArrowException) as error:
            raise broken[0] if broken else QueryError(str(error)) from None
        finally:
            connection.close()


def result_of(paths: Sequence[str | os.PathLike[str]], query: str, progress: Progress | None = None) -> Any:
    """Give the result of a query as a table of Arrow's; `answered` has the parameters."""
    with answered(paths, query, progress) as rows:
        return imported("pyarrow").Table.from_batches(list(rows), rows.schema)


def dataset(schema: Any, read: Read, pyarrow: Any) -> Any:
    """Make a dataset of Arrow's whose rows are made when they are read, as often as they are.

    DuckDB asks a dataset for the columns that a query needs, and for the rows that it needs.

    Parameters
    ----------
    schema : pyarrow.Schema
    read : callable
        Gives batches of the columns that are named.
    pyarrow : module
    """

    class Scan(pyarrow.dataset.Scanner):  # type: ignore[misc]
        def __init__(self, columns: list[str] | None, rows: Any) -> None:
            self._columns, self._chosen = schema.names if columns is None else list(columns), rows

        @property
        def projected_schema(self) -> Any:
            return pyarrow.schema([schema.field(name) for name in self._columns])

        def to_reader(self) -> Any:
            return pyarrow.RecordBatchReader.from_batches(self.projected_schema, self._batches())

        def _batches(self) -> Iterator[Any]:
            if self._chosen is None:
                yield from read(self._columns)
                return
            # An expression does not list its columns. One too many, which only a text in it names, does no harm.
            words = set(re.findall(r"\w+", str(self._chosen)))
            more = [name for name in schema.names if name in words and name not in self._columns]
            for batch in read([*self._columns, *more]):
                chosen = batch.filter(self._chosen)
                if chosen.num_rows:
                    yield chosen.select(self._columns)

    class Views(pyarrow.dataset.Dataset):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

        @property
        def schema(self) -> Any:
            return schema

        def scanner(self, columns: list[str] | None = None, filter: Any = None, **_: Any) -> Any:
            return Scan(columns, filter)

    return Views()


def _sources(paths: Sequence[str | os.PathLike[str]], progress: Progress | None) -> list[Source]:
    sources: list[Source] = []
    number = 0
    for path in [os.fspath(path) for path in paths]:
        if os.path.isdir(path):
            folder = Folder(path, number)
            sources.append(folder)
            number += folder.processes
        else:
            TraceFile(path).close()
            sources.append(Traced(path, number, progress))
            number += 1
    return sources


def _reader(sources: list[Source], view: str, batches: Batches, broken: list[BaseException]) -> Read:
    def read(columns: list[str]) -> Iterator[Any]:
        try:
            for source in sources:
                yield from source.batches(view, batches, columns)
        except GeneratorExit:
            raise
        except BaseException as error:  # DuckDB would make another one of it
            broken.append(error)
            raise

    return read


def _relation(connection: Any, query: str, duckdb: Any) -> Any:
    """The result of a query, which is not read yet."""
    try:
        _check(connection, query)
        return connection.sql(query)
    except (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException):
        connection.execute(query)  # its error has the place in the query
        raise


def _check(connection: Any, query: str) -> None:
    """Refuse what is not one query that reads."""
    statements = connection.extract_statements(query)
    if len(statements) != 1:
        raise QueryError(f"expected one query, got {len(statements)} statements: give them one after another")
    kind = str(statements[0].type).rpartition(".")[2]
    if kind not in _READING:
        raise QueryError(f"expected a query that reads (select, with, describe, summarize, explain), got {kind}")
