"""Expressions in the written text."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

from ...spirv.enumerants import Storage
from ..module.types import Type

# How tightly an expression binds: C's precedence, the tightest first.
PRIMARY, UNARY, MULTIPLY, ADD, SHIFT, RELATION, EQUALITY, AND, XOR, OR, CONDITION, ASSIGN = range(12)


@dataclass(slots=True, eq=False)
class Variable:
    """A variable of a function in the written text."""

    name: str
    spelling: str  # of its type
    # it is assigned wherever control comes to its block: an expression that names it must not be kept beyond that
    is_phi: bool = False
    scopes: list[object] = field(default_factory=list)  # the braces in which it is set or used
    sets: int = 0  # in how many places it is set
    declared: bool = False  # whether its declaration stands apart from what sets it


@dataclass(slots=True)
class Expression:
    """An expression."""

    text: str
    type: Type  # the type in SPIR-V of its value
    level: int = PRIMARY  # how tightly it binds
    space: Storage | None = None  # the address space that a pointer is spelled with
    target: str = ""  # of a pointer: what it points to, as an lvalue, where that is shorter than ``*text``
    reads: bool = False  # it reads memory: it must not be moved over a write
    variables: frozenset[Variable] = frozenset()  # the variables in it
    cheap: bool = False  # it may be written again at every use
    positive: bool = False  # an integer that is not negative when taken as signed
    shifted: tuple[int, Expression] | None = None  # it is this expression shifted left by so many bits
    parts: tuple[Expression, ...] = ()  # a vector's elements, where they are known
    # the same number as a signed integer, where that needs no cast of the whole. It binds as a cast does
    signed: str = ""
    whole: str = ""  # of a number of threads of a block: the same number in 64 bits. It is below 2**31

    def at(self, level: int) -> str:
        """Give the text, in parentheses if it binds less tightly than that."""
        return self.text if self.level <= level else f"({self.text})"


def integer(value: int, bits: int) -> str:
    """Spell an unsigned constant."""
    value &= (1 << bits) - 1
    number = f"0x{value:x}" if value > 0xFFFF else str(value)
    return number + ("ul" if bits == 64 else "u" if bits == 32 else "")


def signed_integer(value: int, bits: int) -> str:
    """Spell a signed constant."""
    if bits == 64:
        return f"{value}l" if value > -(1 << 63) else "(-0x7fffffffffffffffl - 1)"
    return str(value) if value > -(1 << 31) else "(-0x7fffffff - 1)"


def float_value(bits: int, width: int) -> float:
    """Give the number that these bits stand for."""
    number: float = struct.unpack({16: "<e", 32: "<f", 64: "<d"}[width], bits.to_bytes(width // 8, "little"))[0]
    return number


def floating(bits: int, width: int) -> str:
    """Spell a floating-point constant exactly."""
    value = float_value(bits, width)
    name = {16: "half", 32: "float", 64: "double"}[width]
    if not math.isfinite(value):
        unsigned = {16: "ushort", 32: "uint", 64: "ulong"}[width]
        return f"as_{name}(({unsigned}){integer(bits, width)})" if width == 16 else f"as_{name}({integer(bits, width)})"
    text = repr(value)
    if width != 64:
        pack = "<e" if width == 16 else "<f"
        text = next(
            candidate
            for candidate in (f"{value:.{digits}g}" for digits in range(1, 18))
            if _packs(candidate, pack, value)
        )
    if not any(mark in text for mark in ".en"):
        text += ".0"
    return text + {16: "h", 32: "f", 64: ""}[width]


def _packs(text: str, pack: str, value: float) -> bool:
    try:
        return struct.pack(pack, float(text)) == struct.pack(pack, value)
    except OverflowError:  # rounded up beyond the largest
        return False


def constant_floating(bits: int, width: int) -> str:
    """Spell a floating-point constant where C wants a constant expression."""
    value = float_value(bits, width)
    suffix = {16: "h", 32: "f", 64: ""}[width]
    if math.isnan(value):
        return f"(0.0{suffix} / 0.0{suffix})"
    if math.isinf(value):
        return f"({'-' if value < 0 else ''}1.0{suffix} / 0.0{suffix})"
    return floating(bits, width)
