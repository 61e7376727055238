"""C++ names as the source spells them, for the plain ones."""

from __future__ import annotations

import re

ANONYMOUS = "_GLOBAL__N_"  # Clang puts a 1 behind it, NVRTC the file's name
_LOCAL = re.compile(r"_ZZ.*E\d+([A-Za-z_]\w*)|__const\..*\.([A-Za-z_]\w*)(?:\.\d+)?")


def demangle(name: str) -> str:
    """Turn the mangled name of a variable into what the source calls it (Itanium C++ ABI, section 5.1).

    Variables of namespaces and classes are all that it reads: names with template arguments, and variables of
    functions, stay as they are. An anonymous namespace leaves no part in the name, as in the source.

    Examples
    --------
    >>> demangle("_ZL4coef"), demangle("_ZN3foo3barE"), demangle("_ZN3foo12_GLOBAL__N_11xE"), demangle("counter")
    ('coef', 'foo::bar', 'foo::x', 'counter')
    """
    if not name.startswith("_Z"):
        return name
    nested = name.startswith("_ZN")
    place, parts = 3 if nested else 2, []
    while place < len(name) and name[place] != "E":
        if name[place] == "L":
            place += 1
        digits = place
        while digits < len(name) and name[digits].isdigit():
            digits += 1
        if digits == place:
            return name
        end = digits + int(name[place:digits])
        parts.append(name[digits:end])
        place = end
    if not parts or place != (len(name) - 1 if nested else len(name)):
        return name
    return "::".join(part for part in parts if not part.startswith(ANONYMOUS))


def short(name: str) -> str:
    """The name that the source has for a variable, also for one of a function.

    Examples
    --------
    >>> short("_ZZ1kPfiE4rows"), short("__const._Z1kPfi.rows.3"), short("_ZN3foo3barE")
    ('rows', 'rows', 'foo::bar')
    """
    match = _LOCAL.fullmatch(name)
    return next(filter(None, match.groups())) if match else demangle(name)
