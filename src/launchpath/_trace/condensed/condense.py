"""Condensing files, of either kind: traces, and what was condensed before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.condensed.naming import named
from launchpath._trace.condensed.packing import is_condensed, read, write
from launchpath._trace.condensed.reading import blob_of
from launchpath._trace.files.file import TraceFile
from launchpath._trace.labels import Labels, text_of
from launchpath.errors import TraceFileError

Path = str | os.PathLike[str]
Progress = Callable[[int, int], None]


def condensed_file(path: Path, progress: Progress | None = None) -> Condensed:
    """Condense a file.

    Parameters
    ----------
    path : path
        A trace, or a condensed one. It may be in use by a program, or left by a killed program.
    progress : callable, optional
        Called with how much was done, and how much there is.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is neither.
    """
    if is_condensed(path):
        return read(path)
    with TraceFile(path) as file:
        labels = Labels(file.meta, file.names, file.threads, file.mangled)
        result = named(file, labels, _kept(file) or blob_of(file, labels))
        if progress is not None:
            progress(file.count, file.count)
    return result


def condensed_files(paths: Iterable[Path], progress: Progress | None = None) -> Condensed:
    """Condense files, and merge what they sum up to."""
    result = Condensed()
    for path in paths:
        result.merge(condensed_file(path, progress))
    return result.ordered()


def condense_in_place(path: Path) -> None:
    """Put a condensed trace in the place of a trace that keeps its summary alone.

    Raises
    ------
    TraceFileError
        The file cannot be read, or is no trace.
    OSError
        It cannot be written.
    """
    if not is_condensed(path):
        write(condensed_file(path), path)


def keeps(file: TraceFile) -> str:
    """Tell what a trace keeps: ``records``, ``summary``, ``both`` or ``slow``."""
    options = file.meta.get("options")
    return text_of(options.get("keep") if isinstance(options, dict) else None) or "records"


def _kept(file: TraceFile) -> Blob | None:
    """Give the summary that a trace has kept, where its records are not all there."""
    if file.summary is None or keeps(file) not in ("summary", "slow"):
        return None
    try:
        return Blob(file.summary)
    except ValueError as error:
        raise TraceFileError(f"{file.path}: expected a summary of this version, got another one: {error}") from None
