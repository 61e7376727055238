"""Device lambdas and local classes of host functions: they become classes that kernels can name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from . import clang
from .active import Active
from .source import Source
from .text import Joined

NAME = re.compile(r"\blambda_\d+(?:_\d+)*\b")
# The text before the classes.
TAIL = "\ntemplate <class T> struct __lp_same { typedef T type; };\n"
_UNNAMED = re.compile(r"\(lambda at (?P<path>.*?):(?P<line>\d+):(?P<column>\d+)\)")
# Clang's numbers again, see `clang`: kinds of cursors, then of types; numbers, bool and characters are the first.
_LAMBDA, _REFERENCE, _MEMBER, _TYPE_REFERENCE, _CALL, _THIS = 144, 101, 102, 43, 103, 132
_FUNCTIONS = frozenset({
    clang.FUNCTION, clang.METHOD, clang.CONSTRUCTOR, clang.DESTRUCTOR, clang.CONVERSION, clang.FUNCTION_TEMPLATE,
})  # fmt: skip
_CLASSES = (clang.STRUCT, clang.CLASS)
_REFERENCES = (103, 104)
_LAST_NUMBER = 24
_UNKNOWN = re.compile(r"type-parameter-|<dependent|\(lambda at|\(unnamed|\(anonymous")


@dataclass(slots=True)
class Lambda:
    """A lambda as a class.

    Attributes
    ----------
    name : str
    text : str
        The class, every line of the body at its own line; it has the captured variables as members, in the order of
        their use.
    """

    name: str
    text: str


@dataclass(slots=True)
class Lambdas:
    """The lambdas of a source by their places (path, line, column), and the local classes by their names."""

    at: dict[tuple[str, int, int], Lambda] = field(default_factory=dict)
    local: dict[str, Lambda] = field(default_factory=dict)

    def named(self, arguments: str, column: Callable[[str, int, int], int]) -> str:
        """Template arguments with the names of lambdas in place of their descriptions, where there are names.

        `column` gives the source's own column for a path, a line and a column of a description.
        """

        def name(match: re.Match[str]) -> str:
            path, line = match["path"], int(match["line"])
            device_lambda = self.at.get((path, line, column(path, line, int(match["column"]))))
            return device_lambda.name if device_lambda is not None else match[0]

        return _UNNAMED.sub(name, arguments)

    def texts(self, names: set[str]) -> dict[str, str]:
        """The classes of these names."""
        return {
            device_class.name: device_class.text
            for device_class in (*self.at.values(), *self.local.values())
            if device_class.name in names
        }


def lambdas(source: Source, files: dict[str, Active]) -> Lambdas:
    """Find the lambdas that are marked as device code, parsing the bodies of host functions.

    Lambdas that capture by reference, or the object around them, or depend on a template around them, are left out.
    """
    texts = {path: file.original for path, file in files.items()}
    visitor = _Visitor(files)
    with clang.lock:
        clang.forget_files()
        parsed = clang.translation_unit(source, texts, {"__LP_HOST__": None}, clang.KEEP_GOING | clang.INCOMPLETE)
        clang.visit(parsed.cursor, visitor.visit)
        lines = Counter(place[1] for place, _ in visitor.lambdas)
        device_lambdas = Lambdas()
        taken: set[str] = set().union(*[file.names(0, len(file.text)) for file in files.values() if visitor.lambdas])
        for place, cursor in visitor.lambdas:
            name = f"lambda_{place[1]}" + (f"_{place[2]}" if lines[place[1]] > 1 else "")
            # Another file may have a lambda at the same line, and the program may use the name.
            name = next(
                filter(lambda candidate: candidate not in taken, chain([name], (f"{name}_{i}" for i in count(2))))
            )
            taken.add(name)
            text = _class(cursor, name, place, files[place[0]], visitor.macros)
            if text is not None:
                device_lambdas.at[place] = Lambda(name, _in_namespaces(text, name, visitor.namespaces(cursor)))
        names = Counter(cursor.spelling for _, cursor in visitor.classes)
        for place, cursor in visitor.classes:
            # Clang does not tell which of several classes of a name a launch means.
            text = _local_class(cursor, place, files[place[0]]) if names[cursor.spelling] == 1 else None
            if text is not None:
                text = _in_namespaces(text, cursor.spelling, visitor.namespaces(cursor))
                device_lambdas.local[cursor.spelling] = Lambda(cursor.spelling, text)
    return device_lambdas


def local_names(names: set[str], files: dict[str, Active], known: set[str]) -> set[str]:
    """Which names in template arguments may be those of local classes: of classes that are in functions only."""
    others = names - known
    if not others:
        return set()
    pattern = re.compile(rb"\b(?:struct|class)\s+(%s)\b" % b"|".join(map(re.escape, map(str.encode, others))))
    return {match[1].decode() for file in files.values() for match in pattern.finditer(file.text)}


def _in_namespaces(text: str, name: str, within: list[str]) -> str:
    """A class in the namespaces around its function, where its names are looked up."""
    if not within:
        return text
    scope = "".join(f"namespace {namespace} {{ " for namespace in within)
    outer = "::".join(["", *filter(None, within), name])
    return f"\n{scope}{text}{'}' * len(within)}\nusing {outer};\n"


class _Visitor:
    """The lambdas in a translation unit."""

    def __init__(self, files: dict[str, Active]) -> None:
        self.lambdas: list[tuple[tuple[str, int, int], Any]] = []
        self.classes: list[tuple[tuple[str, int, int], Any]] = []  # local ones
        self.macros: dict[bytes, list[bytes]] = {}
        for file in files.values():
            self.macros |= file.object_macros
        self._marks = _marks([file.macros for file in files.values()])
        self._files = files
        self._namespaces: list[tuple[str, int, int, str]] = []

    def namespaces(self, cursor: Any) -> list[str]:
        """The namespaces around something, the outermost first; those without a name are empty."""
        at = clang.place(cursor.extent.start)
        return [name for path, start, end, name in self._namespaces if path == at.path and start < at.offset < end]

    def visit(self, cursor: Any, _parent: Any) -> bool:
        place = clang.place(cursor.extent.start)
        file = self._files.get(place.path)
        if cursor._kind_id == clang.NAMESPACE and file is not None:
            name = "" if cursor.spelling.startswith("(") else cursor.spelling
            self._namespaces.append((place.path, place.offset, clang.place(cursor.extent.end).offset, name))
        elif cursor._kind_id == _LAMBDA and file is not None:
            first = file.index(place.offset)
            body = next((i for i in range(first, len(file.tokens)) if file.is_at(i, b"{")), first)
            if any(token.text in self._marks for token in file.tokens[first:body]):
                self.lambdas.append(((place.path, place.line, place.column), cursor))
        elif cursor._kind_id in _CLASSES and file is not None and cursor.is_definition():
            parent = cursor.semantic_parent
            if parent is not None and parent._kind_id in _FUNCTIONS:
                self.classes.append(((place.path, place.line, place.column), cursor))
        return file is not None or not place.path


def _marks(macros: list[dict[str, frozenset[str]]]) -> set[bytes]:
    """The words that mark a declaration as device code: macros too, also by other macros."""
    marks, before = {"__device__"}, 0
    while before != len(marks):
        before = len(marks)
        marks |= {name for those in macros for name, within in those.items() if not marks.isdisjoint(within)}
    return {mark.encode() for mark in marks}


def _introducer(file: Active, first: int, macros: dict[bytes, list[bytes]]) -> tuple[list[bytes], int]:
    """The captures of a lambda, and the last token of what begins it: a macro may stand for that, with other words."""
    if file.is_at(first, b"["):
        closed = file.closing(first)
        return [token.text for token in file.tokens[first + 1 : closed]], closed
    words = macros.get(file.tokens[first].text, [])
    if words[:1] != [b"["] or b"]" not in words or not {b"(", b"{", b"mutable"}.isdisjoint(words):
        return [b"&"], first
    return words[1 : words.index(b"]")], first


def _class(
    cursor: Any, name: str, place: tuple[str, int, int], file: Active, macros: dict[bytes, list[bytes]]
) -> str | None:
    tokens = file.tokens
    first = file.index(clang.place(cursor.extent.start).offset)
    captures, closed = _introducer(file, first, macros)
    if {b"&", b"this", b"*"} & set(captures) or b"=" in captures[1:]:
        return None
    opened = next(i for i in range(closed, len(tokens)) if file.is_at(i, b"{"))
    ended = file.closing(opened)
    between = range(closed + 1, opened)
    brackets = next((i for i in between if file.is_at(i, b"(")), None)
    parameters, returned = "()", ""
    if brackets is not None:
        after = file.closing(brackets)
        parameters = _text(file, brackets, after)
        arrow = next((i for i in range(after, opened) if file.is_at(i, b"-") and file.is_at(i + 1, b">")), None)
        returned = " " + _text(file, arrow, opened - 1) if arrow is not None else ""
    constant = "" if any(file.is_at(i, b"mutable") for i in between) else " const"
    around = _Around(file, tokens[first].start, tokens[ended].end)
    if not around.collect(cursor):
        return None
    generic: list[str] = []

    def parameter(_: re.Match[str]) -> str:
        generic.append(f"_Auto{len(generic)}")
        return generic[-1]

    parameters = re.sub(r"\bauto\b", parameter, parameters)
    template = f"template <{', '.join(f'class {type_name}' for type_name in generic)}> " if generic else ""
    members = "".join(f" __lp_same<{of}>::type {member};" for member, of in around.members.items())
    copies = "".join(f" {text};" for text in around.copied.values())
    path, line, _ = place
    start = tokens[opened].end
    row = line + file.original[tokens[first].start : start].count(b"\n")
    indent = " " * (start - (file.original.rfind(b"\n", 0, start) + 1))
    operator = f"__attribute__((device)) auto operator(){parameters}{constant}{returned}"
    head = f"struct {name} {{{members} {template}{operator} {{{copies}".replace("\n", " ")
    body = file.original[start : tokens[ended].end].decode(errors="replace")
    return f'\n#line {line} "{path}"\n{head}\n#line {row} "{path}"\n{indent}{body} }};\n'


def _local_class(cursor: Any, place: tuple[str, int, int], file: Active) -> str | None:
    """A local class as it is, with what it uses of its function's types and constants; None if it uses more."""
    start, end = clang.place(cursor.extent.start).offset, clang.place(cursor.extent.end).offset
    around = _Around(file, start, end, is_class=True)
    if not around.collect(cursor) or around.members:
        return None
    opened = next((i for i in range(file.index(start), file.index(end)) if file.is_at(i, b"{")), None)
    if opened is None:
        return None
    # The names that it uses become its members. A base in its head cannot see those.
    copies = " ".join(_as_member(text) for text in around.copied.values())
    path, line, _ = place
    inside = file.tokens[opened].end
    row = line + file.original[start:inside].count(b"\n")
    indent = " " * (inside - (file.original.rfind(b"\n", 0, inside) + 1))
    head = _on_one_line(file, start, inside)
    body = file.original[inside:end].decode(errors="replace")
    return f'\n#line {line} "{path}"\n{head} public: {copies}\n#line {row} "{path}"\n{indent}{body};\n'


def _as_member(text: str) -> str:
    is_type = text.startswith(("typedef ", "using "))
    return f"{text};" if is_type else f"static constexpr {re.sub(r'^(?:(?:static|const|constexpr) )*', '', text)};"


def _text(file: Active, first: int, last: int) -> str:
    return _on_one_line(file, file.tokens[first].start, file.tokens[last].end)


def _on_one_line(file: Active, start: int, end: int) -> str:
    return Joined(file.text[start:end]).text.decode(errors="replace").replace("\n", " ")


class _Around:
    """What a lambda, or a local class, uses of the function around it."""

    def __init__(self, file: Active, start: int, end: int, is_class: bool = False) -> None:
        self.members: dict[str, str] = {}
        self.copied: dict[str, str] = {}
        self._file = file
        self._start, self._end = start, end
        self._good = True
        self._is_class = is_class

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
            if not self._start <= at < self._end and parent is not None and parent._kind_id in _FUNCTIONS:
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
            spelled = plain.spelling
            if _UNKNOWN.search(spelled) or b"static" in words:
                self._good = False
            if plain.is_const_qualified():
                spelled = re.sub(r"^const ", "", spelled)
            self.members[of.spelling] = spelled
        elif of._kind_id in (clang.TYPEDEF, clang.ALIAS):
            self._copy(of, clang.place(of.extent.start).offset, clang.place(of.extent.end).offset)
        elif of._kind_id not in _FUNCTIONS:
            self._good = False  # a class of the function's own, or a parameter of its template

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
        self.copied[of.spelling] = _on_one_line(self._file, start, end)
