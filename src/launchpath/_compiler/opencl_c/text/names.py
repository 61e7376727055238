"""Names in the written text: unique C identifiers that are not keywords of OpenCL C."""

from __future__ import annotations

import re
from functools import cache

from .extended import FUNCTIONS

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof bool
true false half uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t quad complex imaginary kernel global local
constant private generic read_only write_only read_write uniform pipe event_t queue_t ndrange_t clk_event_t sampler_t
reserve_id_t cl_mem_fence_flags memory_order memory_scope atomic_flag barrier mem_fence read_mem_fence write_mem_fence
work_group_barrier sub_group_barrier prefetch printf shuffle shuffle2 select bitselect any all dot cross length
isnan isinf isfinite isnormal signbit isequal isnotequal isgreater isless isordered isunordered to_global to_local
to_private NULL INFINITY NAN NULL_PTR linux unix main kernel_exec abs clamp max min mul24 mad24 mad_hi mul_hi rotate
upsample ctz clz popcount bit_reverse assert vec_step nan this_thread
"""
_LIKE = re.compile(
    r"(u?(char|short|int|long)|float|double|half|quad|bool|size|u?intptr|ptrdiff|event|image\dd)(\d+(x\d+)?)?(_\w*t)?"
    r"|[fu]\d+(x\d+)?(_a\d+)?"
    r"|(get|convert|as|atomic|atom|async|wait_group|native|half|sub_group|work_group|memory|intel|cl|CL|CLK|FP|M)_\w*"
    r"|(vload|vstore|read_image|write_image)\w*|_\w*|(INT|LONG|CHAR|SHRT|UINT|ULONG|UCHAR|USHRT|FLT|DBL|HALF|SCHAR)_\w+"
    r"|HUGE_VAL\w*|MAXFLOAT"
)


@cache
def _reserved() -> frozenset[str]:
    return frozenset(_WORDS.split()) | frozenset(FUNCTIONS.values())


def is_word(name: str) -> bool:
    """Whether OpenCL C gives a name a meaning: its keywords, and its commonest functions and macros."""
    return name in _reserved()


def is_reserved(name: str) -> bool:
    """Whether OpenCL C, or a device's headers, may give a name a meaning."""
    return is_word(name) or _LIKE.fullmatch(name) is not None


def source_name(mangled: str) -> str:
    """Give a C++ name as the source has it, without its namespaces and template arguments."""
    if mangled.startswith("_ZZ"):  # it stands in a function, whose name comes first
        for match in reversed(list(re.finditer(r"E(\d+)(?=\D)", mangled))):
            name = mangled[match.end() : match.end() + int(match[1])]
            if len(name) == int(match[1]):
                return name
    beginning = re.match(r"_ZN?L?[KVr]*L?", mangled)
    last, offset = "", beginning.end() if beginning else len(mangled)
    while (length := re.compile(r"(\d+)(?=\D)").match(mangled, offset)) is not None:
        offset = length.end() + int(length[1])
        last = mangled[length.end() : offset]
    return last or mangled


class Names:
    """The names of one scope, and of those around it.

    A new name outside never equals a name in use inside, where the outer name may be needed.
    """

    def __init__(self, around: Names | None = None) -> None:
        self._taken: set[str] = set()
        self._inside: set[str] = set()
        self._around = around

    def _is_taken(self, name: str) -> bool:
        outside = self._around is not None and name in self._around._taken
        return outside or name in self._taken or name in self._inside

    def reserve(self, name: str) -> str:
        """Take a name as it is."""
        self._taken.add(name)
        if self._around is not None:
            self._around._inside.add(name)
        return name

    def new(self, base: str) -> str:
        """Take a name like `base`."""
        name = re.sub(r"\W+", "_", source_name(base), flags=re.ASCII).strip("_") or "v"
        if name[0].isdigit():
            name = f"v{name}"
        if is_reserved(name):
            name = f"the_{name}"
        numbered, number = name, 1
        while self._is_taken(numbered):
            numbered, number = f"{name}_{number}", number + 1
        return self.reserve(numbered)
