"""Capture: what is submitted to streams becomes a graph."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from launchpath import _core
from launchpath._streams.stream import Stream
from launchpath.hip._devices.current import current
from launchpath.hip._graphs.copies import Copies, Fills
from launchpath.hip._graphs.graphs import Graph, Node, graphs, nodes_of
from launchpath.hip._graphs.params import memory_at
from launchpath.hip._graphs.works import Allocate, Call, Free, Launch, Memory, Record, Wait, Work
from launchpath.hip._streams.capturing import Capturing, captured, check_legacy
from launchpath.hip._streams.events import RecordedEvent
from launchpath.hip._streams.streams import LEGACY, PER_THREAD, stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.kept import launch
from launchpath.hip._types.values import place_of, write

_Mode: Any = types.hipStreamCaptureMode
_Status: Any = types.hipStreamCaptureStatus
_numbers = itertools.count(1)
_lock = threading.RLock()


class _Life:
    """An object that goes when its thread ends."""


class _Thread(threading.local):
    mode: Any = _Mode.hipStreamCaptureModeGlobal

    def __init__(self) -> None:
        self.number = threading.get_ident()
        self.life = _Life()
        weakref.finalize(self.life, _end_with_thread, self.number).atexit = False


def _end_with_thread(thread: int) -> None:
    """End a thread's captures of its default stream, which no other thread has, as AMD's runtime does."""
    for recorder in list(captured.values()):
        if isinstance(recorder, Recorder) and recorder.capture.own_of == thread:
            recorder.capture.streams[0].forget()


_thread = _Thread()


class Capture:
    """A capture: a graph that grows, and the streams whose work it takes."""

    def __init__(self, graph: Graph, mode: Any, owned: bool) -> None:
        self.graph, self.mode = graph, mode
        self.owned = owned  # the graph is this capture's, and not the program's from before
        self.number = next(_numbers)
        self.thread = threading.get_ident()
        self.own_of: int | None = None  # the thread whose default stream it began on
        self.streams: list[Recorder] = []  # the first is where it began
        self.status = _Status.hipStreamCaptureStatusActive
        graph.owned = True

    def join(self, stream: Stream, tail: Iterable[Node]) -> None:
        """Take a stream's work, behind these nodes."""
        recorder = Recorder(self, stream, tail)
        self.streams.append(recorder)
        captured[stream] = recorder
        _core.host_captures(True)
        launch.forget()  # the stream's handle stands for the recorder now

    def invalidate(self) -> None:
        """Let the capture have no result."""
        if self.status == _Status.hipStreamCaptureStatusActive:
            self.status = _Status.hipStreamCaptureStatusInvalidated

    def check(self) -> None:
        """Refuse work after what invalidated the capture."""
        if self.status != _Status.hipStreamCaptureStatusActive:
            raise HipError(Error.hipErrorStreamCaptureInvalidated, "the capture was invalidated before: end it")

    def fork(self, stream: Stream, event: RecordedEvent) -> None:
        """Take a stream's work, because it waits for an event of the capture."""
        with _lock:
            if self.status == _Status.hipStreamCaptureStatusNone:
                raise HipError(Error.hipErrorCapturedEvent, "the event is of a capture that ended: record it again")
            self.check()
            if stream is stream.device.legacy_stream:
                self.invalidate()
                raise HipError(Error.hipErrorStreamCaptureImplicit, "the legacy stream cannot be part of a capture")
            self.join(stream, event.captured[1])

    def end(self) -> Graph:
        """End it, and return its graph."""
        with _lock:
            status, self.status = self.status, _Status.hipStreamCaptureStatusNone
            for recorder in self.streams:
                if captured.get(recorder.stream) is recorder:
                    del captured[recorder.stream]
            _core.host_captures(bool(captured))
            self.graph.owned = False
            joined = self.graph.ancestors(self.streams[0].tail)
            if status == _Status.hipStreamCaptureStatusInvalidated:
                code, reason = Error.hipErrorStreamCaptureInvalidated, "something in the capture invalidated it"
            elif any(
                not joined.issuperset(node for node in recorder.tail if node in self.graph.before)
                for recorder in self.streams[1:]
            ):
                code = Error.hipErrorStreamCaptureUnjoined
                reason = (
                    "expected the first stream to wait for the others of the capture, got one that was not waited for"
                )
            else:
                return self.graph
            if self.owned:
                self.graph.end()
            raise HipError(code, reason)


class Recorder(Capturing):
    """A stream of a capture."""

    def __init__(self, capture: Capture, stream: Stream, tail: Iterable[Node]) -> None:
        super().__init__(stream)
        self.capture = capture
        self.tail = dict.fromkeys(tail)  # what its next node depends on
        self.array: Any = None

    def add(self, work: Work) -> None:
        with _lock:
            self.capture.check()
            before = [node for node in self.tail if node in self.capture.graph.before]
            self.tail = {self.capture.graph.add(work, before): None}

    def launch(self, function: Any, cooperative: bool, configuration: tuple[Any, ...], arguments: bytes) -> None:
        self.add(Launch(function.kernel, cooperative, configuration, arguments))

    def copy(self, copy: Any) -> None:
        self.add(Copies([copy], copy.kind))

    def fill(self, fill: Any) -> None:
        self.add(Fills(fill))

    def host_function(self, function: Callable[..., Any], *args: Any) -> None:
        self.add(Call(function, args))

    def record(self, event: Any, external: bool = False) -> None:
        if external:
            self.add(Record(event))
            return
        with _lock:
            self.capture.check()
            event.captured = self.capture, tuple(self.tail)

    def wait(self, event: Any, external: bool = False) -> None:
        if external:
            self.add(Wait(event))
            return
        with _lock:
            self.capture.check()
            if event.captured is None:
                self.capture.invalidate()
                raise HipError(
                    Error.hipErrorStreamCaptureIsolation,
                    "expected an event of the capture, got one from outside: wait for it before the capture",
                )
            other, nodes = event.captured
            if other is not self.capture:
                self.capture.invalidate()
                if other.status == _Status.hipStreamCaptureStatusNone:
                    raise HipError(Error.hipErrorCapturedEvent, "the event is of a capture that ended: record it again")
                other.invalidate()
                raise HipError(Error.hipErrorStreamCaptureMerge, "the event is of another capture")
            self.tail.update(dict.fromkeys(nodes))

    def allocate(self, size: int) -> int:
        if size <= 0:
            raise HipError(Error.hipErrorInvalidValue, f"expected a size in bytes, got {size}")
        memory = Memory(self.device, size)
        self.add(Allocate(memory))
        return memory.address

    def free(self, address: int) -> None:
        self.add(Free(memory_at(address, [node.work for node in self.capture.graph.nodes])))

    def refuse(self, action: str) -> NoReturn:
        self.capture.invalidate()
        raise HipError(
            Error.hipErrorStreamCaptureUnsupported, f"the stream is captured, and {action} cannot be part of a graph"
        )

    def forget(self) -> None:
        with _lock:
            self.capture.invalidate()
            if self.capture.streams[0] is self and self.capture.status != _Status.hipStreamCaptureStatusNone:
                with contextlib.suppress(HipError):
                    self.capture.end()


def _blocking_stream(stream: Any) -> Any:
    return PER_THREAD if address(stream) in (0, LEGACY) else stream


def _begin(handle: Any, graph: Graph | None, before: list[Node], mode: Any) -> None:
    try:
        chosen = _Mode(int(mode))
    except ValueError:
        raise HipError(Error.hipErrorInvalidValue, f"expected a hipStreamCaptureMode, got {mode!r}") from None
    if address(handle) in (0, LEGACY):
        raise HipError(
            Error.hipErrorStreamCaptureUnsupported, "the legacy stream cannot be captured: capture another stream"
        )
    with _lock:
        stream = stream_of(handle)
        if isinstance(stream, Capturing):
            raise HipError(Error.hipErrorIllegalState, "the stream is captured already")
        if graph is not None and graph.owned:
            raise HipError(Error.hipErrorInvalidValue, "the graph is of a node, or of a capture that goes on")
        capture = Capture(Graph() if graph is None else graph, chosen, graph is None)
        if address(handle) == PER_THREAD:
            capture.own_of = _thread.number
        capture.join(stream, before)


@function()
def hipStreamBeginCapture(stream: Any, mode: Any) -> None:
    """Begin to capture a stream: its work becomes a graph, and does not run."""
    _begin(stream, None, [], mode)


@function()
def hipStreamBeginCapture_spt(stream: Any, mode: Any) -> None:
    """Begin to capture a stream; by default the thread's own."""
    _begin(_blocking_stream(stream), None, [], mode)


@function()
def hipStreamBeginCaptureToGraph(
    stream: Any, graph: Any, dependencies: Any, dependencyData: Any, numDependencies: int, mode: Any
) -> None:
    """Begin to capture a stream into a graph that there is, behind nodes of it."""
    subject, before = graphs.find(graph), nodes_of(dependencies, numDependencies)
    if any(node.graph is not subject for node in before):
        raise HipError(Error.hipErrorInvalidValue, "expected nodes of the graph, got a node of another one")
    if dependencyData is not None and address(dependencyData):
        raise HipError(Error.hipErrorNotSupported, "expected no data of dependencies: pass None")
    _begin(stream, subject, before, mode)


def _end(handle: Any) -> Any:
    if address(handle) in (0, LEGACY):
        raise HipError(Error.hipErrorIllegalState, "the legacy stream is not captured")
    recorder = stream_of(handle)
    if not isinstance(recorder, Recorder):
        raise HipError(Error.hipErrorIllegalState, "expected a stream that is captured, got one that is not")
    capture = recorder.capture
    if capture.streams[0] is not recorder:
        raise HipError(Error.hipErrorStreamCaptureUnmatched, "the capture began on another stream: end it there")
    if capture.mode != _Mode.hipStreamCaptureModeRelaxed and capture.thread != threading.get_ident():
        raise HipError(
            Error.hipErrorStreamCaptureWrongThread,
            "the capture began on another thread: end it there, or begin it with hipStreamCaptureModeRelaxed",
        )
    return capture.end().handle


@function(1)
def hipStreamEndCapture(stream: Any) -> Any:
    """End the capture that began on a stream, and return its graph."""
    return _end(stream)


@function(1)
def hipStreamEndCapture_spt(stream: Any) -> Any:
    """End the capture that began on a stream; by default on the thread's own."""
    return _end(_blocking_stream(stream))


def _capture(handle: Any) -> Recorder | None:
    if address(handle) in (0, LEGACY):
        check_legacy(current())
        return None
    recorder = stream_of(handle)
    return recorder if isinstance(recorder, Recorder) else None


def _status(recorder: Recorder | None) -> Any:
    return _Status.hipStreamCaptureStatusNone if recorder is None else recorder.capture.status


@function(1)
def hipStreamIsCapturing(stream: Any) -> Any:
    """Return whether a stream is captured."""
    return _status(_capture(stream))


@function(1)
def hipStreamIsCapturing_spt(stream: Any) -> Any:
    """Return whether a stream is captured; by default the thread's own."""
    return _status(_capture(_blocking_stream(stream)))


def _info(handle: Any) -> tuple[Any, int]:
    recorder = _capture(handle)
    return _status(recorder), 0 if recorder is None else recorder.capture.number


@function(2)
def hipStreamGetCaptureInfo(stream: Any) -> tuple[Any, int]:
    """Return whether a stream is captured, and the number of its capture."""
    return _info(stream)


@function(2)
def hipStreamGetCaptureInfo_spt(stream: Any) -> tuple[Any, int]:
    """Return whether a stream is captured, and the number of its capture; by default of the thread's own."""
    return _info(_blocking_stream(stream))


def _long_info(handle: Any, dependencies_out: Any) -> tuple[Any, int, Any, int]:
    recorder = _capture(handle)
    if recorder is None or recorder.capture.status != _Status.hipStreamCaptureStatusActive:
        return *_info(handle), types.ihipGraph(0), 0
    capture, tail = recorder.capture, list(recorder.tail)
    if address(dependencies_out):
        place_of(dependencies_out, 8, written=True, noun="pointer to nodes")
        # The array is the recorder's: it is valid until the next call.
        recorder.array = (ctypes.c_void_p * max(1, len(tail)))(*(address(node.handle) for node in tail))
        write(dependencies_out, ctypes.addressof(recorder.array), 8)
    return capture.status, capture.number, capture.graph.handle, len(tail)


@function(4)
def hipStreamGetCaptureInfo_v2(stream: Any, dependencies_out: Any) -> tuple[Any, int, Any, int]:
    """Return the status, the number and the graph of a stream's capture, and how many nodes its next one depends on.

    ``dependencies_out`` is where the address of an array of these nodes is written, or None.
    """
    return _long_info(stream, dependencies_out)


@function(4)
def hipStreamGetCaptureInfo_v2_spt(stream: Any, dependencies_out: Any) -> tuple[Any, int, Any, int]:
    """Return what hipStreamGetCaptureInfo_v2 does; by default of the thread's own stream."""
    return _long_info(_blocking_stream(stream), dependencies_out)


@function()
def hipStreamUpdateCaptureDependencies(stream: Any, dependencies: Any, numDependencies: int, flags: int) -> None:
    """Add to the nodes that a captured stream's next node depends on, or replace them."""
    kinds: Any = types.hipStreamUpdateCaptureDependenciesFlags
    if flags not in tuple(kinds):
        raise HipError(Error.hipErrorInvalidValue, f"expected hipStreamAdd- or SetCaptureDependencies, got {flags}")
    recorder = _capture(stream)
    if recorder is None:
        raise HipError(Error.hipErrorIllegalState, "expected a stream that is captured, got one that is not")
    nodes = nodes_of(dependencies, numDependencies)
    if any(node.graph is not recorder.capture.graph for node in nodes):
        raise HipError(Error.hipErrorInvalidValue, "expected nodes of the capture's graph, got a node of another one")
    with _lock:
        recorder.capture.check()
        if flags == kinds.hipStreamSetCaptureDependencies:
            recorder.tail = {}
        recorder.tail.update(dict.fromkeys(nodes))


@function(1)
def hipThreadExchangeStreamCaptureMode() -> Any:
    """Return the thread's mode, which is hipStreamCaptureModeGlobal then: hip-python passes no other one."""
    mode, _thread.mode = _thread.mode, _Mode.hipStreamCaptureModeGlobal
    return mode
