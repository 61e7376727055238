"""OpenCL C of loops: where they end, and where what they set is declared."""

import re

import pytest

from launchpath._compiler.spirv.opcodes import Op
from tests.unit.compiler.opencl_c.opencl_c import Assembly, pocl, written

__all__ = ["pocl"]


def remembering() -> Assembly:
    """A loop of in[0] rounds with a phi that begins as nothing, and of whose values the one before the last is given."""
    assembly = Assembly()
    zero, step, three = (assembly.constant(value) for value in (0, 1, 3))
    nothing = assembly.make(Op.Undef, assembly.uint)
    entry = assembly.open()
    count = assembly.load(0)
    header, latch, after = (assembly.module.new_id() for _ in range(3))
    assembly.put(Op.Branch, header)
    assembly.label(header)
    i, before, following, product, other = (assembly.module.new_id() for _ in range(5))
    assembly.put(Op.Phi, assembly.uint, i, zero, entry, following, latch)
    assembly.put(Op.Phi, assembly.uint, before, nothing, entry, product, latch)
    assembly.put(Op.Select, assembly.uint, other, assembly.make(Op.IEqual, assembly.bool, i, zero), zero, before)
    assembly.put(Op.Branch, latch)
    assembly.label(latch)
    assembly.put(Op.IAdd, assembly.uint, following, i, step)
    assembly.put(Op.IMul, assembly.uint, product, i, three)
    assembly.put(Op.BranchConditional, assembly.make(Op.ULessThan, assembly.bool, following, count), header, after)
    assembly.label(after)
    assembly.store(0, other)
    assembly.close()
    return assembly


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_phi_that_begins_as_nothing_lives_from_round_to_round(pocl, count):
    assembly = remembering()
    (declaration,) = re.findall(r"^( *)uint \w+;\n.*?^( *)do \{", assembly.text(), re.M | re.S)
    assert len(declaration[0]) <= len(declaration[1])
    assert assembly.run(pocl, [count], 1) == [3 * (count - 2) if count > 1 else 0]


def counting(*, tested: str, leaving: str, leaves_early: bool) -> Assembly:
    """A loop of in[0] rounds: what is compared at its end, what stands behind it, and whether in[1] ends it too."""
    assembly = Assembly()
    zero, step, five = (assembly.constant(value) for value in (0, 1, 5))
    entry = assembly.open()
    count, limit = assembly.load(0), assembly.load(1)
    header, latch, after = (assembly.module.new_id() for _ in range(3))
    assembly.put(Op.Branch, header)
    assembly.label(header)
    i, sum_, following, added = (assembly.module.new_id() for _ in range(4))
    assembly.put(Op.Phi, assembly.uint, i, zero, entry, following, latch)
    assembly.put(Op.Phi, assembly.uint, sum_, zero, entry, added, latch)
    if leaves_early:
        assembly.put(Op.BranchConditional, assembly.make(Op.IEqual, assembly.bool, i, limit), after, latch)
    else:
        assembly.put(Op.Branch, latch)
    assembly.label(latch)
    assembly.put(Op.IAdd, assembly.uint, following, i, step)
    assembly.put(Op.IAdd, assembly.uint, added, sum_, five)
    compared = {"before": i, "after": following}[tested]
    assembly.put(Op.BranchConditional, assembly.make(Op.ULessThan, assembly.bool, compared, count), header, after)
    assembly.label(after)
    if leaves_early:
        result = assembly.make(Op.Phi, assembly.uint, sum_, header, added, latch)
    else:
        result = {"before": sum_, "after": added}[leaving]
    assembly.store(0, result)
    assembly.close()
    return assembly


@pytest.mark.parametrize("tested", ["before", "after"])
@pytest.mark.parametrize("leaving", ["before", "after"])
def test_what_a_loop_tests_and_leaves_is_of_before_or_after_its_step(pocl, tested, leaving):
    rounds = 9 if tested == "before" else 8
    assembly = counting(tested=tested, leaving=leaving, leaves_early=False)
    assert assembly.run(pocl, [8, 0], 1) == [5 * (rounds if leaving == "after" else rounds - 1)]
    assert ("} while (" in assembly.text()) == (leaving == "after")


@pytest.mark.parametrize(("limit", "expected"), [(3, 15), (0, 0), (100, 40)])
def test_a_loop_that_is_left_in_two_places(pocl, limit, expected):
    assert counting(tested="after", leaving="after", leaves_early=True).run(pocl, [8, limit], 1) == [expected]


SEARCH = """
__global__ void search(const int *keys, int *out, int n) {
    int at = threadIdx.x, found = -1;
    do {
        if (keys[at] == 7) { found = at; break; }
        at = (at * 5 + 1) % n;
    } while (at != (int)threadIdx.x);
    out[threadIdx.x] = found;
}"""


@pytest.mark.compiles
@pytest.mark.parametrize("seven", [0, 5, 16])
def test_a_search_ends_where_it_finds(pocl, seven):
    import launchpath as lp

    keys, out = lp.asarray([7 if i == seven else i + 8 for i in range(16)], "int32", pocl), lp.zeros(16, "int32", pocl)
    lp.compile(SEARCH, pocl).search[1, 16](keys, out, 16)
    assert out.to_numpy().tolist() == [seven if seven < 16 else -1] * 16


@pytest.mark.compiles
def test_loops_are_left_to_the_opencl_compiler():
    source = (
        "__global__ void k(float *x) { float s = 0; for (int i = 0; i < 16; ++i) s += x[i] * x[i + 16]; x[0] = s; }"
    )
    assert "} while (" in written(source)
    assert "while" not in written(source, "clc-generic", "gpu"), "unrolled"
