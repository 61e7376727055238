"""The types in declarations of plain sources: numbers by their usual spellings, and pointers to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# Clang's spelling of each number, with its kind, its bytes, and the other spellings.
_NUMBERS = (
    ("bool", "bool", 1, ""), ("char", "int8", 1, ""), ("signed char", "int8", 1, "int8_t"),
    ("unsigned char", "uint8", 1, "uint8_t"), ("short", "int16", 2, "int16_t"),
    ("unsigned short", "uint16", 2, "uint16_t ushort"), ("int", "int32", 4, "int32_t"),
    ("unsigned int", "uint32", 4, "uint32_t uint"), ("long", "int64", 8, "int64_t"),
    ("unsigned long", "uint64", 8, "uint64_t ulong size_t"), ("long long", "int64", 8, ""),
    ("unsigned long long", "uint64", 8, ""), ("float", "float32", 4, ""), ("double", "float64", 8, ""),
)  # fmt: skip
# Further spellings, which Clang does not keep.
_LONGER = {
    "signed": "int", "signed int": "int", "unsigned": "unsigned int", "short int": "short", "long int": "long",
    "unsigned short int": "unsigned short", "unsigned long int": "unsigned long", "long long int": "long long",
    "unsigned long long int": "unsigned long long", "long unsigned int": "unsigned long",
}  # fmt: skip
_VECTORS = (
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double",
)  # fmt: skip

NUMBERS: dict[str, tuple[str, str, str, int]] = {}
"""By spelling: as messages have it, Clang's canonical spelling, kind and bytes."""
for _spelling, _kind, _size, _typedefs in _NUMBERS:
    NUMBERS[_spelling] = _spelling, _spelling, _kind, _size
    NUMBERS |= {name: (name, _spelling, _kind, _size) for name in _typedefs.split()}
NUMBERS |= {longer: NUMBERS[usual] for longer, usual in _LONGER.items()}

VECTORS = frozenset(f"{name}{count}" for name in _VECTORS for count in (1, 2, 3, 4))
WORDS = frozenset(word for spelling in NUMBERS for word in spelling.split()) | VECTORS | {"void"}
_RESTRICT = ("__restrict__", "__restrict")


class Type(NamedTuple):
    """The type of a kernel's parameter."""

    shown: str  # as in the source, without const and restrict of the parameter itself
    canonical: str  # as Clang spells it in the kernel's own type
    kind: str  # as in `Parameter.kind`
    size: int  # bytes, and what it is aligned to
    pointee: str | None = None  # as in `Parameter.pointee`
    const: bool = False  # as in `Parameter.const`
    element: str = ""  # what a pointer points to; empty for a number
    # as Clang spells it in the declaration: `canonical` with const and restrict of the parameter itself
    spelled: str = ""

    @property
    def is_qualified(self) -> bool:
        """Whether the parameter itself is const or restrict."""
        return self.spelled != self.canonical


def parameter(words: Sequence[str]) -> Type | None:
    """Read the type of a kernel's parameter; None if it is another than a number, or a pointer to numbers or void."""
    base, rest = _base(words)
    if base is None:
        return None
    const = "const" in words[: len(words) - len(rest)]
    spelling = " ".join(base)
    if not rest:
        if spelling not in NUMBERS:
            return None
        shown, canonical, kind, size = NUMBERS[spelling]
        return Type(shown, canonical, kind, size, spelled=f"const {canonical}" if const else canonical)
    if not _is_star(rest) or (spelling != "void" and spelling not in NUMBERS):
        return None
    shown, canonical, kind, _ = NUMBERS.get(spelling, ("void", "void", "", 0))
    before = "const " if const else ""
    pointee = None if canonical in ("void", "char") else kind
    qualifiers = " ".join("__restrict" if word in _RESTRICT else word for word in rest[1:])
    star = f"{before}{canonical} *"
    return Type(f"{before}{shown} *", star, "pointer", 8, pointee, const, canonical, star + qualifiers)


def is_of_function(words: Sequence[str], returned: bool = False) -> bool:
    """Whether a device function takes it, or returns it: vectors too, and references."""
    base, rest = _base(words)
    if base is None:
        return False
    spelling = " ".join(base)
    if spelling == "void" and (not rest or rest[0] != "*"):
        return returned and not rest
    is_known = spelling in NUMBERS or spelling in VECTORS or spelling == "void"
    if rest and rest[0] == "&":
        return is_known and (len(rest) == 1 or (len(rest) == 2 and rest[1] in _RESTRICT))
    return is_known and (not rest or _is_star(rest))


def _base(words: Sequence[str]) -> tuple[Sequence[str] | None, Sequence[str]]:
    """The words of a number, or void, without const, and those behind them; None if there is another word."""
    end = next((index for index, word in enumerate(words) if word not in WORDS and word != "const"), len(words))
    base = [word for word in words[:end] if word != "const"]
    # `const` stands before or behind all other words, and once.
    inner = words[1:] if words[:1] == ["const"] else words[: end - 1] if words[:end][-1:] == ["const"] else words[:end]
    is_usual = bool(base) and len(base) >= end - 1 and [*inner][: len(base)] == base
    return (base if is_usual else None), words[end:]


def _is_star(words: Sequence[str]) -> bool:
    """Whether it is a star, with at most one const and one restrict behind."""
    rest = [*words[1:]]
    if rest[:1] == ["const"]:
        rest = rest[1:]
    if rest and rest[0] in _RESTRICT:
        rest = rest[1:]
    return bool(words) and words[0] == "*" and not rest
