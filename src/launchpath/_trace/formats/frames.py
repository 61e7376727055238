"""Tables of several processes as a data frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from launchpath._shown import shown
from launchpath._trace.calls import call_columns
from launchpath._trace.columns import NamedTable, frame
from launchpath._trace.dispatches import dispatch_columns
from launchpath._trace.extra import imported
from launchpath._trace.files.file import TraceFile
from launchpath._trace.process import Process
from launchpath._trace.ranges import range_columns
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    import pandas

_TABLES: dict[str, Callable[[str], NamedTable]] = {
    "dispatches": dispatch_columns,
    "calls": call_columns,
    "ranges": range_columns,
}


def frame_of(paths: Sequence[str], table: str) -> pandas.DataFrame:
    """Give a table of all files as one data frame, with the rank and the number of the process.

    Raises
    ------
    ArgumentValueError
        There is no such table.
    LibraryError
        pandas is not installed.
    """
    if table not in _TABLES:
        raise ArgumentValueError(f"table: expected {', '.join(map(repr, _TABLES))}, got {shown(table)}")
    pandas_ = imported("pandas")
    frames = []
    for path in paths:
        part = frame(_TABLES[table](path))
        with TraceFile(path) as file:
            process = Process(file.meta)
        part.insert(0, "pid", process.pid)
        part.insert(0, "rank", process.rank)
        frames.append(part)
    # Categories of several files differ, and only equal ones stay categories when they are joined.
    result: pandas.DataFrame = pandas_.concat(frames, ignore_index=True) if len(frames) != 1 else frames[0]
    return result
