"""What a library's own launch hands to CUDA's driver, read back from a capture: nothing runs.

The launch is made on a private stream that is being captured: it becomes a node of a graph, which the driver
describes.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass

_LIBRARY = "libcuda.so.1"
_NON_BLOCKING = 1
_RELAXED = 2  # a capture that neither forbids other threads' calls nor is broken by them
_KERNEL_NODE = 0
_CAPTURING = 1


class CaptureError(Exception):
    """The driver does not tell."""


@dataclass(frozen=True, slots=True)
class Launched:
    """One launch, as the driver has it."""

    function: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    places: tuple[tuple[int, int], ...]  # offset and bytes of each parameter
    values: tuple[bytes, ...]


class _Node(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS_v2."""

    _fields_ = [
        ("func", ctypes.c_void_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
        ("params", ctypes.POINTER(ctypes.c_void_p)), ("extra", ctypes.POINTER(ctypes.c_void_p)),
        ("kern", ctypes.c_void_p), ("ctx", ctypes.c_void_p),
    ]  # fmt: skip


class Driver:
    """CUDA's driver, as far as it is needed here."""

    def __init__(self, path: str = _LIBRARY) -> None:
        try:
            self._library = ctypes.CDLL(path)
        except OSError as error:
            raise CaptureError(f"{path} cannot be loaded: {error}") from error
        self._streams: dict[int, ctypes.c_void_p] = {}
        self._lock = threading.RLock()

    def address(self, name: str) -> int:
        """Return where a function is."""
        return ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0

    def call(self, name: str, *arguments: object) -> None:
        """Call a function; an error says which."""
        function = getattr(self._library, name, None)
        if function is None:
            raise CaptureError(f"the driver has no {name}")
        code = function(*arguments)
        if code:
            raise CaptureError(f"{name} failed with code {code}")

    def context(self) -> int:
        """Return the current context, 0: there is none."""
        context = ctypes.c_void_p()
        self.call("cuCtxGetCurrent", ctypes.byref(context))
        return context.value or 0

    def is_capturing(self, stream: int) -> bool:
        """Whether a stream is being captured: then nothing is compared."""
        status = ctypes.c_int()
        self.call("cuStreamIsCapturing", ctypes.c_void_p(stream), ctypes.byref(status))
        return status.value == _CAPTURING

    def launched(self, launch: Callable[[int], object]) -> Launched:
        """Return what a function launches on the stream whose handle it gets.

        Raises
        ------
        CaptureError
            The driver cannot capture here, or the function launched something else than one kernel.
        """
        with self._lock:  # one capture at a time on the private stream
            mode = ctypes.c_int(_RELAXED)
            self.call(
                "cuThreadExchangeStreamCaptureMode", ctypes.byref(mode)
            )  # or captures elsewhere forbid some calls
            try:
                return self._captured(launch)
            finally:
                self._library.cuThreadExchangeStreamCaptureMode(ctypes.byref(mode))

    def _captured(self, launch: Callable[[int], object]) -> Launched:
        stream, graph = self._stream(), ctypes.c_void_p()
        self.call("cuStreamBeginCapture_v2", stream, _RELAXED)
        try:
            launch(stream.value or 0)
        finally:
            code = self._library.cuStreamEndCapture(stream, ctypes.byref(graph))
        if code or not graph.value:
            raise CaptureError(f"cuStreamEndCapture failed with code {code}")
        try:
            return self._only_node(graph)
        finally:
            self._library.cuGraphDestroy(graph)

    def _stream(self) -> ctypes.c_void_p:
        context = self.context()
        if context not in self._streams:
            stream = ctypes.c_void_p()
            self.call("cuStreamCreate", ctypes.byref(stream), _NON_BLOCKING)
            self._streams[context] = stream
        return self._streams[context]

    def _only_node(self, graph: ctypes.c_void_p) -> Launched:
        count = ctypes.c_size_t()
        self.call("cuGraphGetNodes", graph, None, ctypes.byref(count))
        if count.value != 1:
            raise CaptureError(f"expected one node of a launch, got {count.value}")
        node, kind, params = ctypes.c_void_p(), ctypes.c_int(-1), _Node()
        self.call("cuGraphGetNodes", graph, ctypes.byref(node), ctypes.byref(count))
        self.call("cuGraphNodeGetType", node, ctypes.byref(kind))
        if kind.value != _KERNEL_NODE:
            raise CaptureError(f"expected a kernel's node, got one of type {kind.value}")
        self.call("cuGraphKernelNodeGetParams_v2", node, ctypes.byref(params))
        function = params.func or self.function_of(params.kern or 0)
        places = self.places(function)
        values = []
        for i, (_, size) in enumerate(places):
            values.append(ctypes.string_at(params.params[i], size))
        return Launched(function, tuple(params.grid), tuple(params.block), params.shared, places, tuple(values))

    def function_of(self, kernel: int) -> int:
        """Return the function of a library's kernel, which is for all contexts, in the current one."""
        function = ctypes.c_void_p()
        self.call("cuKernelGetFunction", ctypes.byref(function), ctypes.c_void_p(kernel))
        return function.value or 0

    def places(self, function: int) -> tuple[tuple[int, int], ...]:
        """Return offset and bytes of each parameter of a function."""
        if not hasattr(self._library, "cuFuncGetParamInfo"):
            raise CaptureError("the driver has no cuFuncGetParamInfo (CUDA 12.4)")
        places: list[tuple[int, int]] = []
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        while not self._library.cuFuncGetParamInfo(
            ctypes.c_void_p(function), ctypes.c_size_t(len(places)), ctypes.byref(offset), ctypes.byref(size)
        ):
            places.append((offset.value, size.value))
        return tuple(places)


_driver: list[Driver] = []


def driver() -> Driver:
    """Return the process's driver.

    Raises
    ------
    CaptureError
        There is none.
    """
    if not _driver:
        _driver.append(Driver())
    return _driver[0]


def forget() -> None:
    """Look for the driver anew: in a forked child, where its streams and contexts are gone."""
    _driver.clear()


def use(path: str | None) -> None:
    """Take another library for the driver, for tests; None: CUDA's own."""
    forget()
    if path is not None:
        _driver.append(Driver(path))
