"""Dynamic shared memory in PTX: the variable of it that a kernel reaches, itself or by functions that it calls."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..spirv.names import short

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_VARIABLE = re.compile(r"\.extern\s+\.shared\b([^;{}]*)\[\s*\]\s*;")
_FUNCTION = re.compile(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$%]+)")
# Not the ends of words with points, such as %tid.x: a variable may be called x.
_WORD = re.compile(r"(?<![.\w$%])[A-Za-z_$%][\w$]*")
_BRACE = re.compile(r"[{}]")
_END = re.compile(r"[;{]")


def reached(texts: Iterable[str]) -> dict[str, str]:
    """Find the kernels and functions that reach dynamic shared memory.

    Parameters
    ----------
    texts : iterable of str
        PTX of each file of a program. A name that a file does not define is another file's.

    Returns
    -------
    dict of str to str
        By the function's name, the variable as the source calls it; the first one if there are several. A call by
        pointer is not followed.
    """
    files = [_File(text) for text in texts]
    everywhere: dict[str, tuple[_File, str]] = {}
    for file in files:
        for name in file.words:
            everywhere.setdefault(name, (file, name))
    return {
        name: short(variable)
        for file in files
        for name in file.words
        if (variable := _variable(file, name, everywhere)) is not None
    }


class _File:
    """The functions of a file, with the words of their bodies, and its variables of dynamic shared memory."""

    def __init__(self, text: str) -> None:
        text = _COMMENT.sub("", text)
        declared = [match[1].split() for match in _VARIABLE.finditer(text)]
        self.variables = {words[-1] for words in declared if words}
        self.words: dict[str, dict[str, None]] = {}
        place = 0
        while (match := _FUNCTION.search(text, place)) is not None:
            begin = _END.search(text, match.end())
            place = len(text) if begin is None else begin.end()
            if begin is not None and begin[0] == "{":
                start, place = place, _closing(text, place)
                self.words[match[1]] = dict.fromkeys(_WORD.findall(text, start, place))


def _closing(text: str, place: int) -> int:
    """Find the end of a body that begins here."""
    depth = 1
    for match in _BRACE.finditer(text, place):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)


def _variable(file: _File, function: str, everywhere: dict[str, tuple[_File, str]]) -> str | None:
    """Find the variable that a function reaches; None if it reaches none."""
    ahead, seen = [(file, function)], {(id(file), function)}
    while ahead:
        file, function = ahead.pop()
        for word in file.words[function]:
            if word in file.variables:
                return word
            target = (file, word) if word in file.words else everywhere.get(word)
            if target is not None and (id(target[0]), word) not in seen:
                seen.add((id(target[0]), word))
                ahead.append(target)
    return None
