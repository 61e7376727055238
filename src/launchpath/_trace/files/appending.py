"""Facts that are added to a trace file when the process that wrote it has ended."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import numpy

from launchpath._trace.files.file import TraceFile
from launchpath._trace.format import BLOCK, MAGIC, META, PAGE, SLOT, VERSION
from launchpath.errors import TraceFileError


def append_facts(
    path: str | os.PathLike[str], facts: dict[str, Any], wanted: Callable[[dict[str, Any]], bool] = lambda meta: True
) -> bool:
    """Add a ``META`` block to a file that no process writes.

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
    import fcntl  # noqa: PLC0415 (not on Windows)

    text = json.dumps(facts).encode()
    size = -(-(SLOT + len(text)) // PAGE) * PAGE
    head = numpy.zeros(1, BLOCK)
    for name, value in {"magic": MAGIC, "kind": META, "version": VERSION, "size": size, "count": len(text)}.items():
        head[name] = value
    file = -1
    try:
        file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # its writer has this lock for as long as it lives
        with TraceFile(path) as trace:
            if not wanted(trace.meta):
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
