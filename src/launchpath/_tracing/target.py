"""The file that a trace is written to."""

from __future__ import annotations

import os
import stat
import tempfile

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

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
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            raise ArgumentValueError(f"expected the name of a file, got {shown(name)}, which is a device or a pipe")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = facts.st_size == 0 or kept_since == 0 or facts.st_mtime_ns < kept_since
        except BlockingIOError:
            free = False
        if not free:
            root, extension = os.path.splitext(name)
            name = f"{root}.{os.getpid()}{extension}"
            other, file = file, os.open(name, _FLAGS, 0o644)
            os.close(other)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(file, 0)
    except OSError as error:
        os.close(file)
        raise OSError(error.errno, error.strerror, name) from None
    except BaseException:
        os.close(file)
        raise
    return file, name
