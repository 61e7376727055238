"""Streams."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._devices.current import current, number_of
from launchpath.hip._devices.reset import on_reset
from launchpath.hip._streams.capturing import Capturing, captured, check_legacy
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.kept import launch
from launchpath.hip._types.readable import is_code

LEGACY, PER_THREAD = 1, 2  # the handles of the default streams; 0 is the legacy one too
_streams: Handles[Stream] = Handles(types.ihipStream_t)


class _Thread(threading.local):
    null = LEGACY  # what 0 stands for


_thread = _Thread()


@contextmanager
def per_thread_default() -> Iterator[None]:
    """Let 0 stand for the thread's own default stream."""
    before, _thread.null = _thread.null, PER_THREAD
    try:
        yield
    finally:
        _thread.null = before


def stream_of(handle: Any, device: Device | None = None) -> Stream:
    """Return the stream of a handle.

    None, 0 and 1 are the legacy default stream of a device, by default the thread's; 2 is the thread's own there. In
    the variants of functions whose names end in ``_spt`` None and 0 are that too.
    """
    number = address(handle) or _thread.null
    if number == LEGACY:
        if captured:
            check_legacy(device or current())
        return (device or current()).legacy_stream
    stream = (device or current()).per_thread_stream if number == PER_THREAD else _streams.find(number)
    return captured.get(stream, stream) if captured else stream  # type: ignore[return-value]  # it stands for one


def _new(flags: int, priority: int) -> Any:
    if flags not in (types.hipStreamDefault, types.hipStreamNonBlocking):
        raise HipError(Error.hipErrorInvalidValue, f"expected hipStreamDefault or hipStreamNonBlocking, got {flags}")
    blocking = flags == types.hipStreamDefault
    stream = Stream(blocking=blocking, priority=priority, device=current())
    return _streams.add(stream, _core.c_stream_handle(stream))  # by which C code finds it too


@function(1)
def hipStreamCreate() -> Any:
    """Create a blocking stream on this thread's device."""
    return _new(types.hipStreamDefault, 0)


@function(1)
def hipStreamCreateWithFlags(flags: int) -> Any:
    """Create a stream on this thread's device."""
    return _new(flags, 0)


@function(1)
def hipStreamCreateWithPriority(flags: int, priority: int) -> Any:
    """Create a stream of a priority: lower is more urgent. A priority out of the device's range becomes its nearest."""
    return _new(flags, priority)


@function()
def hipStreamDestroy(stream: Any) -> None:
    """Destroy a stream; what was submitted to it goes on."""
    if address(stream) in (0, LEGACY, PER_THREAD):
        raise HipError(Error.hipErrorInvalidHandle, "a default stream cannot be destroyed")
    removed = _streams.remove(stream)
    if removed in captured:
        captured[removed].forget()
    launch.forget()


@function()
def hipStreamQuery(stream: Any) -> None:
    """Tell whether a stream is complete: hipErrorNotReady if it is not."""
    if not stream_of(stream).query():
        raise HipError(Error.hipErrorNotReady)


@function()
def hipStreamSynchronize(stream: Any) -> None:
    """Wait for a stream."""
    stream_of(stream).synchronize()


@function(1)
def hipStreamGetFlags(stream: Any) -> int:
    """Return a stream's flags."""
    return int(types.hipStreamDefault if stream_of(stream).blocking else types.hipStreamNonBlocking)


@function(1)
def hipStreamGetPriority(stream: Any) -> int:
    """Return a stream's priority."""
    return stream_of(stream).priority


@function(1)
def hipStreamGetDevice(stream: Any) -> int:
    """Return the number of a stream's device."""
    return number_of(stream_of(stream).device)


@function()
def hipLaunchHostFunc(stream: Any, fn: Any, userData: Any) -> None:
    """Call a function of the host when a stream comes to it: a Python function, or a C function's address."""
    host_function = c_callable(fn, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
    stream_of(stream).host_function(host_function, userData if callable(fn) else address(userData))


@function()
def hipStreamAddCallback(stream: Any, callback: Any, userData: Any, flags: int) -> None:
    """Call ``callback(stream, status, userData)`` when a stream comes to it.

    It is a Python function, or a C function's address.
    """
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    host_function = c_callable(callback, kind)
    order = stream_of(stream)
    if isinstance(order, Capturing):
        order.refuse("hipStreamAddCallback")
    if callable(callback):
        order.host_function(host_function, stream, Error.hipSuccess, userData)
    else:
        order.host_function(host_function, address(stream), 0, address(userData))


def c_callable(function: Any, kind: Any) -> Callable[..., Any]:
    """Return a function of Python, or one of C by its address, to be called."""
    if callable(function):
        return function  # type: ignore[no-any-return]
    if not address(function):
        raise HipError(Error.hipErrorInvalidValue, "expected a function, got a null pointer")
    if not is_code(address(function)):
        raise HipError(Error.hipErrorInvalidValue, f"expected a function, got {function!r}, which is not code")
    return kind(address(function))  # type: ignore[no-any-return]


@on_reset
def _forget(device: Device) -> None:
    for handle, stream in _streams.items():
        if stream.device is device:
            _streams.remove(handle)
    launch.forget()
