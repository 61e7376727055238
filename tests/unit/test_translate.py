"""Generated OpenCL source, without a device: what is in it, and that no line moves."""

import re

import pytest

from launchpath.compiler.text import Edit, Lines, apply, column_before, tokens
from launchpath.compiler.translate import KERNEL_PREFIX, kernel_name, remap_log, to_opencl
from launchpath.compiler.unit import parse
from launchpath.errors import CompileError

EVERY = pytest.mark.parametrize("dialect", ["clc++", "clc-generic", "clc"])


def body(source: str, dialect: str) -> list[str]:
    """The lines of the source as translated."""
    text = to_opencl(parse(source, "user.cu"), dialect)
    start = text.index('#line 1 "user.cu"\n') + len('#line 1 "user.cu"\n')
    return text[start:].split("\n")[: source.count("\n") + 1]


def generated(source: str, dialect: str) -> str:
    """What follows the source."""
    text = to_opencl(parse(source, "user.cu"), dialect)
    return text[text.index('#line 1 "user.cu"') :].split("\n", source.count("\n") + 2)[-1]


def test_prefix():
    assert kernel_name("fill") == KERNEL_PREFIX + "fill"
    assert kernel_name("a::fill") == KERNEL_PREFIX + "a__fill"


@EVERY
def test_one_parameter_of_the_packed_size(dialect):
    text = generated("__global__ void fill(float *out, int n, bool b) { out[n] = b; }", dialect)
    assert "unsigned char bytes[16]" in text
    assert re.search(r"__kernel void __lp_fill\(struct \w+ \w+\) {", text)
    assert "*(int *)((char *)&__lpi_block + 8)" in text


@EVERY
def test_no_parameter_without_arguments(dialect):
    assert "__kernel void __lp_k() {" in generated("__global__ void k() {}", dialect)


@EVERY
def test_a_last_local_parameter_for_dynamic_shared_memory(dialect):
    text = generated("__global__ void k(int n) { extern __shared__ int s[]; s[0] = n; }", dialect)
    assert re.search(r"__kernel void __lp_k\(struct \w+ \w+, __local __lpi_aligned \*\w+\) {", text)


@EVERY
def test_struct_layouts_are_asserted(dialect):
    text = generated("struct P { float *a; bool b; };\n__global__ void k(P p) {}", dialect)
    assert "static_assert(sizeof(P) == 16" in text


@EVERY
def test_lines_stay(dialect):
    source = """#include <hip/hip_runtime.h>
// one
extern "C" {
__global__ void k(int *o,
                  int n
                  ) {
  __shared__ float
      t[4],
      u;
  t[0] = u = 1; /* two
  lines */ long long q = 5LL;
  o[0] = n;
}
}
int main() {
  k<<<1, 2>>>(nullptr, 1);
}
__global__ void after() { }"""
    lines = body(source, dialect)
    assert len(lines) == source.count("\n") + 1
    assert lines[11].strip() == "o[0] = n;"
    assert "after" in lines[17]
    assert not any("<<<" in line or "main" in line for line in lines)


@EVERY
def test_only_names_that_opencl_keeps_are_renamed(dialect):
    source = "__device__ float step(float x) { return x; }\n__global__ void k(int *global, int dot) {}"
    text = to_opencl(parse(source), dialect)
    assert "#define step __lpu_step" in text
    assert "#define global __lpu_global" in text
    assert "#define dot" not in text  # a parameter may hide a function
    assert "#define k " not in text


@EVERY
def test_long_long_is_opencls_long(dialect):
    source = "__global__ void k(unsigned long long n, long long int *o) { o[0] = 1LL + 0x2ull + 3ul + n; }"
    (line,) = body(source, dialect)
    assert "long long" not in re.sub(r"long\s+int", "long int", line)
    assert "1L + 0x2uL + 3ul" in line


def test_shared_variables_are_references_in_cpp():
    (line,) = body("__global__ void k() { __shared__ int a[2], b; a[0] = b = 1; }", "clc++")
    assert line.count("&a = ") == line.count("&b = ") == 1
    assert "a[0] = b = 1;" in line


@pytest.mark.parametrize(("dialect", "through"), [("clc-generic", ""), ("clc", "(uintptr_t)")])
def test_shared_variables_are_pointers_in_c(dialect, through):
    (line,) = body("__global__ void k(int n) { __shared__ int a[2], b; a[0] = b = sizeof(a); }", dialect)
    assert f" *b = (__lpi_at_b *)({through}(__lpi_static_shared + 8));" in line
    assert "a[0] = (*b) = sizeof((*(__lpi_at_a *)a));" in line
    assert line.startswith("__global__ void k(int n, __local char *")


def test_c_has_what_cpp_writes_otherwise():
    source = """struct P { int a; };
static const float scale = 2, table[2][2] = {{1, 2}, {3, 4}};
__device__ float sum(const float *x) { static const int n = 2; return x[0] + x[n - 1]; }
__global__ void k(float *o) { o[0] = float(3) + static_cast<int>(scale) + sum(table[1]) + table[0][1]; }"""
    text = to_opencl(parse(source), "clc")
    assert "typedef struct P P;" in text
    lines = body(source, "clc")
    assert lines[1].lstrip().startswith("__constant") and "static" not in lines[1]
    assert "static" not in lines[2]
    assert "(float)(3) + (int)(scale)" in lines[3]
    assert "sum((*(const float (*)[2][2])(uintptr_t)&table)[1]) + table[0][1]" in lines[3]


def test_newer_c_has_variables():
    source = """__device__ int count = 1;
static const float table[2] = {1, 2};
__constant__ int two = 2;
__global__ void k(float *o) { static int calls; o[0] = table[count++] + two + calls++; }"""
    assert body(source, "clc-generic") == [line.replace("__device__", "") for line in source.split("\n")]
    text = to_opencl(parse(source), "clc-generic")
    assert "#define __constant__\n" in text and "#define __constant__ __constant" not in text


@pytest.mark.parametrize(("dialect", "by_way"), [("clc++", True), ("clc-generic", True), ("clc", False)])
def test_pointers_come_from_global_memory(dialect, by_way):
    text = generated("__global__ void k(float *o) {}", dialect)
    assert ("(float *)(__global char *)*(unsigned long *)" in text) == by_way


@EVERY
def test_names_of_intrinsics_are_ours(dialect):
    source = "__device__ int __clz(float x) { return 0; }\n__global__ void k(int *o) { o[0] = __popc(1) + __clz(1); }"
    text = to_opencl(parse(source), dialect)
    assert text.index("#define __popc __lpi___popc\n") < text.index(" __popc(unsigned x)")
    assert text.index("#undef __clz\n#define __clz __lpu___clz\n") > text.index(" __clz(int x)")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("__device__ int n;\n__global__ void k() { n = 1; }", "user.cu:1:16: error: 'n'"),
        ("#define S s\n__global__ void k() { __shared__ int s; S = 1; }", "user.cu:2:1: error: on this"),
    ],
)
def test_what_c_cannot_have(source, message):
    unit = parse(source, "user.cu")
    to_opencl(unit, "clc++")
    with pytest.raises(CompileError) as caught:
        to_opencl(unit, "clc")
    assert str(caught.value).startswith(message)


def test_unknown_dialect():
    with pytest.raises(ValueError, match="dialect"):
        to_opencl(parse("__global__ void k() {}"), "glsl")


SOURCE = """__device__ float step(float a) { return a; }
__global__ void k(float *o) {
\t__shared__ int t[4], s; s = 1; o[0] = foo(s) + step(1, t[0]);
}"""


FORMS = [("clc++", "clang"), ("clc-generic", "clang"), ("clc-generic", "nvidia"), ("clc", "clang"), ("clc", "pocl")]


@pytest.mark.parametrize(("dialect", "form"), FORMS)
def test_a_log_comes_back_in_the_users_terms(dialect, form):
    unit = parse(SOURCE, "user.cu")
    before = to_opencl(unit, dialect).split("\n").index('#line 1 "user.cu"') + 1
    line = body(SOURCE, dialect)[2]
    column = line.index("foo") + 1
    if form == "clang":
        log = f"""Compilation started
launchpath prelude:75:1: note: candidate function not viable
user.cu:3:{column}: error: use of undeclared identifier 'foo'
    3 | {line}
      | {" " * (column - 1)}^
user.cu:1:18: note: '__lpu_step' declared here
Compilation failed"""
    elif form == "nvidia":  # knows nothing of #line
        log = f"""
<kernel>:75:1: note: candidate function not viable
<kernel>:{before + 3}:{column}: error: use of undeclared identifier 'foo'
{line}
{" " * (column - 1)}^
cl_kernel.h:3:1: note: expanded from macro 'max'
<kernel>:{before + 1}:18: note: '__lpu_step' declared here
(): Warning: Function k is a kernel, so overriding noinline attribute."""
    else:
        log = f"""error: user.cu:3:{column} <Spelling=a prelude:1:2>: use of undeclared identifier 'foo'
note: user.cu:1:18: '__lpu_step' declared here
Device pthread failed to build the program"""
    quoted = SOURCE.splitlines()
    where = quoted[2].index("foo")
    assert remap_log(log, unit).splitlines() == [
        f"user.cu:3:{where + 1}: error: use of undeclared identifier 'foo'",
        quoted[2],
        "\t" + " " * (where - 1) + "^",
        "user.cu:1:18: note: 'step' declared here",
        quoted[0],
        " " * 17 + "^",
    ]


def test_a_log_about_a_generated_kernel_points_at_the_kernel():
    unit = parse("struct P { int a; };\n__global__ void k(P p) {}", "user.cu")
    line = to_opencl(unit, "clc++").split("\n").index('#line 2 "launchpath kernel k"') + 2
    for place in ("launchpath kernel k:2", f"<kernel>:{line}"):
        log = f"{place}:1: error: static assertion failed: parameter 'p'"
        assert remap_log(log, unit).splitlines()[0].startswith("user.cu:2:17: error: static assertion failed")


def test_a_log_about_nothing_of_the_users_is_kept():
    unit = parse("__global__ void k() {}", "user.cu")
    assert remap_log("internal compiler error\n", unit) == "internal compiler error"
    said = "(): Warning: Function k is a kernel, so overriding noinline attribute. The function may be inlined."
    assert remap_log(f"{said}\nptxas fatal\n{said}\n", unit) == "ptxas fatal"
    assert not remap_log(f"{said}\n", unit)


def test_tokens_skip_comments_and_literals():
    text = b"a // long long\n/* 'b */ \"x y\" c1 1'000LL .5e+3f 'q' u.d"
    found = [token.text for token in tokens(text)]
    assert found == [b"a", b'"x y"', b"c1", b"1'000LL", b".5e+3f", b"'q'", b"u", b".", b"d"]


def test_own_overloads_of_atomics_stay():
    source = "__device__ double atomicAdd(double *p, double v) { return v; }\n__global__ void k(int *o) {}"
    assert "#define atomicAdd" not in to_opencl(parse(source), "clc")


def test_columns_before_edits():
    source = b"abc def\nghi jkl\n"
    edits = [Edit(0, 0, b"++"), Edit(4, 7, b"x"), Edit(12, 12, b"long ")]
    assert apply(source, edits) == b"++abc x\nghi long jkl\n"
    lines = Lines(source)
    assert column_before(lines, edits, 1, 3) == 1  # a
    assert column_before(lines, edits, 1, 7) == 5  # x, in place of def
    assert column_before(lines, edits, 2, 1) == 1
    assert column_before(lines, edits, 2, 10) == 5  # jkl


@EVERY
def test_shared_memory_is_aligned_as_declared(dialect):
    source = "__global__ void k() { __shared__ char c; __shared__ __align__(64) char raw[8]; }"
    assert parse(source).signatures["k"].shared == 128
    assert "aligned(64)" in generated(source, dialect)
