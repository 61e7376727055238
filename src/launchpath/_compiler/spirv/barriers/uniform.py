"""The values that are the same for all threads of a block."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from ..enumerants import BuiltIn, Decoration, MemoryAccess, Storage
from ..flow import EXIT, PHI, Block, Body, Edges, dominators, order, reachable, reverse
from ..module import Instruction
from ..opcodes import NO_RESULT, STD, Op
from ..operands import CHAINS, between


class Level(IntEnum):
    """How much threads agree on a value.

    Attributes
    ----------
    CHEAP
        They all have the same, and can have it at any time: it comes of the arguments and the launch alone.
    AGREED
        They all have the same when they are at the same place, but it takes reading memory, or may trap.
    VARYING
        Each has its own.
    """

    CHEAP = 0
    AGREED = 1
    VARYING = 2


_SIZES = frozenset({
    BuiltIn.NumWorkgroups, BuiltIn.WorkgroupSize, BuiltIn.GlobalSize, BuiltIn.EnqueuedWorkgroupSize,
})  # fmt: skip
_SAME = _SIZES | {BuiltIn.WorkgroupId, BuiltIn.WorkDim, BuiltIn.GlobalOffset}
_CASTS = frozenset({Op.Bitcast, Op.PtrCastToGeneric, Op.GenericCastToPtr, Op.CopyObject})
_EXTRACTS = frozenset({Op.CompositeExtract, Op.UConvert, Op.SConvert, Op.Load, Op.CopyObject})
_DIVISIONS = frozenset({Op.UDiv, Op.SDiv, Op.UMod, Op.SRem, Op.SMod})
# Results that depend on the operands alone, and cost no more than time: chains, composites, conversions, arithmetic,
# comparisons, bits, pointers' differences.
PURE = frozenset({
    Op.Undef, *CHAINS, *between(Op.VectorExtractDynamic, Op.Transpose), *between(Op.ConvertFToU, Op.Bitcast),
    *between(Op.SNegate, Op.SMulExtended), *between(Op.Any, Op.FUnordGreaterThanEqual),
    *between(Op.ShiftRightLogical, Op.BitCount), *between(Op.PtrEqual, Op.PtrDiff), Op.ExpectKHR,
}) - _DIVISIONS - {Op.GenericCastToPtrExplicit}  # fmt: skip
_PRINTF = STD["printf"]


class Uniformity:
    """The levels of a function's values.

    Parameters
    ----------
    body : Body
    parameters : dict of Level by parameter
    ends : set of int
        Blocks from which no barrier can be reached.
    """

    def __init__(self, body: Body, parameters: dict[int, Level], ends: set[int]) -> None:
        self.body, self.ends = body, ends
        self.types = body.outline.types
        self.levels: dict[int, Level] = dict(parameters)
        self._definitions: dict[int, Instruction] = {
            i.words[1]: i
            for block in body.blocks.values()
            for i in (*block.phis, *block.body)
            if i.opcode not in NO_RESULT
        }
        self._builtins = {
            i.words[0]: i.words[2]
            for i in body.outline.annotations
            if i.opcode == Op.Decorate and i.words[1] == Decoration.BuiltIn
        }
        self._arguments = self._unwritten()
        self._forced: dict[int, Level] = {}
        self._settle()

    def of(self, value: int) -> Level:
        """Give a value's level."""
        if value in self._builtins:
            return Level.CHEAP if self._builtins[value] in _SAME else Level.VARYING
        return self.levels.get(value, Level.CHEAP)

    def decides(self, block: Block) -> Level:
        """Give the level of the condition that decides where a block goes."""
        return self.of(block.end.words[0]) if len(block.successors()) > 1 else Level.CHEAP

    def pure(self, instruction: Instruction) -> bool:
        """Whether doing an instruction without need does no harm."""
        opcode = instruction.opcode
        if opcode in PURE:
            return True
        if opcode == Op.Load:
            return self._constant_memory(instruction.words[2])
        if opcode in _DIVISIONS:
            return self._never_zero(instruction.words[3])
        return False

    def _unwritten(self) -> set[int]:
        """Find the parameters that point to arguments passed by value that no instruction writes to."""
        unwritten = {
            i.words[1]
            for i in self.body.function.parameters
            if self.types.opcode(i.words[0]) == Op.TypePointer and self.types.storage(i.words[0]) == Storage.Function
        }
        for block in self.body.blocks.values():
            for instruction in (*block.phis, *block.body):
                opcode, words = instruction.opcode, instruction.words
                if opcode == Op.Load or opcode in CHAINS or opcode in _CASTS:
                    continue
                unwritten -= {self._root(word) for word in words if word in self._definitions or word in unwritten}
        return unwritten

    def _root(self, pointer: int) -> int:
        while (definition := self._definitions.get(pointer)) is not None and definition.opcode in CHAINS | _CASTS:
            pointer = definition.words[2]
        return pointer

    def _constant_memory(self, pointer: int) -> bool:
        root = self._root(pointer)
        return root in self._builtins or root in self._arguments

    def _never_zero(self, divisor: int) -> bool:
        number = self.types.integer(divisor)
        if number is not None:
            # -1 traps with the least number.
            return 0 < number < 1 << 31
        while (definition := self._definitions.get(divisor)) is not None and definition.opcode in _EXTRACTS:
            divisor = definition.words[2]
        return self._builtins.get(self._root(divisor), 0) in _SIZES

    def _settle(self) -> None:
        """Raise levels until nothing changes: first by the operands of values, then by branches."""
        blocks = [self.body.blocks[label] for label in order(self.body.edges(), self.body.entry) if label != EXIT]
        changed = True
        while changed:
            self._spread(blocks)
            changed = self._control(blocks)

    def _spread(self, blocks: Iterable[Block]) -> None:
        changed = True
        while changed:
            changed = False
            for block in blocks:
                for instruction in (*block.phis, *block.body):
                    if instruction.opcode in NO_RESULT:
                        continue
                    level = self._level(instruction)
                    if level > self.of(instruction.words[1]):
                        self.levels[instruction.words[1]] = level
                        changed = True

    def _level(self, instruction: Instruction) -> Level:
        opcode, words = instruction.opcode, instruction.words
        if opcode == PHI:
            return max(self._forced.get(words[1], Level.CHEAP), *map(self.of, words[2::2]))
        if opcode == Op.Load:
            if self._root(words[2]) in self._builtins:
                return max(self.of(self._root(words[2])), self.of(words[2]))
            if self._root(words[2]) in self._arguments:
                return self.of(words[2])
            volatile = len(words) > 3 and words[3] & MemoryAccess.Volatile
            return Level.VARYING if volatile else max(self.of(words[2]), Level.AGREED)
        if opcode in (Op.CompositeExtract, Op.Undef):
            return max(map(self.of, words[2:3]), default=Level.CHEAP)
        if opcode in PURE or (opcode == Op.ExtInst and self._function(words)):
            operands = words[4:] if opcode == Op.ExtInst else words[2:]
            # Literals among the operands are no ids, and no harm: at worst a level is too high.
            return max(map(self.of, operands), default=Level.CHEAP)
        if opcode in _DIVISIONS:
            level = max(map(self.of, words[2:]))
            return level if self._never_zero(words[3]) else max(level, Level.AGREED)
        return Level.VARYING

    def _function(self, words: list[int]) -> bool:
        """Whether an extended instruction only computes."""
        kinds = [self.body.typed[word] for word in words[4:] if word in self.body.typed]
        return words[3] != _PRINTF and not any(self.types.opcode(kind) == Op.TypePointer for kind in kinds)

    def _control(self, blocks: Iterable[Block]) -> bool:
        """Raise the phis behind branches at which threads take different ways."""
        edges = self.body.edges()
        leaving = []
        for block in blocks:
            # Threads that go where no barrier follows end: the others have the same way.
            if self.decides(block) == Level.VARYING:
                kept = [target for target in edges[block.label] if target not in self.ends]
                if kept and len(kept) < len(edges[block.label]):
                    leaving.append(block.label)
                    edges[block.label] = kept
        after = _after(edges, leaving)
        changed = False
        for block in blocks:
            level = self.decides(block)
            targets = edges[block.label]
            if level == Level.CHEAP or len(targets) < 2:
                continue
            join = after.get(block.label)
            region = reachable(edges, targets, () if join is None else (join,))
            for label in region | ({join} if join is not None else set()):
                if label == EXIT:
                    continue
                for phi in self.body.blocks[label].phis:
                    if self.of(phi.words[1]) < level:
                        self._forced[phi.words[1]] = level
                        changed = True
        return changed


def _after(edges: Edges, leaving: Iterable[int]) -> dict[int, int]:
    """Find each block's immediate postdominator.

    A loop that threads leave only where they end has no way to the exit: it gets one from a block in which they end.
    """
    after = dominators(reverse(edges), EXIT)
    for label in leaving:
        if label not in after:
            edges = {**edges, label: [*edges[label], EXIT]}
            after = dominators(reverse(edges), EXIT)
    return after
