"""Types in LLVM's text: where they end, and how they lie in memory."""

from __future__ import annotations

import re

from ..source.text import separated

_NAMED = r'%(?:[\w.$:-]+|"[^"]+")'
_SIMPLE = re.compile(rf"ptr(?: addrspace\(\d+\))?|i\d+|half|bfloat|float|double|{_NAMED}")
_STRUCT = re.compile(rf"^({_NAMED}) = type (.*)$", re.MULTILINE)
_REPEATED = re.compile(r"[\[<](\d+) x (.*)[\]>]", re.DOTALL)
_FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8}
_CLOSING = {"[": "]", "{": "}", "<": ">", "(": ")"}
_BRACKETS = re.compile(r'"[^"]*"|[\[{<(\]}>)]')


class UnknownTypeError(ValueError):
    """A type or a constant that these modules do not know."""


def bracket_end(text: str, start: int) -> int:
    """The offset behind the bracket that begins at `start`; brackets in strings do not count."""
    depth = 0
    for match in _BRACKETS.finditer(text, start):
        depth += (match[0] in _CLOSING) - (match[0] in _CLOSING.values())
        if not depth:
            return match.end()
    raise UnknownTypeError(text[start:])


def type_end(text: str, start: int) -> int:
    """The offset behind the type that begins at `start`."""
    if text[start : start + 1] in ("[", "{", "<"):
        return bracket_end(text, start)
    match = _SIMPLE.match(text, start)
    if match is None:
        raise UnknownTypeError(text[start : start + 40])
    return match.end()


class Types:
    """The layouts of a module's types, for 64-bit devices.

    Parameters
    ----------
    text : str
        The module.
    """

    def __init__(self, text: str) -> None:
        self._structs = {match[1]: match[2] for match in _STRUCT.finditer(text)}
        self._layouts: dict[str, tuple[int, int]] = {}

    def size(self, type_: str) -> int:
        return self.layout(type_)[0]

    def layout(self, type_: str) -> tuple[int, int]:
        """Size and alignment."""
        layout = self._layouts.get(type_)
        if layout is None:
            layout = self._layouts[type_] = self._lay_out(type_)
        return layout

    def parts(self, type_: str, count: int) -> list[tuple[str, int]]:
        """The types of the elements of an array or struct, and where each begins."""
        type_ = self._structs.get(type_, type_)
        if repeated := _REPEATED.fullmatch(type_):
            size = self.size(repeated[2])
            return [(repeated[2], number * size) for number in range(count)]
        return self._fields(type_)[0]

    def _fields(self, type_: str) -> tuple[list[tuple[str, int]], int, int]:
        packed = type_.startswith("<{")
        if not packed and not type_.startswith("{"):
            raise UnknownTypeError(type_)
        end, strictest = 0, 1
        fields = []
        for part in separated(type_[2:-2] if packed else type_[1:-1]):
            size, alignment = self.layout(part)
            alignment = 1 if packed else alignment
            end = -(-end // alignment) * alignment
            fields.append((part, end))
            end += size
            strictest = max(strictest, alignment)
        return fields, -(-end // strictest) * strictest, strictest

    def _lay_out(self, type_: str) -> tuple[int, int]:
        type_ = self._structs.get(type_, type_)
        if type_.startswith("ptr"):
            return 8, 8
        if type_ in _FLOATS:
            return _FLOATS[type_], _FLOATS[type_]
        if re.fullmatch(r"i\d+", type_):
            size = 1 << max(0, (int(type_[1:]) - 1).bit_length() - 3)
            return size, min(size, 8)
        if repeated := _REPEATED.fullmatch(type_):
            size, alignment = self.layout(repeated[2])
            size *= int(repeated[1])
            if type_.startswith("<"):  # LLVM's vectors are aligned to their size
                alignment = size = 1 << max(0, size - 1).bit_length()
            return size, alignment
        _, size, alignment = self._fields(type_)
        return size, alignment

    def step(self, type_: str, indexes: list[int]) -> int:
        """How many bytes the indexes of a `getelementptr` go on."""
        offset = indexes[0] * self.size(type_)
        for index in indexes[1:]:
            type_ = self._structs.get(type_, type_)
            if repeated := _REPEATED.fullmatch(type_):
                type_ = repeated[2]
                offset += index * self.size(type_)
            else:
                type_, start = self._fields(type_)[0][index]
                offset += start
        return offset
