"""Atomic instructions that SPIR-V's devices do not have, in LLVM's text."""

import pytest

from launchpath._compiler.llvm_text.rewritings.small_atomics import replaced
from launchpath._compiler.llvm_text.rewritings.table import SMALL_ATOMICS


def test_a_text_without_them_stays():
    text = '  %0 = atomicrmw add ptr addrspace(4) %p, i32 1 syncscope("device") monotonic, align 4\n'
    assert replaced(text) is text


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ('atomicrmw fadd ptr addrspace(4) %p, float 1.0 syncscope("device") monotonic, align 4',
         "call spir_func float @__lp_atomic_fadd_float_1(ptr addrspace(4) %p, float 1.0)"),
        ("atomicrmw volatile umax ptr addrspace(4) %p, i8 %v monotonic, align 1",
         "call spir_func i8 @__lp_atomic_umax_i8_0(ptr addrspace(4) %p, i8 %v)"),
        ('cmpxchg weak ptr addrspace(4) %p, i16 %e, i16 2 syncscope("workgroup") monotonic monotonic, align 2',
         "call spir_func { i16, i1 } @__lp_atomic_cmpxchg_i16_2(ptr addrspace(4) %p, i16 %e, i16 2)"),
        ("load atomic i8, ptr addrspace(4) %p monotonic, align 1", "load volatile i8, ptr addrspace(4) %p, align 1"),
    ],
)  # fmt: skip
def test_instructions(line, call):
    module = replaced(f"  %0 = {line}\n")
    assert f"  %0 = {call}\n" in module
    assert "MemoryBarrier" not in module


def test_orders_become_barriers():
    module = replaced("  store atomic i8 0, ptr addrspace(4) %p release, align 1\n")
    barrier = "  call spir_func void @_Z21__spirv_MemoryBarrierii(i32 0, i32 784)\n"
    assert module.startswith(f"{barrier}  store volatile i8 0, ptr addrspace(4) %p, align 1\n{barrier}")
    assert module.count("\ndeclare ") == 1


def test_pointers_of_other_spaces():
    module = replaced("  %0 = atomicrmw fmin ptr addrspace(3) @s, double %v monotonic, align 8\n")
    assert "  %__lp_at_0 = addrspacecast ptr addrspace(3) @s to ptr addrspace(4)\n" in module


@pytest.mark.parametrize("text", [b"__hip_atomic_fetch_or(p, 1, 0, 5)", b"__atomic_clear(p, 0)", b"atomic<float> a;"])
def test_sources_that_may_make_them(text):
    assert SMALL_ATOMICS.comes_first([text])
    assert not SMALL_ATOMICS.comes_first([b"atomicAdd(&x, 1);"])
