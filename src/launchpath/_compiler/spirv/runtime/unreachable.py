"""Ways on which control never goes, for PoCL 3.1: it compiles kernels wrong that have them and barriers.

Clang ends such a way with an unreachable end. ``switch (x & 3)`` with four cases has one behind its default, and four
``if`` that ask for these four values become such a switch. PoCL takes an unreachable end for one more end of the
kernel. A barrier behind the ``switch`` is then one that some threads do not come to; PoCL puts a further barrier into
one of the ways there, and threads lose their results without a message, or the process crashes.

No thread takes these ways, so they are taken out, and a switch has its last case in place of its default.
"""

from __future__ import annotations

from ..flow import Block, Body
from ..module import Instruction
from ..opcodes import Op
from ..outline import Function, Outline


def remove_unreachable(outline: Outline) -> None:
    """Take ways to unreachable ends out of functions.

    What still does something before such an end, as the call of a function that never returns, ends the thread. Only
    functions that return a value keep that end.
    """
    for function in outline.functions.values():
        if any(instruction.opcode == Op.Unreachable for instruction in function.body):
            _change(outline, function)


def _change(outline: Outline, function: Function) -> None:
    body = Body(outline, function)
    unreachable: set[int] = set()
    while empty := _empty(body) - unreachable:
        unreachable |= empty
        for block in body.blocks.values():
            if not empty.isdisjoint(block.successors()):
                _avoid(block, empty)
    if outline.types.opcode(function.definition.words[0]) == Op.TypeVoid:
        for block in body.blocks.values():
            if block.end.opcode == Op.Unreachable:
                block.finish(Instruction(Op.Return, []))
    body.write()


def _empty(body: Body) -> set[int]:
    """Find the blocks that do nothing before an unreachable end."""
    return {
        label for label, block in body.blocks.items()
        if block.end.opcode == Op.Unreachable and not block.body and label != body.entry
    }  # fmt: skip


def _avoid(block: Block, unreachable: set[int]) -> None:
    """Have a block go to none but its other targets."""
    words = block.end.words
    places = [place for place in block.targets if words[place] not in unreachable]
    targets = {words[place] for place in places}
    if not targets:
        block.finish(Instruction(Op.Unreachable, []))
    elif len(targets) == 1:
        block.go(*targets)
    else:
        step = block.targets[1] - block.targets[0]
        default = words[1] if words[1] in targets else words[places[-1]]
        cases = [words[place - step + 1 : place + 1] for place in places if place != 1 and words[place] != default]
        block.finish(Instruction(Op.Switch, [words[0], default, *(word for case in cases for word in case)]), step == 3)
