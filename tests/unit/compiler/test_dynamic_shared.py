"""Which kernels reach dynamic shared memory, as each compiler's result shows it."""

from pathlib import Path

import pytest

from launchpath._compiler.binary import form, kernels, ptx_shared
from launchpath._compiler.cache.signature_json import from_json, to_json
from launchpath._compiler.compile import compile
from launchpath._compiler.image import Image, from_entry
from launchpath._compiler.kernels.dynamic_shared import used
from launchpath._compiler.rtc import direct
from launchpath._compiler.rtc.library import library_file, linker
from launchpath._compiler.signature import Signature
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import SPIRV, Target
from tests.unit.support.binaries import hsaco
from tests.unit.support.rtc import by_nvrtc, compiled, cuda

SOURCE = """
extern __shared__ float whole[];
namespace deep { namespace { extern __shared__ int hidden[]; } }
__device__ __noinline__ void swap(float *x) {
    whole[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = whole[threadIdx.x ^ 1];
}
__global__ void own(float *x) {
    extern __shared__ float mine[];
    mine[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = mine[threadIdx.x ^ 1];
}
__global__ void through(float *x) { swap(x); }
__global__ void sometimes(float *x, int n) { if (n) swap(x); }
__global__ void none(float *x) { x[0] = 1; }
__global__ void unused(float *x) { extern __shared__ float mine[]; if (0) x[1] = mine[1]; x[0] = 1; }
__global__ void fixed(float *x) {
    __shared__ float four[4];
    four[threadIdx.x] = 1;
    __syncthreads();
    x[0] = four[threadIdx.x ^ 1];
}
template <bool B> __global__ void either(int *x) {
    if constexpr (B) {
        deep::hidden[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = deep::hidden[threadIdx.x ^ 1];
    }
}
"""
NAMES = ("either<true>", "either<false>")
EXPECTED = {
    "own": "mine", "through": "whole", "sometimes": "whole", "none": None, "unused": None, "fixed": None,
    "either<true>": "deep::hidden", "either<false>": None,
}  # fmt: skip
PLAIN = """
__global__ void own(float *x) {
    extern __shared__ float mine[];
    mine[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = mine[threadIdx.x ^ 1];
}
__global__ void none(float *x) { x[0] = 1; }
"""


def variables(image: Image) -> dict[str, str | None]:
    return {signature.name: signature.dynamic_variable for _, signature in image.kernels}


@pytest.mark.compiles
@pytest.mark.parametrize("form", [SPIRV, "clc"])
def test_on_opencl_devices(form):
    to = Target(form, {"__LP_FLAT__": None}, frozenset(), "a platform")
    assert variables(compile(sources.from_text(SOURCE, "user.cu"), NAMES, to, False)) == EXPECTED


@by_nvrtc
@pytest.mark.parametrize("architecture", ["sm_75", "sm_90"])
def test_of_nvrtc(architecture):
    assert variables(compiled(SOURCE, *NAMES, to=cuda(architecture))) == EXPECTED


@by_nvrtc
def test_of_nvrtc_where_it_makes_ptx():
    image = compiled(SOURCE, *NAMES, to=cuda("sm_130"))
    assert image.kind == "ptx"
    assert variables(image) == EXPECTED
    (loaded,) = form.contents(image.code, "ptx", "x.ptx")
    assert {kernel.entry: kernels.signature(kernel).dynamic_variable for kernel in loaded.kernels} == {
        entry: signature.dynamic_variable for entry, signature in image.kernels
    }


@by_nvrtc
@pytest.mark.parametrize("source", [PLAIN, "#include <hip/hip_runtime.h>\n" + PLAIN])
def test_of_a_plain_source(source):
    from launchpath._compiler.plain import plain

    read = plain.read(sources.from_text(source, "user.cu"))
    image = direct.compile(read, cuda())
    assert variables(image) == {"own": "mine", "none": None}


@by_nvrtc
@pytest.mark.parametrize("linked", [True, False])
def test_of_several_files(tmp_path: Path, linked, monkeypatch):
    monkeypatch.setattr(linker, "choose", linker.choose if linked else lambda file: None)
    if linked and not linker.choose(library_file.choose(cuda())):
        pytest.skip("no nvJitLink")
    texts = {
        "a.cu": "__device__ void swap(float *);\n__global__ void there(float *x) { swap(x); }\n"
        "static __device__ __noinline__ void own(float *x) { x[0] = 1; }\n__global__ void here(float *x) { own(x); }",
        "b.cu": "extern __shared__ float whole[];\n"
        "static __device__ __noinline__ void own(float *x) { whole[threadIdx.x] = x[0]; __syncthreads(); "
        "x[0] = whole[threadIdx.x ^ 1]; }\n__device__ void swap(float *x) { own(x); }",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    first, *others = sources.from_paths([tmp_path / name for name in texts], None)
    assert variables(compile(first, (), cuda(), False, others)) == {"there": "whole", "here": None}


def test_ptx_without_an_end():
    text = ".extern .shared .align 16 .b8 s[];\n.entry whole() { mov.u32 %r1, s; }\n.func cut() { mov.u32 %r1, s;"
    assert ptx_shared.reached([text]) == {"whole": "s", "cut": "s"}
    assert ptx_shared.reached([".extern .shared [];\n.entry odd"]) == {}


def test_a_variable_of_ptx_that_is_called_as_a_part_of_a_register():
    text = """.extern .shared .align 8 .b8 x[];
    .entry reads_it() { mov.u32 %r1, %tid.x; mov.u32 %r2, x; }
    .entry has_none() { mov.u32 %r1, %tid.x; ld.v4.u32 {%r1, %r2}, [%rd1]; }"""
    assert ptx_shared.reached([text]) == {"reads_it": "x"}


def test_functions_of_ptx_that_call_each_other():
    text = """.extern .shared .align 16 .b8 s[];
    .func (.param .b32 out) even(.param .b32 n) { call (out), odd, (n); }
    .func odd(.param .b32 n) { { call even, (n); } } // s
    .func reader() { mov.u32 %r1, s; }
    .entry around() { call even; }
    .entry down() { call odd; call reader; }"""
    assert ptx_shared.reached([text]) == {"reader": "s", "down": "s"}


@pytest.mark.processes
def test_of_an_hsaco():
    text = """
#define KERNEL __attribute__((amdgpu_kernel)) void
#define GLOBAL __attribute__((address_space(1)))
extern __attribute__((address_space(3))) float s[];
static __attribute__((noinline)) void swap(GLOBAL float *x) {
    s[__builtin_amdgcn_workitem_id_x()] = 1;
    __builtin_amdgcn_s_barrier();
    x[0] = s[__builtin_amdgcn_workitem_id_x() ^ 1];
}
KERNEL through(GLOBAL float *x) { swap(x); }
KERNEL none(GLOBAL float *x) { x[0] = 1; }
"""
    (contents,) = form.contents(hsaco(text=text, version="5"), "hsaco", "x.hsaco")
    known = {kernel.entry: kernels.signature(kernel).dynamic_variable for kernel in contents.kernels}
    assert known == {"through": "", "none": None}  # it has no names of such variables


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (b"{ extern __shared__ float s[]; s[0] = 1; }", "s"),
        (b"{ extern __shared__ __align__(16) unsigned char raw [ ]; use(raw); }", "raw"),
        (b"{ __shared__ extern int a[]; a[1] = 2; }", "a"),
        (b"{ HIP_DYNAMIC_SHARED(float, tile) tile[0] = 1; }", "tile"),
        (b"{ extern __shared__ float s[]; x[0] = 1; }", None),
        (b"{ __shared__ float s[4]; s[0] = 1; }", None),
        (b"{ extern float s[]; s[0] = 1; }", None),
    ],
)
def test_in_a_kernels_own_text(text, name):
    assert used(text) == name


def test_kept_in_files():
    signature = Signature("k", dynamic_shared=True, dynamic_variable="s")
    image = Image("spirv", b"", (("k", signature),))
    assert variables(from_entry(image.to_entry())) == {"k": "s"}
    older = to_json(signature)
    del older["dynamic_variable"]
    assert from_json(older).dynamic_variable is None  # it is not known: no launch is refused
