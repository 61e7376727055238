"""Output of commands: tables and JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring_ascii
from typing import Any

from launchpath._cli.failure import Failure
from launchpath._report.console import console
from launchpath._report.table import Table

_INDENT = "  "


class Output:
    """Where a command's results go: tables to standard output unless JSON goes there.

    Parameters
    ----------
    json_file : str or None
        As ``--json`` gives it.
    stderr : bool
        Whether tables go to standard error, wherever JSON goes.
    """

    def __init__(self, json_file: str | None, stderr: bool = False) -> None:
        self.json_file = json_file
        self.console = console(stderr=stderr or json_file == "-")

    def print(self, content: str | Table, as_it_is: bool = False) -> None:
        """Print text or a table: `as_it_is` is for text whose lines are not to be broken."""
        self.console.print(content, as_it_is)

    def json(self, data: Any) -> None:
        """Write the results, if that was asked for."""
        if self.json_file is None:
            return
        if self.json_file == "-":
            sys.stdout.writelines(_lines(data))
            return
        try:
            with open(self.json_file, "w", encoding="utf-8") as file:
                file.writelines(_lines(data))
        except OSError as error:
            raise Failure(f"cannot write {self.json_file}: {error.strerror}") from None


def _lines(data: Any, end: str = "\n", depth: int = 2) -> Iterator[str]:
    """JSON in parts, so that it is not all in memory: the items of what is in others `depth` deep are parts."""
    if not depth or not data or not isinstance(data, (dict, list, tuple)) or _is_line(data):
        yield _text(data, end)
    else:
        first, items, last = _opened(data)
        for name, value in items:
            yield f"{first}{end}{_INDENT}{name}"
            yield from _lines(value, end + _INDENT, depth - 1)
            first = ","
        yield end + last
    if end == "\n":
        yield end


def _text(data: Any, end: str) -> str:
    """JSON with indentation, which `end` has. A list of numbers is on one line."""
    if type(data) is str:
        return encode_basestring_ascii(data)
    if type(data) is int or (type(data) is float and math.isfinite(data)):
        return repr(data)
    if not data or not isinstance(data, (dict, list, tuple)) or _is_line(data):
        return json.dumps(data)
    inner = end + _INDENT
    first, items, last = _opened(data)
    return first + ",".join([f"{inner}{name}{_text(value, inner)}" for name, value in items]) + end + last


def _opened(data: Any) -> tuple[str, Iterable[tuple[str, Any]], str]:
    """How a container begins, its items with their names, and how it ends."""
    if isinstance(data, dict):
        return "{", ((f"{encode_basestring_ascii(str(key))}: ", value) for key, value in data.items()), "}"
    return "[", (("", value) for value in data), "]"


def _is_line(data: Any) -> bool:
    return not isinstance(data, dict) and all(type(each) in (int, float) for each in data)
