"""Find the CUDA and HIP driver libraries, and their devices."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from launchpath._drivers import workarounds
from launchpath._environment import switch
from launchpath.errors import LibraryError

# By driver: the variable that names another library ("none": leave the driver out), and the libraries to try.
VARIABLES = {"cuda": "LAUNCHPATH_CUDA_LIBRARY", "hip": "LAUNCHPATH_HIP_LIBRARY"}
ORDERED_VARIABLE = "LAUNCHPATH_STREAM_ORDERED"
_LINUX = {
    "cuda": ("libcuda.so.1", "libcuda.so"),
    "hip": (
        "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so", "/opt/rocm/lib/libamdhip64.so",
    ),
}  # fmt: skip
_WINDOWS = {"cuda": ("nvcuda.dll",), "hip": ("amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll")}


def libraries(driver: str, platform: str = sys.platform) -> tuple[str, ...]:
    """The names under which a driver's library goes, in the order to try."""
    if platform == "darwin":
        return ()
    return (_WINDOWS if platform == "win32" else _LINUX)[driver]


def devices(driver: str, environment: Mapping[str, str] = os.environ) -> tuple[list[Any], list[tuple[str, str]]]:
    """Load a driver's library and list its devices.

    Parameters
    ----------
    driver : str
        "cuda" or "hip".
    environment : mapping
        ``LAUNCHPATH_CUDA_LIBRARY``, ``LAUNCHPATH_HIP_LIBRARY``: the library to load, and no other; ``none`` for none.
        ``LAUNCHPATH_STREAM_ORDERED=0``: do without the library's stream-ordered allocation.

    Returns
    -------
    list
        The devices; empty, with nothing said, on a machine that has no such library.
    list of (str, str)
        What was left out, and why.
    """
    from launchpath import _core  # noqa: PLC0415 (only when a device is wanted)

    variable = VARIABLES[driver]
    chosen = environment.get(variable)
    if chosen == "none":
        return [], [(driver.upper(), f"switched off by {variable}")]
    ordered = switch(ORDERED_VARIABLE, True, environment)
    in_force = workarounds.in_force(driver, environment)
    for path in (chosen,) if chosen else libraries(driver):
        try:
            _core.gpu_load(driver, path)
            usable, skipped = _core.gpu_devices(driver, ordered, in_force)
        except LibraryError as error:
            if chosen:
                return [], [(driver.upper(), f"{error} (from {variable})")]
            if not isinstance(error, _core.NotLoadedError):
                return [], [(driver.upper(), str(error))]
        else:
            return usable, skipped
    return [], []
