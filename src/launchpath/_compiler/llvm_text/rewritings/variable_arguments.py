"""Functions with ``...`` that never read those arguments, in LLVM's text: SPIR-V has no variadic functions."""

from __future__ import annotations

import re

from ...source.text import closing, separated

_DEFINITION = re.compile(r"define [^(@]*(?:\([^@]*?\)[^(@]*)?@(?P<name>[\w.$]+)\(")
_USE = re.compile(r"\.\.\.\) @(?P<name>[\w.$]+)\(")
_READS = "@llvm.va_start"


def without_variable_arguments(text: str) -> str:
    """Rewrite LLVM's text: functions that do not read their variable arguments do not get them.

    A function that reads them stays as it is.
    """
    lines = text.split("\n")
    names: set[str] = set()
    for number, line in enumerate(lines):
        if (match := _DEFINITION.match(line)) is None:
            continue
        end = closing(line, match.end() - 1)
        parameters = line[match.end() : end]
        if parameters.endswith("...") and not _reads_them(lines, number):
            names.add(match["name"])
            lines[number] = line[: match.end()] + parameters[:-3].rstrip(", ") + line[end:]
    return "\n".join(_called(line, names) if "...) @" in line else line for line in lines)


def _reads_them(lines: list[str], number: int) -> bool:
    body = lines[number : lines.index("}", number)]
    return any(_READS in line for line in body)


def _called(line: str, names: set[str]) -> str:
    """A line in which one of these functions is called, without the function's type and the further arguments."""
    match = _USE.search(line)
    if match is None or match["name"] not in names:
        return line
    start = _opening(line, match.start() + 3)
    count = len(separated(line[start + 1 : match.start()]))
    end = closing(line, match.end() - 1)
    arguments = ", ".join(separated(line[match.end() : end])[:count])
    return f"{line[:start]}@{match['name']}({arguments}{line[end:]}"


def _opening(line: str, end: int) -> int:
    """Where the bracket begins that ends at `end`."""
    depth = 0
    for index in range(end, -1, -1):
        depth += (line[index] == ")") - (line[index] == "(")
        if not depth:
            return index
    return 0
