"""The headers of the C++ library that programs include for their host code, read once for all of them.

They take most of the time in which a program's own text is read. So they are precompiled together, once, and read in
place of those that a program includes. That is more than the program asked for, and may differ from it in two ways:

- A name of the library's that the program has for itself. Then there is an error, and the program is read as it is.
- A macro of the library's on which the program's text depends, a guard of an include perhaps. `depends` says so.

Only the program's declarations and launches are read in this way. Code is made of the program as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .active import Active

HEADERS = (
    "algorithm", "array", "chrono", "climits", "cmath", "cstdint", "cstdio", "cstdlib", "cstring", "fstream",
    "functional", "iomanip", "iostream", "limits", "map", "memory", "numeric", "random", "set", "sstream", "string",
    "thread", "tuple", "type_traits", "unordered_map", "utility", "vector",
)  # fmt: skip

# Without those that take no time.
_SLOW = re.compile(
    rb"""^[ \t]*\#[ \t]*include[ \t]*<(?:
    algorithm|array|chrono|cmath|math\.h|cstdlib|stdlib\.h|fstream|functional|iomanip|iostream|istream|ostream|map|memory
    |numeric|random|set|sstream|string|thread|tuple|unordered_map|utility|vector|complex|deque|list|mutex|queue|cassert
    |cstdio|cstring|limits|climits
    )>""",
    re.VERBOSE | re.MULTILINE,
)
_CONDITION = re.compile(rb"#[ \t]*(?:if|el)")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def wants(text: bytes) -> bool:
    """Whether a text includes headers that are worth it."""
    return _SLOW.search(text) is not None


def depends(files: Iterable[Active], macros: frozenset[str]) -> bool:
    """Whether a conditional part of some files, or an ``#undef``, depends on one of these macros."""
    for active in files:
        for directive in active.directives:
            if _CONDITION.match(directive.line) and any(
                word.decode() in macros for word in _WORD.findall(directive.line)
            ):
                return True
    return False
