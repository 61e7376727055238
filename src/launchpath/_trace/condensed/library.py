"""The condenser, a library in C: slots go in, and a blob comes out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from launchpath.errors import TraceFileError

FILE = Path(__file__).with_name("libcondenser.so.1")
_POINTER, _LONG = ctypes.c_void_p, ctypes.c_uint64
# `read_piece` and `read_source` of _core/trace/condense/read.h.
PIECE = numpy.dtype([("slots", "u8"), ("count", "u8"), ("follows", "u8")])
SOURCE = numpy.dtype(
    [
        ("ring", "u4"), ("thread", "u4"), ("pieces", "u8"), ("n_pieces", "u8"), ("place", "u8"), ("next", "u8"),
        ("has_times", "i4"), ("unused", "u4"),
    ]
)  # fmt: skip


class Condenser:
    """Counts slots; the memory it takes does not depend on how many there are.

    Parameters
    ----------
    is_recorder : bool
        Whether the slots are of the recorder, the library that traces any program.
    calls, api : iterable of int
        The entries that wait for the device: of drivers' calls, and of launchpath's.
    """

    def __init__(self, is_recorder: bool, calls: Iterable[int] = (), api: Iterable[int] = ()) -> None:
        self._library = _library()
        self._it = self._library.lp_condenser_new(int(is_recorder))
        if not self._it:
            raise MemoryError
        for of_api, entries in ((0, calls), (1, api)):
            for entry in entries:
                self._library.lp_condenser_waits(self._it, of_api, entry)

    def rate(self, nanoseconds: float, real: int) -> None:
        """Tell what is known without a measurement: nanoseconds in a tick, and the nanosecond since 1970 at 0."""
        self._library.lp_condenser_rate(self._it, nanoseconds, real & (1 << 64) - 1)

    def clock(self, ticks: int, monotonic: int) -> None:
        """Tell a measurement of the host's clock: a tick, and its nanosecond of the monotonic clock."""
        self._library.lp_condenser_clock(self._it, ticks, monotonic)

    def read(self, rings: Mapping[tuple[int, int], Sequence[tuple[NDArray[Any], bool]]]) -> None:
        """Count the slots of rings.

        Parameters
        ----------
        rings : mapping
            For each ring's number and thread arrays of slots in their order, and whether each follows the one before it
            without a gap.
        """
        pieces = numpy.array(
            [(part.ctypes.data, part.nbytes // 64, follows) for parts in rings.values() for part, follows in parts],
            PIECE,
        ).reshape(-1)
        sources, place = numpy.zeros(len(rings), SOURCE), 0
        for source, ((ring, thread), parts) in zip(sources, rings.items(), strict=True):
            source["ring"], source["thread"], source["n_pieces"] = ring, thread, len(parts)
            source["pieces"] = pieces.ctypes.data + place * PIECE.itemsize
            place += len(parts)
        if not self._library.lp_condenser_read(self._it, sources.ctypes.data, len(sources)):
            raise MemoryError

    def blob(self) -> NDArray[numpy.uint64]:
        """Give what was counted: `format` says what the words are. Nothing can be added after it."""
        self._library.lp_condenser_end(self._it)
        words = numpy.empty(self._library.lp_condenser_words(self._it), "u8")
        self._library.lp_condenser_write(self._it, words.ctypes.data)
        if words[4]:
            raise MemoryError
        return words

    def __del__(self) -> None:
        if getattr(self, "_it", None):
            self._library.lp_condenser_free(self._it)
            self._it = None


@cache
def _library() -> Any:
    try:
        library = ctypes.CDLL(str(FILE))
    except OSError as error:
        raise TraceFileError(
            f"expected the library that sums up traces, got: {error}: install launchpath again"
        ) from None
    for name, result, *arguments in (
        ("new", _POINTER, ctypes.c_int),
        ("free", None, _POINTER),
        ("waits", None, _POINTER, ctypes.c_int, ctypes.c_uint32),
        ("rate", None, _POINTER, ctypes.c_double, _LONG),
        ("clock", None, _POINTER, _LONG, _LONG),
        ("read", ctypes.c_int, _POINTER, _POINTER, _LONG),
        ("end", None, _POINTER),
        ("words", _LONG, _POINTER),
        ("write", None, _POINTER, _POINTER),
    ):
        function = getattr(library, f"lp_condenser_{name}")
        function.restype, function.argtypes = result, arguments
    return library
