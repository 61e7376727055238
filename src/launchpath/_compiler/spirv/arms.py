"""Branches with barriers, for PoCL 3.1.

It runs the threads of a block one after the other from barrier to barrier. For that it finds the code between two
barriers, and where several jumps lead from there to the end of a branch, it loses threads without a message, or hangs::

    if (steps > 0) {
        ...
        __syncthreads();
        if (is_hot) { if (value < limit) out[i] = value; }
    }

A further barrier at the end of such a branch makes that end its own. All threads come there: a branch with a barrier is
one that all threads of a block take.
"""

from __future__ import annotations

from .flow import EXIT, PHI, Body, DominatorTree, components, dominators, reachable, reverse
from .module import Instruction
from .opcodes import Op


class Unstructured(Exception):
    """Branches and loops with barriers that PoCL 3.1 may compile wrong."""


class Arms:
    """The branches of a function that have barriers.

    Parameters
    ----------
    body : Body
    barriers : set of int
        Blocks that hold a barrier.
    """

    def __init__(self, body: Body, barriers: set[int]) -> None:
        self.body, self.barriers = body, barriers
        self.returns = {
            label for label, block in body.blocks.items() if block.end.opcode == Op.Return and not block.body
        }
        self.edges = {
            label: [EXIT if target in self.returns else target for target in targets]
            for label, targets in body.edges().items()
            if label not in self.returns
        }
        self.before = reverse(self.edges)
        self.tree = DominatorTree(dominators(self.edges, body.entry))
        self.after = dominators(self.before, EXIT)
        self.loops = self._loops()

    def close(self, barrier: Instruction) -> bool:
        """Put a barrier like this one at the end of each branch that has barriers; say whether there were any.

        Raises
        ------
        Unstructured
        """
        ends: list[tuple[set[int], int]] = []
        for label in self.relevant():
            targets, join = self.edges[label], self.after[label]
            left = [loop for loop in self.loops if label in loop and not loop.issuperset(targets)]
            if left:
                self._check_exit(label, min(left, key=len))
                continue
            for target in set(targets) - {join}:
                arm = self._arm(label, target)
                if self._ends(arm) - {join}:
                    raise Unstructured
                if arm & self.barriers and any(len(self.edges[inside]) > 1 for inside in arm):
                    ends.append((arm, join))
        ends.sort(key=lambda end: len(end[0]))
        for at, (arm, join) in enumerate(ends):
            end = self._close(arm, join, barrier)
            for around, _ in ends[at + 1 :]:
                if arm <= around:
                    around.add(end)
        return bool(ends)

    def relevant(self) -> list[int]:
        """List the branches that decide which barrier comes next."""
        found = []
        for label, targets in self.edges.items():
            if len(set(targets)) > 1 and label in self.tree:
                join = self.after.get(label)
                if join is None:
                    raise Unstructured
                if (reachable(self.edges, targets, [join]) - {EXIT}) & self.barriers:
                    found.append(label)
        return found

    def _arm(self, label: int, target: int) -> set[int]:
        """Find the blocks that are reached by this branch alone."""
        if target == EXIT or self.before[target] != [label]:
            raise Unstructured
        return {block for block in self.edges if block in self.tree and self.tree.dominates(target, block)}

    def _ends(self, arm: set[int]) -> set[int]:
        return {target for block in arm for target in self.edges[block]} - arm

    def _check_exit(self, label: int, loop: set[int]) -> None:
        """Check that a loop ends in one place, and not in the middle of a branch with barriers."""
        after = self.after.get(label, EXIT)
        while after in loop:
            after = self.after[after]
        inside = [target for target in set(self.edges[label]) if target in loop]
        if after == EXIT or len(inside) > 1:
            raise Unstructured
        for target in set(self.edges[label]) - loop - {after}:
            arm = self._arm(label, target)
            if arm & self.barriers or self._ends(arm) != {after}:
                raise Unstructured

    def _loops(self) -> list[set[int]]:
        """Find the loops that have barriers."""
        loops: dict[int, set[int]] = {}
        for label, targets in self.edges.items():
            for target in targets:
                if label in self.tree and target != EXIT and self.tree.dominates(target, label):
                    loop = reachable(self.before, [label], [target]) | {target}
                    loops.setdefault(target, set()).update(loop)
        cycles = components(self.edges, self.edges.keys() - loops.keys())
        if any(cycle & self.barriers for cycle in cycles):
            raise Unstructured
        return [loop for loop in loops.values() if loop & self.barriers]

    def _close(self, arm: set[int], join: int, barrier: Instruction) -> int:
        """Have all ways from a branch to where it ends meet in a block with a barrier; give that block."""
        body = self.body
        end = body.new()
        end.body.append(barrier.replaced(barrier.words.copy()))
        if join == EXIT:
            end.finish(Instruction(Op.Return, []))
            for block in map(body.blocks.__getitem__, arm):
                if block.end.opcode in (Op.Return, Op.ReturnValue):
                    block.go(end.label)
                for target in self.returns.intersection(block.successors()):
                    block.retarget(target, end.label)
            return end.label
        end.go(join)
        for phi in body.blocks[join].phis:
            pairs = [(phi.words[at], phi.words[at + 1]) for at in range(2, len(phi.words), 2)]
            merged = body.outline.module.new_id()
            body.typed[merged] = phi.words[0]
            end.phis.append(Instruction(PHI, [phi.words[0], merged, *_words(pairs, arm)]))
            phi.words = [*phi.words[:2], *_words(pairs, {label for _, label in pairs} - arm), merged, end.label]
        for label in arm:
            body.blocks[label].retarget(join, end.label)
        return end.label


def _words(pairs: list[tuple[int, int]], among: set[int]) -> list[int]:
    return [word for pair in pairs if pair[1] in among for word in pair]
