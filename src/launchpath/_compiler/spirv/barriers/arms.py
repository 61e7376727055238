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

In a kernel with barriers PoCL puts barriers into innermost loops as well, if it takes their conditions for the same for
all threads. Where control flow around is not structured, the condition is changed so that PoCL does not.
"""

from __future__ import annotations

from ..flow import EXIT, PHI, Body, DominatorTree, components, dominators, reachable, reverse
from ..module import Instruction
from ..opcodes import Op
from .threads import Threads
from .uniform import Level, Uniformity


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
        self.every = self._loops()
        self.loops = [loop for loop in self.every.values() if loop & barriers]

    def close(self, barrier: Instruction) -> bool:
        """Put a barrier like this one at the end of each branch that has barriers; say whether there were any.

        Raises
        ------
        Unstructured
        """
        if any(map(self._is_left_in_the_middle, self.every)) or any(map(self._leaves_two, self.every.values())):
            raise Unstructured
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

    def loosen(self, uniform: Uniformity) -> bool:
        """Keep PoCL from putting barriers into loops where it cannot; say whether there are any.

        Call it before `close`.
        """
        loops = self._innermost(uniform)
        if not loops:
            return False
        wrong: set[int] = set()
        for label, targets in self.edges.items():
            if len(set(targets)) < 2 or label not in self.tree:
                continue
            join = self.after.get(label)
            region = reachable(self.edges, targets, [] if join is None else [join])
            inside = {header for header in loops.keys() & region if label not in self.every[header]} - wrong
            if uniform.decides(self.body.blocks[label]) == Level.VARYING or (inside and not self._is_simple(label)):
                wrong |= inside
        threads = Threads(self.body)
        for header in sorted(wrong):
            block = self.body.blocks[loops[header]]
            far = self.body.put(block, Op.INotEqual, threads.bool, threads.own(block, 0), threads.number(0))
            condition = self.body.put(block, Op.LogicalOr, threads.bool, block.end.words[0], far)
            block.end.words[0] = condition
        return bool(wrong)

    def _innermost(self, uniform: Uniformity) -> dict[int, int]:
        """Find the loops that PoCL may put barriers into: their headers, and where each is left."""
        exits = {}
        for header, loop in self.every.items():
            left = [self.body.blocks[label] for label in loop if not loop.issuperset(self.edges[label])]
            is_innermost = not (loop & self.every.keys()) - {header} and not loop & self.barriers
            is_left_once = len(left) == 1 and left[0].end.opcode == Op.BranchConditional
            if is_innermost and is_left_once and uniform.decides(left[0]) != Level.VARYING:
                exits[header] = left[0].label
        return exits

    def _is_simple(self, label: int) -> bool:
        """Whether all ways from a branch meet at one place, and from each side of it comes one jump at most."""
        join = self.after.get(label)
        left = [loop for loop in self.every.values() if label in loop and not loop.issuperset(self.edges[label])]
        try:
            if left:
                self._check_exit(label, min(left, key=len))
                return True
            arms = [self._arm(label, target) for target in set(self.edges[label]) - {join}]
        except Unstructured:
            return False
        jumps = [[target for block in arm for target in self.edges[block] if target not in arm] for arm in arms]
        return all(targets in ([], [join]) for targets in jumps)

    def relevant(self) -> list[int]:
        """List the branches that decide which barrier comes next."""
        branches = []
        for label, targets in self.edges.items():
            if len(set(targets)) > 1 and label in self.tree:
                join = self.after.get(label)
                if join is None:
                    raise Unstructured
                if (reachable(self.edges, targets, [join]) - {EXIT}) & self.barriers:
                    branches.append(label)
        return branches

    def _arm(self, label: int, target: int) -> set[int]:
        """Find the blocks that are reached by this branch alone."""
        if target == EXIT:
            raise Unstructured
        arm = {block for block in self.edges if block in self.tree and self.tree.dominates(target, block)}
        if set(self.before[target]) - arm != {label}:
            raise Unstructured
        return arm

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

    def _is_left_in_the_middle(self, header: int) -> bool:
        """Whether a loop has an exit between two of its barriers: PoCL loses what threads keep for the code behind."""
        loop = self.every[header]
        waiting = loop & self.barriers
        ahead = {block: [target for target in self.edges[block] if target in loop] for block in loop}
        back = {block: [target for target in self.before[block] if target in loop] for block in loop}
        for label, targets in ahead.items():
            if targets and len(targets) < len(self.edges[label]):
                earlier = reachable(back, [label], [header]) | {header}
                later = reachable(ahead, targets, [header])
                if waiting & earlier and waiting & later:
                    return True
        return False

    def _leaves_two(self, loop: set[int]) -> bool:
        """Whether some exits of a loop without barriers also leave a loop with barriers around it, and others do not.

        PoCL makes two loops of the inner loop where an exit depends on what stays the same in it, and then finds no
        single entry to the code between two barriers. Clang lets all exits meet in a block, with a value that decides.
        """
        exits = [label for label in loop if not loop.issuperset(self.edges[label])]
        if len(exits) < 2 or loop & self.barriers:
            return False
        meet = {target for label in exits for target in self.edges[label]} - loop
        beyond = meet.union(*(self.edges.get(target, ()) for target in meet))
        return any(loop < other and beyond - other for other in self.loops)

    def _loops(self) -> dict[int, set[int]]:
        """Find the loops by their headers."""
        loops: dict[int, set[int]] = {}
        for label, targets in self.edges.items():
            for target in targets:
                if label in self.tree and target != EXIT and self.tree.dominates(target, label):
                    loop = reachable(self.before, [label], [target]) | {target}
                    loops.setdefault(target, set()).update(loop)
        cycles = components(self.edges, self.edges.keys() - loops.keys())
        if any(cycle & self.barriers for cycle in cycles):
            raise Unstructured
        return loops

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
