"""Name expressions, and the instances that host code launches."""

import pytest

from launchpath._compiler.extraction import instances as extracted
from launchpath._compiler.extraction.launches import launched
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.kernels.instance import normal
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError


def host(text: str) -> list[str]:
    return launched.launched(parse(sources.from_text(text, "user.cu")))[0]


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("k", " k "),
        ("k<float,4>", "k< float , 4 >"),
        ("k<unsigned int>", "k<unsigned  int>"),
        ("a::k<T *>", "a :: k<T*>"),
    ],
)
def test_spaces_mean_nothing(name, same):
    assert normal(name) == normal(same)


def test_entries_are_identifiers_and_differ():
    unit = parse(sources.from_text("template <class T> __global__ void k(T x) {}\n__global__ void k_int() {}"))
    instances = extracted.instances(unit, ["k<int>", "k<float*>", "k<float>", "k< int >"])
    assert [kernel.name for kernel in instances] == ["k_int", "k<int>", "k<float*>", "k<float>"]
    assert len({kernel.entry for kernel in instances}) == 4
    assert all(kernel.entry.isidentifier() for kernel in instances)


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing", "has no kernel 'missing'; it has k, plain"), ("k", "'k' is a template: add its arguments")],
)
def test_names_that_are_none(name, message):
    unit = parse(sources.from_text("template <class T> __global__ void k(T x) {}\n__global__ void plain() {}"))
    with pytest.raises(CompileError, match=message):
        extracted.instances(unit, [name])


KERNELS = """
#include <vector>
enum Mode { A, B };
enum class Kind : unsigned char { X, Y };
template <class T, int N, bool Fast = true> __global__ void k(T *x, int n) {}
template <Mode m, Kind q, unsigned u> __global__ void modes(int *x) {}
template <class... T> __global__ void pack(T... x) {}
namespace n { struct P { int a; }; template <class T> __global__ void in(T x) {} }
template <class F> __global__ void apply(F f) { f(); }
"""


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("int main() { k<float, 3><<<1, 2>>>(nullptr, 1); }", ["k<float, 3, true>"]),
        ("int main() { float *p; k<float, 3><<<1, 2>>>(p, 1); k<float, 3, false><<<1, 2>>>(p, 1); }",
         ["k<float, 3, true>", "k<float, 3, false>"]),
        ("template <class T> void run(int n) { T *p; cudaMalloc(&p, n); k<T, 8><<<n, 8>>>(p, n); }\n"
         "int main() { run<double>(3); run<unsigned long long>(4); }",
         ["k<double, 8, true>", "k<unsigned long long, 8, true>"]),
        ("int main() { modes<B, Kind::Y, 7u><<<1, 1>>>(nullptr); }", ["modes<B, Kind::Y, 7>"]),
        ("int main() { pack<<<1, 1>>>(1, 2.0f, n::P{}); }", ["pack<int, float, n::P>"]),
        ("int main() { n::in<<<1, 1>>>(n::P{}); }", ["n::in<n::P>"]),
        ("template __global__ void k<short, 1>(short *, int);", ["k<short, 1, true>"]),
        ("int main() { missing(); std::vector<Unknown> v; undeclared = 1; k<int, 1><<<1, 1>>>(nullptr, 2); }",
         ["k<int, 1, true>"]),
        ("int main() { void *a[] = {0}; cudaLaunchKernel((const void *)k<float, 2>, 1, 1, a, 0, 0); }",
         ["k<float, 2, true>"]),
        ("int main() { return 0; }", []),
    ],
)  # fmt: skip
@pytest.mark.sample(2)
def test_templates_as_host_code_launches_them(code, names):
    assert host(KERNELS + code) == names


def test_hip_launches():
    text = (
        KERNELS.replace("<vector>", "<hip/hip_runtime.h>")
        + """
int main() {
  float *p; hipMalloc(&p, 4);
  hipLaunchKernelGGL((k<float, 4>), dim3(1), dim3(4), 0, 0, p, 3);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 5>), 1, 4, 0, 0, p, 3);
}"""
    )
    assert host(text) == ["k<float, 4, true>", "k<float, 5, true>"]


MORE = """
#include <cuda_runtime.h>
template <int N> __global__ void k(int *p) { p[0] = N; }
template <class T> __global__ void t(T *p) {}
template <class T> struct Plus { __device__ static T of(T a) { return a; } };
namespace n { template <class T> struct Minus { __device__ static T of(T a) { return a; } }; }
template <template <class> class Op, class T> __global__ void with(T *p) { p[0] = Op<T>::of(p[0]); }
namespace one { template <class T> __global__ void same(T *p) {} }
namespace two { template <class T> __global__ void same(T *p) {} }
template <auto V> __global__ void any(int *p) {}
template <float (*F)(float)> __global__ void apply(float *p) { p[0] = F(p[0]); }
namespace n { __device__ float half(float a) { return a / 2; } }
template <unsigned U, char C, unsigned char B> __global__ void numbers(int *p) {}
"""


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("using F = void (*)(int *); const F table[] = {k<1>, &k<2>}; int main() { table[0]<<<1, 1>>>(nullptr); }",
         ["k<1>", "k<2>"]),
        ("struct E { const char *name; void (*f)(int *); }; static const E all[] = {{\"a\", k<1>}};\nint main() {}\n"
         "void f() { all[0].f<<<1, 1>>>(nullptr); }", ["k<1>"]),
        ("int main() { void (*f)(float *) = t; f<<<1, 1>>>(nullptr); auto g = t<int>; g<<<1, 1>>>(nullptr); }",
         ["t<float>", "t<int>"]),
        ("template <void (*F)(int *)> void go() { F<<<1, 1>>>(nullptr); } int main() { go<k<5>>(); }", ["k<5>"]),
        ("int main() { int n; cudaOccupancyMaxPotentialBlockSize(&n, &n, t<char>); }", ["t<char>"]),
        ("int main() { cudaKernelNodeParams p = {0}; p.func = (void *)t<float>; }", ["t<float>"]),
        ("template <int N> void run() { if constexpr (N > 4) k<1><<<1, 1>>>(nullptr); else k<2><<<1, 1>>>(nullptr); }\n"
         "int main() { run<8>(); }", ["k<1>"]),
        ("template <> __global__ void t(double *p) { p[0] = 2; }\nint main() { t<<<1, 1>>>((double *)nullptr); }",
         ["t<double>"]),
        ("int main() { with<Plus><<<1, 1>>>((float *)0); with<n::Minus><<<1, 1>>>((int *)0); }",
         ["with<Plus, float>", "with<n::Minus, int>"]),
        ("int main() { one::same<<<1, 1>>>((int *)0); two::same<<<1, 1>>>((float *)0); }",
         ["one::same<int>", "two::same<float>"]),
        ("int main() { any<3u><<<1, 1>>>(0); any<true><<<1, 1>>>(0); any<'c'><<<1, 1>>>(0); }",
         ["any<3U>", "any<true>", "any<'c'>"]),
        ("int main() { apply<n::half><<<1, 1>>>(nullptr); }", ["apply<&n::half>"]),
        ("int main() { numbers<4000000000u, -3, 200><<<1, 1>>>(nullptr); }", ["numbers<4000000000, -3, 200>"]),
        ("int main() { int a = 2; k<7><<<{2, 3}, {a, 8, 1}, 0>>>(nullptr); }", ["k<7>"]),
        ("template <class T> __host__ __device__ void both(T *p) {\n#ifndef __CUDA_ARCH__\n  t<<<1, 1>>>(p);\n#endif\n}\n"
         "int main() { both((long *)0); }", ["t<long>"]),
        ("#define NAME(x) made_##x\ntemplate <class T> __global__ void NAME(one)(T *p) {}\n"
         "int main() { made_one<<<1, 1>>>((int *)0); }", ["made_one<int>"]),
    ],
)  # fmt: skip
@pytest.mark.sample(3)
def test_launches_by_way_of_other_things(code, names):
    assert host(MORE + code) == names


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("int main() { Foo f; t<float><<<f.grid, f.block / 2>>>(f.data, f.size); }", ["t<float>"]),
        ("template <class T> void run(const Options &o) { T *p; t<T><<<o.n, 1>>>(p); }\n"
         "int main(int c, char **v) { Options o = parse(c, v); run<float>(o); run<double>(o); }",
         ["t<float>", "t<double>"]),
        ("template <class T> class R : public Base<T> { public: void run() { t<T><<<1, 1>>>(this->p); } Timer timer; };\n"
         "int main() { R<float> r; r.run(); }", ["t<float>"]),
        ("int main() { cv::Mat m = cv::imread(0); t<<<m.rows, 1>>>((int *)m.ptr<float>(0)); }", ["t<int>"]),
        ("int main() { std::vector<float> v(LENGTH); for (int i = 0; i < v.size(); i++) t<<<1, 1>>>(&v[i]); }", ["t<float>"]),
    ],
)  # fmt: skip
@pytest.mark.sample(2)
def test_what_headers_that_are_missing_declare_does_not_hide_launches(code, names):
    text = "template <class T> __global__ void t(T *p, int n = 0) {}\n" if "f.size" in code else MORE
    assert host(f'#include "missing.h"\n{text}{code}') == names


def test_a_launch_that_is_not_understood_is_reported():
    unit = parse(sources.from_text(MORE + "int main() {\n  k<wrong><<<1, 1>>>(nullptr);\n}", "user.cu"))
    names, warnings = launched.launched(unit)
    assert names == []
    assert [message.text for message in warnings] == [
        "launch of 'k' could not be read: use of undeclared identifier 'wrong'"
    ]


def test_functions_of_the_host_with_a_kernels_name():
    text = """namespace op {
namespace detail { template <int T, class F> __global__ void adv(F f, int *x) { f(x); } }
template <class F> void adv(F f, int *x) { detail::adv<256><<<1, 256>>>(f, x); }
}
int main() { op::adv([] __device__ (int *x) { *x = 1; }, nullptr); }
"""
    assert launched.launched(parse(sources.from_text(text, "user.cu"))) == (["op::detail::adv<256, lambda_5>"], [])


def test_abbreviated_templates():
    text = """__global__ void k(auto *x, int n, auto y) { *x = y; }
template <int N> __global__ void mixed(auto *x) { *x = N; }
int main() { k<<<1, 1>>>((float *)nullptr, 1, 3u); mixed<4><<<1, 1>>>((char *)nullptr); k<int>(nullptr, 1, 'c'); }
"""
    unit = parse(sources.from_text(text, "user.cu", standard="c++20"))
    assert unit.templates == {"k": ("class auto", "class auto"), "mixed": ("int N", "class auto")}
    assert launched.launched(unit) == (["k<float, unsigned int>", "k<int, char>", "mixed<4, char>"], [])
