"""Traces as Parquet: datasets of dispatches, calls and ranges, partitioned by rank and process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy

from launchpath._trace.calls import call_table, calls_with_names
from launchpath._trace.choice import EVERYTHING, Choice
from launchpath._trace.columns import Named, NamedTable, Table, cut
from launchpath._trace.dispatches import commands, submitted, with_names
from launchpath._trace.extra import imported
from launchpath._trace.files.file import CHUNK
from launchpath._trace.hosts.host_clock import KEY
from launchpath._trace.ranges import open_ranges, range_table, ranges_with_names
from launchpath._trace.records import Progress, Records
from launchpath._trace.timings import Timings
from launchpath.errors import TraceFileError

NO_RANK = -1
_UNTIMED = ("submitted", "started", "ended")  # null where there are no times


def write_parquet(
    paths: Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    progress: Progress | None = None,
    choice: Choice = EVERYTHING,
) -> dict[str, int]:
    """Write traces as Parquet: a row for each record.

    The folder gets a dataset for each table: ``dispatches``, ``calls`` and ``ranges``. Each is partitioned in Hive's
    style: ``dispatches/rank=0/pid=123/part-0.parquet``. Rank -1 is that of a process without a rank. Times are
    nanoseconds of the process's monotonic clock. The schema's metadata has ``process`` as JSON, and ``real``: what to
    add for nanoseconds since 1970; and where the host's clock was measured ``host_clock`` as JSON, see
    `launchpath._trace.hosts.host_clock`.

    Parameters
    ----------
    paths : sequence of paths
        The files: one for each process.
    folder : path
        A folder that does not exist, or is empty.
    progress : callable, optional
        Called with how much was read, and how much there is, of each file in turn.
    choice : Choice
        Which ranks and seconds. There may be any number of records.

    Returns
    -------
    dict
        For each table its number of rows.

    Raises
    ------
    ArgumentValueError
        There is no such rank.
    TraceFileError
        A file cannot be read, or is not a trace; or the folder is not empty, or cannot be written.
    LibraryError
        pyarrow is not installed.
    """
    pyarrow, parquet = imported("pyarrow"), imported("pyarrow.parquet")
    root = Path(folder)
    rows = {"dispatches": 0, "calls": 0, "ranges": 0}
    parts = choice.parts(paths)
    try:
        root.mkdir(parents=True, exist_ok=True)
        if any(root.iterdir()):
            raise TraceFileError(f"{root}: expected an empty folder, got one with files: choose another")
        for part in parts:
            with part.records(progress, passes=4) as records, _Writers(root, records, pyarrow, parquet) as writers:
                for name, table in _tables(records):
                    rows[name] += writers.write(name, table)
    except OSError as error:
        raise TraceFileError(f"{root}: expected a folder that can be written: {error.strerror}") from None
    return rows


def _tables(records: Records) -> Iterator[tuple[str, NamedTable]]:
    timings = Timings(records)
    for chunk in records.chunks():
        yield "dispatches", with_names(_within(submitted(commands(chunk, records, timings)), records), records)
        yield "calls", calls_with_names(_within(call_table(chunk, records), records), records)
        yield "ranges", ranges_with_names(_within(range_table(chunk, records), records), records)
    for part in cut(_within(open_ranges(records), records), CHUNK):
        yield "ranges", ranges_with_names(part, records)


def _within(table: Table, records: Records) -> Table:
    """The rows of a table that are in the stretch that is wanted: on the host, or on the device."""
    ends = numpy.where(table["open"], numpy.iinfo("i8").max, table["end"]) if "open" in table else table["end"]
    within = records.overlap(table["begin"], ends)
    if "timed" in table:
        within |= table["timed"] & records.overlap(table["started"], table["ended"])
    return table if within.all() else {name: column[within] for name, column in table.items()}


class _Writers:
    """Files of one process: a file for each table that has rows."""

    def __init__(self, root: Path, records: Records, pyarrow: Any, parquet: Any) -> None:
        self._root, self._pyarrow, self._parquet = root, pyarrow, parquet
        process = records.process
        rank = NO_RANK if process.rank is None else process.rank
        self._partition = Path(f"rank={rank}", f"pid={process.pid or 0}")
        self._metadata = {"process": json.dumps(process.facts), "real": str(records.real)}
        if KEY in records.file.meta:
            self._metadata[KEY] = json.dumps(records.file.meta[KEY])
        self._files: dict[str, Any] = {}

    def __enter__(self) -> _Writers:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.close()

    def write(self, name: str, table: NamedTable) -> int:
        """Write rows; gives their number."""
        rows = self._pyarrow.table({column: self._array(column, table) for column in table})
        if not rows.num_rows:
            return 0
        if name not in self._files:
            folder = self._root / name / self._partition
            folder.mkdir(parents=True, exist_ok=True)
            # Processes of several hosts may have the same number.
            target = folder / f"part-{len(list(folder.iterdir()))}.parquet"
            schema = rows.schema.with_metadata(self._metadata)
            self._files[name] = self._parquet.ParquetWriter(target, schema)
        self._files[name].write_table(rows.replace_schema_metadata(self._metadata))
        return int(rows.num_rows)

    def _array(self, name: str, table: NamedTable) -> Any:
        column = table[name]
        if isinstance(column, Named):
            return self._pyarrow.DictionaryArray.from_arrays(column.codes, self._pyarrow.array(column.texts, "string"))
        if name in _UNTIMED and "timed" in table:
            return self._pyarrow.array(column, mask=~table["timed"])  # type: ignore[operator]
        if name == "end" and "open" in table:
            return self._pyarrow.array(column, mask=table["open"])
        return self._pyarrow.array(column)
