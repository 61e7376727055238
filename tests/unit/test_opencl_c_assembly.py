"""OpenCL C of modules written by hand: what Clang makes seldom, and control flow of every shape."""

import numpy as np
import pytest

from launchpath._compiler.opencl_c import UnsupportedConstruct
from launchpath._compiler.spirv.opcodes import Op
from tests.unit.opencl_c import Assembly, pocl

__all__ = ["pocl"]


def swapping() -> Assembly:
    """A loop whose phis swap on the way back: in[0] times."""
    made = Assembly()
    zero, one, seven, nine = (made.constant(value) for value in (0, 1, 7, 9))
    entry = made.open()
    count = made.load(0)
    header, after = made.module.new_id(), made.module.new_id()
    made.put(Op.Branch, header)
    made.label(header)
    a, b, i, following = (made.module.new_id() for _ in range(4))
    made.put(Op.Phi, made.uint, a, seven, entry, b, header)
    made.put(Op.Phi, made.uint, b, nine, entry, a, header)
    made.put(Op.Phi, made.uint, i, zero, entry, following, header)
    made.put(Op.IAdd, made.uint, following, i, one)
    made.put(Op.BranchConditional, made.make(Op.IEqual, made.bool, following, count), after, header)
    made.label(after)
    made.store(0, a)
    made.store(1, b)
    made.store(2, i)
    made.close()
    return made


@pytest.mark.parametrize("count", [1, 2, 5])
def test_phis_take_their_values_all_at_once(pocl, count):
    expected = [7, 9] if count % 2 else [9, 7]
    assert swapping().run(pocl, [count], 3) == [*expected, count - 1]


def test_a_loop_is_written_as_one():
    text = swapping().text()
    assert "for (;;) {" in text and "break;" in text and "goto" not in text


def irreducible() -> Assembly:
    """Two blocks that jump to each other, both entered from outside: in[0] says which is first, in[1] how often."""
    made = Assembly()
    zero, one, three = (made.constant(value) for value in (0, 1, 3))
    entry = made.open()
    which, count = made.load(0), made.load(1)
    left, right, after = (made.module.new_id() for _ in range(3))
    made.put(Op.BranchConditional, made.make(Op.IEqual, made.bool, which, zero), left, right)
    made.label(left)
    x, y, more, other = (made.module.new_id() for _ in range(4))
    made.put(Op.Phi, made.uint, x, one, entry, other, right)
    made.put(Op.IMul, made.uint, more, x, three)
    made.put(Op.BranchConditional, made.make(Op.UGreaterThan, made.bool, more, count), after, right)
    made.label(right)
    made.put(Op.Phi, made.uint, y, zero, entry, more, left)
    made.put(Op.IAdd, made.uint, other, y, one)
    made.put(Op.BranchConditional, made.make(Op.UGreaterThan, made.bool, other, count), after, left)
    made.label(after)
    made.store(0, made.make(Op.Phi, made.uint, more, left, other, right))
    made.close()
    return made


def test_a_loop_with_two_entries(pocl):
    def expected(left, count):
        value = 1 if left else 0
        while True:
            if left:
                value *= 3
            else:
                value += 1
            if value > count:
                return value
            left = not left

    for which in (0, 1):
        for count in (0, 1, 5, 100):
            assert irreducible().run(pocl, [which, count], 1) == [expected(which == 0, count)]


def deep(depth: int) -> Assembly:
    """Conditions in conditions: out[0] is how many leading ones in[...] has, plus one for each that is joined again."""
    made = Assembly()
    made.open()
    joins = []
    for level in range(depth):
        here = made.load(level)
        inner, join = made.module.new_id(), made.module.new_id()
        made.put(Op.BranchConditional, made.make(Op.IEqual, made.bool, here, made.constant(1)), inner, join)
        joins.append(join)
        made.label(inner)
        made.store(0, made.constant(level + 1))
    made.put(Op.Branch, joins[-1])
    for join, outer in zip(joins[::-1], [*joins[-2::-1], None], strict=True):
        made.label(join)
        old = made.make(Op.Load, made.uint, made.at(made.second, 1), 2, 4)
        made.store(1, made.make(Op.IAdd, made.uint, old, made.constant(1)))
        if outer is not None:
            made.put(Op.Branch, outer)
    made.close()
    return made


@pytest.mark.parametrize("ones", [0, 1, 299, 300])
def test_conditions_deeper_than_compilers_take(pocl, ones):
    assert deep(300).run(pocl, [1] * ones + [0] * (301 - ones), 2) == [ones, min(ones + 1, 300)]


def test_a_chain_longer_than_python_recurses():
    made = Assembly()
    zero = made.constant(0)
    made.open()
    for _ in range(3000):
        inner, join = made.module.new_id(), made.module.new_id()
        made.put(Op.BranchConditional, made.make(Op.IEqual, made.bool, made.load(0), zero), inner, join)
        made.label(inner)
        made.store(0, zero)
        made.put(Op.Branch, join)
        made.label(join)
    made.close()
    assert made.text().count("if (") == 3000


BINARY = {
    Op.UDiv: lambda a, b: a // b,
    Op.SDiv: lambda a, b: int(np.trunc(np.int32(np.uint32(a)) / np.int32(np.uint32(b)))) & 0xFFFFFFFF,
    Op.SRem: lambda a, b: int(np.fmod(np.int32(np.uint32(a)), np.int32(np.uint32(b)))) & 0xFFFFFFFF,
    Op.SMod: lambda a, b: int(np.int32(np.uint32(a)) % np.int32(np.uint32(b))) & 0xFFFFFFFF,
    Op.ShiftRightArithmetic: lambda a, b: int(np.int32(np.uint32(a)) >> (b & 31)) & 0xFFFFFFFF,
}


@pytest.mark.parametrize("opcode", BINARY, ids=lambda opcode: opcode.name)
def test_signs(pocl, opcode):
    made = Assembly()
    thirty_one = made.constant(31)
    made.open()
    one, other = made.load(0), made.load(1)
    if opcode == Op.ShiftRightArithmetic:
        other = made.make(Op.BitwiseAnd, made.uint, other, thirty_one)
    made.store(0, made.make(opcode, made.uint, one, other))
    made.close()
    for one, other in ((7, 3), (-7 & 0xFFFFFFFF, 3), (7, -3 & 0xFFFFFFFF), (-7 & 0xFFFFFFFF, -3 & 0xFFFFFFFF)):
        assert made.run(pocl, [one, other], 1) == [BINARY[opcode](one, other)]


def test_bit_fields_and_extended_arithmetic(pocl):
    made = Assembly()
    four, eight = made.constant(4), made.constant(8)
    pair = made.make(Op.TypeStruct, made.uint, made.uint)
    made.open()
    a, b = made.load(0), made.load(1)
    made.store(0, made.make(Op.BitFieldInsert, made.uint, a, b, four, eight))
    made.store(1, made.make(Op.BitFieldUExtract, made.uint, a, four, eight))
    made.store(2, made.make(Op.BitFieldSExtract, made.uint, a, four, eight))
    made.store(3, made.make(Op.BitReverse, made.uint, a))
    made.store(4, made.make(Op.BitCount, made.uint, a))
    at = 5
    for opcode in (Op.IAddCarry, Op.ISubBorrow, Op.UMulExtended):
        both = made.make(opcode, pair, a, b)
        for part in (0, 1):
            made.store(at, made.make(Op.CompositeExtract, made.uint, both, part))
            at += 1
    made.close()
    a, b = 0xF1234FA7, 0xE0000035
    field = a >> 4 & 0xFF
    assert made.run(pocl, [a, b], 11) == [
        a & ~0xFF0 | 0x350,
        field,
        (field - 256 if field > 127 else field) & 0xFFFFFFFF,
        int(f"{a:032b}"[::-1], 2),
        a.bit_count(),
        (a + b) & 0xFFFFFFFF,
        (a + b) >> 32,
        a - b,
        0,
        a * b & 0xFFFFFFFF,
        a * b >> 32,
    ]


def test_vectors(pocl):
    made = Assembly()
    four = made.make(Op.TypeVector, made.uint, 4)
    truths = made.make(Op.TypeVector, made.bool, 4)
    made.open()
    a, b, c, d = (made.load(index) for index in range(4))
    one = made.make(Op.CompositeConstruct, four, a, b, c, d)
    two = made.make(Op.VectorShuffle, four, one, one, 3, 2, 5, 0xFFFFFFFF)
    less = made.make(Op.ULessThan, truths, one, two)
    chosen = made.make(Op.Select, four, less, one, made.make(Op.IAdd, four, one, two))
    changed = made.make(Op.CompositeInsert, four, a, chosen, 2)
    dynamic = made.make(Op.VectorInsertDynamic, four, changed, d, a)
    for index in range(3):
        made.store(index, made.make(Op.CompositeExtract, made.uint, dynamic, index))
    made.store(3, made.make(Op.VectorExtractDynamic, made.uint, two, a))
    bit = made.make(Op.CompositeExtract, made.bool, less, 0)
    made.store(4, made.make(Op.Select, made.uint, bit, a, b))
    any_ = made.make(Op.Any, made.bool, less)
    made.store(5, made.make(Op.Select, made.uint, any_, c, d))
    made.close()
    assert made.run(pocl, [1, 5, 9, 20], 6) == [1, 20, 1, 9, 1, 9]


def test_what_is_not_known_is_named():
    made = Assembly()
    made.open()
    made.put(4000, 1, 2)
    made.close()
    with pytest.raises(UnsupportedConstruct, match=r"SPIR-V's instruction 4000.*it runs on") as caught:
        made.text()
    assert caught.value.construct == "SPIR-V's instruction 4000"


def test_odd_integers_are_named():
    made = Assembly()
    made.make(Op.TypeInt, 128, 0)
    with pytest.raises(UnsupportedConstruct, match="an integer of 128 bits"):
        made.text()


def test_functions_that_are_reached_by_many_ways():
    """Each level calls the next by two functions: 2**30 ways to the last, and 61 functions."""
    module = Assembly()
    kind = module.make(Op.TypeFunction, module.void)
    levels = [[module.module.new_id() for _ in range(2)] for _ in range(30)]
    module.open()
    for function in levels[0]:
        module.make(Op.FunctionCall, module.void, function)
    module.close()
    for level, following in zip(levels, [*levels[1:], []], strict=True):
        for function in level:
            module.put(Op.Function, module.void, function, 0, kind)
            module.label()
            for called in following:
                module.make(Op.FunctionCall, module.void, called)
            module.close()
    assert module.text().count("static void function") == 60


def test_no_such_dialect():
    with pytest.raises(ValueError, match="dialect: expected clc or clc-generic, got 'c'"):
        Assembly().text("c")
