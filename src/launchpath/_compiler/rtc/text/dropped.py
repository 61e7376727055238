"""Pieces of a source that turn out to be host code, by the messages of NVRTC or hipRTC."""

from __future__ import annotations

from collections.abc import Iterable

from ...extraction.pieces.piece import Piece
from ...extraction.unit import ParsedUnit
from ...messages.log import Message


def pieces_with_errors(unit: ParsedUnit, messages: Iterable[Message]) -> dict[tuple[str, int], Piece]:
    """Find the pieces that errors are in, by path and start."""
    pieces = {}
    for message in messages:
        piece = unit.piece_at(message.file, message.line, message.column) if message.level.endswith("error") else None
        if piece is not None:
            pieces[message.file, piece.start] = piece
    return pieces


def drop_host_code(unit: ParsedUnit, messages: Iterable[Message]) -> bool:
    """Leave out the pieces with errors that are not marked as device code; False if there are errors elsewhere.

    Classes are still declared: what kernels take may have pointers to them.
    """
    pieces: dict[tuple[str, int], Piece] = {}
    for message in messages:
        if not message.level.endswith("error"):
            continue
        piece = unit.piece_at(message.file, message.line)
        if piece is None or piece.device or (message.file, piece.start) in unit.dropped:
            return False
        pieces[message.file, piece.start] = piece
    unit.dropped |= {place for place, piece in pieces.items() if not piece.leave_less()}
    return bool(pieces)
