"""The debug locations of LLVM's text: which place of the source an instruction is from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

_LOCATION = re.compile(
    r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: !(\d+)(?:, inlinedAt: !(\d+))?"
)
_SCOPE = re.compile(r"^!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\(.*?\bfile: !(\d+)")
_FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


class Place(NamedTuple):
    """A place in a file: its path as the compiler knows it, line and column."""

    path: str
    line: int
    column: int


class Locations:
    """The debug locations of LLVM's text."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._locations: dict[str, tuple[int, int, str, str | None]] = {}
        self._scopes: dict[str, str] = {}
        self._files: dict[str, str] = {}
        for line in lines:
            if (location := _LOCATION.match(line)) is not None:
                self._locations[location[1]] = (int(location[2]), int(location[3]), location[4], location[5])
            elif (scope := _SCOPE.match(line)) is not None:
                self._scopes[scope[1]] = scope[2]
            elif (file := _FILE.match(line)) is not None:
                self._files[file[1]] = os.path.normpath(os.path.join(file[3], file[2]))

    def places(self, location: str) -> tuple[Place, ...]:
        """Give the place of a location, then those of the calls through which its function was inlined."""
        places = []
        number: str | None = location
        while number is not None and number in self._locations:
            line, column, scope, number = self._locations[number]
            if line:
                places.append(Place(self._files.get(self._scopes.get(scope, ""), ""), line, column))
        return tuple(places)
