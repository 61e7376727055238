"""Headers that HIP and CUDA programs include, and what compilers bring without one."""

import functools

import numpy as np
import pytest

import launchpath as lp

HIP = """hip/hip_runtime.h hip/hip_runtime_api.h hip/hip_fp16.h hip/hip_bf16.h hip/hip_bfloat16.h hip/hip_vector_types.h
hip/hip_complex.h hip/math_functions.h hip/device_functions.h hip/hip_ext.h hip/hip_math_constants.h
hip/hip_cooperative_groups.h hiprand/hiprand.h hiprand/hiprand_kernel.h rocrand/rocrand.h rocrand/rocrand_kernel.h
hip/amd_detail/amd_hip_vector_types.h hip/amd_detail/amd_hip_fp16.h hip/hip_deprecated.h hip/hip_fp8.h
roctracer/roctx.h"""
CUDA = """cuda_runtime.h cuda_runtime_api.h cuda.h cuda_fp16.h cuda_bf16.h cuComplex.h device_launch_parameters.h
device_functions.h device_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_35_intrinsics.h cuda_fp8.h math_constants.h
math_functions.h vector_types.h vector_functions.h cuda_profiler_api.h nvtx3/nvToolsExt.h curand.h curand_kernel.h
cooperative_groups.h cooperative_groups/reduce.h helper_cuda.h helper_functions.h helper_math.h mma.h cuda_pipeline.h
surface_functions.h surface_indirect_functions.h crt/device_functions.h vector_functions.hpp library_types.h nv/target
cuda/atomic cuda/barrier cuda/pipeline cuda/std/atomic cuda/std/tuple cuda/std/span cuda/std/functional"""
HOST = """iostream fstream sstream iomanip string vector map set unordered_map deque queue chrono thread mutex atomic
random memory algorithm numeric functional utility tuple array complex limits type_traits cmath cstdint cstdio cstdlib
cstring cassert cfloat climits ctime cctype stdexcept optional variant math.h stdio.h stdlib.h string.h assert.h
stdint.h float.h limits.h time.h sys/time.h unistd.h getopt.h errno.h omp.h mpi.h"""
KERNEL = "__global__ void k(float* x) { x[threadIdx.x] = sqrtf(x[threadIdx.x]) + 1; }\n"


def included(names):
    return "".join(f"#include <{name}>\n" for name in names)


def check_kernel(program, device):
    x = lp.asarray(np.arange(32, dtype="float32") ** 2, device=device)
    program.k[1, 32](x)
    assert np.allclose(x.to_numpy(), np.arange(32) + 1)


@pytest.mark.sample(3)
@pytest.mark.parametrize("names", [HIP, CUDA, HOST], ids=["hip", "cuda", "host"])
@pytest.mark.parametrize("reverse", [False, True])
def test_all_headers_together(device, names, reverse):
    check_kernel(lp.compile(included(names.split()[:: -1 if reverse else 1]) + KERNEL, device), device)


@pytest.mark.sample(1)
@pytest.mark.parametrize("standard", ["c++17", "c++20", "gnu++2b"])
def test_headers_of_both_sides_in_every_standard(device, standard):
    names = "hip/hip_runtime.h hip/hip_fp16.h hip/hip_bf16.h hip/hip_complex.h algorithm cmath complex vector"
    check_kernel(lp.compile(included(names.split()) + KERNEL, device, standard=standard), device)


STANDARD = r"""
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
template <class T, class = std::enable_if_t<std::is_integral<T>::value>> __device__ T twice(T x) { return 2 * x; }
__global__ void k(int* a, double* out) {
    int put = 0;
    std::partial_sort(a, a + 8, a + 8);
    std::swap(a[0], a[1]);
    std::reverse(a + 2, a + 5);
    out[put++] = std::accumulate(a, a + 8, 0);
    out[put++] = std::min(a[0], a[1]) + std::max({a[0], a[1], a[2]}) + std::abs(-a[1]) + std::clamp(a[7], 0, 3);
    std::array<int, 4> all{4, 3, 2, 1};
    std::partial_sort(all.begin(), all.end(), all.end(), std::greater<int>());
    all.fill(all[0] + all.back());
    out[put++] = all[2] + all.size();
    auto pair = std::make_pair(1, 2.5);
    std::tuple<int, float, double> triple{3, 0.5f, 0.25};
    int first;
    double second;
    std::tie(first, second) = pair;
    auto [x, y, z] = triple;
    out[put++] = first + second + std::get<0>(triple) + x + y + z;
    out[put++] = std::sqrt(2.0) + std::pow(2.0f, 3) + std::floor(2.5) + std::fmod(7.0, 4.0) + std::hypot(3.0, 4.0);
    out[put++] = std::numeric_limits<int>::max() + (double)std::numeric_limits<float>::lowest();
    float infinite = std::numeric_limits<float>::infinity();
    out[put++] = std::isnan(std::numeric_limits<double>::quiet_NaN()) + std::isinf(infinite);
    out[put++] = std::is_same<std::conditional_t<sizeof(int) == 4, int32_t, char>, int>::value + twice(std::uint8_t(7));
    int copy[4], *end = std::copy(a, a + 4, copy);
    out[put++] = std::equal(a, a + 4, copy) + (end - copy) + *std::max_element(copy, end);
    out[put++] = std::distance(a, std::lower_bound(a + 5, a + 8, 7)) + std::gcd(12, 18) + std::exchange(a[0], 5);
    memset(copy, 0, sizeof copy);
    memcpy(copy, a, sizeof(int));
    out[put++] = copy[0] + copy[1] + std::plus<>()(1, 2);
}
"""


def test_the_standard_library_in_kernels(device):
    a = lp.asarray(np.array([7, 3, 1, 8, 5, 2, 6, 4], "int32"), device=device)
    out = lp.zeros(11, "float64", device)
    lp.compile(STANDARD, device).k[1, 1](a, out)
    limits = 2**31 - 1 + float(np.finfo("float32").min)
    wanted = [36, 1 + 5 + 1 + 3, 5 + 4, 3.5 + 3 + 3.75, np.sqrt(2) + 8 + 2 + 3 + 5, limits, 2, 15, 10, 14, 8]
    assert out.to_numpy().tolist() == wanted


def test_assert_and_printf_beside_the_c_librarys(device):
    kernel = lp.compile("""
        #include <cassert>
        #include <cstdio>
        #include <cstdlib>
        #include <stdio.h>
        __global__ void k(int* x) {
            assert(x[0] == 5 && "five");
            if (x[0] != 5) printf("%d\\n", x[0]);
            x[1] = abs(-3) + std::abs(-4L);
        }
        int main() { int* x = (int*)malloc(8); assert(x); printf("%p\\n", (void*)x); free(x); }
        """, device).k  # fmt: skip
    x = lp.asarray([5, 0], "int32", device)
    kernel[1, 1](x)
    assert x.to_numpy().tolist() == [5, 7]


def test_tiles_of_cooperative_groups(device):
    extensions = set(device.info.get("extensions", ()))
    if device.info["driver"] == "opencl" and not {"cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"} <= extensions:
        pytest.skip("no sub-groups here")
    kernel = lp.compile("""
        #include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        #include <cooperative_groups/scan.h>
        namespace cg = cooperative_groups;
        __global__ void k(int* x, int* out) {
            cg::thread_block block = cg::this_thread_block();
            auto tile = cg::tiled_partition<8>(block);
            auto warp = cg::tiled_partition<32>(block);
            int v = x[block.thread_rank()], n = block.size(), t = block.thread_rank();
            block.sync();
            out[t] = cg::reduce(tile, v, cg::plus<int>());
            out[n + t] = warp.shfl(v, 3);
            out[2 * n + t] = tile.shfl_down(v, 1) + 100 * tile.meta_group_rank();
            out[3 * n + t] = tile.ballot(v % 2);
            out[4 * n + t] = cg::inclusive_scan(tile, v, cg::plus<int>());
            out[5 * n + t] = tile.any(v == 9) + 2 * tile.all(v < 64) + 4 * (int)tile.thread_rank();
        }
        """, device).k  # fmt: skip
    x = np.random.default_rng(1).permutation(128).astype("int32")
    out = lp.zeros((6, 128), "int32", device)
    kernel[1, 128](lp.asarray(x, device=device), out)
    got, tiles, t = out.to_numpy(), x.reshape(16, 8), np.arange(128)
    down = np.where(t % 8 == 7, x, np.roll(x, -1))
    bits = (tiles % 2 << np.arange(8)).sum(1)
    votes = (tiles == 9).any(1) + 2 * (tiles < 64).all(1)
    wanted = (np.repeat(tiles.sum(1), 8), np.repeat(x[3::32], 32), down + 100 * (t // 8), np.repeat(bits, 8),
              tiles.cumsum(1).ravel(), np.repeat(votes, 8) + 4 * (t % 8))  # fmt: skip
    for row, right in zip(got, wanted, strict=True):
        assert (row == right).all()


WITHOUT = """
__global__ void k(float* f, int* i, char* text) {
    f[0] = FLT_MAX;
    f[1] = -FLT_EPSILON;
    i[0] = INT_MAX;
    i[1] = UINT32_MAX == 0xffffffff && SIZE_MAX == ULONG_MAX && DBL_MAX > FLT_MAX && CHAR_BIT == 8 && RAND_MAX > 0;
    i[2] = (int)strlen("four") + strcmp("abc", "abd") + strncmp("abc", "abd", 2) + (strcmp("b", "a") > 0);
    strcpy(text, "one");
    strcat(text, "two");
    strncpy(text + 8, "three", 7);
    i[3] = (int)(strchr(text, 'w') - text);
    i[4] = isdigit('7') + 2 * isalpha('7') + 4 * isspace(' ') + 8 * (toupper('q') == 'Q') + 16 * isupper('q');
    if (i[4] < 0) exit(EXIT_FAILURE);
}
"""


def test_what_nvcc_brings_without_an_include(device):
    f, i, text = lp.zeros(2, "float32", device), lp.zeros(5, "int32", device), lp.zeros(16, "uint8", device)
    lp.compile(WITHOUT, device).k[1, 1](f, i, text)
    assert f.to_numpy().tolist() == [np.finfo("float32").max, -np.finfo("float32").eps]
    assert i.to_numpy().tolist() == [2**31 - 1, 1, 4, 4, 13]
    assert text.to_numpy().tobytes() == b"onetwo\0\0three\0\0\0"


def test_texture_objects_of_the_driver_api(device):
    """nvcc knows them without an include."""
    source = "__global__ void k(float *o, CUtexObject t, CUsurfObject s) { *o = tex2D<float>(t, 0.f, 0.f); }"
    kernel = lp.compile(source, device, language="cuda").k
    assert [parameter.kind for parameter in kernel.signature.parameters][:2] == ["pointer", "texture"]


@pytest.mark.parametrize("named", ['"given.h"', "<given.h>", "TEXT(given.h)"])
def test_macros_name_headers(device, named):
    """C++ [cpp.include]: where a macro names a header that is missing itself, so is what it names."""
    source = f"""
    #include <cuda_runtime.h>
    #include <boost/preprocessor/iteration/iterate.hpp>
    #define TEXT_OF(x) #x
    #define TEXT(x) TEXT_OF(x)
    #define HEADER {named}
    #include HEADER
    #include BOOST_PP_ITERATE()
    __global__ void k(int* out) {{ out[0] = VALUE; }}
    int main() {{ k<<<1, 1>>>(nullptr); }}
    """
    out = lp.zeros(1, "int32", device)
    lp.compile(source, device, headers={"given.h": "#define VALUE 7\n"}).k[1, 1](out)
    assert out.to_numpy()[0] == 7
    with pytest.raises(lp.CompileError, match='expected "FILENAME" or <FILENAME>'):
        lp.compile("#include NOTHING\n__global__ void k(int* out) {}", device)


def test_a_programs_own_functions_of_these_names(device):
    source = """
    #include <cuda_runtime.h>
    #include <cstring>
    #include <cctype>
    __device__ int strcmp(const char* a, const char* b) { return 42; }
    __host__ __device__ int float_as_int(float x) { return 43; }
    __device__ int isdigit(int c) { return 44; }
    __device__ int length(const char* text) { return (int)strlen(text); }
    __global__ void k(int* out) {
        out[0] = strcmp("a", "a"); out[1] = float_as_int(1.f); out[2] = isdigit('a'); out[3] = length("12345");
    }
    int main() { return std::strlen("x") + strcmp("a", "b"); }
    """
    out = lp.zeros(4, "int32", device)
    lp.compile(source, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [42, 43, 44, 5]


@pytest.mark.opencl_only('NVIDIA\'s own headers have templates: nvcc refuses them within extern "C" as well')
def test_headers_within_extern_c(device):
    source = """
    extern "C" {
    #include <cuda_runtime.h>
    #include <curand_kernel.h>
    #include <cuda_fp16.h>
    #include <cuComplex.h>
    #include <cooperative_groups.h>
    __global__ void k(float* x) {
        curandState state;
        curand_init(1, threadIdx.x, 0, &state);
        float drawn = curand_uniform(&state);
        x[threadIdx.x] = __half2float(__float2half(sqrtf(x[threadIdx.x]))) + (drawn > 0.0f && drawn <= 1.0f);
    }
    }
    """
    check_kernel(lp.compile(source, device), device)


def test_words_that_the_language_has_dropped(device, native):
    source = """
    __global__ void k(float* x) throw() {
        register int i = threadIdx.x;
        x[i] = sqrtf(x[i]) + 1;
    }
    """
    if native:  # nvcc refuses exception specifications of kernels
        check_kernel(lp.compile(source.replace("throw()", ""), device, standard="c++17"), device)
        return
    check_kernel(lp.compile(source, device, standard="c++17"), device)
    check_kernel(lp.compile(source.replace("throw()", "noexcept"), device), device)


ORDERS = {"usual": "", "less": ", std::less<T>()", "less_of_any": ", std::less<>()"}
SORTING = "#include <algorithm>\n#include <functional>\n" + "".join(
    f"template <class T> __global__ void {name}(T* x, int n) {{ std::sort(x, x + n{order}); }}\n"
    for name, order in ORDERS.items()
)
SORTED_TYPES = {"int": "int32", "double": "float64"}


@functools.cache
def _sorting(device):
    return lp.compile(SORTING, device, names=[f"{name}<{type}>" for name in ORDERS for type in SORTED_TYPES])


@pytest.mark.parametrize("name", ORDERS)
def test_sorting_in_the_usual_order(device, name):
    values = np.random.default_rng(8).permutation(100)
    for type, dtype in SORTED_TYPES.items():
        x = lp.asarray(values.astype(dtype), device=device)
        _sorting(device)[f"{name}<{type}>"][1, 1](x, 100)
        assert (x.to_numpy() == np.arange(100)).all()


@pytest.mark.parametrize(
    "source",
    [
        "#include <hip/hip_runtime.h>\n"
        "typedef struct ihipStream_t* hipStream_t; typedef struct ihipEvent_t* hipEvent_t;\n",
        "#include <cuda_runtime.h>\ntypedef struct CUstream_st* cudaStream_t; typedef struct CUevent_st* cudaEvent_t;\n",
    ],
    ids=["hip", "cuda"],
)
def test_handles_that_a_library_declares_again(device, source):
    check_kernel(lp.compile(source + KERNEL, device), device)


def test_kernels_beside_the_directives_by_which_a_source_includes_itself(device, tmp_path):
    path = tmp_path / "both.hip"
    path.write_text("""#ifndef TYPE
#define TYPE int
#define NAME(x) x##_i
#include "both.hip"
#undef TYPE
#undef NAME
#define TYPE float
#define NAME(x) x##_f
#include "both.hip"
__global__ void over(int *x) { x[0] = 1; }
#else
__global__ void NAME(set)(TYPE *x, TYPE value) { *x = value; }
#endif
""")
    program = lp.compile(path=path, device=device)
    assert sorted(kernel.name for kernel in program) == ["over", "set_f", "set_i"]
    x, y = lp.zeros(1, "int32", device), lp.zeros(1, "float32", device)
    program.over[1, 1](x)
    program.set_f[1, 1](y, 2.5)
    assert x.to_numpy().tolist() == [1] and y.to_numpy().tolist() == [2.5]
