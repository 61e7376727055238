"""Source text: its tokens, and edits that keep every line where it is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Comments and literals are matched so that nothing inside them is taken for a token.
_TOKEN = re.compile(
    rb"""(?P<skip>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?(?:\*/|\Z)|R"(?P<mark>[^ ()\\]*)\(.*?\)(?P=mark)")"""
    rb"""|(?P<string>"(?:[^"\\\n]|\\.)*"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)*')"""
    rb"""|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)|(?P<sign>[^\s\w])""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token at the bytes [start, end); its kind is ``name``, ``number``, ``string`` or ``sign``."""

    kind: str
    text: bytes
    start: int
    end: int


def tokens(source: bytes) -> Iterator[Token]:
    """Tokens of `source`, those inside preprocessor directives included, comments left out."""
    for match in _TOKEN.finditer(source):
        kind = match.lastgroup or ""
        if kind not in ("skip", "mark"):
            yield Token(kind, match[0], match.start(), match.end())


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes [start, end) by `text`, which holds no newline; replaced newlines follow it."""

    start: int
    end: int
    text: bytes


class Lines:
    """Where the lines of a source start."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def text(self, line: int) -> str:
        """Return the line's own text, without its end; empty if there is no such line."""
        if not 1 <= line <= len(self.starts):
            return ""
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.source)
        return self.source[self.starts[line - 1] : end].decode(errors="replace").rstrip("\r")


def apply(source: bytes, edits: Iterable[Edit]) -> bytes:
    """`source` with the edits made. One inside another that came before it is dropped."""
    parts: list[bytes] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            continue
        parts += (source[at : edit.start], edit.text, b"\n" * source.count(b"\n", edit.start, edit.end))
        at = edit.end
    parts.append(source[at:])
    return b"".join(parts)


def column_before(lines: Lines, edits: Iterable[Edit], line: int, column: int) -> int:
    """Return the column in the source of what stands at `column` of `line` after the edits."""
    start = lines.starts[line - 1]
    end = lines.starts[line] if line < len(lines.starts) else len(lines.source)
    shift = 0
    at = start
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.end < start or edit.start >= end or edit.start < at:
            continue
        first = max(edit.start, start)
        inserted = len(edit.text) if edit.start >= start else 0
        where = first - start + 1 + shift
        if column < where:
            break
        if column < where + inserted:
            return first - start + 1
        shift += inserted - (min(edit.end, end) - first)
        at = edit.end
    return max(1, column - shift)


def parameter_list_end(source: bytes, name_end: int) -> tuple[int, bool] | None:
    """Offset of the ``)`` that closes the parameter list after a function's name, and whether it is empty."""
    depth = 0
    start = 0
    for token in tokens(source[name_end:]):
        if token.text == b"(":
            if depth == 0:
                start = token.end
            depth += 1
        elif token.text == b")":
            depth -= 1
            if depth == 0:
                inside = source[name_end + start : name_end + token.start].strip()
                return name_end + token.start, inside in (b"", b"void")
        elif depth == 0:
            return None
    return None
