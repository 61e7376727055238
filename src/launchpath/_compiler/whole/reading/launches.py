"""Launches in a source's text: their configurations are left out, so that a launch is a call of its kernel.

Every byte keeps its place. In comments and strings `<<<` stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...source.text import Joined, Token

_SIGN = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1}
_SIGN_OF_ARGUMENTS = {**_SIGN, b"<": 1, b">": -1}
_MOST = 4_000  # tokens of a configuration; a `<<<` without an end this near is none
# All but the backslashes that join lines.
_NOT_BLANK = re.compile(rb"\\(?![ \t\v\f\r]*\n)|[^\s\\]")


# Functions and macros that launch a kernel, with the kernel's place among their arguments.
_FUNCTIONS = {
    b"hipLaunchKernelGGL": 0,
    b"hipExtLaunchKernelGGL": 0,
    b"hipLaunchKernel": 0,
    b"hipExtLaunchKernel": 0,
    b"hipLaunchCooperativeKernel": 0,
    b"hipLaunchKernelEx": 1,
    b"hipLaunchKernelExC": 1,
    b"cudaLaunchKernel": 0,
    b"cudaLaunchCooperativeKernel": 0,
    b"cudaLaunchKernelEx": 1,
    b"cudaLaunchKernelExC": 1,
}
_WRAPPERS = frozenset({b"HIP_KERNEL_NAME", b"KERNEL_NAME"})  # macros around the kernel in such a call
_KEYWORDS = frozenset({b"return", b"co_return", b"else", b"do"})  # those that a launch may follow


class Launch(NamedTuple):
    """A launch as it is written: the kernel's name and its template arguments (empty if there are none)."""

    name: str
    arguments: str

    @property
    def written(self) -> str:
        """The kernel with its template arguments."""
        return f"{self.name}<{self.arguments}>" if self.arguments else self.name


def launches(tokens: Sequence[Token]) -> Iterator[Launch]:
    """Yield the launches among some tokens."""
    for index, token in enumerate(tokens):
        if _is_three(tokens, index, b"<"):
            launch = _kernel(tokens, 0, index)
        elif token.text in _FUNCTIONS and index + 1 < len(tokens) and tokens[index + 1].text == b"(":
            argument = _argument(tokens, index + 2, _FUNCTIONS[token.text])
            launch = _kernel(tokens, *argument) if argument is not None else None
        else:
            continue
        if launch is not None:
            yield launch


def _argument(tokens: Sequence[Token], start: int, place: int) -> tuple[int, int] | None:
    """Give the indices at which a call's argument begins and ends; None if the call has fewer arguments."""
    depth = 0
    for index in range(start, len(tokens)):
        text = tokens[index].text
        if not depth and text in (b",", b")"):
            if not place:
                return start, index
            if text == b")":
                return None
            place, start = place - 1, index + 1
        elif text != b">" or tokens[index - 1].text != b"-":  # the `>` of `->` is no bracket
            depth += _SIGN_OF_ARGUMENTS.get(text, 0)
    return None if place else (start, len(tokens))


def _kernel(tokens: Sequence[Token], start: int, end: int) -> Launch | None:
    """Read the kernel that ends before an index, without the brackets, casts and macros around it."""
    while end - 1 > start and tokens[end - 1].text == b")":
        opened = _opening(tokens, start, end - 1)
        before = tokens[opened - 1] if opened > start else None
        if before is not None and before.kind == "name" and before.text not in _WRAPPERS | _KEYWORDS:
            return None  # a call, which may give any kernel
        end -= 1
    return _named(tokens, end)


def _opening(tokens: Sequence[Token], start: int, closed: int) -> int:
    """Give the index of the bracket that is closed at an index; `start` if it is not opened behind that."""
    depth = 0
    for index in range(closed, start, -1):
        depth += _SIGN.get(tokens[index].text, 0)
        if not depth:
            return index
    return start


def _named(tokens: Sequence[Token], end: int) -> Launch | None:
    """Read the name of a kernel that ends before an index."""
    index, arguments = end - 1, ""
    if index >= 0 and tokens[index].text == b">":
        depth, last = 0, index
        while index >= 0:
            depth += (tokens[index].text == b">") - (tokens[index].text == b"<")
            if not depth:
                break
            index -= 1
        arguments = " ".join(token.text.decode(errors="replace") for token in tokens[index + 1 : last])
        index -= 1
    names: list[str] = []
    while index >= 0 and tokens[index].kind == "name" and tokens[index].text not in _KEYWORDS:
        names.insert(0, tokens[index].text.decode(errors="replace"))
        if index < 2 or tokens[index - 1].text != b":" or tokens[index - 2].text != b":":
            break
        index -= 3
    return Launch("::".join(names), arguments) if names else None


def without_launches(text: bytes) -> bytes:
    """Blank the configurations of launches.

    Parameters
    ----------
    text : bytes
        As a compiler reads it.

    Returns
    -------
    bytes
        Of the same length, with the same lines.
    """
    if b"<<<" not in text:
        return text
    tokens = list(Joined(text).tokens())
    blanked = bytearray(text)
    index = 0
    while index < len(tokens):
        end = _end(tokens, index) if _is_three(tokens, index, b"<") else None
        if end is not None:
            start, stop = tokens[index].start, tokens[end - 1].end
            blanked[start:stop] = _NOT_BLANK.sub(b" ", blanked[start:stop])
            index = end
        else:
            index += 1
    return bytes(blanked)


def _is_three(tokens: Sequence[Token], index: int, sign: bytes) -> bool:
    """Whether a sign stands three times at a place, without a gap."""
    three = tokens[index : index + 3]
    is_sign = [token.text for token in three] == [sign] * 3
    return is_sign and three[0].end == three[1].start and three[1].end == three[2].start


def _end(tokens: list[Token], opened: int) -> int | None:
    """Give the index behind the configuration that begins at an index; None if it does not end.

    As for Clang, the first `>>>` outside of brackets ends it.
    """
    depth = 0
    for index in range(opened + 3, min(len(tokens), opened + _MOST)):
        text = tokens[index].text
        if tokens[index].kind == "sign":
            depth += _SIGN.get(text, 0)
            if depth < 0 or (text == b";" and not depth):
                return None
            if not depth and _is_three(tokens, index, b">"):
                return index + 3
    return None
