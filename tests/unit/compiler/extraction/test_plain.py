"""Plain sources are read as libclang reads them; unusual sources are not plain."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from launchpath._compiler import header_folders
from launchpath._compiler.extraction import instances as extracted
from launchpath._compiler.extraction.parameters.layout import layout
from launchpath._compiler.extraction.pieces.piece import Piece
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.plain import plain, words
from launchpath._compiler.plain import types as plain_types
from launchpath._compiler.rtc.native import Native
from launchpath._compiler.source import source as sources
from launchpath._compiler.source.source import Source
from tests.unit.support.rtc import cuda, needs_nvrtc

TESTS = Path(__file__).parents[3]
PARTS = 24  # of the texts in the tests: to find them all takes two seconds, too long for each collection


def source(text: str, is_cuda: bool = False, **around: object) -> Source:
    return sources.from_text(text, "kernel.cu" if is_cuda else "kernel.hip", **around)


def check(text: str, is_cuda: bool = False, **around: object) -> None:
    """Both readers say the same of a plain source."""
    check_source(source(text, is_cuda, **around))


def attributes(piece: Piece) -> dict[str, object]:
    return {name: getattr(piece, name) for name in Piece.__slots__}


def check_source(of: Source) -> None:
    read = plain.read(of)
    assert read is not None, of.text
    unit = parse(of)
    instances = extracted.instances(unit, [])
    assert list(read.unit.kernels.items()) == list(unit.kernels.items())
    assert read.unit.files.keys() == unit.files.keys()
    for path, file in unit.files.items():
        assert list(map(attributes, read.unit.files[path].pieces)) == list(map(attributes, file.pieces))
        assert read.unit.files[path].braces == file.braces
        assert read.unit.files[path].active.text == file.active.text
    assert read.unit.reduced() == unit.reduced()
    for name in (
        "missing", "partly", "launches", "program", "files_read", "remarks", "variable_templates", "includes",
    ):  # fmt: skip
        assert getattr(read.unit, name) == getattr(unit, name), name
    assert read.layout == layout(unit, instances, unit.reduced())


@cache
def texts() -> dict[str, str]:
    """The kernels' texts in the tests, by where they are, that are plain."""
    texts = {str(path.relative_to(TESTS)): path.read_text() for path in TESTS.glob("corpus/**/*.[hc][iu]*")}
    for path in [*TESTS.glob("conformance/*.py"), *TESTS.glob("faults/*.py"), *TESTS.glob("unit/**/*.py")]:
        text = path.read_text()
        nodes = ast.walk(ast.parse(text)) if "__global__" in text else ()
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "__global__" in node.value:
                texts[f"{path.relative_to(TESTS)}:{node.lineno}"] = node.value
    return {name: text for name, text in texts.items() if "\\x" not in repr(text) and plain.read(source(text))}


def test_many_sources_are_plain() -> None:
    assert len(texts()) > 80


@pytest.mark.compiles
@pytest.mark.sample(3)
@pytest.mark.parametrize("part", range(PARTS))
def test_kernels_of_the_tests(part: int) -> None:
    wrong = []
    for name in sorted(texts())[part::PARTS]:
        for is_cuda in (False, True):
            if plain.read(source(texts()[name], is_cuda)):
                try:
                    check(texts()[name], is_cuda)
                except AssertionError as error:
                    wrong.append(f"{name}: {error}")
    assert not wrong


PLAIN = """#include <hip/hip_runtime.h>
// A comment /* of one line
__device__ float scaled(float a, const float4 *v, const float &by) { return a * by + v->x; } /* and
another */ __device__ __forceinline__ int unused() { return 1; }
extern "C" __device__ unsigned long long two(void) { return 2; }
__host__ __device__ inline double half_of(double x) { return x / 2; }
static __global__ void __launch_bounds__(256, 2) first(const float *__restrict__ x, size_t n, float *y) {
    extern __shared__ float part[];
    part[threadIdx.x] = scaled(x[0], nullptr, y[0]);
    auto twice = [&](float v) { return v + v; };
    y[0] = twice(part[0]) + (n ? '}' : 0);
}
extern "C" __global__ void second(const uint32_t *x, unsigned long long int n, char *const c, bool b, void *w) {
    printf("} %d {\\n", x[0]);
}
__global__ __launch_bounds__(64) void third(double const *q) {}
__global__ void fourth(const int n, uint8_t *x, unsigned m) {} __global__ void fifth() {}
__global__ void sixth(uint *x) { x[0] = N + VALUE; }
__global__ void seventh(char *kernel) {}
__global__ void eighth(const void *anything) {} // the end"""


@pytest.mark.parametrize("is_cuda", [False, True])
def test_all_that_plain_sources_have(is_cuda: bool) -> None:
    check(
        PLAIN.replace("hip/hip_runtime.h", "cuda_runtime.h") if is_cuda else PLAIN,
        is_cuda,
        defines={"N": 3, "VALUE": "-1.5f"},
    )
    check("__global__ void k(int *x) {} /**/", is_cuda, defines={"NDEBUG": None})


@needs_nvrtc
@pytest.mark.parametrize("is_cuda", [False, True])
def test_all_that_plain_sources_have_for_nvrtc(is_cuda: bool) -> None:
    text = PLAIN.replace("hip/hip_runtime.h", "cuda_runtime.h") if is_cuda else PLAIN
    check_source(Native(source(text, is_cuda, defines={"N": 3}), cuda()).source)


SPELLINGS = sorted(plain_types.NUMBERS)
NUMBER = st.tuples(st.sampled_from(["", "const "]), st.sampled_from(SPELLINGS)).map("".join)
STARS = st.sampled_from(["*", "*__restrict__", "* __restrict", "*const", "*const __restrict__"])
POINTER = st.tuples(
    st.sampled_from(["{} ", "const {} ", "{} const "]), st.sampled_from([*SPELLINGS, "void"]), STARS
).map(lambda parts: parts[0].format(parts[1]) + parts[2])
NAME = st.from_regex(r"[a-zA-Z][a-z0-9]{0,6}(_[a-z0-9]{1,3})?", fullmatch=True).filter(
    lambda name: words.is_name(name) and name not in plain_types.WORDS
)
PARAMETERS = st.lists(st.tuples(NUMBER | POINTER, NAME), max_size=6, unique_by=lambda pair: pair[1])
BEFORE = st.sampled_from([
    "__global__ void", "static __global__ void", 'extern "C" __global__ void', "__global__ void __launch_bounds__(128)",
    "__launch_bounds__(32, 4) __global__ void",
])  # fmt: skip


@pytest.mark.compiles
@pytest.mark.parametrize("is_cuda", [False, True])
def test_drawn_signatures(is_cuda: bool) -> None:
    @settings(max_examples=6, deadline=None)
    @given(st.lists(st.tuples(BEFORE, PARAMETERS), min_size=8, max_size=30))
    def checked(kernels: list[tuple[str, list[tuple[str, str]]]]) -> None:
        text = "".join(
            f"{before} kernel_{number}({', '.join(' '.join(pair) for pair in parameters)}) {{}}\n"
            for number, (before, parameters) in enumerate(kernels)
        )
        check(text, is_cuda)

    checked()


K = "__global__ void k(int *x) { x[0] = 1; }"
NOT_PLAIN = {
    "no kernel": "__device__ int f() { return 1; }",
    "nothing": "",
    "a comment alone": "// __global__ void k() {}",
    "a macro": f"#define int long\n{K}",
    "a directive behind": f"{K}\n#pragma once",
    "#line": f'#line 3 "x"\n{K}',
    "an include": f"#include <cuda_fp16.h>\n{K}",
    "an include in a body": "__global__ void k(int *x) {\n#include <hip/hip_runtime.h>\n}",
    "a null directive": f"#\n{K}",
    "a digraph directive": f"%:define A\n{K}",
    "_Pragma": f'_Pragma("once") {K}',
    "a digraph": "__global__ void k(int *x) <% x[0] = 1; %>",
    "a digraph of brackets": "__global__ void k(int *x) { x<:0:> = 1; }",
    "a trigraph": "__global__ void k(int *x) { x??(0??) = 1; }",
    "a continued line": "__global__ void k(int *x) { // \\\n x[0] = 1; }",
    "a backslash at the end": f"{K} // \\",
    "a raw string": 'extern "C" __global__ void k(int *x) { const char *s = R"(})"; }',
    "an open comment": f"{K} /* the end",
    "an open comment of a slash": f"{K} /*/",
    "an open string": '__global__ void k(int *x) { const char *s = "; }',
    "an open brace": "__global__ void k(int *x) { { x[0] = 1; }",
    "a brace too many": K + "}",
    "crossed brackets": "__global__ void k(int *x) { (x[0) ]; }",
    "nested too deep": "__global__ void k(int *x) {" + "{" * 100 + "}" * 100 + "}",
    "a declaration": f"__global__ void k(int *x); {K}",
    "a semicolon behind": f"{K};",
    "a variable": f"__device__ int n; {K}",
    "a constant": f"const int n = 3; {K}",
    "an array with braces": f"__device__ int n[] = {{1, 2}}; {K}",
    "a typedef": f"typedef int T; {K}",
    "using": f"using T = int; {K}",
    "a using directive": f"using namespace cuda; {K}",
    "a namespace": f"namespace n {{ {K} }}",
    "a linkage block": f'extern "C" {{ {K} }}',
    "C++ linkage": f'extern "C++" {K}',
    "a class": f"struct S {{ int x; }}; {K}",
    "an enumeration": f"enum {{ A }}; {K}",
    "a local class": "__global__ void k(int *x) { struct k { int y; }; }",
    "a template": "template <class T> __global__ void k(T *x) {}",
    "a static assertion": f'static_assert(true, ""); {K}',
    "host code": f"int main() {{ return 0; }} {K}",
    "a host function": f"int f() {{ return 0; }} {K}",
    "a host function with a mark": f"__host__ int f() {{ return 0; }} {K}",
    "a launch": "__global__ void k(int *x) { k<<<1, 1>>>(x); }",
    "the host's API": "__global__ void k(int *x) { cudaDeviceSynchronize(); }",
    "two of a name": "__global__ void k(int *x) {} __global__ void k(float *x) {}",
    "a function of a kernel's name": "__device__ void k() {} __global__ void k(float *x) {}",
    "attributes": "[[maybe_unused]] __global__ void k(int *x) {}",
    "attributes of a parameter": "__global__ void k([[maybe_unused]] int *x) {}",
    "GNU's attributes": "__global__ void __attribute__((noinline)) k(int *x) {}",
    "another mark": "__global__ void __maxnreg__(32) k(int *x) {}",
    "a grid constant": "__global__ void k(const __grid_constant__ int n) {}",
    "a kernel for the host": "__host__ __global__ void k(int *x) {}",
    "an inline kernel": "inline __global__ void k(int *x) {}",
    "static twice": "static static __global__ void k(int *x) {}",
    "static and C": 'extern "C" static __global__ void k(int *x) {}',
    "the type first": "void __global__ static k(int *x) {}, y",
    "constexpr": f"constexpr int f() {{ return 1; }} {K}",
    "a result": "__global__ int k(int *x) { return 1; }",
    "no result": "__global__ k(int *x) {}",
    "auto": "__global__ auto k(int *x) -> void {}",
    "auto alone": "__global__ auto k(int *x) {}",
    "noexcept": "__global__ void k(int *x) noexcept {}",
    "a qualified name": "__global__ void n::k(int *x) {}",
    "a name in brackets": "__global__ void (k)(int *x) {}",
    "K&R": "__global__ void k(x) int *x; {}",
    "no parameter list": "__global__ void k {}",
    "an ellipsis": "__global__ void k(int *x, ...) {}",
    "a default argument": "__global__ void k(int *x = nullptr) {}",
    "a default number": "__global__ void k(int *x, int n = 3) {}",
    "no name": "__global__ void k(int *) {}",
    "no name of a number": "__global__ void k(int) {}",
    "a comma at the end": "__global__ void k(int *x, ) {}",
    "a comma alone": "__global__ void k(,) {}",
    "void and more": "__global__ void k(void, int *x) {}",
    "a name of void": "__global__ void k(void x) {}",
    "a name twice": "__global__ void k(int *x, float *x) {}",
    "an array": "__global__ void k(int x[]) {}",
    "an array of a size": "__global__ void k(int x[4]) {}",
    "a reference": "__global__ void k(int &x) {}",
    "an rvalue reference": "__global__ void k(int &&x) {}",
    "a pointer to a function": "__global__ void k(void (*f)(int)) {}",
    "a pointer to a pointer": "__global__ void k(int **x) {}",
    "volatile": "__global__ void k(volatile int *x) {}",
    "const twice": "__global__ void k(const int const *x) {}",
    "const within": "__global__ void k(unsigned const int *x) {}",
    "restrict": "__global__ void k(int *restrict x) {}",
    "restrict twice": "__global__ void k(int *__restrict__ __restrict__ x) {}",
    "restrict of a number": "__global__ void k(int __restrict__ x) {}",
    "a struct": "__global__ void k(float4 *x) {}",
    "an unknown type": "__global__ void k(real *x) {}",
    "a half": "__global__ void k(__half *x) {}",
    "long double": "__global__ void k(long double *x) {}",
    "another order": "__global__ void k(int unsigned *x) {}",
    "wchar_t": "__global__ void k(wchar_t *x) {}",
    "auto as a type": "__global__ void k(auto x) {}",
    "a texture": "__global__ void k(cudaTextureObject_t x) {}",
    "a bound that is no number": "__global__ void __launch_bounds__(4 * 64) k(int *x) {}",
    "a bound that is a name": "__global__ void __launch_bounds__(N) k(int *x) {}",
    "a bound in octal": "__global__ void __launch_bounds__(0100) k(int *x) {}",
    "a bound with a suffix": "__global__ void __launch_bounds__(64u) k(int *x) {}",
    "three bounds": "__global__ void __launch_bounds__(64, 2, 1) k(int *x) {}",
    "two bounds": "__launch_bounds__(64) __global__ void __launch_bounds__(32) k(int *x) {}",
    "a bound behind": "__global__ void k(int *x) __launch_bounds__(64) {}",
    "a bound of a device function": f"__device__ void __launch_bounds__(64) f() {{}} {K}",
    "unicode": "__global__ void k(int *größe) {}",
    "unicode in a string": '__global__ void k(int *x) { printf("größe"); }',
    "a dollar": "__global__ void k(int *x$) {}",
    "a stray sign": "__global__ void k(int *x) { @ }",
    "a hash in a body": "__global__ void k(int *x) { x[0] = 1 # 2; }",
    "an operator": f"__device__ int operator+(float4 a, int b) {{ return 1; }} {K}",
    "the name main": "__global__ void main(int *x) {}",
    "a keyword as a name": "__global__ void k(int *for) {}",
    "a type as a name": "__global__ void k(int *float4) {}",
    "a macro as a name": "__global__ void k(int *NULL) {}",
    "warpSize as a name": "__global__ void warpSize(int *x) {}",
    "a reserved name": "__global__ void k(int *__x) {}",
    "a reserved name of a kernel": "__global__ void _K__x(int *x) {}",
    "std": "__global__ void k(int *x) { x[0] = std::min(1, 2); }",
    "std in a string": '__global__ void k(int *x) { printf("std"); }',
    "a name in a namespace": "__global__ void k(int *x) { x[0] = ::min(1, 2); }",
    "extern in a body": "__global__ void k(int *x) { extern __device__ int y; }",
    "an extern function": "__global__ void k(int *x) { extern int f(); }",
    "dynamic shared memory by a macro": "__global__ void k(int *x) { HIP_DYNAMIC_SHARED(int, y) }",
    "a marked lambda": "__global__ void k(int *x) { auto f = [] __device__ () {}; }",
    "a statement expression": "__global__ void k(int *x) { x[0] = ({ int y = 1; y; }); }",
    "a kernel within": "__global__ void k(int *x) { __global__ void f(); }",
    "our own words": "__global__ void k(int *x) { __lp_block(x); }",
    "a macro of CUB's": "__global__ void k(int *x) { CUB_NAMESPACE_BEGIN }",
}


@pytest.mark.parametrize("case", NOT_PLAIN)
def test_unusual_sources_are_not_plain(case: str) -> None:
    assert plain.read(source(NOT_PLAIN[case])) is None


AROUND = {
    "a header": {"headers": {"a.h": ""}},
    "a folder": {"include_paths": ["."]},
    "a macro with parameters": {"defines": {"f(x)": "x"}},
    "a macro of a keyword": {"defines": {"int": "long"}},
    "a macro of a word here": {"defines": {"k": "l"}},
    "a macro of a parameter": {"defines": {"x": "y"}},
    "a macro of a mark": {"defines": {"__global__": ""}},
    "a macro with a brace": {"defines": {"OPEN": "{"}},
    "a macro with a directive": {"defines": {"D": "#"}},
    "a macro with a word": {"defines": {"M": "namespace"}},
    "a macro of ours": {"defines": {"LAUNCHPATH_WHOLE_WARPS": None}},
}


@pytest.mark.parametrize("case", AROUND)
def test_unusual_options_of_a_source(case: str) -> None:
    assert plain.read(source(K)) is not None
    assert plain.read(source(K, **AROUND[case])) is None


def test_macros_of_headers_are_no_names() -> None:
    define = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
    folders = (header_folders.CLANG, header_folders.RTC, header_folders.COMMON, header_folders.FORWARDING)
    files = [path for folder in folders for path in Path(folder).rglob("*") if path.is_file()]
    macros = {name for path in files for name in define.findall(path.read_text())}
    assert len(macros) > 400
    assert [name for name in sorted(macros) if words.is_name(name) and name not in plain_types.WORDS] == []
