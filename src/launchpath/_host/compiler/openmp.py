"""The library that code compiled with ``-fopenmp`` calls: ziglang has none, others may be installed."""

from __future__ import annotations

import os
import sys

from . import toolchain
from .words import UsageError

_NAMES = ("libomp.so", "libiomp5.so", "libomp.so.5")


def find() -> str:
    """Give the path of the library.

    Raises
    ------
    UsageError
        There is none.
    """
    for folder in (os.path.join(sys.prefix, "lib"), *toolchain.library_folders()):
        for name in _NAMES:
            if os.path.exists(path := os.path.join(folder, name)):
                return path
    raise UsageError(
        "-fopenmp is refused: expected an OpenMP library (libomp.so or libiomp5.so), got none: install the package "
        "intel-openmp, or leave the option out: the loops then run on one thread"
    )
