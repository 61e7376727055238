"""GNU's statement expressions, ``({ int y = f(); y * y; })``, which NVRTC lacks, as lambdas that are called at once."""

from __future__ import annotations

import re

from ...source.text import Joined, Token

_HINT = re.compile(rb"\([\s\\]*\{")
_OPEN, _CLOSE = (b"(", b"[", b"{"), (b")", b"]", b"}")
# Statements that have no value to be the expression's.
_NO_VALUE = re.compile(rb"if|for|while|do|switch|return|break|continue|goto|asm|__asm__|using|typedef|static_assert|\{")
# A lambda is no operand of decltype before C++20, and macros like these have each other as arguments.
_COPY = re.compile(
    rb"\b(?:__typeof__|__typeof|typeof)[ \t]*\([ \t]*(\w+)[ \t]*\)[ \t]*(\w+)[ \t]*=[ \t]*\(?[ \t]*\1[ \t]*\)?[ \t]*;"
)
_OPERATORS = (b"sizeof", b"alignof", b"new", b"delete", b"not", b"compl")


def as_lambdas(text: bytes) -> bytes:
    """Rewrite a file, macros included. Lines stay; text behind an expression on its line moves to the right.

    A ``return`` that leaves the function around it has no such form, and returns from the lambda: nvcc's programs have
    it in macros of host code.
    """
    if not _HINT.search(text):
        return text
    tokens = [*Joined(text).tokens()]
    partners = _partners(tokens)
    edits: list[tuple[int, int, bytes]] = []
    for index, token in enumerate(tokens):
        if token.text == b"(" and index + 1 < len(tokens) and tokens[index + 1].text == b"{":
            edits += _edits(tokens, partners, index)
    if not edits:
        return text
    parts, last = [], 0
    for start, end, new in sorted(edits):
        parts += [text[last:start], new]
        last = end
    return _COPY.sub(rb"auto \2 = (\1);", b"".join([*parts, text[last:]]))


def _edits(tokens: list[Token], partners: dict[int, int], opened: int) -> list[tuple[int, int, bytes]]:
    """The edits that make the statement expression at a parenthesis a lambda; none if it is a list in braces."""
    closed = partners.get(opened + 1, -1)
    if closed < 0 or partners.get(opened) != closed + 1:
        return []
    starts = _statements(tokens, partners, opened + 1, closed)
    if starts is None:
        return []
    edits = [(tokens[opened].end, tokens[opened].end, b"[&]"), (tokens[closed].end, tokens[closed].end, b"()")]
    if starts and tokens[closed - 1].text == b";" and _has_value(tokens, starts[-1]):
        first = tokens[starts[-1]].start
        edits.append((first, first, b"return "))
    return edits


def _has_value(tokens: list[Token], index: int) -> bool:
    """Whether the statement that begins with a token is an expression: a declaration has two names in a row."""
    first, second = tokens[index], tokens[index + 1]
    is_declaration = first.kind == second.kind == "name" and first.text not in _OPERATORS
    return not is_declaration and _NO_VALUE.fullmatch(first.text) is None


def _statements(tokens: list[Token], partners: dict[int, int], opened: int, closed: int) -> list[int] | None:
    """Where the statements within braces begin; None if nothing there is a statement."""
    starts, index, is_start, has_end = [], opened + 1, True, False
    while index < closed:
        token = tokens[index]
        if is_start and token.text != b";":
            starts.append(index)
            has_end |= _NO_VALUE.fullmatch(token.text) is not None
        is_start = token.text == b";"
        has_end |= is_start
        if token.text in _OPEN:
            index = partners.get(index, index)
            # A block ends its statement, a list or the body of a lambda does not.
            following = tokens[index + 1].text if index + 1 < closed else b""
            is_start = token.text == b"{" and following not in (b";", b",", b"(", b")", b".", b"[", b"else", b"while")
        index += 1
    return starts if has_end else None


def _partners(tokens: list[Token]) -> dict[int, int]:
    """The closing bracket of each opening bracket, by their indices."""
    partners: dict[int, int] = {}
    waiting: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in _OPEN:
            waiting.append(index)
        elif token.text in _CLOSE and waiting:
            closing = _CLOSE[_OPEN.index(tokens[waiting[-1]].text)]
            if token.text == closing:
                partners[waiting.pop()] = index
    return partners
