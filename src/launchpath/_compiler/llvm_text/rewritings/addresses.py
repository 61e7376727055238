"""Addresses in the initial values of global variables, in LLVM's text: where they lie, and what they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...source.text import separated
from ..types import Types, UnknownTypeError, bracket_end, type_end

NAME = r'@(?:[\w.$-]+|"[^"]+")'
_NAMED = re.compile(NAME)
_NUMBER = re.compile(r"-?\d+")
_EXPRESSION = re.compile(r"(?P<of>[a-z]+)(?P<flags>(?: [a-z]+(?:\([^()]*\))?)*) ?(?=\()")
_CASTS = frozenset({"addrspacecast", "bitcast", "inttoptr", "ptrtoint"})
_STRING = re.compile(r'c"[^"]*"')
_PLAIN = re.compile(r"[^\s,()\[\]{}<>]+")


@dataclass(frozen=True)
class Address:
    """An address in an initial value."""

    type: str  # a pointer, or an integer of 64 bits
    variable: str  # its name, with the ``@``
    addend: int  # how many bytes behind the variable's begin
    offset: int  # where it is in the value, in bytes
    start: int  # where it is in the text
    end: int  # where it is in the text


def addresses(types: Types, text: str, type_: str, start: int) -> tuple[list[Address], int]:
    """Find the addresses in the value of a type that begins at `start`; say where it ends.

    Raises
    ------
    UnknownTypeError
        The value has expressions or types that are not known here.
    """
    return _Reader(types, text).value(type_, start, 0)


class _Reader:
    def __init__(self, types: Types, text: str) -> None:
        self.types = types
        self.text = text

    def value(self, type_: str, start: int, offset: int) -> tuple[list[Address], int]:
        text = self.text
        if text[start] in "[{<":
            return self._aggregate(type_, start, offset)
        if match := _STRING.match(text, start):
            return [], match.end()
        end = self._scalar_end(start)
        if "@" not in text[start:end]:
            return [], end
        variable, addend = self.evaluate(text[start:end])
        if not variable or (not type_.startswith("ptr") and type_ != "i64"):
            raise UnknownTypeError(text[start:end])
        return [Address(type_, variable, addend, offset, start, end)], end

    def _aggregate(self, type_: str, start: int, offset: int) -> tuple[list[Address], int]:
        text = self.text
        end = bracket_end(text, start)
        if "@" not in text[start:end]:
            return [], end
        values = []
        place = start + (2 if text.startswith("<{", start) else 1)
        while text[place] in " ,":
            place += 1
        while text[place] not in "]}>":
            after = type_end(text, place)
            values.append((text[place:after], after + 1))
            place = self._value_end(after + 1)
            while text[place] in " ,":
                place += 1
        value_addresses = []
        for (value_type, where), (_, inside) in zip(values, self.types.parts(type_, len(values)), strict=True):
            value_addresses += self.value(value_type, where, offset + inside)[0]
        return value_addresses, end

    def _value_end(self, start: int) -> int:
        if self.text[start] in "[{<":
            return bracket_end(self.text, start)
        match = _STRING.match(self.text, start)
        return match.end() if match else self._scalar_end(start)

    def _scalar_end(self, start: int) -> int:
        if match := _EXPRESSION.match(self.text, start):
            return bracket_end(self.text, match.end())
        match = _NAMED.match(self.text, start) or _PLAIN.match(self.text, start)
        if match is None:
            raise UnknownTypeError(self.text[start : start + 40])
        return match.end()

    def evaluate(self, expression: str) -> tuple[str, int]:
        """Work out a constant expression: a variable, or none, and what is added to its address."""
        if _NAMED.fullmatch(expression):
            return expression, 0
        if _NUMBER.fullmatch(expression):
            return "", int(expression)
        if expression in ("null", "zeroinitializer"):
            return "", 0
        match = _EXPRESSION.match(expression)
        if match is None:
            raise UnknownTypeError(expression)
        parts = separated(expression[match.end() + 1 : -1])
        if match["of"] in _CASTS:
            return self.evaluate(_operand(parts[0].rpartition(" to ")[0]))
        if match["of"] == "getelementptr":
            variable, addend = self.evaluate(_operand(parts[1]))
            steps = [self.evaluate(_operand(part)) for part in parts[2:]]
            if any(step[0] for step in steps):
                raise UnknownTypeError(expression)
            return variable, addend + self.types.step(parts[0], [step[1] for step in steps])
        if match["of"] in ("add", "sub"):
            (first, addend), (second, other) = (self.evaluate(_operand(part)) for part in parts)
            if not second:
                return first, addend + other if match["of"] == "add" else addend - other
            if not first and match["of"] == "add":
                return second, addend + other
        raise UnknownTypeError(expression)


def _operand(text: str) -> str:
    """An operand without its type."""
    return text[type_end(text, 0) :].strip()


@dataclass(frozen=True)
class Variable:
    """A global variable: its line up to its type, its type, and its line from its initial value on."""

    name: str
    head: str
    type: str
    rest: str
    space: int


_VARIABLE = re.compile(rf"^(?P<head>(?P<name>{NAME}) = .*?\b(?:global|constant) )", re.MULTILINE)
_SPACE = re.compile(r"\baddrspace\((\d+)\)")


def variables(text: str) -> Iterator[Variable]:
    """Read a module's global variables; those of LLVM's own are left out."""
    for match in _VARIABLE.finditer(text):
        if match["name"].startswith("@llvm."):
            continue
        end_of_line = text.find("\n", match.end())
        rest = text[match.end() : end_of_line if end_of_line >= 0 else len(text)]
        try:
            end = type_end(rest, 0)
        except UnknownTypeError:
            continue
        space = _SPACE.search(match["head"])
        yield Variable(match["name"], match["head"], rest[:end], rest[end + 1 :], int(space[1]) if space else 0)
