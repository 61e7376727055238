"""Constants."""

from __future__ import annotations

from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..module.reader import Unit
from ..module.types import Kind, Type
from .spelling import Spelling
from .values import PRIMARY, UNARY, Expression, constant_floating, floating, integer


def constant(spelling: Spelling, unit: Unit, identifier: int) -> Expression:
    """Give a constant as an expression."""
    instruction = unit.constants[identifier]
    type_ = unit.types[instruction.words[0]]
    if type_.kind is Kind.POINTER:
        if instruction.opcode not in (Op.ConstantNull, Op.Undef):
            raise UnsupportedConstruct("a pointer computed from others in a constant")
        assert type_.storage is not None
        return Expression(f"({spelling.value(type_)})0", type_, UNARY, type_.storage, cheap=True)
    text = _text(spelling, unit, instruction, type_, static=False)
    level = UNARY if text[0] in "-(" and type_.kind in (Kind.FLOAT, Kind.VECTOR) else PRIMARY
    if type_.kind in (Kind.STRUCT, Kind.ARRAY):
        text, level = f"({spelling.value(type_)}){text}", UNARY
    positive = type_.kind is Kind.INT and not (unit.constant(identifier) or 0) >> (type_.bits - 1)
    return Expression(text, type_, level, cheap=True, positive=positive)


def initializer(spelling: Spelling, unit: Unit, identifier: int) -> str:
    """Give a constant as a variable's initializer: constant expressions only, nested arrays flattened."""
    instruction = unit.constants[identifier]
    type_ = unit.types[instruction.words[0]]
    if type_.kind is Kind.ARRAY:
        return "{" + ", ".join(_elements(spelling, unit, instruction, type_)) + "}"
    return _text(spelling, unit, instruction, type_, static=True)


def characters(unit: Unit, identifier: int) -> bytes | None:
    """Give the bytes of a constant array of characters, without the zero that ends it; None for all else."""
    instruction = unit.constants.get(identifier)
    if instruction is None:
        return None
    type_ = unit.types[instruction.words[0]]
    if type_.kind is not Kind.ARRAY or type_.inner.kind is not Kind.INT or type_.inner.bits != 8:
        return None
    if instruction.opcode == Op.ConstantNull:
        return b""
    values = [unit.constant(word) or 0 for word in instruction.words[2:]]
    return bytes(values).split(b"\0")[0]


def _elements(spelling: Spelling, unit: Unit, instruction: Instruction, type_: Type) -> list[str]:
    """List an array's innermost elements."""
    if instruction.opcode in (Op.ConstantNull, Op.Undef):
        return ["0" if type_.innermost.kind in (Kind.INT, Kind.FLOAT, Kind.BOOL) else "{0}"]
    elements: list[str] = []
    for word in instruction.words[2:]:
        element = unit.constants[word]
        inner = unit.types[element.words[0]]
        if inner.kind is Kind.ARRAY:
            part = _elements(spelling, unit, element, inner)
            elements += part + [_zero(inner.innermost)] * (inner.flat_count - len(part))
        else:
            elements.append(_text(spelling, unit, element, inner, static=True))
    return elements


def _zero(type_: Type) -> str:
    return "0" if type_.kind in (Kind.INT, Kind.FLOAT, Kind.BOOL) else "{0}"


def _text(spelling: Spelling, unit: Unit, instruction: Instruction, type_: Type, *, static: bool) -> str:
    opcode, words = instruction.opcode, instruction.words
    match type_.kind:
        case Kind.BOOL:
            return "true" if opcode == Op.ConstantTrue else "false"
        case Kind.INT:
            return integer(unit.constant(words[1]) or 0, type_.bits)
        case Kind.FLOAT:
            bits = sum(word << (32 * index) for index, word in enumerate(words[2:])) if opcode == Op.Constant else 0
            bits &= (1 << type_.bits) - 1
            return constant_floating(bits, type_.bits) if static else floating(bits, type_.bits)
        case Kind.VECTOR:
            return _vector(spelling, unit, instruction, type_, static=static)
        case Kind.POINTER:
            if opcode in (Op.ConstantNull, Op.Undef):
                return "0"
            raise UnsupportedConstruct("a table of addresses")
        case Kind.ARRAY | Kind.STRUCT:
            if opcode in (Op.ConstantNull, Op.Undef):
                return "{0}"
            if opcode == Op.ConstantComposite:
                parts = ((unit.constants[word], unit.types[unit.constants[word].words[0]]) for word in words[2:])
                inner = ", ".join(_text(spelling, unit, part, kind, static=static) for part, kind in parts)
                # An array value is a structure around an array.
                return f"{{{{{inner}}}}}" if type_.kind is Kind.ARRAY else f"{{{inner}}}"
    raise UnsupportedConstruct(f"a constant made by SPIR-V's instruction {opcode}")


def _vector(spelling: Spelling, unit: Unit, instruction: Instruction, type_: Type, *, static: bool) -> str:
    spelled = spelling.value(type_)
    if instruction.opcode in (Op.ConstantNull, Op.Undef):
        return f"({spelled})(0)"
    parts = [unit.constants[word] for word in instruction.words[2:]]
    if type_.inner.kind is Kind.BOOL:
        texts = ["-1" if part.opcode == Op.ConstantTrue else "0" for part in parts]
    else:
        texts = [_text(spelling, unit, part, type_.inner, static=static) for part in parts]
    return f"({spelled})({texts[0] if len(set(texts)) == 1 else ', '.join(texts)})"
