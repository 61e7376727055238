"""Checks of a source before parts are removed from it: braces, comments, conditional directives, kernels.

Errors in host code are left alone, so most of the parser's errors do not count. These errors count: behind an unclosed
brace or comment the parser sees no kernels, and the program would lack them without a message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from .active import Active

# The parser's messages for errors that count in any code, and the text to add to each.
_ALWAYS = {
    "unterminated /* comment": "no */ ends it",
    "raw string missing terminating delimiter": "all that follows is part of it",
    "unterminated conditional directive": "no #endif ends it",
    "#endif without #if": "",
    "#else without #if": "",
    "#else after #else": "",
    "#elif without #if": "",
    "#elif after #else": "",
}
_EXTRA = "extraneous closing brace"
_EXPECTED = "expected '}'"
_NESTED = "function definition is not allowed here"
_SCOPES = frozenset({b"namespace", b"extern", b"struct", b"class", b"union"})
_MISSPELLED = re.compile(r"unknown type name '(__\w+__)'")
_OPENCL = re.compile(r"unknown type name '(__)?kernel'")
_MARKS = ("__global__", "__device__", "__constant__", "__shared__", "__host__", "__managed__")

Range = tuple[int, int]
Place = tuple[str, int, str]  # path, offset, what is wrong there


class Error(NamedTuple):
    """An error of a compiler's."""

    path: str
    offset: int
    text: str


def unbalanced(
    files: Mapping[str, Active], errors: list[Error], parse_bodies: Callable[[], list[Error]]
) -> list[Place]:
    """Find what is opened and not closed, or closed and not opened.

    Braces count only if the parser agrees: macros and included files may hold the other half.

    Parameters
    ----------
    files : mapping of str to Active
        The user's own files by path.
    errors : list of Error
        The parser's, which has skipped the bodies of functions.
    parse_bodies : callable
        Gives the parser's errors with those bodies.
    """
    user_errors = [error for error in errors if error.path in files]
    places = [
        _place(error, after)
        for error in user_errors
        for words, after in _ALWAYS.items()
        if error.text.startswith(words)
    ]
    if places:
        return places
    for path, active in files.items():
        opened, extra = _unmatched(active)
        if extra:
            places += [_place(error, "no '{' is open here") for error in user_errors if error.text.startswith(_EXTRA)]
        if opened and not places:
            all_errors = parse_bodies()
            if any(error.text.startswith(_EXPECTED) for error in all_errors):
                places.append(_unclosed(path, active, opened, all_errors))
        if places:
            return places[:1]
    return []


def _place(error: Error, after: str) -> Place:
    return error.path, error.offset, f"{error.text}: {after}" if after else error.text


def _unmatched(active: Active) -> tuple[list[int], list[int]]:
    """The braces that are not closed, and those that close nothing, by the indices of their tokens."""
    opened: list[int] = []
    extra: list[int] = []
    for index, token in enumerate(active.tokens):
        if token.text == b"{":
            opened.append(index)
        elif token.text == b"}":
            if opened:
                opened.pop()
            else:
                extra.append(index)
    return opened, extra


def _unclosed(path: str, active: Active, opened: list[int], errors: list[Error]) -> Place:
    """Say which brace is not closed: of a function, if another function begins inside, or else the innermost."""
    for error in errors:
        if error.text.startswith(_NESTED) and error.path == path:
            nested = active.index(error.offset)
            if (brace := _function_around(active, nested)) is not None:
                begin = active.tokens[_first(active, nested)].start
                line = active.original.count(b"\n", 0, begin) + 1
                text = f"{_called(active, brace)} is not closed: expected '}}' before the function in line {line}"
                return path, active.tokens[brace].start, text
    text = f"{_called(active, opened[-1])} is not closed: expected '}}' before the end of the file"
    return path, active.tokens[opened[-1]].start, text


def _first(active: Active, index: int) -> int:
    """Index of the first token of what a brace belongs to."""
    while index > 0 and not active.is_at(index - 1, b";", b"{", b"}"):
        index -= 1
    return index


def _called(active: Active, brace: int) -> str:
    """Say what a brace belongs to."""
    for index in range(_first(active, brace), brace):
        token = active.tokens[index]
        if token.kind == "name" and active.is_at(index + 1, b"(") and not token.text.startswith(b"__"):
            word = token.text.decode(errors="replace")
            return f"this '{{' of '{word}'"
    return "this '{'"


def _function_around(active: Active, inner: int) -> int | None:
    """The outermost brace around a token that is not a namespace's, a linkage block's or a class's."""
    opened: list[int] = []
    for index, token in enumerate(active.tokens[:inner]):
        if token.text == b"{":
            opened.append(index)
        elif token.text == b"}" and opened:
            opened.pop()
    for index in opened:
        if not _SCOPES.intersection(token.text for token in active.tokens[_first(active, index) : index]):
            return index
    return None


def lost(files: Mapping[str, tuple[Active, Collection[Range]]], errors: list[Error]) -> Iterator[Place]:
    """Yield the parser's errors for which it has not seen a kernel, and marks that are spelled wrong.

    `files` has the parts of each file that the parser has seen.
    """
    for path, (active, seen) in files.items():
        file_errors = [error for error in errors if error.path == path]
        if not file_errors:
            continue
        yield from misspelled(file_errors)
        for token in active.tokens:
            if token.text == b"__global__" and not any(start <= token.start < end for start, end in seen):
                # The last error before the kernel hides the kernel.
                before = [error for error in file_errors if error.offset <= token.end] or file_errors
                error = (
                    max(before, key=lambda candidate: candidate.offset) if before is not file_errors else file_errors[0]
                )
                yield path, error.offset, error.text


def misspelled(errors: Iterable[Error]) -> Iterator[Place]:
    """Yield the errors about marks of kernels that are spelled wrong, or are OpenCL C's."""
    for error in errors:
        if _OPENCL.match(error.text) and "__" in error.text:
            yield error.path, error.offset, error.text
        match = _MISSPELLED.match(error.text)
        if match is not None and (close := get_close_matches(match[1], _MARKS, 1, 0.75)):
            yield error.path, error.offset, f"{error.text}; did you mean '{close[0]}'?"
