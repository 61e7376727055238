"""Kernels whose threads exchange values through shared memory without a barrier, which lanes in step can do.

CUDA programs from before ``__syncwarp`` do so in the last steps of a reduction. A CPU runs one thread after the other
from barrier to barrier, unless it makes warps of them. So such kernels are looked for: they would give wrong results
silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ..enumerants import BuiltIn, Decoration, MemoryAccess, Scope, Storage
from ..flow import Body, dominators
from ..module import Instruction
from ..opcodes import NO_RESULT, Op
from ..operands import GROUP_OPERATIONS, SUBGROUP_OPERATIONS
from ..outline import Function, Outline
from .lane_order import ballot

_SAME = frozenset({
    Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain, Op.Bitcast,
    Op.PtrCastToGeneric, Op.GenericCastToPtr,
})  # fmt: skip
_CASTS = frozenset({Op.Bitcast, Op.PtrCastToGeneric, Op.GenericCastToPtr})
_SHARED = (Storage.Workgroup, Storage.Generic)
# Operations that keep the numbers of two threads different: sums and products with a value common to both.
_APART = frozenset({
    Op.IAdd, Op.ISub, Op.IMul, Op.ShiftLeftLogical, Op.BitwiseOr, Op.UConvert, Op.SConvert, Op.CompositeExtract,
})  # fmt: skip
_THREADS = (BuiltIn.LocalInvocationId, BuiltIn.GlobalInvocationId, BuiltIn.LocalInvocationIndex)
_FENCES = (Scope.Workgroup, Scope.Subgroup)


class Access(NamedTuple):
    """An access to shared memory.

    Attributes
    ----------
    wrote : bool
    pointer : int
    kept : bool
        The compilers leave it where it is: it is volatile, or a fence stands between it and the access that follows.
    label : int
        The basic block that it stands in.
    """

    wrote: bool
    pointer: int
    kept: bool
    label: int


def rely_on_step(outline: Outline) -> frozenset[int]:
    """Find the kernels, by their functions.

    Such a kernel accesses an element of shared memory and then another, without a barrier between, and writes to at
    least one of them. One of the two accesses is volatile, or a fence of the block is between them. A value that a
    thread writes and reads again itself needs no other thread.
    """
    own = {number: _Accesses(outline, function) for number, function in outline.functions.items()}
    if not any(accesses.ordered for accesses in own.values()):
        return frozenset()
    writes: dict[int, set[tuple[bool, bool]]] = {}
    for number in own:
        called = [own[other] for other in outline.reachable(number) if other in own]
        writes[number] = {(wrote, kept) for accesses in called for wrote, kept in accesses.summary()}
    relying = {number for number, accesses in own.items() if accesses.meet(writes)}
    return frozenset(kernel for kernel in outline.entries if not relying.isdisjoint(outline.reachable(kernel)))


def make_warps(outline: Outline, kernels: Iterable[int]) -> None:
    """Have kernels use their sub-groups, so that a CPU's runtime makes warps of all threads.

    Intel's runtime runs the threads that are left over in a block, where its size is no multiple of the warp's, one
    after the other, unless a kernel has an operation of sub-groups; fences alone count for nothing.
    """
    for kernel in kernels:
        bodies = [outline.functions[number].body for number in outline.reachable(kernel) if number in outline.functions]
        if not any(_is_group_operation(outline, instruction) for body in bodies for instruction in body):
            function = outline.functions[kernel]
            function.body.insert(function.start(), ballot(outline))


def _is_group_operation(outline: Outline, instruction: Instruction) -> bool:
    if instruction.opcode in SUBGROUP_OPERATIONS:
        return True
    return instruction.opcode in GROUP_OPERATIONS and outline.types.integer(instruction.words[2]) == Scope.Subgroup


class _Accesses:
    """The accesses to shared memory of one function.

    Attributes
    ----------
    ordered : bool
        Some are volatile, or there are fences between them.
    """

    def __init__(self, outline: Outline, function: Function) -> None:
        self._outline, self._function = outline, function
        accesses = [access for instruction in function.body if (access := _access(instruction)) is not None]
        self._defined: dict[int, Instruction] = {}
        self._shared: set[int] = set()
        if accesses:
            self._defined = {
                instruction.words[1]: instruction
                for instruction in [*function.parameters, *function.body, *outline.declarations]
                if instruction.opcode not in NO_RESULT
                and len(instruction.words) > 1
                # A type's second word is no id.
                and not Op.TypeVoid <= instruction.opcode < Op.TypeForwardPointer
            }
            self._through_variables(function)
            self._shared = {pointer for _, pointer, kept in accesses if self._is_shared(pointer, not kept)}
        self._own = [access for access in accesses if access[1] in self._shared]
        self.ordered = any(kept for _, _, kept in self._own) or (
            bool(self._own) and any(self._is_fence(instruction) for instruction in function.body)
        )

    def _through_variables(self, function: Function) -> None:
        """Take what a variable of the function gives for what is stored to it, where that is a single store.

        Values that are used on both sides of a barrier may have been put into variables.
        """
        stores = Counter(words[0] for words in (each.words for each in function.body if each.opcode == Op.Store))
        stored = {each.words[0]: each.words[1] for each in function.body if each.opcode == Op.Store}
        for number, defined in [*self._defined.items()]:
            pointer = defined.words[2] if defined.opcode == Op.Load else 0
            variable = self._defined.get(pointer)
            if variable is None or variable.opcode != Op.Variable or stores[pointer] != 1:
                continue
            value = self._defined.get(stored[pointer])
            if value is not None and self._outline.types.storage(variable.words[0]) == Storage.Function:
                self._defined[number] = value

    def summary(self) -> set[tuple[bool, bool]]:
        """Say which kinds of accesses there are: whether they write, and whether they are kept."""
        return {(wrote, kept) for wrote, _, kept in self._own}

    def _is_fence(self, instruction: Instruction) -> bool:
        return instruction.opcode == Op.MemoryBarrier and self._outline.types.integer(instruction.words[0]) in _FENCES

    def _is_shared(self, pointer: int, certainly: bool) -> bool:
        """Whether a pointer may point to shared memory, or certainly does."""
        types, storage = self._outline.types, Storage.Generic
        for _ in range(len(self._defined)):
            defined = self._defined.get(pointer)
            if defined is None or types.opcode(defined.words[0]) != Op.TypePointer:
                break
            storage = Storage(types.storage(defined.words[0]))
            if storage not in _SHARED:
                return False
            if defined.opcode not in _SAME:
                break
            pointer = defined.words[2]
        return storage == Storage.Workgroup or not certainly

    def _variable(self, pointer: int) -> int | None:
        """The variable that a pointer points into; None if it is not known."""
        for _ in range(len(self._defined)):
            defined = self._defined.get(pointer)
            if defined is None or defined.opcode not in _SAME:
                break
            pointer = defined.words[2]
        defined = self._defined.get(pointer)
        return pointer if defined is not None and defined.opcode == Op.Variable else None

    def _place(self, pointer: int) -> Hashable:
        """Give a key that is equal for pointers calculated alike: the backend calculates some again at each use."""
        defined = self._defined.get(pointer)
        if defined is None or defined.opcode not in _SAME:
            return pointer
        base = defined.words[2]
        if defined.opcode in _CASTS:
            return self._place(base)
        counted = self._defined[base].words[0] if base in self._defined else 0
        return self._place(base), counted, *defined.words[3:]

    def _is_own(self, value: int, depth: int = 0) -> bool:
        """Whether each thread has its own, by its number; also if that is not known."""
        defined = self._defined.get(value)
        if defined is None or defined.opcode in (Op.FunctionParameter, Op.FunctionCall) or depth > len(_SAME) * 4:
            return True
        words = defined.words
        if defined.opcode == Op.Load:
            return self._is_number(words[2])
        if defined.opcode == Op.ShiftRightArithmetic:
            return self._extends(words) and self._is_own(words[2], depth + 1)
        if defined.opcode not in _APART | _SAME:
            return False
        literals = defined.opcode == Op.CompositeExtract
        return any(
            self._is_own(word, depth + 1) for word in words[2 : 3 if literals else None] if word in self._defined
        )

    def _extends(self, words: list[int]) -> bool:
        """Whether a shift to the right, after one to the left, drops no bit: so it extends a sign."""
        shifted, integer = self._defined.get(words[2]), self._outline.types.integer
        if shifted is None or shifted.opcode != Op.ShiftLeftLogical:
            return False
        return (integer(words[3]) or 64) <= (integer(shifted.words[3]) or 0)

    def _is_number(self, pointer: int) -> bool:
        """Whether a built-in variable holds a thread's number."""
        decoration = self._outline.decoration(pointer, Decoration.BuiltIn)
        return decoration is not None and decoration.words[2] in _THREADS

    def meet(self, writes: dict[int, set[tuple[bool, bool]]]) -> bool:
        """Whether an access is reached from another without a barrier; `writes`: the accesses of called functions."""
        if not self._own and not any(writes.get(call.words[2]) for call in self._function.calls):
            return False
        body = Body(self._outline, self._function)
        waiting = [body.entry]
        before: dict[int, set[Access]] = {body.entry: set()}
        while waiting:
            label = waiting.pop()
            pending = set(before[label])
            for instruction in body.blocks[label].body:
                if body.outline.is_barrier(instruction):
                    pending.clear()
                elif self._is_fence(instruction):
                    pending = {access._replace(kept=True) for access in pending}
                for access in self._at(instruction, label, writes):
                    if any(self._exchange(body, earlier, access) for earlier in pending):
                        return True
                    pending.add(access)
            for successor in body.blocks[label].successors():
                known = before.get(successor)
                if known is None or not pending <= known:
                    before[successor] = (known or set()) | pending
                    waiting.append(successor)
        return False

    def _exchange(self, body: Body, earlier: Access, later: Access) -> bool:
        """Whether a thread may get in one access what another thread has written, or writes, in the other."""
        if not (earlier.wrote or later.wrote) or not (earlier.kept or later.kept):
            return False
        if self._place(earlier.pointer) == self._place(later.pointer):
            # Written by some threads, and read by others.
            guarded = earlier.wrote and not later.wrote and not self._is_above(body, earlier.label, later.label)
            return guarded and not self._is_own(later.pointer)
        first, second = self._variable(earlier.pointer), self._variable(later.pointer)
        return first is None or second is None or first == second

    def _is_above(self, body: Body, label: int, other: int) -> bool:
        """Whether all ways to the basic block `other` come through `label`."""
        above = dominators(body.edges(), body.entry)
        while other not in (label, body.entry):
            other = above[other]
        return other == label

    def _at(self, instruction: Instruction, label: int, writes: dict[int, set[tuple[bool, bool]]]) -> list[Access]:
        if instruction.opcode == Op.FunctionCall:
            called = writes.get(instruction.words[2], ())
            return [Access(wrote, instruction.words[1], kept, label) for wrote, kept in called]
        access = _access(instruction)
        return [Access(*access, label)] if access is not None and access[1] in self._shared else []


def _access(instruction: Instruction) -> tuple[bool, int, bool] | None:
    """Whether an access writes, its pointer, and whether it is volatile; None if an instruction is none."""
    words = instruction.words
    if instruction.opcode == Op.Load:
        return False, words[2], len(words) > 3 and bool(words[3] & MemoryAccess.Volatile)
    if instruction.opcode == Op.Store:
        return True, words[0], len(words) > 2 and bool(words[2] & MemoryAccess.Volatile)
    return None
