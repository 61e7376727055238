"""Shapes of published CUDA programs that depend on macros, on thrust's headers, or on names in namespaces."""

import pytest

from launchpath._compiler.rtc import build
from launchpath._compiler.source.active import Active
from tests.unit.rtc import compiled, failed, needs_nvrtc

PASTED = """
struct Convert_rgb_yuv { typedef float out; static __device__ out at(float x) { return x; } };
struct Convert_yuv_rgb { typedef float out; };
#define KERNEL(C) __global__ void run_##C(Convert_##C::out *p) { *p = Convert_##C::at(*p); }
#define KERNELS(C) KERNEL(rgb_##C)
extern "C" {
KERNELS(yuv)
}
"""


@needs_nvrtc
def test_classes_whose_names_macros_put_together():
    assert [signature.name for _, signature in compiled(PASTED).kernels] == ["run_rgb_yuv"]


def test_patterns_of_names_that_macros_put_together():
    active = Active(b"#define A(x, y) pre_##x + y ## _post + a##_mid_##y + x##y\n#define B(x) other x\n")
    assert active.pasted == {"A": [r"pre_\w*", r"\w*_post", r"a\w*", r"\w*_mid_\w*"]}


@needs_nvrtc
def test_a_launch_bound_that_is_a_constant_of_the_kernels_namespace():
    text = """
namespace a { namespace b {
constexpr static int threads = 256;
constexpr static int most = threads;
__launch_bounds__(most) __global__ static void k(float *p) { *p = most; }
} }
"""
    assert [signature.max_threads for _, signature in compiled(text).kernels] == [256]


@needs_nvrtc
@pytest.mark.sample(1)
@pytest.mark.parametrize("header", ["device_vector.h", "execution_policy.h", "system/cuda/execution_policy.h"])
def test_thrusts_algorithms_and_containers_in_host_code(header):
    text = f"#include <thrust/{header}>\n#include <vector>\n#include <stdexcept>\n"
    text += "struct Host { std::vector<int> of; };\n__global__ void k(float *p) { *p = std::min(1, 2); }\n"
    assert compiled(f"{text}int main() {{ k<<<1, 1>>>(0); }}").kernels


@needs_nvrtc
def test_an_error_that_only_the_hosts_compilers_avoid():
    text = "#if defined __GNUC__ || defined __clang__\n#define X 1\n#else\n#error no compiler\n#endif\n"
    assert compiled(f"{text}__global__ void k(int *p) {{ *p = 1; }}").kernels
    wanted = "#ifndef WANTED\n#error define WANTED\n#endif\n__global__ void k(int *p) { *p = 1; }"
    assert "define WANTED" in failed(wanted)


@needs_nvrtc
@pytest.mark.parametrize("includes", [("utility", "thrust/tuple.h"), ("thrust/tuple.h", "utility")])
def test_the_small_library_beside_the_tuples_of_libcuxx(includes, monkeypatch):
    monkeypatch.setattr(build._Search, "_go_another_way", lambda *_: False)  # libcu++ as the whole library
    text = (
        "".join(f"#include <{header}>\n" for header in includes)
        + """
__global__ void k(float *p) {
  const thrust::tuple<float, float> of(p[0], p[1]);
  const std::pair<int, int> pair(1, 2);
  auto [a, b] = of;
  p[0] = thrust::get<1>(of) + pair.first + a + b + std::tuple_size<const std::pair<int, int>>::value;
}
"""
    )
    assert compiled(text).kernels


@needs_nvrtc
def test_functions_for_constant_expressions_by_a_macro():
    text = """
#include <iostream>
#define CONSTANT constexpr
#define INLINE CONSTANT inline
template <class T> INLINE T rounded(T a, T b) { return (a + b - 1) / b * b; }
__global__ void k(int *p) { *p = rounded(*p, 4); }
int main() { std::cout << rounded(3, 2); }
"""
    assert compiled(text).kernels


@needs_nvrtc
def test_the_name_that_c_has_for_bool():
    assert compiled("#include <stdbool.h>\n__global__ void k(int *p, _Bool b) { *p = b ? true : false; }").kernels


WRAP = """
#ifndef WRAPPED
#define WRAPPED
#ifdef __cplusplus
extern "C" {
#endif
#else
#undef WRAPPED
#ifdef __cplusplus
}
#endif
#endif
"""


@needs_nvrtc
def test_a_header_that_opens_a_block_and_closes_it_when_it_is_included_again(tmp_path):
    (tmp_path / "wrap.h").write_text(WRAP)
    inner = f'// {"far" * 99}\n#pragma once\n#include "wrap.h"\n__device__ int of(int);\nint host(int);\n#include "wrap.h"\n'
    (tmp_path / "inner.h").write_text(inner)
    text = '#include "inner.h"\n__device__ int of(int x) { return x + 1; }\n__global__ void k(int *p) { *p = of(*p); }'
    assert [each for each, _ in compiled(text, include_paths=[str(tmp_path)]).kernels] == ["_Z1kPi"]


@needs_nvrtc
@pytest.mark.parametrize("declared", ["", 'extern "C" __host__ __device__ {of} noexcept;', 'extern "C" {of} noexcept;'])
def test_what_a_failed_assert_calls(declared):
    of = "void __assert_fail(const char *, const char *, unsigned, const char *)"
    call = "{ if (!*p) __assert_fail(__FILE__, __FILE__, __LINE__, __func__); }"
    assert compiled(f"#include <assert.h>\n{declared.format(of=of)}\n__global__ void k(int *p) {call}").kernels


@needs_nvrtc
def test_a_template_of_kernels_that_is_only_declared_beside_another_of_its_name():
    text = """
template <class T> __global__ void k(T *p, T value = 2);
template <class T> __global__ void k(T *p, int, T value);
template <class U> __global__ void k(U *p, U value) { *p = value; }
int main() { k<float><<<1, 1>>>(0); }
"""
    assert [signature.name for _, signature in compiled(text, "k<float>").kernels] == ["k<float>"]


@needs_nvrtc
def test_pointers_to_classes_of_the_host_in_what_kernels_take():
    text = """
#include <mutex>
#include <vector>
template <int N, class T = float> class Store final : public std::vector<T> { std::vector<T> of[N]; };
struct Holder : Store<2> { std::mutex lock; };
class Tile { Holder held; Store<1> *other; };
struct Arguments { Arguments(Tile *t, Store<3> *s); Tile *t; float *p; };
__global__ void k(Arguments arguments) { *arguments.p = 1; }
"""
    assert [signature.name for _, signature in compiled(text).kernels] == ["k"]


@needs_nvrtc
def test_the_types_of_cufft_in_what_kernels_take():
    text = """
#include <cufft.h>
struct Plan { cufftHandle plan; cufftType type; cufftResult result; };
__global__ void k(cufftComplex *p, Plan plan) { p->x = plan.type == CUFFT_C2C && plan.result == CUFFT_SUCCESS; }
"""
    ((_, signature),) = compiled(text).kernels
    assert signature.parameters[1].size == 12


@needs_nvrtc
def test_methods_of_the_host_behind_an_attribute():
    text = "#include <string>\nstruct S { int n; [[nodiscard]] std::size_t size() const { return n; } };\n"
    assert compiled(f"{text}__global__ void k(int *p, S s) {{ *p = s.n; }}").kernels


OPAQUE = """
#include <string>
#include <vector>
class Rows {
  // Where there is no room for
#if 1 // a member that has the size of all others
public:
#endif
  using Index = unsigned;
  enum Kind { first, second };
private:
  std::vector<std::string> names_;
public:
  int count;
  static constexpr int width = 4;
};
"""


@needs_nvrtc
def test_types_and_constants_of_a_class_of_the_host():
    kernel = "__global__ void k(Rows::Index *p, Rows *rows) { *p = Rows::second + Rows::width + sizeof(Rows) + (rows != 0); }"
    assert compiled(f"{OPAQUE}static_assert(sizeof(Rows) == 32);\n{kernel}").kernels
    assert '"count"' in failed(f"{OPAQUE}__global__ void k(int *p, Rows *rows) {{ *p = rows->count; }}")
