"""Places of indirect calls, by pointers or virtual tables, read from LLVM's text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .debug_locations import Locations

_CALL = re.compile(r"\b(?:call|invoke)\b[^@%]*? %[\w.$\"-]+\(.*!dbg !(\d+)")


def indirect_calls(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield path, line and column of each, and of where the function that it stands in was inlined."""
    lines = text.splitlines()
    locations = Locations(lines)
    for line in lines:
        if (call := _CALL.search(line)) is not None:
            yield from locations.places(call[1])
