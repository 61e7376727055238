"""A piece: slots of a ring that stand together."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray


class Piece(NamedTuple):
    """Slots `first` to `first + length` of a ring: in the file at `offset`, or in `copied`."""

    ring: int
    first: int
    length: int
    thread: int
    offset: int
    copied: NDArray[Any] | None
