"""The dialect of a source: judged by its text and all that it includes, or named."""

import pytest

from launchpath._compiler import target
from launchpath._compiler.compile import compile
from launchpath._compiler.source import source as sources
from launchpath.errors import ArgumentValueError, CompileError
from tests.unit.support.rtc import compiled, needs_nvrtc

pytestmark = pytest.mark.compiles

SPIRV = target.target_of({"extensions": ["cl_khr_fp64"], "dialect": "spirv", "kind": "cpu", "platform": "Some OpenCL"})
HIP, CUDA = "hip/hip_runtime.h", "cuda_runtime.h"
# Each is an error in the other dialect.
IS_HIP = "#ifndef __HIPCC__\n#error CUDA\n#endif\n__global__ void k(float4* o) { o[0] = o[1] + o[2]; }\n"
CUDA_CALL, HIP_CALL = (f"void f(int* p) {{ {name}Free(p); }}" for name in ("cuda", "hip"))
IS_CUDA = "#ifndef __CUDACC__\n#error HIP\n#endif\n__global__ void k(float4* o) { o[0] = o[1]; }\n"


def check(text, name, headers=None, **around):
    source = sources.from_text(text, name, headers=headers or {}, **around)
    assert len(compile(source, (), SPIRV).kernels) == 1


@pytest.mark.parametrize(
    ("text", "name", "headers"),
    [
        (IS_CUDA, "a.cu", {}),
        (IS_HIP, "a.cpp", {}),
        (f'#include "own.h"\n{IS_HIP}', "a.cu", {"own.h": f"#include <{HIP}>\n"}),
        (f'#include "own.h"\n{IS_HIP}', "a.cu", {"own.h": '#include "deep.h"\n', "deep.h": f"#include <{HIP}>\n"}),
        (f'#include "own.h"\n{IS_CUDA}', "a.cpp", {"own.h": f"#include <{CUDA}>\n"}),
        # What conditional compilation excludes tells nothing.
        (f'#include "own.h"\n{IS_CUDA}', "a.cu", {"own.h": f"#ifdef __HIPCC__\n#include <{HIP}>\n#endif\n"}),
        (f'#include "own.h"\n{IS_HIP}', "a.cpp",
         {"own.h": f"#ifdef __HIPCC__\n#include <{HIP}>\n#else\n#include <{CUDA}>\n#endif\n"}),
        # Names of the program's own headers tell nothing.
        (f'#include "own.h"\n{IS_CUDA}', "a.cu", {"own.h": '#include "hip_utils.h"\n', "hip_utils.h": ""}),
        (f'#include "own.h"\n{IS_HIP}', "a.cu", {"own.h": f"#include <{HIP}>\n#include <{CUDA}>\n"}),
        # Calls of both, in branches.
        (f'#include "own.h"\n{IS_HIP}#ifdef __CUDACC__\n{CUDA_CALL}\n#else\n{HIP_CALL}\n#endif\n', "a.cpp",
         {"own.h": f"#ifdef __CUDACC__\n#include <{CUDA}>\n#else\n#include <{HIP}>\n#endif\n"}),
        (f'#include "own.h"\n{IS_CUDA}{HIP_CALL}\n', "a.cpp",
         {"own.h": f"#include <{CUDA}>\n#define hipFree cudaFree\n"}),
    ],
)  # fmt: skip
@pytest.mark.sample(3)
def test_it_is_judged_by_what_is_included(text, name, headers):
    check(text, name, headers)


def test_a_kernel_that_a_single_dialect_has(tmp_path):
    (tmp_path / "own.h").write_text(f"#include <{HIP}>\n#ifdef __HIPCC__\n#define KERNEL __global__\n#endif\n")
    path = tmp_path / "a.cu"
    path.write_text('#include "own.h"\nKERNEL void k(int* o) { o[0] = 1; }\n')
    assert compile(sources.from_path(path), (), SPIRV).kernels


def test_hip_is_amds_platform_as_hipcc_says():
    test = "#if defined(__HIP_PLATFORM_AMD__)\n#elif defined(__CUDACC__)\n#error CUDA\n#else\n#error none\n#endif\n"
    check(f"{test}{IS_HIP}", "a.cpp")
    check(f"#define __HIP_PLATFORM_AMD__\n{test}{IS_HIP}", "a.cpp")
    check(f"#ifdef __HIP_PLATFORM_AMD__\n#error HIP\n#endif\n{IS_CUDA}", "a.cu")


def test_it_can_be_named():
    check(IS_HIP, "a.cu", language="hip")
    check(IS_CUDA, "a.cpp", language="cuda")
    with pytest.raises(CompileError, match="error: HIP"):
        check(f'#include "own.h"\n{IS_CUDA}', "a.cu", {"own.h": f"#include <{HIP}>\n"})
    check(f'#include "own.h"\n{IS_CUDA}', "a.cu", {"own.h": f"#include <{HIP}>\n"}, language="cuda")


@pytest.mark.parametrize(("language", "error"), [("opencl", ArgumentValueError), (5, TypeError)])
def test_names_that_are_none(language, error):
    with pytest.raises(error, match="language: expected 'hip' or 'cuda', got"):
        sources.from_text(IS_HIP, language=language)


@needs_nvrtc
def test_it_is_judged_by_what_is_included_for_cuda_devices():
    image = compiled(f'#include "own.h"\n{IS_HIP}', headers={"own.h": f"#include <{HIP}>\n"})
    assert len(image.kernels) == 1
