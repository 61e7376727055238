"""Shapes of published CUDA programs, by NVRTC."""

from pathlib import Path

import pytest

from launchpath._compiler import header_folders
from launchpath._compiler.rtc.library import headers, library, library_file
from launchpath._compiler.rtc.text.lambda_marks import unmarked
from tests.unit.support.rtc import compiled, cuda, failed, needs_nvrtc

pytestmark = pytest.mark.compiles

# The version decides which functions there are: the parser, which takes device code out, and NVRTC have to agree.
ATOMICS = """
#pragma once
#define ATOMIC(NAME)                                                              \\
  template <typename T, size_t size> struct Atomic##NAME##Impl;                   \\
  template <typename T> struct Atomic##NAME##Impl<T, 4> {                         \\
    __device__ void operator()(T *p, T v) { int *at = (int *)p; *at = OP(v, *p); } \\
  };                                                                              \\
  template <typename T> struct Atomic##NAME##Impl<T, 8> {                         \\
    __device__ void operator()(T *p, T v) { *p = OP(v, *p); }                     \\
  }

#define OP(x, y) y + x
ATOMIC(Add);
#undef OP
static inline __device__ void atomAdd(int32_t *p, int32_t v) { AtomicAddImpl<int32_t, sizeof(int32_t)>()(p, v); }
static inline __device__ void atomAdd(int64_t *p, int64_t v) { AtomicAddImpl<int64_t, sizeof(int64_t)>()(p, v); }
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 600 || CUDA_VERSION < 8000)
static inline __device__ void atomAdd(double *p, double v) { not_taken(p, v); }
#elif CUDART_VERSION >= 10000
static inline __device__ void atomAdd(double *p, double v) { atomicAdd(p, v); }
#endif
"""
REDUCER = """
#pragma once
#include <limits>
#include <map>
#include <string>
#include "atomics.h"
enum Reduction { SUM, MIN };
const std::map<std::string, Reduction> names = {{"sum", SUM}, {"min", MIN}};
template <typename T, Reduction R> struct Reducer {
  static inline __host__ __device__ T init() { return R == MIN ? std::numeric_limits<T>::max() : T(0); }
  static inline __device__ void atomic_write(T *p, T v) { if (R == SUM) atomAdd(p, v); else *p = v; }
};
template <typename T> struct Reducer<T, MIN> {
  static inline __device__ void atomic_write(T *p, T v) { *p = v < *p ? v : *p; }
};
template <typename T, int N> struct Access { static __device__ T at(const T *p, int i) { return p[i * N]; } };
template <typename T> struct Access<T, -1> { static __device__ T at(const T *p, int i) { return p[i]; } };
template <> struct Access<float, -1> { static __device__ float at(const float *p, int i) { return p[i] * 2; } };
template <typename T> using Plain = Access<T, -1>;
#define HOST __host__
template <typename K, typename V> class Map {
  K k; V v;
 public:
  Map();
  HOST Map(std::string name) : k(names.at(name)) {}
  HOST Map<K, V> twice() const { return *this; }
  __device__ V find(K key) const;
};
template <typename K, typename V> __device__ V Map<K, V>::find(K key) const { return key == k ? v : V(); }
template <typename K, typename V> Map<K, V>::Map() { std::cout << "made"; }
"""
CLASSES = """
#include <cuda.h>
#include <iostream>
#include "reducer.h"
template <typename T, Reduction R> __global__ void
scatter(const T *from, T *to) { Reducer<T, R>::atomic_write(to, Plain<T>::at(from, threadIdx.x)); }
template <typename K, typename V> __global__ void look(const Map<K, V> *map, const K *keys, V *found) {
  found[threadIdx.x] = map->find(keys[threadIdx.x]);
}
template <typename T, Reduction R> void run() { T first = Reducer<T, R>::init(); scatter<T, R> <<<1, 2>>>(nullptr, nullptr); }
int main() {
  run<int32_t, SUM>(); run<int64_t, SUM>(); run<double, SUM>(); run<float, MIN>();
  Map<int, float> *map = nullptr;
  Map<int, float> named("sum");
  look<<<1, 1>>>(map, (int *)0, (float *)0);
}
"""
OPERATORS = """
#ifdef __NVCC__
#include <cuda_runtime.h>
inline __host__ __device__ void operator+=(float4 &a, const float4 &b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ float4 operator*(const float4 &a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
#else
#include <hip/hip_runtime.h>
#endif
inline __host__ __device__ float4 operator+(const float4 &a, const float4 &b) { return make_float4(a.x + b.x, a.y, a.z, a.w); }
inline __host__ __device__ void operator-=(float3 &a, const float3 &b) { a.x -= b.x; }
"""


@needs_nvrtc
def test_classes_that_only_kernel_templates_use():
    image = compiled(CLASSES, headers={"reducer.h": REDUCER, "atomics.h": ATOMICS})
    assert [signature.name for _, signature in image.kernels] == [
        "scatter<int, SUM>", "scatter<long, SUM>", "scatter<double, SUM>", "scatter<float, MIN>", "look<int, float>",
    ]  # fmt: skip


@needs_nvrtc
def test_a_programs_own_operators_of_vector_types():
    text = '#include "vectors.h"\n__global__ void k(float4 *p, float3 *q) { p[0] += p[1]; p[2] = p[3] * 2 + p[4]; q[0] -= q[1]; }'
    for include in ("", "#include <hip/hip_runtime.h>\n"):  # CUDA's dialect, and HIP's
        assert compiled(include + text, headers={"vectors.h": OPERATORS}).kernels


@needs_nvrtc
def test_the_version_of_cuda():
    text = "#include <cuda.h>\n#if CUDA_VERSION != CUDART_VERSION || CUDART_VERSION / 1000 != __CUDACC_VER_MAJOR__\n#error\n"
    assert compiled(f"{text}#endif\n__global__ void k(int *p) {{ *p = CUDA_VERSION; }}").kernels


@needs_nvrtc
def test_words_that_hosts_headers_and_compilers_have():
    text = """
#include <memory.h>
#include <stdio.h>
#include <vector>
typedef struct { __extension__ union { struct { float d, m; }; float dm[2]; }; } both;
struct Layout {
  __host__ int rows(const std::vector<int> &of) const;
  __host__ int wide() const { return 1; }
  __device__ int at(int i) const { return i; }
};
__global__ void k(both *b, ssize_t n, Layout l, __intptr_t *) {
#if __CUDA_ARCH__ >= 900
  ::cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  if (threadIdx.x < n) b->dm[l.at(0)] = b->m;
}
"""
    image = compiled(text)
    assert image.kernels[0][0].startswith("_Z1kP4both")


@needs_nvrtc
def test_constants_of_math_constants():
    text = """
#include <math_constants.h>
static_assert(CUDART_PIO2_HI + CUDART_PIO2_LO == CUDART_PIO2 && CUDART_SQRT_2OPI < 0.8, "");
static_assert((CUDART_REMQUO_MASK_F & 255) == 7 && CUDART_LN2_X_1024 > 709 && CUDART_TWO_TO_M54 > 0, "");
__global__ void k(double *x) { *x = CUDART_LG2_HI + CUDART_LG2_LO + CUDART_NORM_HUGE_F + CUDART_SQRT_HALF_LO_F; }
"""
    assert compiled(text).kernels


def test_constants_of_hip_are_those_of_cuda():
    constants = Path(header_folders.COMMON, "math_constants.h").read_text().replace("CUDART_", "HIP_")
    assert constants.count("#define HIP_") > 90
    for folder in (header_folders.CLANG_FORWARDING, header_folders.RTC_FORWARDING):
        assert Path(folder, "hip/hip_math_constants.h").read_text() == constants


@needs_nvrtc
def test_lambdas_that_are_marked_within_kernels():
    text = """
__global__ void k(float *x) {
  auto at = [&] __device__ (int i) { return x[i]; };
  auto one = [] __host__ __device__ { return 1; };
  x[0] = at(one());
}
"""
    assert compiled(text).kernels
    assert unmarked(b"f([] __device__ (int i) {}); int a[2]; __device__ int g();") == (
        b"f([]            (int i) {}); int a[2]; __device__ int g();"
    )


CURAND = """
struct curandStateXORWOW { int a; };
struct curandStateMRG32k3a { int a; };
struct curandStatePhilox4_32_10 { int a; };
struct curandStateSobol32 { int a; };
struct curandStateScrambledSobol32 { int a; };
struct curandStateSobol64 { int a; };
struct curandStateScrambledSobol64 { int a; };
typedef curandStateXORWOW curandState, curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
"""


@needs_nvrtc
def test_a_state_of_curand_is_an_argument_of_a_template(tmp_path, monkeypatch):
    (tmp_path / "curand_kernel.h").write_text(CURAND)
    over, *others = headers.folders(library.load(library_file.choose(cuda())))
    monkeypatch.setattr(headers, "folders", lambda _: (over, str(tmp_path), *others))
    text = """
#include <curand_kernel.h>
template <class S> __global__ void start(S *s) { s->a = 1; }
template <class S> void run(S *s) { start<S><<<1, 1>>>(s); }
int main() { run((curandState *)0); run((curandStatePhilox4_32_10_t *)0); run((curandStateMRG32k3a_t *)0);
  run((curandStateScrambledSobol64_t *)0); }
"""
    assert len(compiled(text).kernels) == 4


@needs_nvrtc
def test_arithmetic_that_says_whether_it_overflows():
    text = """
template <class T> __device__ bool over(T a, T b) {
  T value;
  return __builtin_mul_overflow(a, b, &value) || __builtin_add_overflow(a, b, &value) || __builtin_sub_overflow(a, b, &value);
}
__global__ void k(int *p, unsigned char c, unsigned short *s) {
  *p = over(*p, 2) + over(3u, 4u) + over(5ll, 6ll) + over(7ull, 8ull) + over(c, c) + __builtin_mul_overflow(c, -1, s);
}
"""
    assert compiled(text).kernels
    mixed = text.replace("over(5ll, 6ll)", "__builtin_add_overflow(5ll, 6, s)")
    assert "expected operands and a result of one type" in failed(mixed)


@needs_nvrtc
def test_templates_that_are_only_declared_stand_in_types():
    text = """#include <type_traits>
    template <class T> const T *instance();
    template <class T> struct is_constant {
      template <class C> static char test(C const *, std::enable_if_t<(sizeof(instance<C>()->operator()()) > 0)> * = 0);
      static short test(...);
      enum { value = sizeof(test((T *)0)) == 1 };
    };
    struct Five { __device__ int operator()() const { return 5; } };
    template <bool> struct Chosen; template <> struct Chosen<true> { typedef int type; };
    __global__ void k(int *x) { *x = Chosen<is_constant<Five>::value>::type(3); }
    """
    assert [signature.name for _, signature in compiled(text).kernels] == ["k"]
