"""Pointers to one or another variable of a thread's own, for Intel's CPU runtime (2026.2).

Where it joins threads in vectors, it lays a variable out for all of them, element by element, and forgets that where a
pointer is chosen by a condition. The result was wrong without a message in kernels such as this one::

    int x[4] = ..., y[4] = ..., *p = t % 3 ? x : y;
    p[n] += 3;
    out[t] = x[n] + y[n];

And in kernels with barriers it keeps the variables of all threads of a block together, and computes a variable's place
anew behind each barrier. Where a phi takes the address of a variable, it does so at the end of one of the ways to the
phi, and all that follows takes the place from there: on the other ways that is the place of another thread, or none.
Results were wrong, or the process crashed::

    if (n) { ...; __syncthreads(); p = x; } else { ...; __syncthreads(); p = y; }

So the addresses that a choice or a phi takes go to memory and back, by volatile accesses. Each way to the same block
has a place of its own there: equal code at the ends of several ways moves to where they meet.

Compilers make such choices themselves from two pointers that a function takes. In a function that is in place of its
call before anything else happens they see that these point to variables, and do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..enumerants import Control, MemoryAccess, Storage
from ..flow import Block, Body
from ..module import Instruction
from ..opcodes import NO_RESULT, Op
from ..operands import CHAINS
from ..outline import Function, Outline

_OWN = (Storage.Function, Storage.Generic)
_CASTS = frozenset({Op.Bitcast, Op.PtrCastToGeneric, Op.GenericCastToPtr, Op.GenericCastToPtrExplicit, Op.CopyObject})
_MOVES = CHAINS | _CASTS | {Op.Phi, Op.Select}
_CHOICES = (Op.Phi, Op.Select, Op.ReturnValue)
_ACCESS = MemoryAccess.Volatile | MemoryAccess.Aligned, 8  # memory operands


def separate_private_pointers(outline: Outline) -> None:
    """Have no choice, and no phi, take the address of a variable of a thread's own."""
    waiting: set[int] = set()  # functions of kernels that have barriers
    for kernel in outline.entries:
        reached = outline.reachable(kernel)
        if any(outline.is_barrier(i) for number in reached for i in outline.functions[number].body):
            waiting.update(reached)
    for function in outline.functions.values():
        if any(i.opcode in _CHOICES for i in function.body):
            _Pointers(outline, function).separate()
    for number in waiting - outline.entries.keys():
        function = outline.functions[number]
        if any(_is_own(outline, parameter.words[0]) for parameter in function.parameters):
            function.definition.words[2] |= Control.Inline


def _is_own(outline: Outline, type_id: int) -> bool:
    """Whether a type is that of pointers which may point to variables of a thread."""
    types = outline.types
    return type_id in types and types.opcode(type_id) == Op.TypePointer and types.storage(type_id) in _OWN


class _Pointers:
    def __init__(self, outline: Outline, function: Function) -> None:
        self.outline, self.body, self.returned = outline, Body(outline, function), function.definition.words[0]
        self.parameters = {i.words[1] for i in function.parameters if _is_own(outline, i.words[0])}
        self.definitions = {
            i.words[1]: i
            for block in self.body.blocks.values()
            for i in (*block.phis, *block.body)
            if i.opcode not in NO_RESULT
        }
        self.places: dict[tuple[int, int], int] = {}
        self.used = self._used()

    def separate(self) -> None:
        for block in self.body.blocks.values():
            self._phis(block)
            self._selections(block)
        self._returns()
        if self.places:
            pointer = self.outline.types.pointer
            self.body.blocks[self.body.entry].body[:0] = [
                Instruction(Op.Variable, [pointer(Storage.Function, type_id), place, Storage.Function])
                for (type_id, _), place in self.places.items()
            ]
            self.body.write()

    def _phis(self, block: Block) -> None:
        ways: dict[int, int] = {}
        for phi in filter(self._chooses, block.phis):
            for at in range(2, len(phi.words), 2):
                way = ways.setdefault(phi.words[at + 1], len(ways))
                phi.words[at] = self._own(self.body.blocks[phi.words[at + 1]], phi.words[0], phi.words[at], way)

    def _selections(self, block: Block) -> None:
        body, block.body = block.body, []
        for i in body:
            if i.opcode == Op.Select and self._chooses(i):
                i.words[3:5] = [self._own(block, i.words[0], i.words[at], at - 3) for at in (3, 4)]
            block.body.append(i)

    def _returns(self) -> None:
        """Let each of several ends return a pointer of its own: they meet where the call was."""
        returns = [block for block in self.body.blocks.values() if block.end.opcode == Op.ReturnValue]
        if len(returns) > 1 and _is_own(self.outline, self.returned):
            for way, block in enumerate(returns):
                block.end.words[0] = self._own(block, self.returned, block.end.words[0], way)

    def _chooses(self, i: Instruction) -> bool:
        return i.words[1] in self.used and _is_own(self.outline, i.words[0])

    def _used(self) -> set[int]:
        """Find the pointers that something else depends on than pointers which nothing uses."""
        waiting = [
            word
            for block in self.body.blocks.values()
            for i in (*block.body, block.end)
            if i.opcode not in _MOVES
            for word in i.words
            if word in self.definitions
        ]
        used = set(waiting)
        for value in waiting:
            definition = self.definitions[value]
            if definition.opcode in _MOVES:
                fresh = {word for word in definition.words[2:] if word in self.definitions} - used
                used |= fresh
                waiting += fresh
        return used

    def _own(self, block: Block, type_id: int, pointer: int, way: int) -> int:
        """Give a pointer as it comes out of memory at the end of a block."""
        if not self._may_be_variable(pointer):
            return pointer
        if (place := self.places.get((type_id, way))) is None:
            place = self.places[type_id, way] = self.outline.module.new_id()
        block.body.append(Instruction(Op.Store, [place, pointer, *_ACCESS]))
        return self.body.put(block, Op.Load, type_id, place, *_ACCESS)

    def _may_be_variable(self, pointer: int) -> bool:
        """Whether a pointer is the address of a variable, or of a part of it, once functions are in place of calls."""
        waiting, seen = [pointer], {pointer}
        for value in waiting:
            if value in self.parameters:
                return True
            definition = self.definitions.get(value)
            if definition is not None:
                if definition.opcode in (Op.Variable, Op.FunctionCall):
                    return True
                fresh = [source for source in _sources(definition) if source not in seen]
                waiting += fresh
                seen.update(fresh)
        return False


def _sources(definition: Instruction) -> Iterator[int]:
    """Say which pointers, but for a phi's, are the same as a value or point to the same variable."""
    if definition.opcode in CHAINS or definition.opcode in _CASTS:
        yield definition.words[2]
    elif definition.opcode == Op.Select:
        yield from definition.words[3:5]
