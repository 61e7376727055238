"""A module's types, their sizes, and the offsets of their members."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .enumerants import Decoration, Storage
from .module import Instruction, Module, SpirvError
from .opcodes import Op

POINTER_BYTES = 8
_MOST_BITS = 128


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a type's parts lie."""

    size: int  # in bytes, trailing padding included: the distance between an array's elements
    alignment: int
    offsets: tuple[int, ...] = ()  # of a structure's members


def align(number: int, alignment: int) -> int:
    """Round up to a multiple of a power of two."""
    return (number + alignment - 1) & -alignment


class Types:
    """The types of a module: sizes as LLVM's data layout for ``spirv64`` gives them, new types where passes need them.

    Parameters
    ----------
    module : Module
        For new ids.
    declarations : iterable of Instruction
        Types, constants and variables, in order.
    decorations : iterable of Instruction
        For ``CPacked``.
    """

    def __init__(
        self, module: Module, declarations: Iterable[Instruction], decorations: Iterable[Instruction] = ()
    ) -> None:
        self._module = module
        self._by_id: dict[int, Instruction] = {}
        self._ids: dict[tuple[int, ...], int] = {}
        self._values: dict[int, int] = {}
        self._layouts: dict[int, Layout] = {}
        self._packed = {i.words[0] for i in decorations if i.words[1] == Decoration.CPacked}
        self.added: list[Instruction] = []
        for declaration in declarations:
            opcode, words = declaration.opcode, declaration.words
            if opcode == Op.Constant:
                self._values[words[1]] = value(words)
                self._ids.setdefault((opcode, words[0], *words[2:]), words[1])
            elif Op.TypeVoid <= opcode < Op.TypeForwardPointer:
                self._by_id[words[0]] = declaration
                self._ids.setdefault((opcode, *words[1:]), words[0])

    def __contains__(self, type_id: int) -> bool:
        return type_id in self._by_id

    def opcode(self, type_id: int) -> int:
        """Give the opcode that declares a type."""
        return self._by_id[type_id].opcode

    def operands(self, type_id: int) -> list[int]:
        """Give what follows the id in a type's declaration."""
        return self._by_id[type_id].words[1:]

    def integer(self, constant: int) -> int | None:
        """Give the value of an integer constant, unsigned; None if the id is none."""
        return self._values.get(constant)

    def storage(self, pointer: int) -> int:
        """Give the storage class that a pointer type points to."""
        return self._by_id[pointer].words[1]

    def pointee(self, pointer: int) -> int:
        """Give the type that a pointer type points to."""
        return self._by_id[pointer].words[2]

    def element(self, type_id: int, index: int = 0) -> int:
        """Give the type of an array's or vector's element, or of a structure's member."""
        declared = self._by_id[type_id]
        return declared.words[1 + index] if declared.opcode == Op.TypeStruct else declared.words[1]

    def layout(self, type_id: int) -> Layout:
        """Lay a type out."""
        layout = self._layouts.get(type_id)
        if layout is None:
            layout = self._layouts[type_id] = self._lay_out(type_id)
        return layout

    def _lay_out(self, type_id: int) -> Layout:
        declared = self._by_id[type_id]
        words = declared.words
        match declared.opcode:
            case Op.TypeBool:
                return Layout(1, 1)
            case Op.TypeInt | Op.TypeFloat:
                if not 0 < words[1] <= _MOST_BITS:
                    raise SpirvError(f"a number of {words[1]} bits")
                size = words[1] // 8
                return Layout(size, size)
            case Op.TypePointer:
                return Layout(POINTER_BYTES, POINTER_BYTES)
            case Op.TypeVector:
                # Three elements take the room of four: LLVM's layout rounds a vector up to a power of two.
                size = 1 << (self.layout(words[1]).size * words[2] - 1).bit_length()
                return Layout(size, size)
            case Op.TypeArray:
                element = self.layout(words[1])
                return Layout(element.size * self._values[words[2]], element.alignment)
            case Op.TypeStruct:
                return self._structure(words)
        raise SpirvError(f"type {type_id} has no size")

    def _structure(self, words: list[int]) -> Layout:
        end, strictest, offsets = 0, 1, []
        packed = words[0] in self._packed
        for member in map(self.layout, words[1:]):
            alignment = 1 if packed else member.alignment
            end = align(end, alignment)
            offsets.append(end)
            end += member.size
            strictest = max(strictest, alignment)
        return Layout(align(end, strictest), strictest, tuple(offsets))

    def offset(self, type_id: int, index: int) -> tuple[int, int]:
        """Give where element or member `index` of a type lies, and its type."""
        declared = self._by_id[type_id]
        if declared.opcode == Op.TypeStruct:
            return self.layout(type_id).offsets[index], declared.words[1 + index]
        return index * self.layout(declared.words[1]).size, declared.words[1]

    def contains(self, type_id: int, opcodes: frozenset[int] | set[int]) -> bool:
        """Whether a type is one of those wanted, or has a part (not behind a pointer) that is."""
        if type_id in opcodes:
            return True
        declared = self._by_id[type_id]
        match declared.opcode:
            case Op.TypeVector | Op.TypeArray:
                return self.contains(declared.words[1], opcodes)
            case Op.TypeStruct:
                return any(self.contains(member, opcodes) for member in declared.words[1:])
        return False

    def get(self, opcode: Op, *operands: int) -> int:
        """Find a type, or declare it (in `added`)."""
        return self._declare((opcode, *operands), 0)

    def pointer(self, storage: Storage, pointee: int) -> int:
        """Find or declare a pointer type."""
        return self.get(Op.TypePointer, storage, pointee)

    def constant(self, type_id: int, number: int) -> int:
        """Find or declare an integer constant of 32 or 64 bits."""
        high = (number >> 32,) if self.operands(type_id)[0] > 32 else ()
        constant = self._declare((Op.Constant, type_id, number & 0xFFFFFFFF, *high), 1)
        self._values[constant] = number
        return constant

    def true(self) -> int:
        """Find or declare the constant that is true."""
        return self._declare((Op.ConstantTrue, self.get(Op.TypeBool)), 1)

    def null(self, type_id: int) -> int:
        """Declare the constant of a type that is all zeros."""
        return self._declare((Op.ConstantNull, type_id), 1)

    def _declare(self, key: tuple[int, ...], place: int) -> int:
        type_id = self._ids.get(key)
        if type_id is None:
            type_id = self._ids[key] = self._module.new_id()
            declaration = Instruction(key[0], list(key[1:]))
            declaration.words.insert(place, type_id)
            self.added.append(declaration)
            if place == 0:
                self._by_id[type_id] = declaration
        return type_id


def value(words: list[int]) -> int:
    """Give the bits of an ``OpConstant``."""
    number = 0
    for place, word in enumerate(words[2:]):
        number |= word << 32 * place
    return number
