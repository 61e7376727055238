"""Summing up trace files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from launchpath._trace.condensed.condense import condensed_files
from launchpath._trace.summaries.summary import Summary


def summarize(
    paths: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Sum up files: traces of processes, and condensed ones.

    Parameters
    ----------
    paths : path, or sequence of paths
        The files. They may be in use by a program, or left by a killed program.
    progress : callable, optional
        Called with how much was read, and how much there is, of each file in turn.

    Raises
    ------
    TraceFileError
        A file cannot be read, or is neither.
    """
    return Summary.of(condensed_files([paths] if isinstance(paths, (str, os.PathLike)) else paths, progress))
