"""Control flow: which blocks are loops, and where each block is written.

Blocks are written by the tree of their dominators. A block with a single predecessor is written where that
predecessor branches. A block with several follows, in the same braces, the block that dominates it. A block behind a
loop follows the loop. All jumps that this leaves go forward and outward, so ``break``, ``continue`` and falling through
spell most of them, and ``goto`` the rest; a loop with several entries is written with ``goto`` alone.
"""

from __future__ import annotations

from ...spirv.flow import dominators, order
from .reader import Function


class Flow:
    """The control flow of a function."""

    def __init__(self, function: Function) -> None:
        self.entry = next(iter(function.blocks))
        self.successors = {label: block.successors() for label, block in function.blocks.items()}
        # reachable blocks, each before all that it goes to, but for jumps back
        self.order = order(self.successors, self.entry)
        self.number = {label: index for index, label in enumerate(self.order)}
        self.predecessors: dict[int, list[int]] = {label: [] for label in self.order}
        for label in self.order:
            for target in self.successors[label]:
                self.predecessors[target].append(label)
        # the block that immediately dominates each; the entry dominates itself
        self.dominator = dominators(self.successors, self.entry)
        self.loops = self._loops()  # the blocks of each loop by its header
        self.inline: set[int] = set()
        self.after_block: dict[int, list[int]] = {label: [] for label in self.order}
        self.after_loop: dict[int, list[int]] = {label: [] for label in self.loops}
        self._place()

    def dominates(self, above: int, label: int) -> bool:
        """Whether every way to `label` passes `above`."""
        while self.number[label] > self.number[above]:
            label = self.dominator[label]
        return above == label

    def innermost(self, label: int) -> int | None:
        """Give the header of the smallest loop around a block."""
        around = [header for header, body in self.loops.items() if label in body]
        return min(around, key=lambda header: len(self.loops[header]), default=None)

    def is_back(self, source: int, target: int) -> bool:
        """Whether a jump goes back to the header of a loop that it is in."""
        return target in self.loops and source in self.loops[target] and self.number[source] >= self.number[target]

    def _loops(self) -> dict[int, set[int]]:
        loops: dict[int, set[int]] = {}
        for source in self.order:
            for header in self.successors[source]:
                if self.number[header] <= self.number[source] and self.dominates(header, source):
                    body = loops.setdefault(header, {header})
                    stack = [source]
                    while stack:
                        label = stack.pop()
                        if label not in body:
                            body.add(label)
                            stack += self.predecessors[label]
        return loops

    def _place(self) -> None:
        for label in self.order[1:]:
            above = self.dominator[label]
            left = [header for header, body in self.loops.items() if above in body and label not in body]
            if left:
                self.after_loop[max(left, key=lambda header: len(self.loops[header]))].append(label)
                continue
            forward = [predecessor for predecessor in self.predecessors[label] if not self.is_back(predecessor, label)]
            if forward == [above] and len(self.successors[above]) > 1:
                self.inline.add(label)
            else:
                self.after_block[above].append(label)
