"""The file that a trace is written to."""

from __future__ import annotations

import os
import tempfile

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


def open_target(name: str | None, kept_since: int) -> tuple[int, str]:
    """Open a trace's file, empty and locked against other processes.

    Another process may be writing to that name, or have written to a file that is to be kept: then this process's
    number goes into it.

    Parameters
    ----------
    name : str or None
        None: a temporary file.
    kept_since : int
        A file that was written to later than this time is kept, in nanoseconds since 1970; 0: none is.

    Returns
    -------
    (int, str)
        The file, and its name.
    """
    import fcntl  # noqa: PLC0415 (not on Windows)

    if name is None:
        return tempfile.mkstemp(".lptrace", "launchpath-")
    file = os.open(name, _FLAGS, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        facts = os.fstat(file)
        free = facts.st_size == 0 or kept_since == 0 or facts.st_mtime_ns < kept_since
    except BlockingIOError:
        free = False
    if not free:
        os.close(file)
        root, extension = os.path.splitext(name)
        name = f"{root}.{os.getpid()}{extension}"
        file = os.open(name, _FLAGS, 0o644)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.ftruncate(file, 0)
    return file, name
