"""Launches from kernels: in LLVM's text they are calls of kernels, once their configurations are left out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from .debug_info.nodes import DebugInfo

_NAME = r'@(?:"[^"]+"|[\w.$]+)'
_FUNCTION = re.compile(rf"^define [^\n]*?(?P<name>{_NAME})\(.*?^\}}", re.MULTILINE | re.DOTALL)
_CALL = re.compile(rf"\b(?:call|invoke) [^@\n]*?(?P<callee>{_NAME})\([^\n]*?(?:!dbg (?P<place>!\d+))?$", re.MULTILINE)


def launches(
    text: str, info: DebugInfo, kernels: Container[str], first: Iterable[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield path, line and column of each call of a kernel by what some kernels reach.

    Parameters
    ----------
    text : str
        LLVM's.
    info : DebugInfo
    kernels : container of str
        The functions that are kernels, by their names in LLVM's text.
    first : iterable of str
        The kernels whose code is looked at, with what they call.
    """
    if not any(match["callee"] in kernels for match in _CALL.finditer(text)):
        return
    bodies = {match["name"]: match[0] for match in _FUNCTION.finditer(text)}
    waiting = [*first]
    seen = set(waiting)
    while waiting:
        for match in _CALL.finditer(bodies.get(waiting.pop(), "")):
            callee = match["callee"]
            if callee in kernels:
                yield _place(info, match["place"])
            elif callee not in seen:
                seen.add(callee)
                waiting.append(callee)


def _place(info: DebugInfo, number: str | None) -> tuple[str, int, int]:
    location = info.node(number) if number is not None else None
    scope = info.linked(location, "scope") if location is not None else None
    file = info.linked(scope, "file") if scope is not None else None
    if location is None or file is None:
        return "", 0, 0
    return info.path(file), location.number("line"), location.number("column")
