"""Lambdas of host code that kernels take: classes with names are made of them."""

import pytest

from launchpath.errors import CompileError
from tests.unit.compiler.test_compile import compiled

pytestmark = pytest.mark.compiles

APPLY = """
template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
"""


def taken(text: str) -> dict[str, list[tuple[str, str]]]:
    """The kernels with the kinds and types of their parameters."""
    return {
        signature.name: [(parameter.kind, parameter.ctype) for parameter in signature.parameters]
        for _, signature in compiled(APPLY + text).kernels
    }


def test_they_go_by_their_line():
    parameters = taken(
        "int main() {\n  float *x; float a = 2;\n  apply<<<1, 1>>>(3, [=] __device__(int i) { x[i] = a; });\n}"
    )
    assert parameters == {"apply<lambda_5>": [("int32", "int"), ("struct", "lambda_5")]}


def test_two_of_a_line_go_by_their_columns_too():
    parameters = taken("int main() { int *x; auto f = [=] __device__(int i) { x[i] = 1; }; apply<<<1, 1>>>(1, f);"
                 " apply<<<1, 1>>>(1, [=] __device__(int i) { x[i] = 2; }); }")  # fmt: skip
    assert sorted(parameters) == ["apply<lambda_3_110>", "apply<lambda_3_31>"]


def test_what_they_use_of_the_function_around_them():
    assert list(taken("""
#define LAMBDA __device__
namespace n {
struct P { int a; };
__device__ int twice(int a) { return 2 * a; }
template <class F, class G> struct Both { F f; G g; __device__ void operator()(int i) { f(i); g(i); } };
void go(int *p) {
  const int size = 4; constexpr int more = size * 2; using T = float; P s{3}; int table[3] = {1, 2, 3};
  auto f = [=] __device__ (int i) mutable {
    __shared__ T t[more];
    t[i] = twice(s.a);
    p[i] = t[i] + table[i];
  };
  auto g = [=] LAMBDA (auto i) -> void { p[i] = size; };
  apply<<<1, 1>>>(size, f); apply<<<1, 1>>>(size, Both<decltype(f), decltype(g)>{f, g});
}
}
""")) == ["apply<lambda_11>", "apply<n::Both<lambda_11, lambda_16>>"]  # fmt: skip


def test_macros_that_begin_them():
    text = """#include "own.h"
    int main() {
      float *x; float a = 2;
      apply<<<1, 1>>>(3, COPIES (int i) { x[i] = a; });
      apply<<<1, 1>>>(3, [=] DEVICE (int i) { x[i] += a; });
    }"""
    own = "#define BOTH __host__ __device__\n#define DEVICE BOTH\n#define COPIES [=] DEVICE\n"
    kernels = compiled(APPLY + text, headers={"own.h": own}).kernels
    assert [signature.name for _, signature in kernels] == ["apply<lambda_6>", "apply<lambda_7>"]


LOOPS = """
#define TWICE(x) (2 * (x))
#define EACH(i, n, BODY) forall(n, [=] __host__ __device__ (int i) BODY)
#define LOOP_BEGIN(n, i, by) \\
{ \\
  Step step; step.stride = by; \\
  forall(n, [=] __host__ __device__ (int index) \\
  { \\
    int i = index * step.stride;
#define LOOP_END(i) \\
  }); \\
}
#define BEGIN LOOP_BEGIN
struct Step { int stride; };
template <class F> void forall(int n, F f) { apply<<<1, 1>>>(n, f); }
"""


def test_macros_that_begin_and_end_their_bodies():
    lines = APPLY.count("\n") + LOOPS.count("\n")
    text = LOOPS + """void go(int n, float *x, float a) {
  BEGIN(n,
        i, 3)
  {
    x[i] = TWICE(a);
  }
  LOOP_END(i);
  EACH(i, n, { x[i] += 1; });
  forall(n, [=] __device__ (int i) { x[i] = 0; });
}
"""  # fmt: skip
    assert taken(text) == {
        f"apply<lambda_{lines + line}>": [("int32", "int"), ("struct", f"lambda_{lines + line}")] for line in (2, 8, 9)
    }


def test_errors_in_those_that_macros_begin_are_at_their_lines():
    lines = APPLY.count("\n") + LOOPS.count("\n")
    with pytest.raises(CompileError) as caught:
        taken(
            f"{LOOPS}void go(int n, float *x) {{\n  BEGIN(n, i, 1)\n  {{\n    wrong(x[i]);\n  }}\n  LOOP_END(i);\n}}\n"
        )
    assert f"user.cu:{lines + 4}:5: error: use of undeclared identifier 'wrong'" in str(caught.value)


def test_a_macro_with_two_of_them_numbers_them():
    text = """
template <class F, class G> void both(F f, G g) { apply<<<1, 1>>>(1, f); apply<<<1, 1>>>(1, g); }
#define TWO(x) both([=] __device__ (int i) { x[i] = 1; }, [=] __device__ (int i) { x[i] = 2; })
void go(int *x) { TWO(x); }
"""
    assert list(taken(text)) == ["apply<lambda_6>", "apply<lambda_6_2>"]


def test_those_of_function_templates_are_class_templates():
    assert taken("""
namespace n {
template <typename T, int N> void fill(T *x, const T &value) {
  apply<<<1, N>>>(N, [=] __device__ (int i) { x[i] = value + N; });
}
}
template <class... Ts> void several(int *x, Ts... unused) {
  apply<<<1, 1>>>(1, [=] __device__ (int i) { x[i] = sizeof...(Ts); });
}
int main() {
  float *x; double *y;
  n::fill<float, 4>(x, 2.f); n::fill<double, 8>(y, 3.); n::fill<float, 4>(x, 1.f);
  several(nullptr, 1, 2.f);
}""") == {
        "apply<lambda_6<float, 4>>": [("int32", "int"), ("struct", "lambda_6<float, 4>")],
        "apply<lambda_6<double, 8>>": [("int32", "int"), ("struct", "lambda_6<double, 8>")],
        "apply<lambda_10<int, float>>": [("int32", "int"), ("struct", "lambda_10<int, float>")],
    }  # fmt: skip


def test_those_of_function_templates_that_take_lambdas():
    assert list(taken("""
template <class F> void each(int n, F f) {
  apply<<<1, n>>>(n, [=] __device__ (int i) { f(i, 1); });
}
template <class T> void go(T *x) {
  each(3, [=] __device__ (int i, T j) { x[i] = j; });
  each(4, [=] __device__ (int i, int j) { x[i] = T(j); });
}
int main() { go((float *)nullptr); go((int *)nullptr); }
""")) == [
        "apply<lambda_5<lambda_8<float>>>", "apply<lambda_5<lambda_9<float>>>",
        "apply<lambda_5<lambda_8<int>>>", "apply<lambda_5<lambda_9<int>>>",
    ]  # fmt: skip


def test_those_that_use_a_number_of_the_template_in_a_type():
    text = """
template <int N> struct V { int x[N]; };
template <int N> void go(V<N> v, int *y) { apply<<<1, N>>>(N, [=] __device__ (int i) { y[i] = v.x[i]; }); }
int main() { go(V<4>(), (int *)nullptr); }
"""
    assert taken(text) == {"apply<lambda_5<4>>": [("int32", "int"), ("struct", "lambda_5<4>")]}
    assert list(taken(f"constexpr int N = 2;{text}")) == ["apply<lambda_5<4>>"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("template <class... Ts> void go(int *x, Ts... a) { auto s = (a + ...); "
         "apply<<<1, 1>>>(1, [=] __device__ (int i) { x[i] = s; }); }\nint main() { go((int *)0, 1, 2); }",
         "apply<lambda_3<int, int>>"),
        ("template <class... Ts, class U> void go(U *x, Ts... a) { "
         "apply<<<1, 1>>>(1, [=] __device__ (int i) { x[i] = 1; }); }\nint main() { go((int *)0); }", "apply<lambda_3<int>>"),
        ("template <class F, class G> struct Both { F f; G g; __device__ void operator()(int i) { f(i); g(i); } };\n"
         "template <class T> auto make(T *x) { return [=] __device__ (int i) { x[i] = 1; }; }\n"
         "template <class F, class G> void go(F f, G g) { apply<<<1, 1>>>(1, Both<F, G>{f, g}); }\n"
         "int main() { go(make((int *)0), make((float *)0)); }", "apply<Both<lambda_4<int>, lambda_4<float>>>"),
    ],
)  # fmt: skip
def test_those_of_templates_with_packs_and_with_several_instances_in_one_launch(text, name):
    assert list(taken(text)) == [name]


def test_those_of_overloaded_function_templates():
    assert list(taken("""
template <class F> void each(int n, float scale, F f) { apply<<<1, n>>>(n, f); }
template <class F> void each(int n, F f) { each(n, 2.f, [=] __device__ (int i) { f(i); }); }
void go(int *x) { each(3, [=] __device__ (int i) { x[i] = 1; }); }
""")) == ["apply<lambda_5<lambda_6>>"]  # fmt: skip


def test_those_of_function_templates_that_do_not_depend_on_them():
    text = "template <class T> void go(int *x) { apply<<<1, 1>>>(1, [=] __device__ (int i) { x[i] = 1; }); }"
    assert list(taken(f"{text}\nint main() {{ go<int>(0); go<float>(0); }}")) == [
        "apply<lambda_3<int>>", "apply<lambda_3<float>>",
    ]  # fmt: skip


def test_those_of_class_templates_of_this_and_by_reference():
    assert sorted(taken("""
template <class T> struct C { void go(T c) { apply<<<1, 1>>>(1, [=] __device__ (int i) { T t = c; }); } };
struct S { int *m; void run() { apply<<<1, 1>>>(1, [=] __device__ (int i) { m[i] = 1; }); } };
int main() { C<int>().go(3); S().run(); int n; apply<<<1, 1>>>(1, [&] __device__ (int i) { n = i; }); }
""")) == ["apply<lambda_4<int>>", "apply<lambda_5>", "apply<lambda_6>"]  # fmt: skip


def test_those_of_two_files_on_one_line_are_unlike():
    header = "template <class F> __global__ void other(F f, int* x) { f(x); }\ninline void run(int* x) {\n"
    header += "other<<<1, 1>>>([=] __device__ (int* y) { y[0] = 1; }, x); }\n"
    text = '#include "a.h"\nint lambda_5;\n'
    text += "int main() { other<<<1, 1>>>([=] __device__ (int* y) { y[0] = 2; }, (int*)0);\n\n"
    text += "other<<<1, 1>>>([=] __device__ (int* y) { y[0] = 3; }, (int*)0); run(0); }\n"
    image = compiled(text, headers={"a.h": header})
    names = {signature.name for _, signature in image.kernels}
    assert names == {"other<lambda_3_17>", "other<lambda_3_30>", "other<lambda_5>"}


def test_they_can_be_asked_for_by_name():
    text = APPLY + "int main() { int *x; apply<<<1, 1>>>(1, [=] __device__(int i) { x[i] = 1; }); }"
    assert [signature.name for _, signature in compiled(text, "apply<lambda_3>").kernels] == ["apply<lambda_3>"]
    with pytest.raises(CompileError, match=r"has no kernel 'apply<lambda_4>'; it has apply<lambda_3>, apply"):
        compiled(text, "apply<lambda_4>")


LOCAL = """
namespace n {
__device__ float next(float x) { return x + 1; }
void go(float *p) {
  const int size = 3; typedef float R;
  class Scaled { R a; public: Scaled(R a) : a(a) {} __device__ R operator()(int i) const { return next(i * a * size); } };
  apply<<<1, 1>>>(size, Scaled(2));
}
}
"""


def test_local_classes_of_host_functions():
    assert taken("int main() { struct Twice { int *p; __device__ void operator()(int i) { p[i] = 2 * i; } };\n"
                 "  apply<<<1, 1>>>(3, Twice{nullptr}); }") == {"apply<Twice>": [("int32", "int"), ("struct", "Twice")]}  # fmt: skip
    assert taken(LOCAL) == {"apply<Scaled>": [("int32", "int"), ("struct", "Scaled")]}
    with pytest.raises(CompileError) as caught:
        taken("int main() {\n  struct Wrong { __device__ void operator()(int i) {\n    more(i); } };\n"
              "  apply<<<1, 1>>>(3, Wrong()); }")  # fmt: skip
    assert "user.cu:5:5: error: use of undeclared identifier 'more'" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("void r() { struct Op { __device__ void operator()(int i) {} }; apply<<<1, 1>>>(1, Op()); }\n"
         "void q() { struct Op { __device__ void operator()(int i) {} }; apply<<<1, 1>>>(1, Op()); }",
         ["apply<r()::Op>", "apply<q()::Op>"]),
        ("struct Op { __device__ void operator()(int i) {} };\n"
         "void q() { struct Op { __device__ void operator()(int i) {} }; apply<<<1, 1>>>(1, Op()); }", ["apply<Op>"]),
        ("template <class T> void q(T v) { struct Op { T x; __device__ void operator()(int i) {} };\n"
         "  apply<<<1, 1>>>(1, Op{v}); }\nint main() { q(1); q(2.f); }",
         ["apply<q<int>(int)::Op>", "apply<q<float>(float)::Op>"]),
    ],
)  # fmt: skip
def test_local_classes_of_one_name_go_by_their_functions(text, names):
    assert list(taken(text)) == names
