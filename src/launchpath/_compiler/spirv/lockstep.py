"""Kernels whose threads exchange values through volatile shared memory without a barrier, which lanes in step can do.

CUDA programs from before ``__syncwarp`` do so in the last steps of a reduction. A CPU runs one thread after the other
from barrier to barrier, unless it makes warps of them. So such kernels are looked for: they would give wrong results
without a word.
"""

from __future__ import annotations

from collections.abc import Iterable

from .enumerants import Capability, MemoryAccess, Scope, Storage
from .flow import Body
from .module import Instruction
from .opcodes import NO_RESULT, Op
from .operands import GROUP_OPERATIONS, SUBGROUP_OPERATIONS
from .outline import Function, Outline

_SAME = frozenset({
    Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain, Op.Bitcast,
    Op.PtrCastToGeneric, Op.GenericCastToPtr,
})  # fmt: skip
_SHARED = (Storage.Workgroup, Storage.Generic)

Access = tuple[bool, int]  # whether it writes, and the pointer's id


def rely_on_step(outline: Outline) -> frozenset[int]:
    """Find the kernels, by their functions.

    Such a kernel accesses one element of volatile shared memory and then another, without a barrier between, and writes
    to one of them. What a thread writes and reads again itself needs no other thread.
    """
    own = {number: _Accesses(outline, function) for number, function in outline.functions.items()}
    if not any(accesses.made for accesses in own.values()):
        return frozenset()
    writes: dict[int, set[bool]] = {}
    for number in own:
        called = [own[other] for other in outline.reachable(number) if other in own]
        writes[number] = {access[0] for accesses in called for access in accesses.made}
    found = {number for number, accesses in own.items() if accesses.meet(writes)}
    return frozenset(kernel for kernel in outline.entries if not found.isdisjoint(outline.reachable(kernel)))


def make_warps(outline: Outline, kernels: Iterable[int]) -> None:
    """Have kernels use their sub-groups, so that a CPU's runtime makes warps of all threads.

    Intel's runtime runs the threads that are left over in a block, where its size is no multiple of the warp's, one
    after the other, unless a kernel has an operation of sub-groups; fences alone count for nothing.
    """
    types, module = outline.types, outline.module
    for kernel in kernels:
        bodies = [outline.functions[number].body for number in outline.reachable(kernel) if number in outline.functions]
        if any(_is_group_operation(outline, one) for body in bodies for one in body):
            continue
        number = types.get(Op.TypeInt, 32, 0)
        votes = types.get(Op.TypeVector, number, 4)
        variable, ballot = module.new_id(), module.new_id()
        scope = types.constant(number, Scope.Subgroup)
        function = outline.functions[kernel]
        at = function.start()
        # Volatile, or the optimizer takes it out.
        function.body[at:at] = [
            Instruction(Op.GroupNonUniformBallot, [votes, ballot, scope, types.true()]),
            Instruction(Op.Store, [variable, ballot, MemoryAccess.Volatile]),
        ]
        pointer = types.pointer(Storage.Function, votes)
        function.body.insert(1, Instruction(Op.Variable, [pointer, variable, Storage.Function]))
        outline.require(Capability.GroupNonUniformBallot)


def _is_group_operation(outline: Outline, instruction: Instruction) -> bool:
    if instruction.opcode in SUBGROUP_OPERATIONS:
        return True
    return instruction.opcode in GROUP_OPERATIONS and outline.types.integer(instruction.words[2]) == Scope.Subgroup


class _Accesses:
    """The volatile accesses to shared memory of one function."""

    def __init__(self, outline: Outline, function: Function) -> None:
        self._outline, self._function = outline, function
        volatile = [access for one in function.body if (access := _volatile(one)) is not None]
        self.made: set[Access] = set()
        if volatile:
            self._defined = {
                one.words[1]: one
                for one in [*function.parameters, *function.body, *outline.declarations]
                if one.opcode not in NO_RESULT and len(one.words) > 1
            }
            self.made = {access for access in volatile if self._is_shared(access[1])}

    def _is_shared(self, pointer: int) -> bool:
        """Whether a pointer may point to shared memory."""
        types = self._outline.types
        for _ in range(len(self._defined)):
            defined = self._defined.get(pointer)
            if defined is None or types.opcode(defined.words[0]) != Op.TypePointer:
                break
            if types.storage(defined.words[0]) not in _SHARED:
                return False
            if defined.opcode not in _SAME:
                break
            pointer = defined.words[2]
        return True

    def meet(self, writes: dict[int, set[bool]]) -> bool:
        """Whether one is reached from another one without a barrier; `writes`: what functions that are called do."""
        if not self.made and not any(writes.get(call.words[2]) for call in self._function.calls):
            return False
        body = Body(self._outline, self._function)
        waiting = [body.entry]
        before: dict[int, set[Access]] = {body.entry: set()}
        while waiting:
            label = waiting.pop()
            pending = set(before[label])
            for instruction in body.blocks[label].body:
                if body.is_barrier(instruction):
                    pending.clear()
                    continue
                for access in self._at(instruction, writes):
                    if any(pointer != access[1] and (wrote or access[0]) for wrote, pointer in pending):
                        return True
                    pending.add(access)
            for successor in body.blocks[label].successors():
                known = before.get(successor)
                if known is None or not pending <= known:
                    before[successor] = (known or set()) | pending
                    waiting.append(successor)
        return False

    def _at(self, instruction: Instruction, writes: dict[int, set[bool]]) -> list[Access]:
        if instruction.opcode == Op.FunctionCall:
            return [(wrote, instruction.words[1]) for wrote in writes.get(instruction.words[2], ())]
        access = _volatile(instruction)
        return [access] if access is not None and access in self.made else []


def _volatile(instruction: Instruction) -> Access | None:
    """The volatile access that an instruction is."""
    words = instruction.words
    if instruction.opcode == Op.Load and len(words) > 3 and words[3] & MemoryAccess.Volatile:
        return False, words[2]
    if instruction.opcode == Op.Store and len(words) > 2 and words[2] & MemoryAccess.Volatile:
        return True, words[0]
    return None
