"""The marks of accesses to memory, as a module has them: calls to an undeclared marker function.

`llvm_text.access_marks` puts them in.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..module import Instruction
from ..opcodes import Op
from ..operands import ATOMIC_OPERATIONS
from ..outline import Function, Outline

MARK = "__lp_access"
_MARKED = ATOMIC_OPERATIONS | {Op.Load, Op.Store, Op.CopyMemory, Op.CopyMemorySized, Op.FunctionCall}


@dataclass(slots=True)
class MarkedInstruction(Instruction):
    """An instruction that reaches memory, with the number of its place in the source."""

    place: int

    def replaced(self, words: list[int]) -> MarkedInstruction:
        return MarkedInstruction(self.opcode, words, self.place)


def take_marks(outline: Outline) -> None:
    """Take the calls out, and put marked instructions in place of those behind them."""
    marks = {function.id for function in outline.functions.values() if outline.name(function.id) == MARK}
    for function in outline.functions.values():
        if any(call.words[2] in marks for call in function.calls):
            _take(outline, function, marks)
    outline.remove_functions(marks)


def _take(outline: Outline, function: Function, marks: set[int]) -> None:
    body: list[Instruction] = []
    place = None
    for instruction in function.body:
        opcode, words = instruction.opcode, instruction.words
        if opcode == Op.FunctionCall and words[2] in marks:
            place = outline.types.integer(words[3]) or 0
            continue
        if opcode == Op.Label:
            place = None
        if place is not None and opcode in _MARKED:
            body.append(MarkedInstruction(opcode, words, place))
        else:
            body.append(instruction)
    function.body = body
    function.calls = [instruction for instruction in body if instruction.opcode == Op.FunctionCall]
