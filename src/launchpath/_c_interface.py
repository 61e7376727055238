"""What C and C++ code needs of launchpath: the header's folder, and the table of functions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from launchpath import _core


@dataclass(frozen=True)
class CInterface:
    """The C interface of launchpath.

    Attributes
    ----------
    version : int
        LAUNCHPATH_API_VERSION.
    address : int
        Where the table of functions is (``launchpath_api``), for `launchpath_use`.
    capsule : PyCapsule
        The same as a capsule, which `launchpath_import` uses.
    functions : dict of str to int
        The address of each function of the table by its name: for ctypes, Numba and others that call by address.
    """

    version: int
    address: int
    capsule: Any
    functions: dict[str, int]


def c_interface() -> CInterface:
    """Return the table of functions by which C, C++, Cython and Numba launch kernels; their types: ``launchpath.h``.

    Returns
    -------
    CInterface
    """
    return CInterface(_core.C_VERSION, _core.C_TABLE, _core.c_api, dict(_core.C_FUNCTIONS))


def get_include() -> str:
    """Return the folder of ``launchpath.h``, for a C compiler's ``-I``."""
    return str(Path(__file__).parent / "include")
