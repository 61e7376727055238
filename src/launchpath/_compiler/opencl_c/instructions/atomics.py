"""Atomic instructions.

With a generic address space they are C11's, as OpenCL C 2.0 has them; in the flat dialect OpenCL C 1.x's, on global
pointers, which on a CPU reach all memory.
"""

from __future__ import annotations

from ...spirv.enumerants import Semantics, Storage
from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from ..failure import UnsupportedConstruct
from ..function import FunctionWriter, handles
from ..module.types import Kind, Type
from ..text.values import PRIMARY, UNARY, Expression
from .synchronization import order, scope, scope_name

_FETCH = {
    Op.AtomicIAdd: ("add", ""), Op.AtomicISub: ("sub", ""), Op.AtomicSMin: ("min", "s"), Op.AtomicUMin: ("min", ""),
    Op.AtomicSMax: ("max", "s"), Op.AtomicUMax: ("max", ""), Op.AtomicAnd: ("and", ""), Op.AtomicOr: ("or", ""),
    Op.AtomicXor: ("xor", ""),
}  # fmt: skip
_ORDERED = Semantics.Acquire | Semantics.Release | Semantics.AcquireRelease | Semantics.SequentiallyConsistent
_INTEGERS = {32: "uint", 64: "ulong"}
_SIGNED = {32: "int", 64: "long"}
_FLOATS = {32: "float", 64: "double"}


class _Place:
    """An object of an atomic instruction."""

    def __init__(self, writer: FunctionWriter, pointer: int, type_: Type) -> None:
        self.writer, self.type = writer, type_
        if type_.kind is Kind.POINTER:
            self.bits = 64
        elif type_.bits in _INTEGERS:
            self.bits = type_.bits
        else:
            raise UnsupportedConstruct(f"an atomic operation on {type_.bits} bits")
        if self.bits == 64:
            writer.program.needs_int64_atomics()
        address = writer.expression(pointer)
        assert address.space is not None
        if writer.dialect.generic and address.space is Storage.Function:
            raise UnsupportedConstruct("an atomic operation on a thread's own variable behind a call that stays a call")
        flat = not writer.dialect.generic and address.space is not Storage.Workgroup
        self.pointer = writer.in_space(address, Storage.CrossWorkgroup) if flat else address
        self.space = Storage.CrossWorkgroup if flat else address.space

    def at(self, sign: str = "") -> str:
        """Spell the address, for integers without or with a sign."""
        name = (_SIGNED if sign else _INTEGERS)[self.bits]
        if self.writer.dialect.generic:
            name = f"atomic_{name}"
        return f"(volatile {self.writer.spelling.qualifier(self.space)}{name} *){self.pointer.at(UNARY)}"

    def old(self, name: str) -> str:
        """Spell the function of OpenCL C 1.x."""
        return f"{'atomic' if self.bits == 32 else 'atom'}_{name}"

    def bitwise(self, expression: Expression) -> str:
        """Spell a value as an integer of its bits."""
        if self.type.kind is Kind.FLOAT:
            return f"as_{_INTEGERS[self.bits]}({expression.text})"
        return f"(ulong){expression.at(UNARY)}" if self.type.kind is Kind.POINTER else expression.text

    def value(self, text: str) -> tuple[str, int]:
        """Spell an integer as what its bits are."""
        if self.type.kind is Kind.FLOAT:
            return f"as_{_FLOATS[self.bits]}({text})", PRIMARY
        if self.type.kind is Kind.POINTER:
            return f"({self.writer.spelling.value(self.type)}){text}", UNARY
        return text, PRIMARY

    def done(self, instruction: Instruction, text: str) -> None:
        """Add the statement."""
        text, level = self.value(text)
        expression = self.writer.make(text, self.type, level, self.type.storage)
        self.writer.effect(instruction.words[1], expression)


def _ordered(writer: FunctionWriter, words: list[int]) -> str:
    """Spell order and scope, from the words of the scope and of the semantics."""
    where = scope_name(scope(writer.unit, words[0]))
    orders = ["relaxed" if not order(writer.unit, word) & _ORDERED else "seq_cst" for word in words[1:]]
    names = ", ".join(f"(memory_order)memory_order_{name}" for name in orders)
    return f"{names}, (memory_scope){where}"


@handles(*_FETCH, Op.AtomicIIncrement, Op.AtomicIDecrement)
def _fetch(writer: FunctionWriter, instruction: Instruction) -> None:
    words = instruction.words
    type_ = writer.unit.types[words[0]]
    place = _Place(writer, words[2], type_)
    if instruction.opcode in (Op.AtomicIIncrement, Op.AtomicIDecrement):
        name, sign, value = ("add" if instruction.opcode == Op.AtomicIIncrement else "sub"), "", "1"
    else:
        name, sign = _FETCH[Op(instruction.opcode)]
        expression = writer.expression(words[5])
        value = writer.as_signed(expression) if sign else expression.text
    if writer.dialect.generic:
        text = f"atomic_fetch_{name}_explicit({place.at(sign)}, {value}, {_ordered(writer, words[3:5])})"
    else:
        text = f"{place.old(name)}({place.at(sign)}, {value})"
    if sign:
        text = f"as_{_INTEGERS[place.bits]}({text})"
    place.done(instruction, text)


@handles(Op.AtomicExchange)
def _exchange(writer: FunctionWriter, instruction: Instruction) -> None:
    words = instruction.words
    place = _Place(writer, words[2], writer.unit.types[words[0]])
    value = place.bitwise(writer.stored(words[5]))
    if writer.dialect.generic:
        text = f"atomic_exchange_explicit({place.at()}, {value}, {_ordered(writer, words[3:5])})"
    else:
        text = f"{place.old('xchg')}({place.at()}, {value})"
    place.done(instruction, text)


@handles(Op.AtomicCompareExchange, Op.AtomicCompareExchangeWeak)
def _compare_exchange(writer: FunctionWriter, instruction: Instruction) -> None:
    words = instruction.words
    type_ = writer.unit.types[words[0]]
    place = _Place(writer, words[2], type_)
    value, seen = (place.bitwise(writer.stored(word)) for word in words[6:8])
    if not writer.dialect.generic:
        place.done(instruction, f"{place.old('cmpxchg')}({place.at()}, {seen}, {value})")
        return
    writer.settle()
    variable = writer.new_variable("seen", _INTEGERS[place.bits])
    writer.set(variable, seen)
    ordering = _ordered(writer, [words[3], words[4], words[5]])
    variable.scopes.append(writer.scope)
    call = f"atomic_compare_exchange_strong_explicit({place.at()}, &{variable.name}, {value}, {ordering});"
    writer.scope.items.append(call)
    text, level = place.value(variable.name)
    variables = frozenset((variable,))
    writer.values[words[1]] = Expression(text, type_, level, type_.storage, variables=variables, cheap=True)


@handles(Op.AtomicLoad)
def _load(writer: FunctionWriter, instruction: Instruction) -> None:
    words = instruction.words
    place = _Place(writer, words[2], writer.unit.types[words[0]])
    if writer.dialect.generic:
        text = f"atomic_load_explicit({place.at()}, {_ordered(writer, words[3:5])})"
    else:
        text = f"*({place.at()})"
    place.done(instruction, text)


@handles(Op.AtomicStore)
def _store(writer: FunctionWriter, instruction: Instruction) -> None:
    words = instruction.words
    place = _Place(writer, words[0], writer.type_of(words[3]))
    value = place.bitwise(writer.stored(words[3]))
    if writer.dialect.generic:
        writer.statement(f"atomic_store_explicit({place.at()}, {value}, {_ordered(writer, words[1:3])});")
    elif order(writer.unit, words[2]) & _ORDERED:
        writer.statement(f"{place.old('xchg')}({place.at()}, {value});")
    else:
        writer.statement(f"*({place.at()}) = {value};")


@handles(Op.AtomicFAddEXT, Op.AtomicFMinEXT, Op.AtomicFMaxEXT)
def _floating(writer: FunctionWriter, instruction: Instruction) -> None:
    """Write a loop over compare-exchange: no platform's OpenCL C here has these."""
    words = instruction.words
    place = _Place(writer, words[2], writer.unit.types[words[0]])
    operation = {Op.AtomicFAddEXT: "add", Op.AtomicFMinEXT: "min", Op.AtomicFMaxEXT: "max"}[Op(instruction.opcode)]
    helper = writer.program.helpers.atomic_float(operation, place.bits, place.space)
    value = writer.expression(words[5])
    address = f"(volatile {writer.spelling.qualifier(place.space)}{_INTEGERS[place.bits]} *){place.pointer.at(UNARY)}"
    expression = writer.make(f"{helper}({address}, {value.text})", place.type)
    writer.effect(words[1], expression)
