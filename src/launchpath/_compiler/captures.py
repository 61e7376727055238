"""What a lambda, or a local class, uses of the function around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from . import clang
from .active import Active
from .captured_type import CapturedType, Unknown, is_of_this
from .declaration import CLASSES, FUNCTIONS, TEMPLATE_PARAMETERS, is_local, qualified

# Clang's numbers, see `clang`: kinds of cursors, then of types; numbers, bool and characters are the first.
_TYPE_REFERENCE, _CAPTURED, _CALL = 43, 50, 103
_REFERENCES = (103, 104)
_LAST_NUMBER = 24
_CONSTANT = re.compile(r"^(?:(?:static|const|constexpr) )*")
_LOCAL_TYPES = (clang.STRUCT, clang.CLASS, clang.UNION, clang.ENUM)
_CLASSES = (clang.STRUCT, clang.CLASS, clang.UNION)
_OF_CLASSES = (clang.TYPEDEF, clang.ALIAS, clang.VARIABLE, clang.METHOD, clang.ENUMERATOR, *_LOCAL_TYPES)


class Captures:
    """The names that a lambda, or a local class, uses of the function around it.

    Attributes
    ----------
    members : dict of str to str
        Variables, with their types: they become members of the class.
    copied : dict of str to str
        Types and constants, with their declarations.
    qualified : dict of int to str
        What is put in front of names of a class around the function, by their offsets.
    depends : bool
        Whether it depends on the parameters of the function template around it.
    """

    def __init__(
        self,
        file: Active,
        start: int,
        end: int,
        is_class: bool = False,
        parameters: Sequence[str] = (),
        initializers: Sequence[tuple[int, int]] = (),
        lambdas: Mapping[tuple[str, int, int], Any] = MappingProxyType({}),
    ) -> None:
        """Prepare.

        Parameters
        ----------
        file : Active
        start, end : int
            The offsets of the lambda, or the class.
        is_class : bool
        parameters : sequence of str
            The names of the parameters of the function template around it.
        initializers : sequence of (int, int)
            The offsets of the initializers of captures, as in ``[p = view.data()]``.
        lambdas : mapping
            The lambdas whose classes are known, by their places.
        """
        self.members: dict[str, str] = {}
        self.copied: dict[str, str] = {}
        self.qualified: dict[int, str] = {}
        self._file = file
        self._start, self._end = start, end
        self._good = True
        self._is_class = is_class
        self._parameters = parameters
        self._named = {*filter(None, parameters)}
        self._initializers = initializers
        self._types = CapturedType(file, parameters, lambdas)
        self.depends = False

    def collect(self, cursor: Any) -> bool:
        """Go through the lambda; False if something in it cannot be taken out of its function."""
        clang.visit(cursor, self._visit)
        return self._good

    def types(self) -> list[str]:
        """The copied types that captured variables do not affect, with the constants they need: members of the class.

        Members and parameters may have these types.
        """
        wanted: set[str] = set()
        for name in reversed(self.copied):
            if name in self._fixed() and (name in wanted or is_type(self.copied[name])):
                wanted |= {name, *_words(self.copied[name])}
        return [as_member(text) for name, text in self.copied.items() if name in wanted]

    def locals(self) -> list[str]:
        """The other copied declarations: they stand in the body."""
        fixed = self._fixed()
        return [text for name, text in self.copied.items() if not (name in fixed and is_type(text))]

    def with_qualified(self, start: int, end: int, text_of: Callable[[int, int], str]) -> str:
        """The text between two offsets, with what is put in front of names in it."""
        text = ""
        for at, scope in sorted(self.qualified.items()):
            if start <= at < end:
                text += text_of(start, at) + scope
                start = at
        return text + text_of(start, end)

    def _fixed(self) -> set[str]:
        """The copied declarations that need no captured variable."""
        fixed: set[str] = set()
        for name, text in self.copied.items():  # each comes after those that it needs
            needed = _words(text) & {*self.members, *self.copied} - {name}
            if needed <= fixed:
                fixed.add(name)
        return fixed

    def _visit(self, cursor: Any, _parent: Any) -> bool:
        if self._initializers and self._initialized(cursor):
            return True
        # A member that is named without an object belongs to `this`.
        if is_of_this(cursor) and not self._is_class:
            self._good = False
        if cursor._kind_id in (clang.REFERENCE, _TYPE_REFERENCE) and (of := cursor.referenced) is not None:
            at = clang.place(of.location).offset
            parent = of.semantic_parent
            if self._start <= at < self._end or parent is None:
                pass
            elif is_local(of):
                self._outer(of)
            elif parent._kind_id in CLASSES or (parent._kind_id == clang.ENUM and _is_of_class(parent)):
                self._of_class(cursor, of)
        return True

    def _initialized(self, cursor: Any) -> bool:
        """Whether a cursor is of the initializer of a capture; that which is initialized becomes a member."""
        at = clang.place(cursor.location).offset
        if cursor._kind_id == _CAPTURED:
            of = cursor.referenced
            start = clang.place(of.location).offset
            if self._start <= start < self._initializers[-1][1]:
                self._member(of)
        return any(start <= at < end for start, end in self._initializers)

    def _of_class(self, cursor: Any, of: Any) -> None:
        """A name of a class around the function, if no class is written before it."""
        at = clang.place(cursor.location).offset
        index = self._file.index(at)
        if of._kind_id not in _OF_CLASSES or not self._file.is_at(index, of.spelling.encode()):
            return
        if self._file.is_at(index - 1, b":", b".", b">") or not self._start <= at < self._end:
            return
        owner = of.semantic_parent if of.semantic_parent._kind_id != clang.ENUM else of.semantic_parent.semantic_parent
        if owner._kind_id in _CLASSES:
            self.qualified[at] = f"{qualified(owner)}::"
        else:
            self._good = False  # its arguments are not known

    def _outer(self, of: Any) -> None:
        """A local declaration of the function around the lambda."""
        if of.spelling in self.members or of.spelling in self.copied:
            return
        if of._kind_id in (clang.VARIABLE, clang.PARAMETER):
            self._variable(of)
        elif of._kind_id in (clang.TYPEDEF, clang.ALIAS):
            self._copy(of)
        elif of._kind_id in TEMPLATE_PARAMETERS and of.spelling in self._parameters:
            self.depends = True
        elif of._kind_id in (clang.ENUM, clang.ENUMERATOR):
            self._copy(of if of._kind_id == clang.ENUM else of.semantic_parent)
        elif of._kind_id in _CLASSES:
            self._class(of)
        elif of._kind_id not in FUNCTIONS:
            self._good = False  # a parameter of another template

    def _class(self, of: Any) -> None:
        """A class of the function's own."""
        start, end = clang.place(of.extent.start).offset, clang.place(of.extent.end).offset
        inside = Captures(self._file, start, end, is_class=True, parameters=self._parameters)
        self._good = self._good and inside.collect(of) and not inside.members and not inside.qualified
        self.copied |= {name: text for name, text in inside.copied.items() if name not in self.copied}
        self.depends = self.depends or inside.depends
        self.copied[of.spelling] = self._file.on_one_line(start, end)

    def _variable(self, of: Any) -> None:
        start, end = clang.place(of.extent.start).offset, clang.place(of.extent.end).offset
        words = {token.text for token in self._file.tokens[self._file.index(start) : self._file.index(end)]}
        plain = of.type.get_canonical()
        if plain._kind_id in _REFERENCES:
            plain = plain.get_pointee()
        number = plain.is_const_qualified() and plain._kind_id <= _LAST_NUMBER
        if b"constexpr" in words or (number and b"=" in words and self._constant(of)):
            self._copy(of)
            return
        self._good = self._good and b"static" not in words
        self._member(of)

    def _member(self, of: Any) -> None:
        """A variable that becomes a member of the class."""
        try:
            spelled = self._types.of(of)
        except Unknown:
            self._good = False
            return
        for local in self._types.locals_of(of):
            self._outer(local)
        self.depends = self.depends or not self._named.isdisjoint(_words(spelled))
        self.members[of.spelling] = spelled

    def _constant(self, of: Any) -> bool:
        """Whether a variable's value is known without running anything, as far as the names in it tell."""
        known = True

        def visit(cursor: Any, _parent: Any) -> bool:
            nonlocal known
            if cursor._kind_id == clang.REFERENCE:
                is_enumerator = cursor.referenced._kind_id == clang.ENUMERATOR
                known = known and (is_enumerator or bool(cursor.type.is_const_qualified()))
            elif cursor._kind_id == _CALL or is_of_this(cursor):
                known = False
            return True

        clang.visit(of, visit)
        return known

    def _copy(self, of: Any) -> None:
        clang.visit(of, self._visit)  # first the names that it needs itself
        text = self._file.on_one_line(clang.place(of.extent.start).offset, clang.place(of.extent.end).offset)
        self.depends = self.depends or not self._named.isdisjoint(_words(text))
        self.copied[of.spelling] = text


def _is_of_class(of: Any) -> bool:
    parent = of.semantic_parent
    return parent is not None and parent._kind_id in CLASSES


def is_type(text: str) -> bool:
    """Whether a declaration is that of a type."""
    return text.startswith(("typedef ", "using ", "enum ", "enum{", "struct ", "class ", "union "))


def as_member(text: str) -> str:
    """A declaration of a function as that of a class."""
    return f"{text};" if is_type(text) else f"static constexpr {_CONSTANT.sub('', text)};"


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))
