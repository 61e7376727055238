"""One declaration of the user's: what the parser says of it, and where its text is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...source.active import Active
from .. import clang
from .extent import Extents

FUNCTIONS = frozenset({
    clang.FUNCTION, clang.FUNCTION_TEMPLATE, clang.METHOD, clang.CONSTRUCTOR, clang.DESTRUCTOR, clang.CONVERSION,
})  # fmt: skip
CLASSES = frozenset({clang.STRUCT, clang.UNION, clang.CLASS, clang.CLASS_TEMPLATE, clang.PARTIAL_SPECIALIZATION})
DEVICE_MARKS = frozenset({clang.DEVICE_ATTRIBUTE, clang.CONSTANT_ATTRIBUTE, clang.SHARED_ATTRIBUTE})
# Words for which the parser has no name, or no attribute: constant expressions may be device code without a mark.
DEVICE_WORDS = frozenset({b"constexpr", b"consteval", b"__device__"})
NONE = 70  # the parser's kind where there is no declaration
HIDDEN = frozenset({"PROTECTED", "PRIVATE"})  # libclang's words for access
TEMPLATE_PARAMETERS = frozenset({27, 28, 29})  # types, values, templates (clang-c/Index.h)
_GLOBAL, _BOUNDS = "__global__", "__launch_bounds__"


@dataclass(slots=True)
class Declaration:
    """A declaration."""

    cursor: Any
    kind: int  # the cursor's
    active: Active  # its file
    name: str  # without arguments of a template
    place: clang.Place  # where the name stands
    first: int  # the index of its first token
    last: int
    by_macro: bool  # whether it is a function that a macro stands for
    marks: frozenset[int]  # the kinds of its attributes
    annotations: dict[str, Any]  # the attributes that have a text

    @property
    def start(self) -> int:
        """Where its text begins."""
        return self.active.tokens[self.first].start

    @property
    def end(self) -> int:
        """Where its text ends."""
        return self.active.tokens[min(self.last, len(self.active.tokens) - 1)].end

    @property
    def head(self) -> int:
        """Where the text ends that declares a class; 0 if it is not defined, or declares more than the class."""
        active, named = self.active, self.active.index(self.place.offset)
        opened = end = named + 1
        while opened < self.last and not active.is_at(opened, b"{"):
            if end == opened and not active.is_at(opened, b":", b"final"):
                end += 1
            opened = active.closing(opened) + 1 if active.is_at(opened, b"(", b"[") else opened + 1
        is_class_alone = active.is_at(opened, b"{") and active.closing(opened) + 1 == self.last
        if not is_class_alone or not active.is_at(named, self.name.encode()) or active.is_at(named - 1, b"::"):
            return 0
        return active.tokens[end - 1].end

    @property
    def words(self) -> set[bytes]:
        """Its tokens."""
        return {token.text for token in self.active.tokens[self.first : self.last + 1]}

    @property
    def is_function(self) -> bool:
        """Whether it is a function or a template of functions, methods among them."""
        return self.kind in FUNCTIONS

    @property
    def is_kernel(self) -> bool:
        """Whether it is marked as a kernel."""
        return clang.GLOBAL_ATTRIBUTE in self.marks or _GLOBAL in self.annotations

    @property
    def is_marked(self) -> bool:
        """Whether it is marked as device code."""
        return not DEVICE_MARKS.isdisjoint(self.marks)

    @property
    def is_defined(self) -> bool:
        """Whether a function has its body: what ends in a semicolon is only declared, unless a macro makes it."""
        return self.by_macro or self.active.is_at(self.last, b"}")

    @property
    def qualified(self) -> str:
        """The name with its namespaces and classes."""
        return qualified(self.cursor)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of a function's parameters."""
        return tuple(child.spelling for child in self.cursor.get_children() if child._kind_id == clang.PARAMETER)

    @property
    def template_parameters(self) -> tuple[str, ...]:
        """What a template takes, as it is written."""
        return template_parameters(self.cursor, self.active) + ("class auto",) * self._invented

    @property
    def _invented(self) -> int:
        """How many parameters a template has for parameters of its functions: ``f(auto x)`` takes ``<class auto>``."""
        count = 0
        for child in self.cursor.get_children():
            if child._kind_id == clang.PARAMETER and self.kind == clang.FUNCTION_TEMPLATE:
                start, end = clang.place(child.extent.start).offset, clang.place(child.extent.end).offset
                tokens = self.active.tokens[self.active.index(start) : self.active.index(end)]
                count += any(token.text == b"auto" for token in tokens)
        return count

    @property
    def bound(self) -> str | None:
        """The text of a kernel's first launch bound."""
        attribute = self.annotations.get(_BOUNDS)
        argument = clang.visit_first(attribute) if attribute is not None else None
        if argument is None:
            return None
        start, end = clang.place(argument.extent.start).offset, clang.place(argument.extent.end).offset
        return self.active.text[start:end].decode(errors="replace") or None


def declaration(cursor: Any, active: Active, extents: Extents, edge: int) -> Declaration:
    """Look at a declaration; nothing before the offset `edge` is of it. The file has tokens."""
    kind, name = cursor._kind_id, cursor.spelling.partition("<")[0]
    place, (start, end) = clang.place(cursor.location), clang.extent(cursor)
    begin = active.index(min(start.offset, place.offset))
    first = extents.first(begin, edge)
    by_macro = kind in FUNCTIONS and extents.is_made_by_macro(active.index(place.offset), name)
    if by_macro and extents.opens_brace(begin):
        last = extents.closing(begin)
    else:
        until = max(start.offset, end.offset) if end.path == place.path else start.offset
        inside = max(first, active.index(until) - 1)
        last = extents.last_of_function(inside, by_macro) if kind in FUNCTIONS else extents.last(inside)
    attributes = [child for child in cursor.get_children() if child._kind_id >= clang.ATTRIBUTES]
    return Declaration(
        cursor, kind, active, name, place, first, last, by_macro,
        frozenset(child._kind_id for child in attributes),
        {child.spelling: child for child in attributes if child._kind_id == clang.ANNOTATE},
    )  # fmt: skip


def template_parameters(cursor: Any, active: Active) -> tuple[str, ...]:
    """What a template takes, as its file has it."""
    path = clang.place(cursor.location).path
    return tuple(
        active.original[clang.place(child.extent.start).offset : clang.place(child.extent.end).offset].decode()
        for child in cursor.get_children()
        if child._kind_id in TEMPLATE_PARAMETERS and clang.place(child.extent.start).path == path
    )


def device_words(files: Iterable[Active]) -> frozenset[bytes]:
    """The words that make a function one for constant expressions: `DEVICE_WORDS`, and macros that stand for them."""
    macros: dict[str, frozenset[str]] = {}
    for file in files:
        for name, within in file.macros.items():
            macros[name] = macros.get(name, frozenset()) | within
    words = {word.decode() for word in DEVICE_WORDS}
    while more := {name for name, within in macros.items() if name not in words and within and within & words}:
        words |= more
    return frozenset(name.encode() for name in words)


def is_local(cursor: Any) -> bool:
    """Whether a declaration is one of a function's: a variable, a parameter, a type, an enumerator."""
    parent = cursor.semantic_parent
    if parent is not None and parent._kind_id == clang.ENUM:
        parent = parent.semantic_parent
    return parent is not None and parent._kind_id in FUNCTIONS


def is_hidden(cursor: Any) -> bool:
    """Whether a declaration is private, or in a class that is."""
    while cursor is not None and cursor._kind_id != NONE and cursor.semantic_parent is not None:
        if cursor.semantic_parent._kind_id in CLASSES and cursor.access_specifier.name in HIDDEN:
            return True
        cursor = cursor.semantic_parent
    return False


def has_plain_name(cursor: Any) -> bool:
    """Whether a declaration has a name without template arguments that all code may use."""
    around = cursor.semantic_parent
    while around is not None and around._kind_id in CLASSES:
        if "<" in around.displayname:
            return False
        around = around.semantic_parent
    return not is_hidden(cursor)


def qualified(cursor: Any) -> str:
    """A declaration's name with its namespaces and classes."""
    name = str(cursor.spelling).partition("<")[0]
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id in (clang.NAMESPACE, *CLASSES):
        if parent.spelling and not parent.spelling.startswith("("):
            name = f"{parent.spelling}::{name}"
        parent = parent.semantic_parent
    return name
