"""Assembly without an instruction: the letters of registers in a source, and what stands for it in LLVM's text."""

import pytest

from launchpath._compiler.llvm_text.rewritings.empty_assembly import without_empty_assembly
from launchpath._compiler.source.assembly import has_instruction, with_any_register
from launchpath.errors import CompileError
from tests.unit.compiler.test_compile import compiled

TEXT = """define void @k(ptr addrspace(4) %x) {
entry:
  tail call void asm sideeffect "", "~{memory}"() #3, !srcloc !7
  tail call void asm sideeffect "\\0A", "r"(i32 %n) #3, !srcloc !7
  %0 = tail call contract { float, i8 } asm sideeffect "", "=r,=r,r,1,0"(i32 %n, i1 %b, float 2.0) #3, !srcloc !8
  %1 = tail call ptr addrspace(4) asm "", "=r,0"(ptr addrspace(4) %x) #3, !srcloc !9
  call void asm sideeffect "s_nop 0", "~{memory}"() #3, !srcloc !7
  ret void
}
"""

REWRITTEN = """define void @k(ptr addrspace(4) %x) {
entry:
  %lp.asm.3.kept0 = alloca float
  %lp.asm.3.kept1 = alloca i8
  call spir_func void @_Z21__spirv_MemoryBarrierii(i32 2, i32 784)
  store volatile float 2.0, ptr %lp.asm.3.kept0
  %lp.asm.3.0 = load volatile float, ptr %lp.asm.3.kept0
  %lp.asm.3.0.in = insertvalue { float, i8 } poison, float %lp.asm.3.0, 0
  %lp.asm.3.kept1.wide = zext i1 %b to i8
  store volatile i8 %lp.asm.3.kept1.wide, ptr %lp.asm.3.kept1
  %lp.asm.3.1 = load volatile i8, ptr %lp.asm.3.kept1
  %0 = insertvalue { float, i8 } %lp.asm.3.0.in, i8 %lp.asm.3.1, 1
  %1 = getelementptr i8, ptr addrspace(4) %x, i64 0
  call void asm sideeffect "s_nop 0", "~{memory}"() #3, !srcloc !7
  ret void
}

declare spir_func void @_Z21__spirv_MemoryBarrierii(i32, i32)
"""


def test_llvms_text():
    assert without_empty_assembly(TEXT) == REWRITTEN


def test_the_letters_of_registers():
    source = b'asm volatile("" " " : "+v"(x), [y] "=&l"(f("s")) : "m"(z), "0"("h"), "s"(n) : "memory"); f("v", "s");'
    changed = b'asm volatile("" " " : "+r"(x), [y] "=&r"(f("s")) : "m"(z), "0"("h"), "r"(n) : "memory"); f("v", "s");'
    assert with_any_register(source) == changed
    other = b'__asm__ volatile("s_nop 0" : "+v"(x)); // asm("" : "+v"(x))'
    assert with_any_register(other) == other


@pytest.mark.parametrize(
    ("source", "expected"),
    [(b'asm("")', False), (b'__asm volatile ( "\\n\\t" "" ::: "memory")', False), (b'asm("nop")', True),
     (b'asm("" "nop" ::)', True), (b"asm(TEXT)", True)],
)  # fmt: skip
def test_has_instruction(source, expected):
    assert has_instruction(source, 0) is expected


@pytest.mark.compiles
def test_only_assembly_with_an_instruction_is_refused():
    source = '__global__ void k(int *x) {\n asm volatile("" ::: "memory");\n asm volatile("s_nop 0" ::: "memory"); }'
    with pytest.raises(CompileError) as raised:
        compiled(source)
    assert str(raised.value).count("inline assembly works on a single kind of device") == 1
    assert "user.cu:3:2: error: inline assembly" in str(raised.value)
