"""Pointers to functions as numbers in LLVM's text: those to member functions."""

import re

from launchpath._compiler.llvm_text.rewritings.function_pointers import numbered

HELD = "inttoptr (i64 ptrtoint (ptr @f to i64) to ptr addrspace(4))"
TEXT = f"""
@table = addrspace(1) global {{ i64, i64 }} {{ i64 ptrtoint (ptr @f to i64), i64 0 }}, align 8
define linkonce_odr spir_func i32 @f(ptr addrspace(4) %this) align 2 {{
  ret i32 0
}}
define spir_func void @k(ptr addrspace(4) %a) {{
  %1 = call spir_func addrspace(4) i32 {HELD}(ptr addrspace(4) align 4 %a) #5
  %2 = call spir_func addrspace(4) float {HELD}(ptr addrspace(4) %a)
  %3 = select i1 %c, ptr addrspace(4) {HELD}, ptr addrspace(4) null
  ret void
}}
"""


def test_a_constant_pointer_is_called_by_its_name():
    text = numbered(TEXT)
    assert text is not None
    assert "  %1 = call spir_func  i32 @f(ptr addrspace(4) align 4 %a) #5\n" in text


def test_a_call_of_another_type_is_left():
    text = numbered(TEXT)
    assert text is not None
    assert re.search(r"%2 = call spir_func addrspace\(4\) float inttoptr", text)


def test_the_lowest_bit_is_clear_as_of_no_virtual_function():
    text = numbered(TEXT)
    assert text is not None
    number = re.search(r"^@table = addrspace\(1\) global \{ i64, i64 \} \{ i64 (\d+), i64 0 \}, align 8$", text, re.M)
    assert number is not None
    assert int(number[1]) > 0 and int(number[1]) % 16 == 0
    assert f"%3 = select i1 %c, ptr addrspace(4) inttoptr (i64 {number[1]} to ptr addrspace(4))" in text
