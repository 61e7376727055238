"""Atomics on generic pointers, of which Intel's CPU runtime supports only some.

They go by global pointers there: on a CPU addresses are one space.
"""

from __future__ import annotations

from .enumerants import Storage
from .module import Instruction
from .opcodes import Op
from .operands import ATOMIC_OPERATIONS
from .outline import Function, Outline

# Atomics without a result, whose pointer comes first.
_PLAIN = frozenset({Op.AtomicStore, Op.AtomicFlagClear})


def place_atomics(outline: Outline) -> None:
    """Cast the generic pointers of atomics to global ones: right where all address spaces are one."""
    for function in outline.functions.values():
        if any(i.opcode in ATOMIC_OPERATIONS for i in function.body):
            _place(outline, function)


def _place(outline: Outline, function: Function) -> None:
    types = outline.types
    of = {i.words[1]: i.words[0] for i in function.parameters}
    body: list[Instruction] = []
    for instruction in function.body:
        if instruction.opcode in ATOMIC_OPERATIONS:
            at = 0 if instruction.opcode in _PLAIN else 2
            pointer = instruction.words[at]
            found = outline.find(pointer)
            kind = of.get(pointer) or (found.words[0] if found is not None else 0)
            if kind in types and types.opcode(kind) == Op.TypePointer and types.storage(kind) == Storage.Generic:
                globally = types.pointer(Storage.CrossWorkgroup, types.pointee(kind))
                made = outline.module.new_id()
                body.append(Instruction(Op.GenericCastToPtr, [globally, made, pointer]))
                instruction.words[at] = made
        body.append(instruction)
    function.body = body
