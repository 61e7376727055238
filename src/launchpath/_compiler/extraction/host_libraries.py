"""Headers of the libraries that only host code calls: cuBLAS, cuFFT, NCCL and the like.

Kernels need some of their types and constants. NVRTC does not read such headers as they are, for they declare functions
with types of the host's (``FILE *``). So where they are installed they are taken apart as the user's own files are, and
where they are not, `header_folders.ABSENT` has the types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMES = re.compile(
    r"""(?:
    cu(?:blas|dnn|fft|solver|sparse|tensor|dss|file|pti)\w*\.h
    |cudalibxt\.h|curand\.h|nvblas\.h|nvml\.h|nvrtc\.h|nvJitLink\.h|nvjpeg\w*\.h|npp\w*\.h|nccl(?:_net)?\.h
    |nvtx3/.*|nvToolsExt\w*\.h
    )""",
    re.VERBOSE,
)


def is_one_of(path: str, folders: Iterable[str]) -> bool:
    """Whether a header in one of the folders of CUDA's own headers belongs to these libraries."""
    return any(
        path.startswith(f"{folder}/") and _NAMES.fullmatch(path[len(folder) + 1 :]) is not None for folder in folders
    )
