"""Places of indirect calls, by pointers or virtual tables, read from LLVM's text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

_CALL = re.compile(r"\b(?:call|invoke)\b[^@%]*? %[\w.$\"-]+\(.*!dbg !(\d+)")
_LOCATION = re.compile(
    r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: !(\d+)(?:, inlinedAt: !(\d+))?"
)
_SCOPE = re.compile(r"^!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\(.*?\bfile: !(\d+)")
_FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


def indirect_calls(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield path, line and column of each, and of where the function that it stands in was inlined."""
    locations: dict[str, tuple[int, int, str, str | None]] = {}
    scopes: dict[str, str] = {}
    files: dict[str, str] = {}
    calls: list[str] = []
    for line in text.splitlines():
        if (call := _CALL.search(line)) is not None:
            calls.append(call[1])
        elif (location := _LOCATION.match(line)) is not None:
            locations[location[1]] = (int(location[2]), int(location[3]), location[4], location[5])
        elif (scope := _SCOPE.match(line)) is not None:
            scopes[scope[1]] = scope[2]
        elif (file := _FILE.match(line)) is not None:
            files[file[1]] = os.path.normpath(os.path.join(file[3], file[2]))
    for call_at in calls:
        at: str | None = call_at
        while at is not None and at in locations:
            row, column, scope_of, at = locations[at]
            if row:
                yield files.get(scopes.get(scope_of, ""), ""), row, column
