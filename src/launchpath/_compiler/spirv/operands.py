"""The words of instructions that are ids, and the kinds of instructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .enumerants import BuiltIn
from .opcodes import LEADING, MIDDLE, NO_RESULT, ONLY_RESULT, Op


def between(first: Op, last: Op) -> Iterator[int]:
    """Give the opcodes from `first` to `last`, both included."""
    return iter(range(first, last + 1))


# Built-in variables that only make sense once the sub-group's size is what the source takes a warp to be.
SUBGROUP_BUILTINS = frozenset({
    BuiltIn.SubgroupSize, BuiltIn.SubgroupMaxSize, BuiltIn.NumSubgroups, BuiltIn.NumEnqueuedSubgroups,
    BuiltIn.SubgroupId, BuiltIn.SubgroupLocalInvocationId, BuiltIn.SubgroupEqMask, BuiltIn.SubgroupGeMask,
    BuiltIn.SubgroupGtMask, BuiltIn.SubgroupLeMask, BuiltIn.SubgroupLtMask,
})  # fmt: skip
# Those that compute an address from another.
CHAINS = frozenset({Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain})
# OpGroup... and OpGroupNonUniform...: the operand after the result id is the scope.
GROUP_OPERATIONS = frozenset({
    *between(Op.GroupAll, Op.GroupSMax), *between(Op.GroupNonUniformElect, Op.GroupNonUniformQuadSwap),
    Op.GroupNonUniformRotateKHR,
})  # fmt: skip
# Sub-group operations without a scope: SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote, SPV_INTEL_subgroups.
SUBGROUP_OPERATIONS = frozenset({
    Op.SubgroupBallotKHR, Op.SubgroupFirstInvocationKHR, Op.SubgroupAllKHR, Op.SubgroupAnyKHR, Op.SubgroupAllEqualKHR,
    Op.SubgroupReadInvocationKHR,
    *between(Op.SubgroupShuffleINTEL, Op.SubgroupImageBlockWriteINTEL),
})  # fmt: skip
ATOMIC_OPERATIONS = frozenset({
    *between(Op.AtomicLoad, Op.AtomicXor), Op.AtomicFlagTestAndSet, Op.AtomicFlagClear, Op.AtomicFMinEXT,
    Op.AtomicFMaxEXT, Op.AtomicFAddEXT,
})  # fmt: skip

# The last instructions of blocks.
TERMINATORS = frozenset({
    Op.Branch, Op.BranchConditional, Op.Switch, Op.Return, Op.ReturnValue, Op.Unreachable, Op.Kill,
})  # fmt: skip


def result(opcode: int, words: list[int]) -> int:
    """Return the result id of an instruction; 0 if it has none."""
    if opcode in NO_RESULT:
        return 0
    return words[0 if opcode in ONLY_RESULT else 1]


def ids(opcode: int, words: list[int]) -> Iterable[int]:
    """Say at which places of an instruction there are ids (its result's type and its own among them).

    A switch's literals are as wide as its selector, which is not known here: its labels are left out.
    """
    leading = LEADING.get(opcode)
    if leading is not None:
        return range(min(leading, len(words)))
    literal = MIDDLE.get(opcode)
    if literal is not None:
        return (place for place in range(len(words)) if place != literal)
    if opcode == Op.Switch:
        return range(2)
    if opcode == Op.EntryPoint:
        after = 2
        while words[after] >> 24:
            after += 1
        return (1, *range(after + 1, len(words)))
    return range(len(words))
