"""Marks of memory accesses in LLVM's text: SPIR-V has no lines here, for Clang's backend writes none.

Each instruction that may reach memory gets a call to an undeclared marker function before it, with a number: that of
its place in the source. The pass that puts checks in reads the numbers, and takes the calls out again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..spirv.checks.marks import MARK
from .debug_locations import Locations, Place

_ACCESS = re.compile(r"^  (?:%\S+ = )?(?:(?:tail |musttail |notail )?call|load|store|atomicrmw|cmpxchg)\b(.*)$")
_FUNCTION = re.compile(r" !dbg !\d+")
_AT = re.compile(r", !dbg !(\d+)")


class Marked(NamedTuple):
    """LLVM's text with marks, and for each number the places: of the access, and of the calls that were inlined."""

    text: str
    places: list[tuple[Place, ...]]


def mark(text: str) -> Marked:
    """Put marks into LLVM's text that was compiled with lines, and take the lines' own metadata out."""
    lines = text.split("\n")
    locations = Locations(line for line in lines if line.startswith("!"))
    numbers: dict[tuple[Place, ...], int] = {}
    marked: list[str] = []
    is_called = False
    for line in lines:
        if (location := _AT.search(line)) is not None:
            if _ACCESS.match(line) is not None and "@llvm.lifetime" not in line:
                number = numbers.setdefault(locations.places(location[1]), len(numbers))
                marked.append(f"  call spir_func void @{MARK}(i32 {number})")
                is_called = True
            marked.append(line[: location.start()] + line[location.end() :])
        elif line.startswith("define "):
            marked.append(_FUNCTION.sub("", line))
        elif not line.startswith("!llvm.dbg.cu"):
            marked.append(line)
    if is_called:
        marked.append(f"declare spir_func void @{MARK}(i32)")
    return Marked("\n".join(marked), list(numbers))
