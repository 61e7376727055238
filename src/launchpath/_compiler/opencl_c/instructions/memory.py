"""Instructions on memory: loads, stores, copies, addresses."""

from __future__ import annotations

from ...spirv.enumerants import MemoryAccess, Storage
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.types import Kind, Type, size
from ..text.spelling import fits
from ..text.values import ADD, MULTIPLY, PRIMARY, UNARY, Expression
from . import builtins


def access(words: list[int]) -> tuple[bool, int]:
    """Read a memory access: whether it is volatile, and its alignment or 0."""
    if not words:
        return False, 0
    return bool(words[0] & MemoryAccess.Volatile), words[1] if words[0] & MemoryAccess.Aligned else 0


def target(writer: FunctionWriter, pointer: Expression, type_: Type, aligned: int, *, volatile: bool = False) -> str:
    """Spell what a pointer points to."""
    assert pointer.space is not None
    spelling = writer.spelling
    tight = fits(type_, aligned)
    if type_.kind is Kind.ARRAY:
        return f"*({spelling.qualifier(pointer.space)}{spelling.value(type_)} *){pointer.at(UNARY)}"
    if tight or volatile:
        keyword = "volatile " if volatile else ""
        return f"*({keyword}{spelling.pointer(type_, pointer.space, tight)}){pointer.at(UNARY)}"
    return pointer.target or f"*{pointer.at(UNARY)}"


def loaded(writer: FunctionWriter, text: str, type_: Type) -> tuple[str, int]:
    """Make a value of what memory holds."""
    level = UNARY if text.startswith("*") else PRIMARY
    return (f"({text} & 1) != 0", 6) if type_.kind is Kind.BOOL else (text, level)


@handles(Op.Load)
def _load(writer: FunctionWriter, instruction: Instruction) -> Expression | None:
    result, pointer = instruction.words[1:3]
    type_ = writer.unit.types[instruction.words[0]]
    builtin = builtins.load(writer, pointer, type_)
    if builtin is not None:
        return builtin
    volatile, aligned = access(instruction.words[3:])
    address = writer.expression(pointer)
    assert address.space is not None
    if type_.kind is Kind.VECTOR and type_.count == 3 and not volatile:
        # As a whole it would be read with a fourth element, which need not be there.
        element = writer.spelling.pointer(type_.inner, address.space)
        load = writer.make(f"vload3(0, ({element}){address.at(UNARY)})", type_, reads=True)
    else:
        text, level = loaded(writer, target(writer, address, type_, aligned, volatile=volatile), type_)
        load = writer.make(text, type_, level, type_.storage, reads=True)
    if volatile:
        writer.effect(result, load)
        return None
    return load


@handles(Op.Store)
def _store(writer: FunctionWriter, instruction: Instruction) -> None:
    pointer, value = instruction.words[:2]
    constant = writer.unit.constants.get(value)
    if constant is not None and constant.opcode == Op.Undef:
        return
    volatile, aligned = access(instruction.words[2:])
    type_ = writer.type_of(value)
    address, stored = writer.expression(pointer), writer.stored(value)
    assert address.space is not None
    if type_.kind is Kind.VECTOR and type_.count == 3 and not volatile:
        element = writer.spelling.pointer(type_.inner, address.space)
        writer.statement(f"vstore3({stored.text}, 0, ({element}){address.at(UNARY)});")
    else:
        writer.statement(f"{target(writer, address, type_, aligned, volatile=volatile)} = {stored.text};")


@handles(Op.CopyMemory)
def _copy(writer: FunctionWriter, instruction: Instruction) -> None:
    to, source = instruction.words[:2]
    _, aligned = access(instruction.words[2:])
    _copy_bytes(writer, to, source, size(writer.type_of(to).inner), aligned)


@handles(Op.CopyMemorySized)
def _copy_sized(writer: FunctionWriter, instruction: Instruction) -> None:
    to, source, count = instruction.words[:3]
    _, aligned = access(instruction.words[3:])
    bytes_ = writer.unit.constant(count)
    if bytes_ is not None:
        _copy_bytes(writer, to, source, bytes_, aligned)
        return
    to_address, from_address = writer.expression(to), writer.expression(source)
    helper = writer.program.helpers.copy(to_address.space or Storage.Generic, from_address.space or Storage.Generic)
    writer.statement(f"{helper}({to_address.text}, {from_address.text}, {writer.expression(count).text});")


def _copy_bytes(writer: FunctionWriter, to: int, source: int, bytes_: int, aligned: int) -> None:
    to_address, from_address = writer.expression(to), writer.expression(source)
    if not bytes_:
        return
    assert to_address.space is not None
    blob = writer.spelling.blob(bytes_, aligned)
    left = f"*({writer.spelling.qualifier(to_address.space)}{blob} *){to_address.at(UNARY)}"
    if source in writer.unit.variables and writer.program.is_zero(source):
        writer.statement(f"{left} = ({blob}){{0}};")
        return
    assert from_address.space is not None
    qualifier = writer.spelling.qualifier(from_address.space)
    writer.statement(f"{left} = *(const {qualifier}{blob} *){from_address.at(UNARY)};")


@handles(Op.LifetimeStart, Op.LifetimeStop, Op.AssumeTrueKHR)
def _nothing(writer: FunctionWriter, instruction: Instruction) -> None:
    """A hint only."""


# --- addresses --------------------------------------------------------------------------------------------------------


@handles(Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain)
def _chain(writer: FunctionWriter, instruction: Instruction) -> Expression:
    words = instruction.words
    if words[2] in writer.program.builtins:
        return builtins.component(writer, instruction)
    type_ = writer.unit.types[words[0]]
    base = writer.expression(words[2])
    assert base.space is not None
    indices = list(words[3:])
    part = base.type.inner if base.type.kind is Kind.POINTER else writer.type_of(words[2]).inner
    chain = _Chain(writer, base)
    if instruction.opcode in (Op.PtrAccessChain, Op.InBoundsPtrAccessChain):
        chain.add(indices.pop(0), part.flat_count)
    for index in indices:
        if part.kind is Kind.STRUCT:
            number = writer.unit.constant(index)
            assert number is not None
            part = part.members[number]
            chain.member(number, part)
        elif part.kind in (Kind.ARRAY, Kind.VECTOR):
            vector, part = part, part.inner
            if vector.kind is Kind.VECTOR:
                chain.cast(part)
            chain.add(index, part.flat_count)
        else:
            raise UnsupportedConstruct("an address within a value without parts")
    return chain.finish(type_)


class _Chain:
    """An address that is being computed."""

    def __init__(self, writer: FunctionWriter, base: Expression) -> None:
        self.writer = writer
        self.space = base.space or Storage.Generic
        self.text, self.level, self.target = base.text, base.level, base.target
        self.terms: list[tuple[str, int]] = []
        self.constant = 0

    def add(self, index: int, scale: int) -> None:
        """Add an index of elements that are `scale` innermost elements each."""
        value = self.writer.unit.signed(index)
        if value is not None:
            self.constant += value * scale
        elif scale:
            text, level = self.writer.index(index)
            if scale != 1:
                text, level = f"{text if level <= UNARY else f'({text})'} * {scale}", MULTIPLY
            self.terms.append((text, level))

    def _sum(self) -> str:
        """Spell what has been added so far, and begin anew."""
        parts = [text if level <= ADD else f"({text})" for text, level in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        self.terms, self.constant = [], 0
        return " + ".join(parts).replace("+ -", "- ")

    def _is_added(self) -> bool:
        return bool(self.terms or self.constant)

    def _settle(self) -> None:
        if self._is_added():
            base = self.text if self.level <= UNARY else f"({self.text})"
            index = self._sum()
            postfix = base if self.level == PRIMARY else f"({base})"
            self.text, self.level, self.target = f"{base} + {index}".replace("+ -", "- "), ADD, f"{postfix}[{index}]"

    def member(self, number: int, type_: Type) -> None:
        """Go on to a structure's member."""
        self._settle()
        if self.target:
            place = f"({self.target})" if self.target.startswith("*") else self.target
            self.target = f"{place}.{self.writer.spelling.field(number)}"
        else:
            base = self.text if self.level == PRIMARY else f"({self.text})"
            self.target = f"{base}->{self.writer.spelling.field(number)}"
        inner = type_
        if inner.kind is Kind.ARRAY:
            while inner.kind is Kind.ARRAY:
                self.target += ".e" if inner.inner.kind is not Kind.ARRAY else ".e[0]"
                inner = inner.inner
            self.text, self.level, self.target = self.target, PRIMARY, f"*{self.target}"
        else:
            self.text, self.level = f"&{self.target}", UNARY

    def cast(self, type_: Type) -> None:
        """Go on to the elements of a vector."""
        self._settle()
        base = self.text if self.level <= UNARY else f"({self.text})"
        self.text, self.level = f"({self.writer.spelling.pointer(type_, self.space)}){base}", UNARY
        self.target = ""

    def finish(self, type_: Type) -> Expression:
        """Give the address."""
        self._settle()
        return self.writer.make(self.text, type_, self.level, self.space, self.target)


@handles(Op.PtrEqual, Op.PtrNotEqual, Op.PtrDiff)
def _compare(writer: FunctionWriter, instruction: Instruction) -> Expression:
    type_ = writer.unit.types[instruction.words[0]]
    first, second = (writer.to_integer(word, writer.expression(word)) for word in instruction.words[2:4])
    if instruction.opcode == Op.PtrDiff:
        bytes_ = max(size(writer.type_of(instruction.words[2]).inner), 1)
        return writer.make(f"(ulong)((long)({first} - {second}) / {bytes_})", type_, UNARY)
    return writer.make(f"{first} {'==' if instruction.opcode == Op.PtrEqual else '!='} {second}", type_, 6)
