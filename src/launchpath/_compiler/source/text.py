"""Source text: lines joined by a backslash, tokens, and where lines start."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

# Comments and literals are matched so that nothing inside them is taken for a token. Where a raw string ends is looked
# for apart: lines are not joined in it.
_LITERAL = rb"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?:u8|[uUL])?R"(?P<mark>[^ ()\\\t\v\f\n]{0,16})\("""
_LITERAL += rb"""|(?P<header>\#[ \t]*include[ \t]*<[^>\n]*>)"""
_STRING = rb"""(?:u8|[uUL])?"(?:[^"\\\n]|\\[^\n])*"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:[^'\\\n]|\\[^\n])*'"""
_NAME = rb"(?P<name>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)"
_REST = rb"(?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)"
_REST += rb"|(?P<sign><%|%>|<:(?!:[^:>])|:>|[^\s\w])"
_SPELLED_OTHERWISE = {b"<%": b"{", b"%>": b"}", b"<:": b"[", b":>": b"]"}
# Everything up to where a comment or a literal may begin, but for the word before it: that may be the literal's prefix.
_OTHERS = rb"(?P<others>[^\"'/#]*[^\"'/#\w$\x80-\xff])"
_LITERALS = re.compile(b"%s|%s|(?P<string>%s)|%s" % (_OTHERS, _LITERAL, _STRING, _NAME), re.DOTALL)
_TOKEN = re.compile(b"%s|(?P<string>%s)|%s|%s" % (_LITERAL, _STRING, _NAME, _REST), re.DOTALL)
_TOKENS = frozenset({"name", "number", "string", "sign"})
_JOINED = rb"\\[ \t\v\f]*\n"  # as text: most sources have no backslash


class Token(NamedTuple):
    """A token at the bytes [start, end); its kind is ``name``, ``number``, ``string`` or ``sign``.

    Its text is without the line ends within it, and a bracket if it is one of C's other spellings of brackets.
    """

    kind: str
    text: bytes
    start: int
    end: int


class Joined:
    """A source with its continued lines joined, as a compiler does before it looks for tokens."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        cuts = [match.span() for match in re.finditer(_JOINED, source)] if b"\\" in source else []
        # without each backslash at the end of a line and that line's end
        self.text = re.sub(_JOINED, b"", source) if cuts else source
        self._removed = [0, *accumulate(end - start for start, end in cuts)]
        self._cuts = [start - removed for (start, _), removed in zip(cuts, self._removed, strict=False)]

    def start(self, offset: int) -> int:
        """The offset in the source of the byte at an offset of the text."""
        return offset + self._removed[bisect_right(self._cuts, offset)]

    def end(self, offset: int) -> int:
        """The offset in the source just behind the byte before an offset of the text."""
        return self.start(offset - 1) + 1 if offset else 0

    def within(self, offset: int) -> int:
        """The offset in the text of a byte of the source, which is in no line end that is left out."""
        low = bisect_left(range(len(self._cuts)), offset, key=lambda cut: self._cuts[cut] + self._removed[cut])
        return offset - self._removed[low]

    def _raw_end(self, match: re.Match[bytes]) -> int:
        """The offset in the text behind a raw string; that of the text's end if it has none."""
        end = self.source.find(b")" + match["mark"] + b'"', self.start(match.end() - 1))
        return self.within(end) + len(match["mark"]) + 2 if end >= 0 else len(self.text)

    def _matches(self, pattern: re.Pattern[bytes]) -> Iterator[tuple[str, int, int]]:
        offset, length = 0, len(self.text)
        while offset < length:
            for match in pattern.finditer(self.text, offset):
                if match["mark"] is None:
                    yield match.lastgroup or "", match.start(), match.end()
                else:
                    offset = self._raw_end(match)
                    yield "raw", match.start(), offset
                    break
            else:
                return

    def literals(self) -> Iterator[tuple[str, int, int]]:
        """Yield comments (``comment``), strings and characters (``string``), raw strings (``raw``) of the text."""
        for kind, start, end in self._matches(_LITERALS):
            if kind in ("comment", "string", "raw"):
                yield kind, start, end

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens, at their places in the source, those inside preprocessor directives included."""
        source, is_joined = self.text, bool(self._cuts)
        for kind, start, end in self._matches(_TOKEN):
            if kind in _TOKENS:
                text = source[start:end]
                if kind == "sign":
                    text = _SPELLED_OTHERWISE.get(text, text)
                places = (self.start(start), self.end(end)) if is_joined else (start, end)
                yield Token(kind, text, *places)


def separated(text: str) -> list[str]:
    """Separate at the commas that are in no brackets; without blanks around, and without empty parts."""
    parts, depth, start = [], 0, 0
    for index, sign in enumerate(text):
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def closing(line: str, opened: int) -> int:
    """Where the round bracket ends that begins at an index; the line's length if it does not."""
    depth = 0
    for index in range(opened, len(line)):
        depth += (line[index] == "(") - (line[index] == ")")
        if not depth:
            return index
    return len(line)


def tokens(source: bytes) -> Iterator[Token]:
    """Tokens of `source`, those inside preprocessor directives included, comments left out."""
    return Joined(source).tokens()


class Lines:
    """Where the lines of a source start."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and a column, both from 1."""
        start = self.starts[min(line, len(self.starts)) - 1]
        return min(len(self.source), start + max(0, column - 1))

    def text(self, line: int) -> str:
        """Return the line's own text, without its end; empty if there is no such line."""
        if not 1 <= line <= len(self.starts):
            return ""
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.source)
        return self.source[self.starts[line - 1] : end].decode(errors="replace").rstrip("\r")
