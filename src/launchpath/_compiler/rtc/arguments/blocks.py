"""Kernels that become device functions, because entry points of our own call them with arguments from a block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...extraction.pieces.piece import Piece
from ...extraction.unit import ParsedUnit
from ...kernels.instance import Instance
from ...signature import Signature
from ...source.active import Active, blank
from .in_place import Edit, applied, plain

_MARK, _CALLED = b"__global__", b"__lp_here_"
# Attributes that only kernels, or their parameters, may have.
_WORDS = (b"__launch_bounds__", b"__grid_constant__", b"__cluster_dims__", b"__block_size__", b"__maxnreg__")
_WITHOUT_ARGUMENTS = b"__grid_constant__"

# The same for all kernels of a program, where a macro of its own makes the marks.
REDEFINED = (
    f"#undef {_MARK.decode()}",
    f"#define {_MARK.decode()} {_CALLED.decode()}",
    *(
        line
        for word in map(bytes.decode, _WORDS)
        for line in (
            f"#undef {word}", f"#define {word}{'' if word.encode() == _WITHOUT_ARGUMENTS else '(...)'}"
        )
    ),
)  # fmt: skip


def spilled(instances: Iterable[Instance], signatures: Iterable[Signature]) -> set[str]:
    """The kernels, by their names without namespaces, that a launch cannot bring the arguments of."""
    return {
        plain(instance)
        for instance, signature in zip(instances, signatures, strict=True)
        if signature.block
    }  # fmt: skip


def members(unit: ParsedUnit) -> set[str]:
    """The kernels that are members of classes, by their names alone: NVRTC and hipRTC take none."""
    return {kernel.name.rpartition("::")[2] for kernel in unit.kernels.values() if kernel.scope}


def called(instances: Iterable[Instance], names: set[str] | None) -> set[str]:
    """The entry points that have to be written, if the kernels of these names, or all, are device functions."""
    return {instance.entry for instance in instances if names is None or plain(instance) in names}


def others(unit: ParsedUnit, instances: Iterable[Instance]) -> set[str]:
    """The kernels of the unit that nobody asks for, and none of the same name, by their names without namespaces."""
    names = {kernel.name.rpartition("::")[2] for kernel in unit.kernels.values()}
    return names - {plain(instance) for instance in instances}


def unmark(
    unit: ParsedUnit, texts: Mapping[str, bytes], names: set[str], edits: Iterable[Edit]
) -> tuple[dict[str, bytes], bool]:
    """Make device functions of kernels, every line and column where it was.

    Parameters
    ----------
    unit : ParsedUnit
    texts : mapping of str to bytes
        The user's files, see `ParsedUnit.reduced`.
    names : set of str
        Kernels by their names without namespaces; all of such a name.
    edits : iterable of Edit
        What makes references of their parameters, see `in_place`.

    Returns
    -------
    dict of str to bytes
    bool
        Whether the mark of each of them was there to be changed, and not a macro's.
    """
    edits = [*edits]
    unmarked: dict[str, bytes] = {}
    changed: set[tuple[str, int]] = set()
    for path, text in texts.items():
        file = unit.files[path]
        new_text = bytearray(text)
        for piece in file.pieces:
            if not names.isdisjoint(piece.names) and _without_marks(file.active, piece, new_text):
                changed.add((path, piece.start))
        unmarked[path] = applied(edits, path, bytes(new_text))
    kernels = [kernel for kernel in unit.kernels.values() if kernel.name.rpartition("::")[2] in names]
    whole = all(
        any(path == kernel.path and _holds(unit, path, start, kernel.line) for path, start in changed)
        for kernel in kernels
    )
    return unmarked, whole


def _without_marks(active: Active, piece: Piece, text: bytearray) -> bool:
    """Take a kernel's marks out of the text; whether that it is a kernel was among them."""
    changed = False
    for index in range(active.index(piece.start), active.index(piece.end)):
        token = active.tokens[index]
        if text[token.start : token.end] != token.text:
            continue  # it is left out
        if token.text == _MARK:
            text[token.start : token.end] = _CALLED
            changed = True
        elif token.text in _WORDS:
            has_arguments = token.text != _WITHOUT_ARGUMENTS and active.is_at(index + 1, b"(")
            end = active.tokens[active.closing(index + 1)].end if has_arguments else token.end
            blank(text, token.start, end)
    return changed


def _holds(unit: ParsedUnit, path: str, start: int, line: int) -> bool:
    piece = unit.piece_at(path, line)
    return piece is not None and piece.start == start
