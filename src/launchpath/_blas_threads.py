"""Keep NumPy from starting threads in commands that calculate nothing.

NumPy's library of linear algebra starts a thread for each processor when it is imported, and each of them looks for
work for some time before it sleeps: 100 ms of processor time with 2 processors. `launchpath compile` and its like have
no work for them. The package imports this module first, for afterwards the threads are there.
"""

from __future__ import annotations

import os
import sys

_COMMANDS = ("cache", "compile", "devices", "info")
_VARIABLE = "OPENBLAS_NUM_THREADS"


def calculates_nothing(arguments: list[str], original: list[str]) -> bool:
    """Whether a process only runs such a command; both lists are `sys`'s, while the package is being imported."""
    if arguments[1:2] == [] or arguments[1] not in _COMMANDS:
        return False
    if arguments[0] == "-m":  # Python puts the file's name there when it has found it
        return original[1:3] == ["-m", "launchpath"]
    return os.path.basename(arguments[0]) in ("launchpath", "launchpath.exe")


if calculates_nothing(sys.argv, sys.orig_argv):
    os.environ.setdefault(_VARIABLE, "1")
