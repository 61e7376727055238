"""Includes of files that are not regular: a parser that opens a FIFO or reads a device never returns."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from ..messages.log import Message
from .source import Source

_INCLUDE = re.compile(rb"""^[ \t]*\#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]""", re.MULTILINE)
_KINDS = {
    stat.S_IFIFO: "a FIFO", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket",
}  # fmt: skip


def unreadable(source: Source) -> Iterator[Message]:
    """Yield an error for each include, of the source or of a file that it includes, that names no ordinary file."""
    headers = source.virtual_headers()
    work, seen = [(source.path, source.text), *headers.items()], {source.path, *headers}
    while work:
        path, text = work.pop()
        for match in _INCLUDE.finditer(text):
            for place in _places(source, path, match):
                if place in seen:
                    break
                try:
                    mode = os.stat(place).st_mode
                except (OSError, ValueError):
                    continue
                if kind := _KINDS.get(stat.S_IFMT(mode)):
                    line = text.count(b"\n", 0, match.start()) + 1
                    name = source.name if path == source.path else path
                    yield Message(name, line, 1, "error", f"expected a file to include, got {place}, which is {kind}")
                elif stat.S_ISREG(mode):
                    seen.add(place)
                    work += _read(place)
                    break


def _places(source: Source, path: str, match: re.Match[bytes]) -> Iterator[str]:
    """Yield the paths where the compilers look for a header, in order, without the system's folders."""
    folders = [os.path.dirname(path)] if match[1] == b'"' else []
    for folder in [*folders, *source.virtual_folders]:
        yield os.path.normpath(os.path.join(folder, os.fsdecode(match[2])))


def _read(path: str) -> Iterator[tuple[str, bytes]]:
    try:
        with open(path, "rb") as file:
            yield path, file.read()
    except OSError:
        pass
