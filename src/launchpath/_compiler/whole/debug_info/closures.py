"""Closures: the classes that Clang makes of lambdas, and their names, ``lambda_12``.

Debug information has a closure's line, and its mangled name. The column stands in the names of the functions that are
instances for it. The template arguments of the function around a lambda are in the mangled name alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, count
from typing import TYPE_CHECKING

from ...kernels.mangled import demangled
from ...source.text import separated

if TYPE_CHECKING:
    from .nodes import DebugInfo, Node

AT = re.compile(r"\(lambda at (?P<file>[^()]*?):(?P<line>\d+):(?P<column>\d+)\)")
NAME = re.compile(r"\blambda_\d+(?:_\d+)*\b")
_TYPE_INFO = "typeinfo name for "
_LAMBDA = re.compile(r"::\{lambda\(")


class Closures:
    """The closures of a module, by the numbers of their nodes."""

    def __init__(self, info: DebugInfo) -> None:
        self._info = info
        self._columns: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._by_text: dict[str, str] = {}
        self._calls: dict[str, str] = {}  # the functions of closures without linkage, by the closures' numbers
        for number, node in info.nodes("DICompositeType"):
            if is_closure(node):
                self._names[number] = ""
        if self._names:
            self._find()

    def name(self, number: str) -> str:
        """Give the name of a closure, with the template arguments of the functions around it."""
        plain = self._names[number]
        arguments = self._arguments(self._text(number))
        return f"{plain}<{arguments}>" if arguments else plain

    def _find(self) -> None:
        names = {node.text("name") for _, node in self._info.nodes("DICompositeType")}
        names |= {node.text("name") for _, node in self._info.nodes("DIGlobalVariable")}
        for _, node in self._info.nodes("DISubprogram"):
            if "(lambda at " in node.text("name"):
                self._note_columns(node)
            if node.text("name") == "operator()" and node.text("linkageName"):
                self._calls.setdefault(node.values.get("scope", ""), node.text("linkageName"))
        places: dict[int, dict[tuple[str, int], None]] = defaultdict(dict)
        for number in self._names:
            places[self._info.node(number).number("line")][self._place(number)] = None
            self._by_text.setdefault(self._text(number), number)
        used: dict[str, tuple[tuple[str, int], int]] = {}
        together: Counter[tuple[tuple[str, int], str]] = Counter()  # of one use of a macro
        for number in self._names:
            line, place = self._info.node(number).number("line"), self._place(number)
            around = place, _around(self._text(number))
            use = place, together[around]
            together[around] += 1
            name = f"lambda_{line}" + (f"_{place[1]}" if len(places[line]) > 1 else "")
            # Another file may have a lambda at the same place, and a macro several. The program may use the name.
            candidates = chain([name], (f"{name}_{further}" for further in count(2)))
            self._names[number] = next(
                each for each in candidates if each not in names and used.setdefault(each, use) == use
            )

    def _note_columns(self, node: Node) -> None:
        """Note the columns of the closures that a function's template arguments have."""
        matches = list(AT.finditer(node.text("name")))
        numbers = [number for number in self._arguments_of(node) if number in self._names]
        if len(matches) == len(numbers):
            for number, match in zip(numbers, matches, strict=True):
                self._columns.setdefault(number, int(match["column"]))

    def _arguments_of(self, node: Node) -> Iterator[str]:
        for parameter in self._info.list(node, "templateParams"):
            if parameter is not None:
                yield parameter.values.get("type", "")
                for inner in self._info.list(parameter, "value"):
                    if inner is not None:
                        yield inner.values.get("type", "")

    def _place(self, number: str) -> tuple[str, int]:
        return self._info.node(number).values.get("file", ""), self._columns.get(number, 0)

    def _text(self, number: str) -> str:
        """Give a closure as the demangler writes it; empty if it has no linkage."""
        text = demangled(self._info.node(number).text("identifier")) or ""
        if not text:
            text = (demangled(self._calls.get(number, "")) or "").rpartition("::operator()")[0]
        return text.removeprefix(_TYPE_INFO)

    def _arguments(self, text: str) -> str:
        """Give the template arguments of the function around a closure, and of the classes around that."""
        around = _around(text)
        lists = _template_arguments(around)
        return ", ".join(self._spelled(part) for inside in lists for part in separated(inside))

    def _spelled(self, argument: str) -> str:
        """Write a template argument of the demangler's as the source has it."""
        number = self._by_text.get(argument)
        if number is not None:
            return self.name(number)
        return argument.replace("(anonymous namespace)::", "")


def is_closure(node: Node) -> bool:
    """Whether a type is the class of a lambda."""
    return node.tag == "class_type" and not node.values.get("name")


def _around(text: str) -> str:
    """Give the function around a closure: what stands before the last ``::{lambda(``."""
    depth, ends = 0, []
    for index, sign in enumerate(text):
        depth += (sign in "(<[{") - (sign in ")>]}")
        if not depth and sign == ":" and _LAMBDA.match(text, index):
            ends.append(index)
    return text[: ends[-1]] if ends else ""


def _template_arguments(function: str) -> Iterator[str]:
    """Yield the insides of the angle brackets in a function's name, those of its parameters and result left out."""
    name = function
    if name.endswith(("const", "volatile")):
        name = name.rpartition(" ")[0]
    if name.endswith(")"):
        depth = 0
        for index in range(len(name) - 1, -1, -1):
            depth += (name[index] in ")>") - (name[index] in "(<")
            if not depth:
                name = name[:index]
                break
    depth, start, last = 0, 0, 0
    for index, sign in enumerate(name):  # a result stands before the name, behind a space
        depth += (sign in "(<[{") - (sign in ")>]}")
        if not depth and sign == " ":
            start = index + 1
    depth = 0
    for index in range(start, len(name)):
        sign = name[index]
        depth += (sign in "(<[{") - (sign in ")>]}")
        if sign == "<" and depth == 1:
            last = index + 1
        elif sign == ">" and not depth:
            yield name[last:index]


def last_arguments(function: str) -> str:
    """Give the template arguments of a function as the demangler writes it; empty if it has none."""
    return ([*_template_arguments(function)] or [""])[-1].replace("(anonymous namespace)::", "")
