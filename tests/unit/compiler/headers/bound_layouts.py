"""HIP's types as its bindings have them: sizes, offsets of members, and numbers of enums."""

import ctypes
import enum
import re
from typing import Any

from rocm.bindings import hip

# Types that the headers leave out: of contexts of parts of a device, of lists of operations, and of arrays' insides.
_LEFT_OUT = re.compile(
    r"hipDev.*Resource|hipStreamBatchMemOp|hipBatchMemOp|hipArrayMapInfo|hipMipmappedArray|hipmipmappedArray"
    r"|hipMemcpy3D(BatchOp|Operand)|hipMemcpyAttributes|hipOffset3D|hipMemFabricHandle|textureReference"
    r"|surfaceReference|hipMemcpyFlags|hipMemcpySrcAccessOrder|hipDriver|hipDevSm|hipDevWorkqueue"
    r"|hipMemRange(Flags|Handle)|hipDataType|hipLibraryPropertyType|hipExternal\w+_st$"
)
_OF_THE_BINDINGS = re.compile(r"_(union|struct)_\d+|_const_t$|_t$(?<!Prop_t)(?<!Attribute_t)(?<!Arch_t)(?<!UUID_t)")


def _is_bound(name: str) -> bool:
    value = getattr(hip, name)
    return isinstance(value, type) and hasattr(value, "PROPERTIES") and hasattr(value, "c_sizeof")


def structs() -> list[str]:
    """Name the structs and unions that programs may use."""
    return [
        name for name in dir(hip) if _is_bound(name) and not _LEFT_OUT.match(name) and not _OF_THE_BINDINGS.search(name)
    ]


def size(name: str) -> int:
    """Give the size of a type."""
    return getattr(hip, name)().c_sizeof()


def _read(value: Any, member: str) -> object:
    try:
        read = getattr(value, member)
    except (ValueError, UnicodeDecodeError) as error:
        return str(error)
    if hasattr(read, "as_c_void_p"):
        return read.as_c_void_p().value or 0
    return list(read) if isinstance(read, (list, tuple)) else read


def offsets(name: str) -> dict[str, int]:
    """Find where a struct's members are: what is read of a member changes with the bytes that are its own.

    A struct within the struct is read as its address. Where a byte is the first of several members, of a union, each
    of them changes.
    """
    value = getattr(hip, name)()
    base, length = value.as_c_void_p().value, value.c_sizeof()
    members = list(type(value).PROPERTIES())
    ctypes.memset(base, 0, length)
    before = {member: _read(value, member) for member in members}
    found = {}
    for member, read in before.items():
        if isinstance(read, int) and base <= read < base + length:
            found[member] = read - base
    for place in range(length):
        ctypes.memset(base, 0, length)
        ctypes.memset(base + place, 1, 1)
        for member in members:
            if member not in found and _read(value, member) != before[member]:
                found[member] = place
    ctypes.memset(base, 0, length)
    return found


def enumerators() -> dict[str, int]:
    """Give the numbers of all enums' members."""
    numbers = {}
    for name in dir(hip):
        value = getattr(hip, name)
        if isinstance(value, type) and issubclass(value, enum.IntEnum) and not _LEFT_OUT.match(name):
            numbers |= {member: int(number) for member, number in value.__members__.items()}
    return numbers
