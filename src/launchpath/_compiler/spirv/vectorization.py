"""Vectorization by a CPU's runtime: how much of it a program gets, because it takes most of the runtime's build.

Intel's runtime needs 0.6 ms of processor time for each instruction of a kernel that it vectorizes, and 0.09 ms for one
of a kernel that it does not. A hint that a kernel's own type is a vector has it leave the kernel as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from .enumerants import ExecutionMode
from .module import Instruction
from .opcodes import Op
from .outline import Outline

# Instructions of all vectorized kernels of a program: they take 12 s.
MOST = 20_000
_FLOAT4 = 4 << 16 | 5  # OpExecutionMode VecTypeHint: four components, 32-bit floating point


def limit_vectorization(outline: Outline, kernels: Iterable[int]) -> list[int]:
    """Have the largest kernels stay as they are, until the others have no more instructions than `MOST`.

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
    sizes = {kernel: _instructions(outline, kernel) for kernel in kernels}
    total, scalar = sum(sizes.values()), []
    for kernel in sorted(sizes, key=lambda kernel: -sizes[kernel]):
        if total <= MOST:
            break
        total -= sizes[kernel]
        scalar.append(kernel)
    outline.header += [Instruction(Op.ExecutionMode, [kernel, ExecutionMode.VecTypeHint, _FLOAT4]) for kernel in scalar]
    return scalar


def _instructions(outline: Outline, kernel: int) -> int:
    """The instructions of a kernel and of all functions that it reaches, each once: Clang has inlined the others."""
    functions = (outline.functions.get(number) for number in outline.reachable(kernel))
    return sum(len(function.body) for function in functions if function is not None)
