"""Loops without an end, which CPUs' compilers make wrong code of in kernels with barriers or warps.

PoCL 3.1 finds the code between two barriers by the ways to the second, and a loop without an end leads nowhere. Threads
lost their results without a message, although none took the way into the loop::

    switch (t) { case 600: for (;;) ++*(volatile int *)p; case 5: a += 7; break; case 6: a *= 3; }
    __syncthreads();

Intel's CPU runtime (2026.2) does not join threads in vectors in a kernel with such a loop, and ends the process where
the kernel has an operation of warps.

So such a loop ends after 2**64 rounds. A condition that stays the same would not do: compilers move it out of the loop.
"""

from __future__ import annotations

from ..barriers.inline import waiting_functions
from ..barriers.threads import Threads
from ..flow import EXIT, Block, Body, components, reachable, reverse
from ..module import Instruction
from ..opcodes import Op
from ..outline import Function, Outline


def end_endless_loops(outline: Outline) -> None:
    """Give loops without an end and without a barrier an end that no thread comes to."""
    waiting = waiting_functions(outline)
    for function in outline.functions.values():
        if function.body:
            _Loops(outline, function, waiting).end()


class _Loops:
    def __init__(self, outline: Outline, function: Function, waiting: set[int]) -> None:
        self.outline, self.waiting = outline, waiting
        self.body, self.returned = Body(outline, function), function.definition.words[0]

    def end(self) -> None:
        """Do it, innermost loops first: what leads to one of them has an end then."""
        loops = self._endless()
        if not loops:
            return
        self.threads = Threads(self.body)
        self.rounds = self.threads.variable(self.threads.long)
        self.threads.set(self.threads.start, self.rounds, self.threads.own(self.threads.start, 1))
        while loops:
            for loop in loops:
                self._end(self.body.blocks[min(loop)])
            loops = self._endless()
        self.threads.install()
        self.body.write()

    def _endless(self) -> list[set[int]]:
        """Find the loops that no way leads out of, and that do not wait for other threads."""
        edges = self.body.edges()
        others = {label for label, targets in edges.items() if not targets}
        ended = reachable(reverse(edges), [EXIT, *others])
        loops = components(edges, edges.keys() - ended)
        return [loop for loop in loops if not any(map(self._waits, loop)) and _is_last(edges, loop)]

    def _waits(self, label: int) -> bool:
        return any(
            self.outline.is_barrier(i) or (i.opcode == Op.FunctionCall and i.words[2] in self.waiting)
            for i in self.body.blocks[label].body
        )

    def _end(self, block: Block) -> None:
        """Count the rounds in a block, and leave the function there after the last."""
        body, threads = self.body, self.threads
        rest, out = body.split(block, 0), body.new()
        if self.outline.types.opcode(self.returned) == Op.TypeVoid:
            out.finish(Instruction(Op.Return, []))
        else:
            out.finish(Instruction(Op.ReturnValue, [self.outline.types.null(self.returned)]))
        rounds = body.put(block, Op.Load, threads.long, self.rounds)
        rounds = body.put(block, Op.IAdd, threads.long, rounds, threads.number(1))
        threads.set(block, self.rounds, rounds)
        block.choose(body.put(block, Op.IEqual, threads.bool, rounds, threads.number(0)), out.label, rest.label)


def _is_last(edges: dict[int, list[int]], loop: set[int]) -> bool:
    return all(target in loop for label in loop for target in edges[label])
