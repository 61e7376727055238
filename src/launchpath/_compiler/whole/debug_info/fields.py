"""The fields of structs: of parameters, and of what a kernel's only parameter points to. A launch may give them."""

from __future__ import annotations

from ...signature import Parameter
from .types import Type

_BITS = 8


def fields(pointer: Type) -> tuple[tuple[Parameter, ...], str, int]:
    """Lay out the fields, or say why there are none; and give the struct's bytes.

    There are none if the parameter points to another type, or to a struct that is not all named fields, each at a byte
    of its own. Such a struct is incomplete, a union, or has bases, virtual functions, bit-fields, references or fields
    without a name.
    """
    if not pointer.is_pointer or pointer.is_array:
        return (), "", 0
    if pointer.bare.tag != "pointer_type":
        return (), "its parameter is a reference", 0
    inner = pointer.pointee.element
    if not inner.is_record:
        return (), f"its parameter points to {inner.bare.spelled}, which is not a struct", 0
    listed, lacking = _of_record(inner)
    return listed, lacking, inner.size if listed else 0


def _members(type_: Type) -> tuple[tuple[Parameter, ...], tuple[int, ...], str]:
    if type_.is_array:
        return (_place("", type_.element, 0),), type_.shape, ""
    if type_.is_record:
        listed, lacking = _of_record(type_)
        return listed, (), lacking
    return (), (), ""


def _of_record(record: Type) -> tuple[tuple[Parameter, ...], str]:
    """Lay out the fields of a record, or say why there are none."""
    if lacking := _lacking(record):
        return (), lacking
    listed = []
    for name, type_, offset in record.members():
        if lacking := _no_field(record.bare.name, name, type_):
            return (), lacking
        listed.append(_place(name, type_, offset // _BITS))
    return tuple(listed), "" if listed else f"{record.bare.name} has no fields"


def _place(name: str, type_: Type, offset: int) -> Parameter:
    kind = "struct" if type_.is_array else type_.kind or ""
    return Parameter(name, type_.spelled, kind, type_.size, type_.alignment, offset, *within(type_, kind))


def _lacking(inner: Type) -> str:
    """Say why a type has no fields for callers; empty if nothing speaks against it."""
    name = inner.bare.spelled
    if inner.bare.tag == "union_type":
        return f"{name} is a union"
    if inner.is_incomplete:
        return f"{name} is incomplete: it is declared, but not defined"
    if base := inner.base:
        return f"{name} has a base, {base}"
    return f"{name} has virtual functions" if inner.is_virtual else ""


def _no_field(struct: str, field: str, type_: Type) -> str:
    """Say why callers cannot set a field by its name; empty if they can."""
    name = f"{struct}.{field}"
    if type_.is_bit_field:
        return f"{name} is a bit-field" if field else f"{struct} has a bit-field without a name"
    if not field:
        kind = "union" if type_.bare.tag == "union_type" else "struct"
        return f"{struct} has a {kind} without a name in it"
    if type_.bare.tag in ("reference_type", "rvalue_reference_type"):
        return f"{name} is a reference"
    if type_.is_array:
        return f"{name} is an array without elements" if type_.size <= 0 else ""
    return f"{name} is of {type_.spelled}" if type_.kind is None else ""


def within(type_: Type, kind: str) -> tuple[str | None, bool, tuple[Parameter, ...], tuple[int, ...], str]:
    """Give `Parameter.pointee` and `Parameter.const`, and `members`, `shape` and `no_members` of a struct.

    Of a complex number, a struct, the first is its dtype.
    """
    if kind == "struct":
        return type_.complex_number, False, *_members(type_)
    return *(type_.data if kind == "pointer" else (None, False)), (), (), ""
