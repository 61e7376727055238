"""OpenCL C of loops: where they end, and where what they set is declared."""

import re

import pytest

from launchpath._compiler.spirv.opcodes import Op
from tests.unit.opencl_c import Assembly, pocl, written

__all__ = ["pocl"]


def remembering() -> Assembly:
    """A loop of in[0] rounds with a phi that begins as nothing, and of whose values the one before the last is given."""
    made = Assembly()
    zero, one, three = (made.constant(value) for value in (0, 1, 3))
    nothing = made.make(Op.Undef, made.uint)
    entry = made.open()
    count = made.load(0)
    header, latch, after = (made.module.new_id() for _ in range(3))
    made.put(Op.Branch, header)
    made.label(header)
    i, before, following, product, other = (made.module.new_id() for _ in range(5))
    made.put(Op.Phi, made.uint, i, zero, entry, following, latch)
    made.put(Op.Phi, made.uint, before, nothing, entry, product, latch)
    made.put(Op.Select, made.uint, other, made.make(Op.IEqual, made.bool, i, zero), zero, before)
    made.put(Op.Branch, latch)
    made.label(latch)
    made.put(Op.IAdd, made.uint, following, i, one)
    made.put(Op.IMul, made.uint, product, i, three)
    made.put(Op.BranchConditional, made.make(Op.ULessThan, made.bool, following, count), header, after)
    made.label(after)
    made.store(0, other)
    made.close()
    return made


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_phi_that_begins_as_nothing_lives_from_round_to_round(pocl, count):
    made = remembering()
    (declaration,) = re.findall(r"^( *)uint \w+;\n.*?^( *)do \{", made.text(), re.M | re.S)
    assert len(declaration[0]) <= len(declaration[1])
    assert made.run(pocl, [count], 1) == [3 * (count - 2) if count > 1 else 0]


def counting(*, tested: str, given: str, leaves_early: bool) -> Assembly:
    """A loop of in[0] rounds: what is compared at its end, what stands behind it, and whether in[1] ends it too."""
    made = Assembly()
    zero, one, five = (made.constant(value) for value in (0, 1, 5))
    entry = made.open()
    count, limit = made.load(0), made.load(1)
    header, latch, after = (made.module.new_id() for _ in range(3))
    made.put(Op.Branch, header)
    made.label(header)
    i, sum_, following, added = (made.module.new_id() for _ in range(4))
    made.put(Op.Phi, made.uint, i, zero, entry, following, latch)
    made.put(Op.Phi, made.uint, sum_, zero, entry, added, latch)
    if leaves_early:
        made.put(Op.BranchConditional, made.make(Op.IEqual, made.bool, i, limit), after, latch)
    else:
        made.put(Op.Branch, latch)
    made.label(latch)
    made.put(Op.IAdd, made.uint, following, i, one)
    made.put(Op.IAdd, made.uint, added, sum_, five)
    compared = {"before": i, "after": following}[tested]
    made.put(Op.BranchConditional, made.make(Op.ULessThan, made.bool, compared, count), header, after)
    made.label(after)
    if leaves_early:
        result = made.make(Op.Phi, made.uint, sum_, header, added, latch)
    else:
        result = {"before": sum_, "after": added}[given]
    made.store(0, result)
    made.close()
    return made


@pytest.mark.parametrize("tested", ["before", "after"])
@pytest.mark.parametrize("given", ["before", "after"])
def test_what_a_loop_tests_and_leaves_is_of_before_or_after_its_step(pocl, tested, given):
    rounds = 9 if tested == "before" else 8
    made = counting(tested=tested, given=given, leaves_early=False)
    assert made.run(pocl, [8, 0], 1) == [5 * (rounds if given == "after" else rounds - 1)]
    assert ("} while (" in made.text()) == (given == "after")


@pytest.mark.parametrize(("limit", "expected"), [(3, 15), (0, 0), (100, 40)])
def test_a_loop_that_is_left_in_two_places(pocl, limit, expected):
    assert counting(tested="after", given="after", leaves_early=True).run(pocl, [8, limit], 1) == [expected]


SEARCH = """
__global__ void search(const int *keys, int *out, int n) {
    int at = threadIdx.x, found = -1;
    do {
        if (keys[at] == 7) { found = at; break; }
        at = (at * 5 + 1) % n;
    } while (at != (int)threadIdx.x);
    out[threadIdx.x] = found;
}"""


@pytest.mark.parametrize("seven", [0, 5, 16])
def test_a_search_ends_where_it_finds(pocl, seven):
    import launchpath as lp

    keys, out = lp.asarray([7 if i == seven else i + 8 for i in range(16)], "int32", pocl), lp.zeros(16, "int32", pocl)
    lp.compile(SEARCH, pocl).search[1, 16](keys, out, 16)
    assert out.to_numpy().tolist() == [seven if seven < 16 else -1] * 16


def test_loops_are_left_to_the_opencl_compiler():
    source = (
        "__global__ void k(float *x) { float s = 0; for (int i = 0; i < 16; ++i) s += x[i] * x[i + 16]; x[0] = s; }"
    )
    assert "} while (" in written(source)
    assert "while" not in written(source, "clc-generic", "gpu"), "unrolled"
