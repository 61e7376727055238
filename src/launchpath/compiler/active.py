"""One file of the user's as the compiler sees it: what conditional compilation leaves out is blank."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from .text import Token, tokens

_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE | re.DOTALL)
_DEFINE = re.compile(rb"[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(.*)", re.DOTALL)
_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSE = frozenset(_OPEN.values())


def blank(text: bytearray, start: int, end: int) -> None:
    """Replace everything between two offsets by spaces, line ends apart."""
    text[start:end] = re.sub(rb"[^\n]", b" ", bytes(text[start:end]))


class Active:
    """A file's text.

    Attributes
    ----------
    original, text : bytes
        As written, and with what is skipped blanked; comments too, so that no token is looked for in them.
    directives : list of (int, int)
        Preprocessor directives, with their continued lines.
    """

    def __init__(self, original: bytes, skipped: Iterable[tuple[int, int]] = ()) -> None:
        self.original = original
        self.directives = [match.span() for match in _DIRECTIVE.finditer(_without_comments(original))]
        text = bytearray(_without_comments(original))
        for start, end in skipped:
            at = start
            for first, last in self.directives:
                if first < end and last > start:
                    blank(text, at, max(at, first))
                    at = max(at, last)
            blank(text, at, max(at, end))
        self.text = bytes(text)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens that are in no directive."""
        text = bytearray(self.text)
        for start, end in self.directives:
            blank(text, start, end)
        return list(tokens(bytes(text)))

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    @cached_property
    def _partners(self) -> dict[int, int]:
        """For each opening bracket the index of the closing one, and the reverse."""
        found: dict[int, int] = {}
        waiting: list[tuple[bytes, int]] = []
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in _OPEN:
                waiting.append((_OPEN[token.text], index))
            elif token.text in _CLOSE:
                while waiting:
                    wanted, opened = waiting.pop()
                    if wanted == token.text:
                        found[opened], found[index] = index, opened
                        break
        return found

    @cached_property
    def macros(self) -> dict[str, frozenset[str]]:
        """The names in the bodies of the macros that the file defines."""
        found: dict[str, set[str]] = {}
        for start, end in self.directives:
            if match := _DEFINE.match(self.text, start, end):
                names = {token.text.decode() for token in tokens(match[2]) if token.kind == "name"}
                found.setdefault(match[1].decode(), set()).update(names)
        return {name: frozenset(names) for name, names in found.items()}

    @cached_property
    def shapes(self) -> dict[str, list[str]]:
        """The names and the braces in the body of each macro that the file defines, in order."""
        found: dict[str, list[str]] = {}
        for start, end in self.directives:
            if match := _DEFINE.match(self.text, start, end):
                body = [token for token in tokens(match[2]) if token.kind == "name" or token.text in (b"{", b"}")]
                found[match[1].decode()] = [token.text.decode() for token in body]
        return found

    def index(self, offset: int) -> int:
        """Index of the first token at or after `offset`."""
        return bisect_left(self._starts, offset)

    def closing(self, index: int) -> int:
        """Index of the bracket that closes the one at `index`; the last token's if none does."""
        return self._partners.get(index, len(self.tokens) - 1)

    def is_at(self, index: int, *texts: bytes) -> bool:
        """Whether the token at `index` is one of these."""
        return 0 <= index < len(self.tokens) and self.tokens[index].text in texts

    def names(self, start: int, end: int) -> set[str]:
        """The identifiers between two offsets."""
        first, last = self.index(start), self.index(end)
        return {token.text.decode() for token in self.tokens[first:last] if token.kind == "name"}

    def uses(self, macros: Collection[bytes]) -> Iterator[tuple[int, int]]:
        """Yield where macros stand, with their arguments."""
        for index, token in enumerate(self.tokens):
            if token.text in macros:
                last = self.closing(index + 1) if self.is_at(index + 1, b"(") else index
                yield token.start, self.tokens[last].end

    def body(self, last: int, name: int) -> tuple[int, int] | None:
        """Where the initializers and the body of a method stand, from the indices of its last token and its name."""
        index = name
        while index < last and not self.is_at(index, b"("):
            index += 1
        if self.is_at(index + 1, b")") and self.is_at(index + 2, b"("):  # operator()
            index += 2
        index = self.closing(index) + 1
        while index <= last:
            if self.is_at(index, b"{", b":", b"try"):
                return self.tokens[index].start, self.tokens[last].end
            index = self.closing(index) + 1 if self.is_at(index, b"(", b"[") else index + 1
        return None


def unbalanced(shapes: Mapping[str, list[str]]) -> dict[bytes, int]:
    """The macros that open a brace they do not close, or close one that they did not open, and how many they leave."""

    def depths(name: str, within: frozenset[str]) -> tuple[int, int]:
        depth = lowest = 0
        for part in shapes[name]:
            if part in ("{", "}"):
                depth += 1 if part == "{" else -1
            elif part in shapes and part not in within:
                inner, below = depths(part, within | {part})
                lowest, depth = min(lowest, depth + below), depth + inner
            lowest = min(lowest, depth)
        return depth, lowest

    found = {name: depths(name, frozenset({name})) for name in shapes}
    return {name.encode(): depth for name, (depth, lowest) in found.items() if (depth, lowest) != (0, 0)}


def _without_comments(text: bytes) -> bytes:
    """Blank the comments, line ends apart."""
    made = bytearray(text)
    for match in _COMMENT.finditer(text):
        if match["comment"] is not None:
            blank(made, *match.span("comment"))
    return bytes(made)


_COMMENT = re.compile(
    rb"""(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?(?:\*/|\Z))"""
    rb"""|R"(?P<mark>[^ ()\\\n]{0,16})\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)*'""",
    re.DOTALL,
)
