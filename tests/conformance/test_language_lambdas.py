"""Lambdas of host code that macros begin and end: kernels take them as their macros make them."""

import re

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
template <class F> __global__ void apply(int n, int *x, F f) { int i = threadIdx.x; if (i < n) f(x, i); }
template <class F> void forall(int n, int *x, F f) { apply<<<1, 64>>>(n, x, f); }
struct Step { int stride; };
#define LOOP_BEGIN(n, i, by) \\
{ \\
  Step step; step.stride = by; \\
  forall(n, y, [=] __host__ __device__ (int *x, int index) \\
  { \\
    int i = index * step.stride;
#define LOOP_END(i) \\
  }); \\
}
#define EACH(i, n, BODY) forall(n, y, [=] __device__ (int *x, int i) BODY)
__host__ __device__ int next(int x) { return x + 1; }
// The name that a macro leaves in its own text is no use of the macro.
#define next(x) next(10 * (x))
#define ADDED(i) x[i] += a * next(i);
void go(int n, int *y, int a) {
  LOOP_BEGIN(n, i, 3)
  {
    x[i] = a;
  }
  LOOP_END(i);
  EACH(i, n, { ADDED(i) });
}
"""


def line_of(text: str) -> int:
    return 1 + SOURCE[: SOURCE.index(text)].count("\n")


def test_macros_that_begin_and_end_their_bodies(device):
    program = lp.compile(SOURCE, device)
    strided = program[f"apply<lambda_{line_of('LOOP_BEGIN(n, i, 3)')}>"]
    each = program[f"apply<lambda_{line_of('EACH(i, n, {')}>"]
    x = lp.zeros(30, "int32", device)
    strided[1, 64](10, x, np.array((3, 5), [("step", "i4"), ("a", "i4")])[()])
    each[1, 64](30, x, np.array((7,), [("a", "i4")])[()])
    at = np.arange(30)
    assert (x.to_numpy() == np.where(at % 3, 0, 5) + 7 * (10 * at + 1)).all()


TEMPLATES = """
template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <class F> void doubled(int n, F f) { apply<<<1, n>>>(n, [=] __device__ (int i) { f(i, 2 * i); }); }
template <class T, int N> void fill(T *x, T value) { doubled(N, [=] __device__ (int i, T j) { x[i] = value / N + j; }); }
int main() { fill<float, 8>(0, 1.f); fill<int, 4>(0, 1); }
"""


def test_those_of_function_templates(device):
    program = lp.compile(TEMPLATES, device)
    for name, dtype, n in (("float, 8", "float32", 8), ("int, 4", "int32", 4)):
        x = lp.zeros(n, dtype, device)
        inner = np.zeros(1, np.dtype([("x", "u8"), ("value", dtype)], align=True))
        inner["x"], inner["value"] = x.pointer, 9
        program[f"apply<lambda_3<lambda_4<{name}>>>"][1, n](n, inner[0])
        assert (x.to_numpy() == np.arange(n) * 2 + (9 / n if dtype == "float32" else 9 // n)).all()


CAPTURES = """
template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <class T> struct View { T *p; int n; View part(int at) const { return View{p + at, n - at}; } };
namespace ns { __device__ int square(int x) { return x * x; } }
template <class T> void deduced(View<T> &v, T a) {
  auto p = v.p; const auto c = a * 2; auto const n = v.part(1).n;
  apply<<<1, 64>>>(3, [=] __device__ (int i) { p[i] = c + n; });
}
struct Mesh {
  static constexpr int ghosts = 2;
  enum { fields = 5 };
  using real = float;
  float step; real *x;
  void run() {
    real *p = x; const float h = step;
    apply<<<1, 64>>>(3, [=] __device__ (int i) { real t = h * fields; p[i] = t + ghosts; });
  }
};
void named(int *p, int a) {
  using namespace ns;
  typedef unsigned Index;
  enum { FOUR = 4 };
  struct Pair { short first; int second; } pair{};
  apply<<<1, 64>>>(3, [=] __device__ (Index i) { p[i] = square(pair.second) + FOUR; });
}
struct Solver {
  int *x_; int n_;
  void run() { apply<<<1, 64>>>(3, [x = x_, n = this->n_ + 1] __device__ (int i) { x[i] = n; }); }
};
template <class T> void initialized(View<T> &v, T a) {
  apply<<<1, 64>>>(3, [p = v.p, a, b = v.n + a] __device__ (int i) { p[i] = a * b; });
}
void within(int *p) {
  auto twice = [] __device__ (int x) { return 2 * x; };
  int three = 3;
  auto more = [=] __device__ (int x) { return twice(x) + three; };
  apply<<<1, 64>>>(3, [=] __device__ (int i) { p[i] = more(i); });
}
void (*other)(View<int> &, int) = initialized<int>;
void (*instance)(View<float> &, float) = deduced<float>;
"""


def lines(*texts: str) -> list[int]:
    return [1 + CAPTURES[: CAPTURES.index(text)].count("\n") for text in texts]


def test_types_and_names_of_the_function_and_the_class_around(device):
    program = lp.compile(CAPTURES, device)
    deduced, member, named = lines("c + n", "t + g", "FOUR; }")
    x = lp.zeros(3, "float32", device)
    arguments = np.zeros(1, np.dtype([("p", "u8"), ("c", "f4"), ("n", "i4")], align=True))
    arguments[0] = x.pointer, 1.5, 3
    program[f"apply<lambda_{deduced}<float>>"][1, 64](3, arguments[0])
    assert (x.to_numpy() == 4.5).all()
    arguments = np.zeros(1, np.dtype([("h", "f4"), ("p", "u8")], align=True))
    arguments[0] = 3, x.pointer
    program[f"apply<lambda_{member}>"][1, 64](3, arguments[0])
    assert (x.to_numpy() == 17).all()
    x = lp.zeros(3, "int32", device)
    pair = np.dtype([("first", "i2"), ("second", "i4")], align=True)
    arguments = np.zeros(1, np.dtype([("p", "u8"), ("pair", pair)], align=True))
    arguments[0] = x.pointer, (1, 7)
    program[f"apply<lambda_{named}>"][1, 64](3, arguments[0])
    assert (x.to_numpy() == 53).all()


def test_captures_with_initializers(device):
    program = lp.compile(CAPTURES, device)
    member, template = lines("[x = x_", "[p = v.p")
    x = lp.zeros(3, "int32", device)
    arguments = np.zeros(1, np.dtype([("x", "u8"), ("n", "i4")], align=True))
    arguments[0] = x.pointer, 8
    program[f"apply<lambda_{member}>"][1, 64](3, arguments[0])
    assert (x.to_numpy() == 8).all()
    arguments = np.zeros(1, np.dtype([("p", "u8"), ("a", "i4"), ("b", "i4")], align=True))
    arguments[0] = x.pointer, 4, 5
    program[f"apply<lambda_{template}<int>>"][1, 64](3, arguments[0])
    assert (x.to_numpy() == 20).all()


def test_lambdas_within_lambdas(device):
    program = lp.compile(CAPTURES, device)
    (line,) = lines("more(i)")
    x = lp.zeros(3, "int32", device)
    inner = np.dtype([("twice", "u1"), ("three", "i4")], align=True)
    arguments = np.zeros(1, np.dtype([("p", "u8"), ("more", inner)], align=True))
    arguments[0] = x.pointer, (0, 3)
    program[f"apply<lambda_{line}>"][1, 64](3, arguments[0])
    assert (x.to_numpy() == [3, 5, 7]).all()


START = "template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }\n"

# What a name means in the function, where the class that is made of a lambda stands behind all of the file.
MEANINGS = {
    "class or global": ("constexpr int N = 100; struct M { static constexpr int N = 2; static void run(int *p) { L("
                        "p[i] = (i == 0 ? 5 : N) + (64 >> N) + (i < N)) } };", 5 + 16 + 1),
    "macro of a member": ("constexpr int N = 100;\n#define AT(i) (i + N)\nstruct M { static constexpr int N = 2; "
                          "static void run(int *p) { L(p[i] = AT(i)) } };", 2),
    "constant of a member": ("constexpr int N = 100; struct M { static constexpr int N = 2; static void run(int *p) { "
                             "const int n = N * 2; L(p[i] = n) } };", 4),
    "two of a name": ("void run(int *p) { const int m = 4; { const int k = m + 1; { const int m = 2; "
                      "L(p[i] = k * 10 + m) } } }", 52),
    "macro that changes": ("#define K 3\nvoid run(int *p) { L(p[i] = K) }\n#undef K\n#define K 4\n", 3),
    "namespace": ("namespace ns { __device__ int h() { return 1; } struct M { void run(int *p); }; }\n"
                  "__device__ int h() { return 2; }\nvoid ns::M::run(int *p) { L(p[i] = h()) }", 1),
    "enumerators of enumerators": ("void run(int *p) { enum { A = 1, B = A + 1 }; struct Q { int v[B]; }; "
                                   "L(p[i] = sizeof(Q) + B) }", 10),
    "overloads by const": ("__device__ int f(const int *) { return 1; } __device__ int f(int *) { return 2; }\n"
                           "void run(int *p) { const int *const q = p; L(p[i] = f(q)) }", 1),
    "a parameter of a constant's name": ("void run(int *p) { const int k = 4; const int m = k * 2; "
                                         "L(int k = i + 1; p[i] = m + k) }", 9),
    "a private constant": ("class M { static constexpr int N = 1; public: static void run(int *p) { L(p[i] = N) } };", 1),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), MEANINGS.values(), ids=MEANINGS)
def test_names_mean_what_they_mean_in_the_function(device, text, wanted):
    launch = "apply<<<1, 64>>>(3, [=] __device__ (int i) {"
    text = START + re.sub(r"\bL\((.*)\)(?= })", lambda match: f"{launch} {match[1]}; }});", text)
    program = lp.compile(f"{text}\n__global__ void other() {{}}\n", device)
    (*those, _) = sorted(program.kernels)
    if not those and device.info["driver"] != "opencl":
        assert "template arguments that have no name" in program.log  # its text might mean something else elsewhere
        return
    x = lp.zeros(3, "int32", device)
    program[those[0]][1, 64](3, _captured(x, text))
    assert x.to_numpy()[0] == wanted


def _captured(x: lp.Array, text: str) -> np.void:
    fields = [("p", "u8"), ("q", "u8")] if "f(q)" in text else [("p", "u8")]
    values = np.zeros(1, np.dtype(fields))
    for name, _ in fields:
        values[name] = x.pointer
    return values[0]


SHAPES = """
template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <class T> struct Outer {
  int *m; T t;
  void by_this() { apply<<<1, 4>>>(4, [=] __device__ (int i) { m[i] = int(t); }); }
  void by_copy() { apply<<<1, 4>>>(4, [*this] __device__ (int i) { m[i] = int(t) + 1; }); }
};
template <class... A> void packed(int *p, A... a) { apply<<<1, 4>>>(4, [=] __device__ (int i) { p[i] = (0 + ... + a); }); }
template <class F, class G> void both(F f, G g) { apply<<<1, 4>>>(4, f); apply<<<1, 4>>>(4, g); }
#define TWO(p) both([=] __device__ (int i) { p[i] = 1; }, [=] __device__ (int i) { p[i] = 2; })
struct Op { int *p; __device__ void operator()(int i) const { p[i] = 10; } };
void local(int *p) {
  struct Op { int *p; __device__ void operator()(int i) const { p[i] = 20; } };
  apply<<<1, 4>>>(4, Op{p}); apply<<<1, 4>>>(4, ::Op{p});
}
int main() { int *p = nullptr; Outer<float> o{p, 3.f}; o.by_this(); o.by_copy(); packed(p, 5, short(6)); TWO(p); local(p); }
"""


@pytest.mark.opencl_only("device code is taken out of the source there, and these shapes cannot be")
def test_shapes_that_no_text_could_be_taken_out_of(device):
    program = lp.compile(SHAPES, device)
    x = lp.zeros(4, "int32", device)
    pointer = ("p", "u8")
    for name, fields, values, wanted in (
        ("apply<lambda_6<float>>", [pointer, ("t", "f4")], (x.pointer, 3), 4),
        ("apply<lambda_8<int, short>>", [pointer, ("a", "i4"), ("b", "i2")], (x.pointer, 5, 6), 11),
        ("apply<lambda_16>", [pointer], (x.pointer,), 1),
        ("apply<lambda_16_2>", [pointer], (x.pointer,), 2),
        ("apply<local(int*)::Op>", [pointer], (x.pointer,), 20),
        ("apply<Op>", [pointer], (x.pointer,), 10),
    ):
        arguments = np.zeros(1, np.dtype(fields, align=True))
        arguments[0] = values
        program[name][1, 4](4, arguments[0])
        assert (x.to_numpy() == wanted).all(), name
