"""Shifts whose operands have different widths, products of which both halves are wanted, and sums with carries."""

import pytest

from launchpath._compiler.spirv.module import Instruction
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Function, Outline
from launchpath._compiler.spirv.runtime.arithmetic import check_signed_products, simplify
from tests.unit.support.spirv_source import Writer, sound


def ended(writer: Writer, value: int) -> tuple[Outline, Function]:
    """End a module's only function, which returns that."""
    writer.put(Op.ReturnValue, value)
    writer.put(Op.FunctionEnd)
    outline = Outline(writer.module)
    (function,) = outline.functions.values()
    return outline, function


def shifting(base_bits: int, by_bits: int, lanes: int = 1) -> tuple[Outline, Function]:
    """A function that shifts by a constant whose id is 64, which is also the second word of a type of 64 bits."""
    writer = Writer()
    writer.put(Op.MemoryModel, 2, 2)
    kinds = {bits: writer.make(Op.TypeInt, bits, 0) for bits in (16, 32, 64)}
    base, by = kinds[base_bits], kinds[by_bits]
    if lanes > 1:
        base, by = (writer.make(Op.TypeVector, operand, lanes) for operand in (base, by))
    writer.module.bound = 64
    three = writer.make(Op.Constant, kinds[by_bits], 3, *([0] if by_bits == 64 else []))
    assert three == 64
    if lanes > 1:
        three = writer.make(Op.ConstantComposite, by, *[three] * lanes)
    kind = writer.make(Op.TypeFunction, base, base)
    writer.make(Op.Function, base, 0, kind)
    parameter = writer.make(Op.FunctionParameter, base)
    writer.make(Op.Label)
    return ended(writer, writer.make(Op.ShiftLeftLogical, base, parameter, three))


def opcodes(function: Function) -> list[int]:
    return [instruction.opcode for instruction in function.body]


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("bits", [(64, 32), (16, 32), (32, 64)])
def test_a_shift_gets_a_number_of_its_own_width(bits, lanes):
    outline, function = shifting(*bits, lanes)
    simplify(outline)
    assert opcodes(function) == [Op.Label, Op.UConvert, Op.ShiftLeftLogical, Op.ReturnValue]
    convert, shift = function.body[1:3]
    assert (convert.words[0], convert.words[1]) == (shift.words[0], shift.words[3])
    sound(outline.write())


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_a_shift_whose_widths_agree_stays(bits):
    outline, function = shifting(bits, bits)
    simplify(outline)
    assert opcodes(function) == [Op.Label, Op.ShiftLeftLogical, Op.ReturnValue]


def multiplying(opcode: Op) -> tuple[Outline, Function]:
    """A function that compares a product's upper half with 0, as Clang checks for an overflow."""
    writer = Writer()
    writer.put(Op.MemoryModel, 2, 2)
    number, truth = writer.make(Op.TypeInt, 32, 0), writer.make(Op.TypeBool)
    both = writer.make(Op.TypeStruct, number, number)
    zero = writer.make(Op.ConstantNull, number)
    kind = writer.make(Op.TypeFunction, truth, number)
    writer.make(Op.Function, truth, 0, kind)
    parameter = writer.make(Op.FunctionParameter, number)
    writer.make(Op.Label)
    product = writer.make(opcode, both, parameter, parameter)
    high = writer.make(Op.CompositeExtract, number, product, 1)
    return ended(writer, writer.make(Op.INotEqual, truth, high, zero))


def test_the_upper_half_of_a_signed_product_is_compared_with_its_sign():
    outline, function = multiplying(Op.SMulExtended)
    check_signed_products(outline)
    by_result = {i.words[1]: i for i in function.body if len(i.words) > 2}
    (compared,) = [i for i in function.body if i.opcode == Op.INotEqual]
    sign = by_result[compared.words[3]]
    assert sign.opcode == Op.ShiftRightArithmetic
    assert by_result[sign.words[2]].words[2:] == [by_result[compared.words[2]].words[2], 0]
    assert outline.types.integer(sign.words[3]) == 31
    sound(outline.write())


def test_the_upper_half_of_an_unsigned_product_is_compared_with_zero():
    outline, function = multiplying(Op.UMulExtended)
    before = [Instruction(i.opcode, i.words[:]) for i in function.body]
    check_signed_products(outline)
    assert function.body == before


@pytest.mark.parametrize("opcode", [Op.UMulExtended, Op.SMulExtended])
def test_a_product_of_two_halves_is_two_products(opcode):
    outline, function = multiplying(opcode)
    simplify(outline)
    assert opcodes(function)[1:4] == [Op.IMul, Op.ExtInst, Op.CompositeConstruct]
    assert sum(i.opcode == Op.ExtInstImport for i in outline.header) == 1
    sound(outline.write())


def carrying(opcode: Op, lanes: int = 1) -> tuple[Outline, Function]:
    """A function that calculates a carry."""
    writer = Writer()
    writer.put(Op.MemoryModel, 2, 2)
    number = writer.make(Op.TypeInt, 64, 0)
    if lanes > 1:
        number = writer.make(Op.TypeVector, number, lanes)
    both = writer.make(Op.TypeStruct, number, number)
    kind = writer.make(Op.TypeFunction, number, number, number)
    writer.make(Op.Function, number, 0, kind)
    left, right = (writer.make(Op.FunctionParameter, number) for _ in range(2))
    writer.make(Op.Label)
    pair = writer.make(opcode, both, left, right)
    return ended(writer, writer.make(Op.CompositeExtract, number, pair, 1))


@pytest.mark.parametrize("opcode", [Op.IAddCarry, Op.ISubBorrow])
def test_a_carry_is_a_comparison(opcode):
    outline, function = carrying(opcode)
    left, right = (parameter.words[1] for parameter in function.parameters)
    simplify(outline)
    calculated, compared, selected, pair = function.body[1:5]
    low = calculated.words[1]
    if opcode == Op.IAddCarry:
        assert (calculated.opcode, compared.words[2:]) == (Op.IAdd, [low, left])
    else:
        assert (calculated.opcode, compared.words[2:]) == (Op.ISub, [left, right])
    assert calculated.words[2:] == [left, right]
    assert (compared.opcode, selected.opcode) == (Op.ULessThan, Op.Select)
    assert selected.words[2] == compared.words[1]
    assert outline.types.integer(selected.words[3]) == 1
    assert pair.opcode == Op.CompositeConstruct
    assert pair.words[2:] == [low, selected.words[1]]
    sound(outline.write())


def test_carries_of_vectors_stay():
    outline, function = carrying(Op.IAddCarry, lanes=4)
    simplify(outline)
    assert opcodes(function) == [Op.Label, Op.IAddCarry, Op.CompositeExtract, Op.ReturnValue]
