"""Facts that are added to a trace file when the process that wrote it has ended."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

import numpy

from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import BLOCK, MAGIC, META, PAGE, SLOT, VERSION
from launchpath.errors import TraceFileError

_PATIENCE = 1.0  # seconds: a writer has the lock for as long as it lives, and others for milliseconds


def append_facts(
    path: str | os.PathLike[str], facts: dict[str, Any], wanted: Callable[[dict[str, Any]], bool] = lambda meta: True
) -> bool:
    """Add a ``META`` block to a file that no process writes. Files that are not wanted are only read.

    Parameters
    ----------
    path : path
    facts : dict
        What the block has.
    wanted : callable, optional
        Called with the file's ``META``: whether it is to be added to this file.

    Returns
    -------
    bool
        Whether it was added.

    Raises
    ------
    TraceFileError
        A process still writes the file, or it cannot be written, or is not a trace.
    """
    text = json.dumps(facts).encode()
    size = -(-(SLOT + len(text)) // PAGE) * PAGE
    head = numpy.zeros(1, BLOCK)
    for name, value in {"magic": MAGIC, "kind": META, "version": VERSION, "size": size, "count": len(text)}.items():
        head[name] = value
    file = -1
    try:
        # Commands of several hosts may look at the same files at the same time: none locks another one's.
        if not _is_wanted(path, wanted):
            return False
        file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        _lock(file)
        if not _is_wanted(path, wanted):
            return False
        end = -(-os.fstat(file).st_size // PAGE) * PAGE
        data = (head.tobytes() + text).ljust(size, b"\0")
        # The header last: until then the block is a hole, which readers skip.
        os.pwrite(file, data[SLOT:], end + SLOT)
        os.pwrite(file, data[:SLOT], end)
    except BlockingIOError:
        raise TraceFileError(f"{os.fspath(path)}: expected a finished trace, got one that a process writes") from None
    except OSError as error:
        raise TraceFileError(f"{os.fspath(path)}: expected a file that can be written: {error.strerror}") from None
    finally:
        if file >= 0:
            os.close(file)
    return True


def _is_wanted(path: str | os.PathLike[str], wanted: Callable[[dict[str, Any]], bool]) -> bool:
    with TraceFile(path) as trace:
        return wanted(trace.meta)


def _lock(file: int) -> None:
    """Take the lock that a file's writer has; raise BlockingIOError if it stays taken."""
    import fcntl  # noqa: PLC0415 (not on Windows)

    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.01)
