"""Branches with barriers, for PoCL 3.1.

It runs the threads of a block one after the other from barrier to barrier. For that it finds the code between two
barriers, and where several jumps lead from there to the end of a branch, it loses threads without a message, or hangs::

    if (steps > 0) {
        ...
        __syncthreads();
        if (is_hot) { if (value < limit) out[i] = value; }
    }

A further barrier at the end of such a branch makes that end its own. All threads come there: a branch with a barrier is
one that all threads of a block take.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from ..spirv.enumerants import Scope
from ..spirv.opcodes import Op
from .reader import Function, Unit

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
OUT = 0  # no block has this label: control leaves the function


class Start(NamedTuple):
    """Where a branch begins: how many blocks and jumps were written before."""

    blocks: int
    jumps: int


def waiting(unit: Unit, functions: Iterable[int]) -> frozenset[int]:
    """Find the functions with a barrier, in themselves or in functions that they call.

    Parameters
    ----------
    unit : Unit
    functions : iterable of int
        Those that are written, callees before their callers.
    """
    with_barriers: set[int] = set()
    for identifier in functions:
        if _waiting_blocks(unit, unit.functions[identifier], with_barriers):
            with_barriers.add(identifier)
    return frozenset(with_barriers)


def _waiting_blocks(unit: Unit, function: Function, waiting_functions: Collection[int]) -> set[int]:
    """Find the blocks of a function with a barrier, or with a call of a function that has one."""
    return {
        block.label
        for block in function.blocks.values()
        for i in block.body
        if (i.opcode == Op.ControlBarrier and unit.constant(i.words[0]) != Scope.Subgroup)
        or (i.opcode == Op.FunctionCall and i.words[2] in waiting_functions)
    }


class Branches:
    """The branches of one function while it is written.

    Parameters
    ----------
    unit : Unit
    function : Function
    waiting_functions : set of int
        As `waiting` gives them.
    """

    def __init__(self, unit: Unit, function: Function, waiting_functions: frozenset[int]) -> None:
        self._waiting = _waiting_blocks(unit, function, waiting_functions)
        self._blocks: list[int] = []
        self._jumps: list[int] = []

    def write_block(self, label: int) -> None:
        """Note that a block is written."""
        if self._waiting:
            self._blocks.append(label)

    def jump(self, target: int) -> None:
        """Note a jump: the label after ``goto``, the loop's header for ``break`` and ``continue``, or `OUT`."""
        if self._waiting:
            self._jumps.append(target)

    def start(self) -> Start:
        """Begin a branch."""
        return Start(len(self._blocks), len(self._jumps))

    def needs_barrier(self, start: Start) -> bool:
        """Whether a branch that was begun needs a barrier at its end: it waits, has branches, and no jump leaves it."""
        blocks = self._blocks[start.blocks :]
        if len(blocks) < 2 or self._waiting.isdisjoint(blocks):
            return False
        return set(self._jumps[start.jumps :]) <= set(blocks)
