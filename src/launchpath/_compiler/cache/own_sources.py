"""The identity of the compiler's own Python files: with other passes a cached program may compute something else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

from launchpath._compiler.cache import fingerprint
from launchpath.errors import CompileError

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# An installer makes new folders, so their times tell. In a checkout files change in place.
_IS_INSTALLED = os.path.basename(os.path.dirname(os.path.dirname(_FOLDER))) in ("site-packages", "dist-packages")


@cache
def identity() -> str:
    """The state of the files: it differs after each update, where the version of the package may stay the same.

    Raises
    ------
    CompileError
        A file is where the package has a folder.
    """
    try:
        return fingerprint.key("\n".join(sorted(_states(_FOLDER))))
    except NotADirectoryError as error:
        raise no_folder(error) from error


def no_folder(error: NotADirectoryError) -> CompileError:
    """Make the error for a file that is where the package has a folder."""
    path = str(error.filename)
    while not os.path.lexists(path):  # it is below the file
        path = os.path.dirname(path)
    advice = "if you put the file there, remove it; else install launchpath again"
    return CompileError(f"launchpath's installation is damaged: expected a folder, got the file {path}: {advice}")


def _states(folder: str) -> Iterator[str]:
    if _IS_INSTALLED:  # in a checkout it changes when Python first writes bytecode, and each file has its own state
        yield f"{folder} {os.stat(folder).st_mtime_ns}"
    with os.scandir(folder) as entries:
        for entry in entries:
            if "." not in entry.name and not entry.name.startswith(("_", "headers")):
                yield from _states(entry.path)
            elif not _IS_INSTALLED and entry.name.endswith(".py"):
                state = entry.stat()
                yield f"{entry.path} {state.st_size} {state.st_mtime_ns}"
