"""Codes of the ABI, and what they mean."""

from __future__ import annotations

BUILTINS = {
    "v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
    "y": "unsigned long long", "n": "__int128", "o": "unsigned __int128", "f": "float", "d": "double",
    "e": "long double", "g": "__float128", "z": "...",
    "Dd": "decimal64", "De": "decimal128", "Df": "decimal32", "Dh": "half", "Di": "char32_t", "Ds": "char16_t",
    "Du": "char8_t", "Da": "auto", "Dc": "decltype(auto)", "Dn": "decltype(nullptr)",
}  # fmt: skip

STANDARD = {
    "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string", "Si": "std::istream", "So": "std::ostream",
    "Sd": "std::iostream",
}  # fmt: skip

# What a constructor of these is called.
LAST = {
    "std::allocator": "allocator", "std::basic_string": "basic_string", "std::string": "string",
    "std::istream": "istream", "std::ostream": "ostream", "std::iostream": "iostream",
}  # fmt: skip

# For each operator its text, and how many operands it has in an expression.
OPERATORS = {
    "nw": ("new", 0), "na": ("new[]", 0), "dl": ("delete", 1), "da": ("delete[]", 1), "ps": ("+", 1), "ng": ("-", 1),
    "ad": ("&", 1), "de": ("*", 1), "co": ("~", 1), "pl": ("+", 2), "mi": ("-", 2), "ml": ("*", 2), "dv": ("/", 2),
    "rm": ("%", 2), "an": ("&", 2), "or": ("|", 2), "eo": ("^", 2), "aS": ("=", 2), "pL": ("+=", 2), "mI": ("-=", 2),
    "mL": ("*=", 2), "dV": ("/=", 2), "rM": ("%=", 2), "aN": ("&=", 2), "oR": ("|=", 2), "eO": ("^=", 2),
    "ls": ("<<", 2), "rs": (">>", 2), "lS": ("<<=", 2), "rS": (">>=", 2), "eq": ("==", 2), "ne": ("!=", 2),
    "lt": ("<", 2), "gt": (">", 2), "le": ("<=", 2), "ge": (">=", 2), "ss": ("<=>", 2), "nt": ("!", 1),
    "aa": ("&&", 2), "oo": ("||", 2), "pp": ("++", 1), "mm": ("--", 1), "cm": (",", 2), "pm": ("->*", 2),
    "pt": ("->", 2), "cl": ("()", 0), "ix": ("[]", 2), "qu": ("?", 3), "aw": ("co_await ", 1),
}  # fmt: skip

# Literals of these types have a suffix, or none; others begin with their type.
SUFFIXES = {"i": "", "j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull"}

SPECIAL = {
    "TV": "vtable for ", "TT": "VTT for ", "TI": "typeinfo for ", "TS": "typeinfo name for ",
    "GV": "guard variable for ", "TH": "TLS init function for ", "TW": "TLS wrapper function for ",
}  # fmt: skip
