"""Clang's errors in the user's terms: their places, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..kernels.instance import without_arguments
from ..llvm_text import build
from ..messages.log import Message
from ..source import balance
from ..source.unit import Unit
from . import asked
from .reading.templates import places

# Messages of Clang's that do not name what they are about.
_EXPECTED = ("expected namespace name", "expected class name")
_WORD = re.compile(rb"\w+")


def unbalanced(unit: Unit, messages: Iterable[Message]) -> list[balance.Place]:
    """Say what is opened and not closed, or closed and not opened, and which marks are spelled wrong."""
    files = {path: file.active for path, file in unit.files.items()}
    errors = [
        balance.Error(each.file, unit.lines(each.file).offset(each.line, each.column), each.text)
        for each in messages
        if each.file in files and each.line and each.level.endswith("error")
    ]
    broken = balance.unbalanced(files, errors, lambda: errors)
    return [*dict.fromkeys(broken or balance.misspelled(errors))]


def placed(unit: Unit, names: Sequence[str], messages: Iterable[Message]) -> Iterator[Message]:
    """Give messages the kernels' places where they are about the caller's names of kernels."""
    of_host = False
    for message in messages:
        of_host = build.is_of_host(message) or (of_host and message.level == "note")
        if of_host and message.text.endswith(" declared here"):
            continue  # a hint says it
        if message.text in _EXPECTED and message.file in unit.files:
            lines = unit.lines(message.file)
            word = _WORD.match(lines.source, lines.offset(message.line, message.column))
            token = f", got '{word[0].decode(errors='replace')}'" if word is not None else ""
            yield message._replace(text=f"{message.text}{token}")
        elif message.file == asked.FILE:
            plain = without_arguments(asked.at_line(names, message.line)).removeprefix("::")
            for path, file in unit.files.items():
                if plain in (offsets := places([file.active])):
                    line, column = unit.lines(path).position(offsets[plain])
                    yield message._replace(file=path, line=line, column=column)
        else:
            yield message
