"""What a lambda, or a local class, uses of the function around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from . import clang
from .active import Active
from .declaration import TEMPLATE_PARAMETERS
from .text import Joined

# Clang's numbers, see `clang`: kinds of cursors, then of types; numbers, bool and characters are the first.
FUNCTIONS = frozenset({
    clang.FUNCTION, clang.METHOD, clang.CONSTRUCTOR, clang.DESTRUCTOR, clang.CONVERSION, clang.FUNCTION_TEMPLATE,
})  # fmt: skip
_REFERENCE, _MEMBER, _TYPE_REFERENCE, _CALL, _THIS = 101, 102, 43, 103, 132
_REFERENCES = (103, 104)
_LAST_NUMBER = 24
_OF_TEMPLATE = re.compile(r"type-parameter-0-(\d+)\b")
_UNKNOWN = re.compile(r"type-parameter-|<dependent|\bauto\b|decltype\(|\(lambda at|\(unnamed|\(anonymous")


class Captures:
    """The names that a lambda, or a local class, uses of the function around it.

    Attributes
    ----------
    members : dict of str to str
        Variables, with their types: they become members of the class.
    copied : dict of str to str
        Types and constants, with their declarations.
    depends : bool
        Whether it depends on the parameters of the function template around it.
    """

    def __init__(
        self, file: Active, start: int, end: int, is_class: bool = False, parameters: Sequence[str] = ()
    ) -> None:
        """Prepare; `parameters` has the names of those of the function template around it."""
        self.members: dict[str, str] = {}
        self.copied: dict[str, str] = {}
        self._file = file
        self._start, self._end = start, end
        self._good = True
        self._is_class = is_class
        self._parameters = parameters
        self._named = {*filter(None, parameters)}
        self.depends = False

    def collect(self, cursor: Any) -> bool:
        """Go through the lambda; False if something in it cannot be taken out of its function."""
        clang.visit(cursor, self._visit)
        return self._good

    def _visit(self, cursor: Any, _parent: Any) -> bool:
        # A member that is named without an object belongs to `this`.
        if self._is_class:
            pass
        elif cursor._kind_id == _THIS or (cursor._kind_id == _MEMBER and clang.visit_first(cursor) is None):
            self._good = False
        if cursor._kind_id in (_REFERENCE, _TYPE_REFERENCE) and (of := cursor.referenced) is not None:
            at = clang.place(of.location).offset
            parent = of.semantic_parent
            if not self._start <= at < self._end and parent is not None and parent._kind_id in FUNCTIONS:
                self._outer(of)
        return True

    def _outer(self, of: Any) -> None:
        """A local declaration of the function around the lambda."""
        if of.spelling in self.members or of.spelling in self.copied:
            return
        if of._kind_id in (clang.VARIABLE, clang.PARAMETER):
            start, end = clang.place(of.extent.start).offset, clang.place(of.extent.end).offset
            words = {token.text for token in self._file.tokens[self._file.index(start) : self._file.index(end)]}
            plain = of.type.get_canonical()
            if plain._kind_id in _REFERENCES:
                plain = plain.get_pointee()
            number = plain.is_const_qualified() and plain._kind_id <= _LAST_NUMBER
            if b"constexpr" in words or (number and b"=" in words and self._constant(of)):
                self._copy(of, start, end)
                return
            spelled = _OF_TEMPLATE.sub(self._parameter, plain.spelling)
            self.depends = self.depends or not self._named.isdisjoint(re.findall(r"\w+", spelled))
            if _UNKNOWN.search(spelled) or b"static" in words:
                self._good = False
            if plain.is_const_qualified():
                spelled = re.sub(r"^const ", "", spelled)
            self.members[of.spelling] = spelled
        elif of._kind_id in (clang.TYPEDEF, clang.ALIAS):
            self._copy(of, clang.place(of.extent.start).offset, clang.place(of.extent.end).offset)
        elif of._kind_id in TEMPLATE_PARAMETERS and of.spelling in self._parameters:
            self.depends = True
        elif of._kind_id not in FUNCTIONS:
            self._good = False  # a class of the function's own, or a parameter of another template

    def _parameter(self, match: re.Match[str]) -> str:
        """The name of a template parameter, for Clang's words for its type."""
        number = int(match[1])
        if number >= len(self._parameters) or not self._parameters[number]:
            return match[0]
        return self._parameters[number]

    def _constant(self, of: Any) -> bool:
        """Whether a variable's value is known without running anything, as far as the names in it tell."""
        known = True

        def visit(cursor: Any, _parent: Any) -> bool:
            nonlocal known
            if cursor._kind_id == _REFERENCE:
                known = known and bool(cursor.type.is_const_qualified())
            elif cursor._kind_id == _CALL:
                known = False
            return True

        clang.visit(of, visit)
        return known

    def _copy(self, of: Any, start: int, end: int) -> None:
        clang.visit(of, self._visit)  # first the names that it needs itself
        text = on_one_line(self._file, start, end)
        self.depends = self.depends or not self._named.isdisjoint(re.findall(r"\w+", text))
        self.copied[of.spelling] = text


def on_one_line(file: Active, start: int, end: int) -> str:
    """The text between two offsets, without line ends."""
    return Joined(file.text[start:end]).text.decode(errors="replace").replace("\n", " ")
