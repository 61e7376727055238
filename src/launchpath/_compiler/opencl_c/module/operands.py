"""The words of an instruction that are ids of values that it uses."""

from __future__ import annotations

from ...spirv.module import Instruction
from ...spirv.opcodes import Op
from .types import Type

_SLICES = {
    Op.Load: slice(2, 3),
    Op.Store: slice(0, 2),
    Op.CopyMemory: slice(0, 2),
    Op.CopyMemorySized: slice(0, 3),
    Op.CompositeExtract: slice(2, 3),
    Op.CompositeInsert: slice(2, 4),
    Op.VectorShuffle: slice(2, 4),
    Op.ExtInst: slice(4, None),
    Op.Phi: slice(2, None, 2),
    Op.FunctionCall: slice(3, None),
    Op.Branch: slice(0, 0),
    Op.BranchConditional: slice(0, 1),
    Op.Switch: slice(0, 1),
    Op.LifetimeStart: slice(0, 1),
    Op.LifetimeStop: slice(0, 1),
    Op.Undef: slice(0, 0),
    Op.AsmCallINTEL: slice(3, None),
}
_NO_RESULT = frozenset(
    {Op.ReturnValue, Op.Return, Op.Unreachable, Op.ControlBarrier, Op.MemoryBarrier, Op.AtomicStore,
     Op.AtomicFlagClear, Op.AssumeTrueKHR}
)  # fmt: skip


def has_result(instruction: Instruction, types: dict[int, Type]) -> bool:
    """Whether an instruction makes a value."""
    return (
        instruction.opcode not in _NO_RESULT
        and instruction.opcode not in (Op.Store, Op.CopyMemory, Op.CopyMemorySized, Op.LifetimeStart, Op.LifetimeStop)
        and len(instruction.words) > 1
        and instruction.words[0] in types
    )


def used(instruction: Instruction) -> list[int]:
    """Give the ids of the values that an instruction uses."""
    part = _SLICES.get(Op(instruction.opcode)) if instruction.opcode in _KNOWN else None
    if part is None:
        part = slice(0, None) if instruction.opcode in _NO_RESULT else slice(2, None)
    return instruction.words[part]


_KNOWN = frozenset(_SLICES)
