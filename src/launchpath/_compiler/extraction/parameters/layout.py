"""The parameters of kernels, and the types of device globals, from Clang's own types and layouts.

Declarations that name each kernel's type are put behind the source, and Clang parses both: a parse without function
bodies, and without code. The compilation calls `layout` before it builds; launches pack their arguments by the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from launchpath.errors import CompileError

from ...kernels import messages as kernel_messages
from ...kernels.dynamic_shared import has_dynamic_shared
from ...kernels.instance import Instance, access, normal
from ...messages.log import Message
from ...signature import Layout, Parameter, Signature, pack
from ...source.unit import refused
from .. import clang, parsed_headers
from ..pieces.piece import Piece
from ..pieces.reached import reached
from ..unit import ParsedUnit
from . import types
from .questions import NAME, Answers, questions

_NUMBER = re.compile("[1-9][0-9]*")
_UNRESOLVED = "overloaded function could not be resolved"  # Clang's words if no template takes the arguments


def layout(unit: ParsedUnit, instances: list[Instance], files: dict[str, bytes]) -> Layout:
    """Find the signatures, and the types of device globals.

    Parameters
    ----------
    unit : ParsedUnit
    instances : list of Instance
    files : dict of str to bytes
        The user's files without host code, see `ParsedUnit.reduced`.

    Raises
    ------
    CompileError
        A template cannot have these arguments, or a kernel's parameter no such type.
    """
    source = unit.source
    if (from_first_parse := _of_first_parse(unit, instances, files)) is not None:
        return from_first_parse
    start = len(files[source.path])
    text = "\n".join(["", f'#line 1 "{NAME}"', *questions(instances), ""])
    whole = unit.with_tail(files, text)
    macros = {"__LP_OUTLINE__": None, **access(instances)}
    with clang.lock:
        clang.forget_files()
        parsed = parsed_headers.parse(source, whole, macros, clang.KEEP_GOING | clang.SKIP_BODIES)
        answers = Answers(unit, instances)
        clang.visit(parsed.cursor, answers.visit)
        errors = clang.errors(parsed)
        first = whole[source.path].partition(text[1:].partition("\n")[0].encode())[0].count(b"\n") + 2
        program = _Program(
            unit,
            answers,
            errors=[error for error in errors if error.place.path in unit.files and error.place.offset < start],
            refusals={e.place.line - first: e.message for e in reversed(errors) if e.place.offset >= start},
            dynamic_shared=has_dynamic_shared(files),
        )
        return program.layout(instances)


def _of_first_parse(unit: ParsedUnit, instances: list[Instance], files: dict[str, bytes]) -> Layout | None:
    """Find the layout without a second parse; None if a question is left, or if the first parse had errors.

    The first parse has the types of kernels that are no templates. It is asked once: it takes memory. A class without
    its host's methods may be laid out in another way: then only the second parse has it.
    """
    parsed, unit.parsed = unit.parsed, None
    if parsed is None or not all(map(_asks_nothing, instances)) or any(piece.cuts for piece in _reached(unit)):
        return None
    with clang.lock:
        clang.forget_files()
        answers = Answers(unit, instances)
        clang.visit(parsed.cursor, answers.visit)
        for number, instance in enumerate(instances):
            cursors = answers.declared.get(instance.name, [])
            if len({cursor.type.get_canonical().spelling for cursor in cursors}) != 1:
                return None
            answers.functions[number] = cursors[0].type.get_canonical()
            if any(type_.get_size() <= 0 for type_ in clang.parameter_types(answers.functions[number])):
                return None
            if instance.declaration.bound is not None:
                answers.bounds[instance.name] = int(instance.declaration.bound)
        return _Program(unit, answers, [], {}, has_dynamic_shared(files)).layout(instances)


def _reached(unit: ParsedUnit) -> Iterator[Piece]:
    ids = reached(unit)
    return (piece for file in unit.files.values() for piece in file.pieces if id(piece) in ids)


def _asks_nothing(instance: Instance) -> bool:
    """Whether a kernel's own declaration says all about it."""
    declaration = instance.declaration
    if declaration.template or declaration.types is not None:
        return False
    # A pointer does not complete the class template that it points to, whose fields are wanted.
    is_complete = len(declaration.spelled) != 1 or "<" not in declaration.spelled[0]
    return is_complete and (declaration.bound is None or _NUMBER.fullmatch(declaration.bound) is not None)


def of_known(
    unit: ParsedUnit, chosen: list[Instance], names: set[str], warnings: list[Message]
) -> tuple[list[Instance], Layout]:
    """Find the signatures; an instance that host code launches with types that have no name here is left out.

    Parameters
    ----------
    unit : ParsedUnit
    chosen : list of Instance
    names : set of str
        The names that the caller asks for, of which none is left out.
    warnings : list of Message
        Those about instances that are left out are added.
    """
    files = unit.reduced()
    try:
        return chosen, layout(unit, chosen, files)
    except CompileError:
        files = unit.reduced(every_header=True)
        with suppress(CompileError):
            return chosen, layout(unit, chosen, files)
        instances = [*_named(unit, chosen, files, names, warnings)]
        return instances, layout(unit, instances, files)


def _named(
    unit: ParsedUnit, kernels: list[Instance], files: dict[str, bytes], names: set[str], warnings: list[Message]
) -> Iterator[Instance]:
    """Yield the instances that have a signature, of several that have none together.

    The parser is asked about each half, and so on: mostly few instances are to be left out.
    """
    middle = len(kernels) // 2
    for some in (kernels[:middle], kernels[middle:]) if middle else (kernels,):
        try:
            if some:
                layout(unit, some, files)
        except CompileError as error:
            if len(some) > 1:
                yield from _named(unit, some, files, names, warnings)
                continue
            (kernel,) = some
            if not kernel.declaration.template or normal(kernel.name) in names:
                raise
            text = f"kernel '{kernel.name}' is skipped: {str(error).splitlines()[0]}"
            warnings.append(kernel_messages.message_at(unit, kernel, "warning", text))
        else:
            yield from some


class _Parameter(NamedTuple):
    """A kernel's parameter as Clang has it."""

    name: str
    type: Any  # the canonical one
    written: Any  # the type with the source's typedefs; the canonical one for a template


@dataclass(slots=True)
class _Program:
    """What a parse says of a program."""

    unit: ParsedUnit
    answers: Answers
    errors: list[clang.Diagnostic]  # those in the user's own text
    refusals: dict[int, str]  # why a kernel's address cannot be taken, by the instances' numbers
    dynamic_shared: bool  # whether there is shared memory of a size that the launch gives

    def _has_libcuxx(self) -> bool:
        """Whether cuda::std::complex is libcu++'s, which NVRTC compiles with, and not launchpath's own for Clang."""
        is_nvrtc = any(name == "__CUDACC_RTC__" for name, _ in self.unit.source.machine)
        return is_nvrtc and any(b"cuda/std/complex" in file.active.original for file in self.unit.files.values())

    def layout(self, instances: list[Instance]) -> Layout:
        """Put together what is known of all kernels."""
        answers = self.answers
        return Layout(
            [self._signature(number, instance) for number, instance in enumerate(instances)],
            {name: types.array(type_) for name, type_ in answers.variables.items()},
            [
                tuple(parameter.spelling for parameter in clang.parameter_types(answers.functions[number]))
                for number in range(len(instances))
            ],
        )

    def _signature(self, number: int, instance: Instance) -> Signature:
        """Make a kernel's signature."""
        function = self.answers.functions.get(number)
        if function is None:
            self._refuse_kernel(instance, self.refusals.get(number, ""))
        result = function.get_result()
        if result.get_canonical()._kind_id != types.VOID:
            self._refuse(instance, f"kernel '{instance.name}' must return void, not '{result.spelling}'")
        parameters = self._parameters(instance, function)
        fields, no_fields, fields_size = _fields(parameters)
        laid_out, size = _laid_out(parameters, self._has_libcuxx())
        return Signature(
            instance.name, laid_out, size, dynamic_shared=self.dynamic_shared,
            max_threads=self.answers.bounds.get(instance.name), fields=fields, fields_size=fields_size,
            no_fields=no_fields,
        )  # fmt: skip

    def _parameters(self, instance: Instance, function: Any) -> list[_Parameter]:
        """The kernel's parameters, each of a type that a kernel can take."""
        canonical = clang.parameter_types(function)
        names = _names(instance.declaration.parameters, len(canonical))
        parameters = [
            _Parameter(*parameter)
            for parameter in zip(names, canonical, self._written(instance, canonical), strict=True)
        ]  # fmt: skip
        for parameter in parameters:
            if types.kind(parameter.type) is None:
                spelled = f"of type '{parameter.type.spelling}'"
                kind = "a reference" if types.is_reference(parameter.type) else spelled
                self._refuse(instance, f"parameter '{parameter.name}' of kernel '{instance.name}' cannot be {kind}")
        return parameters

    def _written(self, instance: Instance, canonical: list[Any]) -> list[Any]:
        """The types as the kernel's declaration has them, or the canonical ones."""
        written = canonical
        for cursor in self.answers.declared.get(instance.name, ()):
            declared = [child.type for child in cursor.get_children() if child._kind_id == clang.PARAMETER]
            if len(declared) == len(canonical) and all(
                type_.get_canonical() == other for type_, other in zip(declared, canonical, strict=True)
            ):
                written = declared
        return written

    def _refuse_kernel(self, instance: Instance, reason: str) -> NoReturn:
        """Refuse a kernel whose address has no type: for the user's own errors, if there are any, or for its name."""
        declaration = instance.declaration
        if self.errors and not declaration.template:
            raise refused(self.unit, [self._message(error) for error in self.errors])
        if _UNRESOLVED in reason and declaration.arguments:
            reason = f"the template takes <{', '.join(declaration.arguments)}>, and these arguments do not fit"
        self._refuse(instance, f"kernel '{instance.name}' cannot be instantiated" + (f": {reason}" if reason else ""))

    def _refuse(self, instance: Instance, text: str) -> NoReturn:
        """Refuse a kernel, where it is declared."""
        declaration = instance.declaration
        name = self.unit.name_of(declaration.path)
        raise refused(self.unit, [Message(name, declaration.line, declaration.column, "error", text)])

    def _message(self, error: clang.Diagnostic) -> Message:
        place = error.place
        return Message(self.unit.name_of(place.path), place.line, place.column, "error", error.message)


def _names(declared: tuple[str, ...], count: int) -> list[str]:
    """The names of parameters. A parameter without a name, or of a parameter pack, gets a name."""
    names = [name or f"arg{i}" for i, name in enumerate(declared[:count])]
    return names + [f"arg{i}" for i in range(len(names), count)]


def _laid_out(parameters: list[_Parameter], libcuxx: bool) -> tuple[tuple[Parameter, ...], int]:
    """The parameters in their places, and the size of all; `libcuxx`: complex numbers are those of libcu++."""
    canonical = [parameter.type for parameter in parameters]
    kinds = ["texture" if types.is_texture(p.written) else str(types.kind(p.type)) for p in parameters]
    sizes = [
        (8, 8) if kind == "pointer" else (type_.get_size(), types.alignment(type_, libcuxx))
        for type_, kind in zip(canonical, kinds, strict=True)
    ]
    offsets, size = pack(sizes)
    laid_out = tuple(
        Parameter(parameter.name, types.spelled(parameter.written), kind, bytes_, align, offset, *_within(type_, kind))
        for parameter, type_, kind, (bytes_, align), offset in zip(
            parameters, canonical, kinds, sizes, offsets, strict=True
        )
    )
    return laid_out, size


def _fields(parameters: list[_Parameter]) -> tuple[tuple[Parameter, ...], str, int]:
    """The fields of the struct that a kernel's only parameter points to, or why there are none, and its size."""
    if len(parameters) != 1:
        return (), "", 0
    pointer = parameters[0].type
    within, lacking = types.fields(pointer)
    fields = [_place(name, type_, offset) for name, type_, offset in within]
    return tuple(fields), lacking, types.record_size(pointer) if fields else 0


def _place(name: str, type_: Any, offset: int) -> Parameter:
    """A field of a struct."""
    kind = "texture" if types.is_texture(type_) else str(types.field_kind(type_))
    text = types.without_place(type_) if kind == "struct" else types.spelled(type_)
    size, align = type_.get_size(), type_.get_align()
    return Parameter(name, text, kind, size, align, offset, *_within(type_, kind))


def _within(type_: Any, kind: str) -> tuple[str | None, bool, tuple[Parameter, ...], tuple[int, ...], str]:
    """`Parameter.pointee` and `Parameter.const` of a type, and `members`, `shape` and `no_members` of a struct.

    A complex number, a struct, has its dtype as the pointee.
    """
    if kind == "struct":
        return types.complex_number(type_), False, *_members(type_)
    return *(types.pointee(type_) if kind == "pointer" else (None, False)), (), (), ""


def _members(type_: Any) -> tuple[tuple[Parameter, ...], tuple[int, ...], str]:
    if types.is_array(type_):
        element, shape = types.element_and_shape(type_)
        return (_place("", element, 0),), shape, ""
    if types.is_record(type_):
        within, lacking = types.fields_of_record(type_.get_canonical())
        return tuple(_place(*field) for field in within), (), lacking
    return (), (), ""
