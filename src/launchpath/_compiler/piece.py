"""Pieces: the declarations at file or namespace scope of the user's files, and which of them kernels can need."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from . import clang
from .active import Active, unbalanced

_FUNCTIONS = frozenset({
    clang.FUNCTION, clang.FUNCTION_TEMPLATE, clang.METHOD, clang.CONSTRUCTOR, clang.DESTRUCTOR, clang.CONVERSION,
})  # fmt: skip
_CLASSES = frozenset({clang.STRUCT, clang.UNION, clang.CLASS, clang.CLASS_TEMPLATE, clang.PARTIAL_SPECIALIZATION})
_TEMPLATE_PARAMETERS = frozenset({27, 28, 29})  # types, values, templates (clang-c/Index.h)
_SCOPES = frozenset({clang.NAMESPACE, clang.LINKAGE})
_DEVICE_MARKS = frozenset({clang.DEVICE_ATTRIBUTE, clang.CONSTANT_ATTRIBUTE, clang.SHARED_ATTRIBUTE})
_GLOBAL, _BOUNDS = "__global__", "__launch_bounds__"

ALWAYS, REACHED, NEVER = "always", "reached", "never"


@dataclass(slots=True)
class Piece:
    """One or more declarations whose text cannot be separated.

    Attributes
    ----------
    start, end : int
        Offsets in the file.
    names : set of str
        What it declares.
    keep : str
        `ALWAYS`: it is a kernel or the host may see it; `REACHED`: if something kept names it; `NEVER`: host code.
    device : bool
        Whether it is marked as device code: then an error in it is the user's.
    cuts : list of (int, int, bytes)
        What is cut out of it: the host's own methods of a class.
    """

    start: int
    end: int
    names: set[str]
    keep: str
    device: bool
    cuts: list[tuple[int, int, bytes]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KernelDeclaration:
    """A kernel or a template of kernels, as it is defined.

    Attributes
    ----------
    name : str
        With its namespaces.
    parameters : tuple of str
        Their names; empty where there is none.
    template : bool
    path, line, column : str, int, int
        Where its name stands.
    bound : str or None
        The text of its first launch bound.
    types : tuple of str or None
        For one of several functions of a name: its parameters' types, by which it is chosen.
    arguments : tuple of str
        What a template takes, as it is written.
    spelled : tuple of str
        The parameters' types, of a kernel that is no template.
    """

    name: str
    parameters: tuple[str, ...]
    template: bool
    path: str
    line: int
    column: int
    bound: str | None = None
    types: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()
    spelled: tuple[str, ...] = ()

    @property
    def expression(self) -> str:
        """What its address is, in the source's terms; that of a template lacks its arguments."""
        return address(self.name, self.types)


def address(name: str, types: Iterable[str] | None = None) -> str:
    """What the address of a function is, in the source's terms; with its parameters' types one of several."""
    # Qualified, for what a using directive brings must not be taken for it.
    plain = f"&::{name.removeprefix('::')}"
    return plain if types is None else f"static_cast<void (*)({', '.join(types)})>({plain})"


@dataclass(slots=True)
class Pieces:
    """All pieces of one file, in order, and the tokens (namespaces, linkage blocks) that hold them."""

    active: Active
    pieces: list[Piece] = field(default_factory=list)
    braces: list[tuple[int, int]] = field(default_factory=list)


class Collector:
    """Collects the pieces of the user's files from a translation unit."""

    def __init__(self, files: dict[str, Active]) -> None:
        self.files = {path: Pieces(active) for path, active in files.items()}
        self.kernels: dict[str, KernelDeclaration] = {}
        self._unbalanced = unbalanced({name: shape for file in files.values() for name, shape in file.shapes.items()})
        self._overloads: dict[str, dict[tuple[str, ...], KernelDeclaration]] = {}
        self._functions: set[str] = set()  # that are no kernels

    def run(self, parsed: Any) -> None:
        """Walk the unit."""
        macros = {path: [*file.active.uses(self._unbalanced)] for path, file in self.files.items()}
        for path, file in self.files.items():
            file.braces += macros[path]
        clang.visit(parsed.cursor, self._visit)
        for name in self._functions & self.kernels.keys():
            if not self.kernels[name].template:
                self.kernels[name] = replace(self.kernels[name], types=self.kernels[name].spelled)
        for path, file in self.files.items():
            file.pieces = _merged(file.pieces)
            starts = [piece.start for piece in file.pieces]
            for one in macros[path]:  # those inside a piece go with it
                at = bisect_right(starts, one[0]) - 1
                if at >= 0 and file.pieces[at].end > one[0]:
                    file.braces.remove(one)

    def _visit(self, cursor: Any, _parent: Any) -> bool:
        place = clang.place(cursor.extent.start)
        file = self.files.get(place.path)
        if file is None:
            return False
        number = cursor._kind_id
        if number in _SCOPES:
            self._scope(cursor, number, place.offset, file)
            return True
        if number in clang.DECLARATIONS:
            self._piece(cursor, number, place.offset, file)
        return False

    def _scope(self, cursor: Any, number: int, start: int, file: Pieces) -> None:
        """Note the braces of a namespace or a linkage block."""
        active = file.active
        first = opened = active.index(start)
        inner = clang.visit_first(cursor)
        limit = clang.place(inner.extent.start).offset if inner is not None else clang.place(cursor.extent.end).offset
        while not active.is_at(opened, b"{"):
            if opened >= len(active.tokens) or active.tokens[opened].start > limit or active.is_at(opened, b";"):
                return  # `extern "C"` before one declaration, or the outer one of `namespace a::b`
            opened += 1
        if number == clang.LINKAGE and opened > first + 2:
            return
        while first > 0 and not active.is_at(first - 1, b";", b"{", b"}"):
            first -= 1
        closed = active.tokens[active.closing(opened)]
        file.braces.append((active.tokens[first].start, active.tokens[opened].end))
        file.braces.append((closed.start, closed.end))

    # -- pieces

    def _piece(self, cursor: Any, number: int, offset: int, file: Pieces) -> None:
        active = file.active
        if not active.tokens:
            return
        at = clang.place(cursor.location)
        end = clang.place(cursor.extent.end)
        first = self._first(active, active.index(min(offset, at.offset)), file)
        name = cursor.spelling.partition("<")[0]
        named = active.index(at.offset)
        macro = number in _FUNCTIONS and _made_by_macro(active, named, name)
        opener = active.index(min(offset, at.offset))
        if macro and self._unbalanced.get(active.tokens[opener].text, 0) > 0:
            last = self._matching(active, opener)
        else:
            last = self._last(active, number, max(offset, end.offset if end.path == at.path else offset), first, macro)
        start, finish = active.tokens[first].start, active.tokens[min(last, len(active.tokens) - 1)].end
        marks = {child._kind_id: child for child in cursor.get_children() if child._kind_id >= clang.ATTRIBUTES}
        annotated = {child.spelling: child for child in cursor.get_children() if child._kind_id == clang.ANNOTATE}
        kernel = clang.GLOBAL_ATTRIBUTE in marks or _GLOBAL in annotated
        # Nobody can launch `k(...)`: it is there for overload resolution on the host.
        variadic = kernel and clang.is_variadic(cursor.type)
        words = {token.text for token in active.tokens[first : last + 1]} if number in _FUNCTIONS else set()
        piece = Piece(start, finish, {name}, REACHED, False)
        if number in _FUNCTIONS:
            if not kernel:
                self._functions.add(_qualified(cursor))
            self._function(cursor, number, name, piece, bool(_DEVICE_MARKS & marks.keys()), kernel, words)
        elif number == clang.VARIABLE:
            self._variable(cursor, piece, marks, active.names(start, finish))
        elif number in _CLASSES:
            piece.cuts = list(self._host_methods(cursor, file.active, name))
        elif number == clang.ENUM:
            piece.names |= {child.spelling for child in cursor.get_children() if child._kind_id == clang.ENUMERATOR}
        elif number == clang.USING_DIRECTIVE:
            piece.keep = ALWAYS
        elif number == clang.STATIC_ASSERT:
            piece.keep = NEVER
        file.pieces.append(piece)
        # What ends in a semicolon is only declared there, unless a macro makes it.
        if variadic:
            piece.keep = NEVER
        elif kernel and number in _FUNCTIONS and (macro or active.is_at(last, b"}")):
            self._kernel(cursor, number, name, at, _bound(annotated.get(_BOUNDS), active), first)

    def _function(
        self, cursor: Any, number: int, name: str, piece: Piece, device: bool, kernel: bool, words: set[bytes]
    ) -> None:
        if number not in (clang.FUNCTION, clang.FUNCTION_TEMPLATE):
            piece.names = {cursor.semantic_parent.spelling.partition("<")[0]}
        if kernel:
            piece.keep, piece.device = ALWAYS, True
        elif device or words & {b"constexpr", b"consteval", b"__device__"}:
            piece.device = device
            # Nothing names an operator where it is used.
            piece.keep = ALWAYS if name.startswith("operator") else REACHED
        else:
            piece.keep = NEVER

    def _variable(self, cursor: Any, piece: Piece, marks: dict[int, Any], words: set[str]) -> None:
        if clang.SHARED_ATTRIBUTE in marks:
            piece.device = True
        elif cursor.type.get_canonical().spelling.startswith(("texture<", "surface<")):
            piece.keep, piece.device = ALWAYS, True  # references: Clang makes them the device's by their type
        elif _DEVICE_MARKS & marks.keys() or {"__device__", "__constant__", "__managed__"} & words:
            piece.keep, piece.device = ALWAYS, True
        elif cursor.semantic_parent is not None and cursor.semantic_parent._kind_id in _CLASSES:
            piece.names.add(cursor.semantic_parent.spelling.partition("<")[0])
        elif not clang.is_constant(cursor.type):
            piece.keep = NEVER

    def _first(self, active: Active, index: int, file: Pieces) -> int:
        """Index of the declaration's first token: attributes and ``template<>`` may stand before what Clang says."""
        index = min(index, len(active.tokens) - 1)
        start = active.tokens[index].start
        edges = [piece.end for piece in file.pieces[-1:]] + [end for _, end in file.braces if end <= start]
        edge = max(edges, default=0)
        while index > 0:
            before = active.tokens[index - 1]
            if before.start < edge or before.text in (b";", b"}", b"{"):
                break
            index -= 1
        return index

    def _last(self, active: Active, number: int, offset: int, first: int, macro: bool) -> int:
        """Index of the declaration's last token; Clang's extents leave out bodies, semicolons and macros' arguments."""
        index = max(first, active.index(offset) - 1)
        if number in _FUNCTIONS:
            return self._function_end(active, index, macro)
        while index + 1 < len(active.tokens):
            if active.is_at(index, b";"):
                return index
            if active.is_at(index + 1, b"(", b"[", b"{"):
                index = active.closing(index + 1)
            elif active.is_at(index + 1, b"}"):
                return index
            else:
                index += 1
        return index

    def _matching(self, active: Active, first: int) -> int:
        """From a macro that opens braces to what closes them: bodies are skipped, so Clang knows no end."""
        depth = 0
        for index in range(first, len(active.tokens)):
            text = active.tokens[index].text
            depth += 1 if text == b"{" else -1 if text == b"}" else self._unbalanced.get(text, 0)
            if depth <= 0:
                return index
        return first

    def _function_end(self, active: Active, index: int, macro: bool = False) -> int:
        """From a declarator's last token to the end of the body, or to the semicolon.

        A macro that stands for the whole definition may have no semicolon after it.
        """
        while index < len(active.tokens):
            if active.is_at(index, b";"):
                return index
            if active.is_at(index + 1, b"{"):
                closed = active.closing(index + 1)
                # A brace that initializes a member (`x{a}`) is followed by a comma or the body.
                if not active.is_at(closed + 1, b",", b"{"):
                    return closed
                index = closed
            elif active.is_at(index + 1, b"(", b"["):
                index = active.closing(index + 1)
                if active.is_at(index + 1, b";"):
                    return index + 1
            elif active.is_at(index + 1, b"}") or index + 1 >= len(active.tokens):
                return index
            else:
                if macro and active.is_at(index, b")"):
                    return index
                index += 1
        return index

    def _kernel(self, cursor: Any, number: int, name: str, at: clang.Place, bound: str | None, first: int) -> None:
        active = self.files[at.path].active
        if active.is_at(first, b"template") and active.is_at(first + 2, b">"):
            return  # `template <>`: who asks its template for these arguments gets it
        full = _qualified(cursor)
        parameters = tuple(child.spelling for child in cursor.get_children() if child._kind_id == clang.PARAMETER)
        template = number == clang.FUNCTION_TEMPLATE
        arguments = tuple(
            active.original[clang.place(child.extent.start).offset : clang.place(child.extent.end).offset].decode()
            for child in cursor.get_children()
            if child._kind_id in _TEMPLATE_PARAMETERS and clang.place(child.extent.start).path == at.path
        )
        made = KernelDeclaration(
            full, parameters, template, at.path, at.line, at.column, bound, arguments=arguments if template else ()
        )
        others = self._overloads.setdefault(full, {})
        if template:
            self.kernels[full] = made
        else:
            types = tuple(one.get_canonical().spelling for one in clang.parameter_types(cursor.type))
            made = others[types] = replace(made, spelled=types)
        beside = full in self.kernels and self.kernels[full].template
        if len(others) == 1 and not beside:
            self.kernels[full] = made
            return
        if not beside:
            self.kernels.pop(full, None)
        for each, declaration in others.items():
            self.kernels[f"{full}({', '.join(each)})"] = replace(declaration, types=each)

    def _host_methods(self, cursor: Any, active: Active, name: str) -> Any:
        """Yield what to cut out of a class: bodies of methods that only the host may call."""
        for child in cursor.get_children():
            number = child._kind_id
            if number in _CLASSES:
                yield from self._host_methods(child, active, child.spelling)
            if number not in _FUNCTIONS:
                continue
            marks = {mark._kind_id for mark in child.get_children() if mark._kind_id >= clang.ATTRIBUTES}
            if marks & (_DEVICE_MARKS | {clang.GLOBAL_ATTRIBUTE}):
                continue
            start, end = clang.place(child.extent.start).offset, clang.place(child.extent.end).offset
            first = active.index(start)
            at = active.index(clang.place(child.location).offset)
            if _made_by_macro(active, at, child.spelling.partition("<")[0]):
                continue
            last = self._function_end(active, max(first, active.index(end) - 1))
            tokens = active.tokens[first : last + 1]
            words = {token.text for token in tokens}
            if not tokens or words & {b"constexpr", b"consteval", b"__device__"}:
                continue
            if active.is_at(last - 1, b"default", b"delete"):
                continue
            if number == clang.DESTRUCTOR or (number == clang.CONSTRUCTOR and clang.is_copy(child)):
                # Kernels take such classes by value, as bytes: what the host does when it copies one is not for them.
                if b"virtual" not in words:
                    yield tokens[0].start, tokens[-1].end, b";"
                    continue
                replacement = b"=default;"
            else:
                replacement = b";"
            if not active.is_at(last, b"}"):
                continue
            cut = active.body(last, active.index(clang.place(child.location).offset))
            if cut is not None and cut[1] - cut[0] >= len(replacement):
                yield (*cut, replacement)


def _qualified(cursor: Any) -> str:
    """A declaration's name with its namespaces and classes."""
    name = str(cursor.spelling).partition("<")[0]
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id in (clang.NAMESPACE, *_CLASSES):
        if parent.spelling and not parent.spelling.startswith("("):
            name = f"{parent.spelling}::{name}"
        parent = parent.semantic_parent
    return name


def _bound(attribute: Any, active: Active) -> str | None:
    """The text of a launch bound's first argument."""
    argument = clang.visit_first(attribute) if attribute is not None else None
    if argument is None:
        return None
    start, end = clang.place(argument.extent.start).offset, clang.place(argument.extent.end).offset
    return active.text[start:end].decode(errors="replace") or None


def _made_by_macro(active: Active, index: int, name: str) -> bool:
    """Whether a function's name does not stand before its parameters in the file itself."""
    if active.is_at(index, b"operator", b"~"):
        return False
    return not active.is_at(index, name.encode()) or not active.is_at(index + 1, b"(", b"<")


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Make one piece of those that overlap."""
    made: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.start, piece.end)):
        if made and piece.start < made[-1].end:
            last = made[-1]
            last.end = max(last.end, piece.end)
            last.names |= piece.names
            last.device = last.device or piece.device
            last.keep = min(last.keep, piece.keep, key=[ALWAYS, REACHED, NEVER].index)
            last.cuts += piece.cuts
        else:
            made.append(piece)
    return made
