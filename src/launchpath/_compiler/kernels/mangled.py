"""The parameters in a kernel's mangled name (Itanium's C++ ABI)."""

from __future__ import annotations

import ctypes
import re
from functools import cache

from launchpath._report.mangled import demangled as in_cpp

from ..source.text import separated

# C's type, `Parameter.kind` (None: a struct, or not known), the pointee's dtype, whether the pointee is const.
Type = tuple[str, str | None, str | None, bool]

_KINDS = {
    "bool": "bool", "char": "int8", "signed char": "int8", "unsigned char": "uint8", "short": "int16",
    "unsigned short": "uint16", "int": "int32", "unsigned int": "uint32", "long": "int64", "unsigned long": "uint64",
    "long long": "int64", "unsigned long long": "uint64", "float": "float32", "double": "float64",
    "__half": "float16", "_Float16": "float16", "half": "float16",
}  # fmt: skip
_ANY = ("char", "signed char", "void")  # pointers to these point to anything


# What Clang says of a template argument whose parameter is `auto`. GCC's library does not know it before version 14.
_DEDUCED = re.compile(r"TnD[ac]")


def parameters(entry: str) -> list[Type] | None:
    """The types of a kernel's parameters; None if its name does not tell."""
    text = demangled(entry)
    if text is None or not text.endswith(")"):
        return None
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] in ")>") - (text[index] in "(<")
        if depth == 0:
            inside = text[index + 1 : -1]
            return [_type(parameter) for parameter in separated(inside)] if inside not in ("", "void") else []
    return None


def _type(text: str) -> Type:
    text = text.strip()
    if text.endswith(("*", "* const", "*restrict", "* __restrict")):
        pointee = re.sub(r"\*\s*(?:const|restrict|__restrict)?$", "", text).strip()
        const = bool(re.search(r"\bconst\b", pointee)) and not pointee.endswith("*")
        plain = re.sub(r"\b(?:const|volatile)\b", "", pointee).strip() if not pointee.endswith("*") else pointee
        return f"{'const ' if const else ''}{plain} *", "pointer", None if plain in _ANY else _KINDS.get(plain), const
    plain = re.sub(r"\b(?:const|volatile)\b", "", text).strip()
    if text.endswith("&"):
        return text, "pointer", None, False
    return plain, _KINDS.get(plain), None, False


def demangled(name: str) -> str | None:
    """A mangled name as C++ writes it; None if it is not mangled, or if nothing here can demangle it."""
    if not name.startswith("_Z"):
        return None
    return in_cpp(name) or library_demangled(name) or library_demangled(_DEDUCED.sub("", name))


def library_demangled(name: str) -> str | None:
    """The same by the C++ library: what a compiler has made is no crafted name, and the library knows more of them."""
    function, status = _function(), ctypes.c_int()
    pointer = None if function is None else function(name.encode(), None, None, ctypes.byref(status))
    if not pointer:
        return None
    try:
        return ctypes.string_at(pointer).decode(errors="replace")
    finally:
        _free()(pointer)


@cache
def _function() -> ctypes._NamedFuncPointer | None:
    """The C++ library's own function; None where there is none: then sizes alone are known."""
    try:
        function = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    except (OSError, AttributeError):
        return None
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return function


@cache
def _free() -> ctypes._NamedFuncPointer:
    function = ctypes.CDLL(None).free
    function.restype, function.argtypes = None, [ctypes.c_void_p]
    return function
