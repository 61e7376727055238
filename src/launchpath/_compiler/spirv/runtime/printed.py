"""Widths and precisions that printf takes from arguments, ``%*d`` and ``%.*f``: OpenCL's printf has none.

Where they are constants they become part of the format. Else the thread writes the format, with the numbers in it, into
memory of its own before the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..enumerants import Decoration, Storage
from ..module import Instruction
from ..opcodes import NO_RESULT, ONLY_RESULT, STD, Op
from ..operands import CHAINS
from ..outline import Function, Outline

CONVERSION = re.compile(rb"%([-+ #0]*)(\*|\d*)((?:\.(?:\*|\d*))?)(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
FORMAT = "lp_format"  # begins the names of formats that threads write
_SET, _PRINTF = "OpenCL.std", STD["printf"]
_POINTERS = frozenset({Op.Bitcast, Op.PtrCastToGeneric, Op.CopyObject})
_UNTYPED = NO_RESULT | ONLY_RESULT
_MOST = 9999  # which has as many digits as are written
# C's lengths in OpenCL's: its long has 64 bits.
LENGTHS = {b"ll": b"l", b"j": b"l", b"z": b"l", b"t": b"l", b"q": b"l", b"L": b""}


def put_widths_into_formats(outline: Outline) -> None:
    """Rewrite the calls of printf that take widths or precisions from arguments."""
    sets = {i.words[0] for i in outline.header if i.opcode == Op.ExtInstImport and i.text(1) == _SET}
    for function in outline.functions.values():
        calls = [i for i in function.body if i.opcode == Op.ExtInst and i.words[3] == _PRINTF and i.words[2] in sets]
        if calls:
            _rewrite(outline, function, calls)


def _rewrite(outline: Outline, function: Function, calls: list[Instruction]) -> None:
    defined = {i.words[1]: i for i in function.body if i.opcode in _POINTERS or i.opcode in CHAINS}
    replaced: dict[int, list[Instruction]] = {}
    for call in calls:
        text = _literal(outline, defined, call.words[4])
        if text is not None and any(b"*" in conversion[0] for conversion in CONVERSION.finditer(text)):
            replaced[call.words[1]] = _Call(outline, function, call, text).written()
    if replaced:
        function.body = [new for i in function.body for new in _instead(i, replaced)]


def _instead(i: Instruction, replaced: dict[int, list[Instruction]]) -> list[Instruction]:
    return replaced.get(i.words[1], [i]) if i.opcode == Op.ExtInst else [i]


def _literal(outline: Outline, defined: dict[int, Instruction], pointer: int) -> bytes | None:
    """Give the text of the literal that a pointer points to; None if it is not seen."""
    while (i := defined.get(pointer)) is not None:
        if i.opcode in CHAINS and any(outline.types.integer(word) != 0 for word in i.words[3:]):
            return None
        pointer = i.words[2]
    variable = outline.declared.get(pointer)
    if variable is None or variable.opcode != Op.Variable or len(variable.words) < 4:
        return None
    value = outline.declared[variable.words[3]]
    if value.opcode != Op.ConstantComposite:
        return None
    numbers = [outline.types.integer(word) or 0 for word in value.words[2:]]
    return bytes(number & 0xFF for number in numbers).split(b"\0")[0]


class _Call:
    """A call of printf, and what is written in its place."""

    def __init__(self, outline: Outline, function: Function, call: Instruction, text: bytes) -> None:
        self.outline, self.types, self.function, self.call, self.text = outline, outline.types, function, call, text
        self.byte, self.number, self.size = (self.types.get(Op.TypeInt, bits, 0) for bits in (8, 32, 64))
        self.arguments = list(call.words[5:])
        self.kept: list[int] = []
        self.body: list[Instruction] = []

    def written(self) -> list[Instruction]:
        """Give the call with another format, and what it needs before."""
        parts = [*self._parts()]
        if all(isinstance(part, bytes) for part in parts):
            pointer = self._constant(b"".join(part for part in parts if isinstance(part, bytes)))
        else:
            pointer = self._memory(parts)
            self.kept, self.arguments = ([*map(self._as_value, some)] for some in (self.kept, self.arguments))
        return [*self.body, Instruction(Op.ExtInst, [*self.call.words[:4], pointer, *self.kept, *self.arguments])]

    def _parts(self) -> Iterator[bytes | tuple[str, int]]:
        """The parts of the format: text, and widths and precisions as the arguments that have them."""
        end = 0
        for conversion in CONVERSION.finditer(self.text):
            flags, width, precision, length, letter = conversion.groups()
            yield self.text[end : conversion.start()]
            end = conversion.end()
            if letter == b"%":
                yield conversion[0]
                continue
            if width == b"*":
                # PoCL takes each flag once, and zeros beside a minus as well: C leaves them out.
                role = "width" if b"-" in flags else "width of zeros" if b"0" in flags else "signed width"
                yield b"%" + flags.replace(b"0", b"")
                yield self._argument(role)
            else:
                yield b"%" + flags + width
            yield self._argument("precision") if precision == b".*" else precision
            yield LENGTHS.get(length or b"", length or b"") + letter
            self.kept += self.arguments[:1]
            del self.arguments[:1]
        yield self.text[end:]

    def _argument(self, role: str) -> bytes | tuple[str, int]:
        """The next argument: a constant as text, else its id."""
        if not self.arguments:
            return b""
        argument = self.arguments.pop(0)
        constant = self.outline.declared.get(argument)
        value = 0 if constant is not None and constant.opcode == Op.ConstantNull else self.types.integer(argument)
        if value is None:
            return role, argument
        value = (value & 0xFFFFFFFF ^ 1 << 31) - (1 << 31)
        if role == "precision":
            return b".%d" % value if value >= 0 else b""
        flag = b"" if role == "width" else b"-" if value < 0 else b"0" if role == "width of zeros" else b""
        return b"%s%d" % (flag, abs(value)) if value else b""

    def _constant(self, text: bytes) -> int:
        """Declare a format, and give its address."""
        array = self.types.get(Op.TypeArray, self.byte, self.types.constant(self.number, len(text) + 1))
        numbers = [self.types.constant(self.byte, number) for number in text + b"\0"]
        value, variable = self.outline.module.new_id(), self.outline.module.new_id()
        kind = self.types.pointer(Storage.UniformConstant, array)
        self.types.added += [
            Instruction(Op.ConstantComposite, [array, value, *numbers]),
            Instruction(Op.Variable, [kind, variable, Storage.UniformConstant, value]),
        ]
        self.outline.annotations.append(Instruction(Op.Decorate, [variable, Decoration.Constant]))
        pointer = self.types.pointer(Storage.UniformConstant, self.byte)
        zero = self.types.constant(self.size, 0)
        return self._add(Op.InBoundsPtrAccessChain, pointer, variable, zero, zero)

    def _memory(self, parts: list[bytes | tuple[str, int]]) -> int:
        """Write the format to memory of the thread, and give its address."""
        digits = len(str(_MOST)) + 1
        count = sum(len(part) if isinstance(part, bytes) else digits for part in parts) + 1
        array = self.types.get(Op.TypeArray, self.byte, self.types.constant(self.number, count))
        variable = self.outline.module.new_id()
        kind = self.types.pointer(Storage.Function, array)
        self.function.body.insert(1, Instruction(Op.Variable, [kind, variable, Storage.Function]))
        self.outline.set_name(variable, f"{FORMAT}_{variable}")
        place = self.types.constant(self.size, 0)
        for part in [*parts, b"\0"]:
            if isinstance(part, bytes):
                for byte in part:
                    place = self._put(variable, place, self.types.constant(self.byte, byte))
            else:
                place = self._number(variable, place, *part)
        return self._address(variable, self.types.constant(self.size, 0))

    def _number(self, variable: int, place: int, role: str, argument: int) -> int:
        """Write a width or a precision as a number, and give the place behind it.

        A negative width is a minus flag and a width; a negative precision counts as none.
        """
        number = self._as_number(argument)
        zero = self.types.constant(self.number, 0)
        is_negative = self._add(Op.SLessThan, self.types.get(Op.TypeBool), number, zero)
        opposite = self._add(Op.ISub, self.number, zero, number)
        minus, nought = (self.types.constant(self.byte, ord(flag)) for flag in "-0")
        if role == "signed width":
            place = self._put(variable, place, minus, is_negative)
        elif role == "width of zeros":
            place = self._put(variable, place, self._add(Op.Select, self.byte, is_negative, minus, nought))
        number = self._choose(is_negative, zero if role == "precision" else opposite, number)
        if role == "precision":
            is_given = self._add(Op.SGreaterThanEqual, self.types.get(Op.TypeBool), self._as_number(argument), zero)
            place = self._put(variable, place, self.types.constant(self.byte, ord(".")), is_given)
        most = self.types.constant(self.number, _MOST)
        is_more = self._add(Op.UGreaterThan, self.types.get(Op.TypeBool), number, most)
        number = self._choose(is_more, most, number)
        for unit in (1000, 100, 10, 1):
            quotient = self._add(Op.UDiv, self.number, number, self.types.constant(self.number, unit))
            digit = self._add(Op.UMod, self.number, quotient, self.types.constant(self.number, 10))
            character = self._add(Op.IAdd, self.number, digit, self.types.constant(self.number, ord("0")))
            # A zero in front would be a flag; a precision of 0 is left as the point alone, which is the same.
            is_written = self._add(Op.UGreaterThan, self.types.get(Op.TypeBool), quotient, zero)
            place = self._put(variable, place, self._add(Op.UConvert, self.byte, character), is_written)
        return place

    def _as_number(self, argument: int) -> int:
        """The argument in 32 bits: an int, as C asks for, or a wider one, as programs pass."""
        return self._add(Op.UConvert, self.number, argument) if self._type(argument) == self.size else argument

    def _as_value(self, argument: int) -> int:
        """The argument, a pointer as its address: Intel's runtime has no printf for a written format and pointers."""
        kind = self._type(argument)
        is_pointer = kind in self.types and self.types.opcode(kind) == Op.TypePointer
        return self._add(Op.ConvertPtrToU, self.size, argument) if is_pointer else argument

    def _type(self, argument: int) -> int:
        """The type of a value of the function, or of a constant; 0 if it is not found."""
        places = [*self.function.parameters, *self.function.body, *self.outline.declarations]
        return next((i.words[0] for i in places if i.opcode not in _UNTYPED and i.words[1:2] == [argument]), 0)

    def _put(self, variable: int, place: int, byte: int, condition: int = 0) -> int:
        """Store a byte, and give the next place; under a condition the next byte may take the place."""
        self.body.append(Instruction(Op.Store, [self._address(variable, place), byte]))
        one_byte = self.types.constant(self.size, 1)
        step = one_byte
        if condition:
            step = self._add(Op.Select, self.size, condition, one_byte, self.types.constant(self.size, 0))
        elif (number := self.types.integer(place)) is not None:
            return self.types.constant(self.size, number + 1)
        return self._add(Op.IAdd, self.size, place, step)

    def _address(self, variable: int, place: int) -> int:
        return self._add(Op.InBoundsAccessChain, self.types.pointer(Storage.Function, self.byte), variable, place)

    def _choose(self, condition: int, yes: int, no: int) -> int:
        return self._add(Op.Select, self.number, condition, yes, no)

    def _add(self, opcode: Op, kind: int, *operands: int) -> int:
        result = self.outline.module.new_id()
        self.body.append(Instruction(opcode, [kind, result, *operands]))
        return result
