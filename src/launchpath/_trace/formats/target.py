"""The files that traces are written to in other formats."""

from __future__ import annotations

import os
from collections.abc import Sequence

from launchpath.errors import TraceFileError

Path = str | os.PathLike[str]


def check_target(paths: Sequence[Path], target: Path) -> None:
    """Refuse to write over a trace that is to be read, and to write a file whose name means a stream elsewhere.

    Raises
    ------
    TraceFileError
        `target` is one of the traces, or ``-``.
    """
    if os.fspath(target) == "-":
        raise TraceFileError("expected the name of a file, got -: write to /dev/stdout for the standard output")
    if os.path.exists(target) and any(os.path.samefile(target, path) for path in paths if os.path.exists(path)):
        raise TraceFileError(f"{os.fspath(target)} is a trace that is to be read: write to another file")
