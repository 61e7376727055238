"""Find an OpenCL library, and the CPU runtime of the Python environment.

The library is looked for in this order:

1. ``LAUNCHPATH_OPENCL_LIBRARY``, and nothing else if that is set;
2. the loader that comes with the packages ``intel-opencl-rt`` and ``intel-cmplr-lib-rt`` (the *embedded runtime*,
   ``pip install launchpath[cpu]``); it lists the system's platforms as well;
3. the system's.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from launchpath._drivers import workarounds
from launchpath._drivers.driver import Driver
from launchpath.errors import LibraryError

LIBRARY_VARIABLE = "LAUNCHPATH_OPENCL_LIBRARY"
ICD_VARIABLE = "OCL_ICD_FILENAMES"  # read by Khronos' loader; Debian's own (ocl-icd) ignores it
INSTALL_HINT = (
    "install a CPU device with `pip install intel-opencl-rt intel-cmplr-lib-rt` (Linux, x86-64; the extra "
    "launchpath[cpu] brings them) or PoCL (Debian: `apt install pocl-opencl-icd ocl-icd-libopencl1`); "
    "GPUs bring OpenCL with their vendor's driver"
)

PACKAGE = "intel-opencl-rt"
LOADER = "libOpenCL.so.1"
RUNTIME = "libintelocl.so"
# What the runtime needs, in an order in which each finds those before it by name. Opened by their full paths first,
# it loads without LD_LIBRARY_PATH; opened locally, none of them answers for another library.
NEEDED = {
    "libintlc.so.5": "intel-cmplr-lib-rt",
    "libirng.so": "intel-cmplr-lib-rt",
    "libimf.so": "intel-cmplr-lib-rt",
    "libsvml.so": "intel-cmplr-lib-rt",
    "libtbb.so.12": "tbb",
    "libcommon_clang.so": PACKAGE,
    RUNTIME: PACKAGE,
}


class EmbeddedRuntime(NamedTuple):
    """The CPU runtime in this Python environment."""

    loader: str  # path of its OpenCL loader
    runtime: str  # path of the library that the loader is to load
    needed: tuple[str, ...]  # paths of the libraries to open first, in order; `runtime` is the last


def system_libraries(platform: str = sys.platform) -> list[str]:
    """Return the names under which the system's OpenCL library goes, in the order to try."""
    if platform == "win32":
        return ["OpenCL.dll"]
    if platform == "darwin":
        return ["/System/Library/Frameworks/OpenCL.framework/OpenCL"]
    return ["libOpenCL.so.1", "libOpenCL.so"]


def embedded_folders() -> Iterator[str]:
    """Yield the folders that may hold the embedded runtime."""
    from importlib import metadata  # noqa: PLC0415 (slow to import)

    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == RUNTIME:
            yield os.path.dirname(os.path.realpath(str(file.locate())))

    import sysconfig  # noqa: PLC0415

    for prefix in dict.fromkeys((sysconfig.get_path("data"), sys.prefix, sys.base_prefix)):
        if prefix:
            yield os.path.join(prefix, "lib")


def embedded_runtime() -> EmbeddedRuntime | None:
    """Find the embedded runtime; None if it is not installed.

    Raises
    ------
    LibraryError
        It is there, but a library that it needs is not; the message names the package to install.
    """
    if not sys.platform.startswith("linux"):
        return None
    for folder in embedded_folders():
        if not all(os.path.exists(os.path.join(folder, name)) for name in (LOADER, RUNTIME)):
            continue
        for name, package in NEEDED.items():
            if not os.path.exists(os.path.join(folder, name)):
                raise LibraryError(f"{os.path.join(folder, RUNTIME)} needs {name}: `pip install {package}`")
        needed = tuple(os.path.join(folder, name) for name in NEEDED)
        return EmbeddedRuntime(os.path.join(folder, LOADER), os.path.join(folder, RUNTIME), needed)
    return None


def icd_filenames(value: str | None, runtime: str) -> str:
    """Return the loader's list of runtimes: the user's own first, then `runtime` unless the list has it already."""
    listed = [path for path in (value or "").split(os.pathsep) if path]
    if os.path.realpath(runtime) in map(os.path.realpath, listed):
        return os.pathsep.join(listed)
    return os.pathsep.join([*listed, runtime])


@contextmanager
def environment_variable(name: str, value: str) -> Iterator[None]:
    """Set a variable of the process, for libraries that read it, and put back what was there."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


class Found(NamedTuple):
    """What `devices` found."""

    devices: list[Any]
    skipped: list[tuple[str, str]]  # names of platforms and devices that cannot be used, each with the reason


_lock = threading.Lock()
_search: Found | None = None


def devices(environment: Mapping[str, str] = os.environ) -> Found:
    """Load the OpenCL library and list its devices. The first call does the work, later ones return the same.

    Raises
    ------
    LibraryError
        There is no OpenCL library, or the one named by ``LAUNCHPATH_OPENCL_LIBRARY`` cannot be loaded.
    """
    global _search  # noqa: PLW0603
    with _lock:
        if _search is None:
            from launchpath import _core  # noqa: PLC0415 (only when a device is wanted)

            _search = find_devices(_core, environment)
            for device in _search.devices:
                device.traits["calls"] = "opencl-usm" if device.info["memory"] == "usm" else "opencl"
        return _search


def find_devices(core: Any, environment: Mapping[str, str]) -> Found:
    """Do the work of `devices` with `core`'s ``opencl_open``, ``opencl_load`` and ``opencl_devices``."""
    in_force = workarounds.in_force("opencl", environment)
    chosen = environment.get(LIBRARY_VARIABLE)
    if chosen:
        try:
            core.opencl_load(chosen)
        except LibraryError as error:
            raise LibraryError(f"{error} (from {LIBRARY_VARIABLE})") from error
        return Found(*core.opencl_devices(in_force))

    skipped: list[tuple[str, str]] = []
    try:
        embedded = embedded_runtime()
        if embedded is not None:
            for path in embedded.needed:
                core.opencl_open(path)
            # The recorder asks for the platforms as soon as the library is there: the loader looks for them once.
            with environment_variable(ICD_VARIABLE, icd_filenames(environment.get(ICD_VARIABLE), embedded.runtime)):
                core.opencl_load(embedded.loader)
    except LibraryError as error:
        skipped.append((PACKAGE, str(error)))
    else:
        if embedded is not None:
            with environment_variable(ICD_VARIABLE, icd_filenames(environment.get(ICD_VARIABLE), embedded.runtime)):
                return Found(*core.opencl_devices(in_force))

    reasons = []
    for path in system_libraries():
        try:
            core.opencl_load(path)
        except LibraryError as error:
            reasons.append(str(error))
            continue
        usable, left_out = core.opencl_devices(in_force)
        return Found(usable, skipped + left_out)
    reasons += [reason for _, reason in skipped]
    raise LibraryError(f"no OpenCL library: {'; '.join(reasons)}. To get one, {INSTALL_HINT}")


# What other tools know the library's functions by; some differ with the kind of memory that a device has.
_CALLS = {
    "launch": "clEnqueueNDRangeKernel",
    "queue_create": "clCreateCommandQueueWithProperties",
    "queue_flush": "clFlush",
    "queue_finish": "clFinish",
    "marker": "clEnqueueBarrierWithWaitList",
    "event_query": "clGetEventInfo",
    "event_wait": "clWaitForEvents",
    "event_callback": "clSetEventCallback",
    "user_event": "clCreateUserEvent",
    "user_event_set": "clSetUserEventStatus",
    "program_build": "clBuildProgram",
    "program_load": "clCreateProgramWithBinary",
    "program_release": "clReleaseProgram",
    "kernel_find": "clCreateKernel",
}
_SVM_CALLS = {
    "copy": "clEnqueueSVMMemcpy",
    "fill": "clEnqueueSVMMemFill",
    "allocate": "clSVMAlloc",
    "free": "clSVMFree",
}
_USM_CALLS = {
    "copy": "clEnqueueMemcpyINTEL",
    "fill": "clEnqueueMemFillINTEL",
    "allocate": "clSharedMemAllocINTEL",
    "free": "clMemFreeINTEL",
}

DRIVER = Driver("opencl", "OpenCL", devices, calls={"opencl": _CALLS | _SVM_CALLS, "opencl-usm": _CALLS | _USM_CALLS})
