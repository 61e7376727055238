"""What can be had of the files of traces: summaries, tables, findings, other formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from launchpath._listed import Fixed

# What reads is imported when it is used: importing launchpath must stay fast.
# ruff: noqa: PLC0415

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from numpy.typing import NDArray

    from launchpath._findings.report import Report
    from launchpath._trace.choice import Choice
    from launchpath._trace.summaries.summary import Summary

Path = str | os.PathLike[str]
Progress = Callable[[int, int], None]
Seconds = tuple[float | None, float | None]


class ReadableTrace(Fixed):
    """Files of traces, which each method reads."""

    def _files(self) -> list[str]:
        raise NotImplementedError

    def summary(self, progress: Progress | None = None) -> Summary:
        """Sum up what took how long, by name, of all files together.

        Parameters
        ----------
        progress : callable, optional
            Called as ``progress(done, total)``, in slots of the files.

        Returns
        -------
        Summary
            ``print`` shows its tables, and notebooks do. ``kernels``, ``calls``, ``driver_calls``, ``traffic`` and
            ``ranges`` have them by name; ``as_json()`` and ``to_pandas()`` give all of them.
        """
        from launchpath._trace.summaries.summarize import summarize

        return summarize(self._files(), progress)

    def findings(self, progress: Progress | None = None) -> Report:
        """Find what holds the program back, what a mend of it would save, and how that is known.

        A trace of `launchpath trace --findings` or ``launchpath.trace(file, findings=True)`` has more to read findings
        from than another one. docs/findings.md has the kinds of findings.

        Parameters
        ----------
        progress : callable, optional
            Called as ``progress(done, total)``, in slots of the files.

        Returns
        -------
        Report
            ``print`` shows one screen of it, and notebooks show a page. ``findings``, ``hidden`` and ``not_said`` have
            all; ``as_json()`` and ``write_html(file)`` give the rest.
        """
        from launchpath._findings.why import findings

        return findings(self._files(), progress)

    def dispatches(self) -> list[dict[str, NDArray[Any]]]:
        """Give all launches, copies and fills with their times, for each file.

        Returns
        -------
        list of dict of numpy.ndarray
            Columns by name, of one axis each. Times are nanoseconds of the monotonic clock. Where ``timed`` is false,
            ``started`` and ``ended`` are not known, and 0. A command of a step or a graph has a row for each run:
            ``step``, ``node`` and ``run`` say which.
        """
        from launchpath._trace.dispatches import dispatches

        return [dispatches(path) for path in self._files()]

    def calls(self) -> list[dict[str, NDArray[Any]]]:
        """Give all calls of launchpath and of drivers but those of commands, for each file."""
        from launchpath._trace.calls import calls

        return [calls(path) for path in self._files()]

    def ranges(self) -> list[dict[str, NDArray[Any]]]:
        """Give all ranges and marks, for each file."""
        from launchpath._trace.ranges import ranges

        return [ranges(path) for path in self._files()]

    def streams(self) -> list[dict[str, NDArray[Any]]]:
        """Give all streams, for each file."""
        from launchpath._trace.ranges import streams

        return [streams(path) for path in self._files()]

    def to_pandas(self, table: str = "dispatches") -> pandas.DataFrame:
        """Give a table of all files as a data frame, with columns ``rank`` and ``pid`` of their processes.

        Parameters
        ----------
        table : str
            ``dispatches``, ``calls`` or ``ranges``.

        Raises
        ------
        ArgumentValueError
            There is no such table.
        LibraryError
            pandas is not installed.
        """
        from launchpath._trace.formats.frames import frame_of

        return frame_of(self._files(), table)

    def sql(self, query: str, progress: Progress | None = None) -> pyarrow.Table:
        """Answer a query in SQL over the records: ``trace.sql("select name, count(*) from dispatches group by name")``.

        DuckDB reads the files as a stream, and only the columns that the query needs. docs/sql.md has the views and
        their columns. The query can read nothing else.

        Parameters
        ----------
        query : str
            One query that reads.
        progress : callable, optional
            Called as ``progress(done, total)`` while the files are read.

        Returns
        -------
        pyarrow.Table
            Its ``to_pandas()`` is a data frame.

        Raises
        ------
        QueryError
            The query is not right, or does something other than read.
        LibraryError
            duckdb or pyarrow is not installed.
        """
        from launchpath._trace.formats.sql.query import result_of

        return result_of(self._files(), query, progress)

    def write_perfetto(
        self,
        target: Path,
        progress: Progress | None = None,
        *,
        ranks: Iterable[int] | None = None,
        seconds: Seconds | None = None,
        limit: int | None = None,
    ) -> None:
        """Write a file for Perfetto (ui.perfetto.dev).

        Parameters
        ----------
        target : str or path-like
            The file.
        progress : callable, optional
            Called as ``progress(done, total)`` while the files are read.
        ranks : iterable of int, optional
            Only the traces of these ranks.
        seconds : tuple of float, optional
            Begin and end of the only time that is written, in seconds since the earliest trace began; None: its begin,
            or its end.
        limit : int, optional
            How many elements, records, the file may have: 20 million by default.

        Raises
        ------
        ArgumentValueError
            There are more records, or there is no such rank.
        LibraryError
            perfetto or protobuf is not installed.
        """
        from launchpath._trace.formats.perfetto import write_perfetto

        write_perfetto(self._files(), target, progress, _choice(ranks, seconds, limit))

    def write_parquet(
        self,
        folder: Path,
        progress: Progress | None = None,
        *,
        ranks: Iterable[int] | None = None,
        seconds: Seconds | None = None,
    ) -> None:
        """Write dispatches, calls and ranges as Parquet, into a folder that is empty or new.

        Parameters
        ----------
        folder : str or path-like
            An empty or a new folder.
        progress : callable, optional
            Called as ``progress(done, total)`` while the files are read.
        ranks : iterable of int, optional
            Only the traces of these ranks.
        seconds : tuple of float, optional
            Begin and end of the only time that is written, in seconds since the earliest trace began; None: its begin,
            or its end.

        Raises
        ------
        ArgumentValueError
            There is no such rank.
        LibraryError
            pyarrow is not installed.
        """
        from launchpath._trace.formats.parquet import write_parquet

        write_parquet(self._files(), folder, progress, _choice(ranks, seconds))

    def write_csv(
        self,
        target: Path,
        progress: Progress | None = None,
        *,
        ranks: Iterable[int] | None = None,
        seconds: Seconds | None = None,
        limit: int | None = None,
    ) -> None:
        """Write the kernels as CSV, with the columns that rocprofv3 gives them.

        Parameters
        ----------
        target : str or path-like
            The file.
        progress : callable, optional
            Called as ``progress(done, total)`` while the files are read.
        ranks : iterable of int, optional
            Only the traces of these ranks.
        seconds : tuple of float, optional
            Begin and end of the only time that is written, in seconds since the earliest trace began; None: its begin,
            or its end.
        limit : int, optional
            How many elements, records, the file may have: 20 million by default.

        Raises
        ------
        ArgumentValueError
            There are more records, or there is no such rank.
        TraceFileError
            The file cannot be written, or it is a trace that is read.
        """
        from launchpath._trace.formats.kernel_csv import write_csv

        write_csv(self._files(), target, progress, _choice(ranks, seconds, limit))


def _choice(ranks: Iterable[int] | None, seconds: Seconds | None, limit: int | None = None) -> Choice:
    from launchpath._trace.choice import LIMIT, Choice

    return Choice(None if ranks is None else frozenset(ranks), seconds, LIMIT if limit is None else limit)
