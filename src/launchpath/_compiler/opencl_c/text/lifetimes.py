"""Braces with variables that are left in several ways, for PoCL.

Clang notes where the lifetimes of variables end. All ways out of their braces meet there, and a ``switch`` follows,
whose default is an unreachable end. Clang takes most of these apart again, but not where two of the ways write to the
same place before. What PoCL 3.1 makes of an unreachable end is in `spirv.unreachable`.

In C, Clang notes no lifetimes of variables that follow a label in their braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .statements import Scope, Set

_JUMP = re.compile(r"\b(goto|break|continue|return)\b")
_LOOPS, _CASES = ("for (;;) {", "do {"), ("case ", "default: {")  # the lines before braces that jumps end in


def hide_lifetimes(scope: Scope, new_name: Callable[[str], str]) -> tuple[list[str], bool]:
    """Put labels at the beginning of such braces.

    Parameters
    ----------
    scope : Scope
        Its variables have been placed.
    new_name : callable
        Gives a name like the one that is wanted.

    Returns
    -------
    tuple of (list of str, bool)
        The jumps in it, and whether its own braces have variables.
    """
    jumps: list[str] = []
    has_variables = bool(scope.declares or scope.head)
    before = ""
    for item in scope.items:
        if isinstance(item, Scope):
            inner_jumps, inner_has = hide_lifetimes(item, new_name)
            jumps += _outward(inner_jumps, before)
            has_variables |= item.is_flat and inner_has
        elif isinstance(item, Set):
            has_variables |= not item.variable.declared
        else:
            jumps += _JUMP.findall(item)
            before = item
    # Only returns leave a function. Of the gotos elsewhere, some may stay in the braces.
    ways = len(jumps) if scope.around is not None else jumps.count("return")
    if has_variables and not scope.is_flat and ways + (not scope.leaves()) > 1:
        scope.head.insert(0, f"{new_name('braces')}:;")
    return jumps, has_variables


def _outward(jumps: list[str], before: str) -> list[str]:
    """Give the jumps that lead on from the braces behind a line."""
    if before.startswith(_LOOPS):
        return [jump for jump in jumps if jump in ("goto", "return")]
    if before.startswith(_CASES):
        return [jump for jump in jumps if jump != "break"]
    return jumps
