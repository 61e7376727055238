"""Managed variables for NVRTC, which tells names of other variables and none of theirs."""

from __future__ import annotations

from collections.abc import Iterable

from ..extraction.unit import ParsedUnit

_MARK = b"__managed__"


def names(unit: ParsedUnit, variables: Iterable[str]) -> dict[str, str]:
    """Give the names in the binary of those variables of a source that are managed, by the variables' names.

    A variable of a namespace or of none has the name that Itanium's C++ ABI has for it. Templates of managed variables
    are left out, and NVRTC refuses them.
    """
    marked = {
        name
        for file in unit.files.values()
        for piece in file.pieces
        if _MARK in file.active.text[piece.start : piece.end]
        for name in piece.names
    }
    return {name: _mangled(name) for name in variables if name.rpartition("::")[2] in marked}


def _mangled(name: str) -> str:
    scopes = name.split("::")
    return name if len(scopes) == 1 else f"_ZN{''.join(f'{len(scope)}{scope}' for scope in scopes)}E"
