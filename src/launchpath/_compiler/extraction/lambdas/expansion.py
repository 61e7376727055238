"""A source after its macros: lambdas whose braces come from macros stand in no file as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...clang.run import clang
from ...source.active import Active
from ...source.source import Source
from ...source.text import Lines

# The system's headers stay inclusions. Kept for the device alone: so are the macros of our headers.
_MODE = ("-E", "-fkeep-system-includes")
_MARKER = re.compile(rb'# (?P<line>\d+) "(?P<path>(?:[^"\\]|\\.)*)"[ \d]*')
_ESCAPED = re.compile(rb"\\(.)")


class Expansion(NamedTuple):
    """A source's text after its macros, with the user's headers in it."""

    file: Active
    lines: Lines  # those of its text
    origins: list[tuple[str, int]]  # the path and the line that each of its lines comes from

    def origin(self, offset: int) -> tuple[str, int]:
        """The path and the line that the text at an offset comes from: of a macro, where the outermost is used."""
        return self.origins[self.lines.position(offset)[0] - 1]

    def directed(self, start: int, end: int) -> str:
        """The text between two offsets, with directives that name the lines it comes from."""
        first = self.lines.position(start)[0] - 1
        rows = self.file.original[start:end].decode(errors="replace").split("\n")
        parts = []
        after = self.origins[first]
        for (path, line), row in zip(self.origins[first:], rows, strict=False):
            if (path, line) != after and row.strip():
                parts.append(f'#line {line} "{path}"')
                after = path, line
            if row.strip() or (path, line) == after:
                parts.append(row)
                after = after[0], after[1] + 1
        return "\n".join(parts)


def expanded(source: Source, texts: Mapping[str, bytes], macros: Mapping[str, str | None]) -> Expansion:
    """Expand the macros of a source, with `texts` in place of the user's files."""
    rows, origins = [], []
    path, line = source.path, 1
    for row in clang(source, texts, macros, _MODE).output.split(b"\n"):
        if (marker := _MARKER.fullmatch(row)) is not None:
            path, line = _ESCAPED.sub(rb"\1", marker["path"]).decode(errors="replace"), int(marker["line"])
            rows.append(b"")
            origins.append((path, line))
        else:
            rows.append(row)
            origins.append((path, line))
            line += 1
    text = b"\n".join(rows)
    return Expansion(Active(text), Lines(text), origins)
