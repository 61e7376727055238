"""Texts broken into lines of a terminal's width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_AFTER = "_:,</.-@"  # where long words are broken, if one of these is in their second half
_DEEPEST = 3  # parts of the width that an indentation may take: one


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def wrapped(text: str, width: int, whole: bool = False) -> list[str]:
    """Break a line at blanks.

    Parameters
    ----------
    text : str
    width : int
        Of a line, in columns of a terminal.
    whole : bool
        Whether words stay whole that are wider. Else they are broken too.
    """
    if text_width(text) <= width:
        return [text]
    lines: list[str] = []
    for word in text.split(" "):
        for part in (word,) if whole else parts(word, width):
            if part is word and lines and text_width(lines[-1]) + 1 + text_width(word) <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(part)
    return lines


def fitted(text: str, width: int | None) -> Iterator[str]:
    """Break the lines of a text where they are wider than a terminal: at blanks, further lines deeper than the first.

    A word stays whole, so that a path or a command can be copied. No width: all lines stay as they are.
    """
    for line in text.split("\n"):
        if width is None or text_width(line) <= width:
            yield line
            continue
        words = line.lstrip(" ")
        blanks = min(len(line) - len(words), width // _DEEPEST)
        first, *others = wrapped(words, width - blanks, whole=True)
        yield " " * blanks + first
        deeper = min(blanks + 2, width // _DEEPEST)
        for other in wrapped(" ".join(others), width - deeper, whole=True) if others else ():
            yield " " * deeper + other


def parts(word: str, width: int) -> Iterator[str]:
    """Break a word that is wider than a line, behind a sign if it has one near the end of the line."""
    width = max(width, 2)  # of a wide character
    while text_width(word) > width:
        end = width
        while end > 1 and text_width(word[:end]) > width:
            end -= 1
        sign = max(map(word[:end].rfind, _AFTER)) + 1
        end = sign if sign > end // 2 else end
        yield word[:end]
        word = word[end:]
    yield word
