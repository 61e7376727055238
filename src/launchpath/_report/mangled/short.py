"""Short names of kernels, for tables. docs/tracing.md has the rule."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping

from launchpath._report.mangled.nodes import Node, NotReadableError, Writer
from launchpath._report.mangled.text import parsed

_ARGUMENTS = 60  # characters of a template's arguments
_MOST = 120  # characters of a name
_INTEGER = re.compile(r"(-?\d+)(u|l|ul|ll|ull)")
# Namespaces that tell versions, and those without a name.
_VERSION = re.compile(r"\(anonymous namespace\)|CUB_\w+|THRUST_\w+|__\d+|_V\d+|v\d+(_\d+)*")


def short_name(symbol: str) -> str:
    """Give a kernel's short name: what tells it from others, mostly.

    Parameters
    ----------
    symbol : str
        Its name in the binary. One that is not mangled stays as it is, if it is not too long.
    """
    node = parsed(symbol)
    try:
        text = symbol if node is None else _Short().kernel(node)
    except (NotReadableError, RecursionError):
        text = symbol
    return text if len(text) <= _MOST else f"{text[: _MOST - 30]}...{text[-27:]}"


def distinct(short: Mapping[str, str]) -> dict[str, str]:
    """Let no two kernels have the same short name: those that would have it get a number of their own behind it.

    Parameters
    ----------
    short : mapping
        For each kernel, by its whole name, the short one.

    Returns
    -------
    dict
        The same. A kernel's number is that of its whole name, whatever other kernels there are.
    """
    for digits in (4, 8):
        names = {
            name: text if count == 1 else f"{text} #{_number(name, digits)}" for name, text, count in _counted(short)
        }
        if len(set(names.values())) == len(names):
            return names
    again = {text for text, count in Counter(names.values()).items() if count > 1}
    return {name: name if text in again else text for name, text in names.items()}


def _counted(short: Mapping[str, str]) -> Iterable[tuple[str, str, int]]:
    counts = Counter(short.values())
    return ((name, text, counts[text]) for name, text in short.items())


def _number(name: str, digits: int) -> str:
    return f"{zlib.crc32(name.encode('utf-8', 'backslashreplace')):08x}"[:digits]


class _Short(Writer):
    """Writes names without what is around them: scopes, parameters, results, lambdas."""

    def kernel(self, node: Node) -> str:
        """Write a kernel's name: with the scope that it is in, if that has a name."""
        name = node.parts[0] if node.kind == "function" else node
        inner = name.parts[0] if name.kind == "template" else name
        scope = inner.parts[0] if inner.kind == "nested" and not _closure(inner) else None
        while scope is not None and _VERSION.fullmatch(_last(scope)):
            scope = scope.parts[0] if scope.kind == "nested" else None
        text = self.text(name)
        return text if scope is None else f"{self.text(scope)}::{text}"

    def _template(self, node: Node) -> tuple[str, str]:
        return self._both(node.parts[0]) if _closure(node.parts[0]) else super()._template(node)

    def _nested(self, node: Node) -> tuple[str, str]:
        return self._both(node.parts[0] if _closure(node) else node.parts[1])

    def _function(self, node: Node) -> tuple[str, str]:
        return self._both(node.parts[0])

    def _lambda(self, node: Node) -> tuple[str, str]:
        return "lambda", ""

    def _name(self, node: Node) -> tuple[str, str]:
        number = _INTEGER.fullmatch(node.text)
        return number[1] if number else node.text, ""

    def _literal(self, node: Node) -> tuple[str, str]:
        return node.text, ""

    def _wrapped(self, node: Node) -> tuple[str, str]:
        return self._both(node.parts[0]) if node.text.startswith("\0[abi:") else super()._wrapped(node)

    def _operand(self, node: Node) -> str:
        return self.text(node)

    def arguments(self, nodes: Iterable[Node]) -> str:
        """Write as many template arguments as there is room for. A part of one uses it if half of it were left."""
        texts = [text for node in nodes if (text := self.text(node))]
        inside = ", ".join(texts)
        if len(inside) > _ARGUMENTS:
            fit = [text for place, text in enumerate(texts) if len(", ".join(texts[: place + 1])) <= _ARGUMENTS]
            whole = ", ".join([*fit, "..."])
            inside = whole if len(whole) > _ARGUMENTS // 2 else f"{inside[:_ARGUMENTS]}..."
        return f"<{inside}>"


def _closure(node: Node) -> bool:
    """Whether a name is that of a lambda, or of an operator of calls: then what it is in has a better one."""
    if node.kind != "nested":
        return False
    name = node.parts[1]
    if name.kind == "nested" and name.parts[1].text == "operator()":
        name = name.parts[0]
    return name.kind == "lambda" or name.text == "operator()"


def _last(node: Node) -> str:
    while node.kind in ("nested", "template", "function"):
        node = node.parts[1] if node.kind == "nested" else node.parts[0]
    return node.text
