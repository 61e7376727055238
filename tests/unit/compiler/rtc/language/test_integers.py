"""Integers of 64 bits under NVRTC are what nvcc makes of them: kernels are named by what the host's code says."""

import os

import pytest

from launchpath._compiler.rtc.library import headers, library, library_file
from tests.unit.support.rtc import compiled, cuda, needs_nvrtc

pytestmark = pytest.mark.compiles

PROGRAM = """
#include <cinttypes>
#include <cstdint>
#include <type_traits>
template <class T> __global__ void same(T *p) {
  static_assert(std::is_same<T, std::uint64_t>::value || std::is_same<T, int64_t>::value || sizeof(T) == 4, "");
  p[0] = std::is_same<T, std::uint32_t>::value;
}
__device__ int width(uint32_t) { return 32; }
__device__ int width(uint64_t) { return 64; }
template <class T> __global__ void overloaded(T v, int *p) { *p = width(v); }
__global__ void plain(uint64_t *p, int64_t *q, size_t n) {
  p[0] = width(n) + width(UINT64_C(3)) + width(sizeof n) + min(p[1], p[2]) + __popcll(p[3]) + __ldg(p);
  atomicAdd(p, 1);
  atomicAdd((unsigned long long *)p, 1);
  atomicMin(q, INT64_MIN);
  atomicCAS(p, 1, UINT64_MAX);
  atomicExch_block(q, INT64_C(-1));
  printf("%" PRIu64 " %" PRId64, p[0], q[0]);
}
int main() {
  same<<<1, 1>>>((uint64_t *)nullptr);
  same<<<1, 1>>>((int64_t *)nullptr);
  same<<<1, 1>>>((uint32_t *)nullptr);
  overloaded<<<1, 1>>>(std::uint64_t(1), nullptr);
}
"""
# A program's own functions for these types are no second definitions.
OWN = """
#include <cstdint>
__device__ uint64_t atomicAdd(uint64_t *p, uint64_t v) { return atomicAdd((unsigned long long *)p, v); }
__device__ long atomicMax(long *p, long v) { return *p; }
__global__ void k(uint64_t *p, long *q) { atomicAdd(p, UINT64_C(1)); atomicMax(q, 2l); }
"""
# Headers of NVIDIA's that define these types themselves under NVRTC.
THEIRS = [
    ("cuda/std/cstdint", "static_assert(sizeof(cuda::std::intmax_t) == 8 && cuda::std::uint64_t(1) == uint64_t(1)); *p = 1;"),
    ("cuda_pipeline_primitives.h", "__shared__ int s[4]; __pipeline_memcpy_async(s, p, 4); __pipeline_commit();"),
    ("cuda_awbarrier_primitives.h", "__shared__ __mbarrier_t b; __mbarrier_init(&b, 1); *p = __mbarrier_arrive(&b);"),
]  # fmt: skip


@needs_nvrtc
def test_the_names_of_the_hosts_types():
    names = [signature.name for _, signature in compiled(PROGRAM).kernels]
    assert names == ["plain", "same<unsigned long>", "same<long>", "same<unsigned int>", "overloaded<unsigned long>"]


@needs_nvrtc
def test_a_programs_own_atomic_functions():
    assert compiled(OWN).kernels


@needs_nvrtc
@pytest.mark.parametrize(("header", "use"), THEIRS, ids=[header for header, _ in THEIRS])
@pytest.mark.parametrize("before", ["", "#include <cstdint>\n"])
def test_nvidias_headers_agree(header, use, before):
    folders = headers.folders(library.load(library_file.choose(cuda())))[2:]
    if not any(os.path.isfile(os.path.join(folder, header)) for folder in folders):
        pytest.skip(f"no {header}")
    text = f"{before}#include <{header}>\n#include <stdint.h>\ntemplate <class T> __device__ void set(T *) {{}}\n"
    text += "template <> __device__ void set(uint64_t *p) { *p = 1; }\n"
    text += f"__global__ void k(int *p) {{ unsigned long v; set(&v); {use} }}"
    assert compiled(text).kernels
