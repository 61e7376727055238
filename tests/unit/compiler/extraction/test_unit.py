"""Taking the kernels, and what they reach, out of a source with host code."""

import pytest

from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError
from tests.unit.compiler.extraction.reduced import reduced, unit, words

KERNEL = "__global__ void k(float *o) { o[0] = 1; }\n"


def test_nothing_moves():
    text = """#include <vector>
/* a comment */ int host(int n) {
  return n; // more
}
__global__ void k(float *o) { o[0] = 1; } int main() { return host(1); }
"""
    reduced_text = reduced(text)
    assert [len(line) for line in reduced_text.split("\n")] == [len(line) for line in text.split("\n")]
    assert reduced_text.split("\n")[4].rstrip() == "__global__ void k(float *o) { o[0] = 1; }"
    assert reduced_text.replace(" ", "").strip() == "__global__voidk(float*o){o[0]=1;}"


@pytest.mark.parametrize(
    "host",
    [
        "int f(int a) { for (int i = 0; i < a; ++i) { a += i; } return a; }",
        "int f();",
        "template <class T> T f(T a) { return a + T{}; }",
        "static int counter = 0;",
        "std::vector<int> kept(3);",
        "unknown_t thing = make();",
        "std::vector<std::string> f(const std::vector<int> &v) { if (v[0]) { return {}; } throw 1; }",
        'static_assert(sizeof(int) == 4, "int");',
        "struct Host { std::string name; void print() { puts(name.c_str()); } };",
        "class Timer { public: Timer() : t(0) {} ~Timer() {} private: double t; };\nTimer::Timer(int) : t(1) {}",
        "enum { A, B };",
        "typedef int number, *numbers;",
        "using number = int;",
        "namespace tools { int f() { return 1; } int g(); }",
        'extern "C" int f(int);',
        'extern "C" { int f(int); }',
        "const int unused = 3;",
        "#pragma omp parallel\n",
        "__device__ int never_called() { return 1; }",
        "struct P { int x; } p = {1};",
        "int a = 1, b = 2;",
        "int table[] = {1, 2, 3};",
        "auto f = [](int a) { return a; };",
        "template <> struct std::hash<int> { };",
        "union U { int a; float b; };",
        "int f(int a) try { return a; } catch (...) { return 0; }",
        "void f() { k<<<1, 64>>>(nullptr); }",
    ],
)
def test_host_code_goes(host):
    left = "".join(line for line in reduced(f"{host}\n{KERNEL}").split("\n") if not line.startswith("#"))
    left = left.replace("namespace tools {", "").replace('extern "C" {', "").replace("}", "", left.count("}") - 1)
    assert left.replace(";", "").split() == KERNEL.replace(";", "").split()


@pytest.mark.parametrize(
    ("needed", "body"),
    [
        ("__device__ int f(int a) { return a; }", "o[0] = f(1);"),
        ("__host__ __device__ int f(int a) { return a; }", "o[0] = f(1);"),
        ("template <class T> __device__ T f(T a) { return a; }", "o[0] = f<float>(1);"),
        ("constexpr int f(int a) { return a; }", "o[0] = f(1);"),
        ("const int n = 3;", "o[0] = n;"),
        ("static const float n = 3, m = 4;", "o[0] = m;"),
        ("enum { A, B };", "o[0] = B;"),
        ("enum class E { A, B };", "o[0] = int(E::A);"),
        ("typedef struct { int a; } S;", "S s = {1}; o[0] = s.a;"),
        ("struct S { int a; __device__ int get() { return a; } };", "S s = {1}; o[0] = s.get();"),
        ("template <class T, int N> struct S { T a[N]; };", "S<float, 3> s; o[0] = s.a[0] = 1;"),
        ("using number = float;", "o[0] = number(1);"),
        ("template <class T> using number = T;", "o[0] = number<int>(1);"),
        ("#define ONE one()\n__device__ int one() { return 1; }", "o[0] = ONE;"),
        ("__shared__ float s[3];", "o[0] = s[0] = 1;"),
        ("namespace a { namespace b { __device__ int f() { return 1; } } }", "o[0] = a::b::f();"),
        ("namespace a::b { __device__ int f() { return 1; } }", "o[0] = a::b::f();"),
        ("struct A {}; struct B : A {};", "B b; o[0] = sizeof(b);"),
        ("struct A { __device__ int f(); };\n__device__ int A::f() { return 1; }", "A a; o[0] = a.f();"),
        ("struct A { static const int n; };\nconst int A::n = 3;", "o[0] = sizeof(A::n);"),
        ("extern \"C\" __device__ int f() { return 1; }", "o[0] = f();"),
        ("__device__ int f();\n__device__ int f() { return 1; }", "o[0] = f();"),
    ],
)  # fmt: skip
def test_what_kernels_reach_stays(needed, body):
    text = f"{needed}\n__global__ void k(float *o) {{ {body} }}\n"
    assert words(text) == text.split()


@pytest.mark.parametrize(
    "device",
    ["__device__ int counter;", "__constant__ float c[4] = {1, 2};", "namespace a { __device__ int n = 3; }",
     "struct P { int x; };\n__device__ P p;", "__device__ float3 operator+(float3 a, float3 b) { return a; }"],
)  # fmt: skip
def test_what_the_host_or_anything_may_reach_stays(device):
    assert words(f"{device}\n{KERNEL}") == f"{device}\n{KERNEL}".split()


def test_macros_make_kernels_and_host_functions():
    text = """#define KERNEL(T) __global__ void k_##T(T *o) { o[0] = 1; }
#define NAMED(n) __global__ void n(int *o) { o[0] = 1; }
#define HOST(n) int n() { return 1; }
KERNEL(float) KERNEL(int)
NAMED(one)
NAMED(two);
HOST(three)
HOST(four) int five() { return 1; }
"""
    parsed = unit(text)
    assert list(parsed.kernels) == ["k_float", "k_int", "one", "two"]
    reduced_text = parsed.reduced()[parsed.source.path].decode()
    assert reduced_text.split("\n")[3:8] == [*text.split("\n")[3:5], "NAMED(two) ", " " * 11, " " * 35]


def test_macros_that_open_and_close_braces():
    text = """#define BEGIN_C extern "C" {
#define END_C }
#define IN(n) namespace n {
#define START(name) __global__ void name(int *p, int n) { int i = threadIdx.x; if (i < n) {
#define STOP }}
BEGIN_C
__global__ void a(int *p) { p[0] = 1; }
END_C
IN(deep) IN(deeper)
int host() { return 1; }
__global__ void b(int *p) { p[0] = 2; }
STOP
START(c)
  p[i] = 3;
STOP
int main() { START(inner) STOP return host(); }
"""
    parsed = unit(text)
    assert list(parsed.kernels) == ["a", "deep::deeper::b", "c"]
    lines = parsed.reduced()[parsed.source.path].decode().split("\n")
    assert [line.strip() for line in lines[5:16]] == [
        *[line.strip() for line in text.split("\n")[5:9]],
        "",
        *[line.strip() for line in text.split("\n")[10:15]],
        "",
    ]


def test_a_kernel_beside_a_template_of_its_name():
    texts = ["template <class T> __global__ void k(T *x) {}\n", "__global__ void k(float *x, int n) {}\n"]
    for text in (texts, texts[::-1]):
        parsed = unit("".join(text))
        assert {name: kernel.template for name, kernel in parsed.kernels.items()} == {
            "k": True, "k(float *, int)": False,
        }  # fmt: skip


def test_conditional_code():
    text = """#ifdef ON
__global__ void a() {
#else
__global__ void b() {
#endif
  }
#if 0
it's nothing {
#endif
"""
    assert list(unit(text).kernels) == ["b"]
    assert list(unit(text, defines={"ON": None}).kernels) == ["a"]


def test_names_of_kernels():
    parsed = unit("""
namespace n { __global__ void a() {} template <class T> __global__ void t(T *x) {} }
extern "C" __global__ void b();
extern "C" { __global__ void b() {} }
template <class T, int N> __global__ void t(T *x, int n) {}
template <> __global__ void t<float, 3>(float *x, int n) {}
__global__ void declared(int n);
""")
    assert {name: kernel.template for name, kernel in parsed.kernels.items()} == {
        "n::a": False, "n::t": True, "b": False, "t": True,
    }  # fmt: skip
    assert parsed.kernels["t"].parameters == ("x", "n")


def test_local_headers_are_reduced_as_well(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "helper.h").write_text(
        "#pragma once\n#include <string>\nstd::string host() { return {}; }\n__device__ int one() { return 1; }\n"
    )
    (tmp_path / "main.cu").write_text('#include "sub/helper.h"\n__global__ void k(int *o) { o[0] = one(); }\n')
    parsed = parse(sources.from_path(tmp_path / "main.cu"))
    header = str(tmp_path / "sub" / "helper.h")
    assert parsed.reduced()[header].decode().split() == [
        "#pragma", "once", "__device__", "int", "one()", "{", "return", "1;", "}",
    ]  # fmt: skip
    assert list(parsed.files_read) == [header]


def test_headers_as_strings_and_include_paths(tmp_path):
    (tmp_path / "two.h").write_text("#define TWO 2\n")
    parsed = unit(
        '#include "one.h"\n#include <two.h>\n__global__ void k(int *o) { o[ONE] = TWO; }',
        headers={"one.h": "#define ONE 1\n"},
        include_paths=[tmp_path],
    )
    assert list(parsed.kernels) == ["k"] and not parsed.missing


def test_a_missing_header_is_an_error_where_there_is_no_host_code():
    with pytest.raises(CompileError) as caught:
        unit(f'\n  #include "mine.h"\n{KERNEL}')
    assert str(caught.value).splitlines() == [
        "user.cu:2:12: error: 'mine.h' file not found", '  #include "mine.h"', "           ^",
    ]  # fmt: skip


def test_a_missing_header_of_host_code_is_left_out():
    parsed = unit(f'#include "mine.h"\n{KERNEL}int main() {{ k<<<1, 1>>>(nullptr); }}')
    assert [message.text for message in parsed.missing] == ["'mine.h' file not found"]
    assert "mine.h" not in parsed.reduced()[parsed.source.path].decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__device__ int f() { return 1; }", "user.cu: expected a __global__ function"),
        ("def kernel(a):\n    return a\n", "user.cu:1:1: error: expected HIP or CUDA C++, got Python"),
        ("", "user.cu: expected a __global__ function"),
    ],
)
def test_sources_that_are_none(text, message):
    with pytest.raises(CompileError) as caught:
        unit(text)
    assert str(caught.value).startswith(message)


def test_text_that_is_none():
    with pytest.raises(CompileError, match="user.cu:2: expected UTF-8, got the byte 0xff"):
        sources._make(b"\n\xff", "user.cu", "/user.cu")
    with pytest.raises(CompileError, match="zero byte"):
        sources.from_text("a\0b")
    with pytest.raises(TypeError, match="path="):
        sources.from_text(5)
    for standard in ("c99", "c++14", "c++1y", "gnu++11", "17"):
        with pytest.raises(ValueError, match=r"expected 'c\+\+17', 'c\+\+20' or later"):
            sources.from_text("", standard=standard)
    for standard in ("c++17", "gnu++17", "c++1z", "c++20", "gnu++2b"):
        assert sources.from_text("", standard=standard).standard == standard
    with pytest.raises(CompileError, match="pass it as path='src/a b.cu'"):
        sources.from_text("src/a b.cu")
    with pytest.raises(ValueError, match="macro"):
        sources.from_text("", defines={"a b": 1})


@pytest.mark.parametrize(
    ("text", "name", "cuda"),
    [
        (KERNEL, "a.cu", True),
        (KERNEL, "a.hip", False),
        (KERNEL, "<source>", False),
        ("#include <hip/hip_runtime.h>", "main.cu", False),
        ("#include <cuda_runtime.h>", "<source>", True),
        ("int main() { cudaMalloc(0, 0); }", "<source>", True),
    ],
)
def test_dialects(text, name, cuda):
    assert sources.from_text(text, name).cuda is cuda


def test_a_loops_pragma_goes_with_its_loop():
    text = """
#pragma pack(push, 1)
static int host(int n) {
#pragma unroll
    for (int i = 0; i < n; ++i) n += i;
#  pragma GCC unroll 4
    for (int i = 0; i < n; ++i) n += i;
    return n;
}
"""
    reduced_text = reduced(text + KERNEL)
    assert "unroll" not in reduced_text and "pack" in reduced_text


def test_what_follows_a_constant_function_is_not_part_of_it():
    text = """
template <class... T> __device__ constexpr inline void unused(T &&...) noexcept {}
extern "C" {
extern FILE *opened(const char *);
}
constexpr int twice(int a) { return a * 2; }
FILE *other();
__global__ void k(int *o) { unused(o); o[0] = twice(1); }
"""
    reduced_text = reduced(text)
    assert "FILE" not in reduced_text and "unused(T" in reduced_text and "twice(int" in reduced_text


def test_macros_that_instantiate_templates_are_not_part_of_what_follows():
    text = """
#define INSTANTIATE(T) template int check<T>(handle_of_host, T);
#define READY template int check<short>(handle_of_host, short);
#define INLINE(n) __attribute__((always_inline))
struct handle_of_host { FILE *log; };
template <class T> int check(handle_of_host h, T t) { return 0; }
INSTANTIATE(int)
INSTANTIATE(long)
READY
INLINE(1)
__device__ int twice(int a) { return 2 * a; }
__global__ void k(int *o) { o[0] = twice(1); }
"""
    reduced_text = reduced(text)
    code = "".join(line for line in reduced_text.splitlines() if not line.lstrip().startswith("#"))
    assert "FILE" not in code and "INSTANTIATE" not in code and "READY" not in code
    assert "INLINE(1)" in code and "twice(int" in code


@pytest.mark.parametrize(
    "body",
    ["template <> struct A<N> {};", "struct B##N {};", "enum { e##N };", "typedef int t##N;", "__device__ int g##N;"],
)
def test_macros_that_declare_are_not_part_of_what_follows(body):
    kept = reduced(f"""template <class T> struct A;
#define DECLARE(N) {body}
DECLARE(float)
__global__ void k(A<float> *a, Bfloat *b) {{ tfloat x = efloat + gfloat; }}
int host() {{ return only_the_host_has_it(); }}
""")
    assert "DECLARE(float)\n" in kept
    assert "__global__" in kept
    assert "only_the_host" not in kept
