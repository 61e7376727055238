"""Collects the pieces of the user's files, and their kernels, from a translation unit."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from ...kernels.declaration import KernelDeclaration, Kernels
from ...source.active import Active, unbalanced
from .. import clang
from .declaration import CLASSES, DEVICE_WORDS, Declaration, declaration, device_words, has_plain_name
from .extent import Extents
from .host_methods import host_marks, host_methods
from .member_kernel import member_kernels, scope
from .outline import outline
from .piece import ALWAYS, NEVER, REACHED, Piece, Pieces, merged

_SCOPES = frozenset({clang.NAMESPACE, clang.LINKAGE})
# Macros of libraries' headers by which other headers open and close namespaces.
_FROM_HEADERS = {
    f"{library}_NAMESPACE_{end}": [brace]
    for library in ("THRUST", "CUB")
    for end, brace in (("BEGIN", "{"), ("END", "}"))
}
# Libraries that use a specialization of theirs where the program names the type alone.
_USING_TRAITS = ("cub::", "hipcub::")
_LINKED = frozenset({clang.FUNCTION, clang.METHOD, clang.CONSTRUCTOR, clang.DESTRUCTOR, clang.CONVERSION})
_DEVICE_VARIABLES = frozenset({b"__device__", b"__constant__", b"__managed__"})


class Collector:
    """Collects pieces and kernels.

    Parameters
    ----------
    files : dict of str to Active
        By path.
    is_part : bool
        Other files of the program may call the device functions.
    """

    def __init__(self, files: dict[str, Active], is_part: bool = False) -> None:
        self._is_part = is_part
        self.files = {path: Pieces(active) for path, active in files.items()}  # by path
        self.kernels = Kernels()
        # the names in the ``#include`` directives of those files, those that conditional compilation excludes left out
        self.includes: dict[str, None] = {}
        self.variable_templates: set[str] = set()  # the names of templates of variables
        self.included: dict[tuple[str, int], set[tuple[str, str]]] = {}  # see `ParsedUnit.included`
        shapes = {name: shape for file in files.values() for name, shape in file.shapes.items()}
        self._unbalanced = unbalanced(_FROM_HEADERS | shapes)
        self._statements = frozenset[bytes]().union(*(file.statements for file in files.values()))
        self._host_marks = host_marks(files.values())
        self._device_words = device_words(files.values())
        self._functions: set[str] = set()  # that are no kernels
        self._declared: list[tuple[str, tuple[str, ...], Piece]] = []  # templates of kernels, without a body
        self._defined: dict[str, set[tuple[str, ...]]] = {}  # templates of kernels: the types of their parameters
        self._includes: list[
            tuple[Pieces, int, str]
        ] = []  # the file and offset of each directive, and what it includes

    def run(self, parsed: Any) -> None:
        """Walk the unit."""
        macros = {path: [*file.active.uses(self._unbalanced)] for path, file in self.files.items()}
        for path, file in self.files.items():
            file.braces += macros[path]
        clang.visit(parsed.cursor, self._visit)
        self.kernels.choose_by_types(self._functions)
        self._leave_out_undefined()
        for path, file in self.files.items():
            file.pieces = merged(file.pieces)
            starts = [piece.start for piece in file.pieces]
            for macro in macros[path]:  # those inside a piece go with it
                index = bisect_right(starts, macro[0]) - 1
                if index >= 0 and file.pieces[index].end > macro[0]:
                    file.braces.remove(macro)
        self._join_included()

    def _leave_out_undefined(self) -> None:
        """Leave out templates of kernels that are only declared, beside others of their names.

        A name with template arguments would mean several functions, and the kernel would have no address.
        """
        for name, types, piece in self._declared:
            if types not in self._defined.get(name, {types}):
                piece.keep = NEVER

    def _join_included(self) -> None:
        """Let files that are included within a piece, such as the body of a function, go with it as a whole."""
        for file, offset, path in self._includes:
            inner = self.files[path]
            for piece in file.pieces:
                if piece.start <= offset < piece.end:
                    piece.includes.add(path)
                    inner.pieces = merged([*inner.pieces, Piece(0, len(inner.active.text), set(), NEVER, False)])
                    inner.braces = []

    def _visit(self, cursor: Any, _parent: Any) -> bool:
        place, _ = clang.extent(cursor)
        file = self.files.get(place.path)
        if file is None:
            return False
        number = cursor._kind_id
        if number == clang.INCLUSION:
            self.includes[cursor.spelling] = None
            path = clang.included(cursor)
            if path:
                self.included.setdefault((place.path, place.line), set()).add((cursor.spelling, path))
            if path in self.files:
                self._includes.append((file, place.offset, path))
            return False
        if number in _SCOPES:
            self._scope(cursor, number, place.offset, file)
            return True
        if number in clang.DECLARATIONS or (number == clang.UNEXPOSED and cursor.spelling.isidentifier()):
            self._piece(cursor, file)
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

    def _piece(self, cursor: Any, file: Pieces) -> None:
        """Add the piece of a declaration, and the kernel that it defines."""
        active, extents = file.active, Extents(file.active, self._unbalanced, self._statements)
        if not active.tokens:
            return
        begin = active.index(min(clang.extent(cursor)[0].offset, clang.place(cursor.location).offset))
        edge = file.edge(active.tokens[min(begin, len(active.tokens) - 1)].start)
        entity = declaration(cursor, active, extents, edge)
        piece = Piece(entity.start, entity.end, {entity.name}, REACHED, False)
        if entity.is_function:
            self._function(entity, piece)
        elif entity.kind == clang.VARIABLE:
            _variable(entity, piece)
            if piece.device and _is_member(entity) and not has_plain_name(entity.cursor):
                self.variable_templates.add(entity.name)
        elif entity.kind in CLASSES:
            piece.cuts = list(host_methods(cursor, active, extents, self._host_marks))
            piece.head = entity.head
            if piece.head:
                piece.outline = outline(cursor, active, extents, piece.head, entity.last)
            for member in member_kernels(cursor, active, extents):
                piece.keep, piece.device, piece.head = ALWAYS, True, 0
                piece.names.add(member.name)
                self._add(member)
            if entity.qualified.startswith(_USING_TRAITS):
                piece.names |= _arguments(entity)
        elif entity.kind == clang.ENUM:
            piece.names |= {child.spelling for child in cursor.get_children() if child._kind_id == clang.ENUMERATOR}
        elif entity.kind == clang.UNEXPOSED:
            self.variable_templates.add(entity.name)
        elif entity.kind in (clang.USING_DIRECTIVE, clang.USING_DECLARATION):
            piece.using = True
            piece.keep = ALWAYS if entity.kind == clang.USING_DIRECTIVE else REACHED
        elif entity.kind == clang.STATIC_ASSERT:
            piece.keep = NEVER
        file.pieces.append(piece)

    def _function(self, entity: Declaration, piece: Piece) -> None:
        """Say whether a function is for the device: all kernels, what is marked, and what constants may need."""
        if not entity.is_kernel:
            self._functions.add(entity.qualified)
        if entity.kind not in (clang.FUNCTION, clang.FUNCTION_TEMPLATE):
            piece.names = {entity.cursor.semantic_parent.spelling.partition("<")[0]}
        if entity.is_kernel and clang.is_variadic(entity.cursor.type):
            piece.keep, piece.device = NEVER, True  # nobody can launch `k(...)`: it is for overload resolution
        elif entity.is_kernel:
            piece.keep, piece.device = ALWAYS, True
            self._add(entity)
            if entity.kind == clang.FUNCTION_TEMPLATE:
                self._template(entity, piece)
        elif entity.is_marked or entity.words & (DEVICE_WORDS if _is_member(entity) else self._device_words):
            piece.device = entity.is_marked
            # Nothing names an operator where it is used, and nothing here what other files of the program call.
            called = self._is_part and entity.is_marked and entity.kind in _LINKED
            piece.keep = ALWAYS if called or entity.name.startswith("operator") else REACHED
        elif entity.kind == clang.FUNCTION_TEMPLATE and not entity.is_defined and not _is_member(entity):
            # It may stand in types, as in `sizeof(instance<T>()())`: without it another overload would be chosen there,
            # silently.
            piece.keep = REACHED
        else:
            piece.keep = NEVER

    def _add(self, entity: Declaration) -> None:
        """Add a kernel, if it is defined here."""
        if (
            entity.is_defined
            and not clang.is_specialization(entity.cursor)
            and not clang.is_variadic(entity.cursor.type)
        ):
            self.kernels.add(_kernel(entity))

    def _template(self, entity: Declaration, piece: Piece) -> None:
        """Note a template of kernels."""
        types = _spelled(entity)
        if entity.is_defined:
            self._defined.setdefault(entity.qualified, set()).add(types)
        else:
            self._declared.append((entity.qualified, types, piece))


def _is_member(entity: Declaration) -> bool:
    """Whether a function is a class's: those are not called by their name alone."""
    return entity.cursor.semantic_parent._kind_id in CLASSES


def _arguments(entity: Declaration) -> set[str]:
    """The words in the template arguments of a specialization."""
    tokens = entity.active.tokens[entity.first : entity.last + 1]
    words = [token.text for token in tokens if token.start > entity.place.offset]
    ends = [words.index(word) for word in (b"{", b":") if word in words]
    return {word.decode(errors="replace") for word in words[: min(ends, default=0)] if word[:1].isalpha()}


def _variable(entity: Declaration, piece: Piece) -> None:
    """Say whether a variable is for the device: what is marked, and constants."""
    parent = entity.cursor.semantic_parent
    if clang.SHARED_ATTRIBUTE in entity.marks:
        piece.device = True
    elif entity.cursor.type.get_canonical().spelling.startswith(("texture<", "surface<")):
        piece.keep, piece.device = ALWAYS, True  # references: Clang makes them the device's by their type
    elif entity.is_marked or entity.words & _DEVICE_VARIABLES:
        piece.keep, piece.device = ALWAYS, True
    elif parent is not None and parent._kind_id in CLASSES:
        piece.names.add(parent.spelling.partition("<")[0])
    elif not clang.is_constant(entity.cursor.type):
        piece.keep = NEVER


def _kernel(entity: Declaration) -> KernelDeclaration:
    """The kernel that a declaration defines."""
    classes = scope(entity.cursor, entity.active)
    is_template = entity.kind == clang.FUNCTION_TEMPLATE
    template = is_template or any(class_.arguments for class_ in classes)
    names = entity.qualified.split("::")
    names[len(names) - 1 - len(classes) : -1] = [class_.name for class_ in classes]
    return KernelDeclaration(
        "::".join(names),
        entity.parameters,
        template,
        entity.place.path,
        entity.place.line,
        entity.place.column,
        entity.bound,
        arguments=entity.template_parameters if is_template else (),
        spelled=() if template else _spelled(entity),
        scope=classes,
    )


def _spelled(entity: Declaration) -> tuple[str, ...]:
    """The types of a function's parameters, the same for all declarations of it."""
    return tuple(type_.get_canonical().spelling for type_ in clang.parameter_types(entity.cursor.type))
