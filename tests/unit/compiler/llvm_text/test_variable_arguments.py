"""Device functions with variable arguments: without them where they are not read, and refused where they are."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.llvm_text.rewritings.table import VARIABLE_ARGUMENTS
from launchpath._compiler.llvm_text.rewritings.variable_arguments import without_variable_arguments
from launchpath._compiler.source import source
from launchpath.errors import CompileError
from tests.unit.compiler.test_compile import OPENCL_C, compiled

TEXT = """
define spir_func i32 @any(...) local_unnamed_addr #0 {
  ret i32 7
}
define internal spir_func noundef range(i32 0, 9) i32 @last(i32 %n, ptr byval(%"struct.(...)") %b, ...) #0 {
  ret i32 %n
}
define i32 @sum(i32 %n, ...) {
  call void @llvm.va_start.p4(ptr addrspace(4) %a)
  ret i32 %n
}
define void @k() {
  %1 = tail call spir_func i32 (...) @any(double 1.0, <2 x float> <float 1.0, float 2.0>) #3, !dbg !5
  %2 = call i32 (i32, ptr, ...) @last(i32 add (i32 3, i32 %1), ptr byval(%"struct.(...)") %b, float 5.0)
  %3 = call i32 (i32, ...) @sum(i32 3, float 5.0)
  %4 = call i32 (ptr, ...) @printf(ptr @.str, float 5.0)
}
"""


def test_calls_and_definitions_lose_what_is_not_read():
    text = without_variable_arguments(TEXT).split("\n")
    expected = TEXT.split("\n")
    expected[1] = "define spir_func i32 @any() local_unnamed_addr #0 {"
    expected[4] = expected[4].replace(", ...) #0", ") #0")
    expected[12] = "  %1 = tail call spir_func i32 @any() #3, !dbg !5"
    expected[13] = '  %2 = call i32 @last(i32 add (i32 3, i32 %1), ptr byval(%"struct.(...)") %b)'
    assert text == expected


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("int f(int n, ...) { va_list a; va_start(a, n); return va_arg(a, int); }", "x[0] = f(1, x[1])"),
        ("void f(int *o, ...) { va_list a; va_start(a, o); *o = va_arg(a, int); }", "f(x, 7)"),
    ],
)
def test_reading_them_is_refused_at_its_line(function, call):
    text = f"#include <cstdarg>\n\n__device__ {function}\n__global__ void k(int *x) {{ {call}; }}"
    with pytest.raises(
        CompileError, match=r"user.cu:3:1\d: error: a device function that reads its variable arguments"
    ):
        compiled(text)


@pytest.mark.compiles
def test_a_function_of_another_file_that_returns_nothing():
    user = source.from_text("__device__ void log(int, ...);\n__global__ void k(int *x) { log(x[0], 2.0, x); }", "a.cu")
    other = source.from_text("__device__ void log(int n, ...) {}", "b.cu")
    assert compile(user, (), OPENCL_C, others=[other]).code


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b"void log(const char *, ...) {}", True), (b"int f(...);", True), (b"int f(int n\n, ... ) const {", True),
        (b"try { f(); } catch (...) {}", False), (b"catch(...){", False), (b"#define F(a, ...) f(a)", False),
        (b"template <class... T> int f(T... t) {", False),
    ],
)  # fmt: skip
def test_sources_that_may_have_them(text, wanted):
    assert VARIABLE_ARGUMENTS.comes_first([text]) is wanted
