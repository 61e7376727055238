"""Kernels that wait at their entry for the kernel before them: the statement that does it, and which kernels have it.

The source's kernels get the statement (`text.entry_waits`), and the PTX that NVRTC has beside its binary shows what
became of it. A kernel counts as waiting only if nothing that may read or write memory comes before: so what is launched
as a dependent kernel is known from the compiler's own output, whatever the source looks like. The assembler moves no
access of memory to before the wait, not even a read of what the kernel never writes (``ld.global.nc``).
"""

from __future__ import annotations

import re

MARK = "__LP_WAIT__"  # the macro of the statement, see `text.entry_waits`
SINCE = (11, 8)  # the NVRTC that assembles it
COMPUTE = 90  # the compute capability from which on devices have it

_WAIT = "griddepcontrol.wait;"
# Triggers if the grid has `threads` threads at most. A product of 2^20 blocks and 2^10 threads is below 2^64.
_TRIGGER = (
    ".reg .pred __lp_few; .reg .b32 __lp_x, __lp_y; .reg .b64 __lp_n, __lp_m; "
    "mov.u32 __lp_x, %nctaid.x; mov.u32 __lp_y, %nctaid.y; mul.wide.u32 __lp_n, __lp_x, __lp_y; "
    "mov.u32 __lp_x, %nctaid.z; cvt.u64.u32 __lp_m, __lp_x; mul.lo.u64 __lp_n, __lp_n, __lp_m; "
    "min.u64 __lp_n, __lp_n, 1048576; mov.u32 __lp_x, %ntid.x; mov.u32 __lp_y, %ntid.y; "
    "mul.lo.u32 __lp_x, __lp_x, __lp_y; mov.u32 __lp_y, %ntid.z; mul.lo.u32 __lp_x, __lp_x, __lp_y; "
    "cvt.u64.u32 __lp_m, __lp_x; mul.lo.u64 __lp_n, __lp_n, __lp_m; setp.le.u64 __lp_few, __lp_n, {threads}; "
    "@__lp_few griddepcontrol.launch_dependents; "
)

_ENTRY = re.compile(r"\.entry\s+([\w$%]+)[^{;]*\{")
# What may come before: declarations, places in the source, and instructions that touch registers, parameters and the
# thread's own stack.
_BEFORE = re.compile(
    r"""(?:\s+|//[^\n]*\n|[\w$]+:
        |\.loc\s[^\n;]*\n
        |\.(?:reg|local|shared|pragma)\s[^;{}]*;
        |(?:ld\.param|(?:ld|st)\.local|mov|cvta|cvt|add|sub|mul|mad|and|or|xor|shl|shr|bfe|bfi|prmt|setp|selp|min|max|neg|not)
         \.[^;{}]*;
        |(?:ld\.param|st\.local|mov)\.v\d[^;]*;
    )*""",
    re.VERBOSE,
)


def statement(trigger_threads: int) -> str:
    """Write the wait, in PTX.

    Parameters
    ----------
    trigger_threads : int
        Grids of so many threads at most let the next kernel start at once (the early trigger); 0: none do. In larger
        grids the triggers cost more than they save: on an H200 those of 4,096 blocks 1.4 us. A kernel that has one and
        does not reach it lets the next one start later than a kernel without any, so the driver launches no dependent
        kernel behind such a grid.
    """
    return f"{{ {_TRIGGER.format(threads=trigger_threads) if trigger_threads else ''}{_WAIT} }}"


def definition(code: str) -> str:
    """The line that defines the statement which the sources have.

    The clobber keeps NVRTC from moving accesses of memory to before it.
    """
    return f'#define {MARK} asm volatile("{code}" ::: "memory");'


def entries(ptx: bytes, code: str) -> frozenset[str]:
    """Find the entry points of PTX that wait before they may access memory.

    Parameters
    ----------
    ptx : bytes
    code : str
        The statement.
    """
    text = ptx.decode(errors="replace")
    waiting = set()
    for match in _ENTRY.finditer(text):
        before = _BEFORE.match(text, match.end())
        if before is not None and text.startswith(code, before.end()):
            waiting.add(match[1])
    return frozenset(waiting)
