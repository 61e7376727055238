"""Threads that end before other threads of their block reach barriers.

In CUDA a thread that has ended counts as arrived: ``if (i >= n) return; ... __syncthreads();`` is common. In OpenCL
that is undefined, and where the threads of a block are turns of a loop, as on processors, whole blocks lose their
results.

So there, a thread that ends early goes on, marked as ended: from barrier to barrier, as the others do, and it does
nothing between them. Which barrier comes next may depend on conditions. An ended thread computes a condition that
depends on the arguments alone as the others do. The others send it every other condition, through shared memory and a
further barrier. The same way it learns that no thread is left: then all end.

Where that is not possible, the kernel becomes a loop over its `segments`: that is right for all control flow, but
compilers make slower code of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..enumerants import MemoryAccess, Scope
from ..flow import EXIT, PHI, Block, Body, reachable, reverse
from ..module import Instruction
from ..opcodes import NO_RESULT, Op
from ..operands import GROUP_OPERATIONS, SUBGROUP_OPERATIONS, ids
from ..outline import Function, Outline
from .arms import Arms, Unstructured
from .ended import Ended
from .inline import Inliner, TooLarge, waiting_functions
from .repair import Before, repair
from .segments import Segments
from .uniform import Level, Uniformity
from .walk import Plan, TooTangled

_MOST_COPIED = 20_000
_CONSEQUENCE = (
    "threads return before a barrier that others of their block reach; this device then loses results of the whole "
    "block, and the kernel could not be changed so that it does not"
)
_UNSEEN = (
    "if threads return before a barrier that others of their block reach, this device loses results of the whole "
    "block; the kernel was left as it is"
)


def continue_ended(outline: Outline, structured: bool = False) -> tuple[str, ...]:
    """Have ended threads go on to the barriers that others of their block wait at.

    Parameters
    ----------
    outline : Outline
    structured : bool
        The device is right only where branches with barriers are structured, see `arms`.

    Returns
    -------
    tuple of str
        Warnings about kernels that had to be left as they were.
    """
    warnings = []
    waiting = waiting_functions(outline)
    for kernel in outline.entries:
        if kernel in waiting:
            try:
                _change(outline, outline.functions[kernel], waiting, structured)
            except TooTangled as reason:
                warnings.append(f"kernel {outline.own_name(kernel)!r}: {_CONSEQUENCE}: {reason}")
            except TooLarge as reason:
                warnings.append(f"kernel {outline.own_name(kernel)!r}: {_UNSEEN}: {reason}")
    return tuple(warnings)


def _change(outline: Outline, kernel: Function, waiting: set[int], structured: bool) -> None:
    """Change a kernel if need be: as a loop over segments where nothing else is possible."""
    try:
        _Change(outline, kernel, waiting).run(structured)
    except (TooTangled, Unstructured):
        if not structured and _in_step(outline, kernel):
            raise
        _Change(outline, kernel, waiting).divide()


class _Change:
    """One kernel."""

    def __init__(self, outline: Outline, kernel: Function, waiting: set[int]) -> None:
        self.outline = outline
        self.parameters = {parameter.words[1]: Level.CHEAP for parameter in kernel.parameters}
        self.body = Body(outline, kernel)
        inliner = Inliner(self.body, waiting)
        inliner.run()
        self.origins = inliner.origins
        self.barriers = self.body.isolate_barriers()
        self.copied = 0
        self.marks: set[int] = set()
        self.split: set[int] = set()

    def divide(self) -> None:
        """Make a loop over segments of it."""
        Segments(self.body, self.barriers).write()
        self._write()

    def run(self, structured: bool) -> None:
        """Have ended threads go on, if there are any."""
        body = self.body
        edges = body.edges()
        ends = body.blocks.keys() - reachable(reverse(edges), self.barriers)
        early = list(self._leaving(edges, ends))
        if not early and not structured:
            return
        uniform = Uniformity(body, self.parameters, ends)
        for label in early:
            if uniform.decides(body.blocks[label]) == Level.VARYING:
                self._redirect(body.blocks[label], edges, ends)
        if structured:
            self._check(uniform)
        if self.marks:
            plan = Plan(body, self.barriers, uniform, self.marks, self.split)
            before = Before(body)
            ended = Ended(body, plan)
            ended.write()
            repair(body, before, ended.undefined, uniform.pure)
        closed = structured and self._close()
        if self.marks or closed:
            self._write()

    def _check(self, uniform: Uniformity) -> None:
        """Check that threads agree on the next barrier, and that some end only where no loop or branch goes on."""
        arms = Arms(self.body, self.barriers)
        relevant = arms.relevant()
        if any(uniform.decides(self.body.blocks[label]) == Level.VARYING for label in relevant):
            raise Unstructured
        if self.marks and (arms.loops or any(arms.after[label] != EXIT for label in relevant)):
            raise Unstructured

    def _close(self) -> bool:
        """Close branches that have barriers, and loosen loops; say whether there were any."""
        body = self.body
        waits = {label for label, block in body.blocks.items() if any(map(self.outline.is_barrier, block.body))}
        barrier = next(i for i in body.blocks[min(waits)].body if self.outline.is_barrier(i))
        ends = body.blocks.keys() - reachable(reverse(body.edges()), waits)
        arms = Arms(body, waits)
        return arms.loosen(Uniformity(body, self.parameters, ends)) | arms.close(barrier)

    def _write(self) -> None:
        self._decorate()
        self.body.write()

    def _decorate(self) -> None:
        """Give copies the names and decorations of what they are copies of."""
        self.outline.annotations += self._of_copies(self.outline.annotations, Op.Decorate)
        self.outline.debug += self._of_copies(self.outline.debug, Op.Name)

    def _of_copies(self, instructions: list[Instruction], opcode: Op) -> list[Instruction]:
        own: dict[int, list[Instruction]] = {}
        for instruction in instructions:
            if instruction.opcode == opcode:
                own.setdefault(instruction.words[0], []).append(instruction)
        return [
            Instruction(opcode, [copy, *instruction.words[1:]])
            for copy in self.origins
            for instruction in own.get(self._origin(copy), ())
        ]

    def _origin(self, copy: int) -> int:
        while copy in self.origins:
            copy = self.origins[copy]
        return copy

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
        self.origins.update((copied, original) for original, copied in new.items())
        self.copied += len(new)
        return new[start]

    def _renamed(self, instruction: Instruction, new: dict[int, int]) -> Instruction:
        words = instruction.words.copy()
        for at in [0] if instruction.opcode == Op.Switch else ids(instruction.opcode, words):
            words[at] = new.get(words[at], words[at])
        return instruction.replaced(words)


def _in_step(outline: Outline, kernel: Function) -> bool:
    """Whether a kernel's threads make warps."""
    reached = [outline.functions[number] for number in outline.reachable(kernel.id)]
    return any(_of_warps(outline, instruction) for function in reached for instruction in function.body)


def _of_warps(outline: Outline, instruction: Instruction) -> bool:
    opcode, words = instruction.opcode, instruction.words
    if opcode in GROUP_OPERATIONS or opcode in SUBGROUP_OPERATIONS:
        return True
    if opcode == Op.ControlBarrier:
        return outline.types.integer(words[0]) == Scope.Subgroup
    return opcode == Op.Load and len(words) > 3 and bool(words[3] & MemoryAccess.Volatile)
