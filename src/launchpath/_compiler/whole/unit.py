"""The user's files of a source that is read whole, for messages about them."""

from __future__ import annotations

import re

from ..source.source import Source
from ..source.text import Lines
from ..source.unit import Declared, File, Unit
from .reading.bodies import Part, device_words, parts
from .reading.files import Files

_WORD = re.compile(rb"[A-Za-z_]\w*")


class WholeUnit(Unit):
    """The files of a source, with the functions and the host's variables in them."""

    __slots__ = ("_parts",)

    def __init__(self, source: Source, files: Files) -> None:
        super().__init__(source, {path: File(active) for path, active in files.active().items()})
        self._parts: dict[str, list[Part]] = {}
        self.remarks += files.remarks

    def parts(self, path: str) -> list[Part]:
        """The functions with bodies, and the host's variables, of a file."""
        if path not in self._parts:
            words = device_words(file.active.macros for file in self.files.values())
            self._parts[path] = parts(self.files[path].active.tokens, words)
        return self._parts[path]

    def is_host(self, path: str, line: int) -> bool:
        """Whether a line stands in a function of the host."""
        lines = self.lines(path)
        return any(
            not part.is_device and lines.position(part.start)[0] <= line <= lines.position(part.end)[0]
            for part in self.parts(path)
        )

    def host_places(self, name: str) -> list[tuple[str, int]]:
        """The first place where host code declares a name, as path and offset; empty if there is none."""
        word = name.encode()
        return [
            (path, part.head) for path in self.files for part in self.parts(path)
            if not part.is_device and word in part.names
        ][:1]  # fmt: skip

    def places_of(self, *words: bytes) -> list[tuple[str, int]]:
        """Where words stand outside of functions of the host: path and offset."""
        places = []
        for path, file in self.files.items():
            host = [(part.start, part.end) for part in self.parts(path) if not part.is_device]
            for token in file.active.tokens:
                if token.text in words and not any(start <= token.start < end for start, end in host):
                    places.append((path, token.start))
        return places

    def declared(self, path: str) -> list[Declared]:
        """The functions and variables of a file."""
        return [_declared(part) for part in self.parts(path)]

    def declared_at(self, path: str, line: int) -> Declared | None:
        """The function or variable that holds a line of a file."""
        file = self.files.get(path)
        if file is None:
            return None
        lines = Lines(file.active.original)
        for part in self.parts(path):
            if lines.position(part.head)[0] <= line <= lines.position(part.end)[0]:
                return _declared(part)
        if not 0 < line <= len(lines.starts):
            return None
        # A declaration outside of functions: its names are those on the line.
        start = lines.starts[line - 1]
        text = lines.text(line).encode()
        return Declared({name.decode() for name in _WORD.findall(text)}, start, start + len(text), False)


def _declared(part: Part) -> Declared:
    return Declared({name.decode(errors="replace") for name in part.names}, part.head, part.end, part.is_device)
