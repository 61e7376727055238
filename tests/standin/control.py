"""Steer the stand-in from Python: what is recorded, which call fails, what runs when, what is left."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .build import library

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Launch(ctypes.Structure):
    """What a kernel is told of its launch: ``standin_launch``."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("cooperative", ctypes.c_uint),
        ("device", ctypes.c_int),
        ("size", ctypes.c_uint),
        ("name", ctypes.c_char_p),
        ("stream", ctypes.c_void_p),
    )


class Call(NamedTuple):
    """One call of the library."""

    name: str
    thread: int
    stream: int
    result: int
    detail: str


class Control:
    """The stand-in that is loaded in this process, or will be."""

    def __init__(self, path: str | Path | None = None):
        self.path = str(path or library("cuda"))
        self.c = ctypes.CDLL(self.path)
        self._kept: list[object] = []
        for name in ("standin_calls", "standin_reports"):
            getattr(self.c, name).restype = ctypes.c_size_t
        self.c.standin_live.restype = ctypes.c_longlong

    def _text(self, function: Callable[..., int], clear: bool) -> str:
        size = 1 << 16
        while True:
            buffer = ctypes.create_string_buffer(size)
            needed = function(buffer, ctypes.c_size_t(size), int(clear))
            if needed <= size:
                return buffer.value.decode()
            size = needed + 4096

    def calls(self, clear: bool = True) -> list[Call]:
        """Return the calls since the last time, oldest first."""
        lines = (line.split("\t") for line in self._text(self.c.standin_calls, clear).splitlines())
        return [
            Call(name, int(thread), int(stream), int(result), detail) for name, thread, stream, result, detail in lines
        ]

    def reports(self, clear: bool = True) -> list[str]:
        """Return what the stand-in noticed: misuse that CUDA would not tell."""
        return self._text(self.c.standin_reports, clear).splitlines()

    def record(self, on: bool) -> None:
        """Record calls, or stop that."""
        self.c.standin_record(int(on))

    def watch(self, depth: int) -> None:
        """Note from now on the calls that no call of the driver's table makes; `depth` is `_core.driver_depth`, 0: none."""
        self.c.standin_watch(ctypes.c_void_p(depth))

    def past(self) -> list[str]:
        """Return the functions of which a call went past the table."""
        self.c.standin_past.restype = ctypes.c_char_p
        return self.c.standin_past().decode().split()

    def fail(self, name: str, code: int, nth: int = 1) -> None:
        """Let the nth next call of that name fail, or each if nth is 0; ``run:NAME`` fails a kernel when it runs."""
        self.c.standin_fail(name.encode(), nth, code)

    def forgive(self, name: str | None = None) -> None:
        """Take back what `fail` asked for."""
        self.c.standin_fail(name.encode() if name else None, 0, 0)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Run nothing inside the block but what `step` asks for."""
        self.pause()
        try:
            yield
        finally:
            self.resume()

    def pause(self) -> None:
        """Start nothing any more that `step` does not ask for."""
        self.c.standin_pause()

    def resume(self) -> None:
        """Run everything again."""
        self.c.standin_resume()

    def step(self, count: int = 1, stream: int | None = None) -> int:
        """Run that many operations, the oldest that is ready first, or those of one stream; return how many have run."""
        if stream is None:
            return self.c.standin_step(count)
        return self.c.standin_step_stream(ctypes.c_void_p(stream), count)

    @property
    def ready(self) -> int:
        """Operations that could start now."""
        return self.c.standin_ready()

    @property
    def pending(self) -> int:
        """Operations that are not complete."""
        return self.c.standin_pending()

    def live(self, what: str) -> int:
        """Count what exists: streams, events, memory, bytes, pinned, managed, pools, modules, graphs, nodes, user_objects, contexts.

        ``destroying``: user objects that nobody has references to, and whose destroy function has not returned.
        """
        count = self.c.standin_live(what.encode())
        if count < 0:
            raise ValueError(what)
        return count

    def option(self, name: str, value: int) -> None:
        """Set an option: depth, free_waits, load_waits, create_waits, cooperative_blocks, memory, version, managed (memory: 0 none, 1, 2 only while the device is idle; asked for when devices are found), peers (devices can access each other's memory), let_go (waits for values end).

        ``late_queries``: so many queries in a row find a stream's work not complete, and the next one waits for it. How
        late a stream seems to be is then no matter of how busy the host is. 0: no query waits.

        ``destroy_at_once``: the thread that takes a user object's last reference calls its destroy function, as in
        HIP, before its own call returns.
        """
        if self.c.standin_option(name.encode(), ctypes.c_longlong(value)):
            raise ValueError(name)

    def register(
        self, name: str, function: Callable[[Launch, int], int], parameters: Sequence[tuple[int, int]] = ()
    ) -> None:
        """Let a Python function be a kernel: it gets the launch and the address of its arguments, and returns a code."""

        def called(launch: int, arguments: int) -> int:
            return function(Launch.from_address(launch), arguments) or 0

        kept = KERNEL(called)
        self._kept.append(kept)  # the library calls it for as long as it lives
        numbers = ctypes.c_size_t * len(parameters)
        offsets, sizes = numbers(*(number for number, _ in parameters)), numbers(*(number for _, number in parameters))
        self.c.standin_register(name.encode(), kept, len(parameters), offsets, sizes)

    def reset(self) -> None:
        """Start anew: waits for all work, ends all contexts, forgets faults, records, reports and options."""
        self.c.standin_reset()
