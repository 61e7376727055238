"""The end of a loop that has its condition there: ``do { } while``.

``for (;;)`` with ``break`` could spell all loops. But Clang keeps a loop's notes, such as the note not to unroll it, on
the branch back, and loses those of a loop without a condition when it merges blocks. PoCL forbids unrolling on all
loops, because it makes loops over the work-items first: a loop unrolled before that has its addresses kept in memory
for each work-item, and takes a quarter longer.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..spirv.opcodes import Op
from .module.flow import Flow
from .module.operands import used
from .module.reader import Block, Function
from .text.statements import Scope


@dataclass(slots=True)
class Latch:
    """How a loop ends."""

    tail: Scope  # the end of the braces in which its last block stands, as part of them
    going_on: str  # the condition for another round
    leaving: str  # its opposite
    back: Scope  # what the phis of the loop's header take on the way back
    after: Scope  # what the phis behind the loop take

    def close(self, loop: Scope) -> tuple[str, list[str | Scope]]:
        """Write the end of a loop into its braces; give its first line, and the items after its body."""
        self.back.is_flat = True
        if not _is_last(self.tail, loop):
            self.after.items.append("break;")
            self.tail.items += [f"if ({self.leaving}) {{", self.after, "}", self.back]
            return "for (;;) {", ["}"]
        self.tail.items.append(self.back)
        self.after.is_flat = True
        return "do {", [f"}} while ({self.going_on});", *([self.after] if self.after.items else [])]


def _is_last(tail: Scope, loop: Scope) -> bool:
    """Whether the end of some braces is at the end of a loop."""
    scope = loop
    while scope is not tail:
        last = scope.items[-1] if scope.items else None
        if not isinstance(last, Scope) or not last.is_flat:
            return False
        scope = last
    return True


def is_latch(function: Function, flow: Flow, block: Block, header: int, leaving: int) -> bool:
    """Whether a loop can end with the branch of this block.

    Then what the header's phis take is set before the loop is left: nothing behind it may use them. A ``continue``
    would come to the condition, so that there must be no other way back.
    """
    if block.terminator.opcode != Op.BranchConditional or {*block.successors()} != {header, leaving}:
        return False
    body = flow.loops[header]

    def only_from_here(target: int) -> bool:
        return [predecessor for predecessor in flow.predecessors[target] if predecessor in body] == [block.label]

    if not only_from_here(header) or (function.blocks[leaving].phis and not only_from_here(leaving)):
        return False
    phis = {phi.words[1] for phi in function.blocks[header].phis}
    outside = (other for label, other in function.blocks.items() if label not in body)
    return not any(
        word in phis
        for other in outside
        for instruction in (*other.phis, *other.body, other.terminator)
        for word in used(instruction)
    )
