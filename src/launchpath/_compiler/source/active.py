"""A user's file as the compiler reads it: parts that conditional compilation excludes are blank."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from .text import Joined, Token, tokens

_DIRECTIVE = re.compile(rb"^[ ]*((?:#|%:)[^\n]*)", re.MULTILINE)
# Patterns as text: sources without directives have no use for them.
_CHANGE = rb"#[ ]*(?:define|undef)[ ]+([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)"
_DEFINE = rb"#[ ]*define[ ]+([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)(.*)"
_PARAMETERS = rb"\(([^)]*)\)"
_PASTED = rb"(##[ ]*)?(?<![\w$\x80-\xff])([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)(?=([ ]*##)?)"
_INCLUDE = rb"#[ ]*(?:include|include_next|import)\b"
_ERROR = rb"#[ ]*error\b"
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSE = frozenset(_OPEN.values())


def blank(text: bytearray, start: int, end: int) -> None:
    """Replace everything between two offsets by spaces, line ends apart."""
    text[start:end] = re.sub(rb"[^\n]", b" ", bytes(text[start:end]))


class Directive(NamedTuple):
    """A preprocessor directive at the bytes [start, end), continued lines included.

    `line` is all of it on one line, with a space for each blank and each byte of a comment.
    """

    start: int
    end: int
    line: bytes

    @property
    def is_include(self) -> bool:
        """Whether it includes a file."""
        return re.match(_INCLUDE, self.line) is not None


class Active:
    """A file's text."""

    def __init__(self, original: bytes, skipped: Iterable[tuple[int, int]] = ()) -> None:
        self.original = original
        text = bytearray(original)
        joined = Joined(original)
        lines = bytearray(joined.text)
        comments = []
        for kind, start, end in joined.literals():
            if kind == "comment":
                comments.append((joined.start(start), joined.end(end)))
                lines[start:end] = b" " * (end - start)
            elif kind == "raw":
                lines[start:end] = joined.text[start:end].replace(b"\n", b" ")
        self.directives = [
            Directive(joined.start(match.start(1)), joined.end(match.end()), match[1].replace(b"%:", b"#", 1))
            for match in _DIRECTIVE.finditer(lines.translate(_BLANKS))
        ]
        starts = [directive.start for directive in self.directives]
        for start, end in comments:
            index = bisect_right(starts, start) - 1
            # Blanked, its line ends would end the directive.
            if index < 0 or self.directives[index].end <= end or b"\n" not in original[start:end]:
                blank(text, start, end)
        for directive in self.directives:
            if directive.is_include:
                _put_on_one_line(text, directive)
        for start, end in skipped:
            index = start
            for directive in self.directives:
                # An error that the parser skips goes too: NVRTC lacks macros of the host's compilers (__GNUC__).
                if directive.start < end and directive.end > start and not re.match(_ERROR, directive.line):
                    blank(text, index, max(index, directive.start))
                    index = max(index, directive.end)
            blank(text, index, max(index, end))
        # with blanks in place of skipped parts and of comments: no token is looked for in those. A comment stays if a
        # directive goes on behind it in another line
        self.text = bytes(text)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens that are in no directive."""
        text = bytearray(self.text)
        for directive in self.directives:
            blank(text, directive.start, directive.end)
        return list(tokens(bytes(text)))

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    @cached_property
    def _partners(self) -> dict[int, int]:
        """For each opening bracket the index of the closing one, and the reverse."""
        partners: dict[int, int] = {}
        waiting: list[tuple[bytes, int]] = []
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in _OPEN:
                waiting.append((_OPEN[token.text], index))
            elif token.text in _CLOSE:
                while waiting:
                    closing, opened = waiting.pop()
                    if closing == token.text:
                        partners[opened], partners[index] = index, opened
                        break
        return partners

    @cached_property
    def macros(self) -> dict[str, frozenset[str]]:
        """The names in the bodies of the macros that the file defines."""
        bodies: dict[str, set[str]] = {}
        for directive in self.directives:
            if match := re.match(_DEFINE, directive.line):
                names = {token.text.decode() for token in tokens(match[2]) if token.kind == "name"}
                bodies.setdefault(match[1].decode(), set()).update(names)
        return {name: frozenset(names) for name, names in bodies.items()}

    @cached_property
    def object_macros(self) -> dict[bytes, list[bytes]]:
        """The tokens of the macros without parameters that the file defines; the last of several definitions."""
        matches = filter(None, (re.match(_DEFINE, directive.line) for directive in self.directives))
        return {
            match[1]: [token.text for token in tokens(match[2])] for match in matches if not match[2].startswith(b"(")
        }

    @cached_property
    def pasted(self) -> dict[str, list[str]]:
        """Patterns of the names that the macros of the file put together with ``##``."""
        patterns: dict[str, list[str]] = {}
        for directive in self.directives:
            match = re.match(_DEFINE, directive.line)
            if match is None or b"##" not in match[2]:
                continue
            parameters = re.match(_PARAMETERS, match[2])
            parameter_names = set(re.findall(rb"[\w$\x80-\xff]+", parameters[1])) if parameters is not None else set()
            body = match[2] if parameters is None else match[2][parameters.end() :]
            for before, name, after in re.findall(_PASTED, body):
                if (before or after) and name not in parameter_names:
                    pattern = (r"\w*" if before else "") + re.escape(name.decode()) + (r"\w*" if after else "")
                    patterns.setdefault(match[1].decode(), []).append(pattern)
        return patterns

    @cached_property
    def shapes(self) -> dict[str, list[str]]:
        """The names and the braces in the body of each macro that the file defines, in order."""
        bodies: dict[str, list[str]] = {}
        for directive in self.directives:
            if match := re.match(_DEFINE, directive.line):
                body = [token for token in tokens(match[2]) if token.kind == "name" or token.text in (b"{", b"}")]
                bodies[match[1].decode()] = [token.text.decode() for token in body]
        return bodies

    @cached_property
    def statements(self) -> frozenset[bytes]:
        """The macros that the file defines whose bodies end in a semicolon: uses of them are whole declarations."""
        bodies = filter(None, (re.match(_DEFINE, directive.line) for directive in self.directives))
        return frozenset(match[1] for match in bodies if match[2].rstrip().endswith(b";"))

    def opening(self, index: int) -> int:
        """Index of the bracket that the one at `index` closes; the index itself if there is none."""
        return self._partners.get(index, index)

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

    def on_one_line(self, start: int, end: int) -> str:
        """The text between two offsets, without line ends."""
        return Joined(self.text[start:end]).text.decode(errors="replace").replace("\n", " ")

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


def changing_macros(files: Iterable[Active]) -> set[str]:
    """The macros that are defined several times, or no longer defined behind some place."""
    times = Counter(
        match[1].decode() for file in files for each in file.directives if (match := re.match(_CHANGE, each.line))
    )
    return {name for name, count in times.items() if count > 1}


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

    totals = {name: depths(name, frozenset({name})) for name in shapes}
    return {name.encode(): depth for name, (depth, lowest) in totals.items() if (depth, lowest) != (0, 0)}


def _put_on_one_line(text: bytearray, directive: Directive) -> None:
    """Write a directive on its first line; as many lines as it had follow."""
    before = bytes(text[directive.start : directive.end])
    if ends := before.count(b"\n"):
        line = b" ".join(directive.line.split())
        text[directive.start : directive.end] = line.ljust(len(before) - ends) + b"\n" * ends
