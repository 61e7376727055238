"""What to do about errors whose cause is known: other languages, classes of the host, headers of other packages."""

from __future__ import annotations

import re
from collections.abc import Iterator

_UNKNOWN = re.compile(
    r"(?:unknown type name|undeclared identifier|no (?:type|member|template) named|identifier) ['\"](\w+)['\"]"
)
_OF_HOST = re.compile(r"reference to __host__ function '(?:cuda|hip)(\w+)'")
_BLOCK = re.compile(r"from incompatible type 'const __lp::(?:block_size|\w+)'")
_NO_FILE = re.compile(r"'([^']+)' file not found$")

_INDEX = "blockIdx.x * blockDim.x + threadIdx.x"
_OPENCL = {
    "get_global_id": _INDEX,
    "get_local_id": "threadIdx.x",
    "get_group_id": "blockIdx.x",
    "get_local_size": "blockDim.x",
    "get_num_groups": "gridDim.x",
    "get_global_size": "gridDim.x * blockDim.x",
    "barrier": "__syncthreads()",
    "work_group_barrier": "__syncthreads()",
    "mem_fence": "__threadfence_block()",
    "CLK_LOCAL_MEM_FENCE": "__syncthreads() for barrier(CLK_LOCAL_MEM_FENCE)",
    "CLK_GLOBAL_MEM_FENCE": "__syncthreads() for barrier(CLK_GLOBAL_MEM_FENCE)",
    "__local": "__shared__",
    "local": "__shared__",
    "__constant": "__constant__ for a variable, and const for a pointer",
}
_KERNEL = (
    f"for a kernel of OpenCL C, write '__global__ void', and pointers without '__global', and '{_INDEX}' for "
    "get_global_id(0); or make SPIR-V of it for launchpath.load, with clang -target spirv64 -cl-std=CL2.0"
)
_NUMPY = {
    "float16": "__half", "float32": "float", "float64": "double", "bool_": "bool",
    "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
}  # fmt: skip
_RAW = (
    "for 'raw T x' of CuPy's kernels, write a pointer, 'T *x' in a template or 'float *x', and declare the index: "
    f"int i = {_INDEX}"
)

_ELEMENTS = "kernels have no such class: pass a pointer to its elements, and their number"
_HOSTS = {
    **dict.fromkeys((
        "vector", "string", "deque", "list", "forward_list", "map", "multimap", "unordered_map", "set", "multiset",
        "unordered_set", "queue", "priority_queue", "stack", "valarray", "wstring", "stringstream",
    ), _ELEMENTS),
    **dict.fromkeys(("cout", "cerr", "endl", "ostream"), "kernels print with printf"),
    **dict.fromkeys(("shared_ptr", "unique_ptr", "make_shared", "make_unique"), "kernels take plain pointers"),
    **dict.fromkeys(("thread", "mutex", "lock_guard"), "kernels have blocks of threads, __syncthreads() and atomics"),
}  # fmt: skip
HOST_CLASSES = tuple(name.encode() for name in _HOSTS)

_STD_TYPE = re.compile(r"(?:const )?(?:class )?std::(?:__1::)?(\w+)")

# Headers, their owners, and the packages that have them: of PyPI, or of Debian (lib*-dev and others).
_PACKAGES = (
    (r"(?:cub|thrust)/", "CUDA's C++ library", "nvidia-cuda-cccl (PyPI), or CUDA"),
    (r"cuda/|nv/", "CUDA's C++ library", "nvidia-cuda-cccl (PyPI), or CUDA"),
    (r"(?:cutlass|cute)/", "CUTLASS", "nvidia-cutlass (PyPI), in its folder source/include"),
    (r"cublas|cublasLt", "cuBLAS", "nvidia-cublas (PyPI), or CUDA"),
    (r"cufft", "cuFFT", "nvidia-cufft (PyPI), or CUDA"),
    (r"cusparse", "cuSPARSE", "nvidia-cusparse (PyPI), or CUDA"),
    (r"cusolver", "cuSOLVER", "nvidia-cusolver (PyPI), or CUDA"),
    (r"cudnn", "cuDNN", "nvidia-cudnn-cu12 (PyPI)"),
    (r"nccl\.h", "NCCL", "nvidia-nccl-cu12 (PyPI)"),
    (r"nvshmem", "NVSHMEM", "nvidia-nvshmem-cu12 (PyPI)"),
    (r"npp", "NPP", "nvidia-npp (PyPI), or CUDA"),
    (r"nvjpeg", "nvJPEG", "nvidia-nvjpeg (PyPI), or CUDA"),
    (r"cupti", "CUPTI", "nvidia-cuda-cupti (PyPI), or CUDA"),
    (r"hipcub/", "hipCUB", "ROCm's hipcub-dev"),
    (r"rocprim/", "rocPRIM", "librocprim-dev (Debian), or ROCm's rocprim-dev"),
    (r"rocblas|rocblas/", "rocBLAS", "ROCm's rocblas-dev"),
    (r"hipblas", "hipBLAS", "ROCm's hipblas-dev"),
    (r"rocfft|hipfft", "rocFFT and hipFFT", "ROCm's rocfft-dev and hipfft-dev"),
    (r"rocsparse|hipsparse", "rocSPARSE and hipSPARSE", "librocsparse-dev (Debian), or ROCm's rocsparse-dev"),
    (r"rocsolver|hipsolver", "rocSOLVER and hipSOLVER", "ROCm's rocsolver-dev and hipsolver-dev"),
    (r"rccl", "RCCL", "ROCm's rccl-dev"),
    (r"rocwmma/", "rocWMMA", "ROCm's rocwmma-dev"),
    (r"boost/", "Boost", "libboost-dev (Debian)"),
    (r"Eigen/|unsupported/Eigen/", "Eigen", "libeigen3-dev (Debian)"),
    (r"mpi\.h|mpi-ext\.h", "MPI", "libopenmpi-dev (Debian)"),
    (r"omp\.h|ompt\.h", "OpenMP", "libomp-dev (Debian)"),
    (r"tbb/|oneapi/tbb", "oneTBB", "libtbb-dev (Debian)"),
    (r"opencv2?/", "OpenCV", "libopencv-dev (Debian)"),
    (r"glm/", "GLM", "libglm-dev (Debian)"),
    (r"GL/glew\.h", "GLEW", "libglew-dev (Debian)"),
    (r"GL/", "OpenGL", "freeglut3-dev (Debian)"),
    (r"CL/", "OpenCL", "opencl-c-headers (Debian)"),
    (r"fftw3", "FFTW", "libfftw3-dev (Debian)"),
    (r"cblas\.h|lapacke\.h", "OpenBLAS", "libopenblas-dev (Debian)"),
    (r"gsl/", "GSL", "libgsl-dev (Debian)"),
    (r"hdf5|H5", "HDF5", "libhdf5-dev (Debian)"),
    (r"gtest/|gmock/", "GoogleTest", "libgtest-dev (Debian)"),
    (r"png\.h", "libpng", "libpng-dev (Debian)"),
    (r"pybind11/", "pybind11", "pybind11 (PyPI)"),
    (r"torch/|ATen/|c10/", "PyTorch", "torch (PyPI)"),
    (r"cupy/", "CuPy", "cupy-cuda12x (PyPI)"),
    (r"helper_\w+\.h", "CUDA's samples", "their folder Common"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), owner, package) for pattern, owner, package in _PACKAGES)

_OTHER_LANGUAGE = re.compile(rb"__(?:global|device|host|constant|shared|managed)__")
_DECORATED = re.compile(rb"^[ \t]*@[ \t]*((?:\w+\.)*\w*jit)\b", re.MULTILINE)
_PYTHON = re.compile(
    rb"^(?:def[ \t]+\w+[ \t]*\([^{};]*\)[^{};\n]*:|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b)", re.MULTILINE
)
_STATEMENTS = re.compile(rb"\s*(?:[A-Za-z_]\w*[ \t]+)?[A-Za-z_]\w*\s*(?:[-+*/|&^]?=(?!=))[^{}#]*\Z")
_PARAMETERS = re.compile(rb"\s*(?:raw[ \t]+)?[A-Za-z]\w*[ \t]+\w+\s*(?:,\s*(?:raw[ \t]+)?[A-Za-z]\w*[ \t]+\w+\s*)*\Z")
_EXPECTED = "expected HIP or CUDA C++, got"
_AROUND = f"__global__ void name(const float *x, float *z, int n) {{ int i = {_INDEX}; if (i < n) z[i] = x[i]; }}"


def explained(text: str) -> str:
    """Add to a compiler's error what to do about it, if that is known."""
    if (match := _NO_FILE.search(text)) is not None:
        advice = _origin(match[1])
    elif (match := _UNKNOWN.search(text)) is not None:
        advice = _advice(match[1], "namespace 'std'" in text)
    elif (match := _OF_HOST.search(text)) is not None:
        advice = "kernels do not call HIP's API: " + (
            "make an array before the launch, launchpath.empty(...), and pass it"
            if "Malloc" in match[1]
            else "call it before or after the launch"
        )
    elif _BLOCK.search(text):
        advice = "it has the parts .x, .y and .z"
    else:
        advice = ""
    return f"{text}: {advice}" if advice and advice not in text else text


def _advice(word: str, is_std: bool) -> str:
    """Say what to write in place of a word; empty if that is not known."""
    if is_std:
        return host_class(word) if word in _HOSTS else ""
    if word in ("kernel", "__kernel"):
        return _KERNEL
    if word in ("global", "__global", "__private", "private"):
        return f"for OpenCL C's '{word}', write nothing"
    if word in _OPENCL:
        return f"for OpenCL C's {word}, write {_OPENCL[word]}"
    if word == "raw":
        return _RAW
    if word in _NUMPY:
        return f"for NumPy's {word}, write {_NUMPY[word]}"
    if word == "std":
        return "include the header that declares it; kernels have no classes of it that allocate memory, as vector"
    return ""


def host_class(name: str) -> str:
    """Say why a class of the C++ library is not for kernels, and what to use in its place."""
    return f"std::{name} is for the host: {_HOSTS[name]}"


def host_parameter(ctype: str) -> str:
    """Say why a parameter of a kernel cannot have a type; empty if nothing speaks against it."""
    match = _STD_TYPE.match(ctype)
    return f"a parameter is a {ctype}: {host_class(match[1])}" if match is not None and match[1] in _HOSTS else ""


def _origin(name: str) -> str:
    """Name the header's owner, and the package that has it; empty if they are not known."""
    for pattern, owner, package in _COMPILED:
        if pattern.match(name):
            return f"it is of {owner}, which comes with {package}; name its folder in include_paths"
    return ""


def other_language(text: bytes) -> Iterator[tuple[int, str]]:
    """Yield where a failed text begins to be in another language than C++, and what to use for that language."""
    if _OTHER_LANGUAGE.search(text):
        return
    if decorated := _DECORATED.search(text):
        yield decorated.start(1), _decorated(decorated[1], text)
    elif python := _PYTHON.search(text):
        yield python.start(), f"{_EXPECTED} Python: write the kernel as a C++ function, '__global__ void name(...)'"
    elif _PARAMETERS.match(text):
        yield 0, f"expected a kernel, got a list of parameters, as for CuPy's ElementwiseKernel: write {_AROUND}"
    elif _STATEMENTS.match(text):
        yield 0, f"expected a kernel, got statements alone, as for CuPy's ElementwiseKernel: write {_AROUND}"


def _decorated(decorator: bytes, text: bytes) -> str:
    if b"triton" in text:
        return (
            f"{_EXPECTED} Triton's Python: have Triton compile it, and pass the binary, "
            "compiled.asm['cubin'] or compiled.asm['hsaco'], to launchpath.load"
        )
    if b"numba" in text or b"cuda" in decorator:
        return (
            f"{_EXPECTED} Numba's Python: have numba.cuda.compile_ptx compile it, and pass the PTX to launchpath.load"
        )
    return f"{_EXPECTED} Python with the decorator @{decorator.decode()}: write the kernel in C++"
