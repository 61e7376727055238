"""Turns of a process: what occurs again and again, in windows, so that processes can be compared step by step."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath._trace.condensed.format import PARTS, WINDOW

# What a thread did in a turn: `submit` to `call` in the driver; the others by looks at it, if there are any: it ran, it
# was ready to run, and it slept outside of all calls. `run` and `ready` are in calls as well.
PART_NAMES = ("submit", "copy", "wait", "call", "run", "ready", "away")
WINDOW_TYPE = numpy.dtype(
    [(name, "<u8") for name in ("turns", "total", "longest", "longest_number", "begin", "end")]
    + [("parts", "<u8", (PARTS,))]
)
_MOST = (1 << 64) - 1
assert WINDOW_TYPE.itemsize == 8 * WINDOW


@dataclass
class Turns:
    """What occurs again and again in a process.

    Attributes
    ----------
    process : str
        "host:pid".
    rank : int or None
    name : str
    kind : str
        ``range``, or ``wait``: then a turn is from the end of a wait to the end of the thread's next.
    turns : int
        How many there are.
    shift : int
        A window has ``2**shift`` turns; the last one may have fewer.
    windows : numpy.ndarray of `WINDOW_TYPE`
        Times in nanoseconds; ``begin`` and ``end`` are since 1970.
    """

    process: str
    rank: int | None
    name: str
    kind: str
    turns: int
    shift: int
    windows: NDArray[Any]

    @property
    def total(self) -> int:
        """Nanoseconds of all turns."""
        return sum(self.windows["total"].tolist())

    def order(self) -> tuple[Any, ...]:
        """Give what sorts turns of several processes."""
        rank = -1 if self.rank is None else self.rank
        # Not the windows themselves: those of thousands of processes take 150 MB.
        digest = blake2b(self.windows.tobytes(), digest_size=16).digest()
        return rank, self.process, self.kind, self.name, self.turns, self.shift, digest

    def pack(self) -> list[Any]:
        """Give it as MessagePack takes it."""
        return [self.process, self.rank, self.name, self.kind, self.turns, self.shift, self.windows.tobytes()]

    @classmethod
    def unpack(cls, values: list[Any]) -> Turns:
        """Read back what `pack` has given."""
        process, rank, name, kind, turns, shift, windows = values
        return cls(process, rank, name, kind, turns, shift, numpy.frombuffer(windows, WINDOW_TYPE))

    def at(self, shift: int) -> NDArray[Any]:
        """Give the windows of ``2**shift`` turns each, of at least as many as they have."""
        windows = self.windows
        for _ in range(max(shift - self.shift, 0)):
            windows = _in_pairs(windows)
        return windows


def _in_pairs(windows: NDArray[Any]) -> NDArray[Any]:
    first, second = windows[::2], windows[1::2]
    result = first.copy()
    into = result[: len(second)]
    for name in ("turns", "total", "parts"):
        sums = into[name] + second[name]
        sums[sums < second[name]] = _MOST  # as in C, where sums stop
        into[name] = sums
    longer = second["longest"] > into["longest"]
    for name in ("longest", "longest_number"):
        into[name][longer] = second[name][longer]
    into["begin"], into["end"] = (
        numpy.minimum(into["begin"], second["begin"]),
        numpy.maximum(into["end"], second["end"]),
    )
    return result
