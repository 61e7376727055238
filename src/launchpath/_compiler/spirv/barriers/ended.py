"""Code for ended threads: a mark, branches around the rest of the kernel, and votes."""

from __future__ import annotations

from ..flow import EXIT, Block, Body
from ..module import Instruction
from ..opcodes import NO_RESULT, Op
from .threads import Threads, Turns
from .uniform import Level
from .walk import Plan, TooTangled

_HALF = 32
_SPREAD = 0x9E3779B9  # multiples of it are different numbers, far from those that programs use


class Ended:
    """Changes a function as planned.

    Parameters
    ----------
    body : Body
    plan : Plan
    """

    def __init__(self, body: Body, plan: Plan) -> None:
        self.body, self.plan = body, plan
        self.outline, self.types = body.outline, body.outline.types
        self.threads = Threads(body)
        self.long, self.bool, self.number = self.threads.long, self.threads.bool, self.threads.number
        self._constants: dict[tuple[int, int], int] = {}
        self.ended = self.threads.variable(self.long)
        self.threads.set(self.threads.start, self.ended, self.number(0))
        # The point after the last barrier: ended threads stop here, but they do reach it. PoCL 3.1 mishandles an exit
        # before this point, if it is behind a condition with barriers.
        self._gates: set[int] = set()
        self.over = body.new()
        self.over.finish(Instruction(Op.Return, []))
        self._unread = 0
        if plan.shared_decisions or plan.votes:
            barriers = [body.blocks[label].body[0] for label in sorted(plan.barriers)]
            self.turns = Turns(self.threads, barriers)

    def write(self) -> None:
        """Change the function's blocks."""
        plan, blocks = self.plan, self.body.blocks
        for label in plan.marks:
            block = blocks[label]
            mark = self.body.put(block, Op.IAdd, self.long, self.threads.place(block), self.number(1))
            self.threads.set(block, self.ended, mark)
            self._redirect(block, block.end.words[0], plan.walk[label][0])
        for label in sorted(plan.stops):
            block = blocks[label]
            if label in plan.barriers:
                if label in plan.votes:
                    block = self._vote(block)
                self._leave(block)
            elif label in plan.relevant:
                block = self._guard(block)
                if label in plan.shared_decisions:
                    block = self._share_decision(block)
                for target in block.successors():
                    if target in plan.ends:
                        self._gates.add(target)
                    elif plan.next(target) != target:
                        self._leave(self._between(block, target))
            else:
                self._skip(block, plan.walk[label][0])
        for label in sorted(self._gates):
            block = blocks[label]
            rest = self.body.split(block, 0)
            block.choose(self._read(block), self.over.label, rest.label)
        self.threads.install()

    def undefined(self, type_id: int) -> int:
        """Give a value of a type that nothing reads.

        An undefined value would do, but with it Intel's runtime gives wrong values to threads that do read. So it does
        in some kernels, even to a block of one thread, where one number stands for several of these values.
        """
        if self.types.opcode(type_id) == Op.TypeInt and self.types.operands(type_id)[0] >= _HALF:
            self._unread += 1
            return self.types.constant(type_id, self._unread * _SPREAD & 0xFFFFFFFF)
        return self.constant(Op.ConstantNull, type_id)

    def constant(self, opcode: Op, type_id: int) -> int:
        """Declare a constant without operands."""
        constant = self._constants.get((opcode, type_id))
        if constant is None:
            constant = self._constants[opcode, type_id] = self.outline.module.new_id()
            self.types.added.append(Instruction(opcode, [type_id, constant]))
        return constant

    def _read(self, block: Block) -> int:
        mark = self.body.put(block, Op.Load, self.long, self.ended)
        return self.body.put(block, Op.INotEqual, self.bool, mark, self.number(0))

    def _place(self, target: int) -> int:
        return self.over.label if target == EXIT else target

    def _enter(self, block: Block, target: int, like: int | None) -> None:
        """Have a block's phis know of a new way in, on which ended threads come as if from another block."""
        if target == EXIT:
            return
        joined = self.body.blocks[target]
        known = joined.incoming(like) if like is not None else {}
        for phi in joined.phis:
            if phi.words[1] in self.plan.needed and phi.words[1] not in known:
                raise TooTangled("the next barrier depends on values that several branches merge")
            value = known[phi.words[1]] if phi.words[1] in self.plan.needed else self.undefined(phi.words[0])
            phi.words += [value, block.label]

    def _redirect(self, block: Block, old: int, target: int) -> None:
        """Let a block in which threads end go to the next stop."""
        if target == old:
            return
        self.body.blocks[old].forget(block.label)
        block.retarget(old, self._place(target))
        self._enter(block, target, None)

    def _leave(self, block: Block) -> None:
        """Let ended threads go on to the next stop from a block with a single successor."""
        old = block.end.words[0]
        target = self.plan.next(old)
        if old in self.plan.ends:
            self._gates.add(old)
        elif target != old:
            block.choose(self._read(block), self._place(target), old)
            self._enter(block, target, None)

    def _between(self, block: Block, target: int) -> Block:
        inserted = self.body.new()
        self.body.blocks[target].rename(block.label, inserted.label)
        block.retarget(target, inserted.label)
        inserted.go(target)
        return inserted

    def _sort(self, block: Block) -> list[Instruction]:
        """Leave in a block the instructions that all threads execute; return the rest of its body.

        All threads execute instructions that ended threads need, and instructions that do no harm: else ended threads
        would need another value in place of the result, and a phi where they join the others.
        """
        needed, rest, late = self.plan.needed, [], set[int]()
        kept = []
        for instruction in block.body:
            words = instruction.words
            if (self._own(instruction) and words[1] in needed) or (
                self.plan.uniform.pure(instruction) and late.isdisjoint(words[2:])
            ):
                kept.append(instruction)
            else:
                rest.append(instruction)
                if instruction.opcode not in NO_RESULT:
                    late.add(words[1])
        block.body = kept
        return rest

    def _own(self, instruction: Instruction) -> bool:
        return instruction.opcode not in NO_RESULT and self.plan.definitions.get(instruction.words[1]) is instruction

    def _skip(self, block: Block, target: int) -> None:
        """Let ended threads leave a block after the values that they need, without its other instructions."""
        rest = self._sort(block)
        inner = self.body.split(block, len(block.body))
        inner.body = rest
        like = inner.label if target in inner.successors() else None
        block.choose(self._read(block), self._place(target), inner.label)
        self._enter(block, target, like)

    def _guard(self, block: Block) -> Block:
        """Let ended threads skip all of a block but the values that they need; give the block that follows."""
        rest = self._sort(block)
        if not rest:
            return block
        inner = self.body.split(block, len(block.body))
        inner.body = rest
        after = self.body.split(inner, len(rest))
        block.choose(self._read(block), after.label, inner.label)
        return after

    def _share_decision(self, block: Block) -> Block:
        """Let ended threads know where the others go from a block."""
        words = block.end.words
        kind = self.body.typed.get(words[0], self.bool)
        if kind != self.bool and self.types.operands(kind)[0] > _HALF:
            raise TooTangled("a switch over 64 bits decides the next barrier")
        own, level = words[0], self.plan.uniform.decides(block)
        after, answer = self._ask(block, own, kind)
        decision = self.body.put(after, Op.BitwiseAnd, self.long, answer, self.number(0xFFFFFFFF))
        if kind == self.bool:
            decision = self.body.put(after, Op.INotEqual, kind, decision, self.number(0))
        elif kind != self.long:
            decision = self.body.put(after, Op.UConvert, kind, decision)
        if level == Level.VARYING:
            decision = self.body.put(after, Op.Select, kind, self._read(after), decision, own)
        after.end.words[0] = decision
        return after

    def _vote(self, block: Block) -> Block:
        """Learn at a barrier whether all threads have ended; give the block after it."""
        block.body.clear()
        return self._ask(block, 0, 0)[0]

    def _ask(self, block: Block, value: int, kind: int) -> tuple[Block, int]:
        """Have the threads that have not ended send all threads a value; give the block that follows, and the value."""
        put, long, turns = self.body.put, self.long, self.turns
        after = self.body.split(block, len(block.body))
        tell, wait = self.body.new(), self.body.new()
        block.choose(self._read(block), wait.label, tell.label)
        turn, place = turns.here(tell)
        message = put(tell, Op.ShiftLeftLogical, long, turn, self.number(_HALF))
        if kind:
            if kind == self.bool:
                value = put(tell, Op.Select, long, value, self.number(1), self.number(0))
            else:
                value = put(tell, Op.UConvert, long, value)
            message = put(tell, Op.BitwiseOr, long, message, value)
        turns.send(tell, place, message)
        tell.go(wait.label)
        wait.body.append(turns.barrier())
        turn, answer = turns.receive(wait)
        number = put(wait, Op.ShiftRightLogical, long, answer, self.number(_HALF))
        wait.choose(put(wait, Op.IEqual, self.bool, number, turn), after.label, self.over.label)
        return after, answer
