"""The words of a command line: quotes, files of options, lists of values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

_DEEPEST = 16  # files of options that name each other


class UsageError(Exception):
    """A command line that cannot be followed."""


def expanded(words: Iterable[str], depth: int = 0) -> Iterator[str]:
    """Yield the words, with those of ``@FILE`` in its place; a word whose file does not exist stays, as for gcc."""
    for word in words:
        if not word.startswith("@") or not os.path.isfile(word[1:]):
            yield word
        elif depth == _DEEPEST:
            raise UsageError(f"{word}: expected files of options that end, got {_DEEPEST} in each other")
        else:
            yield from expanded(from_file(word[1:]), depth + 1)


def from_file(path: str) -> list[str]:
    """Read the words of a file of options."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return split(file.read())
    except OSError as error:
        raise UsageError(f"cannot read the options in {path}: {error.strerror}") from None


def split(text: str) -> list[str]:
    """Split a text at white space, with quotes and backslashes as gcc has them."""
    words: list[str] = []
    word: list[str] | None = None
    quote = ""
    characters = iter(text)
    for character in characters:
        if character == "\\" and quote != "'":
            word = word or []
            word.append(next(characters, ""))
        elif quote:
            if character == quote:
                quote = ""
            else:
                assert word is not None
                word.append(character)
        elif character in "'\"":
            quote = character
            word = word or []
        elif character.isspace():
            if word is not None:
                words.append("".join(word))
            word = None
        else:
            word = word or []
            word.append(character)
    if word is not None:
        words.append("".join(word))
    return words


def listed(value: str) -> list[str]:
    """Split the value of ``-Xcompiler`` and its like: at commas, and at white space, except within quotes."""
    parts: list[str] = []
    for word in split(value):
        inside, depth = "", 0
        for character in word:
            depth += (character == "(") - (character == ")")
            if character == "," and depth <= 0:
                parts.append(inside)
                inside = ""
            else:
                inside += character
        parts.append(inside)
    return [part for part in parts if part]
