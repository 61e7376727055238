"""The headers of the C++ library that programs include for their host code, read once for all of them.

They take most of the time in which a program's own text is read. So they are precompiled together, once, and read in
place of those that a program includes. That is more than the program asked for, and may differ from it in two ways:

- A name of the library's that the program has for itself. Then there is an error, and the program is read as it is.
  Errors about missing names are no such errors: further declarations do not cause those. Nor are errors whose notes
  name the program's own declarations.
- A macro of the library's on which the program's text depends, a guard of an include perhaps. `depends` says so.

Only the program's declarations and launches are read in this way. Code is made of the program as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from ..messages.log import Message
from ..source.active import Active
from ..source.source import HEADERS as HEADERS_GIVEN
from ..source.source import Source

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
    |cstdio|cstring|limits|climits|bits/stdc\+\+\.h
    )>""",
    re.VERBOSE | re.MULTILINE,
)
_OWN = re.compile(rb"""^[ \t]*\#[ \t]*include[ \t]*(["<])([^">\n]+)[">]""", re.MULTILINE)
_MOST_FILES = 500
_CONDITION = re.compile(rb"#[ \t]*(?:if|el)")
# Clang's words for what a header lacks that was not found, or that ours are without.
_MISSING = re.compile(
    r"file not found|undeclared identifier|unknown type name|unknown template name|expected namespace name"
    r"|^no (?:template|member|type) named '\w+'(?: in .*)?$|does not name a template but is followed by template arg"
)
_WORD = re.compile(rb"[A-Za-z_]\w*")


def wants(source: Source) -> bool:
    """Whether a source, or a file of the user's that it includes, includes headers that are worth it."""
    return any(is_slow(text) for _, text in own_files(source))


def is_slow(text: bytes) -> bool:
    """Whether a file includes headers that are worth it."""
    return _SLOW.search(text) is not None


def own_files(source: Source) -> Iterator[tuple[str, bytes]]:
    """Yield path and text of a source and of the user's files that it may include."""
    texts = source.virtual_headers()
    waiting, seen = [(source.path, source.text)], {source.path}
    while waiting:
        path, text = waiting.pop()
        yield path, text
        for candidate in _included(path, text, source):
            if candidate in seen or len(seen) > _MOST_FILES:
                continue
            seen.add(candidate)
            waiting.append((candidate, texts[candidate] if candidate in texts else _content(candidate)))


def _included(path: str, text: bytes, source: Source) -> Iterator[str]:
    """Yield the paths of the user's files that a file may include: of each inclusion, the first that is there."""
    for sign, name in _OWN.findall(text):
        own_folder = [os.path.dirname(path)] if sign == b'"' else []
        for folder in (*own_folder, *source.virtual_folders):
            candidate = os.path.normpath(os.path.join(folder, name.decode(errors="replace")))
            if folder == HEADERS_GIVEN or os.path.isfile(candidate):
                yield candidate
                break


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # whoever needs it says so
        return b""


def may_conflict(messages: Iterable[Message], system: tuple[str, ...]) -> bool:
    """Whether an error may come from a name that both the library and the program have.

    Parameters
    ----------
    messages : iterable of Message
        Notes stand behind their error.
    system : tuple of str
        The folders of the library's headers.
    """
    unclear = False  # an error that no note has explained yet
    for message in messages:
        if message.level == "note":
            if message.file.startswith(system):
                return True
            unclear = False
        elif unclear:
            return True
        else:
            unclear = message.level.endswith("error") and _MISSING.search(message.text) is None
    return unclear


def depends(files: Iterable[Active], macros: frozenset[str]) -> bool:
    """Whether a conditional part of some files, or an ``#undef``, depends on one of these macros."""
    for active in files:
        for directive in active.directives:
            if _CONDITION.match(directive.line) and any(
                word.decode() in macros for word in _WORD.findall(directive.line)
            ):
                return True
    return False
