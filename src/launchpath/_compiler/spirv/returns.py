"""Threads that end before other threads of their block reach barriers.

In CUDA a thread that has ended counts as arrived: ``if (i >= n) return; ... __syncthreads();`` is common. In OpenCL
that is undefined, and where the threads of a block are turns of a loop, as on processors, whole blocks lose their
results.

So there, a thread that ends early goes on, marked as ended: from barrier to barrier, as the others do, and it does
nothing between them. Which barrier comes next may depend on conditions. An ended thread computes a condition that
depends on the arguments alone as the others do. The others send it every other condition, through shared memory and a
further barrier. The same way it learns that no thread is left: then all end.
"""

from __future__ import annotations

from collections.abc import Iterator

from .ended import Ended
from .flow import BLOCK_SCOPE, EXIT, PHI, Block, Body, reachable, reverse
from .module import Instruction
from .opcodes import NO_RESULT, Op
from .operands import ids
from .outline import Function, Outline
from .repair import Before, repair
from .uniform import Level, Uniformity
from .walk import Plan, TooTangled

_MOST_COPIED = 20_000
_CONSEQUENCE = (
    "threads return before a barrier that others of their block reach; this device then loses results of the whole "
    "block, and the kernel could not be changed so that it does not"
)


def continue_ended(outline: Outline) -> tuple[str, ...]:
    """Have ended threads go on to the barriers that others of their block wait at.

    Parameters
    ----------
    outline : Outline

    Returns
    -------
    tuple of str
        Warnings about kernels that had to be left as they were.
    """
    warnings: dict[str, None] = {}
    for target, kernels in _functions(outline).items():
        function = outline.functions[target]
        try:
            _Change(outline, function, _parameters(outline, function, kernels)).run()
        except TooTangled as reason:
            names = ", ".join(repr(outline.own_name(kernel)) for kernel in kernels)
            warnings[f"kernel {names}: {_CONSEQUENCE}: {reason}"] = None
    return tuple(warnings)


def _functions(outline: Outline) -> dict[int, list[int]]:
    """Find the functions with barriers whose return ends a thread, and their kernels.

    Those are kernels, and functions called by kernels that do nothing else. Barriers in other functions are left as
    they are, and so are the kernels that reach them.
    """
    with_barriers = {
        function.id
        for function in outline.functions.values()
        if any(
            i.opcode == Op.ControlBarrier and outline.types.integer(i.words[0]) == BLOCK_SCOPE for i in function.body
        )
    }
    kernels: dict[int, list[int]] = {}
    if with_barriers:
        for kernel in outline.entries:
            reached = [function for function in outline.reachable(kernel) if function in with_barriers]
            if reached == [kernel] or (len(reached) == 1 and _only_calls(outline.functions[kernel], reached[0])):
                kernels.setdefault(reached[0], []).append(kernel)
    return kernels


def _only_calls(kernel: Function, target: int) -> bool:
    calls = [i.words[2] for i in kernel.body if i.opcode == Op.FunctionCall]
    last = [i.opcode for i in kernel.body[-2:]]
    labels = sum(1 for i in kernel.body if i.opcode == Op.Label)
    return calls == [target] and last == [Op.FunctionCall, Op.Return] and labels == 1


def _parameters(outline: Outline, function: Function, kernels: list[int]) -> dict[int, Level]:
    """Say of a function's parameters whether all threads have the same; a kernel's are the launch's."""
    levels = {parameter.words[1]: Level.CHEAP for parameter in function.parameters}
    for kernel in kernels:
        if kernel != function.id:
            caller = outline.functions[kernel]
            known = Uniformity(Body(outline, caller), {i.words[1]: Level.CHEAP for i in caller.parameters}, set())
            for parameter, argument in zip(levels, caller.body[-2].words[3:], strict=True):
                levels[parameter] = max(levels[parameter], known.of(argument))
    return levels


class _Change:
    """One function."""

    def __init__(self, outline: Outline, function: Function, parameters: dict[int, Level]) -> None:
        self.outline, self.function, self.parameters = outline, function, parameters
        self.body = Body(outline, function)
        self.copies: dict[int, list[int]] = {}
        self.copied = 0
        self.marks: set[int] = set()
        self.split: set[int] = set()

    def run(self) -> None:
        body = self.body
        if sum(1 for block in body.blocks.values() if len(block.successors()) > 1) == 0:
            return
        barriers = body.isolate_barriers()
        edges = body.edges()
        ends = body.blocks.keys() - reachable(reverse(edges), barriers)
        early = list(self._leaving(edges, ends))
        if not early:
            return
        uniform = Uniformity(body, self.parameters, ends)
        for label in early:
            if uniform.decides(body.blocks[label]) == Level.VARYING:
                self._redirect(body.blocks[label], edges, ends)
        if not self.marks:
            return
        plan = Plan(body, barriers, uniform, self.marks, self.split)
        before = Before(body)
        ended = Ended(body, plan)
        ended.write()
        repair(body, before, ended.undefined)
        self.outline.annotations += [
            Instruction(Op.Decorate, [copy, *i.words[1:]])
            for i in self.outline.annotations
            if i.opcode == Op.Decorate
            for copy in self.copies.get(i.words[0], ())
        ]
        body.write()

    def _leaving(self, edges: dict[int, list[int]], ends: set[int]) -> Iterator[int]:
        """Find the branches that lead from blocks before barriers to blocks without a barrier behind them."""
        for label, targets in edges.items():
            if label not in ends and len(targets) > 1 and any(target in ends for target in targets):
                yield label

    def _redirect(self, block: Block, edges: dict[int, list[int]], ends: set[int]) -> None:
        """Let the threads that end go on where the others do. They get a copy of the code before their end."""
        targets = edges[block.label]
        others = [target for target in targets if target not in ends]
        for target in targets:
            if target not in ends:
                continue
            region = reachable(edges, [target]) - {EXIT}
            if not any(self.body.blocks[label].end.opcode == Op.Return for label in region):
                continue  # no thread comes to its end
            if len(others) > 1:
                self.split.add(block.label)
            mark = self.body.new()
            mark.go(others[0])
            joined = self.body.blocks[others[0]]
            incoming = joined.incoming(block.label)
            for phi in joined.phis:
                phi.words += [incoming[phi.words[1]], mark.label]
            block.retarget(target, self._copy(region, target, block.label, mark.label))
            self.body.blocks[target].forget(block.label)
            self.marks.add(mark.label)

    def _copy(self, region: set[int], start: int, before: int, after: int) -> int:
        """Copy blocks that are entered from the block `before`; the copies go to `after` instead of returning."""
        new_id, blocks = self.outline.module.new_id, self.body.blocks
        new: dict[int, int] = {}
        for label in region:
            new[label] = new_id()
            for i in (*blocks[label].phis, *blocks[label].body):
                if i.opcode not in NO_RESULT:
                    new[i.words[1]] = new_id()
        if self.copied + len(new) > _MOST_COPIED:
            raise TooTangled("too much code comes before its returns")
        for label in region:
            old, copy = blocks[label], Block(new[label])
            blocks[copy.label] = copy
            for phi in old.phis:
                words = [phi.words[0], new[phi.words[1]]]
                for at in range(2, len(phi.words), 2):
                    if phi.words[at + 1] in region:
                        words += [new.get(phi.words[at], phi.words[at]), new[phi.words[at + 1]]]
                    elif phi.words[at + 1] == before and label == start:
                        words += phi.words[at : at + 2]
                copy.phis.append(Instruction(PHI, words))
            copy.body = [self._renamed(i, new) for i in old.body]
            end = Instruction(Op.Branch, [after]) if old.end.opcode == Op.Return else self._renamed(old.end, new)
            copy.finish(end)
            if end.opcode == Op.Switch:
                copy.targets = old.targets.copy()
                for at in copy.targets:
                    end.words[at] = new[end.words[at]]
            for i in (*copy.phis, *copy.body):
                if i.opcode not in NO_RESULT:
                    self.body.typed[i.words[1]] = i.words[0]
        for original, copied in new.items():
            self.copies.setdefault(original, []).append(copied)
        self.copied += len(new)
        return new[start]

    def _renamed(self, instruction: Instruction, new: dict[int, int]) -> Instruction:
        words = instruction.words.copy()
        for at in [0] if instruction.opcode == Op.Switch else ids(instruction.opcode, words):
            words[at] = new.get(words[at], words[at])
        return instruction.replaced(words)
