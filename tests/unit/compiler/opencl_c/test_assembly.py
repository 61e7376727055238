"""OpenCL C of modules written by hand: what Clang makes seldom, and control flow of every shape."""

import numpy as np
import pytest

from launchpath._compiler.opencl_c import UnsupportedConstruct
from launchpath._compiler.spirv.opcodes import Op
from tests.unit.compiler.opencl_c.opencl_c import Assembly, pocl

__all__ = ["pocl"]


def swapping() -> Assembly:
    """A loop whose phis swap on the way back: in[0] times."""
    assembly = Assembly()
    zero, step, seven, nine = (assembly.constant(value) for value in (0, 1, 7, 9))
    entry = assembly.open()
    count = assembly.load(0)
    header, after = assembly.module.new_id(), assembly.module.new_id()
    assembly.put(Op.Branch, header)
    assembly.label(header)
    a, b, i, following = (assembly.module.new_id() for _ in range(4))
    assembly.put(Op.Phi, assembly.uint, a, seven, entry, b, header)
    assembly.put(Op.Phi, assembly.uint, b, nine, entry, a, header)
    assembly.put(Op.Phi, assembly.uint, i, zero, entry, following, header)
    assembly.put(Op.IAdd, assembly.uint, following, i, step)
    assembly.put(Op.BranchConditional, assembly.make(Op.IEqual, assembly.bool, following, count), after, header)
    assembly.label(after)
    assembly.store(0, a)
    assembly.store(1, b)
    assembly.store(2, i)
    assembly.close()
    return assembly


@pytest.mark.parametrize("count", [1, 2, 5])
def test_phis_take_their_values_all_at_once(pocl, count):
    expected = [7, 9] if count % 2 else [9, 7]
    assert swapping().run(pocl, [count], 3) == [*expected, count - 1]


def test_a_loop_is_written_as_a_loop():
    text = swapping().text()
    assert "for (;;) {" in text and "break;" in text and "goto" not in text


def irreducible() -> Assembly:
    """Two blocks that jump to each other, both entered from outside: in[0] says which is first, in[1] how often."""
    assembly = Assembly()
    zero, step, three = (assembly.constant(value) for value in (0, 1, 3))
    entry = assembly.open()
    which, count = assembly.load(0), assembly.load(1)
    left, right, after = (assembly.module.new_id() for _ in range(3))
    assembly.put(Op.BranchConditional, assembly.make(Op.IEqual, assembly.bool, which, zero), left, right)
    assembly.label(left)
    x, y, more, other = (assembly.module.new_id() for _ in range(4))
    assembly.put(Op.Phi, assembly.uint, x, step, entry, other, right)
    assembly.put(Op.IMul, assembly.uint, more, x, three)
    assembly.put(Op.BranchConditional, assembly.make(Op.UGreaterThan, assembly.bool, more, count), after, right)
    assembly.label(right)
    assembly.put(Op.Phi, assembly.uint, y, zero, entry, more, left)
    assembly.put(Op.IAdd, assembly.uint, other, y, step)
    assembly.put(Op.BranchConditional, assembly.make(Op.UGreaterThan, assembly.bool, other, count), after, left)
    assembly.label(after)
    assembly.store(0, assembly.make(Op.Phi, assembly.uint, more, left, other, right))
    assembly.close()
    return assembly


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
    assembly = Assembly()
    assembly.open()
    joins = []
    for level in range(depth):
        here = assembly.load(level)
        inner, join = assembly.module.new_id(), assembly.module.new_id()
        assembly.put(
            Op.BranchConditional, assembly.make(Op.IEqual, assembly.bool, here, assembly.constant(1)), inner, join
        )
        joins.append(join)
        assembly.label(inner)
        assembly.store(0, assembly.constant(level + 1))
    assembly.put(Op.Branch, joins[-1])
    for join, outer in zip(joins[::-1], [*joins[-2::-1], None], strict=True):
        assembly.label(join)
        old = assembly.make(Op.Load, assembly.uint, assembly.at(assembly.second, 1), 2, 4)
        assembly.store(1, assembly.make(Op.IAdd, assembly.uint, old, assembly.constant(1)))
        if outer is not None:
            assembly.put(Op.Branch, outer)
    assembly.close()
    return assembly


@pytest.mark.parametrize("ones", [0, 1, 299, 300])
def test_conditions_deeper_than_compilers_take(pocl, ones):
    assert deep(300).run(pocl, [1] * ones + [0] * (301 - ones), 2) == [ones, min(ones + 1, 300)]


def test_a_chain_longer_than_python_recurses():
    assembly = Assembly()
    zero = assembly.constant(0)
    assembly.open()
    for _ in range(3000):
        inner, join = assembly.module.new_id(), assembly.module.new_id()
        assembly.put(Op.BranchConditional, assembly.make(Op.IEqual, assembly.bool, assembly.load(0), zero), inner, join)
        assembly.label(inner)
        assembly.store(0, zero)
        assembly.put(Op.Branch, join)
        assembly.label(join)
    assembly.close()
    assert assembly.text().count("if (") == 3000


BINARY = {
    Op.UDiv: lambda a, b: a // b,
    Op.SDiv: lambda a, b: int(np.trunc(np.int32(np.uint32(a)) / np.int32(np.uint32(b)))) & 0xFFFFFFFF,
    Op.SRem: lambda a, b: int(np.fmod(np.int32(np.uint32(a)), np.int32(np.uint32(b)))) & 0xFFFFFFFF,
    Op.SMod: lambda a, b: int(np.int32(np.uint32(a)) % np.int32(np.uint32(b))) & 0xFFFFFFFF,
    Op.ShiftRightArithmetic: lambda a, b: int(np.int32(np.uint32(a)) >> (b & 31)) & 0xFFFFFFFF,
}


@pytest.mark.parametrize("opcode", BINARY, ids=lambda opcode: opcode.name)
def test_signs(pocl, opcode):
    assembly = Assembly()
    mask = assembly.constant(31)
    assembly.open()
    value, other = assembly.load(0), assembly.load(1)
    if opcode == Op.ShiftRightArithmetic:
        other = assembly.make(Op.BitwiseAnd, assembly.uint, other, mask)
    assembly.store(0, assembly.make(opcode, assembly.uint, value, other))
    assembly.close()
    for value, other in ((7, 3), (-7 & 0xFFFFFFFF, 3), (7, -3 & 0xFFFFFFFF), (-7 & 0xFFFFFFFF, -3 & 0xFFFFFFFF)):
        assert assembly.run(pocl, [value, other], 1) == [BINARY[opcode](value, other)]


def test_bit_fields_and_extended_arithmetic(pocl):
    assembly = Assembly()
    four, eight = assembly.constant(4), assembly.constant(8)
    pair = assembly.make(Op.TypeStruct, assembly.uint, assembly.uint)
    assembly.open()
    a, b = assembly.load(0), assembly.load(1)
    assembly.store(0, assembly.make(Op.BitFieldInsert, assembly.uint, a, b, four, eight))
    assembly.store(1, assembly.make(Op.BitFieldUExtract, assembly.uint, a, four, eight))
    assembly.store(2, assembly.make(Op.BitFieldSExtract, assembly.uint, a, four, eight))
    assembly.store(3, assembly.make(Op.BitReverse, assembly.uint, a))
    assembly.store(4, assembly.make(Op.BitCount, assembly.uint, a))
    at = 5
    for opcode in (Op.IAddCarry, Op.ISubBorrow, Op.UMulExtended):
        both = assembly.make(opcode, pair, a, b)
        for part in (0, 1):
            assembly.store(at, assembly.make(Op.CompositeExtract, assembly.uint, both, part))
            at += 1
    assembly.close()
    a, b = 0xF1234FA7, 0xE0000035
    field = a >> 4 & 0xFF
    assert assembly.run(pocl, [a, b], 11) == [
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
    assembly = Assembly()
    four = assembly.make(Op.TypeVector, assembly.uint, 4)
    truths = assembly.make(Op.TypeVector, assembly.bool, 4)
    assembly.open()
    a, b, c, d = (assembly.load(index) for index in range(4))
    vector = assembly.make(Op.CompositeConstruct, four, a, b, c, d)
    two = assembly.make(Op.VectorShuffle, four, vector, vector, 3, 2, 5, 0xFFFFFFFF)
    less = assembly.make(Op.ULessThan, truths, vector, two)
    chosen = assembly.make(Op.Select, four, less, vector, assembly.make(Op.IAdd, four, vector, two))
    changed = assembly.make(Op.CompositeInsert, four, a, chosen, 2)
    dynamic = assembly.make(Op.VectorInsertDynamic, four, changed, d, a)
    for index in range(3):
        assembly.store(index, assembly.make(Op.CompositeExtract, assembly.uint, dynamic, index))
    assembly.store(3, assembly.make(Op.VectorExtractDynamic, assembly.uint, two, a))
    bit = assembly.make(Op.CompositeExtract, assembly.bool, less, 0)
    assembly.store(4, assembly.make(Op.Select, assembly.uint, bit, a, b))
    any_ = assembly.make(Op.Any, assembly.bool, less)
    assembly.store(5, assembly.make(Op.Select, assembly.uint, any_, c, d))
    assembly.close()
    assert assembly.run(pocl, [1, 5, 9, 20], 6) == [1, 20, 1, 9, 1, 9]


def test_what_is_not_known_is_named():
    assembly = Assembly()
    assembly.open()
    assembly.put(4000, 1, 2)
    assembly.close()
    with pytest.raises(UnsupportedConstruct, match=r"SPIR-V's instruction 4000.*it runs on") as caught:
        assembly.text()
    assert caught.value.construct == "SPIR-V's instruction 4000"


def test_odd_integers_are_named():
    assembly = Assembly()
    assembly.make(Op.TypeInt, 128, 0)
    with pytest.raises(UnsupportedConstruct, match="an integer of 128 bits"):
        assembly.text()


def test_functions_that_are_reached_by_many_ways():
    """Each level calls the next by two functions: 2**30 ways to the last, and 61 functions."""
    assembly = Assembly()
    kind = assembly.make(Op.TypeFunction, assembly.void)
    levels = [[assembly.module.new_id() for _ in range(2)] for _ in range(30)]
    assembly.open()
    for function in levels[0]:
        assembly.make(Op.FunctionCall, assembly.void, function)
    assembly.close()
    for level, following in zip(levels, [*levels[1:], []], strict=True):
        for function in level:
            assembly.put(Op.Function, assembly.void, function, 0, kind)
            assembly.label()
            for called in following:
                assembly.make(Op.FunctionCall, assembly.void, called)
            assembly.close()
    assert assembly.text().count("static void function") == 60


def test_no_such_dialect():
    with pytest.raises(ValueError, match="dialect: expected clc or clc-generic, got 'c'"):
        Assembly().text("c")
