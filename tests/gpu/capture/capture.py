"""Somebody else's capture of a stream, through the library's own calls."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tests.gpu.standin import OUT, Standin
from tests.standin.client import GLOBAL, RELAXED, THREAD_LOCAL, soon

MODES = {"global": GLOBAL, "thread-local": THREAD_LOCAL, "relaxed": RELAXED}
TWO = ("global", "relaxed")  # a thread's own capture in thread-local mode forbids it what a global one does
ACTIVE = 1


class Capture:
    """A stream's capture, as long as the ``with`` block lasts; then launches of the graph.

    Attributes
    ----------
    code : int or None
        How the capture ended.
    """

    def __init__(self, gpu: Standin, handle: int, mode: str = "global") -> None:
        self.gpu, self.handle, self.mode = gpu, handle, MODES[mode]
        self.code: int | None = None
        self.graph = self.exec = 0

    def __enter__(self) -> Capture:
        self.gpu.cuda("cuStreamBeginCapture_v2", self.handle, self.mode)
        return self

    def __exit__(self, *raised: object) -> None:
        graph = ctypes.c_uint64()
        with self.gpu.current(0):
            self.code = self.gpu.control.c.cuStreamEndCapture(ctypes.c_uint64(self.handle), ctypes.byref(graph))
        self.graph = graph.value

    @property
    def status(self) -> int:
        """1; 2 if something has made the capture invalid."""
        status = ctypes.c_int()
        self.gpu.cuda("cuStreamIsCapturing", self.handle, ctypes.byref(status))
        return status.value

    @property
    def nodes(self) -> int:
        """How many."""
        count = ctypes.c_size_t()
        self.gpu.cuda("cuGraphGetNodes", self.graph, None, ctypes.byref(count))
        return count.value

    def launch(self) -> None:
        """Launch the graph on the stream that it was captured from."""
        assert self.code == 0, f"the capture has failed: {self.code}"
        if not self.exec:
            self.exec = self.gpu.cuda("cuGraphInstantiateWithFlags", OUT, self.graph, 0)
        self.gpu.cuda("cuGraphLaunch", self.exec, self.handle)

    def replay(self, stream: Any, *arrays: Any) -> list[Any]:
        """Launch the graph with all arrays 0, and return what each element of them is then."""
        for array in arrays:
            array.fill(0, stream)
        self.launch()
        assert soon(stream.query)
        contents = [values(array) for array in arrays]
        assert all(len(set(array)) == 1 for array in contents), contents
        return [array[0] for array in contents]

    def close(self) -> None:
        """Give everything back."""
        if self.exec:
            self.gpu.cuda("cuGraphExecDestroy", self.exec)
        if self.graph:
            self.gpu.cuda("cuGraphDestroy", self.graph)
        self.graph = self.exec = 0


def fork(gpu: Standin, stream: Any, other: Any, array: Any) -> None:
    """Submit a fork and its join: each element of the array is 3 then."""
    array.fill(1, stream)
    other.wait(stream.record())
    gpu.kernel("increment")[1, 16, other](array, 16)
    stream.wait(other.record())
    gpu.kernel("increment")[1, 16, stream](array, 16)


def values(array: Any) -> list[Any]:
    """Read the array's memory as it is now."""
    kind = ctypes.c_byte * array.nbytes
    return list(np.frombuffer(kind.from_address(array.pointer), array.dtype).tolist())
