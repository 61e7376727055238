"""Finds the device lambdas and the local classes in a translation unit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...source.active import Active
from .. import clang
from ..pieces.declaration import CLASSES, FUNCTIONS, TEMPLATE_PARAMETERS, qualified

_DECLARATIONS, _BLOCK = 231, 202  # Clang's numbers, see `clang`
_USINGS = (clang.USING_DIRECTIVE, clang.USING_DECLARATION)
_CLASSES = (clang.STRUCT, clang.CLASS)
_TEMPLATES = (clang.FUNCTION_TEMPLATE, clang.CLASS_TEMPLATE, clang.PARTIAL_SPECIALIZATION)

Place = tuple[str, int, int]


class Tokens(NamedTuple):
    """A lambda that stands in a file as it is: what it captures, and its tokens by their indices.

    They are the first, the last of what begins it, and the braces of its body.
    """

    captures: list[bytes]
    first: int
    closed: int
    opened: int
    ended: int


class Template(NamedTuple):
    """A function template: its name, its parameters' names and text, and whether it is a member of a class."""

    function: str
    names: list[str]
    written: str
    is_member: bool


class Parsed(NamedTuple):
    """A lambda of the user's: its place, which is a macro's if it comes from that, and its tokens if it does not."""

    place: Place
    cursor: Any
    is_device: bool
    tokens: Tokens | None
    template: Template | None


class Visitor:
    """The lambdas and the local classes in a translation unit, in order."""

    def __init__(self, files: dict[str, Active], marks: Iterable[bytes] = (), every_lambda: bool = False) -> None:
        """Prepare.

        Parameters
        ----------
        files : dict of str to Active
        marks : iterable of bytes
            Words that mark device code, beside HIP's.
        every_lambda : bool
            Whether lambdas need no mark, as in HIP's dialect.
        """
        self.lambdas: list[Parsed] = []
        self.classes: list[tuple[Place, Any]] = []  # local ones
        self._object_macros: dict[bytes, list[bytes]] = {}
        for file in files.values():
            self._object_macros |= file.object_macros
        self._marks = {*_marks([file.macros for file in files.values()]), *marks}
        self._all = every_lambda
        self._files = files
        self._namespaces: list[tuple[str, int, int, str]] = []
        self._outside: list[tuple[str, int, int, list[str]]] = []  # functions that are defined outside of their scope
        self._templates: list[tuple[str, int, int, Template | None]] = []
        self._functions: set[clang.Place] = set()  # the places of their names
        self._usings: list[tuple[str, int, int, str]] = []
        self._block_end = 0  # of the block around the statement that is visited

    def namespaces(self, cursor: Any) -> list[str]:
        """The namespaces around something, the outermost first; those without a name are empty."""
        place = clang.place(cursor.extent.start)
        for path, start, end, names in self._outside:
            if path == place.path and start < place.offset < end:
                return names
        return [
            name for path, start, end, name in self._namespaces if path == place.path and start < place.offset < end
        ]

    def usings(self, cursor: Any) -> list[str]:
        """The declarations ``using namespace n`` and ``using n::f`` of the function around, before something in it."""
        place = clang.place(cursor.extent.start)
        return [text for path, start, end, text in self._usings if path == place.path and start < place.offset < end]

    def visit(self, cursor: Any, parent: Any) -> bool:
        place = clang.place(cursor.extent.start)
        file = self._files.get(place.path)
        if cursor._kind_id in FUNCTIONS:
            named = clang.place(cursor.location)
            if named in self._functions and clang.is_specialization(cursor):
                return False  # behind precompiled headers the parser shows a template's instances, too
            self._functions.add(named)
        if cursor._kind_id in FUNCTIONS and cursor.semantic_parent != cursor.lexical_parent:
            end = clang.place(cursor.extent.end).offset
            self._outside.append((place.path, place.offset, end, _namespaces_of(cursor)))
        if cursor._kind_id == clang.NAMESPACE and file is not None:
            name = "" if cursor.spelling.startswith("(") else cursor.spelling
            self._namespaces.append((place.path, place.offset, clang.place(cursor.extent.end).offset, name))
        elif cursor._kind_id == clang.LAMBDA and file is not None:
            first = file.index(place.offset)
            body = next((i for i in range(first, len(file.tokens)) if file.is_at(i, b"{")), first)
            is_device = self._all or any(token.text in self._marks for token in file.tokens[first : body + 1])
            start = cursor.extent.start  # of the binding: of a macro, where the outermost is used
            used = (str(start.file.name), start.line, start.column)
            tokens = _tokens(cursor, first, file, self._object_macros)
            self.lambdas.append(Parsed(used, cursor, is_device, tokens, self._template_around(place)))
        elif cursor._kind_id in _TEMPLATES and file is not None:
            end = clang.place(cursor.extent.end).offset
            is_function = cursor._kind_id == clang.FUNCTION_TEMPLATE
            template = _template(cursor, file) if is_function else None
            self._templates.append((place.path, place.offset, end, template))
        elif cursor._kind_id == _DECLARATIONS and parent._kind_id == _BLOCK:
            self._block_end = clang.place(parent.extent.end).offset
        elif cursor._kind_id in _USINGS and parent._kind_id == _DECLARATIONS and file is not None:
            text = file.on_one_line(place.offset, clang.place(cursor.extent.end).offset)
            self._usings.append((place.path, place.offset, self._block_end, f"{text};"))
        elif cursor._kind_id in _CLASSES and file is not None and cursor.is_definition():
            parent = cursor.semantic_parent
            if parent is not None and parent._kind_id in FUNCTIONS:
                self.classes.append(((place.path, place.line, place.column), cursor))
        return file is not None or not place.path

    def _template_around(self, place: clang.Place) -> Template | None:
        """The function template around a place; None if there is none, or another template around that."""
        around = [
            template
            for path, start, end, template in self._templates
            if path == place.path and start <= place.offset < end
        ]
        return around[0] if len(around) == 1 else None


def _namespaces_of(cursor: Any) -> list[str]:
    """The namespaces that a declaration is of, the outermost first; those without a name are empty."""
    names: list[str] = []
    around = cursor.semantic_parent
    while around is not None:
        if around._kind_id == clang.NAMESPACE:
            names.insert(0, "" if around.spelling.startswith("(") else around.spelling)
        around = around.semantic_parent
    return names


def _template(cursor: Any, file: Active) -> Template | None:
    """The function template of a cursor; None if no class template can have its parameters."""
    parameters = [child for child in cursor.get_children() if child._kind_id in TEMPLATE_PARAMETERS]
    places = [(clang.place(each.extent.start).offset, clang.place(each.extent.end).offset) for each in parameters]
    written = [file.on_one_line(start, end) for start, end in places]
    name = clang.place(cursor.location).offset
    # `void go(auto x)` has a parameter that is not written; of a class template only the last may be a pack.
    if any(end > name for _, end in places) or any("..." in text for text in written[:-1]):
        return None
    is_member = cursor.semantic_parent._kind_id in CLASSES
    return Template(qualified(cursor), [str(each.spelling) for each in parameters], ", ".join(written), is_member)


def _marks(macros: list[dict[str, frozenset[str]]]) -> set[bytes]:
    """The words that mark a declaration as device code: macros too, also by other macros."""
    marks, before = {"__device__"}, 0
    while before != len(marks):
        before = len(marks)
        marks |= {name for words in macros for name, within in words.items() if not marks.isdisjoint(within)}
    return {mark.encode() for mark in marks}


def _tokens(cursor: Any, first: int, file: Active, macros: dict[bytes, list[bytes]]) -> Tokens | None:
    """The tokens of a lambda; None if a macro begins or ends its body."""
    introducer = _introducer(file, first, macros)
    if introducer is None:
        return None
    captures, closed = introducer
    opened = next((i for i in range(closed, len(file.tokens)) if file.is_at(i, b"{")), closed)
    ended = file.closing(opened)
    # Behind a macro's argument the parser's end may be that of the last token's beginning.
    if clang.place(cursor.extent.end).offset not in (file.tokens[ended].start, file.tokens[ended].end):
        return None
    return Tokens(captures, first, closed, opened, ended)


def _introducer(file: Active, first: int, macros: dict[bytes, list[bytes]]) -> tuple[list[bytes], int] | None:
    """The captures of a lambda, and the last token of what begins it: a macro may stand for that, with other words."""
    if file.is_at(first, b"["):
        closed = file.closing(first)
        return [token.text for token in file.tokens[first + 1 : closed]], closed
    words = macros.get(file.tokens[first].text, [])
    if words[:1] != [b"["] or b"]" not in words or not {b"(", b"{", b"mutable"}.isdisjoint(words):
        return None
    return words[1 : words.index(b"]")], first
