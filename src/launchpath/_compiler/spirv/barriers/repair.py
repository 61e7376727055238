"""Values that do not reach all their uses after a change of control flow: computed earlier, or merged by phis.

What may be computed without need moves up to where all its uses can have it. Intel's runtime lost stores to shared
memory where the address of such a store, or of the load, came from a phi of ended threads.
"""

from __future__ import annotations

from collections.abc import Callable

from ..flow import EXIT, PHI, Body, DominatorTree, dominators, order, reverse
from ..module import Instruction
from ..opcodes import NO_RESULT, Op
from ..operands import ids

Use = tuple[Instruction, int, int]

_LONGEST_CHAIN = 32  # instructions and operands


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


def repair(body: Body, before: Before, undefined: Callable[[int], int], pure: Callable[[Instruction], bool]) -> None:
    """Move values or put in phis, so that each value is defined on every way to its uses.

    Parameters
    ----------
    body : Body
    before : Before
    undefined : callable
        Gives a value of a type, for ways on which the value is not defined: no use there matters.
    pure : callable
        Whether doing an instruction without need does no harm.
    """
    for label in body.blocks.keys() - set(order(body.edges(), body.entry)):
        for target in body.blocks.pop(label).successors():
            if target in body.blocks:
                body.blocks[target].forget(label)
    _Repair(body, before, undefined, pure).run()


class _Repair:
    def __init__(
        self, body: Body, was: Before, undefined: Callable[[int], int], pure: Callable[[Instruction], bool]
    ) -> None:
        self.body, self.was, self.undefined = body, was, undefined
        self.definitions = {
            i.words[1]: i for block in body.blocks.values() for i in block.body if i.opcode not in NO_RESULT and pure(i)
        }
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
        broken: dict[int, list[Use]] = {}
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
            if not self._move_up(value, uses):
                self._rebuild(value, uses)

    def _use(self, broken: dict[int, list[Use]], user: Instruction, at: int, label: int) -> None:
        home = self.body.home.get(user.words[at])
        if home is not None and not self.tree.dominates(home, label):
            broken.setdefault(user.words[at], []).append((user, at, label))

    def _move_up(self, value: int, uses: list[Use]) -> bool:
        """Compute a value where all its uses can have it, if that is possible; say whether it is."""
        place = self.body.home[value]
        while not all(self._is_ahead(place, use) for use in uses):
            if place == self.above[place]:
                return False
            place = self.above[place]
        chain = self._chain(value, place)
        for moved in chain or ():
            self._remove(moved)
            self.body.blocks[place].body.append(moved)
            self.body.home[moved.words[1]] = place
        return chain is not None

    def _is_ahead(self, place: int, use: Use) -> bool:
        """Whether a use comes after the end of a block, on all ways."""
        user, _, label = use
        is_at_end = user.opcode == PHI or user is self.body.blocks[label].end
        return self.tree.dominates(place, label) and (place != label or is_at_end)

    def _chain(self, value: int, place: int) -> list[Instruction] | None:
        """List the instructions that compute a value from what the end of a block has, if they do no harm there."""
        chain: list[Instruction] = []
        waiting = [value]
        for wanted in waiting:
            home = self.body.home.get(wanted)
            if home is None or self.tree.dominates(home, place):
                continue
            definition = self.definitions.get(wanted)
            if definition is None or len(waiting) > _LONGEST_CHAIN:
                return None
            chain.append(definition)
            waiting += [definition.words[at] for at in ids(definition.opcode, definition.words) if at > 1]
        return list({id(i): i for i in chain[::-1]}.values())

    def _remove(self, instruction: Instruction) -> None:
        block = self.body.blocks[self.body.home[instruction.words[1]]]
        block.body = [other for other in block.body if other is not instruction]

    def _rebuild(self, value: int, uses: list[Use]) -> None:
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
            body.home[phis[label].words[1]] = label
