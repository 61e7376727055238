"""Functions in a source's text, and the lambdas in them: where errors of host code may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...source.text import Token

DEVICE = frozenset({b"__device__", b"__global__", b"__shared__", b"__constant__", b"__managed__"})
_NO_FUNCTION = frozenset({b"namespace", b"class", b"struct", b"union", b"enum", b"="})
_NO_VARIABLE = frozenset({
    b"template", b"class", b"struct", b"union", b"enum", b"using", b"typedef", b"constexpr", b"namespace",
    b"static_assert", b"concept", b"operator",
})  # fmt: skip
# What may stand before a `[` that begins a lambda, besides signs.
_BEFORE = frozenset({b"return", b"co_return", b"case", b"else"})
_ENDS = frozenset({b")", b"]", b"}"})


class Part(NamedTuple):
    """A function with its body, or a variable at file scope, or a function's declaration."""

    head: int  # where its declaration begins
    # the bytes between the braces; of a variable, nothing, at the end
    start: int
    end: int
    is_device: bool  # whether its declaration has a word for device code
    is_member: bool  # whether it stands in a class
    name: bytes  # the function's or the variable's own; empty if it is not known
    names: frozenset[bytes]  # all in the declaration
    tokens: tuple[Token, ...]  # those of the body


class Lambda(NamedTuple):
    """A lambda: where its `[` stands, and the bytes between its braces."""

    offset: int
    start: int
    end: int


def device_words(macros: Iterable[Mapping[str, frozenset[str]]]) -> frozenset[bytes]:
    """Give the words that mark device code, the user's macros for them included.

    Parameters
    ----------
    macros : iterable of mapping of str to frozenset of str
        The names in the bodies of each file's macros.
    """
    words = {word.decode() for word in DEVICE}
    pairs = [pair for each in macros for pair in each.items()]
    while more := {name for name, within in pairs if name not in words and within & words}:
        words |= more
    return frozenset(word.encode() for word in words)


def parts(tokens: Iterable[Token], device: frozenset[bytes] = DEVICE) -> list[Part]:
    """List the functions with bodies, and variables, among the tokens of a file; `device`: the words of device code."""
    declarations: list[Part] = []
    outer: list[bool] = []  # of each open brace: whether it is a class's
    head: list[Token] = []
    body: list[Token] = []
    start, depth = 0, 0  # of the function that is read
    for token in tokens:
        if depth:
            depth += (token.text == b"{") - (token.text == b"}")
            if depth:
                body.append(token)
                continue
            is_device = any(part.text in device for part in head)
            names = frozenset(part.text for part in head)
            declarations.append(
                Part(head[0].start, start, token.start, is_device, any(outer), name(head), names, tuple(body))
            )
            head, body = [], []
        elif token.text == b"{":
            if _is_function(head):
                start, depth = token.end, 1
            else:
                outer.append(not _is_scope(head))
                head = []
        elif token.text == b"}":
            if outer:
                outer.pop()
            head = []
        elif token.text == b";":
            if head and not any(outer) and not any(part.text in _NO_VARIABLE for part in head):
                is_device = any(part.text in device for part in head)
                names = frozenset(part.text for part in head)
                declarations.append(
                    Part(head[0].start, token.start, token.start, is_device, False, name(head), names, ())
                )
            head = []
        else:
            head.append(token)
    return declarations


def name(head: list[Token]) -> bytes:
    """Give the name in a declaration: that before the first round bracket, or before a value, or the last."""
    head = head[behind_parameters(head) :]
    for index, token in enumerate(head):
        if token.text in (b"(", b"=", b"[") and index and head[index - 1].kind == "name":
            return head[index - 1].text
    return head[-1].text if head and head[-1].kind == "name" else b""


def behind_parameters(head: list[Token]) -> int:
    """Give the place behind the parameters of the templates that a declaration begins with."""
    place = 0
    while [token.text for token in head[place : place + 2]] == [b"template", b"<"]:
        depth = brackets = 0
        for index in range(place + 1, len(head)):
            sign = head[index].text
            brackets += (sign in (b"(", b"[")) - (sign in (b")", b"]"))  # there, `<` and `>` compare numbers
            depth += 0 if brackets else sign.count(b"<") - sign.count(b">") if sign in (b"<", b">", b">>") else 0
            if index > place + 1 and depth <= 0:
                break
        place = index + 1
    return place


def _is_scope(head: list[Token]) -> bool:
    """Whether what stands before a brace is a namespace, or `extern "C"` for all between the braces."""
    return any(part.text == b"namespace" for part in head) or [part.text for part in head if part.kind != "string"] == [
        b"extern"
    ]


def _is_function(head: list[Token]) -> bool:
    """Whether what stands before a brace declares a function."""
    brackets = 0
    has_parameters = has_condition = False
    for token in head:
        brackets += (token.text in (b"(", b"[", b"<")) - (token.text in (b")", b"]", b">"))
        has_condition = has_condition or token.text == b"requires"  # it has brackets before the word of a class
        if not brackets and token.text in _NO_FUNCTION and (has_condition or not has_parameters):
            return False
        has_parameters = has_parameters or token.text == b")"
    return has_parameters


def lambdas(tokens: Sequence[Token]) -> Iterator[Lambda]:
    """Yield the lambdas among the tokens of a body, those within others too."""
    for index, token in enumerate(tokens):
        if token.text != b"[" or not _may_begin(tokens, index):
            continue
        closed = _closing(tokens, index)
        while closed is not None and closed + 1 < len(tokens):
            after = tokens[closed + 1]
            if after.text == b"{":
                ended = _closing(tokens, closed + 1)
                if ended is not None:
                    yield Lambda(token.start, after.end, tokens[ended].start)
                break
            if after.text in (b";", b",", *_ENDS):
                break
            closed = _closing(tokens, closed + 1) if after.text in (b"(", b"[") else closed + 1


def local_classes(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the bytes between the braces of each class among the tokens of a body."""
    for index, token in enumerate(tokens):
        if token.text not in (b"struct", b"class"):
            continue
        opened = next((i for i in range(index, len(tokens)) if tokens[i].text in (b"{", b";", b"(", b")", b"=")), None)
        if opened is not None and tokens[opened].text == b"{" and (closed := _closing(tokens, opened)) is not None:
            yield tokens[opened].end, tokens[closed].start


def _may_begin(tokens: Sequence[Token], index: int) -> bool:
    before = tokens[index - 1] if index else None
    if before is None or before.text in _BEFORE:
        return True
    return before.kind == "sign" and before.text not in _ENDS and not (before.text == b"[" and index > 1)


def _closing(tokens: Sequence[Token], opened: int) -> int | None:
    """Give the index of the bracket that closes the one at an index."""
    depth = 0
    for index in range(opened, len(tokens)):
        text = tokens[index].text
        if tokens[index].kind == "sign":
            depth += (text in (b"(", b"[", b"{")) - (text in _ENDS)
            if not depth:
                return index
    return None
