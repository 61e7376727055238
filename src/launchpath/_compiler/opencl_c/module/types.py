"""SPIR-V's types."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ...spirv.enumerants import Storage


class Kind(Enum):
    """What a type is."""

    VOID = auto()
    BOOL = auto()
    INT = auto()
    FLOAT = auto()
    VECTOR = auto()
    ARRAY = auto()
    STRUCT = auto()
    POINTER = auto()
    FUNCTION = auto()
    OPAQUE = auto()


@dataclass(slots=True, eq=False)
class Type:
    """A type."""

    id: int
    kind: Kind
    bits: int = 0  # of an integer or a floating-point number
    count: int = 0  # elements of a vector or an array
    element: Type | None = None  # of a vector or an array; what a pointer points to; what a function returns
    members: tuple[Type, ...] = ()  # of a structure; parameters of a function
    storage: Storage | None = None  # of a pointer
    packed: bool = False  # a structure whose members follow each other without padding, and that is aligned to 1 byte

    @property
    def inner(self) -> Type:
        """`element`, of a type that has one: only a pointer that is declared ahead lacks it, until it is read."""
        assert self.element is not None
        return self.element

    @property
    def scalar(self) -> Type:
        """A vector's element, or the type itself."""
        return self.inner if self.kind is Kind.VECTOR else self

    @property
    def lanes(self) -> int:
        """A vector's elements; 1 for all else."""
        return self.count if self.kind is Kind.VECTOR else 1

    @property
    def innermost(self) -> Type:
        """What is left of an array of arrays when all arrays are taken off."""
        element = self
        while element.kind is Kind.ARRAY:
            element = element.inner
        return element

    @property
    def flat_count(self) -> int:
        """How many innermost elements an array has; 1 for all else."""
        return self.count * self.inner.flat_count if self.kind is Kind.ARRAY else 1


def alignment(type_: Type) -> int:
    """Bytes to which LLVM, and OpenCL C, align a type in memory."""
    match type_.kind:
        case Kind.INT | Kind.FLOAT:
            return type_.bits // 8
        case Kind.VECTOR:
            return alignment(type_.inner) * (4 if type_.count == 3 else type_.count)
        case Kind.ARRAY:
            return alignment(type_.inner)
        case Kind.STRUCT:
            return 1 if type_.packed else max((alignment(member) for member in type_.members), default=1)
        case Kind.POINTER:
            return 8
    return 1


def size(type_: Type) -> int:
    """Bytes that a type takes in memory, padding at its end included."""
    match type_.kind:
        case Kind.INT | Kind.FLOAT | Kind.VECTOR | Kind.POINTER:
            return alignment(type_)
        case Kind.BOOL:
            return 1
        case Kind.ARRAY:
            return type_.count * size(type_.inner)
        case Kind.STRUCT:
            end = offset(type_, len(type_.members))
            whole = alignment(type_)
            return (end + whole - 1) // whole * whole
    return 1


def offset(type_: Type, index: int) -> int:
    """Byte at which a structure's member begins; after the last one, where that ends."""
    place = 0
    for number, member in enumerate(type_.members):
        whole = 1 if type_.packed else alignment(member)
        place = (place + whole - 1) // whole * whole
        if number == index:
            return place
        place += size(member)
    return place
