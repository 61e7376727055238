"""Instructions that compute: integers, floating-point numbers, comparisons, bits."""

from __future__ import annotations

from dataclasses import replace

from ...spirv.enumerants import Decoration
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..function import FunctionWriter, handles
from ..module.types import Kind, Type
from ..text.values import ADD, AND, CONDITION, EQUALITY, MULTIPLY, OR, PRIMARY, RELATION, SHIFT, UNARY, XOR, Expression

_PLAIN = {
    Op.IAdd: ("+", ADD), Op.ISub: ("-", ADD), Op.IMul: ("*", MULTIPLY), Op.UDiv: ("/", MULTIPLY),
    Op.UMod: ("%", MULTIPLY), Op.FAdd: ("+", ADD), Op.FSub: ("-", ADD), Op.FMul: ("*", MULTIPLY),
    Op.FDiv: ("/", MULTIPLY), Op.BitwiseAnd: ("&", AND), Op.BitwiseOr: ("|", OR), Op.BitwiseXor: ("^", XOR),
    Op.LogicalAnd: ("&", AND), Op.LogicalOr: ("|", OR), Op.VectorTimesScalar: ("*", MULTIPLY),
    Op.LogicalNotEqual: ("^", XOR),
}  # fmt: skip
_COMPARE = {
    Op.IEqual: ("==", ""), Op.INotEqual: ("!=", ""), Op.UGreaterThan: (">", ""), Op.SGreaterThan: (">", "s"),
    Op.UGreaterThanEqual: (">=", ""), Op.SGreaterThanEqual: (">=", "s"), Op.ULessThan: ("<", ""),
    Op.SLessThan: ("<", "s"), Op.ULessThanEqual: ("<=", ""), Op.SLessThanEqual: ("<=", "s"),
    Op.FOrdEqual: ("==", ""), Op.FUnordNotEqual: ("!=", ""), Op.FOrdLessThan: ("<", ""),
    Op.FOrdGreaterThan: (">", ""), Op.FOrdLessThanEqual: ("<=", ""), Op.FOrdGreaterThanEqual: (">=", ""),
    # They hold for a NaN as well: each is the negation of the opposite comparison.
    Op.FUnordLessThan: (">=", "!"), Op.FUnordGreaterThan: ("<=", "!"), Op.FUnordLessThanEqual: (">", "!"),
    Op.FUnordGreaterThanEqual: ("<", "!"),
}  # fmt: skip
_TESTS = {
    Op.IsNan: "isnan", Op.IsInf: "isinf", Op.IsFinite: "isfinite", Op.IsNormal: "isnormal", Op.SignBitSet: "signbit",
    Op.LessOrGreater: "islessgreater", Op.FOrdNotEqual: "islessgreater", Op.Ordered: "isordered",
    Op.Unordered: "isunordered",
}  # fmt: skip
_LARGEST = (1 << 31) - 1  # the largest number that `Expression.whole` stands for
_SMALL = 1 << 16  # a number below this may be added to a place: the sum stays in bounds
_IN_64_BITS = {
    Op.IAdd: "+", Op.ISub: "-", Op.IMul: "*", Op.BitwiseAnd: "&", Op.ShiftLeftLogical: "<<",
    Op.ShiftRightLogical: ">>",
}  # fmt: skip
_SIGNED = {Op.SDiv: "/", Op.SRem: "%"}


def narrow(writer: FunctionWriter, text: str, level: int, type_: Type) -> tuple[str, int]:
    """Cast back what C has promoted: arithmetic on integers below 32 bits happens in ``int``."""
    if type_.kind is Kind.INT and type_.bits < 32:
        return f"({writer.spelling.value(type_)})({text})", UNARY
    return text, level


def operand(expression: Expression, level: int, *, right: bool) -> str:
    """Spell an operand; only sums and products stand beside each other without parentheses."""
    if expression.level <= UNARY or level > ADD:
        return expression.at(UNARY)
    return expression.at(level - 1 if right else level)


@handles(*_PLAIN)
def _plain(writer: FunctionWriter, instruction: Instruction) -> Expression:
    sign, level = _PLAIN[Op(instruction.opcode)]
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.expression(word) for word in instruction.words[2:4])
    if instruction.opcode == Op.IAdd and left.shifted is not None and left.shifted[1].whole:
        return _shifted_sum(writer, instruction, left, right)
    if instruction.opcode in _IN_64_BITS and (left.whole or right.whole):
        return in_64_bits(writer, instruction, left, right)
    if _never_overflows(writer, instruction, type_):
        first = _signed_operand(writer, left, instruction.words[2])
        second = _signed_operand(writer, right, instruction.words[3])
        expression = _unsigned(writer, f"{first} {sign} {second}", type_)
        expression.signed = f"({first} {sign} {second})"
        return expression
    text = operand(left, level, right=False)
    if sign == "*" and type_.kind is Kind.INT and type_.bits < 32:
        # Two unsigned shorts would be multiplied as ints, and overflow.
        text = f"(uint){left.at(UNARY)}"
    text, level = narrow(writer, f"{text} {sign} {operand(right, level, right=True)}", level, type_)
    if type_.kind is Kind.BOOL:
        return writer.make(text, type_, level)
    positive = instruction.opcode == Op.BitwiseAnd and (left.positive or right.positive)
    positive |= instruction.opcode == Op.UMod and right.positive
    return writer.make(text, type_, level, positive=positive)


def in_64_bits(writer: FunctionWriter, instruction: Instruction, left: Expression, right: Expression) -> Expression:
    """Compute with a thread's place in its block in 64 bits, then cut the number off: 32 bits would give the same.

    OpenCL C written by hand does so. If the place itself were cut off, compilers would do that at a single point of the
    kernel. PoCL keeps such a number in memory for each work-item if there is a barrier between its uses, and then knows
    nothing of the addresses that are computed with it. It knows everywhere what OpenCL's functions return.
    """
    type_ = writer.unit.types[instruction.words[0]]
    sign = _IN_64_BITS[Op(instruction.opcode)]
    constant = writer.unit.constant(instruction.words[3])
    if instruction.opcode == Op.BitwiseAnd and left.whole and constant is not None and ~constant & _LARGEST == 0:
        return left  # Clang writes conversions as masks
    first, second = (expression.whole or expression.at(UNARY) for expression in (left, right))
    spelled = "" if type_.bits == 64 else f"({writer.spelling.value(type_)})"
    text = f"{spelled}({first} {sign} {second})"
    is_place = instruction.opcode in (Op.BitwiseAnd, Op.ShiftRightLogical) or (
        instruction.opcode == Op.IAdd and (constant or 0) < _SMALL
    )
    if not left.whole or not is_place or constant is None:
        return writer.make(text, type_, UNARY if spelled else PRIMARY)
    place = writer.make(text, type_, UNARY if spelled else PRIMARY, cheap=True, positive=True)
    place.whole = f"({first} {sign} {second})"
    return place


def _shifted_sum(writer: FunctionWriter, instruction: Instruction, left: Expression, right: Expression) -> Expression:
    """Add to a shifted place in a block: Clang turns (x + 1) << 32 into (x << 32) + (1 << 32)."""
    assert left.shifted is not None
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.make(f"{left.at(ADD)} + {operand(right, ADD, right=True)}", type_, ADD)
    shift, place = left.shifted
    added, rest = divmod(writer.unit.constant(instruction.words[3]) or 1, 1 << shift)
    if not rest and added < _SMALL:
        expression.cheap, expression.shifted = True, (shift, replace(place, whole=f"({place.whole} + {added}u)"))
    return expression


def _never_overflows(writer: FunctionWriter, instruction: Instruction, type_: Type) -> bool:
    """Whether a sum, difference or product stays within a signed integer: compilers optimize it better then."""
    return (
        instruction.opcode in (Op.IAdd, Op.ISub, Op.IMul)
        and type_.kind is Kind.INT
        and type_.bits >= 32
        and writer.unit.decoration(instruction.words[1], Decoration.NoSignedWrap) is not None
    )


@handles(*_SIGNED)
def _signed(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.as_signed(writer.expression(word)) for word in instruction.words[2:4])
    return _unsigned(writer, f"{left} {_SIGNED[Op(instruction.opcode)]} {right}", type_)


def _unsigned(writer: FunctionWriter, text: str, type_: Type) -> Expression:
    """Turn the text of a signed integer into an unsigned expression."""
    spelled = writer.spelling.value(type_)
    if type_.kind is Kind.VECTOR:
        return writer.make(f"as_{spelled}({text})", type_)
    return writer.make(f"({spelled})({text})", type_, UNARY)


@handles(Op.SMod)
def _modulo(writer: FunctionWriter, instruction: Instruction) -> Expression:
    # It has the divisor's sign; C's remainder has the dividend's.
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.simple(writer.expression(word)) for word in instruction.words[2:4])
    dividend, divisor = writer.as_signed(left), writer.as_signed(right)
    return _unsigned(writer, f"({dividend} % {divisor} + {divisor}) % {divisor}", type_)


@handles(Op.SNegate, Op.FNegate, Op.Not)
def _negate(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[2])
    text = expression.at(UNARY)
    text = f"({text})" if text.startswith("-") else text
    sign = "~" if instruction.opcode == Op.Not else "-"
    text, level = narrow(writer, f"{sign}{text}", UNARY, type_)
    return writer.make(text, type_, level)


@handles(Op.LogicalNot)
def _not(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[2])
    return writer.make(f"{'~' if type_.kind is Kind.VECTOR else '!'}{expression.at(UNARY)}", type_, UNARY)


@handles(Op.LogicalEqual)
def _same(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.expression(word) for word in instruction.words[2:4])
    if type_.kind is Kind.VECTOR:
        return writer.make(f"~({left.at(UNARY)} ^ {right.at(UNARY)})", type_, UNARY)
    return writer.make(f"{left.at(UNARY)} == {right.at(UNARY)}", type_, EQUALITY)


@handles(Op.FRem, Op.FMod)
def _remainder(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.simple(writer.expression(word)).text for word in instruction.words[2:4])
    if instruction.opcode == Op.FRem:
        return writer.make(f"fmod({left}, {right})", type_)
    return writer.make(f"{left} - {right} * floor({left} / {right})", type_, ADD)


@handles(Op.ShiftLeftLogical, Op.ShiftRightLogical, Op.ShiftRightArithmetic)
def _shift(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.expression(word) for word in instruction.words[2:4])
    by = operand(right, SHIFT, right=True)
    amount = writer.unit.constant(instruction.words[3])
    if left.whole and amount is not None and instruction.opcode in _IN_64_BITS and not amount & 32:
        return in_64_bits(writer, instruction, left, right)
    if instruction.opcode == Op.ShiftRightArithmetic:
        if left.shifted is not None and amount is not None and left.shifted[1].whole and left.shifted[0] >= amount:
            by = f" << {left.shifted[0] - amount}" if left.shifted[0] > amount else ""
            return writer.make(f"({left.shifted[1].whole}{by})", type_, cheap=True, positive=True)
        if left.shifted is not None and left.shifted[0] == amount:
            # Clang turns (long)(int)x into x << 32 >> 32. It becomes a cast again: compilers optimize casts better.
            small = writer.spelling.signed(Type(0, Kind.INT, type_.bits - amount))
            spelled = writer.spelling.value(type_)
            return writer.make(f"({spelled})({small}){left.shifted[1].at(UNARY)}", type_, UNARY)
        return _unsigned(writer, f"{writer.as_signed(left)} >> {by}", type_)
    value, sign = operand(left, SHIFT, right=False), ">>"
    if instruction.opcode == Op.ShiftLeftLogical:
        value, sign = (f"(uint){left.at(UNARY)}" if type_.kind is Kind.INT and type_.bits < 32 else value), "<<"
    text, level = narrow(writer, f"{value} {sign} {by}", SHIFT, type_)
    expression = writer.make(text, type_, level, positive=sign == ">>" and bool(amount))
    if sign == "<<" and amount is not None and type_.kind is Kind.INT and type_.bits - amount in (8, 16, 32):
        expression.shifted = amount, left
        expression.cheap = bool(left.whole)
    return expression


@handles(*_COMPARE)
def _compare(writer: FunctionWriter, instruction: Instruction) -> Expression:
    sign, form = _COMPARE[Op(instruction.opcode)]
    type_ = writer.unit.types[instruction.words[0]]
    left, right = (writer.expression(word) for word in instruction.words[2:4])
    if form == "s":
        first = _signed_operand(writer, left, instruction.words[2])
        second = _signed_operand(writer, right, instruction.words[3])
    else:
        first, second = (expression.whole or expression.at(UNARY) for expression in (left, right))
    level = EQUALITY if sign in ("==", "!=") else RELATION
    return _truth(writer, f"{first} {sign} {second}", level, type_, negated=form == "!")


def _signed_operand(writer: FunctionWriter, expression: Expression, identifier: int) -> str:
    value = writer.unit.signed(identifier)
    if value is not None and abs(value) < 1 << 31:
        return str(value) if value >= 0 else f"({value})"
    return f"(long){expression.whole}" if expression.whole else writer.as_signed(expression)


def _truth(writer: FunctionWriter, text: str, level: int, type_: Type, *, negated: bool = False) -> Expression:
    """Make a bool of a comparison; vectors compare to integers of their width, which are kept as chars."""
    if type_.kind is Kind.VECTOR:
        return writer.make(f"convert_char{type_.count}({'~(' if negated else ''}{text}{')' if negated else ''})", type_)
    return writer.make(f"!({text})", type_, UNARY) if negated else writer.make(text, type_, level)


@handles(*_TESTS, Op.FUnordEqual)
def _test(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    arguments = ", ".join(writer.expression(word).text for word in instruction.words[2:])
    opcode = Op(instruction.opcode)
    if opcode == Op.FUnordEqual:
        return _truth(writer, f"islessgreater({arguments})", PRIMARY, type_, negated=True)
    if type_.kind is not Kind.VECTOR:
        return writer.make(f"({_TESTS[opcode]}({arguments}) != 0)", type_)
    return _truth(writer, f"{_TESTS[opcode]}({arguments})", PRIMARY, type_)


@handles(Op.Any, Op.All)
def _any(writer: FunctionWriter, instruction: Instruction) -> Expression:
    expression = writer.expression(instruction.words[2])
    name = "any" if instruction.opcode == Op.Any else "all"
    return writer.make(f"({name}({expression.text}) != 0)", writer.unit.types[instruction.words[0]])


@handles(Op.Select)
def _select(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    condition, if_true, if_false = (writer.expression(word) for word in instruction.words[2:5])
    if condition.type.kind is Kind.VECTOR:
        mask = condition.text
        if type_.inner.bits != 8 and type_.inner.kind is not Kind.BOOL:
            mask = f"convert_{writer.spelling.mask(type_)}({mask})"
        return writer.make(f"select({if_false.text}, {if_true.text}, {mask})", type_)
    space = None
    if type_.kind is Kind.POINTER:
        space = writer.space_of(instruction.words[1])
        if_true, if_false = writer.in_space(if_true, space), writer.in_space(if_false, space)
    elif type_.kind is Kind.INT and type_.bits < 32:
        text = f"({writer.spelling.value(type_)})({condition.at(UNARY)} ? {if_true.at(UNARY)} : {if_false.at(UNARY)})"
        return writer.make(text, type_, UNARY, positive=if_true.positive and if_false.positive)
    text = f"{condition.text if condition.level < CONDITION else f'({condition.text})'} ? "
    text += f"{if_true.at(UNARY)} : {if_false.at(UNARY)}"
    return writer.make(text, type_, CONDITION, space, positive=if_true.positive and if_false.positive)


@handles(Op.BitCount)
def _count(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[2])
    if type_.bits != expression.type.bits:
        return writer.make(f"({writer.spelling.value(type_)})popcount({expression.text})", type_, UNARY, positive=True)
    return writer.make(f"popcount({expression.text})", type_, positive=True)


@handles(Op.BitReverse)
def _reverse(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[2])
    return writer.make(f"{writer.program.helpers.bit_reverse(type_)}({expression.text})", type_)


@handles(Op.BitFieldUExtract, Op.BitFieldSExtract)
def _field(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    base = writer.expression(instruction.words[2]).at(UNARY)
    offset, count = (writer.simple(writer.expression(word)).at(UNARY) for word in instruction.words[3:5])
    bits, spelled = type_.scalar.bits, writer.spelling.value(type_)
    cast = spelled if instruction.opcode == Op.BitFieldUExtract else writer.spelling.signed(type_)
    text = f"{count} == 0 ? 0 : ({cast})(({spelled}){base} << ({bits} - {offset} - {count})) >> ({bits} - {count})"
    return writer.make(f"({spelled})({text})", type_, UNARY)


@handles(Op.BitFieldInsert)
def _insert_field(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    base, value = (writer.simple(writer.expression(word)).at(UNARY) for word in instruction.words[2:4])
    offset, count = (writer.simple(writer.expression(word)).at(UNARY) for word in instruction.words[4:6])
    bits, spelled = type_.scalar.bits, writer.spelling.value(type_)
    ones = f"({count} == 0 ? ({spelled})0 : ({spelled})~({spelled})0 >> ({bits} - {count}))"
    text = f"({base} & ~({ones} << {offset})) | (({value} & {ones}) << {offset})"
    return writer.make(f"({spelled})({text})", type_, UNARY)


@handles(Op.IAddCarry, Op.ISubBorrow, Op.UMulExtended, Op.SMulExtended)
def _extended_arithmetic(writer: FunctionWriter, instruction: Instruction) -> Expression:
    pair = writer.unit.types[instruction.words[0]]
    part = writer.spelling.value(pair.members[0])
    first, second = (writer.simple(writer.expression(word)) for word in instruction.words[2:4])
    left, right = first.at(UNARY), second.at(UNARY)
    match instruction.opcode:
        case Op.IAddCarry:
            low, high = f"({part})({left} + {right})", f"({part})({left} + {right}) < {left}"
        case Op.ISubBorrow:
            low, high = f"({part})({left} - {right})", f"{left} < {right}"
        case Op.UMulExtended:
            low, high = f"({part})({left} * {right})", f"mul_hi({left}, {right})"
        case _:
            signed = f"mul_hi({writer.as_signed(first)}, {writer.as_signed(second)})"
            low, high = f"({part})({left} * {right})", f"({part}){signed}"
    return writer.make(f"({writer.spelling.value(pair)}){{{low}, {high}}}", pair, UNARY)
