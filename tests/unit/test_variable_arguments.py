"""Device functions with variable arguments: without them where they are not read, and refused where they are."""

from __future__ import annotations

import pytest

from launchpath._compiler.llvm_text.variable_arguments import without_variable_arguments
from launchpath.errors import CompileError
from tests.unit.test_compile import compiled

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


def test_reading_them_is_refused_at_its_line():
    source = (
        "#include <cstdarg>\n\n__device__ int sum(int n, ...) { va_list a; va_start(a, n); return va_arg(a, int); }\n"
    )
    with pytest.raises(CompileError, match=r"user.cu:3:16: error: a device function that reads its variable arguments"):
        compiled(f"{source}__global__ void k(int *x) {{ x[0] = sum(1, x[1]); }}")
