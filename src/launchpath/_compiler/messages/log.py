"""Compilers' messages: printed in Clang's form, and read from a driver's build log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..source.text import Lines


# A macro that names a header has no definition where the header that defines it is missing.
_MISSING = ("file not found", 'expected "FILENAME" or <FILENAME>')


class Message(NamedTuple):
    """File, line and column from 1 (0: none), ``error``, ``warning`` or ``note``, and the text."""

    file: str
    line: int
    column: int
    level: str
    text: str


def is_missing(text: str) -> bool:
    """Whether an error is about an include whose header is missing."""
    return any(words in text for words in _MISSING)


def render(messages: Iterable[Message], lines: Lines) -> str:
    """Messages as ``file:line:column: level: text``, each with its line of the source and a caret."""
    from .hints import explained  # noqa: PLC0415 (programs of the cache need no hints, nor the time of their patterns)

    parts: list[str] = []
    for message in messages:
        text = explained(message.text) if message.level in ("error", "fatal error") else message.text
        parts.append(f"{message.file}:{message.line}:{message.column}: {message.level}: {text}")
        quoted = lines.text(message.line)
        if quoted.strip() and message.column:
            # A tab stays a tab, so that the caret stands below its column for any width of tabs.
            before = quoted.encode()[: message.column - 1].decode(errors="replace")
            parts += [quoted, "".join("\t" if sign == "\t" else " " for sign in before) + "^"]
    return "\n".join(parts)
