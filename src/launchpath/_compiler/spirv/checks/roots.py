"""Where the pointers of a function come from: a variable, a parameter, or a value that is not known before it runs.

A pointer is traced back through access chains and casts to its **root**. A phi or a select whose ways have the same
root has that root too, so pointers that move in a loop keep the root of their start; where the ways differ, it is a
root of its own.
"""

from __future__ import annotations

from ..enumerants import Storage
from ..globals.hidden import GLOBALS
from ..module import Instruction
from ..opcodes import NO_RESULT, ONLY_RESULT, Op
from ..operands import CHAINS
from ..outline import Function, Outline

_FROM_POINTER = frozenset({Op.PtrAccessChain, Op.InBoundsPtrAccessChain})
_CASTS = frozenset({
    Op.Bitcast, Op.PtrCastToGeneric, Op.GenericCastToPtr, Op.GenericCastToPtrExplicit, Op.CopyObject, Op.ConvertUToPtr,
    Op.ConvertPtrToU,
})  # fmt: skip
_SUMS = frozenset({Op.IAdd, Op.ISub})
MERGES = frozenset({Op.Phi, Op.Select})
_DEEPEST = 100  # sums of sums; an address that is more is looked up
_UNTYPED = NO_RESULT | ONLY_RESULT


class Roots:
    """The roots of a function's pointers.

    Parameters
    ----------
    outline : Outline
    function : Function
    shared : dict of int by int
        The types of the module's constants and variables.
    """

    def __init__(self, outline: Outline, function: Function, shared: dict[int, int]) -> None:
        self._outline, self._types = outline, outline.types
        self.type_of = dict(shared)
        self.definitions: dict[int, Instruction] = {}
        for i in [*function.parameters, *function.body]:
            if i.opcode not in _UNTYPED and len(i.words) > 1:
                self.type_of[i.words[1]] = i.words[0]
                self.definitions[i.words[1]] = i
        # The variables in the block of globals are roots, and the block is none.
        self.globals_block = next((i.words[1] for i in function.parameters if outline.name(i.words[1]) == GLOBALS), 0)
        self._addresses: dict[int, bool] = {}
        self._merged: dict[int, int | None] = {
            i.words[1]: None for i in function.body if i.opcode in MERGES and self.is_pointer(i.words[1])
        }
        self._settle()

    def is_pointer(self, value: int) -> bool:
        """Whether a value is a pointer."""
        type_id = self.type_of.get(value, 0)
        return type_id in self._types and self._types.opcode(type_id) == Op.TypePointer

    def storage(self, pointer: int) -> int:
        """Give the storage class that a pointer's type names."""
        return self._types.storage(self.type_of[pointer])

    def definition(self, value: int) -> Instruction | None:
        """Find the definition of a value, in the function or in the module."""
        return self.definitions.get(value) or self._outline.declared.get(value)

    def root(self, value: int) -> int | None:
        """Give a value's root; None while a loop of phis is not settled."""
        while True:
            base = self._base(value)
            if base is None:
                return self._merged.get(value, value)
            value = base

    def offset(self, pointer: int) -> int | None:
        """Say how far from its root a pointer points, in bytes; None if that is not known before the function runs."""
        total = 0
        while (base := self._base(pointer)) is not None:
            definition = self.definition(pointer)
            if definition is None or definition.opcode in _SUMS or definition.opcode == Op.SpecConstantOp:
                return None
            if definition.opcode in CHAINS:
                step = self.step(definition)
                if step is None:
                    return None
                total += step
            pointer = base
        return None if pointer in self._merged else total

    def _settle(self) -> None:
        """Find the roots of merges; optimistically, so that loops do not stand in their own way."""
        changed = True
        while changed:
            changed = False
            for merge, root in self._merged.items():
                if root == merge:
                    continue
                ways = {self.root(way) for way in self.ways(self.definitions[merge])} - {None, merge}
                now = root if not ways else ways.pop() if len(ways) == 1 else merge
                if now != root:
                    self._merged[merge] = merge if root is not None else now
                    changed = True

    def ways(self, merge: Instruction) -> list[int]:
        """List the values that a phi or a select chooses from."""
        return merge.words[2::2] if merge.opcode == Op.Phi else merge.words[3:5]

    def _base(self, value: int) -> int | None:
        """Give the pointer, or the number, that a value is calculated from; None if it is a root or a merge."""
        definition = self.definition(value)
        if definition is None or self.globals_block in definition.words[2:3]:
            return None
        opcode, words = definition.opcode, definition.words
        if opcode in CHAINS or opcode in _CASTS:
            return words[2] if opcode in CHAINS or self._is_address(words[2]) else None
        if opcode in _SUMS:
            addresses = [word for word in words[2:4] if self._is_address(word)]
            return addresses[0] if len(addresses) == 1 else None
        if opcode == Op.SpecConstantOp and (words[2] in CHAINS or words[2] in _CASTS):
            return words[3]
        return None

    def _is_address(self, value: int, depth: int = 0) -> bool:
        """Whether a value is a pointer, or a number that is calculated from one; known ones are kept."""
        is_address = self._addresses.get(value)
        if is_address is None:
            is_address = self.is_pointer(value) or self._is_calculated(value, depth + 1)
            self._addresses[value] = is_address
        return is_address

    def _is_calculated(self, value: int, depth: int) -> bool:
        definition = self.definition(value)
        if definition is None or depth > _DEEPEST:
            return False
        if definition.opcode in _SUMS:
            left, right = definition.words[2:4]
            return self._is_address(left, depth) != self._is_address(right, depth)
        return definition.opcode == Op.ConvertPtrToU

    def step(self, chain: Instruction) -> int | None:
        """Give the bytes that an access chain goes."""
        types = self._types
        pointee = types.pointee(self.type_of[chain.words[2]])
        indices = [self._index(word) for word in chain.words[3:]]
        total = 0
        if chain.opcode in _FROM_POINTER:
            first = indices.pop(0)
            if first is None:
                return None
            total = first * types.layout(pointee).size
        for index in indices:
            if index is None:
                return None
            step, pointee = types.offset(pointee, index)
            total += step
        return total

    def _index(self, value: int) -> int | None:
        """Give the value of an integer constant, signed."""
        number = self._types.integer(value)
        if number is None:
            declared = self._outline.declared.get(value)
            return 0 if declared is not None and declared.opcode == Op.ConstantNull else None
        bits = self._types.operands(self.type_of[value])[0] if value in self.type_of else 64
        return number - (1 << bits) if number >> (bits - 1) else number


def is_private(outline: Outline, roots: Roots, root: int) -> bool:
    """Whether a root is memory of a thread's own, or the packed arguments."""
    definition = roots.definition(root)
    if definition is None or not roots.is_pointer(root):
        return False
    storage = roots.storage(root)
    return storage in (Storage.Function, Storage.Input, Storage.Private) and definition.opcode in (
        Op.Variable, Op.FunctionParameter,
    )  # fmt: skip
