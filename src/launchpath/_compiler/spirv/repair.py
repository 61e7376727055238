"""Phis for values with several definitions, after a change of control flow."""

from __future__ import annotations

from collections.abc import Callable

from .flow import EXIT, PHI, Body, DominatorTree, dominators, order, reverse
from .module import Instruction
from .opcodes import NO_RESULT, Op
from .operands import ids


class Before:
    """The dominators before control flow changed.

    Parameters
    ----------
    body : Body
    """

    def __init__(self, body: Body) -> None:
        body.locate()
        self.home = body.home
        edges = body.edges()
        self.tree = DominatorTree(dominators(edges, body.entry))

    def excludes(self, value: int, label: int) -> bool:
        """Whether a value did not dominate a block: uses behind it read a new definition, or do not matter."""
        home = self.home.get(value)
        return home is not None and label in self.tree and not self.tree.dominates(home, label)


def repair(body: Body, before: Before, undefined: Callable[[int], int]) -> None:
    """Put in phis, so that each value is defined on every way to its uses.

    Parameters
    ----------
    body : Body
    before : Before
    undefined : callable
        Gives a value of a type, for ways on which the value is not defined: no use there matters.
    """
    for label in body.blocks.keys() - set(order(body.edges(), body.entry)):
        for target in body.blocks.pop(label).successors():
            if target in body.blocks:
                body.blocks[target].forget(label)
    _Repair(body, before, undefined).run()


class _Repair:
    def __init__(self, body: Body, was: Before, undefined: Callable[[int], int]) -> None:
        self.body, self.was, self.undefined = body, was, undefined
        edges = body.edges()
        self.above = dominators(edges, body.entry)
        self.before = reverse(edges)
        self.tree = DominatorTree(self.above)
        self.frontier: dict[int, set[int]] = {label: set() for label in body.blocks}
        for label in body.blocks:
            if len(self.before[label]) > 1:
                for start in self.before[label]:
                    runner = start
                    while runner != self.above[label]:
                        self.frontier[runner].add(label)
                        runner = self.above[runner]

    def run(self) -> None:
        body = self.body
        body.locate()
        broken: dict[int, list[tuple[Instruction, int, int]]] = {}
        for block in body.blocks.values():
            for phi in block.phis:
                for at in range(2, len(phi.words), 2):
                    self._use(broken, phi, at, phi.words[at + 1])
            for instruction in (*block.body, block.end):
                if instruction.opcode == Op.Switch:
                    self._use(broken, instruction, 0, block.label)
                    continue
                own = 1 if instruction.opcode not in NO_RESULT else -1
                for at in ids(instruction.opcode, instruction.words):
                    if at != own:
                        self._use(broken, instruction, at, block.label)
        for value, uses in broken.items():
            self._rebuild(value, uses)

    def _use(
        self, broken: dict[int, list[tuple[Instruction, int, int]]], user: Instruction, at: int, label: int
    ) -> None:
        home = self.body.home.get(user.words[at])
        if home is not None and not self.tree.dominates(home, label):
            broken.setdefault(user.words[at], []).append((user, at, label))

    def _rebuild(self, value: int, uses: list[tuple[Instruction, int, int]]) -> None:
        body, home = self.body, self.body.home[value]
        joins: set[int] = set()
        waiting = [home]
        for label in waiting:
            for join in self.frontier[label]:
                if join not in joins and join != EXIT:
                    joins.add(join)
                    waiting.append(join)
        type_id = body.typed[value]
        phis: dict[int, Instruction] = {}
        wanted: list[int] = []

        def at_end(label: int) -> int:
            """Give the value that a way through the end of a block has."""
            while label != home and label not in joins:
                if label == body.entry or self.was.excludes(value, label):
                    return self.undefined(type_id)
                label = self.above[label]
            if label == home:
                return value
            if self.was.excludes(value, label):
                return self.undefined(type_id)
            if label not in phis:
                phis[label] = Instruction(PHI, [type_id, body.outline.module.new_id()])
                wanted.append(label)
            return phis[label].words[1]

        # A use within a block takes the value at the block's end: uses in the value's own block are not
        # broken, but where that block is in a cycle a join there would stand before the value.
        for user, at, label in uses:
            user.words[at] = at_end(label)
        for label in wanted:
            for predecessor in self.before[label]:
                phis[label].words += [at_end(predecessor), predecessor]
            body.blocks[label].phis.append(phis[label])
            body.typed[phis[label].words[1]] = type_id
