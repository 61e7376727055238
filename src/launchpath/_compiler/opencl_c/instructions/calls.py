"""Function calls, and the instructions of the set OpenCL.std."""

from __future__ import annotations

import re

from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ...spirv.runtime.printed import CONVERSION, FORMAT, LENGTHS
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.types import Kind, Type
from ..text.constants import characters
from ..text.extended import FUNCTIONS, INTEGER, MATH, OTHER
from ..text.values import UNARY, Expression

# Functions with a pointer as last parameter, and whether it points to ints.
_POINTERS = {"fract": False, "modf": False, "sincos": False, "frexp": True, "lgamma_r": True, "remquo": True}
# Functions whose last operand is an int.
_INTS = frozenset({"ldexp", "pown", "rootn"})


@handles(Op.FunctionCall)
def _call(writer: FunctionWriter, instruction: Instruction) -> None:
    called = instruction.words[2]
    type_ = writer.unit.types[instruction.words[0]]
    arguments = []
    for word, (parameter, expected) in zip(
        instruction.words[3:], writer.unit.functions[called].parameters, strict=True
    ):
        argument = writer.expression(word)
        if expected.kind is Kind.POINTER:
            argument = writer.in_space(argument, writer.program.parameter_space(called, parameter))
        arguments.append(argument.text)
    name, shared = writer.program.callee(called)
    arguments += [writer.expression(variable).text for variable in shared]
    call = writer.make(f"{name}({', '.join(arguments)})", type_, 0, type_.storage)
    writer.effect(instruction.words[1], call)


@handles(Op.ExtInst)
def _extended(writer: FunctionWriter, instruction: Instruction) -> Expression | None:
    number = instruction.words[3]
    if number not in FUNCTIONS:
        raise UnsupportedConstruct(f"instruction {number} of SPIR-V's set OpenCL.std")
    if number in MATH:
        return _math(writer, instruction, MATH[number])
    if number in INTEGER:
        return _integer(writer, instruction, *INTEGER[number])
    return _other(writer, instruction, OTHER[number])


def _math(writer: FunctionWriter, instruction: Instruction, name: str) -> Expression | None:
    type_ = writer.unit.types[instruction.words[0]]
    operands = instruction.words[4:]
    if type_.scalar.bits == 64 and name.startswith(("native_", "half_")) and type_.scalar.kind is Kind.FLOAT:
        name = name.split("_", 1)[1]  # these are for floats only
        if name in ("divide", "recip"):
            texts = [writer.expression(word).at(UNARY) for word in operands]
            return writer.make(f"{texts[0]} / {texts[1]}" if name == "divide" else f"1.0 / {texts[0]}", type_, 2)
    if name in _POINTERS:
        arguments = [writer.expression(word).text for word in operands[:-1]]
        arguments.append(_out(writer, operands[-1], type_, ints=_POINTERS[name]))
        writer.effect(instruction.words[1], writer.make(f"{name}({', '.join(arguments)})", type_))
        return None
    expressions = [writer.expression(word) for word in operands]
    texts = [expression.text for expression in expressions]
    if name in _INTS:
        texts[-1] = writer.as_signed(expressions[-1])
    if type_.scalar.kind is Kind.INT and name != "nan":  # ilogb
        spelled = writer.spelling.value(type_)
        text = f"{name}({', '.join(texts)})"
        return writer.make(f"as_{spelled}({text})", type_)
    return writer.make(f"{name}({', '.join(texts)})", type_)


def _out(writer: FunctionWriter, identifier: int, type_: Type, *, ints: bool) -> str:
    """Spell a pointer that a function writes through."""
    pointer = writer.expression(identifier)
    assert pointer.space is not None
    if ints:
        small = Type(0, Kind.INT, 32)
        pointee = writer.spelling.signed(
            Type(0, Kind.VECTOR, count=type_.count, element=small) if type_.kind is Kind.VECTOR else small
        )
    else:
        pointee = writer.spelling.value(type_)
    return f"({writer.spelling.qualifier(pointer.space)}{pointee} *){pointer.at(UNARY)}"


def _integer(writer: FunctionWriter, instruction: Instruction, name: str, sign: str) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    expressions = [writer.expression(word) for word in instruction.words[4:]]
    spelled = writer.spelling.value(type_)
    if name == "ctz":
        # OpenCL C 1.2 has no ctz. For 0 this gives the number of bits, as OpenCL's does.
        text = writer.simple(expressions[0]).at(UNARY)
        cast = f"({spelled})" if type_.bits < 32 and type_.kind is Kind.INT else ""
        return writer.make(f"popcount({cast}(~{text} & ({text} - 1)))", type_, positive=True)
    if sign == "s":
        texts = [writer.as_signed(expression) for expression in expressions]
        if name == "upsample":
            texts[1] = expressions[1].text
    else:
        texts = [_exact(writer, expression) for expression in expressions]
    text = f"{name}({', '.join(texts)})"
    if sign == "s" and name not in ("abs", "abs_diff"):
        if type_.kind is Kind.VECTOR:
            return writer.make(f"as_{spelled}({text})", type_)
        return writer.make(f"({spelled}){text}", type_, UNARY)
    return writer.make(text, type_, positive=name in ("popcount", "clz"))


def _exact(writer: FunctionWriter, expression: Expression) -> str:
    """Spell an operand with its own type, which selects the overload of a function: a literal would be an int."""
    if expression.type.kind is Kind.INT and expression.type.bits < 32 and expression.text.isdigit():
        return f"({writer.spelling.value(expression.type)}){expression.text}"
    return expression.text


def _other(writer: FunctionWriter, instruction: Instruction, name: str) -> Expression | None:
    type_ = writer.unit.types[instruction.words[0]]
    operands = instruction.words[4:]
    result = instruction.words[1]
    if name == "printf":
        _print(writer, instruction)
        return None
    if name == "prefetch":
        return None
    if "load" in name:
        return _vector_load(writer, name, operands, type_)
    if "store" in name:
        _vector_store(writer, name, operands)
        return None
    expressions = [writer.expression(word) for word in operands]
    if name in ("bitselect", "select", "shuffle", "shuffle2"):
        texts = ", ".join(expression.text for expression in expressions)
        return writer.make(f"{name}({texts})", type_)
    raise UnsupportedConstruct(f"OpenCL's function {name}, id {result}")


def _vector_load(writer: FunctionWriter, name: str, operands: list[int], type_: Type) -> Expression:
    offset, pointer = writer.expression(operands[0]), writer.expression(operands[1])
    text = f"{name.replace('n', str(type_.lanes)) if name.endswith('n') else name}({offset.text}, "
    return writer.make(f"{text}{_elements(writer, name, pointer)})", type_, reads=True)


def _elements(writer: FunctionWriter, name: str, pointer: Expression) -> str:
    assert pointer.space is not None
    if "half" in name:
        return f"({writer.spelling.qualifier(pointer.space)}half *){pointer.at(UNARY)}"
    return f"({writer.spelling.pointer(pointer.type.inner.scalar, pointer.space)}){pointer.at(UNARY)}"


_ROUNDINGS = {0: "_rte", 1: "_rtz", 2: "_rtp", 3: "_rtn"}


def _vector_store(writer: FunctionWriter, name: str, operands: list[int]) -> None:
    value, offset, pointer = (writer.expression(word) for word in operands[:3])
    rounding = ""
    if name.endswith("_r"):
        name, rounding = name[:-2], _ROUNDINGS[operands[3]]
    if name.endswith("n"):
        name = f"{name[:-1]}{value.type.lanes}"
    writer.statement(f"{name}{rounding}({value.text}, {offset.text}, {_elements(writer, name, pointer)});")


# --- printf -----------------------------------------------------------------------------------------------------------


def _print(writer: FunctionWriter, instruction: Instruction) -> None:
    text = _literal(writer, instruction.words[4])
    if text is None and _is_written(writer, instruction.words[4]):
        literal, conversions = _string(writer, instruction.words[4]), []
    elif text is None:
        raise UnsupportedConstruct("printf with a format that is not a string literal")
    else:
        literal = _quote(CONVERSION.sub(_respell, text))
        conversions = [match for match in CONVERSION.finditer(text) if match[5] != b"%"]
    arguments = []
    for index, word in enumerate(instruction.words[5:]):
        conversion = conversions[index] if index < len(conversions) else None
        arguments.append(_argument(writer, word, conversion))
    call = writer.make(f"printf({', '.join([literal, *arguments])})", writer.unit.types[instruction.words[0]])
    writer.effect(instruction.words[1], call)


def _argument(writer: FunctionWriter, identifier: int, conversion: re.Match[bytes] | None) -> str:
    """Spell an argument; a string is in constant memory, for OpenCL."""
    if conversion is not None and conversion[5] == b"s":
        text = _literal(writer, identifier)
        return _string(writer, identifier) if text is None else _quote(text)
    expression = writer.expression(identifier)
    if expression.type.kind is Kind.POINTER:
        return f"(__global void *)(ulong){expression.at(UNARY)}"
    signed = conversion is not None and conversion[5] in (b"d", b"i", b"c")
    return writer.as_signed(expression) if signed and expression.type.kind is Kind.INT else expression.text


def _string(writer: FunctionWriter, identifier: int) -> str:
    """Spell a string that is not a literal: on a CPU, constant memory is memory as all other."""
    if writer.dialect.generic:
        raise UnsupportedConstruct("printf of a string that is not a literal")
    return f"(__constant char *)(ulong){writer.expression(identifier).at(UNARY)}"


def _is_written(writer: FunctionWriter, identifier: int) -> bool:
    """Whether it is a format that the thread has written: see `launchpath._compiler.spirv.runtime.printed`."""
    while identifier in writer.instruction_at:
        identifier = writer.instruction_at[identifier].words[2]
    return writer.unit.names.get(identifier, "").startswith(FORMAT)


def _respell(conversion: re.Match[bytes]) -> bytes:
    """Give a conversion with the lengths that OpenCL knows: its long has 64 bits."""
    flags, width, precision, length, letter = conversion.groups()
    return b"%" + flags + width + precision + LENGTHS.get(length or b"", length or b"") + letter


def _literal(writer: FunctionWriter, identifier: int) -> bytes | None:
    """Find the string literal that a pointer points to."""
    base = identifier
    while base in writer.instruction_at:
        instruction = writer.instruction_at[base]
        if instruction.opcode not in (Op.Bitcast, Op.PtrCastToGeneric, Op.CopyObject) and not (
            instruction.opcode in (Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain)
            and all(writer.unit.constant(word) == 0 for word in instruction.words[3:])
        ):
            return None
        base = instruction.words[2]
    variable = writer.unit.variables.get(base)
    return None if variable is None or len(variable.words) < 4 else characters(writer.unit, variable.words[3])


def _quote(text: bytes) -> str:
    plain = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    # Always three octal digits: a digit that follows would be read as part of fewer. ?? could begin a trigraph.
    escaped = (
        plain.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F and byte != 0x3F else f"\\{byte:03o}") for byte in text
    )
    return f'"{"".join(escaped)}"'
