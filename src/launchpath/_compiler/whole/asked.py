"""The kernels that a caller names: text behind the source that takes their addresses, and what it gives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .debug_info.closures import NAME as LAMBDA

FILE = "launchpath names"
_FUNCTION = r'@(?:"[^"]+"|[\w.$]+)'
# A variable of the tail, and the function whose address it holds.
_ASKED = re.compile(rf"^@\w*__lp_asked_(\d+)\w* = [^\n]*?\bconstant [^@\n]*({_FUNCTION})", re.MULTILINE)
_PRIVATE = re.compile(r"is a (?:private|protected) member of")


def tail(names: Sequence[str]) -> str:
    """Write the text that instantiates the kernels of these names, one line each.

    No text can name a lambda: names with lambdas are among the launches of the source, or nowhere.
    """
    lines = [
        f"\nnamespace {{ __attribute__((device, used)) auto *const __lp_asked_{number} = {_expression(name)}; }}"
        for number, name in enumerate(names)
        if not LAMBDA.search(name)
    ]
    return "".join([f'\n#line 1 "{FILE}"', *lines, "\n"]) if lines else ""


def at_line(names: Sequence[str], line: int) -> str:
    """Give the name on a line of the tail."""
    written = [name for name in names if not LAMBDA.search(name)]
    return written[line - 2] if 0 <= line - 2 < len(written) else names[0]


def functions(text: str, count: int) -> list[str]:
    """Give the functions in LLVM's text that the tail names, in the names' order; empty for those that it left out."""
    by_number = {int(match[1]): match[2] for match in _ASKED.finditer(text)}
    return [by_number.get(number, "") for number in range(count)]


def is_private(text: str) -> bool:
    """Whether an error is about a member that a class keeps to itself."""
    return _PRIVATE.search(text) is not None


def _expression(name: str) -> str:
    """Write the address of a kernel."""
    name = name.strip()
    if name.endswith(")") and not name.endswith(">)"):
        plain, _, types = name.partition("(")
        return f"static_cast<void (*)({types[:-1]})>(&::{plain.removeprefix('::')})"
    return f"&::{name.removeprefix('::')}"
