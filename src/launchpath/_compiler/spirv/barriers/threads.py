"""What threads have for passes that lead them from barrier to barrier: variables, their places, and messages."""

from __future__ import annotations

from ..enumerants import BuiltIn, Capability, Decoration, MemoryAccess, Semantics, Storage
from ..flow import Block, Body
from ..module import Instruction
from ..opcodes import Op

_BEYOND = 40  # bits of a thread's place in a block
_ALIGNED = MemoryAccess.Aligned, 8  # memory operands


class Threads:
    """The variables of each thread of a kernel.

    Parameters
    ----------
    body : Body
        The kernel's. `install` puts the variables into it.
    """

    def __init__(self, body: Body) -> None:
        self.body, self.outline, self.types = body, body.outline, body.outline.types
        self.outline.require(Capability.Int64)
        self.long = self.types.get(Op.TypeInt, 64, 0)
        self.bool = self.types.get(Op.TypeBool)
        self.start = Block(0)
        self._variables: list[Instruction] = []
        self._shared: list[Instruction] = []

    def number(self, number: int) -> int:
        """Give a constant."""
        return self.types.constant(self.long, number)

    def variable(self, type_id: int) -> int:
        """Declare a variable of each thread."""
        variable = self.outline.module.new_id()
        pointer = self.types.pointer(Storage.Function, type_id)
        self._variables.append(Instruction(Op.Variable, [pointer, variable, Storage.Function]))
        return variable

    def share(self, type_id: int) -> int:
        """Declare a variable of all threads of a block."""
        variable = self.outline.module.new_id()
        pointer = self.types.pointer(Storage.Workgroup, type_id)
        self._shared.append(Instruction(Op.Variable, [pointer, variable, Storage.Workgroup]))
        return variable

    def set(self, block: Block, variable: int, value: int) -> None:
        """Give a variable a value, at the end of a block."""
        block.body.append(Instruction(Op.Store, [variable, value]))

    def place(self, block: Block) -> int:
        """Read a thread's place in its block; where the kernel never does, 0.

        The variables of each thread depend on it, for the sake of PoCL: it takes a variable that all threads set to the
        same number for common to them.
        """
        for annotation in self.outline.annotations:
            words = annotation.words
            if annotation.opcode == Op.Decorate and words[1:] == [Decoration.BuiltIn, BuiltIn.LocalInvocationId]:
                vector = self.types.pointee(self.outline.declared[words[0]].words[0])
                read = self.body.put(block, Op.Load, vector, words[0])
                return self.body.put(block, Op.CompositeExtract, self.types.element(vector), read, 0)
        return self.number(0)

    def own(self, block: Block, number: int) -> int:
        """Compute a number that all threads have, and no compiler knows that they do."""
        far = self.body.put(block, Op.ShiftRightLogical, self.long, self.place(block), self.number(_BEYOND))
        return self.body.put(block, Op.IAdd, self.long, far, self.number(number))

    def install(self) -> None:
        """Put the variables, and what `start` has, at the start of the kernel."""
        self.outline.declarations += [*self.types.added, *self._shared]
        self.types.added.clear()
        entry = self.body.blocks[self.body.entry]
        at = sum(1 for i in entry.body if i.opcode == Op.Variable)
        entry.body[at:at] = self.start.body
        entry.body[:0] = self._variables


class Turns:
    """Messages from the threads that have not ended to all threads, at barriers.

    Two places take turns, and each message holds the number of its turn: a thread may send the next value before the
    slowest thread has read this value. A place with an older number says that no thread was left to send.

    Parameters
    ----------
    threads : Threads
    barriers : list of Instruction
        The kernel's own.
    """

    def __init__(self, threads: Threads, barriers: list[Instruction]) -> None:
        self.threads = threads
        self.put, self.long = threads.body.put, threads.long
        types = threads.types
        semantics = Semantics.WorkgroupMemory | Semantics.SequentiallyConsistent
        for barrier in barriers:
            semantics |= (types.integer(barrier.words[2]) or 0) & Semantics.CrossWorkgroupMemory
        scope = barriers[0].words[0]
        self._barrier = [scope, scope, types.constant(types.get(Op.TypeInt, 32, 0), semantics)]
        self._count = threads.variable(self.long)
        threads.set(threads.start, self._count, threads.own(threads.start, 1))
        self._place = types.pointer(Storage.Workgroup, self.long)
        self._places = threads.share(types.get(Op.TypeArray, self.long, threads.number(2)))
        for number in threads.number(0), threads.number(1):
            place = self.put(threads.start, Op.InBoundsAccessChain, self._place, self._places, number)
            self.send(threads.start, place, threads.number(0))
        threads.start.body.append(self.barrier())

    def barrier(self) -> Instruction:
        """Make a barrier that orders messages, and all that the kernel's own order."""
        return Instruction(Op.ControlBarrier, self._barrier.copy())

    def here(self, block: Block) -> tuple[int, int]:
        """Read which turn it is, and which place that has."""
        turn = self.put(block, Op.Load, self.long, self._count)
        index = self.put(block, Op.BitwiseAnd, self.long, turn, self.threads.number(1))
        return turn, self.put(block, Op.InBoundsAccessChain, self._place, self._places, index)

    def send(self, block: Block, place: int, message: int) -> None:
        """Send a message, at the end of a block."""
        block.body.append(Instruction(Op.Store, [place, message, *_ALIGNED]))

    def receive(self, block: Block) -> tuple[int, int]:
        """Read the message of a turn, behind its barrier, and begin the next turn; give the turn and the message."""
        turn, place = self.here(block)
        message = self.put(block, Op.Load, self.long, place, *_ALIGNED)
        self.threads.set(block, self._count, self.put(block, Op.IAdd, self.long, turn, self.threads.number(1)))
        return turn, message
