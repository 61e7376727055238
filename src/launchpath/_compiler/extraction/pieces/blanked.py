"""A file's text with some of its pieces, or without some."""

from __future__ import annotations

import re

from ...source.active import Active, Directive, blank
from ...source.text import Lines
from .piece import Piece, Pieces

# Patterns as text: sources without directives have no use for them.
#
# Headers of the C++ library that are large and that kernels have no use for. They are left out at first.
_HOST_HEADERS = rb"""[ \t]*\#[ \t]*include[ \t]*<(?:
    iostream|istream|ostream|fstream|sstream|iomanip|ios|iosfwd|string|string_view|vector|map|set|unordered_map
    |unordered_set|list|deque|queue|stack|chrono|thread|mutex|condition_variable|future|random|memory|regex|locale
    |filesystem|valarray|iterator|any|optional|variant|bitset|exception|stdexcept
    |system_error|typeindex|typeinfo|forward_list|format|print|ranges|span|charconv|codecvt|execution|atomic|omp\.h
    )>"""
# Thrust's algorithms and containers, which are for host code and which no compiler of device code alone takes.
_THRUST = rb"""[ \t]*\#[ \t]*include[ \t]*[<"]thrust/(?!
    (?:advance|complex|device_ptr|distance|functional|pair|random|tuple|version)\.h | (?:detail|iterator|random)/
    )[\w/]+\.h[>"]"""
# Directives with an effect on the text behind them, such as `#pragma pack` and `#pragma push_macro`. A loop's pragmas
# are blanked with the loop: before the next declaration they would be errors.
_KEPT_DIRECTIVE = rb"""\#[ ]*(?:if|el|endif|define|undef|error|line|pragma[ ]+(?!(?:
    omp|acc|comment|message|(?:end)?region|(?:no)?unroll(?:_and_jam)?|clang[ ]+loop|GCC[ ]+(?:unroll|ivdep)
    )\b))"""


def blanked(file: Pieces, pieces: list[Piece], every_header: bool, lost: set[int]) -> bytes:
    """Give a file's text without the other pieces, every line and column where it was.

    Parameters
    ----------
    file : Pieces
    pieces : list of Piece
    every_header : bool
        Keep the large headers of the C++ library, too.
    lost : set of int
        The lines that include missing files.
    """
    active = file.active
    text = bytearray(active.text)
    stay = sorted([(piece.start, piece.end) for piece in pieces] + file.braces)
    offset = 0
    for start, end in [*stay, (len(text), len(text))]:
        if start > offset:
            _blank_code(text, active, offset, start)
        offset = max(offset, end)
    _cut(text, active, pieces)
    cuts = [(piece.start, piece.end) for piece in file.pieces if piece not in pieces]
    cuts += [(start, end) for piece in pieces for start, end, _ in piece.cuts]
    _leave_out_headers(text, active, cuts, every_header, lost)
    return bytes(text)


def _cut(text: bytearray, active: Active, pieces: list[Piece]) -> None:
    for piece in pieces:
        for start, end, replacement in piece.cuts:
            _blank_code(text, active, start, end)
            text[start : start + len(replacement)] = replacement


def _leave_out_headers(
    text: bytearray, active: Active, cuts: list[tuple[int, int]], every_header: bool, lost: set[int]
) -> None:
    """Blank the directives that include what is not wanted, or stand in what is gone."""
    lines = Lines(active.original)
    for directive in active.directives:
        if directive.is_include and (
            any(start <= directive.start < end for start, end in cuts)
            or not lost.isdisjoint(_lines_of(directive, lines))
            or re.match(_THRUST, directive.line, re.VERBOSE)
            or (not every_header and re.match(_HOST_HEADERS, directive.line, re.VERBOSE))
        ):
            blank(text, directive.start, directive.end)


def _lines_of(directive: Directive, lines: Lines) -> range:
    return range(lines.position(directive.start)[0], lines.position(directive.end)[0] + 1)


def _blank_code(text: bytearray, active: Active, start: int, end: int) -> None:
    """Blank a range. Directives stay if later text may depend on them."""
    offset = start
    for directive in active.directives:
        first, last, line = directive
        if last <= offset or first >= end:
            continue
        blank(text, offset, max(offset, first))
        if not directive.is_include and not re.match(_KEPT_DIRECTIVE, line, re.VERBOSE):
            blank(text, first, last)
        offset = last
    blank(text, offset, max(offset, end))
