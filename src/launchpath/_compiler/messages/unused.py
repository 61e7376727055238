"""Warnings about unused variables: every compiler is asked for them, and variables of host code are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..source.unit import Unit
    from .log import Message

# Clang's options for warnings that NVRTC gives by itself.
UNUSED = ("-Wunused-variable", "-Wunused-but-set-variable")
# unused variable 'x'; variable 'x' set but not used; variable "x" was declared but never referenced (or set but ...).
_UNUSED = (  # as text: most compilations have no warnings
    r"unused (?:variable|function) '(\w+)'|variable '(\w+)' set but not used"
    r"|\w+ \"([^\"]+)\" was (?:declared but never referenced|set but never used)"
)


def local(unit: Unit, messages: Iterable[Message]) -> list[Message]:
    """Leave out the warnings about names outside functions: host code may use them, and compilers do not see it."""
    return [message for message in messages if not _is_of_file(unit, message)]


def _is_of_file(unit: Unit, message: Message) -> bool:
    match = re.match(_UNUSED, message.text) if message.level == "warning" else None
    if match is None:
        return False
    name = next(filter(None, match.groups())).partition("(")[0].rpartition("::")[2]
    piece = unit.declared_at(message.file, message.line)
    return name.startswith("__lp") or (piece is not None and name in piece.names)
