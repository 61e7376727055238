"""The fields of the struct that a kernel's only parameter points to: a launch may give them by name."""

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
    if lacking := _lacking(inner):
        return (), lacking, 0
    within = []
    for name, type_, offset in inner.members():
        if lacking := _no_field(inner.bare.name, name, type_):
            return (), lacking, 0
        kind = "struct" if type_.is_array else type_.kind or ""
        place = Parameter(
            name, type_.spelled, kind, type_.size, type_.alignment, offset // _BITS, *pointee(type_, kind)
        )
        within.append(place)
    name = inner.bare.name
    return tuple(within), "" if within else f"{name} has no fields", inner.size if within else 0


def _lacking(inner: Type) -> str:
    """Say why a type has no fields for callers; empty if nothing speaks against it."""
    name = inner.bare.spelled
    if not inner.is_record:
        return f"its parameter points to {name}, which is not a struct"
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


def pointee(type_: Type, kind: str) -> tuple[str | None, bool]:
    """Give `Parameter.pointee` and `Parameter.const`; of a complex number, a struct, its dtype is the former."""
    if kind == "struct":
        return type_.complex_number, False
    return type_.data if kind == "pointer" else (None, False)
