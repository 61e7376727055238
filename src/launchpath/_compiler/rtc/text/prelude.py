"""The text before a program, and the names of files in it."""

from __future__ import annotations

from ...source.source import Source
from ..library.machine import Macros

_OWN_MACROS = "LAUNCHPATH_"  # the beginning of their names


def prelude(source: Source, macros: Macros, before: list[str], bare: bool = False) -> str:
    """The text before the program. Our headers see the caller's own macros only if those are launchpath's.

    Parameters
    ----------
    source : Source
    macros : dict of str to (str or None)
    before : list of str
        Lines behind our headers.
    bare : bool
        There are none of our headers, see `bare`.
    """
    ours = [pair for pair in source.defines if pair[0].startswith(_OWN_MACROS)]
    others = [pair for pair in source.defines if not pair[0].startswith(_OWN_MACROS)]
    lines = [_define(*pair) for pair in (*macros.items(), *ours)]
    lines += [] if bare else ["#include <launchpath/rtc.h>"]
    lines += [*before, *(_define(*pair) for pair in others)]
    if any(name == "NDEBUG" for name, _ in source.defines):
        lines.append("#include <assert.h>")  # again: theirs, or ours, is there already and has not seen the macro
    return "\n".join([*lines, f"#line 1 {quoted(source.path)}", ""])


def _define(name: str, value: object) -> str:
    return f"#define {name} {1 if value is None else value}"


def quoted(path: str) -> str:
    """Write a path as a C string."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
