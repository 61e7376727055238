"""Workarounds: platforms' differences from their specifications, and the switches for launchpath's reaction.

Each workaround has a name. The platforms on which the matter was seen have it by themselves; ``LAUNCHPATH_WORKAROUNDS``
puts it on or off for all devices: ``LAUNCHPATH_WORKAROUNDS=ask-when-empty,-prefer-opencl-c``. A device's own are in
``device.info["workarounds"]``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

from launchpath.errors import ArgumentValueError

VARIABLE = "LAUNCHPATH_WORKAROUNDS"

INTEL, NVIDIA, POCL = (
    "Intel(R) OpenCL",
    "NVIDIA CUDA",
    "Portable Computing Language",
)  # as the platforms call themselves


class Workaround(NamedTuple):
    """One switch."""

    name: str
    does: str  # what launchpath does where it is on
    reason: str  # what was seen, and where: the platform with its version
    drivers: tuple[str, ...]  # those that heed it: "opencl", "cuda", "hip", "simulated"
    # whether a device has it without being told, by its platform's name and its kind ("cpu", "gpu", ...)
    by_itself: Callable[[str, str], bool]


def _never(platform: str, kind: str) -> bool:
    return False


def _on(*platforms: str) -> Callable[[str, str], bool]:
    return lambda platform, kind: platform in platforms


def _is_intel_cpu(platform: str, kind: str) -> bool:
    return platform == INTEL and kind == "cpu"


def _starts_at_enqueue(platform: str, kind: str) -> bool:
    if platform == NVIDIA:
        return kind == "gpu" and sys.platform.startswith("linux")
    return kind == "cpu" and platform in (INTEL, POCL)


WORKAROUNDS = (
    Workaround(
        "ask-when-empty",
        "launchpath asks the driver each time whether a stream is empty, and never relies on its own record",
        "for foreign code that submits to a stream without requesting its handle; no platform switches it on",
        ("opencl", "cuda", "hip", "simulated"),
        _never,
    ),
    Workaround(
        "assume-generic-addresses",
        "OpenCL C may use a generic address space",
        "NVIDIA's OpenCL (driver 580) reports none, neither by the device query nor by a feature macro; its "
        "compiler treats unqualified pointers as generic, with C11's atomics on them",
        ("opencl",),
        _on(NVIDIA),
    ),
    Workaround(
        "block-limit-of-device",
        "the limit of a kernel's block is assumed to be that of the device; the launch decides",
        "NVIDIA's OpenCL (driver 580) answers CL_KERNEL_WORK_GROUP_SIZE with 256 for every kernel, "
        "and runs blocks of 1024",
        ("opencl",),
        _on(NVIDIA),
    ),
    Workaround(
        "build-apart",
        "programs with barriers, and all but small ones, are built in another process; their binaries are loaded in "
        "this one",
        "the compiler of Intel's CPU runtime (2026.2) crashes on some, in its passes "
        "sycl-kernel-reduce-cross-barrier-values and instcombine",
        ("opencl",),
        _is_intel_cpu,
    ),
    Workaround(
        "complete-failed-events",
        "commands that wait for a failed user event still run, and launchpath reports the failure",
        "PoCL 3.1 aborts the process when a command fails and its event has no owner, and hangs on an event that has "
        "failed already; Intel's CPU runtime (2026.2) frees a command twice when two of its waits fail",
        ("opencl",),
        _on(POCL, INTEL),
    ),
    Workaround(
        "declare-functions",
        "programs in OpenCL C declare the functions that they call, and are built without the platform's header of all",
        "PoCL 3.1 reads Clang's opencl-c.h twice for every program, 90 ms for a small one; Clang's guard _OPENCL_H_ "
        "leaves it out",
        ("opencl",),
        _on(POCL),
    ),
    Workaround(
        "identifier-names",
        "kernels' names, as the driver knows them, are C identifiers: ns_bar_float for ns::bar<float>",
        "PoCL makes names of files and symbols of them (its issue 1303: it ends the process at @ and /). Intel's CPU "
        "runtime (2026.2) takes names as sources have them; no other platform that takes SPIR-V was seen to",
        ("opencl",),
        lambda platform, kind: not _is_intel_cpu(platform, kind),
    ),
    Workaround(
        "load-unheld",
        "programs are loaded while no stream waits for the host",
        "CUDA (driver 580) waits for the device when it loads a program, and holds a lock meanwhile that launches need",
        ("cuda", "hip"),
        _on("CUDA"),
    ),
    Workaround(
        "no-argument-info-option",
        "programs are built without -cl-kernel-arg-info",
        "NVIDIA's OpenCL (driver 580) makes PTX with it that its own assembler refuses, of kernels without parameters",
        ("opencl",),
        _on(NVIDIA),
    ),
    Workaround(
        "no-profiling",
        "queues are created without profiling: commands and events have no times",
        "profiling costs about 0.05 us a command (Intel's CPU runtime, PoCL 3.1); on no platform by itself",
        ("opencl",),
        _never,
    ),
    Workaround(
        "no-uniform-option",
        "programs are built without -cl-uniform-work-group-size",
        "PoCL 3.1 accepts it with a warning, which is then the only text in its log; "
        "NVIDIA's compiler (driver 580) refuses it",
        ("opencl",),
        _on(POCL, NVIDIA),
    ),
    Workaround(
        "prefer-opencl-c",
        "programs are passed to the driver as OpenCL C, although the device takes SPIR-V too",
        "PoCL loads SPIR-V through a translator, which may be missing in its build, and which is incomplete",
        ("opencl",),
        _on(POCL),
    ),
    Workaround(
        "starts-at-enqueue",
        "commands are not flushed",
        "OpenCL promises a start only after clFlush; Intel's and PoCL's CPU runtimes start at once, and NVIDIA's does "
        "on Linux (8 us from enqueue to start with the host asleep), where a flush costs 0.56 us a launch",
        ("opencl",),
        _starts_at_enqueue,
    ),
)

_NAMES = {each.name for each in WORKAROUNDS}


def forced(value: str | None) -> dict[str, bool]:
    """Read ``LAUNCHPATH_WORKAROUNDS``: by name, whether a workaround is put on or off.

    Raises
    ------
    ArgumentValueError
        A name is not one of a workaround.
    """
    switches = {}
    for word in (value or "").replace(",", " ").split():
        name = word.removeprefix("-")
        if name not in _NAMES:
            names = ", ".join(sorted(_NAMES))
            raise ArgumentValueError(f"{VARIABLE}: expected names of workarounds ({names}), got {name!r}")
        switches[name] = not word.startswith("-")
    return switches


def in_force(driver: str, environment: Mapping[str, str] = os.environ) -> Callable[[str, str], frozenset[str]]:
    """Give the function that tells the names of the workarounds in force, by a platform's name and a kind of device.

    Parameters
    ----------
    driver : str
        "opencl", "cuda" or "hip".
    environment : mapping
        With ``LAUNCHPATH_WORKAROUNDS``.

    Raises
    ------
    ArgumentValueError
        A name in ``LAUNCHPATH_WORKAROUNDS`` is not one of a workaround.
    """
    switches = forced(environment.get(VARIABLE))
    heeded = [each for each in WORKAROUNDS if driver in each.drivers]

    def names(platform: str, kind: str) -> frozenset[str]:
        return frozenset(each.name for each in heeded if switches.get(each.name, each.by_itself(platform, kind)))

    return names
