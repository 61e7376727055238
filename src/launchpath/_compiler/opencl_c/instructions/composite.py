"""Instructions on vectors, structures and arrays as values."""

from __future__ import annotations

from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.types import Kind, Type
from ..text.values import UNARY, Expression

_NO_COMPONENT = 0xFFFFFFFF  # in OpVectorShuffle: the component does not matter


def _part(writer: FunctionWriter, text: str, type_: Type, index: int) -> tuple[str, Type]:
    """Spell a part of a value."""
    match type_.kind:
        case Kind.VECTOR:
            return f"{text}.s{index:x}", type_.inner
        case Kind.ARRAY:
            return f"{text}.e[{index}]", type_.inner
        case Kind.STRUCT:
            return f"{text}.{writer.spelling.field(index)}", type_.members[index]
    raise UnsupportedConstruct("a part of a value without parts")


@handles(Op.CompositeExtract)
def _extract(writer: FunctionWriter, instruction: Instruction) -> Expression:
    composite = writer.expression(instruction.words[2])
    indices = instruction.words[3:]
    if composite.parts and len(indices) == 1:
        return composite.parts[indices[0]]
    text, type_ = composite.at(0), composite.type
    for index in indices:
        text, type_ = _part(writer, text, type_, index)
    if type_.kind is Kind.BOOL:
        return writer.make(f"({text} != 0)", type_)
    part = writer.make(text, type_, 0, type_.storage)
    part.cheap = composite.cheap and composite.level == 0 and composite.type.kind is Kind.VECTOR
    return part


@handles(Op.CompositeInsert)
def _insert(writer: FunctionWriter, instruction: Instruction) -> None:
    result, value, whole = instruction.words[1:4]
    type_ = writer.unit.types[instruction.words[0]]
    variable = writer.new_variable(writer.base_name(result, type_), writer.spelling.value(type_))
    part, base = writer.stored(value), writer.expression(whole)
    writer.set(variable, base.text)
    text, part_type = variable.name, type_
    for index in instruction.words[4:]:
        text, part_type = _part(writer, text, part_type, index)
    variable.scopes.append(writer.scope)
    writer.scope.items.append(f"{text} = {_as_part(part, type_)};")
    variables = frozenset((variable,))
    writer.values[result] = Expression(variable.name, type_, variables=variables, cheap=True)


def _as_part(part: Expression, whole: Type) -> str:
    """Spell a bool as an element of a vector of bools: all bits."""
    if part.type.kind is Kind.BOOL and whole.kind is Kind.VECTOR:
        return f"-(char){part.at(UNARY)}"
    return part.text


@handles(Op.CompositeConstruct)
def _construct(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    parts = [writer.stored(word) for word in instruction.words[2:]]
    spelled = writer.spelling.value(type_)
    if type_.kind is Kind.VECTOR:
        texts = [_as_part(part, type_) for part in parts]
        return writer.make(f"({spelled})({', '.join(texts)})", type_, UNARY)
    inner = ", ".join(part.text for part in parts)
    if type_.kind is Kind.ARRAY:
        inner = f"{{{inner}}}"  # an array value is a structure around an array
    return writer.make(f"({spelled}){{{inner}}}", type_, UNARY)


@handles(Op.VectorShuffle)
def _shuffle(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    chosen = instruction.words[4:]
    first, second = (writer.simple(writer.expression(word)) for word in instruction.words[2:4])
    width = first.type.lanes
    real = [index for index in chosen if index != _NO_COMPONENT]
    if all(index < width for index in real):
        return _swizzle(writer, first, [0 if index == _NO_COMPONENT else index for index in chosen], type_)
    if all(index >= width for index in real):
        return _swizzle(writer, second, [0 if index == _NO_COMPONENT else index - width for index in chosen], type_)
    parts = []
    for index in chosen:
        component = 0 if index == _NO_COMPONENT else index
        parts.append(f"{first.at(0)}.s{component:x}" if component < width else f"{second.at(0)}.s{component - width:x}")
    return writer.make(f"({writer.spelling.value(type_)})({', '.join(parts)})", type_, UNARY)


def _swizzle(writer: FunctionWriter, vector: Expression, chosen: list[int], type_: Type) -> Expression:
    if chosen == list(range(vector.type.lanes)):
        return vector
    return writer.make(f"{vector.at(0)}.s{''.join(f'{index:x}' for index in chosen)}", type_)


@handles(Op.VectorExtractDynamic)
def _pick(writer: FunctionWriter, instruction: Instruction) -> Expression:
    vector = writer.expression(instruction.words[2])
    index = writer.expression(instruction.words[3])
    type_ = writer.unit.types[instruction.words[0]]
    named = writer.named(vector)
    element = "char" if type_.kind is Kind.BOOL else writer.spelling.value(type_)
    private = "__private " if writer.dialect.generic else ""
    text = f"(({private}{element} *)&{named.text})[{index.text}]"
    return writer.make(f"({text} != 0)" if type_.kind is Kind.BOOL else text, type_, reads=False)


@handles(Op.VectorInsertDynamic)
def _put(writer: FunctionWriter, instruction: Instruction) -> None:
    result, whole, value, index = instruction.words[1:5]
    type_ = writer.unit.types[instruction.words[0]]
    base, part, place = (writer.expression(word) for word in (whole, value, index))
    variable = writer.new_variable(writer.base_name(result, type_), writer.spelling.value(type_))
    writer.set(variable, base.text)
    element = "char" if type_.inner.kind is Kind.BOOL else writer.spelling.value(type_.inner)
    private = "__private " if writer.dialect.generic else ""
    variable.scopes.append(writer.scope)
    writer.scope.items.append(f"(({private}{element} *)&{variable.name})[{place.text}] = {_as_part(part, type_)};")
    writer.values[result] = Expression(variable.name, type_, variables=frozenset((variable,)), cheap=True)
