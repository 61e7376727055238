"""Saved traces: the files of processes."""

from __future__ import annotations

import os
from collections.abc import Sequence

from launchpath._listed import Listed
from launchpath._shown import described
from launchpath._tracing.readable import Path, ReadableTrace

# What reads is imported when it is used: importing launchpath must stay fast.
# ruff: noqa: PLC0415


def read_trace(*paths: Path) -> SavedTrace:
    """Read traces: ``lp.read_trace("run.lptrace").summary()``.

    Parameters
    ----------
    *paths : path
        The files: one for each process. They may be in use by a program, or left by a program that was killed.

    Returns
    -------
    SavedTrace

    Raises
    ------
    TypeError
        A path is neither a ``str`` nor a ``pathlib.Path``, or there is none.
    TraceFileError
        A file cannot be read, or is not a trace.
    """
    from launchpath._trace.condensed.packing import is_condensed
    from launchpath._trace.files.file import TraceFile

    trace = SavedTrace(paths)
    for path in trace.paths:
        if not is_condensed(path):
            TraceFile(path).close()
    return trace


class SavedTrace(Listed, ReadableTrace):
    """Traces in files; `read_trace` makes it. Nothing is kept: each method reads the files again.

    Its methods take ``progress``: a function that is called with how much was done, and how much there is to do, of
    each file in turn. All of them raise a ``TraceFileError`` if a file cannot be read.

    Attributes
    ----------
    paths : list of str
    """

    paths: list[str]

    def __init__(self, paths: Sequence[Path]) -> None:
        if not isinstance(paths, (list, tuple)) or not paths:
            raise TypeError(f"paths: expected a list of files, got {described(paths)}: use launchpath.read_trace(path)")
        vars(self)["paths"] = [_as_text(path) for path in paths]

    def _files(self) -> list[str]:
        return self.paths

    def __repr__(self) -> str:
        return f"<SavedTrace: {', '.join(self.paths)}>"


def _as_text(path: object) -> str:
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise TypeError(f"path: expected a str or a pathlib.Path, got {described(path)}")
    return text
