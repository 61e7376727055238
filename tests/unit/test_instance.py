"""Name expressions, and the instances that host code launches."""

import pytest

from launchpath.compiler import instance, launched
from launchpath.compiler import source as sources
from launchpath.compiler.instance import normal
from launchpath.compiler.unit import parse
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
    made = instance.instances(unit, ["k<int>", "k<float*>", "k<float>", "k< int >"])
    assert [one.name for one in made] == ["k_int", "k<int>", "k<float*>", "k<float>"]
    assert len({one.entry for one in made}) == 4
    assert all(one.entry.isidentifier() for one in made)


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing", "has no kernel 'missing'; it has k, plain"), ("k", "'k' is a template; name it with its arguments")],
)
def test_names_that_are_none(name, message):
    unit = parse(sources.from_text("template <class T> __global__ void k(T x) {}\n__global__ void plain() {}"))
    with pytest.raises(CompileError, match=message):
        instance.instances(unit, [name])


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
        ("int main() { modes<B, Kind::Y, 7u><<<1, 1>>>(nullptr); }", ["modes<(Mode)1, (Kind)1, 7>"]),
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


def test_a_lambda_has_no_name():
    unit = parse(sources.from_text(KERNELS + "int main() { apply<<<1, 1>>>([] __device__ () {}); }", "user.cu"))
    names, warnings = launched.launched(unit)
    assert names == []
    assert "template arguments that have no name" in warnings[0].text
