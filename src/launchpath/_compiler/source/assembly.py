"""Inline assembly in a source: where it stands, and whether it may have an instruction.

Clang's target SPIR-V knows no other compiler's letters of registers. Where assembly has no instruction they are
replaced, and `llvm_text.rewritings.empty_assembly` goes on from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text import Token, tokens

WORDS = (b"asm", b"__asm__", b"__asm")
_QUALIFIERS = frozenset({b"volatile", b"__volatile__", b"__volatile", b"inline", b"__inline__", b"__inline"})
_BLANK = re.compile(rb'"(?:[ \t]|\\[nt])*"')
# One letter of a register of AMD's or NVIDIA's devices.
_REGISTER = re.compile(rb'("[=+&%]*)[vsalfdhcqx]"')


def has_instruction(text: bytes, start: int) -> bool:
    """Whether the assembly at an offset of a source may have an instruction."""
    assembly = [*tokens(text[start:].partition(b";")[0])]
    return _after_template(assembly, 0) is None


def with_any_register(text: bytes) -> bytes:
    """Replace the letters of a device's registers where assembly has no instruction; every column stays."""
    if b"asm" not in text:
        return text
    assembly, changed = [*tokens(text)], bytearray(text)
    for number, token in enumerate(assembly):
        if token.text in WORDS and (opened := _after_template(assembly, number)) is not None:
            for constraint in _constraints(assembly, opened):
                changed[constraint.start : constraint.end] = _REGISTER.sub(rb'\1r"', constraint.text)
    return bytes(changed)


def _after_template(assembly: list[Token], number: int) -> int | None:
    """The number of the token behind the text of the assembly at a token, if that is blank."""
    number += 1
    while number < len(assembly) and assembly[number].text in _QUALIFIERS:
        number += 1
    first = number + 1
    if number >= len(assembly) or assembly[number].text != b"(":
        return None
    number = first
    while number < len(assembly) and _BLANK.fullmatch(assembly[number].text):
        number += 1
    return number if number > first and number < len(assembly) and assembly[number].text in (b":", b")") else None


def _constraints(assembly: list[Token], number: int) -> Iterator[Token]:
    depth = 1
    while number + 1 < len(assembly) and depth:
        token = assembly[number]
        depth += (token.text == b"(") - (token.text == b")")
        # A string with a line end within is left alone: its places are not those of its text.
        is_constraint = depth == 1 and token.kind == "string" and assembly[number + 1].text == b"("
        if is_constraint and len(token.text) == token.end - token.start:
            yield token
        number += 1
