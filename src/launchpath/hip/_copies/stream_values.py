"""Streams that write values, and that wait until memory has a value."""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable
from typing import Any

from launchpath._streams.event import Event
from launchpath._streams.stream import Stream
from launchpath.errors import LaunchpathError
from launchpath.hip._copies import copies
from launchpath.hip._memory import allocations as _allocations
from launchpath.hip._memory.allocations import MANAGED
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function

_PERIOD = 100e-6  # seconds between looks at memory


class _Watcher:
    """A thread that holds streams back, and looks at memory until it has the values that they wait for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: queue.SimpleQueue[tuple[Stream, Callable[[], bool], queue.SimpleQueue[Any]]]
        self._requests = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def wait(self, stream: Stream, is_met: Callable[[], bool]) -> None:
        """Let what is submitted to a stream from now on wait until memory has a value."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="launchpath hip values", daemon=True)
                self._thread.start()
        answer: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._requests.put((stream, is_met, answer))
        error = answer.get()
        if error is not None:
            raise error

    def _run(self) -> None:
        waiting: list[tuple[Event, Any, Callable[[], bool]]] = []
        while True:
            try:
                request = self._requests.get(timeout=None if not waiting else _PERIOD)
            except queue.Empty:
                request = None
            if request is not None:
                stream, is_met, answer = request
                try:
                    waiting.append((stream.record(), stream.hold(), is_met))
                    answer.put(None)
                except BaseException as error:  # the thread that asked raises it
                    answer.put(error)
            waiting = [each for each in waiting if not _release(*each)]


def _release(before: Event, hold: Any, is_met: Callable[[], bool]) -> bool:
    """Let a stream go on if what is before has ended, and memory has the value."""
    try:
        if not before.query() or not is_met():
            return False
    except LaunchpathError:  # the stream has failed: it does not wait
        pass
    hold.release()
    return True


_watcher = _Watcher()

_CONDITIONS: dict[int, Callable[[int, int, int, int], bool]] = {
    types.hipStreamWaitValueGte: lambda memory, value, mask, _: memory & mask >= value,
    types.hipStreamWaitValueEq: lambda memory, value, mask, _: memory & mask == value,
    types.hipStreamWaitValueAnd: lambda memory, value, mask, _: memory & mask & value != 0,
    types.hipStreamWaitValueNor: lambda memory, value, mask, all: ~(memory & mask | value & mask) & all != 0,
}


def _wait(stream: Any, ptr: Any, value: int, flags: int, mask: int, kind: Any) -> None:
    size, place = ctypes.sizeof(kind), address(ptr)
    if flags not in _CONDITIONS:
        raise HipError(Error.hipErrorInvalidValue, f"expected hipStreamWaitValueGte, Eq, And or Nor, got {flags}")
    order = stream_of(stream)
    if isinstance(order, Capturing):
        order.refuse("a wait for a value")
    allocation = _check(place, size)
    reached = allocation.of_host or order.device.info.get("host_accessible")
    if not reached and not (allocation.kind == MANAGED and order.device.info.get("concurrent_managed_access")):
        raise HipError(Error.hipErrorNotSupported, "expected memory of hipMallocSignalMemory or hipHostMalloc")
    everything = (1 << 8 * size) - 1
    expected, masked, condition = value & everything, mask & everything, _CONDITIONS[flags]
    _watcher.wait(order, lambda: condition(kind.from_address(place).value, expected, masked, everything))


def _check(place: int, size: int) -> _allocations.Allocation:
    if place % size:
        raise HipError(Error.hipErrorInvalidValue, f"expected an address aligned to {size} bytes, got {place:#x}")
    return _allocations.need(place, size, "the value")


@function()
def hipStreamWaitValue32(stream: Any, ptr: Any, value: int, flags: int, mask: int) -> None:
    """Let a stream wait until 4 bytes of memory have a value. The memory must stay so long."""
    _wait(stream, ptr, value, flags, mask, ctypes.c_uint32)


@function()
def hipStreamWaitValue64(stream: Any, ptr: Any, value: int, flags: int, mask: int) -> None:
    """Let a stream wait until 8 bytes of memory have a value. The memory must stay so long."""
    _wait(stream, ptr, value, flags, mask, ctypes.c_uint64)


def _write(stream: Any, ptr: Any, value: int, flags: int, size: int) -> None:
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")
    allocation = _check(address(ptr), size)
    if size == 8 and allocation.of_host:  # GPUs fill 4 bytes at a time: a stream that waits could see half of the value
        order = copies.order_of(stream, allocation)
        order.host_function(_store, address(ptr), value & (1 << 64) - 1)
        return
    copies._fill(ptr, copies.pattern_of(value, size), 1, stream)


def _store(place: int, value: int) -> None:
    ctypes.c_uint64.from_address(place).value = value


@function()
def hipStreamWriteValue32(stream: Any, ptr: Any, value: int, flags: int) -> None:
    """Write 4 bytes of memory when a stream comes to it."""
    _write(stream, ptr, value, flags, 4)


@function()
def hipStreamWriteValue64(stream: Any, ptr: Any, value: int, flags: int) -> None:
    """Write 8 bytes of memory when a stream comes to it."""
    _write(stream, ptr, value, flags, 8)
