"""Steer the library in between, in the process that has loaded it."""

import ctypes
import os
from typing import NamedTuple

KINDS = ("contexts", "queues", "programs", "kernels", "events", "memory")


class Calls(NamedTuple):
    """How often a function was called, and whether a call of it was failed."""

    count: int
    failed: bool


class Control:
    """The library in between that launchpath uses in this process."""

    def __init__(self) -> None:
        self.c = ctypes.CDLL(os.environ["LAUNCHPATH_OPENCL_LIBRARY"])
        self.c.interposer_live.restype = self.c.interposer_past.restype = ctypes.c_long
        self.c.interposer_calls.restype = ctypes.c_size_t

    def calls(self) -> dict[str, Calls]:
        """Return the calls of each function since the process began."""
        room = 1 << 14
        text = ctypes.create_string_buffer(room)
        assert self.c.interposer_calls(text, ctypes.c_size_t(room)) <= room
        rows = (line.split() for line in text.value.decode().splitlines())
        return {name: Calls(int(count), failed == "1") for name, count, failed in rows}

    def fail(self, name: str, nth: int, code: int) -> None:
        """Let the nth next call of a function fail; 0: none."""
        if self.c.interposer_fail(name.encode(), ctypes.c_long(nth), code):
            raise ValueError(f"{name!r} is no function of the library in between")

    def watch(self, depth: int) -> None:
        """Count from now on the calls that no call of the driver's table makes; `depth` is `_core.driver_depth`."""
        self.c.interposer_watch(ctypes.c_void_p(depth))

    def past(self) -> dict[str, int]:
        """Return how many calls of each function went past the table."""
        counts = {name: self.c.interposer_past(name.encode()) for name in self.calls()}
        return {name: count for name, count in counts.items() if count}

    def live(self) -> dict[str, int]:
        """Count the objects that were made and not released."""
        return {kind: self.c.interposer_live(kind.encode()) for kind in KINDS}
