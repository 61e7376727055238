"""The parts of a name, and how C++ writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TEXT_MOST = 1 << 16  # characters of a name
_PARTS_MOST = 50_000  # parts that are written, for each name: parts may stand for others many times over


class NotReadableError(Exception):
    """A name that is not mangled, is too large, or has what is not known here."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part. What the fields mean is with each kind in `Writer`."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()


# The arguments of the template whose parameters are written, and the scope outside of it. No arguments: those of a
# lambda, which are not known.
_Scope = tuple["tuple[Node, ...] | None", "_Scope"] | None


class Writer:
    """Writes parts. A type is written around what it is the type of: to the left and to the right of it."""

    def __init__(self) -> None:
        self._left_over = _PARTS_MOST
        self._pack: int | None = None  # which element of packs is written; None: all
        self._scope: _Scope = None

    def text(self, node: Node) -> str:
        """Write a part."""
        left, right = self._both(node)
        return _limited(left + right)

    def joined(self, nodes: Sequence[Node]) -> str:
        """Write parts between commas. Packs without elements take no place."""
        return _limited(", ".join(filter(None, map(self.text, nodes))))

    def _both(self, node: Node) -> tuple[str, str]:
        self._left_over -= 1
        if self._left_over < 0:
            raise NotReadableError("too many parts")
        left, right = getattr(self, f"_{node.kind}")(node)
        return _limited(left), _limited(right)

    # Names.

    def _name(self, node: Node) -> tuple[str, str]:
        return node.text, ""

    def _nested(self, node: Node) -> tuple[str, str]:
        scope, name = node.parts
        return f"{self.text(scope)}::{self.text(name)}", ""

    def _template(self, node: Node) -> tuple[str, str]:
        name, arguments = self.text(node.parts[0]), self.arguments(node.parts[1:])
        return name + " " * name.endswith("<") + arguments, ""

    def arguments(self, nodes: Sequence[Node]) -> str:
        """Write template arguments."""
        texts = [*map(self.text, nodes)]
        inside = _limited(", ".join(filter(None, texts)))
        return f"<{inside}{' ' * bool(texts and texts[-1].endswith('>'))}>"

    def _function(self, node: Node) -> tuple[str, str]:
        """Write an encoding: its name, what it returns (or no part), and its parameters; the text is behind them."""
        name, returns, *parameters = node.parts
        written, outer = self.text(name), self._scope
        if arguments := _arguments(name):
            self._scope = arguments, outer
        left, right = self._both(returns) if returns.kind != "none" else ("", "")
        between = " " * bool(left and not left.endswith(("(*", "(&")))
        text = f"{left}{between}{written}({self._listed(parameters)}){node.text}{right}"
        self._scope = outer
        return text, ""

    def _parameter(self, node: Node) -> tuple[str, str]:
        """Write what stands for a template's parameter: the text is its number."""
        argument, outer = self._argument(node), self._scope
        self._scope = outer[1] if outer else None
        both = self._both(argument)
        self._scope = outer
        return both

    def _argument(self, node: Node) -> Node:
        number = int(node.text)
        arguments = self._scope[0] if self._scope else ()
        if arguments is None:
            return Node("name", f"auto:{number + 1}")
        if number >= len(arguments):
            raise NotReadableError(f"parameter {number} is not known")
        return arguments[number]

    def _lambda(self, node: Node) -> tuple[str, str]:
        outer = self._scope
        self._scope = None, outer
        text = f"{{lambda({self._listed(node.parts)})#{node.text}}}"
        self._scope = outer
        return text, ""

    def _conversion(self, node: Node) -> tuple[str, str]:
        return f"operator {self.text(node.parts[0])}", ""

    def _literal(self, node: Node) -> tuple[str, str]:
        """Write a literal: of a type that it begins with, if there is a part."""
        return (f"({self.text(node.parts[0])}){node.text}" if node.parts else node.text), ""

    # Types.

    def _pointer(self, node: Node) -> tuple[str, str]:
        """Write a pointer or a reference: the text is its sign."""
        sign, to = node.text, node.parts[0]
        target = self._resolved(to)
        while "&" in sign and target.kind == "pointer" and "&" in target.text:
            sign, to = ("&" if "&" in (sign, target.text) else "&&"), target.parts[0]
            target = self._resolved(to)
        left, right = self._both(to)
        if self._behind(target):
            if not left.endswith(("*", "&", "(")):
                left += "" if left.endswith(" ") else " "
            return (f"{left}({sign}", f"){right}") if not left.endswith("(") else (left + sign, right)
        return left + sign, right

    def _qualified(self, node: Node) -> tuple[str, str]:
        left, right = self._both(node.parts[0])
        inner = self._resolved(node.parts[0])
        before = inner.text.split() if inner.kind == "qualified" else []
        return left + "".join(f" {word}" for word in node.text.split() if word not in before), right

    def _array(self, node: Node) -> tuple[str, str]:
        of, *size = node.parts
        left, right = self._both(of)
        return left, f" [{node.text or ''.join(map(self.text, size))}]{right.removeprefix(' ')}"

    def _signature(self, node: Node) -> tuple[str, str]:
        """Write a function's type: what it returns and its parameters; the text is behind them."""
        returns, *parameters = node.parts
        left, right = self._both(returns)
        return left + " ", f"({self._listed(parameters)}){node.text}{right}"

    def _member(self, node: Node) -> tuple[str, str]:
        """Write a pointer to a member: its class, and its type."""
        of, type_ = node.parts
        left, right = self._both(type_)
        scope = self.text(of)
        if self._behind(self._resolved(type_)):
            return f"{left}({scope}::*", f"){right}"
        return f"{left} {scope}::*", right

    def _behind(self, node: Node) -> bool:
        """Whether something of a type is written behind what it is the type of."""
        return node.kind in ("signature", "array")

    def _listed(self, parameters: Sequence[Node]) -> str:
        if len(parameters) == 1 and parameters[0].kind == "name" and parameters[0].text == "void":
            return ""
        return self.joined(parameters)

    # Packs.

    def _package(self, node: Node) -> tuple[str, str]:
        if self._pack is None:
            return self.joined(node.parts), ""
        if self._pack >= len(node.parts):
            return "", ""
        place, self._pack = self._pack, None  # packs in the element are its own
        both = self._both(node.parts[place])
        self._pack = place
        return both

    def _expansion(self, node: Node) -> tuple[str, str]:
        size = self._length(node.parts[0])
        if size is None:
            return self.text(node.parts[0]) + "...", ""
        before, texts = self._pack, []
        for self._pack in range(size):
            texts.append(self.text(node.parts[0]))
        self._pack = before
        return ", ".join(filter(None, texts)), ""

    def _length(self, node: Node) -> int | None:
        """How many elements a pattern has: those of the first pack in it."""
        self._left_over -= 1
        if self._left_over < 0:
            raise NotReadableError("too many parts")
        if node.kind == "parameter":
            node = self._argument(node)
            return len(node.parts) if node.kind == "package" else None
        if node.kind == "package":
            return len(node.parts)
        if node.kind == "expansion":
            return None
        return next((size for part in node.parts if (size := self._length(part)) is not None), None)

    def _resolved(self, node: Node) -> Node:
        """The element of a pack that is written now, or the part itself."""
        if node.kind == "parameter":
            return self._resolved(self._argument(node))
        if node.kind == "package" and self._pack is not None and self._pack < len(node.parts):
            return self._resolved(node.parts[self._pack])
        if node.kind == "package" and len(node.parts) == 1:
            return self._resolved(node.parts[0])
        return node

    # Expressions.

    def _count(self, node: Node) -> tuple[str, str]:
        size = self._length(node.parts[0])
        if size is None:
            raise NotReadableError("expected a pack to count")
        return str(size), ""

    def _unary(self, node: Node) -> tuple[str, str]:
        return f"{node.text}{self._operand(node.parts[0])}", ""

    def _binary(self, node: Node) -> tuple[str, str]:
        first, second = (self._operand(part) for part in node.parts)
        text = f"{first}{node.text}{second}"
        return (f"({text})" if node.text == ">" else text), ""

    def _ternary(self, node: Node) -> tuple[str, str]:
        first, second, third = map(self._operand, node.parts)
        return f"{first}?{second} : {third}", ""

    def _call(self, node: Node) -> tuple[str, str]:
        return f"{self._operand(node.parts[0])}({self.joined(node.parts[1:])})", ""

    def _cast(self, node: Node) -> tuple[str, str]:
        return f"({self.text(node.parts[0])})({self.joined(node.parts[1:])})", ""

    def _values(self, node: Node) -> tuple[str, str]:
        return f"{self.text(node.parts[0])}{{{self.joined(node.parts[1:])}}}", ""

    def _wrapped(self, node: Node) -> tuple[str, str]:
        """Write a part with text before it and behind it: the text has both, with a blank character between."""
        before, behind = node.text.split("\0")
        return f"{before}{self.joined(node.parts)}{behind}", ""

    def _operand(self, node: Node) -> str:
        text = self.text(node)
        return text if node.kind in ("name", "nested", "values") else f"({text})"


def _arguments(name: Node) -> tuple[Node, ...]:
    """The template arguments at the end of a name."""
    while name.kind == "nested":
        name = name.parts[1]
    return name.parts[1:] if name.kind == "template" else ()


def _limited(text: str) -> str:
    if len(text) > TEXT_MOST:
        raise NotReadableError("too long")
    return text
