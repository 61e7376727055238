"""Functions in place of their calls, for the passes that follow threads from barrier to barrier."""

from __future__ import annotations

from ..enumerants import Attribute, Decoration, Storage
from ..flow import PHI, Block, Body
from ..module import Instruction
from ..opcodes import Op
from ..operands import ids
from ..outline import Outline

_MOST = 40_000


class TooLarge(Exception):
    """A kernel that would become too large; the message says why."""


def waiting_functions(outline: Outline) -> set[int]:
    """Find the functions with a barrier, in themselves or in functions that they call."""
    waiting = {function.id for function in outline.functions.values() if any(map(outline.is_barrier, function.body))}
    goes_on = bool(waiting)
    while goes_on:
        callers = {
            function.id
            for function in outline.functions.values()
            if function.id not in waiting and any(call.words[2] in waiting for call in function.calls)
        }
        goes_on = bool(callers)
        waiting |= callers
    return waiting


class Inliner:
    """Puts functions with barriers in place of their calls.

    Parameters
    ----------
    body : Body
        The kernel's.
    waiting : set of int
        As `waiting_functions` gives them.

    Attributes
    ----------
    origins : dict of int to int
        What each copied id is a copy of.
    """

    def __init__(self, body: Body, waiting: set[int]) -> None:
        self.body, self.outline, self.waiting = body, body.outline, waiting
        self.origins: dict[int, int] = {}
        self._instructions = 0

    def run(self) -> None:
        """Do it, in the functions that come in too.

        Raises
        ------
        TooLarge
        """
        blocks = list(self.body.blocks.values())
        for block in blocks:
            for at, instruction in enumerate(block.body):
                if instruction.opcode == Op.FunctionCall and instruction.words[2] in self.waiting:
                    after = self.body.split(block, at + 1)
                    block.body.pop()
                    blocks += [*self._put(block, after, instruction), after]
                    break

    def _put(self, before: Block, after: Block, call: Instruction) -> list[Block]:
        """Put a function between two blocks; give its blocks."""
        function = self.outline.functions[call.words[2]]
        self._instructions += len(function.body)
        if self._instructions > _MOST:
            raise TooLarge("its functions with barriers are too large")
        callee = Body(self.outline, function)
        new = {label: self.outline.module.new_id() for label in callee.blocks}
        new |= {i: self.outline.module.new_id() for i in callee.typed}
        for parameter, argument in zip(function.parameters, call.words[3:], strict=True):
            new[parameter.words[1]] = self._argument(before, parameter, argument)
        entry = self.body.blocks[self.body.entry]
        returned: list[int] = []
        blocks = []
        for block in callee.blocks.values():
            copy = Block(new[block.label])
            copy.phis = [self._renamed(phi, new) for phi in block.phis]
            for instruction in block.body:
                renamed = self._renamed(instruction, new)
                if instruction.opcode == Op.Variable:
                    if len(renamed.words) > 3:
                        copy.body.append(Instruction(Op.Store, [renamed.words[1], renamed.words.pop()]))
                    entry.body.insert(0, renamed)
                else:
                    copy.body.append(renamed)
            if block.end.opcode in (Op.Return, Op.ReturnValue):
                copy.go(after.label)
                if block.end.words:
                    returned += [new.get(block.end.words[0], block.end.words[0]), copy.label]
            else:
                copy.end, copy.targets = self._renamed(block.end, new), block.targets.copy()
                for at in copy.targets:
                    copy.end.words[at] = new.get(block.end.words[at], block.end.words[at])
            self.body.blocks[copy.label] = copy
            blocks.append(copy)
        for old, type_id in callee.typed.items():
            self.body.typed[new[old]] = type_id
        parameters = {parameter.words[1] for parameter in function.parameters}
        self.origins.update((copied, original) for original, copied in new.items() if original not in parameters)
        before.go(new[callee.entry])
        if returned:
            after.phis.append(Instruction(PHI, [*call.words[:2], *returned]))
            self.body.typed[call.words[1]] = call.words[0]
        return blocks

    def _argument(self, before: Block, parameter: Instruction, argument: int) -> int:
        """Give what a function has in place of a parameter: a struct by value is a copy of its own."""
        decorations = self.outline.decorations.get(parameter.words[1], ())
        if not any(i.words[1:3] == [Decoration.FuncParamAttr, Attribute.ByVal] for i in decorations):
            return argument
        types = self.outline.types
        copy, value = self.outline.module.new_id(), self.outline.module.new_id()
        pointee = types.pointee(parameter.words[0])
        variable = Instruction(Op.Variable, [types.pointer(Storage.Function, pointee), copy, Storage.Function])
        self.body.blocks[self.body.entry].body.insert(0, variable)
        self.body.typed[copy], self.body.typed[value] = variable.words[0], pointee
        before.body.append(Instruction(Op.Load, [pointee, value, argument]))
        before.body.append(Instruction(Op.Store, [copy, value]))
        return copy

    @staticmethod
    def _renamed(instruction: Instruction, new: dict[int, int]) -> Instruction:
        words = instruction.words.copy()
        for at in [0] if instruction.opcode == Op.Switch else ids(instruction.opcode, words):
            words[at] = new.get(words[at], words[at])
        return instruction.replaced(words)
