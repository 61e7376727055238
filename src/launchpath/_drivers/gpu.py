"""Find the CUDA and HIP driver libraries, and their devices."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from launchpath._drivers import workarounds
from launchpath._drivers.driver import Driver
from launchpath._environment import DEPENDENT, TRIGGER, WAIT, dependent, switch
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
        ``LAUNCHPATH_DEPENDENT``: see `launchpath._environment.dependent`.

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
    chosen_launches = dependent(environment)
    early = {TRIGGER: "all", WAIT: ""}.get(chosen_launches, "steps")
    without = f"switched off by {DEPENDENT}" if chosen_launches == "off" else ""
    for path in (chosen,) if chosen else libraries(driver):
        try:
            _core.gpu_load(driver, path)
            usable, skipped = _core.gpu_devices(driver, ordered, in_force, without, early)
        except LibraryError as error:
            if chosen:
                return [], [(driver.upper(), f"{error} (from {variable})")]
            if not isinstance(error, _core.NotLoadedError):
                return [], [(driver.upper(), str(error))]
        else:
            return usable, skipped
    return [], []


# What other tools know the libraries' functions by.
_CALLS = {
    "fill": "MemsetD8Async",
    "copy": "MemcpyAsync",
    "copy_peer": "MemcpyPeerAsync",
    "queue_create": "StreamCreateWithPriority",
    "queue_finish": "StreamSynchronize",
    "queue_query": "StreamQuery",
    "marker": "EventRecord",
    "event_query": "EventQuery",
    "event_wait": "EventSynchronize",
    "program_load": "ModuleLoadDataEx",
    "program_release": "ModuleUnload",
    "kernel_find": "ModuleGetFunction",
    "queue_callback": "LaunchHostFunc",
    "graph_build": "GraphInstantiateWithFlags",
    "graph_run": "GraphLaunch",
}
_CUDA_CALLS = {
    "launch": "LaunchKernel",
    "copy_rows": "Memcpy2DAsync_v2",
    "allocate": "MemAlloc_v2",
    "free": "MemFree_v2",
    "memory_info": "MemGetInfo_v2",
}
_HIP_CALLS = {
    "launch": "ModuleLaunchKernel",
    "copy_rows": "Memcpy2DAsync",
    "allocate": "Malloc",
    "free": "Free",
    "memory_info": "MemGetInfo",
}

DRIVERS = (
    Driver(
        "cuda",
        "CUDA",
        partial(devices, "cuda"),
        words=("cuda", "nvidia"),
        absent="this machine has no CUDA library (libcuda.so.1, nvcuda.dll): install NVIDIA's driver, or start the "
        "container with its GPUs (docker run --gpus all)",
        calls={"cuda": {entry: "cu" + name for entry, name in (_CALLS | _CUDA_CALLS).items()}},
    ),
    Driver(
        "hip",
        "HIP",
        partial(devices, "hip"),
        words=("hip", "amd", "rocm"),
        absent="this machine has no HIP library (libamdhip64): install ROCm, or start the container with its GPUs",
        calls={"hip": {entry: "hip" + name for entry, name in (_CALLS | _HIP_CALLS).items()}},
    ),
)
