"""The condenser, a library in C: slots go in, and a blob comes out."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from launchpath.errors import TraceFileError

FILE = Path(__file__).with_name("libcondenser.so.1")
_POINTER, _LONG = ctypes.c_void_p, ctypes.c_uint64
# `read_piece` and `read_source` of _core/trace/condense/read.h.
PIECE = numpy.dtype([("slots", "u8"), ("count", "u8"), ("follows", "u8"), ("offset", "u8")])
SOURCE = numpy.dtype(
    [
        ("ring", "u4"), ("thread", "u4"), ("pieces", "u8"), ("n_pieces", "u8"), ("place", "u8"), ("next", "u8"),
        ("has_times", "i4"), ("file", "i4"), ("more", "u8"), ("held", "u8"), ("first_held", "u8"), ("n_held", "u8"),
        ("room", "u8"),
    ]
)  # fmt: skip


class Part(NamedTuple):
    """Slots of a ring that stand together: in memory, or in the file at `offset`.

    `follows` says whether the slots before them are there.
    """

    length: int
    follows: bool
    slots: NDArray[Any] | None = None
    offset: int = 0


class Condenser:
    """Counts slots; the memory it takes does not depend on how many there are. It is freed by `blob`, or by ``with``.

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

    def read(self, rings: Mapping[tuple[int, int], Sequence[Part]], file: int = -1) -> None:
        """Count the slots of rings.

        Parameters
        ----------
        rings : mapping
            For each ring's number and thread its slots, in parts that follow one another.
        file : int
            The descriptor of the file, for parts that are in it.

        Raises
        ------
        OSError
            The file cannot be read.
        MemoryError
        """
        pieces = numpy.array(
            [
                (0 if part.slots is None else part.slots.ctypes.data, part.length, part.follows, part.offset)
                for parts in rings.values()
                for part in parts
            ],
            PIECE,
        ).reshape(-1)
        sources, place = numpy.zeros(len(rings), SOURCE), 0
        for source, ((ring, thread), parts) in zip(sources, rings.items(), strict=True):
            source["ring"], source["thread"], source["n_pieces"] = ring, thread, len(parts)
            source["pieces"] = pieces.ctypes.data + place * PIECE.itemsize
            place += len(parts)
        code = self._library.lp_condenser_read(self._it, file, sources.ctypes.data, len(sources))
        if code == errno.ENOMEM:
            raise MemoryError
        if code:
            raise OSError(code, os.strerror(code))

    def blob(self) -> NDArray[numpy.uint64]:
        """Give what was counted: `format` says what the words are. Nothing can be added after it."""
        with self:
            self._library.lp_condenser_end(self._it)
            words = numpy.empty(self._library.lp_condenser_words(self._it), "u8")
            self._library.lp_condenser_write(self._it, words.ctypes.data)
        if words[4]:
            raise MemoryError
        return words

    def __enter__(self) -> Condenser:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.lp_condenser_free(self._it)  # NULL, of what was freed before, is nothing
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
        ("read", ctypes.c_int, _POINTER, ctypes.c_int, _POINTER, _LONG),
        ("end", None, _POINTER),
        ("words", _LONG, _POINTER),
        ("write", None, _POINTER, _POINTER),
    ):
        function = getattr(library, f"lp_condenser_{name}")
        function.restype, function.argtypes = result, arguments
    return library
