"""Headers: our own small C++ library under NVRTC and hipRTC, and where others come from."""

import pytest

from launchpath._compiler.binary import cubin
from launchpath._compiler.rtc.library import headers
from launchpath._compiler.rtc.library.library_file import LibraryFile
from tests.conformance import test_language_fp8 as fp8
from tests.unit.support.rtc import by_nvrtc, compiled, failed, hip, needs_hiprtc

LIBRARY = """
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
enum E { ONE };
template <class T> struct Holder { T value; };
__global__ void k(float *p, unsigned *u) {
  std::array<float, 3> a{{1, 2, 3}};
  a[0] = std::sqrt(p[0]);
  for (auto &x : a) x += 1;
  std::tuple<int, float> t(1, 2.f);
  auto [i, f] = t;
  std::get<0>(t) = 5;
  std::tie(i, f) = std::make_tuple(3, 4.f);
  std::complex<float> c(1, 2);
  c = c * c + 2.0f;
  c /= std::complex<float>(0, 1);
  std::pair<int, int> q{1, 2};
  auto [x, y] = q;
  std::swap(x, y);
  float s = std::accumulate(a.begin(), a.end(), 0.f) + std::abs(c) + std::norm(c) + std::min(1, x) + std::clamp(y, 0, 4);
  s += std::numeric_limits<float>::max() + std::numeric_limits<int>::min() + std::numeric_limits<float>::infinity();
  static_assert(std::is_same_v<std::decay_t<const int &>, int> && std::is_integral_v<long> && !std::is_signed_v<unsigned>, "");
  static_assert(std::is_convertible_v<int, float> && std::is_enum_v<E> && std::is_pointer_v<int *>, "");
  static_assert(std::numeric_limits<int>::max() == INT_MAX && std::numeric_limits<double>::digits == 53, "");
  static_assert(sizeof(uint64_t) == 8 && sizeof(std::int16_t) == 2 && std::make_index_sequence<5>::size() == 5, "");
  s += std::abs(-1) + std::abs(-1.f) + std::abs(-2.0) + std::pow(2.f, 3.f) + std::pow(2.0, 3) + std::fabs(-1.f) + sqrt(2);
  s += std::floor(1.5f) + std::isnan(s) + std::plus<float>()(1, 2) + M_PI + INFINITY + FLT_MAX + pow(2, 3) + fmin(1, 2.0f);
  std::sort(p, p + 10);
  std::sort(p, p + 10, std::greater<float>());
  std::fill(p, p + 2, 0.f);
  std::memcpy(p, u, 4);
  s += std::apply([](int one, float other) { return one + other; }, t) + offsetof(Holder<int>, value);
  std::printf("%f %" PRIu64, s, (std::uint64_t)1);
  assert(s > 0);
  *p = std::move(s);
}
"""


@by_nvrtc
@pytest.mark.sample(1)
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_the_cpp_library_under_nvrtc(standard, tmp_path, monkeypatch):
    monkeypatch.setattr(headers, "folders", lambda _: ())  # nothing of NVIDIA's
    assert compiled(LIBRARY, standard=standard).kernels


@needs_hiprtc
def test_the_cpp_library_under_hiprtc():
    assert compiled(LIBRARY, to=hip()).kernels


@by_nvrtc
def test_libcuxx_where_ours_ends():
    if not any("cccl" in folder for folder in _folders()):
        pytest.skip("no libcu++")
    text = "#include <optional>\n#include <cuda_runtime.h>\n"
    text += "__global__ void k(int *p) { std::optional<int> o; if (p[1]) o = 3; *p = o.value_or(4) + std::max(1, 2); }"
    assert compiled(text).kernels


@by_nvrtc
@pytest.mark.parametrize(
    ("header", "use"),
    [
        ("cuda_fp16.h", "*p = __float2half(1.f) > __half(0.5f);"),
        ("cooperative_groups.h", "cooperative_groups::this_thread_block().sync();"),
        ("mma.h", "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;"),
        ("cub/block/block_reduce.cuh", "__shared__ cub::BlockReduce<int, 32>::TempStorage s; *p = cub::BlockReduce<int, 32>(s).Sum(1);"),
        ("cuda/std/span", "cuda::std::span<int> s(p, 4); s[0] = 1;"),
    ],
)  # fmt: skip
@pytest.mark.sample(2)
def test_nvidias_headers(header, use):
    import os

    if not any(os.path.isfile(os.path.join(folder, header)) for folder in _folders()):
        pytest.skip(f"no {header}")
    assert compiled(f"#include <{header}>\n__global__ void k(int *p) {{ {use} }}").kernels


def _folders():
    from launchpath._compiler.rtc.library import library, library_file
    from tests.unit.support.rtc import cuda

    return headers.folders(library.load(library_file.choose(cuda())))


@by_nvrtc
def test_cub_as_a_whole_with_what_the_host_calls():
    if not any("cccl" in folder for folder in _folders()):
        pytest.skip("no CUB")
    image = compiled("""
#include <cub/cub.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/util_allocator.cuh>
template <int N> __global__ void sum(const float *x, float *out) {
  typedef cub::BlockReduce<float, N> Reduce;
  __shared__ typename Reduce::TempStorage shared;
  float all = Reduce(shared).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) *out = all;
}
int main() {
  size_t bytes = 0;
  cub::DoubleBuffer<float> both;
  cub::DeviceScan::ExclusiveSum(nullptr, bytes, both.Current(), both.Alternate(), 3);
  sum<128><<<1, 128>>>(both.Current(), both.Alternate());
}
""")
    assert [signature.name for _, signature in image.kernels] == ["sum<128>"]


@by_nvrtc
def test_a_header_of_cudas_that_is_not_here(monkeypatch):
    monkeypatch.setattr(headers, "folders", lambda _: ())
    log = failed("#include <cuda_fp16.h>\n__global__ void k(__half *p) { *p = __float2half(1); }")
    assert "<cuda_fp16.h> comes with CUDA: pip install nvidia-cuda-runtime" in log
    assert "user.cu:1:1" in log
    log = failed("#include <hip/hip_fp16.h>\n__global__ void k(__half *p) { *p = __float2half(1); }", name="user.hip")
    assert "<cuda_fp16.h> comes with CUDA: pip install nvidia-cuda-runtime" in log


@pytest.mark.parametrize(
    ("header", "major", "package"),
    [
        ("cuda_bf16.h", 13, "nvidia-cuda-runtime,"),
        ("cuda_bf16.h", 12, "nvidia-cuda-runtime-cu12"),
        ("curand_kernel.h", 12, "nvidia-curand-cu12"),
        ("cub/cub.cuh", 13, "nvidia-cuda-cccl"),
        ("crt/mma.h", 13, "nvidia-cuda-crt"),
    ],
)
def test_hints(header, major, package):
    assert package in headers.hint(header, LibraryFile("cuda", "/x", major))


def test_no_hint():
    assert headers.hint("mine.h", LibraryFile("cuda", "/x", 13)) == ""
    assert headers.hint("cuda_fp16.h", LibraryFile("hip", "/x", 6)) == ""
    assert headers.hint("cublas_v2.h", LibraryFile("cuda", "/x", 13)) == ""


HIP_WORDS = """
#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>
__global__ void k(float4 *v, float *p, unsigned long long *m) {
  int i = hipThreadIdx_x + hipBlockIdx_x * hipBlockDim_x;
  HIP_DYNAMIC_SHARED(float, cache)
  cache[i] = __shfl_down(p[i], 1) + __shfl_xor(p[i], 2, 16) + __shfl(i, 0);
  m[i] = __ballot(i & 1) + __any(i) + __all(i) + __lane_id() + __popcll(__activemask());
  v[i] = v[i] * 2.0f + v[0] - make_float4(1, 2, 3, 4);
  v[i] += v[1];
  hipFloatComplex z = make_hipFloatComplex(1, 2);
  p[i] = hipCabsf(z) + cache[i];
  atomicAdd(p, 1.0f);
}
"""
CUDA_WORDS = """
#include <cuda_runtime.h>
struct float5 { float x; };
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y, a.z, a.w); }
__global__ void k(float4 *v, float *p, unsigned *m) {
  int i = threadIdx.x;
  p[i] = __shfl_down_sync(0xffffffff, p[i], 1) + __shfl_xor_sync(0xffffffffu, p[i], 2, 16) + warpSize;
  m[i] = __ballot_sync(0xffffffff, i & 1) + __any_sync(~0u, i) + __all_sync(~0u, i) + __activemask();
  int all;
  m[i] += __match_any_sync(~0u, i) + __match_all_sync(~0u, i, &all) + __reduce_add_sync(~0u, m[i]);
  __syncwarp();
  v[i] = v[i] + v[0];
  p[i] += __ldg(p) + __saturatef(p[i]);
}
"""


# What NVIDIA's headers are not needed for.
HIP_ONLY = """
__global__ void __attribute__((amdgpu_flat_work_group_size(64, 256), amdgpu_waves_per_eu(2)))
k(double4 *d, double1 *e, long2 *l, ulong4 *u, float *p, int *q, unsigned long long *m) {
  d[0] = d[1] * 2 + d[2];
  e[0] -= 1.0;
  l[0] += l[1]++;
  u[0] = ~u[1] << 2ul;
  q[0] = l[0] == l[1];
  q[1] = __smid() + __AMDGCN_WAVEFRONT_SIZE + __builtin_amdgcn_readfirstlane(q[3]) + __hip_ds_swizzle(q[4], 0x041f);
  q[2] = isgreater(-1, 1u) + isnormal(p[2]) + isalnum(q[5]) + strcmp((char *)p, "a");
  m[0] = __match_any(q[4]) + __ballot64(q[5]);
  unsafeAtomicAdd(p, 2);
  atomicAddNoRet(p, 1.0);
  if (q[9]) abort();
}
"""


@by_nvrtc
def test_hips_own_words_under_nvrtc(monkeypatch):
    monkeypatch.setattr(headers, "folders", lambda _: ())
    assert compiled(HIP_ONLY, name="user.hip").kernels


@by_nvrtc
def test_headers_leave_no_variables_in_the_binary():
    image = compiled("__global__ void k(float4 *v, float *p) { v[0] = v[1] * 2; *p = pow(*p, 2); }", name="user.hip")
    # NVRTC makes one of a static member, whether anything uses it or not.
    assert not [name for name, _ in cubin.read(image.code, "made").globals if "__lp" in name]


@by_nvrtc
@pytest.mark.parametrize("text", [HIP_WORDS, CUDA_WORDS])
def test_both_dialects_under_nvrtc(text):
    assert compiled(text, name="user").kernels


@needs_hiprtc
@pytest.mark.parametrize("text", [HIP_WORDS, CUDA_WORDS])
def test_both_dialects_under_hiprtc(text):
    assert compiled(text, name="user", to=hip()).kernels


@by_nvrtc
def test_numbers_of_8_bits_of_both_platforms():
    kernels = compiled(fp8.INCLUDES + "".join(map(fp8.source, fp8.FORMATS))).kernels
    assert len(kernels) == 4 * len(fp8.FORMATS)


HIPCUB = """
#include <hip/hip_runtime.h>
#include <hipcub/block/block_scan.hpp>
#include <hipcub/hipcub.hpp>
__global__ void k(int *p) {
  typedef hipcub::BlockReduce<int, 64> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int most = Reduce(storage).Reduce(p[threadIdx.x], hipcub::Max());
  __syncthreads();
  int all = Reduce(storage).Reduce(p[threadIdx.x], hipcub::Sum());
  if (threadIdx.x == 0) *p = most + all;
}
"""
TUPLE = """
#include <thrust/tuple.h>
__global__ void k(int *p) {
  thrust::pair<int, int> both(p[0], p[1]);
  int a, b;
  thrust::tie(a, b) = both;
  *p = a + b;
}
"""
# Thrust's types by their names in templates' arguments, although the parser has them from elsewhere.
NAMES = """
#include <thrust/functional.h>
#include <thrust/tuple.h>
template <class T, class Op> __global__ void k(T *p, Op op) { p[0].first = op(p[0].first, p[1].second); }
int main() { k<<<1, 1>>>((thrust::pair<int, int> *)nullptr, thrust::plus<int>()); }
"""
# The parser has CUB of ours: what only NVIDIA's has is to be there for it as well.
RANKS = """
#include <cub/cub.cuh>
typedef cub::BlockRadixRank<64, 4, false> Rank;
__device__ void rank(Rank::TempStorage &storage, unsigned (&keys)[1], int (&ranks)[1]) {
  Rank(storage).RankKeys(keys, ranks, cub::BFEDigitExtractor<unsigned>(0, 4));
}
__global__ void k(unsigned *p) {
  __shared__ Rank::TempStorage storage;
  unsigned keys[1] = {p[threadIdx.x]};
  int ranks[1];
  rank(storage, keys, ranks);
  p[threadIdx.x] = ranks[0];
}
"""


@by_nvrtc
@pytest.mark.parametrize(("text", "name"), [(HIPCUB, "k.hip"), (TUPLE, "k.cu"), (NAMES, "k.cu"), (RANKS, "k.cu")])
@pytest.mark.sample(1)
def test_cub_by_both_names_and_thrusts_pairs(text, name):
    if not any("cccl" in folder for folder in _folders()):
        pytest.skip("no CUB")
    assert compiled(text, name=name).kernels


@by_nvrtc
def test_our_headers_see_our_own_macros_and_no_others():
    """`LAUNCHPATH_WHOLE_WARPS` changes the mask of HIP's shuffles. A macro of any other name would change our headers."""
    text = "#include <hip/hip_runtime.h>\n__global__ void k(int *p) { if (*p) p[1] = __shfl(p[2], 0); }"
    plain, whole, other = (
        compiled(text, name="k.hip", defines=defines).code
        for defines in ({}, {"LAUNCHPATH_WHOLE_WARPS": 1}, {"__activemask": "wrong"})
    )
    assert plain != whole
    assert plain == other


@pytest.mark.parametrize("before", [0, headers._BEGIN - 25, headers._BEGIN - 10, headers._BEGIN + 1000])
def test_the_version_of_cuda_wherever_it_stands_in_its_header(tmp_path, before):
    (tmp_path / "cuda.h").write_text("/".ljust(before, "/") + "\n#define CUDA_VERSION 13020\n" + "/" * 100)
    assert headers._version(str(tmp_path)) == 13
    (tmp_path / "cuda.h").write_text("/" * before)
    assert headers._version(str(tmp_path)) == 0
