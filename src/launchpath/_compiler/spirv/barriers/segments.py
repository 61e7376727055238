"""Kernels as a loop over segments: the code from one barrier to the next.

A barrier in a branch or in a loop is where compilers for processors fail, because they run the threads of a block one
after the other from barrier to barrier, and have to find the code between two. This form has a single barrier::

    for (;;) {
        switch (segment) {
        case 1: ...; segment = 2; break;   // the next barrier is the one before segment 2
        case 2: ...; segment = i < n ? 2 : 0; break;
        }
        if (segment) any = turn;
        barrier();
        if (any != turn) return;           // all threads have ended
        ++turn;
    }

Each thread has its own segment, so a thread that ends early counts as arrived at all barriers that follow. What a
segment takes from others is in variables.
"""

from __future__ import annotations

from ..flow import PHI, Block, Body, DominatorTree, components, dominators, reachable, reverse
from ..module import Instruction
from ..opcodes import NO_RESULT, Op
from ..operands import ids
from .threads import Threads, Turns

_ENDED = 0

Use = tuple[Instruction, int, Block]


class Segments:
    """Changes a function.

    Parameters
    ----------
    body : Body
    barriers : set of int
        Blocks that hold a barrier and nothing else.
    """

    def __init__(self, body: Body, barriers: set[int]) -> None:
        self.body, self.barriers = body, barriers
        self.threads = Threads(body)
        self.turns = Turns(self.threads, [body.blocks[label].body[0] for label in sorted(barriers)])
        self.segment = self.threads.variable(self.threads.long)
        self.wait = body.new()

    def write(self) -> None:
        """Change it."""
        body, threads, wait = self.body, self.threads, self.wait
        headers = self._inner_headers()
        returns = [block for block in body.blocks.values() if block.end.opcode in (Op.Return, Op.ReturnValue)]
        threads.set(threads.start, self.segment, threads.own(threads.start, 1))
        entry = body.blocks[body.entry]
        first = body.split(entry, sum(1 for i in entry.body if i.opcode == Op.Variable))
        turn, choose = body.new(), body.new()
        entry.go(turn.label)
        turn.go(choose.label)
        begins = [first.label]
        for label in sorted(self.barriers):
            block = body.blocks[label]
            begins.append(block.end.words[0])
            block.body.clear()
            self._end(block, len(begins), wait)
        for header, backs in headers.items():
            begins.append(header)
            self._end(self._detour(header, backs, choose), len(begins), choose)
        for block in returns:
            self._end(block, _ENDED, wait)
        own = body.put(choose, Op.Load, threads.long, self.segment)
        cases = [word for number, label in enumerate(begins, 1) for word in (number, 0, label)]
        choose.finish(Instruction(Op.Switch, [own, wait.label, *cases]), wide=True)
        self._wait(turn)
        self._share()
        threads.install()

    def _wait(self, turn: Block) -> None:
        """Have threads meet, and go on to the next turn unless all have ended."""
        body, threads, turns = self.body, self.threads, self.turns
        tell, meet, over = body.new(), body.new(), body.new()
        over.finish(Instruction(Op.Return, []))
        own = body.put(self.wait, Op.Load, threads.long, self.segment)
        ended = body.put(self.wait, Op.IEqual, threads.bool, own, threads.number(_ENDED))
        self.wait.choose(ended, meet.label, tell.label)
        number, place = turns.here(tell)
        turns.send(tell, place, number)
        tell.go(meet.label)
        meet.body.append(turns.barrier())
        number, message = turns.receive(meet)
        meet.choose(body.put(meet, Op.IEqual, threads.bool, number, message), turn.label, over.label)

    def _end(self, block: Block, segment: int, target: Block) -> None:
        """End a segment with a block, and say which is next."""
        self.threads.set(block, self.segment, self.threads.own(block, segment))
        block.go(target.label)

    def _inner_headers(self) -> dict[int, set[int]]:
        """Find the loops with barriers that threads may go round without a barrier; give their ways back.

        A segment that begins in such a loop would be a second entry to it.
        """
        edges = self.body.edges()
        tree = DominatorTree(dominators(edges, self.body.entry))
        before = reverse(edges)
        headers: dict[int, set[int]] = {}
        for label in edges:
            if label in tree:
                for target in edges[label]:
                    if tree.dominates(target, label):
                        headers.setdefault(target, set()).add(label)
        inside = edges.keys() - self.barriers
        cycles = components(edges, inside)
        backs_of = {}
        for header, backs in headers.items():
            loop = reachable(before, backs, [header]) | {header}
            if loop & self.barriers and any(header in cycle for cycle in cycles):
                backs_of[header] = backs
        return backs_of

    def _detour(self, header: int, backs: set[int], choose: Block) -> Block:
        """Have the ways back to the header of a loop meet in a block that the choice of segments follows."""
        body = self.body
        detour = body.new()
        for phi in body.blocks[header].phis:
            pairs = [(phi.words[at], phi.words[at + 1]) for at in range(2, len(phi.words), 2)]
            again = body.outline.module.new_id()
            body.typed[again] = phi.words[0]
            own = [word for pair in pairs if pair[1] in backs for word in pair]
            detour.phis.append(Instruction(PHI, [phi.words[0], again, *own]))
            others = [word for pair in pairs if pair[1] not in backs for word in pair]
            phi.words = [*phi.words[:2], *others, again, choose.label]
        for back in backs:
            body.blocks[back].retarget(header, detour.label)
        return detour

    def _share(self) -> None:
        """Put values that other segments use into variables."""
        body = self.body
        definitions = {
            i.words[1]: i for b in body.blocks.values() for i in (*b.phis, *b.body) if i.opcode not in NO_RESULT
        }
        for value, uses in self._broken().items():
            home, kind = body.blocks[body.home[value]], body.typed[value]
            variable = self.threads.variable(kind)
            store = Instruction(Op.Store, [variable, value])
            at = 0 if definitions[value].opcode == PHI else home.body.index(definitions[value]) + 1
            home.body.insert(at, store)
            for user, place, block in uses:
                read = Instruction(Op.Load, [kind, body.outline.module.new_id(), variable])
                is_last = user.opcode == PHI or user is block.end
                block.body.insert(len(block.body) if is_last else _index(block, user), read)
                user.words[place] = read.words[1]

    def _broken(self) -> dict[int, list[Use]]:
        """Find the uses of values that other segments define; those of phis are in the blocks before."""
        body = self.body
        body.locate()
        tree = DominatorTree(dominators(body.edges(), body.entry))
        broken: dict[int, list[Use]] = {}
        for block in body.blocks.values():
            if block.label not in tree:
                continue
            uses = [
                (phi, at, body.blocks[phi.words[at + 1]]) for phi in block.phis for at in range(2, len(phi.words), 2)
            ]
            for instruction in (*block.body, block.end):
                own = 1 if instruction.opcode not in NO_RESULT else -1
                places = [0] if instruction.opcode == Op.Switch else ids(instruction.opcode, instruction.words)
                uses += [(instruction, at, block) for at in places if at != own]
            for use in uses:
                home = body.home.get(use[0].words[use[1]])
                if home is not None and not tree.dominates(home, use[2].label):
                    broken.setdefault(use[0].words[use[1]], []).append(use)
        return broken


def _index(block: Block, instruction: Instruction) -> int:
    return next(at for at, other in enumerate(block.body) if other is instruction)
