"""The library files of NVRTC and hipRTC: the choice of a file for a device, and how it is opened."""

from __future__ import annotations

import ctypes
import glob
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import NamedTuple

from launchpath._installed import (
    SYSTEM_FOLDERS,
    cuda_folders,
    libraries_in,
    loader_folders,
    major_version,
    names_in,
    namespace,
)
from launchpath.errors import CompileError

from ...target import CUDA, Target

VARIABLES = {"cuda": "LAUNCHPATH_NVRTC_LIBRARY", "hip": "LAUNCHPATH_HIPRTC_LIBRARY"}
NVRTC_HINT = (
    "compiling for CUDA devices needs NVRTC: pip install nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cuda-cccl "
    "(launchpath's extra `cuda` installs them), install CUDA, or name the library in LAUNCHPATH_NVRTC_LIBRARY"
)
HIPRTC_HINT = "compiling for HIP devices needs hipRTC: install ROCm, or name the library in LAUNCHPATH_HIPRTC_LIBRARY"

# The oldest devices that NVRTC's major versions know (CUDA's release notes).
_OLDEST = {11: 35, 12: 50, 13: 75}
# Where Python packages keep it, below `nvidia`.
_PACKAGES = ("cu13/lib", "cuda_nvrtc/lib", "cu12/lib")


class LibraryFile(NamedTuple):
    """A library's file."""

    dialect: str  # ``cuda`` (NVRTC) or ``hip`` (hipRTC)
    path: str
    major: int  # of its version, by its file's name; 0 if that does not say

    @property
    def identity(self) -> str:
        """Its identity, without loading it: that takes longer than a look into the cache."""
        try:
            state = os.stat(self.path)
        except OSError:  # left to the dynamic loader to find
            return self.path
        return f"{os.path.realpath(self.path)} {state.st_size} {state.st_mtime_ns}"


def choose(target: Target) -> LibraryFile:
    """Choose the library for a device.

    Its major version must not be above the driver's: such binaries are refused. A device that a library is too new
    for is not its either.

    Raises
    ------
    CompileError
        There is no library, or none that fits; the message says which package to install.
    """
    named = os.environ.get(VARIABLES[target.form])
    if named:
        if not os.path.isfile(named):
            raise CompileError(f"{VARIABLES[target.form]} names {named}, which is not a file")
        return LibraryFile(target.form, os.path.abspath(named), major_version(named))
    if target.form != CUDA:
        for file in _hiprtc(os.path.dirname(target.library)):
            return file
        raise CompileError(HIPRTC_HINT)
    refused = []
    for file in chain(_nvrtc(), _from_pathfinder()):
        reason = _unfit(file, target)
        if not reason:
            return file
        refused.append(f"{file.path} {reason}")
    if refused:
        old = 0 < target.compute < _OLDEST[13] or 0 < target.version[0] < 13
        package = f"nvidia-cuda-nvrtc{'-cu12' if old else ''}"
        raise CompileError(f"no installed NVRTC fits the device: {'; '.join(refused)}. pip install {package}")
    raise CompileError(NVRTC_HINT)


def open_library(file: LibraryFile) -> ctypes.CDLL:
    """Open a library.

    Raises
    ------
    OSError
        It cannot be opened.
    """
    # NVRTC opens it by its bare name: up to 13.0, NVRTC does not look beside itself for it.
    folder = os.path.dirname(file.path)
    for name in names_in(folder, "libnvrtc-builtins.so"):
        with suppress(OSError):
            _open(os.path.join(folder, name))
    return _open(file.path)


def _open(path: str) -> ctypes.CDLL:
    """Open a library while Python's other threads go on: `ctypes` alone holds Python's lock meanwhile."""
    sys.audit("ctypes.dlopen", path)
    with suppress(AttributeError, TypeError):  # Windows has no such function
        dlopen = ctypes.CDLL(None).dlopen
        dlopen.argtypes, dlopen.restype = (ctypes.c_char_p, ctypes.c_int), ctypes.c_void_p
        dlopen(os.fsencode(path), os.RTLD_NOW)  # not closed: an error comes again below, with its message
    return ctypes.CDLL(path)


def _unfit(file: LibraryFile, target: Target) -> str:
    """Say why a library cannot be taken for a device; empty if it can."""
    if target.version != (0, 0) and file.major > target.version[0]:
        return f"makes programs that are too new for the driver, of CUDA {target.version[0]}.{target.version[1]}"
    if 0 < target.compute < _OLDEST.get(file.major, 0):
        return f"no longer supports {target.architecture}"
    return ""


def _nvrtc() -> Iterator[LibraryFile]:
    """Yield every NVRTC there is: those of Python packages first, the newest first.

    The system's folders are large: they are looked at only if those of the packages do not do.
    """
    yield from _in_folders(packaged=True)
    yield from _in_folders(packaged=False)


@cache
def _in_folders(packaged: bool) -> tuple[LibraryFile, ...]:
    if packaged:
        folders = [os.path.join(folder, part) for folder in namespace("nvidia") for part in _PACKAGES]
    else:
        folders = [*loader_folders(), *cuda_folders("lib64", "lib", "targets/x86_64-linux/lib"), *SYSTEM_FOLDERS]
    paths = sorted(libraries_in(folders, "libnvrtc.so."), key=major_version, reverse=True)
    return tuple(LibraryFile("cuda", path, major_version(path)) for path in paths)


def every() -> Iterator[LibraryFile]:
    """Yield the libraries that are installed, whatever device they fit: those of environment variables first."""
    seen = set()
    named = [(form, os.environ.get(name)) for form, name in VARIABLES.items()]
    files = [LibraryFile(form, os.path.abspath(path), major_version(path)) for form, path in named if path]
    for file in (*files, *_nvrtc(), *_hiprtc("")):
        if file.path not in seen:
            seen.add(file.path)
            yield file


def _from_pathfinder() -> Iterator[LibraryFile]:
    """Ask NVIDIA's own finder, where it is installed. It knows more places, but loads the library: so it is last."""
    try:
        from cuda import pathfinder  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415

        path = pathfinder.load_nvidia_dynamic_lib("nvrtc").abs_path
    except (ImportError, RuntimeError, OSError):
        return
    if path:
        yield LibraryFile("cuda", path, major_version(path))


def _hiprtc(first_folder: str) -> Iterator[LibraryFile]:
    """Yield every hipRTC. First the library beside the driver's: those two must be of the same ROCm."""
    roots = [os.environ.get("ROCM_PATH"), os.environ.get("HIP_PATH"), "/opt/rocm", *sorted(glob.glob("/opt/rocm-*"))]
    folders = [os.path.join(root, "lib") for root in roots if root]
    folders += [os.path.join(folder, "lib") for name in ("_rocm_sdk_core", "torch") for folder in namespace(name)]
    folders = [*filter(None, [first_folder]), *loader_folders(), *folders, *SYSTEM_FOLDERS]
    for beginning in ("libhiprtc.so", "libamdhip64.so"):  # before ROCm 5.6 it was in the second only
        for folder in folders:
            for path in sorted(libraries_in([folder], beginning), key=major_version, reverse=True):
                yield LibraryFile("hip", path, major_version(path))
