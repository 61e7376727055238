"""Inline assembly in a source: whether it has an instruction, and the letters of registers in its constraints.

In ``asm volatile("" : "+v"(x))`` the first string is the template, which has the instructions, and ``"+v"(x)`` is an
operand whose constraint names a kind of register by a letter. The letters are AMD's or NVIDIA's. Clang's target SPIR-V
knows neither, so where the template has no instruction, each is replaced by the letter ``r``, which every target knows.
Then `llvm_text.rewritings.empty_assembly` replaces the assembly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text import Token, tokens

WORDS = (b"asm", b"__asm__", b"__asm")
_QUALIFIERS = frozenset({b"volatile", b"__volatile__", b"__volatile", b"inline", b"__inline__", b"__inline"})
_BLANK_STRING = re.compile(rb'"(?:[ \t]|\\[nt])*"')
# A letter for a kind of register: v, s and a are AMD's, x is x86's, the others are NVIDIA's (LLVM Language Reference
# Manual, "Supported Constraint Code List").
_REGISTER = re.compile(rb'("[=+&%]*)[vsalfdhcqx]"')


def has_instruction(text: bytes, start: int) -> bool:
    """Whether inline assembly may have an instruction: whether its template is anything but blank strings.

    Parameters
    ----------
    text : bytes
        The source.
    start : int
        The offset of the word ``asm``.
    """
    statement = [*tokens(text[start:].partition(b";")[0])]
    return _blank_template_end(statement, 0) is None


def with_any_register(text: bytes) -> bytes:
    """Replace the letters of registers where assembly has no instruction.

    Parameters
    ----------
    text : bytes
        A source.

    Returns
    -------
    bytes
        The source, with every character in its column.
    """
    if b"asm" not in text:
        return text
    source_tokens, replaced = [*tokens(text)], bytearray(text)
    for number, token in enumerate(source_tokens):
        if token.text not in WORDS:
            continue
        template_end = _blank_template_end(source_tokens, number)
        if template_end is not None:
            for constraint in _operand_constraints(source_tokens, template_end):
                replaced[constraint.start : constraint.end] = _REGISTER.sub(rb'\1r"', constraint.text)
    return bytes(replaced)


def _blank_template_end(source_tokens: list[Token], asm_number: int) -> int | None:
    """Find the end of a template that has no instruction.

    Parameters
    ----------
    source_tokens : list of Token
    asm_number : int
        The number of the token ``asm`` among them.

    Returns
    -------
    int or None
        The number of the token after the template: ``:`` before the operands, or the ``)`` that ends the assembly. None
        if the template may have an instruction.
    """
    opening = asm_number + 1
    while opening < len(source_tokens) and source_tokens[opening].text in _QUALIFIERS:
        opening += 1
    if opening >= len(source_tokens) or source_tokens[opening].text != b"(":
        return None
    end = template_start = opening + 1
    while end < len(source_tokens) and _BLANK_STRING.fullmatch(source_tokens[end].text):
        end += 1
    is_blank = template_start < end < len(source_tokens) and source_tokens[end].text in (b":", b")")
    return end if is_blank else None


def _operand_constraints(source_tokens: list[Token], template_end: int) -> Iterator[Token]:
    """Give the constraints of the operands: the strings that an expression in parentheses follows.

    Parameters
    ----------
    source_tokens : list of Token
    template_end : int
        As `_blank_template_end` gives it. The operands begin there.

    Yields
    ------
    Token
        A string. Strings with a line end within are left out: their offsets are not those of their text.
    """
    depth = 1  # of parentheses: within those of the assembly
    for number in range(template_end, len(source_tokens) - 1):
        token = source_tokens[number]
        depth += (token.text == b"(") - (token.text == b")")
        if depth == 0:
            return
        is_constraint = depth == 1 and token.kind == "string" and source_tokens[number + 1].text == b"("
        if is_constraint and len(token.text) == token.end - token.start:
            yield token
