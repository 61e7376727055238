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
_TRIGGER = "griddepcontrol.launch_dependents; "

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


def statement(early_trigger: bool) -> str:
    """Write the wait, in PTX.

    Parameters
    ----------
    early_trigger : bool
        The kernel lets the next one start at once. Every block has to do so, or leave: a kernel with a trigger that is
        not reached lets the next one start later than a kernel without any. So the driver decides: behind grids that
        fill the device it launches no dependent kernel.
    """
    return f"{{ {_TRIGGER if early_trigger else ''}{_WAIT} }}"


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
