"""Libraries of CUDA's and ROCm's that programs are linked with: those that are had, and those that launchpath lacks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

# The libraries of `toolkit`, which are empty.
STUBS_SHARED = ("cudart", "cuda", "amdhip64", "nvrtc", "hiprtc")
STUBS_STATIC = ("cudart_static", "cudadevrt", "culibos")
_STUBS = frozenset((*(f"lib{name}.so" for name in STUBS_SHARED), *(f"lib{name}.a" for name in STUBS_STATIC)))

# Names behind `-l` that need nothing: launchpath has their functions, or the C and C++ libraries are linked anyway.
HAD = frozenset(
    (*STUBS_SHARED, *STUBS_STATIC, "nvrtc_static", "hip_hcc",
     "hsa-runtime64", "nvToolsExt", "roctx64", "roctracer64", "nvidia-ml", "m", "pthread", "dl", "rt", "c", "util",
     "stdc++", "stdc++fs", "c++", "c++abi", "unwind", "gcc", "gcc_s", "gcc_eh", "supc++", "atomic", "compiler_rt")
)  # fmt: skip

# The beginnings of the functions' names, and what each library is called.
_LIBRARIES = (
    ("cuBLAS", r"cublas(?:Lt)?[A-Z]"), ("cuFFT", r"cufft(?:Xt)?[A-Z]"), ("cuSPARSE", r"cusparse(?:Lt)?[A-Z]"),
    ("cuSOLVER", r"cusolver(?:Dn|Sp|Rf|Mg)?[A-Z]"), ("cuDNN", r"cudnn[A-Z]"),
    ("cuRAND's host functions", r"curand[A-Z]"),
    ("NCCL or RCCL", r"p?nccl[A-Z]"), ("NPP", r"npp[a-z]*[A-Z_]"), ("nvJPEG", r"nvjpeg[A-Z]"),
    ("NVML", r"nvml[A-Z]"), ("CUPTI", r"cupti[A-Z]"), ("cuTENSOR", r"cutensor[A-Z]"),
    ("rocBLAS", r"rocblas_"), ("hipBLAS", r"hipblas(?:Lt)?[A-Z]"), ("rocFFT", r"rocfft_"),
    ("hipFFT", r"hipfft[A-Z]"), ("rocSPARSE", r"rocsparse_"), ("hipSPARSE", r"hipsparse(?:Lt)?[A-Z]"),
    ("rocSOLVER", r"rocsolver_"), ("hipSOLVER", r"hipsolver[A-Z]"), ("MIOpen", r"miopen[A-Z]"),
    ("rocRAND's host functions", r"rocrand_(?!init)"), ("hipRAND's host functions", r"hiprand[A-Z]"),
    ("ROCm SMI", r"rsmi_"), ("MPI", r"P?MPI_"), ("OpenMP", r"omp_|__kmpc_|GOMP_"),
)  # fmt: skip
_LACKING = "launchpath does not have that library"
_ADVICE = {"OpenMP": "compile and link it with -fopenmp"}
_NAMES = [(library, re.compile(pattern)) for library, pattern in _LIBRARIES]

# Names behind `-l` of the libraries above: programs may be linked with them and call nothing of them.
ABSENT = re.compile(
    r"cu(?:blas|blasLt|fft|fftw|sparse|solver|solverMg|dnn|rand|tensor|pti|bla\w+)(?:_static|_static_nocallback|\w*)?|n?v?nccl|rccl|npp\w+|nvjpeg\w*"
    r"|roc(?:blas|fft|sparse|solver|rand)|hip(?:blas|blaslt|fft|sparse|solver|rand)|MIOpen|rocm_smi64|nvJitLink|nvptxcompiler_static"
)


def is_stub(path: str) -> bool:
    """Whether a file is a library of CUDA's or HIP's runtime, whose functions launchpath has."""
    return os.path.basename(path) in _STUBS


def library_of(function: str) -> str | None:
    """Name the library that a function belongs to; None if it is none of those that launchpath lacks."""
    return next((library for library, pattern in _NAMES if pattern.match(function)), None)


def text(functions: Iterable[str]) -> str:
    """Say which libraries are missing for some functions; empty if none is."""
    by_library: dict[str, list[str]] = {}
    for function in functions:
        if (library := library_of(function)) is not None:
            by_library.setdefault(library, []).append(function)
    return "".join(
        f"launchpath c++: error: {library}: the program calls {_enumeration(names)}: {_ADVICE.get(library, _LACKING)}\n"
        for library, names in sorted(by_library.items())
    )


def _enumeration(names: Iterable[str]) -> str:
    unique = sorted(set(names))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} and {unique[-1]}"
