"""Vectorization by a CPU's runtime: how much of it a program gets, because it takes most of the runtime's build.

The processor time that Intel's runtime needs for it grows with a kernel's instructions and, 20 times as fast, with its
basic blocks, in large kernels with the square of both. Kernels of many blocks gain least. One of 13,800 instructions
and 1,800 blocks took 4.3 s to vectorize, and then ran 1.6 times faster; one of 6,400 instructions and few blocks took
0.4 s, and ran 10 times faster. A switch becomes a comparison for each of its targets, in a block of its own: from about
1,130 targets and blocks on, a kernel with a switch takes 20 s, and less than one second below. A hint that a kernel's
own type is a vector has the runtime leave the kernel as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..enumerants import ExecutionMode
from ..module import Instruction
from ..opcodes import Op
from ..outline import Outline

# Seconds, as estimated, that the vectorization of a program's kernels takes.
MOST = 2.0
_BLOCK = 20  # instructions that take as long as a basic block
_TARGET = 25  # and as long as a target of a switch: a kernel of 1,130 of these must be over the limit
# Fitted to 35 generated programs of 1 to 40 kernels, which took 0.46 to 1.74 times as long, and one 0.26 times.
_LINEAR, _SQUARE = 40_000, 23_500
_FLOAT4 = 4 << 16 | 5  # OpExecutionMode VecTypeHint: four components, 32-bit floating point


def limit_vectorization(outline: Outline, kernels: Iterable[int]) -> list[int]:
    """Have the largest kernels stay as they are, until the others take no more than `MOST` seconds.

    Parameters
    ----------
    outline : Outline
    kernels : iterable of int
        Those that may stay as they are: their threads make no warps.

    Returns
    -------
    list of int
        The kernels that stay as they are.
    """
    seconds = {kernel: _seconds(outline, kernel) for kernel in kernels}
    scalar: list[int] = []
    for kernel in sorted(seconds, key=lambda kernel: -seconds[kernel]):
        if sum(seconds.values()) <= MOST:
            break
        del seconds[kernel]
        scalar.append(kernel)
    outline.header += [Instruction(Op.ExecutionMode, [kernel, ExecutionMode.VecTypeHint, _FLOAT4]) for kernel in scalar]
    return scalar


def _seconds(outline: Outline, kernel: int) -> float:
    """Estimate the time for a kernel and for all functions that it reaches, each once: Clang has inlined the others."""
    bodies = [outline.functions[number].body for number in outline.reachable(kernel)]
    blocks = sum(instruction.opcode == Op.Label for body in bodies for instruction in body)
    # A target is a value and a label: of one word each, or of two and one in a switch over 64 bits.
    targets = sum(len(i.words) // 2 - 1 for body in bodies for i in body if i.opcode == Op.Switch)
    size = sum(map(len, bodies)) + _BLOCK * blocks + _TARGET * targets
    return size / _LINEAR + (size / _SQUARE) ** 2
