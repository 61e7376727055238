"""Kernels that wait at their entry: a statement behind the brace that opens each kernel, for NVRTC.

No line moves, and `messages` puts columns right. What is not recognized here (a kernel within a macro, a form that
nobody expected) stays as it is: which kernels wait is read off the PTX that comes out, see `waiting`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping

from ...source.text import Joined, Token
from ..waiting import MARK

INSERTED = f"{MARK} "

_HINT = re.compile(rb"\b(?:__global__|global)\b")
_DIRECTIVE = re.compile(rb"^[ \t]*(?:#|%:)[^\n]*", re.MULTILINE)
_DEFINES = re.compile(rb"[ \t]*(?:#|%:)[ \t]*define[ \t]+([A-Za-z_]\w*)")
_MARKS = frozenset({b"__global__"})
_OPEN, _CLOSE = (b"(", b"["), (b")", b"]")


def waiting(texts: Mapping[str, bytes]) -> tuple[dict[str, bytes], set[tuple[str, int]]]:
    """Give files whose kernels wait, and the lines that were changed, by file and number.

    Parameters
    ----------
    texts : dict of str to bytes
        The files by their paths, as the compiler is to read them.
    """
    changed, lines = dict(texts), set[tuple[str, int]]()
    names = _MARKS.union(*map(_macros, texts.values()))
    for path, text in texts.items():
        places = [*_bodies(text, names)]
        if not places:
            continue
        starts = [match.end() for match in re.finditer(rb"\n", text)]
        lines |= {(path, bisect_right(starts, place) + 1) for place in places}
        pieces = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
        changed[path] = INSERTED.encode().join(pieces)
    return changed, lines


def _macros(text: bytes) -> Iterable[bytes]:
    """The macros that stand for a kernel's mark, and perhaps for more of its head, but for no body."""
    if not _HINT.search(text):
        return
    for match in _DIRECTIVE.finditer(Joined(text).text):
        defined = _DEFINES.match(match[0])
        if defined is not None and b"__global__" in match[0] and b"{" not in match[0]:
            yield defined[1]


def _bodies(text: bytes, marks: Collection[bytes]) -> Iterator[int]:
    """Yield where the bodies of kernels begin, behind their braces."""
    if not any(mark in text for mark in marks) and not _HINT.search(text):
        return
    joined = Joined(text)
    tokens = [*joined.tokens()]
    directives = [(joined.start(match.start()), joined.end(match.end())) for match in _DIRECTIVE.finditer(joined.text)]
    last = -1
    for index, token in enumerate(tokens):
        if token.kind != "name" or not (token.text in marks or _is_attribute(tokens, index)):
            continue
        within = next((place for place in directives if place[0] <= token.start < place[1]), None)
        if within is not None and _DEFINES.match(text[within[0] : within[1]]) is None:
            continue
        place = _body(tokens, index, within[1] if within else len(text), [] if within else directives)
        if place > last:  # a head may have more than one mark
            last = place
            yield place


def _is_attribute(tokens: list[Token], index: int) -> bool:
    """Whether a token is the word of ``__attribute__((global))``."""
    return tokens[index].text == b"global" and [token.text for token in tokens[index - 3 : index]] == [
        b"__attribute__",
        b"(",
        b"(",
    ]


def _body(tokens: list[Token], index: int, end: int, directives: list[tuple[int, int]]) -> int:
    """Where the body of the function begins whose head a token is in; -1 if it is declared only, or not known."""
    depth, has_parameters = -2 if tokens[index].text == b"global" else 0, False
    for token in tokens[index + 1 :]:
        if token.start >= end:
            break
        if any(start <= token.start < stop for start, stop in directives):
            continue
        if token.text in _OPEN:
            depth += 1
        elif token.text in _CLOSE:
            depth += 1 if depth < 0 else -1
            has_parameters |= depth == 0
        elif depth == 0 and token.text in (b";", b"}"):
            break
        elif depth == 0 and token.text == b"{":
            return token.end if has_parameters else -1
    return -1
