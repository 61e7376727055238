"""Kernels with arguments in a block of device memory, by address, because a launch cannot pass so many bytes.

For Clang the parameter is a pointer to global memory. A driver accepts for such a parameter only an object of its own
or an address that it knows, so the entry point takes the address as a number. A kernel's function copies each of its
parameters, for it may write to them; Clang leaves that copy out only where it can take the parameter apart. A copy of
64 KiB for each thread, which reads a single element of it, makes such kernels slow or impossible: where nothing writes
to the copy, it is removed, and the kernel reads the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..enumerants import MemoryAccess, Storage
from ..module import Instruction
from ..opcodes import NO_RESULT, ONLY_RESULT, Op
from ..operands import CHAINS, ids, result
from ..outline import Function, Outline

_SAME_ADDRESS = frozenset({Op.Bitcast, Op.PtrCastToGeneric})
_MERGES = frozenset({Op.Phi, Op.Select})
_HINTS = frozenset({Op.LifetimeStart, Op.LifetimeStop})
_COPIES = frozenset({Op.CopyMemory, Op.CopyMemorySized})
_NO_TYPE = NO_RESULT | ONLY_RESULT


def receive(outline: Outline, alignments: Mapping[str, int]) -> dict[str, int]:
    """Make kernels take the address of their block as a number, and read parameters there that they do not write to.

    Parameters
    ----------
    outline : Outline
    alignments : mapping of str to int
        The alignments of the addresses, by entry point; other entry points are left as they are.

    Returns
    -------
    dict of str to int
        By entry point, the bytes of the variables that each thread still has of its own.
    """
    private = {}
    for kernel, entry in outline.entries.items():
        alignment = alignments.get(entry.text(2))
        if alignment is not None:
            function = outline.functions[kernel]
            argument_block = _number(outline, function)
            copies = _Copies(outline, function, argument_block, alignment)
            while copies.drop_copy():
                pass
            private[entry.text(2)] = sum(
                outline.types.layout(outline.types.pointee(i.words[0])).size
                for i in function.body
                if i.opcode == Op.Variable
            )
    return private


def _number(outline: Outline, function: Function) -> int:
    """Turn the first parameter into a number; return the pointer that is converted from it."""
    types = outline.types
    pointer = function.parameters[0]
    type_id, argument_block = pointer.words
    number, address = types.get(Op.TypeInt, 64, 0), outline.module.new_id()
    function.parameters[0] = Instruction(Op.FunctionParameter, [number, address])
    function.body.insert(function.start(), Instruction(Op.ConvertUToPtr, [type_id, argument_block, address]))
    result, _, *others = types.operands(function.definition.words[3])
    function.definition.words[3] = types.get(Op.TypeFunction, result, number, *others)
    # Decorations of a pointer that is a parameter do not hold for a converted pointer.
    outline.annotations = [i for i in outline.annotations if i.words[0] != argument_block]
    outline.decorations.pop(argument_block, None)
    return argument_block


class _Copies:
    """The copies of parameters in one function."""

    def __init__(self, outline: Outline, function: Function, argument_block: int, alignment: int) -> None:
        self.outline, self.types, self.function = outline, outline.types, function
        self.argument_block, self.alignment = argument_block, alignment
        self.bytes = self.types.pointer(Storage.CrossWorkgroup, self.types.get(Op.TypeInt, 8, 0))
        self.kept: set[int] = set()

    def drop_copy(self) -> bool:
        """Put the block's own bytes in place of a variable that only ever holds them; False if there is none."""
        self.type_of = {i.words[1]: i.words[0] for i in _with_results(self.function)}
        self.definitions = {i.words[1]: i for i in _with_results(self.function)}
        self.uses = _uses(self.function)
        for variable in [i for i in self.function.body if i.opcode == Op.Variable]:
            if variable.words[1] in self.kept or len(variable.words) > 3:
                continue
            copy = self._copy(variable)
            offset = None if copy is None else self._offset(copy.words[1])
            walk = _Walk(self.outline)
            if copy is None or offset is None or not walk.only_read(self.function, variable.words[1], copy):
                self.kept.add(variable.words[1])
                continue
            place = self.alignment | offset
            alignment = place & -place
            aligned = self.outline.alignment(variable)
            if aligned > alignment and walk.elsewhere:
                self.kept.add(variable.words[1])
                continue
            self._replace(variable, copy, offset, walk, alignment)
            return True
        return False

    def _copy(self, variable: Instruction) -> Instruction | None:
        """Find the only copy to a variable, of all its bytes; None if there is no such copy."""
        names = {variable.words[1]}
        copies = []
        for name in (waiting := [variable.words[1]]):
            for use in self.uses.get(name, ()):
                if use.opcode == Op.Bitcast and use.words[1] not in names:
                    names.add(use.words[1])
                    waiting.append(use.words[1])
                elif use.opcode in _COPIES and use.words[0] == name:
                    copies.append(use)
        if len(copies) != 1:
            return None
        copy = copies[0]
        size = self.types.layout(self.types.pointee(variable.words[0])).size
        operands = copy.words[3:] if copy.opcode == Op.CopyMemorySized else copy.words[2:]
        if operands and operands[0] & MemoryAccess.Volatile:
            return None
        if copy.opcode == Op.CopyMemorySized:
            return copy if self.types.integer(copy.words[2]) == size else None
        return copy if self.types.layout(self.types.pointee(self.type_of[copy.words[0]])).size == size else None

    def _offset(self, pointer: int) -> int | None:
        """Say how far into the block a pointer points; None if that is not known, or it is not into the block."""
        total = 0
        while pointer != self.argument_block:
            definition = self.definitions.get(pointer)
            if definition is None:
                return None
            if definition.opcode in (Op.PtrAccessChain, Op.InBoundsPtrAccessChain) and len(definition.words) == 4:
                index = self.types.integer(definition.words[3])
                base = self.type_of.get(definition.words[2])
                if index is None or base is None:
                    return None
                total += index * self.types.layout(self.types.pointee(base)).size
            elif definition.opcode not in _SAME_ADDRESS:
                return None
            pointer = definition.words[2]
        return total

    def _replace(self, variable: Instruction, copy: Instruction, offset: int, walk: _Walk, alignment: int) -> None:
        outline, types, function = self.outline, self.types, self.function
        name, type_id = variable.words[1], variable.words[0]
        start: list[Instruction] = []
        address = self.argument_block
        if offset:
            far = types.constant(types.get(Op.TypeInt, 64, 0), offset)
            start.append(Instruction(Op.InBoundsPtrAccessChain, [self.bytes, outline.module.new_id(), address, far]))
            address = start[-1].words[1]
        start.append(Instruction(Op.Bitcast, [self._global(type_id), name, address]))
        for instruction in walk.private:
            instruction.words[0] = self._global(instruction.words[0])
        for access in walk.accesses:
            _clamp(access, alignment)
        removed = {id(copy), id(variable), *map(id, walk.hints)}
        body = [i for i in function.body if id(i) not in removed]
        behind_block = 1 + next(
            place for place, i in enumerate(body) if i.opcode == Op.ConvertUToPtr and i.words[1] == self.argument_block
        )
        function.body = [*body[:behind_block], *start, *body[behind_block:]]
        outline.annotations = [i for i in outline.annotations if i.words[0] != name]
        outline.decorations.pop(name, None)

    def _global(self, type_id: int) -> int:
        return self.types.pointer(Storage.CrossWorkgroup, self.types.pointee(type_id))


class _Walk:
    """The uses of a variable's address."""

    def __init__(self, outline: Outline) -> None:
        self.outline, self.types = outline, outline.types
        # instructions that derive pointers to private memory from it: their types change with its type
        self.private: list[Instruction] = []
        self.accesses: list[Instruction] = []  # loads, and copies from there
        self.hints: list[Instruction] = []  # instructions that say how long it lives
        self.elsewhere = False  # whether functions that are called read it
        self._seen: set[tuple[int, int]] = set()

    def only_read(self, function: Function, address: int, copy: Instruction | None = None) -> bool:
        """Whether nothing but `copy` writes there, and the address goes nowhere where that could not be seen."""
        uses = _uses(function)
        waiting = [address]
        while waiting:
            name = waiting.pop()
            if (function.id, name) in self._seen:
                continue
            self._seen.add((function.id, name))
            for use in uses.get(name, ()):
                if use is copy:
                    if name == use.words[1]:
                        return False
                elif use.opcode in _HINTS:
                    self.hints.append(use)
                elif use.opcode == Op.Load or (use.opcode in _COPIES and use.words[0] != name):
                    self.accesses.append(use)
                elif use.opcode in CHAINS | _SAME_ADDRESS | _MERGES:
                    if not self._derived(use, name):
                        return False
                    waiting.append(use.words[1])
                elif use.opcode == Op.FunctionCall:
                    if not self._called(use, name):
                        return False
                elif use.opcode not in (Op.Name, Op.Decorate):
                    return False
        return True

    def _derived(self, use: Instruction, name: int) -> bool:
        """Note a pointer that is derived from the address; False if it cannot be followed."""
        type_id = use.words[0]
        if use.opcode in CHAINS and name != use.words[2]:
            return False
        if type_id not in self.types or self.types.opcode(type_id) != Op.TypePointer:
            return False
        if self.types.storage(type_id) == Storage.Function:
            if use.opcode in _MERGES:
                return False  # the others that it may be stay private
            self.private.append(use)
        return True

    def _called(self, call: Instruction, name: int) -> bool:
        """Whether a function that gets the address only reads there."""
        callee = self.outline.functions[call.words[2]]
        if not callee.body:
            return False
        self.elsewhere = True
        for argument, parameter in zip(call.words[3:], callee.parameters, strict=True):
            if argument == name:
                if self.types.storage(parameter.words[0]) != Storage.Generic:
                    return False
                if not self.only_read(callee, parameter.words[1]):
                    return False
        return True


def _with_results(function: Function) -> Iterable[Instruction]:
    return [i for i in [*function.parameters, *function.body] if i.opcode not in _NO_TYPE and len(i.words) > 1]


def _uses(function: Function) -> dict[int, list[Instruction]]:
    """List the uses of each id in a function."""
    uses: dict[int, list[Instruction]] = {}
    for instruction in function.body:
        words = instruction.words
        defined = result(instruction.opcode, words)
        for word in {words[place] for place in ids(instruction.opcode, words)} - {defined}:
            uses.setdefault(word, []).append(instruction)
    return uses


def _clamp(access: Instruction, alignment: int) -> None:
    """Lower the alignment that an access promises: a variable's may be more than the block's."""
    place = {Op.Load: 3, Op.CopyMemorySized: 3, Op.CopyMemory: 2}[Op(access.opcode)]
    if len(access.words) > place + 1 and access.words[place] & MemoryAccess.Aligned:
        access.words[place + 1] = min(access.words[place + 1], alignment)
