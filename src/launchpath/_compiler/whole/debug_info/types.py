"""Types in debug information, in the form for launches, and names as Clang writes them.

A name may have types in it, as template arguments, and a type has a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from .closures import is_closure
from .nodes import DebugInfo, Node

# Types that C++ writes behind `*`, and what they add to a name.
_POINTERS = {"pointer_type": "*", "reference_type": "&", "rvalue_reference_type": "&&"}
_QUALIFIERS = {"const_type": "const", "volatile_type": "volatile", "restrict_type": "", "atomic_type": ""}
_RECORDS = ("structure_type", "class_type", "union_type")
_TEXTURES = ("cudaTextureObject_t", "hipTextureObject_t", "CUtexObject")
_PAIRS = re.compile(r"(?:[\w:]*\bcomplex<|HIP_vector_type<)?(float|double)(?:2|, 2U?)?>?")
_ADDRESS = 64  # bits
_ENCODINGS = {
    "DW_ATE_signed": "int", "DW_ATE_signed_char": "int", "DW_ATE_unsigned": "uint", "DW_ATE_unsigned_char": "uint",
    "DW_ATE_UTF": "uint", "DW_ATE_float": "float",
}  # fmt: skip

_SCOPES = ("DINamespace", "DICompositeType")
_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 39: "\\'", 92: "\\\\"}


class Type:
    """A type.

    Parameters
    ----------
    info : DebugInfo
    number : str or None
        Its node; none for ``void``.
    """

    def __init__(self, info: DebugInfo, number: str | None, is_bit_field: bool = False) -> None:
        self._info, self.number, self.is_bit_field = info, number, is_bit_field
        self.node = info.node(number) if number is not None and number in info else None
        if self.node is None:
            self.number = None

    def _linked(self, name: str, node: Node | None = None) -> Type:
        node = self.node if node is None else node
        number = node.values.get(name) if node is not None else None
        return Type(self._info, number if number in self._info else None)

    @cached_property
    def bare(self) -> Type:
        """The type without typedefs and qualifiers."""
        type_ = self
        while type_.node is not None and (type_.node.tag == "typedef" or type_.node.tag in _QUALIFIERS):
            type_ = type_._linked("baseType")
        return type_

    @property
    def tag(self) -> str:
        """What it is, as DWARF has it; ``base_type`` for a number, empty for ``void``."""
        if self.node is None:
            return ""
        return self.node.tag or ("base_type" if self.node.kind == "DIBasicType" else self.node.kind)

    @property
    def is_const(self) -> bool:
        """Whether it is declared const, by itself or by a typedef."""
        type_ = self
        while type_.node is not None and (type_.node.tag == "typedef" or type_.node.tag in _QUALIFIERS):
            if type_.node.tag == "const_type":
                return True
            type_ = type_._linked("baseType")
        return False

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer or a reference."""
        return self.bare.tag in _POINTERS or self._is_null

    @property
    def is_record(self) -> bool:
        """Whether it is a struct, a class or a union."""
        return self.bare.tag in _RECORDS

    @property
    def is_incomplete(self) -> bool:
        """Whether it is declared only."""
        node = self.bare.node
        return node is None or "DIFlagFwdDecl" in node.values.get("flags", "")

    @property
    def base(self) -> str:
        """The name of a record's first base; empty if it has none."""
        for member in self._elements():
            if member.tag == "inheritance":
                return self._linked("baseType", member).spelled
        return ""

    @property
    def is_virtual(self) -> bool:
        """Whether a record has virtual functions."""
        return any("virtuality" in member.values or "_vptr" in member.text("name") for member in self._elements())

    def _elements(self) -> list[Node]:
        node = self.bare.node
        return (
            [member for member in self._info.list(node, "elements") if member is not None] if node is not None else []
        )

    @property
    def is_temporary(self) -> bool:
        """Whether it is a reference to a temporary object."""
        return self.bare.tag == "rvalue_reference_type"

    @property
    def _is_null(self) -> bool:
        return self.bare.tag == "unspecified_type"

    @property
    def is_vector(self) -> bool:
        """Whether it is one of Clang's vectors."""
        node = self.bare.node
        return node is not None and node.tag == "array_type" and "DIFlagVector" in node.values.get("flags", "")

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return self.bare.tag == "array_type" and not self.is_vector

    @property
    def pointee(self) -> Type:
        """What a pointer points to."""
        return self.bare._linked("baseType")

    @property
    def element(self) -> Type:
        """What an array has."""
        type_ = self
        while type_.bare.tag == "array_type" and not type_.is_vector:
            type_ = type_.bare._linked("baseType")
        return type_

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of an array of arrays; empty for any other type."""
        if not self.is_array or self.bare.node is None:
            return ()
        extents = [each.number("count") for each in self._info.list(self.bare.node, "elements") if each is not None]
        return (*extents, *self.bare._linked("baseType").shape)

    @cached_property
    def size(self) -> int:
        """Bytes; 0 if it is incomplete."""
        bare = self.bare
        if bare.node is None:
            return 0
        if bare.is_pointer:
            return _ADDRESS // 8
        return bare.node.number("size") // 8

    @cached_property
    def alignment(self) -> int:
        """Bytes."""
        type_ = self
        while type_.node is not None:
            if bits := type_.node.number("align"):
                return bits // 8
            if type_.node.tag != "typedef" and type_.node.tag not in _QUALIFIERS:
                break
            type_ = type_._linked("baseType")
        if type_.bare.tag in _RECORDS:
            return max([1, *(member.alignment for _, member, _ in self.members(bases=True))])
        if type_.is_array:
            return type_.element.alignment
        if type_.tag == "enumeration_type" and type_.node is not None and "baseType" in type_.node.values:
            return type_._linked("baseType").alignment
        size = type_.size or 1
        return 1 << (size - 1).bit_length() if type_.is_vector else size

    def members(self, bases: bool = False) -> list[tuple[str, Type, int]]:
        """List name, type and offset in bits of each field of a record, those of bases by the bases' own."""
        listed = []
        for member in self._elements():
            flags = member.values.get("flags", "")
            if "DIFlagStaticMember" not in flags and (
                member.tag == "member" or (bases and member.tag == "inheritance")
            ):
                type_ = Type(self._info, member.values.get("baseType"), "DIFlagBitField" in flags)
                listed.append((member.text("name"), type_, member.number("offset")))
        return listed

    @property
    def name(self) -> str:
        """The name of a record, enumeration or typedef, with its namespaces and template arguments."""
        return "void" if self.number is None else qualified(self._info, self.number)

    @property
    def scope_of_enumerators(self) -> str:
        """What stands before the names of an enumeration's values."""
        node = self.bare.node
        if node is not None and "DIFlagEnumClass" in node.values.get("flags", ""):
            return f"{self.bare.name}::"
        before, separator, _ = self.bare.name.rpartition("::")
        return before + separator

    @property
    def spelled(self) -> str:
        """The type as C++ has it."""
        if self.node is None:
            return "void"
        tag = self.node.tag
        if tag in _POINTERS:
            inner = self._linked("baseType")
            if inner.bare.tag == "DISubroutineType":
                return f"{inner._signature(_POINTERS[tag])}"
            gap = "" if inner.spelled.endswith(("*", "&")) else " "
            return f"{inner.spelled}{gap}{_POINTERS[tag]}"
        if tag in _QUALIFIERS:
            inner, word = self._linked("baseType"), _QUALIFIERS[tag]
            if not word:
                return inner.spelled
            return f"{inner.spelled}{word}" if inner.tag in _POINTERS else f"{word} {inner.spelled}"
        if self.bare.tag == "DISubroutineType" and tag != "typedef":
            return self._signature("")
        if tag == "array_type":
            return f"{self.element.spelled}{''.join(f'[{extent}]' for extent in self.shape)}"
        return self.name or self._unnamed()

    def _signature(self, sign: str) -> str:
        parts = [Type(self._info, n) for n in self._parts()]
        result, parameters = (parts[0], parts[1:]) if parts else (Type(self._info, None), [])
        return f"{result.spelled} ({sign})({', '.join(type_.spelled for type_ in parameters)})"

    def _parts(self) -> tuple[str | None, ...]:
        node = self.bare.node
        types = self._info.linked(node, "types") if node is not None else None
        return types.parts if types is not None else ()

    def _unnamed(self) -> str:
        return {"class_type": "lambda", "union_type": "union"}.get(self.bare.tag, "struct")

    @cached_property
    def number_kind(self) -> str | None:
        """``int32`` and the like of a number; else None."""
        bare = self.bare
        if bare.node is None:
            return None
        if bare.tag in _RECORDS:
            return "float16" if bare.name == "__half" else None
        if bare.tag == "enumeration_type":
            return bare._linked("baseType").number_kind or f"int{bare.size * 8}"
        if bare.tag != "base_type":
            return None
        encoding = bare.node.values.get("encoding", "")
        if encoding == "DW_ATE_boolean":
            return "bool"
        word = _ENCODINGS.get(encoding)
        if word is None or bare.node.text("name") in ("__bf16", "__float128", "long double"):
            return None
        return f"{word}{bare.size * 8}"

    @property
    def kind(self) -> str | None:
        """`Parameter.kind`, or None if it cannot be a kernel's parameter."""
        if self.is_temporary:
            return None
        if self.is_pointer:
            return "pointer"
        if self._is_texture():
            return "texture"
        number_kind = self.number_kind
        if number_kind is None and (self.bare.tag in _RECORDS or self.is_vector) and self.size > 0:
            return "struct"
        return number_kind

    def _is_texture(self) -> bool:
        type_ = self
        while type_.node is not None and (type_.node.tag == "typedef" or type_.node.tag in _QUALIFIERS):
            if type_.node.text("name") in _TEXTURES:
                return True
            type_ = type_._linked("baseType")
        return False

    @property
    def complex_number(self) -> str | None:
        """NumPy's name of a struct that is a complex number of CUDA, HIP, thrust or the C++ library; else None."""
        bare = self.bare
        encoding = bare.node.values.get("encoding") if bare.node is not None else None
        if encoding == "DW_ATE_complex_float":
            return f"complex{bare.size * 8}"
        match = _PAIRS.fullmatch(bare.name) if bare.tag in _RECORDS else None
        return {8: "complex64", 16: "complex128"}.get(bare.size) if match is not None else None

    @property
    def data(self) -> tuple[str | None, bool]:
        """NumPy's name of what a pointer points to (None: any), and whether that is const."""
        inner = self.pointee
        const = inner.is_const
        inner = inner.element
        const = const or inner.is_const
        bare = inner.bare
        is_char = bare.node is not None and bare.node.text("name") == "char"
        return None if is_char or bare.is_pointer else inner.number_kind, const


def qualified(info: DebugInfo, number: str) -> str:
    """Give the name of a node, by its number."""
    node = info.node(number)
    names = [_own_arguments(info, number, node)]
    while (scope := info.linked(node, "scope")) is not None and scope.kind in _SCOPES:
        if (outer := _own_arguments(info, node.values["scope"], scope)) and scope.values.get("exportSymbols") != "true":
            names.insert(0, outer)
        node = scope
    return "::".join(filter(None, names))


def template(info: DebugInfo, number: str) -> str:
    """Give the name of a node without its last template arguments."""
    name = qualified(info, number)
    arguments = _own_arguments(info, number, info.node(number))
    return name[: len(name) - len(arguments)] + arguments.partition("<")[0]


def _own_arguments(info: DebugInfo, number: str, node: Node) -> str:
    if node.kind == "DICompositeType" and is_closure(node):
        return info.closures.name(number)
    name = node.text("name")
    if node.values.get("templateParams") not in info:
        return name
    return f"{name.partition('<')[0]}<{', '.join(_arguments(info, node))}>"


def _arguments(info: DebugInfo, node: Node) -> Iterator[str]:
    """Yield the template arguments of a node; those that have the values of defaults are left out."""
    for parameter in info.list(node, "templateParams"):
        if parameter is None or parameter.values.get("defaulted") == "true":
            continue
        if parameter.tag == "GNU_template_parameter_pack":
            for inner in info.list(parameter, "value"):
                if inner is not None:
                    yield _argument(info, inner)
        else:
            yield _argument(info, parameter)


def _argument(info: DebugInfo, parameter: Node) -> str:
    type_ = Type(info, parameter.values.get("type"))
    if parameter.kind == "DITemplateTypeParameter":
        return type_.spelled
    value = parameter.values.get("value", "")
    if parameter.tag == "GNU_template_template_param":
        return value.lstrip("!").strip('"')
    return _value(info, type_, value)


def _value(info: DebugInfo, type_: Type, value: str) -> str:
    """Write the value of a template parameter."""
    kind, _, text = value.rpartition(" ")
    if kind.startswith("ptr"):
        return _address(info, type_, text)
    if text in ("true", "false"):
        return text
    bare = type_.bare
    if bare.tag == "enumeration_type":
        for element in info.list(bare.node, "elements") if bare.node is not None else ():
            if element is not None and element.values.get("value") == text:
                return f"{bare.scope_of_enumerators}{element.text('name')}"
        return f"({bare.name}){text}"
    name = bare.name
    if name in ("char", "signed char", "unsigned char") and text.lstrip("-").isdigit():
        code = int(text) & 0xFF
        shown = _ESCAPES.get(code) or (chr(code) if 32 <= code < 127 else f"\\x{code:02x}")
        return f"'{shown}'" if name == "char" else f"({name})'{shown}'"
    if name.startswith("unsigned ") and text.startswith("-"):
        text = str(int(text) & ((1 << (8 * bare.size)) - 1))
    return text


def _address(info: DebugInfo, type_: Type, text: str) -> str:
    """Write the address of a function or a variable."""
    if text == "null":
        return "nullptr"
    number = info.by_linkage(text.removeprefix("@").strip('"'))
    name = qualified(info, number) if number else text.removeprefix("@").strip('"')
    return name if type_.bare.tag in ("reference_type", "rvalue_reference_type") else f"&{name}"
