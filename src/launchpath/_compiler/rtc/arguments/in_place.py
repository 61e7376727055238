"""Which parameters of a kernel can be read where they are, and how its text says so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...extraction import clang
from ...extraction.unit import ParsedUnit
from ...kernels.instance import Instance
from ...signature import Layout
from .uses import Uses, can_change

_ADDRESS = "__lp_address_"
_SCOPES = frozenset({clang.NAMESPACE, clang.LINKAGE})
_FUNCTIONS = frozenset({clang.FUNCTION, clang.FUNCTION_TEMPLATE})


class Edit(NamedTuple):
    """A byte of a file, and the text that replaces it."""

    path: str
    offset: int
    new: bytes


def in_place(unit: ParsedUnit, instances: list[Instance], layout: Layout, names: set[str]) -> dict[str, list[Edit]]:
    """Find the parameters that need no copy, and the edits that make them const references, by the kernels' names.

    These compilers copy a parameter that comes from memory for each thread, even if it is only read. A parameter that
    is const, or that every instance of the kernel only reads, can as well be a const reference. Kernels that are chosen
    by the types of their parameters are left as they are.

    Parameters
    ----------
    unit : ParsedUnit
    instances : list of Instance
    layout : Layout
        What they take.
    names : set of str
        Kernels by their names without namespaces.
    """
    values = _values(instances, layout, names)
    if not any(values.values()):
        return {}
    edits: dict[str, list[Edit]] = {}
    for every_header in (False, True):  # at first without the headers that kernels seem not to use
        files = unit.reduced(every_header)
        with clang.lock:
            parsed = _Parsed(unit, instances, files)
            read = {name: parsed.only_read(name, numbers) for name, numbers in values.items()}
            edits = {name: parsed.edits(name, numbers) for name, numbers in read.items()}
        if read == values or not parsed.errors or not unit.includes:
            break
    return edits


def _values(instances: list[Instance], layout: Layout, names: set[str]) -> dict[str, set[int]]:
    """The structs among the parameters, by the kernels' names: numbers are copied into registers anyway."""
    kinds: dict[str, list[list[str]]] = {}
    overloaded = set()
    for instance, signature in zip(instances, layout.signatures, strict=True):
        name = plain(instance)
        if name in names:
            kinds.setdefault(name, []).append([parameter.kind for parameter in signature.parameters])
            if instance.declaration.types is not None:
                overloaded.add(name)
    return {
        name: {
            number
            for number, of_each in enumerate(zip(*kinds_of_files, strict=False))
            if "struct" in of_each and "pointer" not in of_each
        }
        for name, kinds_of_files in kinds.items()
        if name not in overloaded
    }


def plain(instance: Instance) -> str:
    """A kernel's name without namespaces and arguments."""
    return instance.declaration.name.rpartition("::")[2]


class _Parsed:
    """A source whose kernels have their bodies. Hold `clang.lock` for as long as it is used."""

    def __init__(self, unit: ParsedUnit, instances: list[Instance], files: dict[str, bytes]) -> None:
        source = unit.source
        tail = "".join(
            f"\nstatic const void *{_ADDRESS}{number}() {{ return (const void *)({instance.expression}); }}"
            for number, instance in enumerate(instances)
        )
        whole = unit.with_tail(files, tail)
        clang.forget_files()
        self._unit = clang.translation_unit(source, whole, {}, clang.KEEP_GOING)
        self.errors = [error for error in clang.errors(self._unit) if error.place.path in files]
        self._uses = Uses(clang.errors(self._unit), unit.macros(), tuple(f"{folder}/" for folder in source.system))
        self._instances = instances
        self._files = files
        self._definitions: dict[str, list[Any]] = {}
        self._declarations: dict[str, list[Any]] = {}
        clang.visit(self._unit.cursor, self._visit)

    def only_read(self, name: str, numbers: set[int]) -> set[int]:
        """Which of these parameters all instances of a name only read."""
        definitions = self._definitions.get(name, [])
        if len(definitions) != sum(plain(instance) == name for instance in self._instances):
            return set()
        return {number for number in numbers if all(self._is_only_read(function, number) for function in definitions)}

    def _is_only_read(self, function: Any, number: int) -> bool:
        parameters = [*function.get_arguments()]
        if number >= len(parameters) or can_change(parameters[number].type):
            return False
        is_const = parameters[number].type.get_canonical().is_const_qualified()
        return bool(is_const or self._uses.only_read(function, parameters[number]))

    def edits(self, name: str, numbers: set[int]) -> list[Edit]:
        """The edits that make parameters const references, for those that can change in every declaration."""
        declarations = [
            [child for child in cursor.get_children() if child._kind_id == clang.PARAMETER]
            for cursor in self._declarations.get(name, ())
        ]
        chosen: list[Edit] = []
        for number in numbers:
            candidates = [self._edit(parameters[number]) for parameters in declarations if number < len(parameters)]
            edits = [edit for edit in candidates if edit is not None]
            if len(edits) == len(declarations):
                chosen += edits
        return chosen

    def _edit(self, parameter: Any) -> Edit | None:
        """Put `&` in place of the space before a parameter's name: columns behind it move, by value they do not."""
        place, name = clang.place(parameter.location), parameter.spelling.encode()
        text, offset = self._files.get(place.path, b""), place.offset - 1
        is_there = name and text[offset + 1 : offset + 1 + len(name)] == name and text[offset : offset + 1] == b" "
        if not is_there or not _is_whole(text, offset, offset + 1 + len(name)):
            return None
        return Edit(place.path, offset, b"&" if parameter.type.is_const_qualified() else b" const&")

    def _visit(self, cursor: Any, _parent: Any) -> bool:
        if clang.extent(cursor)[0].path not in self._files:
            return False
        name = cursor.spelling.partition("<")[0]
        if cursor._kind_id == clang.FUNCTION and name.startswith(_ADDRESS):
            number = int(name.removeprefix(_ADDRESS))
            function = _function(cursor)
            if function is not None and (definition := function.get_definition()) is not None:
                self._definitions.setdefault(plain(self._instances[number]), []).append(definition)
        elif cursor._kind_id in _FUNCTIONS:
            self._declarations.setdefault(name, []).append(cursor)
        return cursor._kind_id in _SCOPES


def _function(cursor: Any) -> Any:
    """The function whose address is taken in another one."""
    functions: list[Any] = []

    def visit(child: Any, _parent: Any) -> bool:
        referenced = child.referenced
        if child._kind_id == clang.REFERENCE and referenced is not None and referenced._kind_id == clang.FUNCTION:
            functions.append(referenced)
        return True

    clang.visit(cursor, visit)
    return functions[0] if len(functions) == 1 else None


def _is_whole(text: bytes, start: int, end: int) -> bool:
    """Whether nothing but a type stands before a parameter's name, and nothing of the parameter behind it."""
    before, following = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    return (before.isalnum() or before in (b"_", b">")) and following in (b",", b")")


def applied(edits: Iterable[Edit], path: str, text: bytes) -> bytes:
    """A file's text with these edits."""
    changed = bytearray(text)
    for edit in sorted((edit for edit in edits if edit.path == path), key=lambda edit: edit.offset, reverse=True):
        changed[edit.offset : edit.offset + 1] = edit.new
    return bytes(changed)
