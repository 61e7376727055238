"""The library files of NVRTC and hipRTC, and the choice of a file for a device."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

from ...errors import CompileError
from ..target import CUDA, Target

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
_SYSTEM = (
    "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64",
)  # fmt: skip


class LibraryFile(NamedTuple):
    """A library's file.

    Attributes
    ----------
    dialect : str
        ``cuda`` (NVRTC) or ``hip`` (hipRTC).
    path : str
    major : int
        Of its version, by its file's name; 0 if that does not say.
    """

    dialect: str
    path: str
    major: int

    @property
    def identity(self) -> str:
        """What tells it from any other, without loading it: that takes longer than looking into the cache."""
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
        There is none, or none that fits; the message says what to install.
    """
    named = os.environ.get(VARIABLES[target.form])
    if named:
        if not os.path.isfile(named):
            raise CompileError(f"{VARIABLES[target.form]} names {named}, which is not a file")
        return LibraryFile(target.form, os.path.abspath(named), _major(named))
    if target.form != CUDA:
        for file in _hiprtc(os.path.dirname(target.library)):
            return file
        raise CompileError(HIPRTC_HINT)
    refused = []
    for file in [*_nvrtc(), *_from_pathfinder()]:
        reason = _unfit(file, target)
        if not reason:
            return file
        refused.append(f"{file.path} {reason}")
    if refused:
        old = 0 < target.compute < _OLDEST[13] or 0 < target.version[0] < 13
        package = f"nvidia-cuda-nvrtc{'-cu12' if old else ''}"
        raise CompileError(f"no installed NVRTC fits the device: {'; '.join(refused)}. pip install {package}")
    raise CompileError(NVRTC_HINT)


def _unfit(file: LibraryFile, target: Target) -> str:
    """Say why a library cannot be taken for a device; empty if it can."""
    if target.version != (0, 0) and file.major > target.version[0]:
        return f"makes programs that are too new for the driver, of CUDA {target.version[0]}.{target.version[1]}"
    if 0 < target.compute < _OLDEST.get(file.major, 0):
        return f"no longer supports {target.architecture}"
    return ""


@cache
def _nvrtc() -> tuple[LibraryFile, ...]:
    """Every NVRTC there is: those of Python packages first, the newest first."""
    packages = [os.path.join(folder, part) for folder in namespace("nvidia") for part in _PACKAGES]
    system = [*_loader_folders(), *cuda_folders("lib64", "lib", "targets/x86_64-linux/lib"), *_SYSTEM]
    return tuple(
        LibraryFile("cuda", path, _major(path))
        for folders in (packages, system)
        for path in sorted(_in(folders, "libnvrtc.so.*"), key=_major, reverse=True)
    )


def _from_pathfinder() -> Iterator[LibraryFile]:
    """Ask NVIDIA's own finder, where it is installed. It knows more places, and loads what it finds: so it is last."""
    try:
        from cuda import pathfinder  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415

        path = pathfinder.load_nvidia_dynamic_lib("nvrtc").abs_path
    except (ImportError, RuntimeError, OSError):
        return
    if path:
        yield LibraryFile("cuda", path, _major(path))


def _hiprtc(beside: str) -> Iterator[LibraryFile]:
    """Yield every hipRTC. The one beside the driver's library comes first: those two must be of one ROCm."""
    roots = [os.environ.get("ROCM_PATH"), os.environ.get("HIP_PATH"), "/opt/rocm", *sorted(glob.glob("/opt/rocm-*"))]
    folders = [os.path.join(root, "lib") for root in roots if root]
    folders += [os.path.join(folder, "lib") for name in ("_rocm_sdk_core", "torch") for folder in namespace(name)]
    folders = [*filter(None, [beside]), *_loader_folders(), *folders, *_SYSTEM]
    for pattern in ("libhiprtc.so*", "libamdhip64.so*"):  # before ROCm 5.6 it was in the second only
        for folder in folders:
            for path in sorted(_in([folder], pattern), key=_major, reverse=True):
                yield LibraryFile("hip", path, _major(path))


def namespace(name: str) -> list[str]:
    """The folders of a package, or of a namespace that several packages share."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return []
    return [*(spec.submodule_search_locations or ())] if spec is not None else []


def cuda_folders(*parts: str) -> list[str]:
    """Subfolders of where CUDA is installed; they need not be there."""
    roots = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME", "CUDA_ROOT")]
    roots += [sys.prefix if os.path.isdir(os.path.join(sys.prefix, "conda-meta")) else None]
    roots += ["/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True), "/opt/cuda"]
    return [os.path.join(root, part) for root in roots if root for part in parts]


def _loader_folders() -> list[str]:
    return [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]


def _in(folders: Iterable[str], pattern: str) -> Iterator[str]:
    """Yield the libraries of a name, each file once."""
    seen = set()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), pattern))):
            real = os.path.realpath(path)
            if real not in seen and not re.search(r"-builtins|\.alt\.|\.debug$|\.a$", os.path.basename(path)):
                seen.add(real)
                yield path


def _major(path: str) -> int:
    """The major version that a file's name says, or that of what it is a link to."""
    for name in (path, os.path.realpath(path)):
        if match := re.search(r"\.so\.(\d+)", os.path.basename(name)):
            return int(match[1])
    return 0
