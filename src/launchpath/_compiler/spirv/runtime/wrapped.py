"""Indices that wrap around, ``shared[(threadIdx.x + 19) % 32]``, for Intel's CPU runtime (2026.2).

In kernels with barriers it makes vectors of such indices. On processors without AVX-512 its code then takes two indices
of 32 bits for one of 64, because it knows the upper bits of an index to be 0: the load ends the process (SIGSEGV). So
the compiler gets a mask that it does not know: a zero is added to it, the number of blocks shifted beyond its bits.
"""

from __future__ import annotations

from ..builtins import builtin
from ..enumerants import BuiltIn
from ..module import Instruction
from ..opcodes import Op
from ..operands import CHAINS
from ..outline import Function, Outline

_BEYOND = 40  # bits of a number of blocks
_WHOLE = 0xFFFFFFFF  # the mask of a conversion to 32 bits and back
_WRAPS = (Op.BitwiseAnd, Op.UMod)
# What an index may be computed by, of a number that has wrapped around.
_STEPS = frozenset({
    Op.UConvert, Op.SConvert, Op.IAdd, Op.ISub, Op.IMul, Op.ShiftLeftLogical, Op.BitwiseOr, Op.BitwiseXor,
    Op.BitwiseAnd,
})  # fmt: skip


def hide_masks(outline: Outline) -> None:
    """Hide the masks of indices from the compiler, in kernels with barriers."""
    waiting: set[int] = set()  # functions of kernels that have barriers
    for kernel in outline.entries:
        reached = outline.reachable(kernel)
        if any(outline.is_barrier(i) for number in reached for i in outline.functions[number].body):
            waiting.update(reached)
    for number in sorted(waiting):
        _hide(outline, outline.functions[number])


def _hide(outline: Outline, function: Function) -> None:
    indices = _indices(function)
    body: list[Instruction] = []
    for instruction in function.body:
        words = instruction.words
        place = _mask(outline, instruction) if instruction.opcode in _WRAPS and words[1] in indices else None
        if place is None:
            body.append(instruction)
            continue
        mask = outline.types.integer(words[place]) or 0
        if instruction.opcode == Op.UMod:
            mask -= 1
        hidden = _hidden(outline, body, words[0], outline.types.constant(words[0], mask))
        body.append(Instruction(Op.BitwiseAnd, [*words[:2], words[5 - place], hidden]))
    function.body[:] = body


def _indices(function: Function) -> set[int]:
    """Find the values that indices of memory are computed from."""
    indices: set[int] = set()
    for instruction in reversed(function.body):
        words = instruction.words
        if instruction.opcode in CHAINS:
            indices.update(words[3:])
        elif instruction.opcode in _STEPS and words[1] in indices:
            indices.update(words[2:])
    return indices


def _mask(outline: Outline, instruction: Instruction) -> int | None:
    """Give the place of the constant that bounds a result; None if there is none."""
    if instruction.opcode == Op.UMod:
        number = outline.types.integer(instruction.words[3]) or 0
        return 3 if number > 1 and number & (number - 1) == 0 else None
    masks = [place for place in (2, 3) if 0 < (outline.types.integer(instruction.words[place]) or 0) < _WHOLE]
    return masks[0] if masks else None


def _hidden(outline: Outline, body: list[Instruction], type_id: int, constant: int) -> int:
    """Compute a number that is a constant's, and that the compiler does not know."""
    variable = builtin(outline, BuiltIn.NumWorkgroups)
    types, vector = outline.types, outline.types.pointee(variable.words[0])
    long = types.element(vector)

    def put(opcode: Op, kind: int, *operands: int) -> int:
        result = outline.module.new_id()
        body.append(Instruction(opcode, [kind, result, *operands]))
        return result

    blocks = put(Op.CompositeExtract, long, put(Op.Load, vector, variable.words[1]), 0)
    zero = put(Op.ShiftRightLogical, long, blocks, types.constant(long, _BEYOND))
    return put(Op.IAdd, type_id, constant, zero if type_id == long else put(Op.UConvert, type_id, zero))
