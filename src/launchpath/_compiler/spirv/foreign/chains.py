"""Constant addresses within variables, as compilers other than LLVM's own backend write them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..enumerants import Storage
from ..module import Instruction
from ..opcodes import Op
from ..operands import CHAINS, result
from ..outline import Outline

# The generator's number in a module's header (Khronos, the registry of SPIR-V's generators).
_LLVM_BACKEND = 43
_FROM_POINTER = frozenset({Op.PtrAccessChain, Op.InBoundsPtrAccessChain})


@contextmanager
def in_bytes(outline: Outline) -> Iterator[None]:
    """Write constant access chains in global memory as LLVM's backend does, which the passes go by: they count bytes.

    Other compilers count elements, as SPIR-V says. What is still there afterwards gets its own form back.
    """
    before: dict[int, list[int]] = {}
    if outline.module.generator >> 16 != _LLVM_BACKEND:
        for declaration in outline.declarations:
            words = declaration.words
            if declaration.opcode != Op.SpecConstantOp or words[2] not in CHAINS:
                continue
            if outline.types.storage(words[0]) == Storage.CrossWorkgroup:
                before[words[1]] = words[:]
                words[2:] = [Op.InBoundsPtrAccessChain, words[3], _constant(outline, _bytes(outline, words))]
    yield
    for declaration in outline.declarations:
        old_words = before.get(result(declaration.opcode, declaration.words))
        if old_words is not None:
            declaration.words[:] = old_words


def _bytes(outline: Outline, words: list[int]) -> int:
    """Say how many bytes a constant access chain goes on."""
    types = outline.types
    type_id = types.pointee(outline.declared[words[3]].words[0])
    indices = [_signed(outline, index) for index in words[4:]]
    end = 0
    if words[2] in _FROM_POINTER:
        end = indices.pop(0) * types.layout(type_id).size
    for index in indices:
        step, type_id = types.offset(type_id, index)
        end += step
    return end


def _signed(outline: Outline, constant: int) -> int:
    declared = outline.declared[constant]
    if declared.opcode == Op.ConstantNull:
        return 0
    number = outline.types.integer(constant)
    if number is None:
        raise ValueError(f"the index {constant} is not a constant")
    bits = 8 * outline.types.layout(declared.words[0]).size
    return number - (1 << bits) if number >> bits - 1 & 1 else number


def _constant(outline: Outline, number: int) -> int:
    types = outline.types
    constant = types.constant(types.get(Op.TypeInt, 64, 0), number & 0xFFFFFFFFFFFFFFFF)
    if constant not in outline.declared:
        added: list[Instruction] = [i for i in types.added if i.opcode == Op.Constant and i.words[1] == constant]
        outline.declared[constant] = added[0]
    return constant
