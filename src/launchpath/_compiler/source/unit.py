"""The user's files of a source, for messages about them and for what is asked of their declarations."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...errors import CompileError
from .active import Active
from .source import HEADERS, VIRTUAL, Source
from .text import Lines

if TYPE_CHECKING:
    from ..llvm_text.debug_locations import Place
    from ..messages.log import Message

# How messages end about device code that a file uses and does not have.
OTHER_FILES = "with paths=[...]"
NO_KERNEL = "expected a __global__ function, which is a kernel, got none"
# A pattern as text: plain sources, which include nothing, have no use for it.
_INCLUDED = rb"""\#[ ]*\w+[ ]*([<"])([^>"\n]+)[>"]"""


class File:
    """One of the user's files: its text, and its tokens."""

    __slots__ = ("active",)

    def __init__(self, active: Active) -> None:
        self.active = active


class Declared(NamedTuple):
    """A declaration at file scope: its names, its bytes, and whether it is marked as device code."""

    names: set[str]
    start: int
    end: int
    is_device: bool


class Unit:
    """The user's files of a source."""

    __slots__ = ("accesses", "files", "files_read", "remarks", "source", "takes_addresses")
    files: Mapping[str, File]  # by path

    # No dataclass: making that class takes longer than to read a small source.
    def __init__(self, source: Source, files: Mapping[str, File]) -> None:
        self.source, self.files = source, files
        # the user's headers, by path, with their digests; None for a path at which a new file would hide such a header
        self.files_read: dict[str, str | None] = {}
        self.remarks: list[Message] = [*source.remarks]  # warnings about files that are not UTF-8
        self.takes_addresses = False  # whether device code takes addresses of functions, which are numbers then
        self.accesses: list[tuple[Place, ...]] = []  # the places of the marks of `llvm_text.access_marks`, by number

    def name_of(self, path: str) -> str:
        """The name of a file in messages."""
        if path == self.source.path:
            return self.source.name
        return path.removeprefix(f"{HEADERS}/")

    def lines(self, path: str) -> Lines:
        """The lines of one of the user's files."""
        file = self.files.get(path)
        return Lines(file.active.original if file is not None else b"")

    def message_at(self, path: str, offset: int, text: str) -> Message:
        """An error at an offset of one of the files."""
        from ..messages.log import Message  # noqa: PLC0415 (most programs have no errors)

        return Message(self.name_of(path), *self.lines(path).position(offset), "error", text)

    def declared(self, path: str) -> list[Declared]:
        """The declarations of a file."""
        return []

    def declared_at(self, path: str, line: int) -> Declared | None:
        """The declaration on a line of a file."""
        return None

    def host_places(self, name: str) -> list[tuple[str, int]]:
        """The first place where host code declares a name, as path and offset; empty if there is none."""
        return []

    def places_of(self, *words: bytes) -> list[tuple[str, int]]:
        """Where words stand in code that may be the device's: path and offset."""
        return []


def refused(unit: Unit, messages: list[Message]) -> CompileError:
    """Make an error of messages."""
    from ..messages.log import render  # noqa: PLC0415 (most programs have no errors)

    quoted = {unit.name_of(path): Lines(file.active.original) for path, file in unit.files.items()}
    log = "\n".join(render([message], quoted.get(message.file, Lines(b""))) for message in messages[:20])
    return CompileError(log, log)


def files_read(unit: Unit, digests: Mapping[str, str]) -> dict[str, str | None]:
    """The files that the cache must check again, see `Unit.files_read`."""
    expected: dict[str, str | None] = dict(digests)
    read = {os.path.normpath(path) for path in [*unit.files, *unit.source.virtual_headers()]}
    for path, file in unit.files.items():
        for directive in file.active.directives:
            match = re.match(_INCLUDED, directive.line) if directive.is_include else None
            if match is None:
                continue
            own_folder = [os.path.dirname(path)] if match[1] == b'"' else []
            for folder in [*own_folder, *unit.source.virtual_folders]:
                candidate = os.path.normpath(os.path.join(folder, match[2].decode(errors="replace")))
                if candidate in read:
                    break
                expected.setdefault(candidate, None)
    return {path: digest for path, digest in expected.items() if not path.startswith(f"{VIRTUAL}/")}
