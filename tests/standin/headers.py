"""Where the vendors' own headers are, for tests that hold our numbers against them.

``LAUNCHPATH_TEST_HEADERS=cuda,hip`` makes a test fail that would be skipped because its header is missing.
"""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .build import ROOT

HEADER = {"cuda": "cuda.h", "cupti": "cupti.h", "hip": "hip/hip_runtime_api.h"}
HOW = {
    "cuda": "`pip install nvidia-cuda-runtime`, or name the folder of cuda.h in LAUNCHPATH_CUDA_INCLUDE",
    "cupti": "`pip install nvidia-cuda-cupti`, or name the folder of cupti.h in LAUNCHPATH_CUPTI_INCLUDE",
    "hip": (
        "`apt-get download libamdhip64-dev && dpkg -x libamdhip64-dev_*.deb build/hip` on Debian, "
        "or name the folder that holds hip/hip_runtime_api.h in LAUNCHPATH_HIP_INCLUDE"
    ),
}


def include_folder(which: str) -> Path:
    """Return the folder to give to the compiler; skip the test if there is none."""
    for folder in _candidates(which):
        if (folder / HEADER[which]).exists():
            return folder
    message = f"no {HEADER[which]}: {HOW[which]}"
    if which in os.environ.get("LAUNCHPATH_TEST_HEADERS", "").split(","):
        pytest.fail(message)
    pytest.skip(message)


def _candidates(which: str) -> Iterator[Path]:
    chosen = os.environ.get(f"LAUNCHPATH_{which.upper()}_INCLUDE")
    if chosen:
        yield Path(chosen)
        return
    if which == "hip":
        yield ROOT / "build" / "hip" / "usr" / "include"
        yield Path(os.environ.get("ROCM_PATH", "/opt/rocm")) / "include"
    else:
        spec = importlib.util.find_spec("nvidia")
        for folder in spec.submodule_search_locations or () if spec else ():
            yield from sorted(Path(folder).glob("*/include"), reverse=True)
        yield Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include"
    yield Path("/usr/include")
