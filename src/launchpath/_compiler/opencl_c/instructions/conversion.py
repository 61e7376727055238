"""Instructions that convert: between widths, between integers and floating-point numbers, and bits as another type."""

from __future__ import annotations

from dataclasses import replace

from ...spirv.enumerants import Decoration, Storage
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.types import Kind, Type
from ..text.values import PRIMARY, UNARY, Expression

_ROUNDINGS = {0: "_rte", 1: "_rtz", 2: "_rtp", 3: "_rtn"}


@handles(
    Op.ConvertFToU, Op.ConvertFToS, Op.ConvertSToF, Op.ConvertUToF, Op.UConvert, Op.SConvert, Op.FConvert,
    Op.SatConvertSToU, Op.SatConvertUToS,
)  # fmt: skip
def _convert(writer: FunctionWriter, instruction: Instruction) -> Expression:
    opcode = Op(instruction.opcode)
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[2])
    signed_in = opcode in (Op.ConvertSToF, Op.SConvert, Op.SatConvertSToU)
    signed_out = opcode in (Op.ConvertFToS, Op.SatConvertUToS)
    suffix = _how(writer, instruction.words[1], saturated=opcode in (Op.SatConvertSToU, Op.SatConvertUToS))
    if expression.whole and opcode in (Op.UConvert, Op.SConvert) and type_.kind is Kind.INT and type_.bits >= 32:
        return _of_whole(writer, expression, type_)
    positive = opcode == Op.UConvert and (type_.scalar.bits > expression.type.scalar.bits)
    if type_.kind is Kind.VECTOR or suffix:
        text = writer.as_signed(expression) if signed_in else expression.text
        spelled = writer.spelling.value(type_)
        if signed_out:
            text = f"as_{spelled}(convert_{writer.spelling.signed(type_)}{suffix}({text}))"
        else:
            text = f"convert_{spelled}{suffix}({text})"
        return writer.make(text, type_, positive=positive)
    text = writer.as_signed(expression) if signed_in else expression.at(UNARY)
    if signed_out and type_.kind is Kind.INT:
        text = f"({writer.spelling.signed(type_)}){text}"
    return writer.make(f"({writer.spelling.value(type_)}){text}", type_, UNARY, positive=positive)


def _of_whole(writer: FunctionWriter, expression: Expression, type_: Type) -> Expression:
    """Convert a number of threads of a block: whichever way, nothing of it is lost."""
    text = expression.whole if type_.bits == 64 else f"({writer.spelling.value(type_)}){expression.whole}"
    level = PRIMARY if type_.bits == 64 else UNARY
    return replace(expression, text=text, type=type_, level=level, cheap=True, positive=True)


def _how(writer: FunctionWriter, identifier: int, *, saturated: bool) -> str:
    unit = writer.unit
    saturated |= unit.decoration(identifier, Decoration.SaturatedConversion) is not None
    rounding = unit.decoration(identifier, Decoration.FPRoundingMode)
    return ("_sat" if saturated else "") + (_ROUNDINGS[rounding[0]] if rounding else "")


@handles(Op.QuantizeToF16)
def _quantize(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    return writer.make(f"(float)(half){writer.expression(instruction.words[2]).at(UNARY)}", type_, UNARY)


@handles(Op.CopyObject, Op.CopyLogical, Op.ExpectKHR)
def _copy(writer: FunctionWriter, instruction: Instruction) -> Expression:
    return writer.expression(instruction.words[2])


@handles(Op.Undef)
def _undefined(writer: FunctionWriter, instruction: Instruction) -> Expression:
    return writer.undefined(writer.unit.types[instruction.words[0]])


@handles(Op.Bitcast)
def _bits(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    expression = writer.expression(instruction.words[2])
    if type_.kind is Kind.POINTER and expression.type.kind is Kind.POINTER:
        return _pointer(writer, instruction, expression, type_)
    if type_.kind is Kind.POINTER:
        return writer.from_integer(expression, type_)
    if expression.type.kind is Kind.POINTER:
        return writer.make(writer.to_integer(instruction.words[2], expression), type_, UNARY)
    if writer.spelling.value(type_) == writer.spelling.value(expression.type):
        return expression
    return writer.make(f"as_{writer.spelling.value(type_)}({expression.text})", type_)


def _pointer(writer: FunctionWriter, instruction: Instruction, pointer: Expression, type_: Type) -> Expression:
    space = writer.space_of(instruction.words[1])
    spelled = writer.spelling.pointer(type_.inner, space)
    assert pointer.space is not None
    if spelled == writer.spelling.pointer(pointer.type.inner, pointer.space) and not pointer.target:
        cast = Expression(pointer.text, type_, pointer.level, space, pointer.target, pointer.reads, pointer.variables)
    else:
        cast = writer.in_space(pointer, space, type_.inner)
        cast.type = type_
    cast.cheap = pointer.cheap
    return cast


@handles(Op.ConvertPtrToU)
def _to_integer(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    pointer = writer.expression(instruction.words[2])
    text = writer.to_integer(instruction.words[2], pointer)
    if type_.bits != 64:
        text = f"({writer.spelling.value(type_)}){text}"
    return writer.make(text, type_, UNARY)


@handles(Op.ConvertUToPtr)
def _from_integer(writer: FunctionWriter, instruction: Instruction) -> Expression:
    return writer.from_integer(writer.expression(instruction.words[2]), writer.unit.types[instruction.words[0]])


@handles(Op.PtrCastToGeneric)
def _to_generic(writer: FunctionWriter, instruction: Instruction) -> Expression:
    pointer = writer.expression(instruction.words[2])
    type_ = writer.unit.types[instruction.words[0]]
    cast = writer.in_space(pointer, writer.space_of(instruction.words[1]))
    cast.type, cast.cheap = type_, pointer.cheap
    return cast


@handles(Op.GenericCastToPtr)
def _from_generic(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    assert type_.storage is not None
    cast = writer.in_space(writer.expression(instruction.words[2]), type_.storage)
    cast.type = type_
    return cast


@handles(Op.GenericCastToPtrExplicit)
def _ask(writer: FunctionWriter, instruction: Instruction) -> Expression:
    """Write a cast that gives a null pointer if the pointer points to another address space."""
    type_ = writer.unit.types[instruction.words[0]]
    space = type_.storage
    pointer = writer.expression(instruction.words[2])
    assert space is not None and pointer.space is not None
    if pointer.space is space:
        return Expression(pointer.text, type_, pointer.level, space, pointer.target, pointer.reads, pointer.variables)
    spelled = writer.spelling.value(type_)
    if pointer.space is not Storage.Generic:
        return Expression(f"({spelled})0", type_, UNARY, space, cheap=True)
    if writer.dialect.generic:
        name = {Storage.CrossWorkgroup: "to_global", Storage.Workgroup: "to_local", Storage.Function: "to_private"}
        if space not in name:
            raise UnsupportedConstruct("asking whether a pointer points to constant memory")
        return writer.make(f"({spelled}){name[space]}({pointer.text})", type_, UNARY, space)
    # The flat address space is spelled as the global one, and all memory can be reached through it.
    if space is Storage.CrossWorkgroup:
        cast = writer.in_space(pointer, space)
        cast.type = type_
        return cast
    return Expression(f"({spelled})0", type_, UNARY, space, cheap=True)
