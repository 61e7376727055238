"""What lambdas use of the functions, the classes and the templates around them."""

import pytest

from tests.unit.compiler.test_compile import compiled

pytestmark = pytest.mark.compiles

APPLY = """
template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <class T> struct View { T *p; int n; View part(int) const { return *this; } };
namespace ns {
__device__ double square(double x) { return x * x; }
template <class T> struct Of { typedef T value; };
}
"""


def taken(text: str) -> list[str]:
    """The kernels; no launch may be skipped."""
    image = compiled(APPLY + text)
    assert "skipped" not in (image.log or "")
    return [signature.name for _, signature in image.kernels]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("auto const *p = v.p; double *q = v.p;", "q[i] = *p;"),
        ("auto part = v.part(1); auto p = part.p;", "p[i] = a;"),
        ("typename ns::Of<T>::value b = a; T *p = v.p;", "p[i] = b;"),
        ("using real = T; T *p = v.p; real b = a;", "p[i] = real(b);"),
        ("enum { ONE, TWO }; T *p = v.p;", "p[i] = a * TWO;"),
    ],
)
def test_types_that_depend_on_a_template(written: str, used: str) -> None:
    text = f"template <class T> void go(View<T> &v, T a) {{\n{written}\napply<<<1, 1>>>(3, [=] __device__ (int i)"
    assert len(taken(f"{text} {{ {used} }}); }}\nint main() {{ View<double> v{{}}; go(v, 1.); }}")) == 1


def test_names_of_the_class_around() -> None:
    assert taken("""
class Mesh {
 public:
  static constexpr int ghosts = 2;
  enum { fields = 5 };
  using real = double;
  struct Cell { int at; };
  double *x;
  void run(double a);
};
void Mesh::run(double a) {
  real *p = x;
  apply<<<1, 1>>>(3, [=] __device__ (int i) { Cell c{ghosts}; real t = a * Mesh::fields; p[i + c.at] = t + fields; });
}
""") == [f"apply<lambda_{APPLY.count(chr(10)) + 13}>"]  # fmt: skip


def test_names_of_the_function_around() -> None:
    assert len(taken("""
void go(double *p, double a) {
  using namespace ns;
  typedef unsigned Index;
  struct Pair { double first; int second; };
  Pair pair{a, 1};
  apply<<<1, 1>>>(3, [=] __device__ (Index i) -> Index { p[i] = square(pair.first); return i; });
  {
    using ns::square;
    apply<<<1, 1>>>(3, [=] __device__ (auto i) { p[i] = square(a); });
  }
}
""")) == 2  # fmt: skip


def test_two_of_one_instance_of_a_template() -> None:
    assert len(taken("""
template <class T> void go(T *p, T a) {
  auto f = [=] __device__ (int i) { p[i] = a; };
  auto g = [=] __device__ (T i) { p[0] = i; };
  apply<<<1, 1>>>(3, f);
  apply<<<1, 1>>>(3, g);
}
int main() { go((float *)nullptr, 1.f); }
""")) == 2  # fmt: skip


def test_a_macro_may_have_all_of_one() -> None:
    text = "#define RUN() apply<<<1, 64>>>(n, [=] __device__ (int i) { p[i] = 1; })\n"
    assert len(taken(f"{text}int main() {{ int n = 3; float *p = nullptr; RUN(); }}")) == 1


def test_hip_needs_no_mark() -> None:
    text = (
        "#include <hip/hip_runtime.h>\nint main() { int *p = nullptr; apply<<<1, 1>>>(3, [=](int i) { p[i] = i; }); }"
    )
    assert len(taken(text)) == 1


def test_packs() -> None:
    text = (
        "template <class F, class... A> void go(F f, A... a) { apply<<<1, 1>>>(3, [=] __device__ (int i) { f(i, a...); }"
        "); }\nint main() { int *p = nullptr; go([=] __device__ (int i, int j) { p[i] = j; }, 4); }"
    )
    line = APPLY.count("\n") + 1
    assert taken(text) == [f"apply<lambda_{line}<lambda_{line + 1}, int>>"]
