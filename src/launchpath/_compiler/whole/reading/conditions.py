"""Conditional parts of files that Clang skips: their braces are no braces of the program's."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping

from ...clang import frontend
from ...clang.run import overlay, start
from ...source.active import Active
from ...source.source import Source

_CONDITION = re.compile(rb"#[ \t]*(if|elif|else|endif)")
_MARKER = re.compile(rb'# (\d+) "((?:[^"\\]|\\.)*)"')

Range = tuple[int, int]


def skipped(source: Source, files: Mapping[str, bytes], macros: Mapping[str, str | None]) -> dict[str, list[Range]]:
    """Give the parts that are skipped, as bytes from a start to an end.

    Only files with conditional parts that have half of a pair of braces are looked at.

    Parameters
    ----------
    source : Source
    files : mapping of str to bytes
        The texts of the user's files, by path.
    macros : mapping of str to str or None
        Besides the source's.
    """
    parts = {path: [*_conditional(Active(text))] for path, text in files.items() if _CONDITION.search(text)}
    parts = {
        path: spans
        for path, spans in parts.items()
        if any(files[path].count(b"{", *each) != files[path].count(b"}", *each) for each in spans)
    }
    if not parts:
        return {}
    with tempfile.TemporaryDirectory(prefix="launchpath-") as folder:
        listed = overlay(source, files, folder)
        command = [*frontend.arguments(source, macros), "-ivfsoverlay", listed, "-E", source.path, "-o", "-"]
        output = start(source, command).output
    read = _read(output)
    ranges: dict[str, list[Range]] = {}
    for path, spans in parts.items():
        lines = read.get(path, set())
        for begin, end in spans:
            first = files[path].count(b"\n", 0, begin) + 1
            last = files[path].count(b"\n", 0, end)
            if files[path][begin:end].strip() and lines.isdisjoint(range(first, last + 2)):
                ranges.setdefault(path, []).append((begin, end))
    return ranges


def _conditional(active: Active) -> Iterator[Range]:
    """Yield the text between a condition and the directive that ends it, of the innermost parts and what is around."""
    begin: int | None = None
    depth = 0
    for directive in active.directives:
        match = _CONDITION.match(directive.line)
        if match is None:
            continue
        if begin is not None:
            yield begin, directive.start
        depth += (match[1] == b"if") - (match[1] == b"endif")
        begin = directive.end if depth else None


def _read(output: bytes) -> dict[str, set[int]]:
    """Give the lines of each file that the preprocessor's output has text of."""
    lines: dict[str, set[int]] = {}
    path, line = "", 0
    for text in output.split(b"\n"):
        if (marker := _MARKER.match(text)) is not None:
            path, line = (
                marker[2].decode(errors="surrogateescape").replace("\\\\", "\\").replace('\\"', '"'),
                int(marker[1]),
            )
            continue
        if text.strip():
            lines.setdefault(path, set()).add(line)
        line += 1
    return lines
