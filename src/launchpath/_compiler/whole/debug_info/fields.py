"""The fields of the struct that a kernel's only parameter points to: a launch may give them by name."""

from __future__ import annotations

from ...signature import Parameter
from .types import Type

_BITS = 8


def fields(of: Type) -> tuple[tuple[Parameter, ...], str, int]:
    """Lay out the fields, or say why there are none; and give the struct's bytes.

    There are none if the parameter points to another type, or to a struct that is not all named fields, each at a byte
    of its own. Such a struct is incomplete, a union, or has bases, virtual functions, bit-fields, references or fields
    without a name.
    """
    if not of.is_pointer or of.is_array:
        return (), "", 0
    if of.bare.tag != "pointer_type":
        return (), "its parameter is a reference", 0
    inner = of.pointee.element
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


def _no_field(struct: str, field: str, of: Type) -> str:
    """Say why callers cannot set a field by its name; empty if they can."""
    name = f"{struct}.{field}"
    if of.is_bit_field:
        return f"{name} is a bit-field" if field else f"{struct} has a bit-field without a name"
    if not field:
        kind = "union" if of.bare.tag == "union_type" else "struct"
        return f"{struct} has a {kind} without a name in it"
    if of.bare.tag in ("reference_type", "rvalue_reference_type"):
        return f"{name} is a reference"
    if of.is_array:
        return f"{name} is an array without elements" if of.size <= 0 else ""
    return f"{name} is of {of.spelled}" if of.kind is None else ""


def pointee(of: Type, kind: str) -> tuple[str | None, bool]:
    """Give `Parameter.pointee` and `Parameter.const`; of a complex number, a struct, its dtype is the former."""
    if kind == "struct":
        return of.complex_number, False
    return of.data if kind == "pointer" else (None, False)
