"""Atomics on a thread's own variables: plain loads and stores, as no other thread reaches such a variable.

OpenCL has atomics on global and shared memory only: Intel's runtime ends with "Symbols not found" for others.
"""

from __future__ import annotations

from ..enumerants import Storage
from ..module import Instruction
from ..opcodes import Op
from ..operands import ATOMIC_OPERATIONS
from ..outline import Function, Outline
from .spaces import Spaces, declared_types

_CHANGES = {
    Op.AtomicIAdd: Op.IAdd, Op.AtomicISub: Op.ISub, Op.AtomicFAddEXT: Op.FAdd, Op.AtomicAnd: Op.BitwiseAnd,
    Op.AtomicOr: Op.BitwiseOr, Op.AtomicXor: Op.BitwiseXor, Op.AtomicIIncrement: Op.IAdd, Op.AtomicIDecrement: Op.ISub,
}  # fmt: skip
# The new value is taken if it compares so with the old one.
_CHOICES = {
    Op.AtomicSMin: Op.SLessThan, Op.AtomicUMin: Op.ULessThan, Op.AtomicSMax: Op.SGreaterThan,
    Op.AtomicUMax: Op.UGreaterThan,
}  # fmt: skip
_COMPARING = frozenset({Op.AtomicCompareExchange, Op.AtomicCompareExchangeWeak})
_BY_ONE = frozenset({Op.AtomicIIncrement, Op.AtomicIDecrement})
_REPLACED = frozenset({Op.AtomicLoad, Op.AtomicStore, Op.AtomicExchange, *_COMPARING, *_CHANGES, *_CHOICES})


def make_own_atomics_plain(outline: Outline) -> None:
    """Replace atomics whose pointer is seen to come from the function's own variables only."""
    shared = declared_types(outline)
    for function in outline.functions.values():
        if any(i.opcode in ATOMIC_OPERATIONS for i in function.body):
            _replace(outline, function, shared)


def _replace(outline: Outline, function: Function, shared: dict[int, int]) -> None:
    spaces = Spaces(outline, function, shared)
    storages = spaces.storages()
    body: list[Instruction] = []
    for i in function.body:
        pointer = i.words[0 if i.opcode == Op.AtomicStore else 2] if i.opcode in _REPLACED else 0
        storage = storages.get(pointer, spaces.storage_of(pointer)) if pointer else None
        body += _plain(outline, i) if storage == Storage.Function else [i]
    function.body = body


def _plain(outline: Outline, i: Instruction) -> list[Instruction]:
    """The loads and stores in place of an atomic; where a pointer is compared, the atomic itself."""
    types = outline.types
    if i.opcode == Op.AtomicStore:
        return [Instruction(Op.Store, [i.words[0], i.words[3]])]
    type_id, old, pointer = i.words[:3]
    load = Instruction(Op.Load, [type_id, old, pointer])
    if i.opcode == Op.AtomicLoad:
        return [load]
    if i.opcode == Op.AtomicExchange:
        return [load, Instruction(Op.Store, [pointer, i.words[5]])]
    new, condition = outline.module.new_id(), outline.module.new_id()
    if i.opcode in _COMPARING:
        if types.opcode(type_id) != Op.TypeInt:
            return [i]
        value, seen = i.words[6:8]
        compare = Instruction(Op.IEqual, [types.get(Op.TypeBool), condition, old, seen])
        change = [compare, Instruction(Op.Select, [type_id, new, condition, value, old])]
    elif i.opcode in _CHOICES:
        value = i.words[5]
        compare = Instruction(_CHOICES[Op(i.opcode)], [types.get(Op.TypeBool), condition, value, old])
        change = [compare, Instruction(Op.Select, [type_id, new, condition, value, old])]
    else:
        value = types.constant(type_id, 1) if i.opcode in _BY_ONE else i.words[5]
        change = [Instruction(_CHANGES[Op(i.opcode)], [type_id, new, old, value])]
    return [load, *change, Instruction(Op.Store, [pointer, new])]
