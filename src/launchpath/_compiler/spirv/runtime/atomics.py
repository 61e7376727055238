"""Atomics on generic pointers, of which Intel's CPU runtime supports only some.

They take global pointers there: on a CPU all addresses are in a single space.
"""

from __future__ import annotations

from ..enumerants import Storage
from ..module import Instruction
from ..opcodes import Op
from ..operands import ATOMIC_OPERATIONS
from ..outline import Function, Outline

# Atomics without a result, whose pointer comes first.
_PLAIN = frozenset({Op.AtomicStore, Op.AtomicFlagClear})


def place_atomics(outline: Outline) -> None:
    """Cast the generic pointers of atomics to global pointers: right where all classes share an address space."""
    for function in outline.functions.values():
        if any(i.opcode in ATOMIC_OPERATIONS for i in function.body):
            _place(outline, function)


def _place(outline: Outline, function: Function) -> None:
    types = outline.types
    parameter_types = {i.words[1]: i.words[0] for i in function.parameters}
    body: list[Instruction] = []
    for instruction in function.body:
        if instruction.opcode in ATOMIC_OPERATIONS:
            place = 0 if instruction.opcode in _PLAIN else 2
            pointer = instruction.words[place]
            definition = outline.find(pointer)
            kind = parameter_types.get(pointer) or (definition.words[0] if definition is not None else 0)
            if kind in types and types.opcode(kind) == Op.TypePointer and types.storage(kind) == Storage.Generic:
                global_type = types.pointer(Storage.CrossWorkgroup, types.pointee(kind))
                global_pointer = outline.module.new_id()
                body.append(Instruction(Op.GenericCastToPtr, [global_type, global_pointer, pointer]))
                instruction.words[place] = global_pointer
        body.append(instruction)
    function.body = body
