"""Launches in a source's text: their configurations are left out, so that a launch is a call of its kernel.

Every byte keeps its place. In comments and strings `<<<` stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...source.text import Joined, Token

_SIGN = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1}
_MOST = 4_000  # tokens of a configuration
_NOT_BLANK = re.compile(rb"[^\s\\]")


# Functions and macros whose first argument is the kernel.
_FUNCTIONS = frozenset({b"hipLaunchKernelGGL", b"hipLaunchKernel", b"cudaLaunchKernel", b"cudaLaunchKernelEx"})
_AROUND = frozenset({b"HIP_KERNEL_NAME", b"KERNEL_NAME"})


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
            launch = _before(tokens, index)
        elif token.text in _FUNCTIONS and index + 1 < len(tokens) and tokens[index + 1].text == b"(":
            first = index + 2
            if first + 1 < len(tokens) and tokens[first].text in _AROUND:
                first += 2
            ended = first
            depth = 0
            while ended < len(tokens) and (depth or tokens[ended].text not in (b",", b")")):
                depth += (tokens[ended].text in (b"(", b"<", b"[")) - (tokens[ended].text in (b")", b">", b"]"))
                ended += 1
            launch = _before(tokens, ended)
        else:
            continue
        if launch is not None:
            yield launch


def _before(tokens: Sequence[Token], end: int) -> Launch | None:
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
    while index >= 0 and tokens[index].kind == "name":
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
