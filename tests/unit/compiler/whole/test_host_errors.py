"""Errors in host code: they do no harm to kernels, and those that may do harm are told."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import target_of
from launchpath._compiler.whole.reading import instantiations, recovered
from launchpath.errors import CompileError

pytestmark = pytest.mark.compiles

TARGET = target_of({"extensions": ["cl_khr_fp64"], "dialect": "spirv", "kind": "cpu", "platform": "Some OpenCL"})
SCALE = "template <class T> __global__ void scale(int n, T *x, T a) { if (threadIdx.x < n) x[threadIdx.x] *= a; }\n"


def compiled(text: str, *names: str):
    return compile(sources.from_text(text, "user.cu"), names, TARGET)


def kernels(text: str) -> list[str]:
    return [signature.name for _, signature in compiled(text).kernels]


def failure(text: str) -> str:
    with pytest.raises(CompileError) as caught:
        compiled(text)
    return str(caught.value)


def test_launches_beside_errors_are_found():
    assert sorted(
        kernels(f"""{SCALE}
int main() {{
    nonsense<int> unknown = undefined(4);
    int n; library_create(n); float *x = library_allocate();
    auto other = library_allocate();
    scale<<<1, 3>>>(n, x, 2.f);
    scale<<<1, 3>>>(n, (double *)other, 2.0);
    scale<short><<<1, 3>>>(unknown, other, 1);
}}""")
    ) == ["scale<double>", "scale<float>", "scale<short>"]


@pytest.mark.parametrize(
    "launch",
    [
        "hipLaunchKernelGGL((scale<float>), 1, 3, 0, 0, lost(), nullptr, 2.f)",
        "cudaLaunchKernel(reinterpret_cast<const void *>(&scale<float>), 1, 3, lost())",
        "lost_t config; cudaLaunchKernelEx(&config, scale<float>, 3, nullptr, 2.f)",
        "return ::scale<float><<<1, 3>>>(lost(), nullptr, 2.f)",
    ],
)
def test_a_launch_with_an_error_is_of_the_instance_that_it_names(launch):
    image = compiled(f"{SCALE}void run() {{ {launch}; }}")
    assert ([signature.name for _, signature in image.kernels], image.log) == (["scale<float>"], "")


def test_a_launch_that_is_lost_is_told():
    image = compiled(f"{SCALE}__global__ void k() {{}}\nint main() {{\n  scale<<<1, 3>>>(3, lost(), 2.f); }}")
    assert (
        "user.cu:4:22: warning: launch of 'scale' could not be read: use of undeclared identifier 'lost'" in image.log
    )


@pytest.mark.parametrize(
    "text",
    [
        "unknown_t handle;\n__global__ void k(int *x) { *x = 1; }\nint main() { k<<<1, 1>>>(0); }",
        "void use(unknown_t handle) { handle.go(); }\n__global__ void k(int *x) { *x = 1; }",
        "struct S { void run() { missing(); k(); } static void k(); };\n__global__ void k(int *x) { *x = 1; }",
        "template <class T> void run(T t) { missing(t, 3); nowhere::at(); }\n__global__ void k(int *x) { *x = 1; }",
        "#include <vector>\n__global__ void k(int *x) { *x = 1; }\nint main() { std::vector<unknown> v; v.go(); }",
        "#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n  missing(); }\n__global__ void k(int *x) { *x = 1; }",
        "#include <stdexcept>\nstruct E : std::exception { const char *what() const noexcept override { return \"\"; } };\n"
        "__global__ void k(int *x) { *x = 1; }\nint main() { throw E(); }",
    ],
)  # fmt: skip
def test_host_code_that_does_not_compile(text):
    assert kernels(text) == ["k"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("__device__ int f() { return missing(); }\n__global__ void k(int *x) { *x = f(); }", "user.cu:1:29: error: use of"),
        # Without a mark, and for the device all the same.
        ("template <class T> T f(T t) { return missing + t; }\n__global__ void k(int *x) { *x = f(1); }",
         "user.cu:1:38: error: use of undeclared identifier 'missing'"),
        ("constexpr int f() { return missing; }\n__global__ void k(int *x) { *x = f(); }", "user.cu:1:28: error: use of"),
        ("template <class F> __global__ void k(F f) { f(); }\nint main() {\n  k<<<1, 1>>>([] __device__ () { missing(); }); }",
         "user.cu:3:34: error: use of undeclared identifier 'missing'"),
        ("struct S { unknown_t x; };\n__global__ void k(S s) {}", "user.cu:1:12: error: unknown type name 'unknown_t'"),
        ("int main() { missing(); }\n__global__ void k(int *x) { *x = also_missing; }", "user.cu:2:34: error: use of"),
        ("int main() {\n#error never\n}\n__global__ void k(int *x) { *x = 1; }", "user.cu:2:2: error: never"),
        ("static_assert(sizeof(int) == 2, \"short ints\");\n__global__ void k(int *x) { *x = 1; }", "short ints"),
        ("int main() {\n__global__ void k(int *x) { *x = 1; }\n", "user.cu:1:12: error: this '{' of 'main' is not closed"),
        # Marks, and whole kernels, by macros.
        ("#define GLOBAL __global__\nGLOBAL void k(int *x) { *x = missing; }\nint main() { other(); }", "user.cu:2:30"),
        ("#define DEV __device__\n#define BOTH constexpr DEV\n#define GLOBAL __global__\nBOTH int f() { return missing; }\n"
         "GLOBAL void k(int *x) { x[0] = 1; x[1] = f(); }\nint main() { other(); }", "user.cu:4:23"),
        ("#define KERNEL(n, v) __global__ void n##_kernel(int *x) { x[0] = 1; x[1] = v; }\nKERNEL(add, missing)\n"
         "int main() { other(); }", "user.cu:2:13"),
        # What lambdas and local classes call.
        ("constexpr int g() { return missing; }\ntemplate <class F> __global__ void k(F f) { f(0); }\nint main() { int *x = 0;\n"
         "  k<<<1, 1>>>([=] __device__ (int i) { x[i] = 1; x[i + 1] = g(); }); }", "user.cu:1:28"),
        ("constexpr int g() { return missing; }\ntemplate <class F> __global__ void k(F f) { f(0); }\nint main() {\n"
         "  struct Op { int *x; __device__ void operator()(int i) const { x[i] = g(); } }; k<<<1, 1>>>(Op{0}); }", "user.cu:1:28"),
        ("#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n  missing(); }\n__global__ void k(int *x) { *x = other; }",
         "user.cu:7:34: error: use of undeclared identifier 'other'"),
        ("#define BEGIN {\nint main() BEGIN missing(); }\n__global__ void k(int *x) { *x = 1; }", "'missing'"),
        ("int main() {\n  static_assert(sizeof(int) == 2, \"short ints\");\n}\n__global__ void k(int *x) { *x = 1; }", "short ints"),
        ("__globl__ void other(int *x) {}\n__global__ void k(int *x) { *x = 1; }", "did you mean '__global__'"),
    ],
)  # fmt: skip
def test_errors_that_count(text, told):
    assert told in failure(text)


@pytest.mark.sample(2)
@pytest.mark.parametrize("host", ["", "int main() { missing(); }"])
@pytest.mark.parametrize("use", ["std::optional<int> o; *x = o.value();", '*x = std::stoi("12");'])
def test_what_functions_of_the_library_do_is_told_at_the_users_line(host, use):
    log = failure(f"#include <optional>\n#include <string>\n__global__ void k(int *x) {{ {use} }}\n{host}")
    assert "user.cu:3:" in log and "cannot use 'throw'" in log
    assert "missing" not in log


def test_only_the_errors_that_count_are_told():
    assert "'missing'" not in failure("int main() { missing(); }\n__global__ void k(int *x) { *x = also; }")


def test_headers_of_another_form_are_not_touched():
    assert recovered._errors_bit(b"") is None
    assert recovered._errors_bit(b"CPCH" + bytes(40)) is None


@pytest.mark.parametrize("call", ["f<<<1, 1>>>(x)", "f(x)", "twice(x)"])
def test_launches_from_kernels_are_refused_however_they_are_written(call):
    log = failure(
        "__global__ void f(int *x) {}\n__device__ void twice(int *x) { f(x); }\n"
        f"__global__ void k(int *x) {{\n  if (*x) {call}; }}"
    )
    assert "launches from kernels (dynamic parallelism) are not supported: launch from the host" in log


def test_functions_of_both_sides_may_launch_from_the_host():
    text = "__global__ void f(int *x) {}\n__host__ __device__ void run(int *x) { f<<<1, 1>>>(x); }\n"
    assert kernels(f"{text}__global__ void k(int *x) {{ *x = 1; }}\nint main() {{ run(0); }}") == ["f", "k"]


HARD = """
template <class F> __global__ void apply(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
struct Box { int *p; int base; __device__ int get(int i) const { return base + i; } };
template <class T> struct Outer {
  template <int N> struct Inner { static __global__ void deep(T *x) { x[threadIdx.x] = N; } };
  int *m; T t;
  void by_this() { apply<<<1, 4>>>(4, [=] __device__ (int i) { m[i] = int(t); }); }
  void by_copy() { apply<<<1, 4>>>(4, [*this] __device__ (int i) { m[i] = int(t) + 1; }); }
};
class Private {
  static constexpr int secret = 7;
  static __global__ void hidden(int *x) { x[threadIdx.x] = secret; }
 public:
  static void go(int *p) { hidden<<<1, 4>>>(p); apply<<<1, 4>>>(4, [=] __device__ (int i) { p[i] = secret; }); }
};
template <class... A> void packed(int *p, A... a) {
  apply<<<1, 4>>>(4, [=] __device__ (int i) { p[i] = (0 + ... + a); });
}
template <class F, class G> void both(F f, G g) { apply<<<1, 4>>>(4, f); apply<<<1, 4>>>(4, g); }
#define TWO(p) both([=] __device__ (int i) { p[i] = 1; }, [=] __device__ (int i) { p[i] = 2; })
struct Op { int *p; __device__ void operator()(int i) const { p[i] = 10; } };
void local(int *p) {
  struct Op { int *p; __device__ void operator()(int i) const { p[i] = 20; } };
  apply<<<1, 4>>>(4, Op{p}); apply<<<1, 4>>>(4, ::Op{p});
}
int main() {
  int *p = nullptr; Box box{p, 3};
  apply<<<1, 4>>>(4, [=] __device__ (int i) { box.p[i] = box.get(i); });
  apply<<<1, 4>>>(4, [copy = box] __device__ (int i) { copy.p[i] = copy.get(i); });
  Outer<float> o{p, 1.f}; o.by_this(); o.by_copy();
  Outer<int>::Inner<3>::deep<<<1, 4>>>(p);
  Outer<char>::Inner<5>::deep<<<1, 4>>>(nullptr);
  Private::go(p); packed(p, 1, short(2)); TWO(p); local(p);
}
"""


def test_shapes_that_no_text_could_be_taken_out_of():
    names = sorted(kernels(HARD))
    line = {text: 1 + HARD[: HARD.index(text)].count("\n") for text in ("m[i] = int(t);", "int(t) + 1", "= secret; }); }",
            "+ a)", "TWO(p);", "box.get", "copy.get")}  # fmt: skip
    assert names == sorted([
        f"apply<lambda_{line['box.get']}>", f"apply<lambda_{line['copy.get']}>",
        f"apply<lambda_{line['m[i] = int(t);']}<float>>", f"apply<lambda_{line['int(t) + 1']}<float>>",
        "Outer<int>::Inner<3>::deep", "Outer<char>::Inner<5>::deep", "Private::hidden",
        f"apply<lambda_{line['= secret; }); }']}>", f"apply<lambda_{line['+ a)']}<int, short>>",
        f"apply<lambda_{line['TWO(p);']}>", f"apply<lambda_{line['TWO(p);']}_2>", "apply<local(int*)::Op>", "apply<Op>",
    ])  # fmt: skip


def test_explicit_instantiations_of_host_templates_are_the_hosts():
    text = f"""#include <vector>
{SCALE}
size_t in_all(std::vector<int> const &v) {{ return v.size(); }}
template <class T, int N = 3>
int run(std::vector<T> values, T *x) {{
    if (values.empty()) throw 1;
    scale<<<1, in_all({{1, 2}})>>>(N, x, values[0]);
    return 0;
}}
template int run<float>(std::vector<float> values, float *x);
template <class T> __global__ void other(T *x) {{}}
template __global__ void other<int>(int *x);"""
    assert sorted(kernels(text)) == ["other<int>", "scale<float>"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("template <class T, int N = (3 > 2)>\nT f(T x) { return x; }\ntemplate float f<float>(float);",
         "template <class T, int N = (3 > 2)>\n__attribute__((host)) T f(T x) { return x; }\n"
         "template float f<float>(float);"),
        ("template <class T> T f(T x);\ntemplate std::pair<int, int> f<std::pair<int, int>>(std::pair<int, int>);",
         "template <class T> __attribute__((host)) T f(T x);\n"
         "template std::pair<int, int> f<std::pair<int, int>>(std::pair<int, int>);"),
        ("template <class T> __device__ T f(T x) { return x; }\ntemplate float f<float>(float);", None),
        ("template <class T> T f(T x) { return x; }\ntemplate __device__ float f<float>(float);", None),
        ("template <class T> T f(T x) { return x; }\nextern template float f<float>(float);", None),
        ("template <class T> struct f { T x; };\ntemplate struct f<float>;", None),
        ("#define KERNEL __global__\ntemplate <class T> KERNEL void f(T x) {}\ntemplate void f<float>(float);", None),
    ],
)  # fmt: skip
def test_templates_that_get_the_hosts_mark(text, expected):
    changed = instantiations.marked({"a.cu": text.encode()})
    assert changed == ({} if expected is None else {"a.cu": expected.encode()})
