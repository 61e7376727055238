"""What kernels take, and what device globals are, from Clang's own types and layouts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from . import clang, types
from .instance import Instance
from .log import Message
from .signature import Parameter, Signature, pack
from .unit import Unit, refused

_GLOBALS = (clang.DEVICE_ATTRIBUTE, clang.CONSTANT_ATTRIBUTE)
_NAME = "__lp_signature_"
_BOUND = "__lp_bound_"
_TYPED = "__lp_typed_"
_COMPLETED = "__lp_completed_"
_NUMBERED = re.compile(f"(?:{_NAME}|{_TYPED})([0-9]+)")
_NUMBERED_BOUND = re.compile(f"{_BOUND}([0-9]+)")
_UNRESOLVED = "overloaded function could not be resolved"  # Clang's words if no template takes the arguments
_DYNAMIC = re.compile(rb"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b|\bHIP_DYNAMIC_SHARED\b")


@dataclass(slots=True)
class Layout:
    """What Clang says of a program's types.

    Attributes
    ----------
    signatures : list of Signature
        In the order of the instances. Shared memory is left to who compiles.
    variables : dict of str to (str, tuple of int)
        NumPy's dtype name and the shape of each device global by its name; bytes for what NumPy has no type for.
    types : list of tuple of str
        The types of the parameters, as C++ has them, in the order of the instances.
    """

    signatures: list[Signature]
    variables: dict[str, tuple[str, tuple[int, ...]]]
    types: list[tuple[str, ...]]


def layout(unit: Unit, instances: list[Instance], files: dict[str, bytes]) -> Layout:
    """Find the signatures, and the types of device globals.

    Parameters
    ----------
    unit : Unit
    instances : list of Instance
    files : dict of str to bytes
        The user's files without host code, see `Unit.reduced`.

    Returns
    -------
    Layout

    Raises
    ------
    CompileError
        A template cannot have these arguments, or a kernel's parameter no such type.
    """
    source = unit.source
    tail = ["", f'#line 1 "{_NAME}"']
    for number, instance in enumerate(instances):
        tail.append(f"typedef decltype({instance.expression}) {_NAME}{number};")
    # Where headers, or the program, have other functions of a kernel's name, the first is an error.
    for number, instance in enumerate(instances):
        if not instance.declaration.template and instance.declaration.types is None:
            by_type = instance.typed_expression(instance.declaration.spelled)
            tail.append(f"typedef decltype({by_type}) {_TYPED}{number};")
    for number, instance in enumerate(instances):
        if instance.declaration.template:
            tail.append(f'static_assert(__lp_sizes_of<{_NAME}{number}>::sum + 1, "");')
        if (bound := instance.declaration.bound) and not instance.declaration.template:
            tail.append(f"enum {{ {_BOUND}{number} = int({bound}) }};")
        if len(instance.declaration.parameters) == 1:
            tail.append(f"enum {{ {_COMPLETED}{number} = sizeof(__lp_completed(({_NAME}{number})0)) }};")
    dynamic = any(_DYNAMIC.search(text) for text in files.values())
    start = len(files[source.path])
    whole = files | {source.path: files[source.path] + "\n".join([*tail, ""]).encode()}
    with clang.lock:
        clang.forget_files()
        parsed = clang.translation_unit(source, whole, {"__LP_OUTLINE__": None}, clang.KEEP_GOING | clang.SKIP_BODIES)
        found = _Found(unit, instances)
        clang.visit(parsed.cursor, found.visit)
        errors = clang.errors(parsed)
        first = files[source.path].count(b"\n") + 3
        about = {error.place.line - first: error.message for error in reversed(errors) if error.place.offset >= start}
        own = [error for error in errors if error.place.path in unit.files and error.place.offset < start]
        made = [
            _signature(unit, instance, found.types.get(number), found, own, about.get(number, ""), dynamic)
            for number, instance in enumerate(instances)
        ]
        spelled = [_spelled(found.types[number]) for number in range(len(instances))]
        return Layout(made, {name: types.array(of) for name, of in found.variables.items()}, spelled)


def _spelled(of: Any) -> tuple[str, ...]:
    """The types of a kernel's parameters, from the type of its address."""
    return tuple(one.spelling for one in clang.parameter_types(of.get_canonical().get_pointee()))


def _is_kernel(of: Any) -> bool:
    """Whether the type of a kernel's address is known."""
    return of is not None and of.get_canonical().get_pointee()._kind_id == types.FUNCTION


class _Found:
    """What stands in a translation unit about the kernels."""

    def __init__(self, unit: Unit, instances: list[Instance]) -> None:
        self.types: dict[int, Any] = {}
        self.bounds: dict[str, int] = {}
        self.declared: dict[str, list[Any]] = {}
        self.variables: dict[str, Any] = {}
        self._instances = instances
        self._paths = frozenset(unit.files)
        self._names = {instance.name.rpartition("::")[2] for instance in instances}

    def visit(self, cursor: Any, _parent: Any) -> bool:
        number = cursor._kind_id
        if number in (clang.NAMESPACE, clang.LINKAGE):
            return clang.place(cursor.extent.start).path in self._paths
        name = cursor.spelling
        if number == clang.TYPEDEF and (match := _NUMBERED.fullmatch(name)) is not None:
            if not _is_kernel(self.types.get(int(match[1]))):
                self.types[int(match[1])] = cursor.underlying_typedef_type
        elif number == clang.ENUM:
            for child in cursor.get_children():
                if (match := _NUMBERED_BOUND.fullmatch(child.spelling)) is not None:
                    self.bounds[self._instances[int(match[1])].name] = child.enum_value
        elif number == clang.VARIABLE and clang.place(cursor.location).path in self._paths:
            if any(child._kind_id in _GLOBALS for child in cursor.get_children()):
                self.variables[_qualified(cursor)] = cursor.type
        elif number == clang.FUNCTION and name in self._names and clang.place(cursor.location).path in self._paths:
            self.declared.setdefault(_qualified(cursor), []).append(cursor)
        return False


def _qualified(cursor: Any) -> str:
    name = str(cursor.spelling)
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id == clang.NAMESPACE:
        name = f"{parent.spelling}::{name}" if parent.spelling and not parent.spelling.startswith("(") else name
        parent = parent.semantic_parent
    return name


def _signature(
    unit: Unit, instance: Instance, of: Any, found: _Found, own: list[clang.Diagnostic], said: str, dynamic: bool
) -> Signature:
    declaration = instance.declaration
    at = (declaration.line, declaration.column)
    if not _is_kernel(of):
        here = [
            Message(unit.name_of(error.place.path), error.place.line, error.place.column, "error", error.message)
            for error in own
        ]
        if _UNRESOLVED in said and declaration.arguments:
            said = f"the template takes <{', '.join(declaration.arguments)}>, and these arguments do not fit"
        text = f"kernel '{instance.name}' cannot be instantiated" + (f": {said}" if said else "")
        first = Message(unit.name_of(declaration.path), *at, "error", text)
        raise refused(unit, [first] if declaration.template or not here else here)
    canonical = of.get_canonical().get_pointee()
    if canonical.get_result().get_canonical()._kind_id != types.VOID:
        text = f"kernel '{instance.name}' must return void, not '{canonical.get_result().spelling}'"
        raise refused(unit, [Message(unit.name_of(declaration.path), *at, "error", text)])
    canonical_types = clang.parameter_types(canonical)
    spelled = canonical_types
    for cursor in found.declared.get(instance.name, ()):
        written = [child.type for child in cursor.get_children() if child._kind_id == clang.PARAMETER]
        same = zip(written, canonical_types, strict=False)
        if len(written) == len(spelled) and all(one.get_canonical() == other for one, other in same):
            spelled = written
    names = [name or f"arg{i}" for i, name in enumerate(declaration.parameters)]
    names += [f"arg{i}" for i in range(len(names), len(canonical_types))]  # a parameter pack
    if len(names) > len(canonical_types):
        names = names[: len(canonical_types)]
    for name, one in zip(names, canonical_types, strict=True):
        _check(unit, instance, name, one)
    kinds = [str(types.kind(one)) for one in canonical_types]
    layout = [
        (8, 8) if kind == "pointer" else (one.get_size(), one.get_align())
        for one, kind in zip(canonical_types, kinds, strict=True)
    ]
    offsets, size = pack(layout)
    parameters = []
    for name, one, text, kind, (bytes_, align), offset in zip(
        names, canonical_types, spelled, kinds, layout, offsets, strict=True
    ):
        pointee, const = types.pointee(one) if kind == "pointer" else (None, False)
        parameters.append(Parameter(name, types.spelled(text), kind, bytes_, align, offset, pointee, const))
    most = found.bounds.get(instance.name)
    fields, no_fields = _fields(canonical_types[0]) if len(canonical_types) == 1 else ((), "")
    return Signature(
        instance.name, tuple(parameters), size, dynamic_shared=dynamic, max_threads=most, fields=fields,
        fields_size=types.record_size(canonical_types[0]) if fields else 0, no_fields=no_fields,
    )  # fmt: skip


def _fields(of: Any) -> tuple[tuple[Parameter, ...], str]:
    """The fields of the struct that a kernel's only parameter points to, or why there are none."""
    made = []
    found, lacking = types.fields(of)
    for name, one, offset in found:
        kind = str(types.field_kind(one))
        pointee, const = types.pointee(one) if kind == "pointer" else (None, False)
        text = types.without_place(one) if kind == "struct" else types.spelled(one)
        made.append(Parameter(name, text, kind, one.get_size(), one.get_align(), offset, pointee, const))
    return tuple(made), lacking


def _check(unit: Unit, instance: Instance, name: str, of: Any) -> None:
    if types.kind(of) is not None:
        return
    declaration = instance.declaration
    what = "a reference" if types.is_reference(of) else f"of type '{of.spelling}'"
    text = f"parameter '{name}' of kernel '{instance.name}' cannot be {what}"
    message = Message(unit.name_of(declaration.path), declaration.line, declaration.column, "error", text)
    raise refused(unit, [message])
