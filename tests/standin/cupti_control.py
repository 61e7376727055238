"""Steer the stand-in of CUPTI from Python: how it delivers records, which of its calls fails; its calls and records."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

COPY, FILL, KERNEL, PEER_COPY = 1, 2, 10, 22
KINDS = (KERNEL, COPY, FILL, PEER_COPY)


class Call(NamedTuple):
    """One call of the library."""

    name: str
    code: int
    detail: str


class CompleteRecord(NamedTuple):
    """A record that was complete when the client got it."""

    number: int
    kind: int
    node: int
    start: int
    end: int
    name: str
    grid: int
    block: int


class CuptiControl:
    """The stand-in of CUPTI that is loaded in this process, or will be."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.c = ctypes.CDLL(self.path)
        self.c.standin_cupti_live.restype = ctypes.c_longlong
        for name in ("standin_cupti_calls", "standin_cupti_records"):
            getattr(self.c, name).restype = ctypes.c_size_t

    def _lines(self, function: Callable[..., int], clear: bool) -> list[list[str]]:
        size = 1 << 16
        while True:
            buffer = ctypes.create_string_buffer(size)
            needed = function(buffer, ctypes.c_size_t(size), int(clear))
            if needed <= size:
                return [line.split("\t") for line in buffer.value.decode().splitlines()]
            size = needed + 4096

    def calls(self, clear: bool = True) -> list[Call]:
        """Return the calls since the last time, oldest first; those that read records are not among them."""
        return [Call(name, int(code), text) for name, code, text in self._lines(self.c.standin_cupti_calls, clear)]

    def names(self) -> list[str]:
        """Return the calls' names since the last time."""
        return [call.name for call in self.calls()]

    def complete_records(self, clear: bool = True) -> list[CompleteRecord]:
        """Return the records that the client has got since the last time, if they were complete then."""
        lines = self._lines(self.c.standin_cupti_records, clear)
        return [CompleteRecord(*map(int, line[:5]), line[5], int(line[6]), int(line[7])) for line in lines]

    def option(self, name: str, value: int) -> None:
        """Set an option; `reset` takes all back, and a variable like STANDIN_CUPTI_RECORDS sets it from the start.

        ``records``: of a buffer at most. ``reverse``: the records of a graph's nodes, those of the last node first.
        ``at_flush``: full buffers too are delivered at a flush only. ``newest_first``: of the buffers that are due.
        ``hold``: only a forced flush delivers buffers. ``lose``: the nth next record is never complete. ``late_us``:
        the client hears of a call's end so many microseconds late. ``leave``: a forced flush leaves buffers with records
        that are not complete; 1: ``cuptiFinalize`` delivers them, 2: the first flush after that does.
        """
        if self.c.standin_cupti_option(name.encode(), ctypes.c_longlong(value)):
            raise ValueError(name)

    def fail(self, name: str, code: int, nth: int = 1) -> None:
        """Let the nth next call of that name fail, or each if nth is 0."""
        if self.c.standin_cupti_fail(name.encode(), nth, code):
            raise ValueError(name)

    def number(self, last: int) -> None:
        """Let the next call of the driver have the number after this."""
        self.c.standin_cupti_number(ctypes.c_uint32(last))

    def live(self, name: str) -> int:
        """Count subscribers, buffers that the client has not got back, enabled kinds, or watched calls."""
        count = int(self.c.standin_cupti_live(name.encode()))
        if count < 0:
            raise ValueError(name)
        return count

    @property
    def attached(self) -> bool:
        """Whether a client hears of the driver's calls, or gets their records."""
        return any(self.live(name) for name in ("subscribers", "kinds", "watched"))

    def reset(self) -> None:
        """Forget options, faults, calls and records; a client stays attached."""
        self.c.standin_cupti_reset()
        self.complete_records()
