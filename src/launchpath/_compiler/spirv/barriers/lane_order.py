"""The order of accesses to shared memory by the lanes of a warp, kept by ballots instead of volatile accesses.

A CPU's runtime carries out a volatile access, and a fence, lane by lane: 32 branches each, which take most of the build
and of the run. A ballot whose result nobody uses keeps the order as well, and leaves no code. Until the threads are
joined in vectors it is a call of an unknown function, like a barrier: the compiler moves, drops or forwards no access
across it. From then on one instruction has the accesses of all lanes, and the compiler sees which of them meet.

Only the threads of a block reach its shared memory, and the runtime runs a block on a single thread of the system. So
neither volatile accesses nor fences are needed for other threads.
"""

from __future__ import annotations

from collections.abc import Collection

from ..enumerants import Capability, MemoryAccess, Scope, Storage
from ..module import Instruction
from ..opcodes import NO_RESULT, ONLY_RESULT, Op
from ..operands import between
from ..outline import Function, Outline

_BASES = frozenset({
    Op.AccessChain, Op.InBoundsAccessChain, Op.PtrAccessChain, Op.InBoundsPtrAccessChain, Op.Bitcast,
    Op.PtrCastToGeneric, Op.CopyObject,
})  # fmt: skip
_UNTYPED = NO_RESULT | ONLY_RESULT
_FENCES = (Scope.Workgroup, Scope.Subgroup)
# Those that access no memory: across them, one ballot is enough.
_CALCULATE = frozenset({
    *_BASES, Op.CompositeExtract, *between(Op.ConvertFToU, Op.Bitcast), *between(Op.SNegate, Op.BitCount), Op.Line,
    Op.NoLine,
})  # fmt: skip


def order_lanes(outline: Outline, kernels: Collection[int]) -> None:
    """Put ballots around volatile accesses to shared memory, which then are plain, and in the place of fences.

    Parameters
    ----------
    outline : Outline
    kernels : collection of int
        Those whose threads make warps, and that are free of recursion: a function that is called by pointer is not
        joined in vectors. Functions that other kernels call as well stay as they are.
    """
    others = {number for kernel in outline.entries if kernel not in kernels for number in outline.reachable(kernel)}
    reached = {number for kernel in kernels for number in outline.reachable(kernel)} - others
    functions = [function for number, function in outline.functions.items() if number in reached]
    if not any(_ordered(outline, instruction) for function in functions for instruction in function.body):
        return
    shared = _Shared(outline)
    for function in functions:
        _Body(outline, function, shared).write()


def ballot(outline: Outline) -> Instruction:
    """Make a ballot of a warp's lanes whose result nobody uses."""
    types = outline.types
    number = types.get(Op.TypeInt, 32, 0)
    votes, scope = types.get(Op.TypeVector, number, 4), types.constant(number, Scope.Subgroup)
    outline.require(Capability.GroupNonUniformBallot)
    return Instruction(Op.GroupNonUniformBallot, [votes, outline.module.new_id(), scope, types.true()])


def _is_fence(outline: Outline, instruction: Instruction) -> bool:
    return instruction.opcode == Op.MemoryBarrier and outline.types.integer(instruction.words[0]) in _FENCES


def _mask(instruction: Instruction) -> int | None:
    """Where a load or a store has the bits that say how it accesses memory; None if it has none."""
    at = 3 if instruction.opcode == Op.Load else 2
    return at if instruction.opcode in (Op.Load, Op.Store) and len(instruction.words) > at else None


def _is_volatile(instruction: Instruction) -> bool:
    at = _mask(instruction)
    return at is not None and bool(instruction.words[at] & MemoryAccess.Volatile)


def _ordered(outline: Outline, instruction: Instruction) -> bool:
    return _is_volatile(instruction) or _is_fence(outline, instruction)


class _Body:
    """A function's body that is written anew."""

    def __init__(self, outline: Outline, function: Function, shared: _Shared) -> None:
        self._outline, self._function, self._shared = outline, function, shared
        self._written: list[Instruction] = []
        self._closed = False  # no access stands between the last ballot and here

    def write(self) -> None:
        """Write it."""
        for instruction in self._function.body:
            if _is_fence(self._outline, instruction):
                self._close()
            elif _is_volatile(instruction) and self._shared.holds(_pointer(instruction)):
                self._close()
                self._written.append(_plain(instruction))
                self._closed = False
                self._close()
            else:
                self._written.append(instruction)
                self._closed = self._closed and instruction.opcode in _CALCULATE
        self._function.body = self._written

    def _close(self) -> None:
        if not self._closed:
            self._written.append(ballot(self._outline))
        self._closed = True


def _pointer(access: Instruction) -> int:
    return access.words[2 if access.opcode == Op.Load else 0]


def _plain(access: Instruction) -> Instruction:
    words, at = list(access.words), _mask(access)
    if at is not None:
        words[at] &= ~MemoryAccess.Volatile
        if not words[at]:
            del words[at]
    return Instruction(access.opcode, words)


class _Shared:
    """Says which pointers certainly point to shared memory: all that they may come from does."""

    def __init__(self, outline: Outline) -> None:
        self._types = outline.types
        bodies = [[*function.parameters, *function.body] for function in outline.functions.values()]
        self._defined: dict[int, Instruction] = {
            i.words[1]: i
            for body in [outline.declarations, *bodies]
            for i in body
            if i.opcode not in _UNTYPED and len(i.words) > 1 and i.words[0] in self._types
        }
        self._arguments: dict[int, list[int]] = {}
        for function in outline.functions.values():
            for call in function.calls:
                # The host calls an entry point, too.
                if call.words[2] not in outline.entries:
                    parameters = outline.functions[call.words[2]].parameters
                    for parameter, argument in zip(parameters, call.words[3:], strict=True):
                        self._arguments.setdefault(parameter.words[1], []).append(argument)

    def holds(self, pointer: int) -> bool:
        """Whether a pointer points to shared memory, wherever it comes from."""
        seen, waiting = {pointer}, [pointer]
        for value in waiting:
            sources = self._sources(value)
            if sources is None:
                return False
            waiting += [source for source in sources if source not in seen]
            seen.update(sources)
        return True

    def _sources(self, value: int) -> list[int] | None:
        """The values that a pointer comes from, none if it points to shared memory; None if it may point elsewhere."""
        defined = self._defined.get(value)
        if defined is None or self._types.opcode(defined.words[0]) != Op.TypePointer:
            return None
        storage, words = self._types.storage(defined.words[0]), defined.words
        if storage == Storage.Workgroup:
            return []
        if storage != Storage.Generic:
            return None
        if defined.opcode == Op.FunctionParameter:
            return self._arguments.get(value)
        if defined.opcode == Op.Phi:
            return words[2::2]
        if defined.opcode == Op.Select:
            return words[3:5]
        return words[2:3] if defined.opcode in _BASES else None
