"""Pieces: the declarations at file or namespace scope of the user's files, and which of them kernels can need."""

from __future__ import annotations

from collections.abc import Iterable

from ...source.active import Active
from ...source.unit import File

ALWAYS, REACHED, NEVER = "always", "reached", "never"


class Piece:
    """One or more declarations whose text cannot be separated.

    Attributes
    ----------
    start, end : int
        Offsets in the file.
    names : set of str
        What it declares.
    keep : str
        `ALWAYS`: it is a kernel or the host may see it; `REACHED`: if something kept names it; `NEVER`: host code.
    device : bool
        Whether it is marked as device code: then an error in it is the user's.
    cuts : list of (int, int, bytes)
        The text that is cut out of it: the host's own methods of a class.
    using : bool
        Whether it is a using directive or declaration.
    includes : set of str
        The paths of files that are included within it: all of their text is of the piece.
    head : int
        Of a class that is defined: where the text ends that would declare it. 0 for all other pieces.
    outline : list of (int, int, bytes)
        The cuts that leave a class with its types and constants.
    """

    __slots__ = ("cuts", "device", "end", "head", "includes", "keep", "names", "outline", "start", "using")

    # No dataclass: making that class takes longer than to read a small source.
    def __init__(self, start: int, end: int, names: set[str], keep: str, device: bool) -> None:
        self.start, self.end, self.names, self.keep, self.device = start, end, names, keep, device
        self.cuts: list[tuple[int, int, bytes]] = []
        self.using = False
        self.includes: set[str] = set()
        self.head = 0
        self.outline: list[tuple[int, int, bytes]] = []

    def leave_less(self) -> bool:
        """Cut a class down to its outline, or else to its head, which declares it; False if nothing less is left."""
        if not self.head:
            return False
        self.cuts, self.outline = self.outline, []
        if not self.cuts:
            self.cuts, self.head = [(self.head, self.end, b";")], 0
        return True


class Pieces(File):
    """All pieces of one file, in order, and the tokens (namespaces, linkage blocks) that hold them."""

    __slots__ = ("braces", "pieces")

    def __init__(self, active: Active, pieces: Iterable[Piece] = ()) -> None:
        super().__init__(active)
        self.pieces = [*pieces]
        self.braces: list[tuple[int, int]] = []

    def edge(self, offset: int) -> int:
        """Where the text before what stands at `offset` belongs to something else."""
        ends = [piece.end for piece in self.pieces[-1:]] + [end for _, end in self.braces if end <= offset]
        return max(ends, default=0)


def merged(pieces: list[Piece]) -> list[Piece]:
    """Merge the pieces that overlap."""
    whole: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.start, piece.end)):
        if whole and piece.start < whole[-1].end:
            last = whole[-1]
            last.end = max(last.end, piece.end)
            last.names |= piece.names
            last.device = last.device or piece.device
            last.using = last.using and piece.using
            last.keep = min(last.keep, piece.keep, key=[ALWAYS, REACHED, NEVER].index)
            last.cuts += piece.cuts
            last.includes |= piece.includes
            last.head = 0
        else:
            whole.append(piece)
    return whole
