"""Clang's types in the form for launches: kind, size, alignment, and the type behind a pointer."""

from __future__ import annotations

import re
from typing import Any

from ...kernels.variable import Variable, bytes_of
from .. import clang

# Clang's type kinds (clang-c/Index.h), by number.
_BOOL, _NULL, _POINTER, _LREFERENCE, _RREFERENCE, _RECORD, _ENUM = 3, 24, 101, 103, 104, 105, 106
VOID, FUNCTION = 2, 111
_BASE = 44  # kind of a cursor
_VECTORS = (113, 176)
_ARRAYS = (112, 114, 115, 116)
_CHARS = (4, 13)
# char (13) and wchar_t (15) are signed on the host whose types Clang takes; where char is not, it has number 4.
_SIGNED = (13, 14, 15, 16, 17, 18, 19)
_UNSIGNED = (4, 5, 6, 7, 8, 9, 10, 11)
_UNEXPOSED = 1  # libclang has no number for char8_t
_COMPLEX = 100
_QUALIFIERS = re.compile(r"\b(?:const|volatile) ")
# CUDA's and HIP's complex numbers are their pairs.
_PAIRS = re.compile(r"(?:[\w:]*\bcomplex<|(?:struct )?|HIP_vector_type<)(float|double)(?:2|, 2)?>?")
_VECTOR = re.compile(
    r"(?:struct )?(u?)(char|short|int|long|longlong|float|double)([1-4])|HIP_vector_type<(.+), ([1-4])U?>"
)
_NUMBERS = {"char": "int8", "short": "int16", "int": "int32", "float": "float32", "double": "float64"}
_UNNAMED = re.compile(r"(?:\w+ )?[\w:]*\((?:unnamed|anonymous) (\w+) at .*:\d+:\d+\)")
_TEXTURES = ("cudaTextureObject_t", "hipTextureObject_t", "CUtexObject")
_FLOATS = {21: "float32", 22: "float64", 31: "float16", 32: "float16"}


def _kind(canonical: Any) -> str | None:
    number = canonical._kind_id
    if number == _RECORD and canonical.get_declaration().spelling == "__half":
        return "float16"
    if number == _BOOL:
        return "bool"
    if number in _SIGNED:
        return f"int{canonical.get_size() * 8}"
    if number in _UNSIGNED:
        return f"uint{canonical.get_size() * 8}"
    if number in _FLOATS:
        return _FLOATS[number]
    if number == _ENUM:
        return _kind(canonical.get_declaration().enum_type.get_canonical())
    if number == _UNEXPOSED and _QUALIFIERS.sub("", canonical.spelling) == "char8_t":
        return "uint8"
    return None


def kind(type_: Any) -> str | None:
    """`Parameter.kind` of a type, or None if it cannot be a kernel's parameter."""
    canonical = type_.get_canonical()
    number = canonical._kind_id
    if number in (_POINTER, _NULL, _LREFERENCE) or number in _ARRAYS:
        return "pointer"
    own_kind = _kind(canonical)
    if own_kind is None and (number == _RECORD or number in _VECTORS):
        return "struct" if canonical.get_size() > 0 else None
    return own_kind


def is_texture(type_: Any) -> bool:
    """Whether a type as it is written is that of texture objects, an integer by another name."""
    while (declaration := type_.get_declaration())._kind_id in (clang.TYPEDEF, clang.ALIAS):
        if declaration.spelling in _TEXTURES:
            return True
        type_ = declaration.underlying_typedef_type
    return False


def complex_number(type_: Any) -> str | None:
    """NumPy's name of a struct that is a complex number of CUDA, HIP, thrust or the C++ library; else None."""
    canonical = type_.get_canonical()
    if canonical._kind_id == _COMPLEX:
        part = _FLOATS.get(canonical.element_type._kind_id, "")
    else:
        name = _QUALIFIERS.sub("", canonical.spelling)
        match = _PAIRS.fullmatch(name) if canonical._kind_id == _RECORD or canonical._kind_id in _VECTORS else None
        part = f"float{8 * canonical.get_size() // 2}" if match is not None else ""
    return {"float32": "complex64", "float64": "complex128"}.get(part)


def alignment(type_: Any, libcuxx: bool) -> int:
    """Bytes that a parameter is aligned to. In libcu++ a complex number is aligned as a pair is."""
    is_standard = libcuxx and complex_number(type_) is not None and "std::" in type_.get_canonical().spelling
    return int(type_.get_size() if is_standard else type_.get_align())


def is_reference(type_: Any) -> bool:
    """Whether it is a reference to a temporary object."""
    return bool(type_.get_canonical()._kind_id == _RREFERENCE)


def is_array(type_: Any) -> bool:
    """Whether it is an array, of known size or not."""
    return type_.get_canonical()._kind_id in _ARRAYS


def _element(canonical: Any) -> tuple[Any, bool]:
    """Return the type of an array's elements, or the type itself, and whether it is const."""
    const = bool(canonical.is_const_qualified())
    while canonical._kind_id in _ARRAYS:
        canonical = canonical.element_type
        const = const or bool(canonical.is_const_qualified())
    return canonical, const


def pointee(type_: Any) -> tuple[str | None, bool]:
    """NumPy's dtype name of a pointer's pointee (None: any), and whether the pointee is const."""
    canonical = type_.get_canonical()
    if canonical._kind_id == _NULL:
        return None, False
    inner = canonical.element_type if canonical._kind_id in _ARRAYS else canonical.get_pointee()
    inner, const = _element(inner)
    number = inner._kind_id
    return None if number in _CHARS or number == _POINTER else _kind(inner), const


def fields(type_: Any) -> tuple[list[tuple[str, Any, int]], str]:
    """Name, type and offset in bytes of each field of the struct that a pointer points to, or why there are none."""
    canonical = type_.get_canonical()
    if canonical._kind_id != _POINTER:
        return [], "its parameter is a reference" if canonical._kind_id == _LREFERENCE else ""
    inner, _ = _element(canonical.get_pointee())
    if inner._kind_id != _RECORD:
        return [], f"its parameter points to {_bare_name(inner)}, which is not a struct"
    return fields_of_record(inner)


def fields_of_record(inner: Any) -> tuple[list[tuple[str, Any, int]], str]:
    """Name, type and offset in bytes of each field of a record, or why there are none.

    There are none if it is not all named fields, each at a byte of its own: if it is incomplete, a union, or has bases,
    virtual functions, bit-fields, references or fields without a name.
    """
    name = _bare_name(inner)
    declaration = inner.get_declaration()
    if declaration._kind_id == clang.UNION:
        return [], f"{name} is a union"
    if inner.get_size() <= 0:
        return [], f"{name} is incomplete: it is declared, but not defined"
    # An instance of a class template has its fields, but only the template has its bases and functions.
    template = clang.library().conf.lib.clang_getSpecializedCursorTemplate(declaration)
    for child in [*declaration.get_children(), *(template.get_children() if template is not None else ())]:
        if child._kind_id == _BASE:
            return [], f"{name} has a base, {child.type.spelling}"
        if child._kind_id in (clang.METHOD, clang.DESTRUCTOR, clang.CONVERSION) and child.is_virtual_method():
            return [], f"{name} has virtual functions"
    named_fields = []
    for child in inner.get_fields():
        lacking = _no_field(name, child)
        offset = inner.get_offset(child.spelling) if not lacking else -1
        if offset < 0:
            return [], lacking or f"{name} cannot be laid out"
        named_fields.append((str(child.spelling), child.type, offset // 8))
    return named_fields, "" if named_fields else f"{name} has no fields"


def _bare_name(type_: Any) -> str:
    return re.sub(r"^(?:const |volatile )+", "", type_.spelling)


def is_record(type_: Any) -> bool:
    """Whether it is a struct, a class or a union."""
    return bool(type_.get_canonical()._kind_id == _RECORD)


def element_and_shape(type_: Any) -> tuple[Any, tuple[int, ...]]:
    """The type of the elements of an array of arrays, and its extents."""
    canonical, shape = type_.get_canonical(), []
    while canonical._kind_id in _ARRAYS:
        shape.append(max(0, canonical.element_count if canonical._kind_id == _ARRAYS[0] else 0))
        canonical = canonical.element_type.get_canonical()
    return canonical, tuple(shape)


def _no_field(struct: str, field: Any) -> str:
    """Say why callers cannot set a field by its name; empty if they can."""
    name = f"{struct}.{field.spelling}"
    kind = field.type.get_canonical()._kind_id
    if field.is_bitfield():
        return f"{name} is a bit-field" if field.spelling else f"{struct} has a bit-field without a name"
    if not field.spelling or "(" in field.spelling:  # "(anonymous union at ...)"
        inner = field.type.get_canonical().get_declaration()._kind_id
        return f"{struct} has a {'union' if inner == clang.UNION else 'struct'} without a name in it"
    if kind in (_LREFERENCE, _RREFERENCE):
        return f"{name} is a reference"
    if field_kind(field.type) is None:
        return f"{name} is an array without elements" if is_array(field.type) else f"{name} is of {field.type.spelling}"
    return ""


def record_size(type_: Any) -> int:
    """Bytes of a pointer's pointee."""
    return int(type_.get_canonical().get_pointee().get_size())


def field_kind(type_: Any) -> str | None:
    """`Parameter.kind` of a field: an array is kept as bytes."""
    if is_array(type_):
        return "struct" if type_.get_size() > 0 else None
    return None if type_.get_canonical()._kind_id in (_LREFERENCE, _RREFERENCE) else kind(type_)


def array(type_: Any) -> Variable:
    """NumPy dtype name and shape of a variable; bytes for what NumPy has no type for."""
    canonical, shape = element_and_shape(type_)
    if canonical._kind_id == _POINTER:
        is_function = canonical.get_pointee().get_canonical()._kind_id == FUNCTION
        return Variable("uint64", shape, "" if is_function else pointee(canonical)[0] or "void")
    name, count = _vector(canonical) if canonical._kind_id in (_RECORD, *_VECTORS) else (None, 0)
    if name is not None:
        return Variable(name, (*shape, count))
    name = _kind(canonical)
    return Variable(name, shape) if name is not None else Variable("uint8", (max(0, type_.get_size()),))


def _vector(canonical: Any) -> tuple[str | None, int]:
    """NumPy's name of the elements of CUDA's and HIP's vectors, and of Clang's, and their number; else None."""
    if canonical._kind_id in _VECTORS:
        name, count = _kind(canonical.element_type.get_canonical()), int(canonical.element_count)
    else:
        match = _VECTOR.fullmatch(_QUALIFIERS.sub("", canonical.spelling))
        first = next(iter(canonical.get_fields()), None) if match is not None else None
        if match is None or first is None:
            return None, 0
        name, count = _kind(first.type.get_canonical()), int(match[3] or match[5])
        element = _NUMBERS.get(match[2] or "", "int64")
        if match[2] and name != (f"u{element}" if match[1] else element):
            return None, 0  # a struct of the program's own
    return (name, count) if name is not None and canonical.get_size() == bytes_of(name, (count,)) else (None, 0)


def without_place(type_: Any) -> str:
    """Spell a type; of a struct or union without a name where it stands is left out."""
    return _UNNAMED.sub(r"\1", type_.spelling)


def spelled(type_: Any) -> str:
    """Spell a parameter's type as in the source: an array as a pointer, ``restrict`` left out."""
    text = re.sub(r"\s*\b(?:__)?restrict(?:__)?\b", "", without_place(type_))
    return re.sub(r"\s*\[\d*\]", " *", text, count=1) if is_array(type_) else text
