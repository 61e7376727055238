"""A function's control flow: its blocks, and which of them come before, after and around which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .module import Instruction
from .opcodes import NO_RESULT, Op
from .operands import TERMINATORS, result
from .outline import Function, Outline

PHI = Op.Phi
# Of no effect; they would name blocks that change.
_DROPPED = frozenset({Op.Line, Op.NoLine, Op.LoopMerge, Op.SelectionMerge})
EXIT = 0

Edges = Mapping[int, Iterable[int]]


@dataclass(slots=True)
class Block:
    """A basic block."""

    label: int
    phis: list[Instruction] = field(default_factory=list)
    body: list[Instruction] = field(default_factory=list)
    end: Instruction = field(default_factory=lambda: Instruction(Op.Unreachable, []))  # the terminator
    targets: list[int] = field(default_factory=list)  # the places of labels in the terminator's words

    def successors(self) -> list[int]:
        """List the blocks that it goes to, each once."""
        return list(dict.fromkeys(self.end.words[place] for place in self.targets))

    def finish(self, end: Instruction, wide: bool = False) -> None:
        """Set the terminator; `wide` if a switch's selector has 64 bits."""
        self.end = end
        match end.opcode:
            case Op.Branch:
                self.targets = [0]
            case Op.BranchConditional:
                self.targets = [1, 2]
            case Op.Switch:
                step = 3 if wide else 2
                self.targets = [1, *range(1 + step, len(end.words), step)]
            case _:
                self.targets = []

    def go(self, target: int) -> None:
        """End with a jump."""
        self.finish(Instruction(Op.Branch, [target]))

    def choose(self, condition: int, yes: int, no: int) -> None:
        """End with a branch."""
        self.finish(Instruction(Op.BranchConditional, [condition, yes, no]))

    def retarget(self, old: int, new: int) -> None:
        """Go to the block `new` instead of `old`."""
        for place in self.targets:
            if self.end.words[place] == old:
                self.end.words[place] = new

    def incoming(self, predecessor: int) -> dict[int, int]:
        """Give the value of each phi from a predecessor, by the phi's id."""
        return {
            phi.words[1]: phi.words[place]
            for phi in self.phis
            for place in range(2, len(phi.words), 2)
            if phi.words[place + 1] == predecessor
        }

    def rename(self, old: int, new: int) -> None:
        """Have the phis know a predecessor by another label."""
        for phi in self.phis:
            for place in range(3, len(phi.words), 2):
                if phi.words[place] == old:
                    phi.words[place] = new

    def forget(self, predecessor: int) -> None:
        """Take a predecessor out of the phis."""
        for phi in self.phis:
            places = [place for place in range(2, len(phi.words), 2) if phi.words[place + 1] != predecessor]
            phi.words = [*phi.words[:2], *(word for place in places for word in phi.words[place : place + 2])]


class Body:
    """A function's blocks."""

    def __init__(self, outline: Outline, function: Function) -> None:
        self.outline, self.function = outline, function
        self.blocks: dict[int, Block] = {}
        self.typed: dict[int, int] = {i.words[1]: i.words[0] for i in function.parameters}
        self.home: dict[int, int] = {}
        block = Block(0)
        for instruction in function.body:
            opcode = instruction.opcode
            if opcode == Op.Label:
                block = self.blocks[instruction.words[0]] = Block(instruction.words[0])
            elif opcode in TERMINATORS:
                wide = opcode == Op.Switch and self._wide(instruction.words[0])
                block.finish(Instruction(opcode, instruction.words.copy()), wide)
            elif opcode not in _DROPPED:
                (block.phis if opcode == PHI else block.body).append(instruction.replaced(instruction.words.copy()))
                if opcode not in NO_RESULT:
                    self.typed[instruction.words[1]] = instruction.words[0]
        self.entry = next(iter(self.blocks))

    def _wide(self, selector: int) -> bool:
        type_id = self.typed.get(selector)
        if type_id is None:
            type_id = self.outline.declared[selector].words[0]
        return self.outline.types.operands(type_id)[0] > 32

    def new(self) -> Block:
        """Make a block."""
        block = Block(self.outline.module.new_id())
        self.blocks[block.label] = block
        return block

    def put(self, block: Block, opcode: int, type_id: int, *operands: int) -> int:
        """Add an instruction with a result to a block; give its id."""
        result_id = self.outline.module.new_id()
        block.body.append(Instruction(opcode, [type_id, result_id, *operands]))
        self.typed[result_id] = type_id
        return result_id

    def split(self, block: Block, place: int) -> Block:
        """Cut a block in two before an instruction of its body; give the second."""
        second = self.new()
        second.body, block.body = block.body[place:], block.body[:place]
        second.end, second.targets = block.end, block.targets
        for target in second.successors():
            self.blocks[target].rename(block.label, second.label)
        block.go(second.label)
        return second

    def isolate_barriers(self) -> set[int]:
        """Give each barrier a block of its own; return those blocks."""
        barriers = set()
        waiting = list(self.blocks.values())
        for block in waiting:
            place = next(
                (place for place, instruction in enumerate(block.body) if self.outline.is_barrier(instruction)), None
            )
            if place is not None:
                # A barrier that begins its block stays there, but not behind phis, nor in the entry block: variables
                # are put there later.
                barrier = self.split(block, place) if place or block.phis or block.label == self.entry else block
                waiting.append(self.split(barrier, 1))
                barriers.add(barrier.label)
        return barriers

    def edges(self) -> dict[int, list[int]]:
        """Say where each block goes: blocks that return, to `EXIT`; blocks with an unreachable end, nowhere."""
        return {
            label: [EXIT] if block.end.opcode in (Op.Return, Op.ReturnValue) else block.successors()
            for label, block in self.blocks.items()
        }

    def locate(self) -> None:
        """Note in `home` the block that defines each value."""
        self.home = {
            i.words[1]: block.label
            for block in self.blocks.values()
            for i in (*block.phis, *block.body)
            if i.opcode not in NO_RESULT
        }

    def write(self) -> None:
        """Put the blocks that can be reached back into the function, each after those that dominate it."""
        labels = order(self.edges(), self.entry)
        instructions = []
        for label in labels:
            if label != EXIT:
                block = self.blocks[label]
                instructions += [Instruction(Op.Label, [label]), *block.phis, *block.body, block.end]
        before = {result(i.opcode, i.words) for i in self.function.body}
        removed = before - {result(i.opcode, i.words) for i in instructions} - {0}
        self.function.body = instructions
        self.function.calls = [i for i in instructions if i.opcode == Op.FunctionCall]
        outline = self.outline
        outline.debug = [i for i in outline.debug if i.opcode != Op.Name or i.words[0] not in removed]
        outline.annotations = [i for i in outline.annotations if i.words[0] not in removed]


def order(edges: Edges, start: int, seen: set[int] | None = None) -> list[int]:
    """List the blocks that can be reached, each before its successors, but for jumps back.

    Blocks in `seen` are left out, and those that are listed are added to it.
    """
    seen = set() if seen is None else seen
    seen.add(start)
    waiting = [(start, iter(edges.get(start, ())))]
    postorder = []
    while waiting:
        label, rest = waiting[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                waiting.append((target, iter(edges.get(target, ()))))
                break
        else:
            postorder.append(label)
            waiting.pop()
    return postorder[::-1]


def reachable(edges: Edges, starts: Iterable[int], without: Iterable[int] = ()) -> set[int]:
    """Find the blocks that can be reached, the starts included, on ways outside of the blocks `without`."""
    barred = set(without)
    waiting = [start for start in starts if start not in barred]
    seen = set(waiting)
    for label in waiting:
        for target in edges.get(label, ()):
            if target not in seen and target not in barred:
                seen.add(target)
                waiting.append(target)
    return seen


def reverse(edges: Edges) -> dict[int, list[int]]:
    """Turn all edges round."""
    predecessors: dict[int, list[int]] = {}
    for label, targets in edges.items():
        predecessors.setdefault(label, [])
        for target in targets:
            predecessors.setdefault(target, []).append(label)
    return predecessors


def dominators(edges: Edges, start: int) -> dict[int, int]:
    """Find each block's immediate dominator; the start's is itself.

    With the edges turned round, from `EXIT`, these are the immediate postdominators.
    """
    # Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    placed = order(edges, start)
    number = {label: index for index, label in enumerate(placed)}
    before = reverse({label: edges.get(label, ()) for label in placed})
    above = {start: start}
    changed = True
    while changed:
        changed = False
        for label in placed[1:]:
            common = -1
            for other in before[label]:
                if other not in above:
                    continue
                ancestor = other
                if common == -1:
                    common = ancestor
                while ancestor != common:
                    while number[ancestor] > number[common]:
                        ancestor = above[ancestor]
                    while number[common] > number[ancestor]:
                        common = above[common]
            if above.get(label) != common:
                above[label] = common
                changed = True
    return above


class DominatorTree:
    """A tree of dominators, which tells quickly what dominates what.

    Parameters
    ----------
    above : dict of int to int
        Each block's immediate dominator; the start's is itself. See `dominators`.
    """

    def __init__(self, above: Mapping[int, int]) -> None:
        below: dict[int, list[int]] = {label: [] for label in above}
        for label, dominator in above.items():
            if label != dominator:
                below[dominator].append(label)
        # A block is entered after those that dominate it, and left before them.
        self._entered: dict[int, int] = {}
        self._left: dict[int, int] = {}
        waiting = [(label, False) for label, dominator in above.items() if label == dominator]
        while waiting:
            label, done = waiting.pop()
            if done:
                self._left[label] = len(self._entered)
            else:
                self._entered[label] = len(self._entered)
                waiting.append((label, True))
                waiting += [(other, False) for other in below[label]]

    def __contains__(self, label: int) -> bool:
        return label in self._entered

    def dominates(self, dominator: int, label: int) -> bool:
        """Whether all ways to the block `label` come through `dominator`."""
        entered = self._entered[label]
        return self._entered[dominator] <= entered < self._left[dominator]


def components(edges: Edges, among: Iterable[int]) -> list[set[int]]:
    """Find the cycles among some blocks: sets of blocks that can all reach each other, largest possible."""
    inside = set(among)
    within = {label: [target for target in edges.get(label, ()) if target in inside] for label in inside}
    back = reverse(within)
    placed: list[int] = []
    seen: set[int] = set()
    for start in inside:  # Kosaraju's: the order of a search, then searches against the edges.
        if start not in seen:
            placed = order(within, start, seen) + placed
    cycles = []
    seen = set()
    for label in placed:
        if label not in seen:
            cycle = set(order(back, label, seen))
            if len(cycle) > 1 or label in within[label]:
                cycles.append(cycle)
    return cycles
