"""How types are spelled in OpenCL C, and the declarations that those spellings need.

Integers are spelled unsigned, since SPIR-V's have no sign: instructions that need one cast. What memory holds is
spelled by names of its own (``f32``, ``u8x4``), which say that an access may alias any other: Clang has merged and
split accesses before, so that their types promise nothing. An array as a value is a structure ``{ T e[N]; }``, which
C can copy; a pointer to an array points to its innermost element.
"""

from __future__ import annotations

from ...spirv.enumerants import Storage
from ..dialect import Dialect
from ..failure import UnsupportedConstruct
from ..module.reader import Unit
from ..module.types import Kind, Type, alignment, size
from .names import Names

_INTEGERS = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}
_SIGNED = {8: "char", 16: "short", 32: "int", 64: "long"}
_FLOATS = {16: "half", 32: "float", 64: "double"}
LANES = (2, 3, 4, 8, 16)


class Spelling:
    """The types of one module in one dialect."""

    def __init__(self, unit: Unit, dialect: Dialect, names: Names) -> None:
        self.unit, self.dialect, self.names = unit, dialect, names
        self.declarations: list[str] = []  # the declarations that the requested spellings need, in order
        self.widths: set[int] = set()  # bits of the floating-point numbers that are computed with
        self._forward: list[str] = []
        self._type_names: dict[object, str] = {}
        self._qualifiers = {
            Storage.UniformConstant: "__global " if dialect.generic else "__constant ",
            Storage.Workgroup: "__local ",
            Storage.CrossWorkgroup: "__global ",
            Storage.Function: "__private " if dialect.generic else "",
            Storage.Generic: "" if dialect.generic else "__global ",
        }

    def text(self) -> str:
        """Give all declarations."""
        return "\n".join([*self._forward, *self.declarations])

    def qualifier(self, space: Storage) -> str:
        """Give the address space's word, with a blank after it, or nothing."""
        if space not in self._qualifiers:
            raise UnsupportedConstruct(f"a pointer to {space.name.lower()} memory")
        return self._qualifiers[space]

    def same(self, first: Storage, second: Storage) -> bool:
        """Whether two address spaces are spelled alike."""
        return self.qualifier(first) == self.qualifier(second)

    def value(self, type_: Type, space: Storage | None = None) -> str:
        """Spell the type of a value; `space` is the address space that a pointer is known to point to."""
        match type_.kind:
            case Kind.VOID:
                return "void"
            case Kind.BOOL:
                return "bool"
            case Kind.INT:
                return _INTEGERS[type_.bits]
            case Kind.FLOAT:
                return self._float(type_)
            case Kind.VECTOR:
                return self._vector(type_)
            case Kind.POINTER:
                assert type_.storage is not None
                return self.pointer(type_.inner, type_.storage if space is None else space)
            case Kind.ARRAY:
                return self._array(type_)
            case Kind.STRUCT:
                return self._structure(type_)
        raise UnsupportedConstruct("a pointer to a function")

    def signed(self, type_: Type) -> str:
        """Spell an integer type, or a vector of it, signed."""
        name = _SIGNED[type_.scalar.bits]
        return f"{name}{type_.lanes}" if type_.lanes > 1 else name

    def mask(self, type_: Type) -> str:
        """Spell the vector of signed integers that is as wide as a vector: the mask that `select` takes for it."""
        return f"{_SIGNED[type_.scalar.bits]}{type_.lanes}"

    def memory(self, type_: Type, aligned: int = 0) -> str:
        """Spell a type in memory; `aligned` is the alignment of an access, 0 for the type's own.

        An array's spelling is that of its innermost element.
        """
        type_ = type_.innermost
        match type_.kind:
            case Kind.BOOL | Kind.VOID | Kind.OPAQUE | Kind.FUNCTION:
                name, plain = "u8", "uchar"
            case Kind.STRUCT:
                name = plain = self._structure(type_)
                if not aligned or aligned >= alignment(type_):
                    return name
            case Kind.POINTER:
                plain = self.value(type_)
                existing = self._type_names.get(("pointer", plain))
                name = existing or self.names.new("address")
                self._type_names["pointer", plain] = name
            case _:
                plain = self.value(type_)
                letter = "f" if type_.scalar.kind is Kind.FLOAT else "u"
                name = f"{letter}{type_.scalar.bits}" + (f"x{type_.lanes}" if type_.lanes > 1 else "")
        attributes = "may_alias"
        if aligned and aligned < alignment(type_):
            name, attributes = f"{name}_a{aligned}", f"may_alias, aligned({aligned})"
        if ("memory", name) not in self._type_names:
            self._type_names["memory", name] = self.names.reserve(name)
            self.declarations.append(f"typedef {plain} {name} __attribute__(({attributes}));")
        return name

    def pointer(self, pointee: Type, space: Storage, aligned: int = 0) -> str:
        """Spell a pointer to a type in memory."""
        return f"{self.qualifier(space)}{self.memory(pointee, aligned)} *"

    def blob(self, bytes_: int, aligned: int) -> str:
        """Spell a structure of `bytes_` bytes, to copy memory by."""
        aligned = min(aligned & -aligned, 16) if aligned else 1
        while bytes_ % aligned:
            aligned //= 2
        key = ("blob", bytes_, aligned)
        if key not in self._type_names:
            self._type_names[key] = name = self.names.new(f"bytes_{bytes_}" + (f"_a{aligned}" if aligned > 1 else ""))
            self.declarations.append(
                f"typedef struct {{ uchar b[{bytes_}]; }} __attribute__((may_alias, aligned({aligned}))) {name};"
            )
        return self._type_names[key]

    def aligned(self, name: str, aligned: int) -> str:
        """Spell a structure aligned further than it is by itself."""
        key = ("aligned", name, aligned)
        if key not in self._type_names:
            self._type_names[key] = alias = self.names.new(f"{name}_a{aligned}")
            self.declarations.append(f"typedef {name} {alias} __attribute__((aligned({aligned})));")
        return self._type_names[key]

    def variable(self, type_: Type, name: str, aligned: int = 0, qualifier: str = "") -> str:
        """Spell the declaration of a variable in memory; `qualifier` is its own, such as its address space."""
        inner = type_.innermost
        spelled = "uchar" if inner.kind is Kind.BOOL else self.value(inner)
        many = f"[{max(type_.flat_count, 1)}]" if type_.kind is Kind.ARRAY else ""
        attribute = f" __attribute__((aligned({aligned})))" if aligned > alignment(type_) else ""
        if not qualifier:
            return f"{spelled} {name}{many}{attribute}"
        if inner.kind is Kind.POINTER:  # before the star it would be of what is pointed to
            return f"{spelled} {qualifier} {name}{many}{attribute}"
        return f"{qualifier} {spelled} {name}{many}{attribute}"

    def _float(self, type_: Type) -> str:
        self.widths.add(type_.bits)
        return _FLOATS[type_.bits]

    def _vector(self, type_: Type) -> str:
        if type_.count not in LANES:
            raise UnsupportedConstruct(f"a vector of {type_.count} elements")
        match type_.inner.kind:
            case Kind.BOOL:
                return f"char{type_.count}"
            case Kind.POINTER:
                raise UnsupportedConstruct("a vector of pointers")
        return f"{self.value(type_.inner)}{type_.count}"

    def _array(self, type_: Type) -> str:
        key = ("array", type_.id)
        if key not in self._type_names:
            element = self._member(type_.inner)
            self._type_names[key] = name = self.names.new(f"array_{type_.count}_{element.split()[0]}")
            self.declarations.append(
                f"typedef struct {{ {element} e[{max(type_.count, 1)}]; }} __attribute__((may_alias)) {name};"
            )
        return self._type_names[key]

    def _member(self, type_: Type) -> str:
        return self._array(type_) if type_.kind is Kind.ARRAY else self.memory(type_)

    def _structure(self, type_: Type) -> str:
        key = ("structure", type_.id)
        if key not in self._type_names:
            base = self.unit.names.get(type_.id, "struct").removeprefix("struct.").removeprefix("class.")
            self._type_names[key] = name = self.names.new(base.split("<")[0])
            self._forward.append(f"typedef struct {name} {name};")
            members = [f"{self._member(member)} {self.field(index)};" for index, member in enumerate(type_.members)]
            attributes = "may_alias, packed" if type_.packed else "may_alias"
            body = " ".join(members)
            self.declarations.append(f"struct __attribute__(({attributes})) {name} {{ {body} }};")
        return self._type_names[key]

    @staticmethod
    def field(index: int) -> str:
        """Name a structure's member."""
        return f"m{index}"


def fits(type_: Type, aligned: int) -> int:
    """Give the alignment to spell an access with: 0 if the type's own will do."""
    return 0 if not aligned or aligned >= alignment(type_) or size(type_) == 1 else aligned
