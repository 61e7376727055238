"""Indices that wrap around: which get a zero that the compiler does not know."""

import pytest

from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.spirv.runtime.wrapped import hide_masks
from tests.unit.support.spirv_source import compiled, sound

pytestmark = pytest.mark.compiles

KERNEL = """PARAMETERS(16)
KERNEL k(Block block) {
    __shared__ int s[64];
    int *out = AT(int *, 0), n = AT(int, 8);
    s[threadIdx.x] = n;
    %s
    out[threadIdx.x] = s[%s];
}"""
BARRIER = "__syncthreads();"


def hidden(index: str, before: str = BARRIER) -> int:
    """Count the zeros that are added."""
    outline = Outline(Module.decode(compiled(KERNEL % (before, index))))
    plain = shifts(outline)
    hide_masks(outline)
    sound(outline.write())
    return shifts(outline) - plain


def shifts(outline: Outline) -> int:
    return sum(i.opcode == Op.ShiftRightLogical for function in outline.functions.values() for i in function.body)


@pytest.mark.parametrize("index", ["(threadIdx.x + 19) % 32", "n & 63", "(threadIdx.y + n) % 4u * 8 + 1"])
def test_an_index_within_a_power_of_two(index):
    assert hidden(index) == 1


@pytest.mark.parametrize("index", ["threadIdx.x + 19", "threadIdx.x % 33", "(n & 7) != 3"])
def test_other_indices_stay(index):
    assert hidden(index) == 0


def test_kernels_without_barriers_stay():
    assert hidden("(threadIdx.x + 19) % 32", "") == 0
