"""Specializations of kernel templates, read from the text in which Clang dumps its syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEADLINE = re.compile(r"Dumping (.*):$")
_NODE = re.compile(r"^((?:[|` ][ -])*)(\w+)(?: 0x[0-9a-f]+)?(.*)$")
_ARGUMENT = re.compile(r"^ ([a-z]+(?: [a-z]+)*?)(?: '(.*)')?$")
_CHARACTER = re.compile(r"^(?:\((?P<type>(?:un)?signed char)\))?(?P<text>'.*')$")
_SUFFIX = re.compile(r"^(-?\d+)[UL]+$")
_LARGEST = 2**63 - 1


@dataclass(slots=True)
class Specialization:
    """A specialization."""

    name: str  # the template's, with its namespaces
    arguments: str | None  # as they can be written; None where they cannot
    used: bool  # whether it is used or instantiated on request, not only named


@dataclass(slots=True)
class _Open:
    """A specialization that is being read."""

    name: str
    depth: int
    used: bool
    typed: bool
    written: list[str | None] = field(default_factory=list)
    any: bool = False
    is_kernel: bool = False

    def closed(self) -> Specialization:
        arguments = [text for text in self.written if text is not None]
        return Specialization(
            self.name, ", ".join(arguments) if len(arguments) == len(self.written) else None, self.used
        )


def specializations(dump: str) -> Iterator[Specialization]:
    """Yield the specializations in a dump, in order; not those of functions of the host with a kernel's name."""
    name = ""
    typed = False  # whether the template has parameters whose type is their argument's
    reading: _Open | None = None
    for line in dump.splitlines():
        if (headline := _HEADLINE.match(line)) is not None:
            name, typed = headline[1], False
            continue
        node = _NODE.match(line)
        if node is None:
            continue
        depth, kind, rest = len(node[1]) // 2, node[2], node[3]
        if reading is not None and depth <= reading.depth:
            if reading.any and reading.is_kernel:
                yield reading.closed()
            reading = None
        if kind == "NonTypeTemplateParmDecl" and " 'auto'" in rest:
            typed = True
        elif kind in ("FunctionDecl", "CXXMethodDecl") and reading is None:
            marks = rest.partition(" '")[0].split()
            used = "used" in marks or "explicit_instantiation_definition" in rest
            reading = _Open(name, depth, used, typed)
        elif kind == "CUDAGlobalAttr" and reading is not None and depth == reading.depth + 1:
            reading.is_kernel = True
        elif kind == "TemplateArgument" and reading is not None and depth <= reading.depth + 2:
            argument = _ARGUMENT.match(rest)
            reading.any = True
            # The members of a pack follow it, one step deeper.
            if argument is None or argument[1] != "pack":
                reading.written.append(_written(argument, reading.typed))
    if reading is not None and reading.any and reading.is_kernel:
        yield reading.closed()


def _written(argument: re.Match[str] | None, typed: bool) -> str | None:
    if argument is None:
        return None
    kind, text = argument[1], argument[2]
    if kind in ("type", "template", "decl"):
        return str(text).rpartition("':'")[2]
    if kind == "nullptr":
        return "nullptr"
    if kind != "integral":
        return None
    return str(text) if typed else _number(str(text))


def without_suffix(text: str) -> str:
    """Give a number without its suffix, for the parameter has the type already; other text as it is."""
    suffixed = _SUFFIX.match(text)
    return suffixed[1] if suffixed and int(suffixed[1]) <= _LARGEST else text


def _number(text: str) -> str:
    """A number without a suffix, also where it is written as a character."""
    if (number := without_suffix(text)) != text:
        return number
    if (character := _CHARACTER.match(text)) is not None:
        try:
            value = ord(ast.literal_eval(character["text"]))
        except (SyntaxError, ValueError, TypeError):
            return text
        return str(value - 256 if value > 127 and character["type"] != "unsigned char" else value)
    return text
