"""From source to a device's binary by NVRTC and hipRTC: what comes out, and how it fails."""

import re

import pytest

from launchpath._compiler.binary import cubin
from launchpath._compiler.rtc.library import headers, library, library_file
from launchpath.errors import CompileError
from tests.unit.support.rtc import compiled, cuda, failed, hip, needs_hiprtc, needs_nvrtc

pytestmark = pytest.mark.compiles

BOTH = [
    pytest.param(cuda(), "cubin", marks=needs_nvrtc, id="nvrtc"),
    pytest.param(hip(), "hsaco", marks=needs_hiprtc, id="hiprtc"),
]
each = pytest.mark.parametrize(("to", "kind"), BOTH)

NAMES = """
static __device__ int counter[4];
namespace { __device__ float hidden; __global__ void anonymous(int *a) { *a = counter[1]; } }
template <class T, int N> __global__ void templated(T *x) { x[0] = T(counter[0] + hidden + N); }
__global__ void scale(float *x) { *x *= 2; }
__global__ void scale(int *x) { *x *= 2; }
static __global__ void local(int *x) { *x *= 2; }
extern "C" __global__ void plain(int *x) { *x *= 2; }
namespace a { namespace b { __constant__ int deep = 4; __global__ void k(int *p) { *p = deep; } } }
"""


@each
def test_names(to, kind):
    image = compiled(NAMES, "templated<float, 4>", "templated<unsigned long long, 2>", to=to)
    assert image.kind == kind
    assert {signature.name: entry for entry, signature in image.kernels if "anonymous" not in entry} == {
        "scale(float *)": "_Z5scalePf",
        "scale(int *)": "_Z5scalePi",
        "local": "_Z5localPi" if kind == "cubin" else "_ZL5localPi",
        "plain": "plain",
        "a::b::k": "_ZN1a1b1kEPi",
        "templated<float, 4>": "_Z9templatedIfLi4EEvPT_",
        "templated<unsigned long long, 2>": "_Z9templatedIyLi2EEvPT_",
    }
    symbols = {symbol.name: symbol for symbol in image.symbols}
    assert symbols.keys() == {"counter", "hidden", "a::b::deep"}
    assert symbols["counter"][2:5] == (16, "int32", (4,))
    assert symbols["a::b::deep"].entry == "_ZN1a1b4deepE"
    assert "counter" in symbols["counter"].entry


@needs_nvrtc
def test_the_binary_has_what_is_named():
    image = compiled(NAMES, "templated<float, 4>")
    contents = cubin.read(image.code, "made")
    assert {kernel.entry for kernel in contents.kernels} == {entry for entry, _ in image.kernels}
    assert {symbol.entry for symbol in image.symbols} <= {name for name, _ in contents.globals}
    for kernel in contents.kernels:
        signature = next(signature for entry, signature in image.kernels if entry == kernel.entry)
        assert [(p.offset, p.size) for p in signature.parameters] == [(p.offset, p.size) for p in kernel.places]


@needs_nvrtc
def test_structs_lie_as_clang_says():
    image = compiled("""
struct Odd { char a; double b; char c; };
struct alignas(16) Wide { float x; };
enum class Mode : short { ONE };
template <class T> __global__ void k(char c, Odd o, T *p, Wide w, Mode m, float3 f, bool b, double2 d) { *p = o.b + f.x; }
""", "k<float>")  # fmt: skip
    (kernel,) = cubin.read(image.code, "made").kernels
    ((_, signature),) = image.kernels
    assert [(p.offset, p.size) for p in signature.parameters] == [(p.offset, p.size) for p in kernel.places]


@needs_nvrtc
def test_another_layout_is_an_error():
    # NVRTC has no __has_feature, libclang, which finds the layout, has.
    text = "struct S { int a;\n#ifdef __has_feature\nfloat b;\n#endif\n};\n__global__ void k(S s, int *p) { *p = s.a; }"
    log = failed(text)
    assert "parameter 's' of kernel 'k' has another layout on this device" in log
    assert "user.cu:6:17: error: static assertion failed" in log


@each
def test_errors_stand_at_the_users_lines(to, kind, tmp_path):
    header = "#pragma once\ntemplate <class T> __device__ void helper(T t) {\n  t.foo();\n}\n"
    log = failed(
        '#include "x.cuh"\n__global__ void k(int *p) {\n\t*p = undefined_thing + 1;\n  helper(p);\n}\n',
        to=to,
        headers={"x.cuh": header},
    )
    assert "user.cu:3:7: error: " in log
    assert "\n\t*p = undefined_thing + 1;\n\t     ^" in log
    assert "x.cuh:3:" in log
    assert "user.cu:4:" in log
    assert "launchpath_user" not in log


@each
def test_a_template_that_cannot_be_instantiated(to, kind):
    text = "template <class T> __global__ void k(T *p) {\n  typename T::type x = 1;\n  *p = x;\n}"
    log = failed(text, "k<int>", to=to)
    assert "user.cu:2:12: error: " in log
    assert "user.cu:2:0: note: in instantiation of " in log
    assert "k" in log.partition("note: ")[2]
    assert "no kernel 'nope'" in failed(text, "nope", to=to)


@each
def test_host_code_is_left_out(to, kind):
    image = compiled("""
#include <iostream>
#include <vector>
#include <unknown/thing.h>
#include <cstdio>
__global__ void k(float *p, int n) { if (n > 3) printf("%d", n); p[0] = n; }
template <class T> __global__ void fill(T *p, T v) { *p = v; }
struct App { std::vector<float> v; void run() { fill<<<1, 1>>>((double *)nullptr, 1.0); } };
int main() { std::cout << undeclared(); hipLaunchKernelGGL(k, 1, 1, 0, 0, nullptr, 3); App().run(); }
""", to=to, name="user.hip")  # fmt: skip
    assert [signature.name for _, signature in image.kernels] == ["k", "fill<double>"]


@each
def test_what_has_no_mark_is_for_the_device(to, kind):
    assert compiled("""
constexpr int square(int x) { return x * x; }
template <class T> constexpr T twice(T x) { return x + x; }
const float table[] = {1, 2, 3};
struct V { float x; constexpr V(float v) : x(v) {} constexpr float get() const { return x; } };
__global__ void k(float *p) { *p = square(threadIdx.x) + twice(2.0f) + table[threadIdx.x & 1] + V(p[1]).get(); }
""", to=to).kernels  # fmt: skip


@each
def test_defines_and_standard(to, kind):
    text = '__global__ void k(int (*p)[N]) { static_assert(__cplusplus >= 202002L && N == 4, ""); ADD(**p, 1); }'
    assert compiled(text, to=to, standard="c++20", defines={"N": 4, "ADD(a, b)": "(a) += (b)"}).kernels


@needs_nvrtc
def test_using_what_only_the_hosts_library_has():
    image = compiled("""
#include <chrono>
#include <filesystem>
using namespace std; using namespace chrono;
using namespace std::chrono_literals;
using std::vector; using std::max;
namespace app {
using namespace filesystem;
using std::string;
__global__ void k(float *p, int string) { p[string] = max(p[0], 1.f) + sqrt(p[1]) + abs(p[2]); }
}
int main() { auto start = steady_clock::now(); app::k<<<1, 1>>>(nullptr, 0); cout << start << endl; }
""")
    assert [signature.name for _, signature in image.kernels] == ["app::k"]


@needs_nvrtc
def test_using_what_libcuxx_has():
    text = "#include <optional>\n#include <chrono>\nusing namespace std::chrono; using namespace std;\n"
    text += "__global__ void k(int *p) { optional<int> o; if (p[1]) o = 3; *p = o.value_or(milliseconds(4).count()); }"
    folders = headers.folders(library.load(library_file.choose(cuda())))
    if not any("cccl" in folder for folder in folders):
        pytest.skip("no libcu++")
    assert compiled(text).kernels


@needs_nvrtc
def test_ptx_for_a_device_that_nvrtc_does_not_know():
    image = compiled("__global__ void k(int *p) { *p = 1; }", to=cuda("sm_999"))
    assert image.kind == "ptx"
    assert b".entry _Z1kPi" in image.code


@needs_nvrtc
def test_alone_brings_only_the_globals_it_reaches():
    text = """
__device__ int used; __device__ int other;
template <class T> __global__ void with(T *p) { *p = used; }
template <class T> __global__ void without(T *p) { *p = 1; }
__global__ void plain(int *p) { *p = other; }
"""
    assert [symbol.name for symbol in compiled(text, "with<int>", alone=True).symbols] == ["used"]
    assert compiled(text, "without<int>", alone=True).symbols == ()
    assert {symbol.name for symbol in compiled(text, "without<int>").symbols} == {"used", "other"}


@needs_nvrtc
def test_inline_assembly_and_hopper():
    text = '__global__ void k(int *p) { int x; asm("mov.u32 %0, %%laneid;" : "=r"(x)); *p = x;\n#if __CUDA_ARCH__ != 900\nbroken\n#endif\n}'
    assert compiled(text).kernels


@needs_nvrtc
def test_managed_and_dynamic_shared():
    image = compiled(
        "__managed__ int m = 3;\n__global__ void __launch_bounds__(128) k(int *p) "
        "{ extern __shared__ int s[]; s[0] = m; *p = s[0]; }"
    )
    ((_, signature),) = image.kernels
    assert (signature.dynamic_shared, signature.max_threads) == (True, 128)
    assert [symbol.name for symbol in image.symbols] == ["m"]


@needs_nvrtc
def test_managed_variables_are_the_hosts_too():
    source = (
        "__managed__ int m = 3; static __managed__ int own; __device__ int unmanaged;\n"
        "namespace a { namespace b { __device__ __managed__ float f[2]; } __device__ int f; }\n"
        "__global__ void k(int *p) { *p = m + own + unmanaged + a::b::f[1] + a::f; }"
    )
    image = compiled(source)
    names = {"m": "m", "own": "own", "unmanaged": "unmanaged", "a::b::f": "_ZN1a1b1fE", "a::f": "_ZN1a1fE"}
    assert {symbol.name: symbol.entry for symbol in image.symbols} == names
    assert {name for name, _ in cubin.read(image.code, "managed").globals} >= set(names.values())
    text = compiled(source, to=cuda("sm_999")).code.decode()
    for name in ("m", "own", "_ZN1a1b1fE"):
        assert re.search(rf"\.attribute\(\.managed\) \.align 4 \S+ {name}\b", text)
    assert not re.search(r"managed.*(unmanaged|_ZN1a1fE)", text)


@needs_nvrtc
def test_warnings_are_in_the_log():
    image = compiled("__global__ void k(int *p) { *p = 1 / 0; }")
    assert "user.cu:1:36: warning: division by zero" in image.log


def test_no_library(monkeypatch, tmp_path):
    monkeypatch.setenv("LAUNCHPATH_NVRTC_LIBRARY", str(tmp_path / "none.so"))
    with pytest.raises(CompileError, match="LAUNCHPATH_NVRTC_LIBRARY names .*, which is not a file"):
        compiled("__global__ void k(int *p) {}")


@needs_nvrtc
def test_launches_from_kernels_are_refused_at_their_lines():
    text = "template <class T> __global__ void child(T *a) {}\n__global__ void k(int *a) {\n  if (a) "
    message = "launches from kernels (dynamic parallelism) are not supported: launch from the host"
    assert f"user.cu:3:10: error: {message}" in failed(f"{text}child<int><<<1, 1>>>(a); }}")
    assert f"which kernels do not have; {message}" in failed(f"{text}cudaDeviceSynchronize(); }}")
