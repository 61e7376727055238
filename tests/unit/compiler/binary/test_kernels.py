"""Signatures of what a binary says, and of what a person gives."""

import pytest

from launchpath._compiler.binary.kernels import BinaryKernel, Place, checked, signature
from launchpath._compiler.parameter_list import signature as declared
from launchpath.errors import ArgumentValueError

KERNEL = BinaryKernel("k", (Place(0, 8), Place(8, 4), Place(16, 16), Place(32, 12)), 64, 128)


def test_sizes_alone():
    kernel = signature(KERNEL)
    assert [(p.name, p.kind, p.size, p.align, p.offset) for p in kernel.parameters] == [
        ("arg0", "pointer", 8, 8, 0), ("arg1", "struct", 4, 4, 8), ("arg2", "struct", 16, 8, 16), ("arg3", "struct", 12, 4, 32),
    ]  # fmt: skip
    assert (kernel.size, kernel.shared, kernel.max_threads, kernel.dynamic_shared) == (48, 64, 128, True)


def test_a_name_that_contradicts_is_not_believed():
    assert signature(BinaryKernel("_Z1kii", (Place(0, 8), Place(8, 4)))).parameters[0].kind == "pointer"
    assert signature(BinaryKernel("_Z1ki", (Place(0, 8), Place(8, 4)))).parameters[1].kind == "struct"


@pytest.mark.compiles
def test_a_declaration():
    text = "struct S { double a, b; }; const float *x, int n, S s, float3 f"
    kernel = checked(KERNEL, declared("k", text), "k.cubin")
    assert str(kernel) == "k(const float *x, int n, S s, float3 f)"
    assert (kernel.shared, kernel.max_threads) == (64, 128)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "const float *x",
            r"has 1 parameters, the kernel 4 \(8 bytes at 0, 4 bytes at 8, 16 bytes at 16, 12 bytes at 32\)",
        ),
        (
            "float *x, long n, double2 s, float3 f",
            r"parameter 1 \(long n\) of 'k' has 8 bytes at 8 .* 4 bytes at 8 in the binary",
        ),
        ("float *x, int n, float2 s, float3 f", r"parameter 2 \(float2 s\) of 'k' has 8 bytes at 16 .* 16 bytes at 16"),
    ],
)
def test_a_wrong_declaration(text, says):
    with pytest.raises(ArgumentValueError, match=f"k.cubin: .*{says}"):
        checked(KERNEL, declared("k", text), "k.cubin")
