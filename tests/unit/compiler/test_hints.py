"""Errors whose cause is known say what to write, use or install."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.messages.hints import _PACKAGES, explained
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import SPIRV, Target
from launchpath.errors import ArgumentValueError, CompileError

INDEX = "blockIdx.x * blockDim.x + threadIdx.x"
TARGET = Target(SPIRV, {"__LP_FLAT__": None}, frozenset(), "a platform")


def refusal(text: str) -> str:
    with pytest.raises(CompileError) as caught:
        parse(sources.from_text(text, "a.cu"))
    return str(caught.value)


def failure(text: str) -> str:
    with pytest.raises(CompileError) as caught:
        compile(sources.from_text(text, "a.cu"), (), TARGET)
    return str(caught.value)


TRITON = """import triton
import triton.language as tl

@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n))
"""
NUMBA = "from numba import cuda\n\n@cuda.jit('void(float32[:])')\ndef f(x):\n    x[cuda.grid(1)] += 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TRITON, "a.cu:4:2: error: expected HIP or CUDA C++, got Triton's Python: have Triton compile it"),
        (NUMBA, "a.cu:3:2: error: expected HIP or CUDA C++, got Numba's Python: have numba.cuda.compile_ptx"),
        (
            "@jax.jit\ndef f(x):\n    return x\n",
            "a.cu:1:2: error: expected HIP or CUDA C++, got Python with the decorator",
        ),
        (
            "def f(x):\n    x[0] = 1\n",
            "a.cu:1:1: error: expected HIP or CUDA C++, got Python: write the kernel as a C++",
        ),
        ("import cupy\nx = 1\n", "a.cu:1:1: error: expected HIP or CUDA C++, got Python"),
        (
            "z = (x - y) * (x - y)",
            "a.cu:1:1: error: expected a kernel, got statements alone, as for CuPy's Elementwise",
        ),
        ("T d = x - y; z = d * d;", "a.cu:1:1: error: expected a kernel, got statements alone"),
        ("raw T x, raw T y, int32 n", "a.cu:1:1: error: expected a kernel, got a list of parameters, as for CuPy's"),
    ],
)
def test_other_languages_are_named(text, message):
    assert refusal(text).startswith(message)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (
            "__kernel void f(__global float* x) { x[get_global_id(0)] = 1; }",
            f"write '__global__ void', and pointers without '__global', and '{INDEX}' for get_global_id(0)",
        ),
        ("kernel void f(global float* x) { *x = 1; }", "launchpath.load, with clang -target spirv64 -cl-std=CL2.0"),
        ("__global__ void f(__global float* x) { *x = 1; }", "for OpenCL C's '__global', write nothing"),
        ('extern "C" __global__ void f(raw T x) { x[i] = 1; }', "for 'raw T x' of CuPy's kernels, write a pointer"),
        ("__global__ void f(float32* x) { *x = 1; }", "for NumPy's float32, write float"),
        ("__global__ void f(std::vector<float> x) { }", "std::vector is for the host: kernels have no such class"),
        ('#include "thrust/sort.h"\n__global__ void f(int* x) { }', "comes with nvidia-cuda-cccl (PyPI), or CUDA"),
    ],
)
def test_words_of_other_languages_are_explained_where_they_hide_a_kernel(text, advice):
    assert advice in failure(text)


@pytest.mark.compiles
def test_words_of_other_languages_are_explained_in_kernels():
    text = """
__global__ void f(float* x) {
  __local float s[4];
  int i = get_global_id(0), n = get_local_size(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = s[n];
}
"""
    message = failure(text)
    assert (
        "a.cu:4:11: error: use of undeclared identifier 'get_global_id': for OpenCL C's get_global_id, write "
        in message
    )
    assert "for OpenCL C's get_local_size, write blockDim.x" in message
    assert "write __syncthreads() for barrier(CLK_LOCAL_MEM_FENCE)" in message
    assert "unknown type name '__local': for OpenCL C's __local, write __shared__" in message


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("include", "body", "at", "advice"),
    [
        (
            "vector",
            "std::vector<float> v(3); *x = v[0];",
            "2:36",
            "std::vector is for the host: kernels have no such class",
        ),
        ("map", "std::map<int, int> m; *x = m[1];", "2:36", "std::map is for the host: kernels have no such class"),
        ("string", 'std :: string s = "a"; *x = s.size();', "2:38", "pass a pointer to its elements, and their number"),
        ("iostream", "std::cout << *x;", "2:36", "std::cout is for the host: kernels print with printf"),
    ],
)
@pytest.mark.sample(1)
def test_classes_for_the_host_are_named(include, body, at, advice):
    message = failure(f"#include <{include}>\n__global__ void f(float* x) {{ {body} }}\n")
    first = message.splitlines()[1]
    assert first.startswith(f"a.cu:{at}: error: std::")
    assert advice in first


@pytest.mark.compiles
def test_a_container_as_a_parameter_is_named_by_value_and_by_reference():
    assert "std::vector is for the host" in failure("#include <vector>\n__global__ void f(std::vector<float> x) {}\n")
    text = "#include <vector>\n__global__ void f(const std::vector<float> &x, float *y) { *y = x[0]; }\n"
    message = failure(text)
    assert message.startswith(
        "a.cu:2:17: error: kernel 'f': a parameter is a const std::vector<float> &: std::vector is"
    )


@pytest.mark.compiles
def test_classes_for_the_host_are_not_named_in_sources_that_compile():
    text = "#include <vector>\n__global__ void f(float *y) { *y = 1; }\nint main() { std::vector<float> v(3); }\n"
    assert "std::vector" not in compile(sources.from_text(text, "a.cu"), (), TARGET).log


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("cub/block/block_reduce.cuh", "nvidia-cuda-cccl"),
        ("thrust/device_vector.h", "nvidia-cuda-cccl"),
        ("cublas_v2.h", "nvidia-cublas"),
        ("cufft.h", "nvidia-cufft"),
        ("cutlass/cutlass.h", "nvidia-cutlass"),
        ("cute/tensor.hpp", "nvidia-cutlass"),
        ("nccl.h", "nvidia-nccl-cu12"),
        ("rocblas/rocblas.h", "ROCm's rocblas-dev"),
        ("hipblas/hipblas.h", "ROCm's hipblas-dev"),
        ("hipcub/hipcub.hpp", "ROCm's hipcub-dev"),
        ("rocprim/rocprim.hpp", "librocprim-dev"),
        ("boost/array.hpp", "libboost-dev"),
        ("Eigen/Dense", "libeigen3-dev"),
        ("mpi.h", "libopenmpi-dev"),
        ("omp.h", "libomp-dev"),
        ("CL/cl.h", "opencl-c-headers"),
        ("helper_string.h", "their folder Common"),
    ],
)
def test_missing_headers_say_what_package_has_them(name, package):
    text = f"'{name}' file not found"
    message = explained(text)
    assert message.startswith(f"{text}: it is of ")
    assert f"comes with {package}" in message
    assert message.endswith("name its folder in include_paths")
    assert explained(message) == message


def test_other_missing_headers_are_left_alone():
    assert explained("'mine.h' file not found") == "'mine.h' file not found"
    assert explained("expected ';' after expression") == "expected ';' after expression"
    assert len({whose for _, whose, _ in _PACKAGES}) > 30


class Yes:
    """NumPy's bool, as far as its name goes."""

    def __bool__(self) -> bool:
        return True


Yes.__name__ = "bool_"


def test_defines_take_bools_and_name_what_is_wrong_with_rows():
    assert sources.from_text("", defines={"A": True, "B": False, "C": Yes()}).defines == (
        ("A", "1"),
        ("B", "0"),
        ("C", "1"),
    )
    advice = r": pass the text that is to replace A, as in '\{1, 2, 3\}'"
    for value in ([1, 2], (1, 2), {1}):
        with pytest.raises(
            TypeError, match=rf"defines\['A'\]: expected text, a bool, a number or None, got .*{advice}"
        ):
            sources.from_text("", defines={"A": value})
    for value in (["A=1"], [("A", 1)], "A=1"):
        with pytest.raises(TypeError, match=r"defines: expected a dict of values by macro, got .*: pass a dict, as in"):
            sources.from_text("", defines=value)
    with pytest.raises(ArgumentValueError, match="pass a dict, as in"):
        sources.from_text("", defines={"A=1": None})


@pytest.mark.compiles
def test_classes_of_host_code_are_named_where_they_are_wrong_alone():
    source = "#include <vector>\nstd::vector<int> of_host(int n) { return std::vector<int>(n); }\n"
    message = failure(source + "__global__ void k(int *p) { *p = undeclared; }\n")
    assert "undeclared" in message and "std::vector" not in message
    message = failure(source + "__global__ void k(int *p) { std::vector<int> v(3); *p = v[0]; }\n")
    assert message.count("std::vector is for the host") == 1
