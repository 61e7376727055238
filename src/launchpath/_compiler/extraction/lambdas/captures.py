"""What a lambda, or a local class, uses of the function around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...source.active import Active
from .. import clang
from ..pieces.declaration import CLASSES, FUNCTIONS, TEMPLATE_PARAMETERS, is_hidden, is_local, qualified
from .captured_type import CapturedType, Unknown, is_of_this

# Clang's numbers, see `clang`: kinds of cursors, then of types; numbers, bool and characters are the first.
_OVERLOADS, _CAPTURED, _CALL = 49, 50, 103
_REFERENCES = (103, 104)
_LAST_NUMBER = 24
_RUN = (clang.MEMBER_REFERENCE, _CALL, 113)  # the last is an element of an array
_CONSTANT = re.compile(r"^(?:(?:static|const|constexpr) )*")
_LOCAL_TYPES = (clang.STRUCT, clang.CLASS, clang.UNION, clang.ENUM)
_CLASSES = (clang.STRUCT, clang.CLASS, clang.UNION)
_OF_CLASSES = (clang.TYPEDEF, clang.ALIAS, clang.VARIABLE, clang.METHOD, clang.ENUMERATOR, *_LOCAL_TYPES)


class Captures:
    """The names that a lambda, or a local class, uses of the function around it."""

    def __init__(
        self,
        file: Active,
        start: int,
        end: int,
        is_class: bool = False,
        parameters: Sequence[str] = (),
        initializers: Sequence[tuple[int, int]] = (),
        lambdas: Mapping[tuple[str, int, int], Any] = MappingProxyType({}),
        seen: set[tuple[str, int]] | None = None,
        is_member: bool = False,
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
        seen : set, optional
            The places of the declarations that the lambda around the class needs.
        is_member : bool
            Whether the function is a template that is a member of a class.
        """
        self.members: dict[str, str] = {}  # variables, with their types: they become members of the class
        self.copied: dict[str, str] = {}  # types and constants, with their declarations
        # what is put in front of names of a class around the function, by their offsets
        self.qualified: dict[int, str] = {}
        self._file = file
        self._start, self._end = start, end
        self._good = True
        self._is_class = is_class
        self._parameters = parameters
        self._named = {*filter(None, parameters)}
        self._initializers = initializers
        self._is_member = is_member
        self._seen: set[tuple[str, int]] = set() if seen is None else seen
        self._declared: dict[str, tuple[str, int]] = {}  # where the names are declared
        self._statements: dict[int, str] = {}  # the copied names, by where their declarations begin
        self._types = CapturedType(file, parameters, lambdas, is_member)
        self.depends = False  # whether it depends on the parameters of the function template around it

    def collect(self, cursor: Any) -> bool:
        """Go through the lambda; False if something in it cannot be taken out of its function."""
        clang.visit(cursor, self._visit)
        return self._good

    def types(self) -> list[str]:
        """The copied types that need no captured variables, with the constants they need: members of the class.

        Members and parameters may have these types.
        """
        needed: set[str] = set()
        for name in reversed(self.copied):
            if name in self._fixed() and (name in needed or is_type(self.copied[name])):
                needed |= {name, *_words(self.copied[name])}
        return [as_member(text) for name, text in self.copied.items() if name in needed]

    def locals(self) -> list[str]:
        """The other copied declarations: they stand in the body."""
        fixed = self._fixed()
        return [text for name, text in self.copied.items() if not (name in fixed and is_type(text))]

    def with_qualified(self, start: int, end: int, text_of: Callable[[int, int], str]) -> str:
        """The text between two offsets, with what is put in front of names in it."""
        text = ""
        for offset, scope in sorted(self.qualified.items()):
            if start <= offset < end:
                text += text_of(start, offset) + scope
                start = offset
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
        if cursor._kind_id == _OVERLOADS and self._is_member:
            index = self._file.index(clang.place(cursor.location).offset)
            self._good = self._good and self._is_qualified(index)  # it may be one of the class's
        if cursor._kind_id in (clang.REFERENCE, clang.TYPE_REFERENCE) and (entity := cursor.referenced) is not None:
            offset = clang.place(entity.location).offset
            parent = entity.semantic_parent
            if self._start <= offset < self._end or parent is None:
                pass
            elif is_local(entity):
                self._outer(entity)
            elif parent._kind_id in CLASSES or (parent._kind_id == clang.ENUM and _is_of_class(parent)):
                self._of_class(cursor, entity)
        return True

    def _initialized(self, cursor: Any) -> bool:
        """Whether a cursor is of the initializer of a capture; that which is initialized becomes a member."""
        offset = clang.place(cursor.location).offset
        if cursor._kind_id == _CAPTURED:
            entity = cursor.referenced
            start = clang.place(entity.location).offset
            if self._start <= start < self._initializers[-1][1]:
                self._member(entity)
        return any(start <= offset < end for start, end in self._initializers)

    def _of_class(self, cursor: Any, member: Any) -> None:
        """A name of a class around the function, if no class is written before it."""
        offset = clang.place(cursor.location).offset
        index = self._file.index(offset)
        if member._kind_id not in _OF_CLASSES or member.spelling.startswith("operator") or self._is_qualified(index):
            return
        owner = (
            member.semantic_parent if member._kind_id != clang.ENUMERATOR else member.semantic_parent.semantic_parent
        )
        is_written = self._file.is_at(index, member.spelling.encode()) and self._start <= offset < self._end
        if is_written and owner._kind_id in _CLASSES and not is_hidden(member):
            self.qualified[offset] = f"{qualified(owner)}::"
        else:
            self._good = False  # a macro's, of a copied declaration, of a class with arguments, or private

    def _is_qualified(self, index: int) -> bool:
        """Whether ``::``, ``.`` or ``->`` stands before a token."""
        file = self._file
        return file.is_at(index - 1, b".") or any(
            file.is_at(index - 2, pair[:1]) and file.is_at(index - 1, pair[1:]) for pair in (b"::", b"->")
        )

    def _outer(self, entity: Any) -> None:
        """A local declaration of the function around the lambda."""
        entity = entity.semantic_parent if entity._kind_id == clang.ENUMERATOR else entity
        if not self._is_new(entity):
            return
        if entity._kind_id in (clang.VARIABLE, clang.PARAMETER):
            self._variable(entity)
        elif entity._kind_id in (clang.TYPEDEF, clang.ALIAS):
            self._copy(entity)
        elif entity._kind_id in TEMPLATE_PARAMETERS and entity.spelling in self._parameters:
            self.depends = True
        elif entity._kind_id == clang.ENUM:
            self._copy(entity)
        elif entity._kind_id in _CLASSES:
            self._class(entity)
        elif entity._kind_id not in FUNCTIONS:
            self._good = False  # a parameter of another template

    def _is_new(self, entity: Any) -> bool:
        """Whether a declaration is needed for the first time; a name must not stand for two."""
        location = clang.place(entity.location)
        place = (location.path, location.offset)
        first = self._declared.setdefault(entity.spelling, place)
        self._good = self._good and first == place
        if first == place and place in self._seen:
            # A class that needs itself, or one that needs it, cannot stand before that.
            self._good = self._good and not (entity._kind_id in _CLASSES and entity.spelling not in self.copied)
            return False
        self._seen.add(place)
        return first == place

    def _class(self, entity: Any) -> None:
        """A class of the function's own."""
        start, end = clang.place(entity.extent.start).offset, clang.place(entity.extent.end).offset
        inside = Captures(self._file, start, end, is_class=True, parameters=self._parameters, seen=self._seen)
        inside.copied, inside._declared = self.copied, self._declared
        self._good = self._good and inside.collect(entity) and not inside.members and not inside.qualified
        self.depends = self.depends or inside.depends
        self.copied[entity.spelling] = self._file.on_one_line(start, end)

    def _variable(self, variable: Any) -> None:
        if self._is_constant(variable):
            self._copy(variable)
            return
        words = self._specifiers(variable)
        self._good = self._good and b"static" not in words
        self._member(variable)

    def _member(self, variable: Any) -> None:
        """A variable that becomes a member of the class."""
        try:
            spelled = self._types.spelling(variable)
        except Unknown:
            self._good = False
            return
        for local in self._types.locals_of(variable):
            self._outer(local)
        self.depends = self.depends or not self._named.isdisjoint(_words(spelled))
        self.members[variable.spelling] = spelled

    def _specifiers(self, variable: Any) -> set[bytes]:
        """The words before a variable's name."""
        first, named = (
            self._file.index(clang.place(location).offset) for location in (variable.extent.start, variable.location)
        )
        return {token.text for token in self._file.tokens[first:named]}

    def _is_constant(self, variable: Any) -> bool:
        """Whether a variable's value is known without running anything, as far as the names in it tell."""
        if b"constexpr" in self._specifiers(variable):
            return True
        plain = variable.type.get_canonical()
        named = self._file.index(clang.place(variable.location).offset)
        is_number = plain.is_const_qualified() and plain._kind_id <= _LAST_NUMBER
        if not is_number or not self._file.is_at(named + 1, b"=", b"{"):
            return False
        all_fixed = True

        def visit(cursor: Any, _parent: Any) -> bool:
            nonlocal all_fixed
            used = cursor.referenced if cursor._kind_id == clang.REFERENCE else None
            if used is not None and used._kind_id != clang.ENUMERATOR:
                is_fixed = self._is_constant(used) if is_local(used) else bool(cursor.type.is_const_qualified())
                all_fixed = all_fixed and is_fixed and used._kind_id != clang.PARAMETER
            elif cursor._kind_id in _RUN or is_of_this(cursor):
                all_fixed = False
            return True

        clang.visit(variable, visit)
        return all_fixed

    def _copy(self, entity: Any) -> None:
        clang.visit(entity, self._visit)  # first the names that it needs itself
        start = clang.place(entity.extent.start).offset
        text = self._file.on_one_line(start, clang.place(entity.extent.end).offset)
        self.depends = self.depends or not self._named.isdisjoint(_words(text))
        # The declaration of a second variable begins where the first one's does.
        self._good = self._good and self._statements.setdefault(start, entity.spelling) == entity.spelling
        self.copied[entity.spelling] = text


def _is_of_class(entity: Any) -> bool:
    parent = entity.semantic_parent
    return parent is not None and parent._kind_id in CLASSES


def is_type(text: str) -> bool:
    """Whether a declaration is that of a type."""
    return text.startswith(("typedef ", "using ", "enum ", "enum{", "struct ", "class ", "union "))


def as_member(text: str) -> str:
    """A declaration of a function as that of a class."""
    return f"{text};" if is_type(text) else f"static constexpr {_CONSTANT.sub('', text)};"


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))
