"""Headers for NVRTC and hipRTC: launchpath's own, which are always there, and NVIDIA's."""

from __future__ import annotations

import glob
import os
import re
from functools import cache
from typing import TYPE_CHECKING

from launchpath._installed import cuda_folders, namespace

from ... import header_folders
from ...cache import cache as caches
from ...target import CUDA
from .library_file import LibraryFile

if TYPE_CHECKING:
    from .library import Library

HEADERS = (header_folders.RTC, *header_folders.RTC_LIBRARY, header_folders.COMMON, header_folders.RTC_FORWARDING)

# In place of headers of NVIDIA's, which most of them include.
_OVER = (os.path.join(header_folders.RTC, "nvidia"), os.path.join(header_folders.FORWARDING, "nvidia"))
# Which package brings a header of CUDA's that is not here.
_PACKAGES = (
    (r"curand|hiprand", "nvidia-curand"),
    (r"cuda/|cub/|thrust/|nv/", "nvidia-cuda-cccl"),
    (r"mma\.h|crt/", "nvidia-cuda-crt"),
    (r"cufft|cublas|cusparse|cusolver", ""),
    (r"cu[a-z]*_|cooperative_groups|sm_\d+|math_constants|cuComplex", "nvidia-cuda-runtime"),
)
# The packages' folders for CUDA 11 and 12, and the folders of packages for any version of CUDA.
_PARTS = (
    "cuda_runtime", "cuda_cccl", "curand", "cuda_nvcc", "cuda_crt", "cublas", "cufft", "cusolver", "cusparse", "nvtx",
)  # fmt: skip
_OTHERS = ("nccl", "cudnn")
_CUDA_VERSION = rb"(?m)^#define[ \t]+CUDA_VERSION[ \t]+(\d+)\s"
_BEGIN = 1 << 16  # bytes of a large file, in which it stands


def bundled(file: LibraryFile) -> list[str]:
    """The folders of our own headers. HIP's of CUDA's names are apart: NVIDIA has headers of these names."""
    return [*HEADERS] if file.dialect == CUDA else [*HEADERS, os.path.join(header_folders.RTC, "amd")]


def folders(library: Library) -> tuple[str, ...]:
    """The folders of NVIDIA's headers that go with a library; none for hipRTC, which brings its own.

    Those that NVRTC itself brings come first: they are of its own version, which others are by their major only. Before
    them are folders of ours, whose headers make theirs agree with nvcc's.
    """
    if library.file.dialect != CUDA:
        return ()
    theirs = dict.fromkeys([*_bundled(library), *_installed(library.file, library.version[0])])
    return (*_OVER, *theirs) if theirs else ()


def identity() -> str:
    """The identity of our headers."""
    return header_folders.identity(*HEADERS, *_OVER[1:], *header_folders.ABSENT)


def hint(name: str, file: LibraryFile) -> str:
    """Say how to get a header that is not here; empty if that is not known."""
    if file.dialect != CUDA:
        return ""
    package = next((package for pattern, package in _PACKAGES if re.match(pattern, name)), "")
    if not package:
        return ""
    suffix = f"-cu{file.major}" if 0 < file.major < 13 else ""
    return f"<{name}> comes with CUDA: pip install {package}{suffix}, or install CUDA"


@cache
def _installed(file: LibraryFile, major: int) -> tuple[str, ...]:
    """Folders that are there, of packages, of an installation, and of packages that bring some along."""
    folders = []
    for folder in namespace("nvidia"):
        if major >= 13:
            folders.append(os.path.join(folder, f"cu{major}", "include"))
        else:
            folders += [os.path.join(folder, part, "include") for part in _PARTS]
        folders += [os.path.join(folder, part, "include") for part in _OTHERS]
    near = os.path.dirname(os.path.dirname(os.path.realpath(file.path)))
    installed = [
        os.path.join(near, "include"),
        *cuda_folders("include", "targets/x86_64-linux/include"),
        "/usr/include",
    ]
    folders += [folder for folder in installed if _version(folder) == major]
    for folder in namespace("cupy"):
        cupy = os.path.join(folder, "_core", "include", "cupy")
        folders += sorted(glob.glob(os.path.join(glob.escape(cupy), "_cuda", f"cuda-{major}*")), reverse=True)
        folders += [os.path.join(cupy, "_cccl", part) for part in ("libcudacxx", "cub", "thrust")]
    folders = [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]
    with_library = [part for folder in folders for part in (folder, os.path.join(folder, "cccl"))]
    return tuple(folder for folder in with_library if os.path.isdir(folder))


@cache
def _bundled(library: Library) -> tuple[str, ...]:
    """Unpack NVRTC's own headers (26 MB, once), where the compiled programs are kept."""
    folder, _, enabled = caches.settings()
    if folder is None or not enabled:
        return ()
    place = os.path.join(folder, "headers", f"nvrtc-{library.version[0]}.{library.version[1]}")
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
    except OSError:
        return ()
    if not library.install_headers(place):
        return ()
    return (place, os.path.join(place, "cccl"))


def _version(folder: str) -> int:
    """The major version of the CUDA that a folder's headers are of; 0 if there are none."""
    try:
        with open(os.path.join(folder, "cuda.h"), "rb") as file:
            text = file.read(_BEGIN)
            number = re.search(_CUDA_VERSION, text) or re.search(_CUDA_VERSION, text + file.read())
    except OSError:
        return 0
    return int(number[1]) // 1000 if number else 0
