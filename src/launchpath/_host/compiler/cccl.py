"""NVIDIA's CCCL, whose thrust runs algorithms on the host: where it is, and what it is told."""

from __future__ import annotations

import os

from ..._compiler import header_folders
from ..._installed import cuda_folders, namespace
from ...errors import CompileError
from .command import Command

_NEEDED = "thrust/device_vector.h"


def folders() -> list[str]:
    """Name the folders of its headers, with launchpath's own before them.

    Raises
    ------
    CompileError
        It is not installed.
    """
    candidates = [path for folder in namespace("nvidia") for path in _of_package(folder)]
    candidates += cuda_folders("include/cccl", "include", "targets/x86_64-linux/include")
    for folder in namespace("cupy"):
        candidates.append(os.path.join(folder, "_core", "include", "cupy", "_cccl", "thrust"))
    for folder in candidates:
        if os.path.exists(os.path.join(folder, _NEEDED)):
            return [*header_folders.BEFORE_CCCL, folder]
    raise CompileError(
        "expected the headers of thrust, which this source includes, got none: pip install nvidia-cuda-cccl"
    )


def _of_package(folder: str) -> list[str]:
    newer = sorted((each for each in os.listdir(folder) if each.startswith("cu") and each[2:].isdigit()), reverse=True)
    return [
        *(os.path.join(folder, each, "include", "cccl") for each in newer),
        os.path.join(folder, "cuda_cccl", "include"),
    ]


def macros(command: Command) -> list[str]:
    """Give the options that choose thrust's systems."""
    name = "OMP" if command.openmp else "CPP"
    return [f"-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_{name}", "-DTHRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP"]
