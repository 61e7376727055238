"""The file of a program: saved, or a binary of another compiler."""

from __future__ import annotations

import os
import stat

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

LARGEST = 4 << 30  # bytes; a hole in a file counts as well


def read_file(path: str | bytes | os.PathLike[str]) -> bytes:
    """Read all of a file.

    Raises
    ------
    ArgumentValueError
        No file can have this name; or it is a device, which may have no end, or larger than any program.
    OSError
        It cannot be read.
    """
    name = os.fsdecode(path)
    try:
        with open(path, "rb") as opened:
            state = os.fstat(opened.fileno())
            if stat.S_ISCHR(state.st_mode):
                raise ArgumentValueError(f"{name}: expected the file of a program, got a device of the system")
            if state.st_size > LARGEST:
                raise ArgumentValueError(f"{name}: expected a file of at most {LARGEST} bytes, got {state.st_size}")
            return opened.read()
    except ArgumentValueError:
        raise
    except ValueError as error:  # a NUL, or half of a surrogate pair
        raise ArgumentValueError(f"expected a path, got {shown(name)}: {error}") from None
