"""Debug information in LLVM's text: its nodes, by number, read when they are asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from .closures import Closures

_NODE = re.compile(r"^(!\d+) = (?:distinct )?(!.*)$", re.MULTILINE)
_PART = re.compile(r'"(?:[^"\\]|\\[0-9A-Fa-f]{2}|\\)*"|[(\[{]|[)\]}]|,')
_ESCAPED = re.compile(r"\\([0-9A-Fa-f]{2})")
NULL = "null"


class Node(NamedTuple):
    """A node."""

    kind: str  # ``DICompositeType`` and the like; empty for a list
    values: dict[str, str]  # by name, as LLVM writes them
    parts: tuple[str, ...] = ()  # those of a list

    def text(self, name: str) -> str:
        """Give a value that is a string, without its quotes; empty if there is none."""
        return unquoted(self.values.get(name, '""'))

    def number(self, name: str, otherwise: int = 0) -> int:
        """Give a value that is a number."""
        return int(self.values.get(name, otherwise))

    @property
    def tag(self) -> str:
        """What kind of type it is, as DWARF has it: ``pointer_type``."""
        return self.values.get("tag", "").removeprefix("DW_TAG_")


class DebugInfo:
    """The nodes of a module.

    Parameters
    ----------
    text : str
        The module.
    """

    def __init__(self, text: str) -> None:
        self._lines = {match[1]: match[2] for match in _NODE.finditer(text)}
        self._nodes: dict[str, Node] = {}

    def __contains__(self, number: str | None) -> bool:
        return number in self._lines

    def node(self, number: str) -> Node:
        """Give a node by its number, ``!12``."""
        node = self._nodes.get(number)
        if node is None:
            node = self._nodes[number] = _node(self._lines[number])
        return node

    def nodes(self, kind: str) -> Iterator[tuple[str, Node]]:
        """Yield number and node of all of a kind."""
        for number, line in self._lines.items():
            if line.startswith(f"!{kind}("):
                yield number, self.node(number)

    @cached_property
    def closures(self) -> Closures:
        """The classes of lambdas."""
        return Closures(self)

    def path(self, file: Node) -> str:
        """Give the path of a file's node."""
        return os.path.join(file.text("directory"), file.text("filename"))

    def by_linkage(self, name: str) -> str | None:
        """Give the number of the function or variable of a name in LLVM's text."""
        return self._by_linkage.get(name)

    @cached_property
    def _by_linkage(self) -> dict[str, str]:
        numbers: dict[str, str] = {}
        for number, line in self._lines.items():
            if line.startswith(("!DISubprogram(", "!DIGlobalVariable(")):
                node = self.node(number)
                numbers.setdefault(node.text("linkageName") or node.text("name"), number)
        return numbers

    def linked(self, node: Node, name: str) -> Node | None:
        """Give the node that a value of another names."""
        number = node.values.get(name, NULL)
        return self.node(number) if number in self._lines else None

    def list(self, node: Node, name: str) -> list[Node | None]:
        """Give the nodes of a list that a value of another names; None for what is null."""
        listed = self.linked(node, name)
        return [self.node(part) if part in self._lines else None for part in (listed.parts if listed else ())]


def unquoted(text: str) -> str:
    """Give a string of LLVM's text without its quotes and escapes."""
    inner = text[1:-1] if text.startswith('"') else text
    if "\\" not in inner:
        return inner
    data = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), inner)
    return data.encode("latin-1", "replace").decode("utf-8", "replace")


def separated(text: str) -> list[str]:
    """Separate at the commas outside of brackets and strings."""
    parts, depth, start = [], 0, 0
    for match in _PART.finditer(text):
        sign = match[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "," and not depth:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _node(text: str) -> Node:
    if text.startswith("!{"):
        return Node("", {}, tuple(separated(text[2:-1])))
    kind, _, rest = text[1:].partition("(")
    pairs = (part.partition(": ") for part in separated(rest[:-1]))
    return Node(kind, {name: value for name, _, value in pairs})
