"""Events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from launchpath._streams.event import Event
from launchpath.hip._bindings import Error, types
from launchpath.hip._errors import HipError, function
from launchpath.hip._handles import Handles
from launchpath.hip._streams import stream_of

__all__ = [
    "hipEventCreate",
    "hipEventCreateWithFlags",
    "hipEventDestroy",
    "hipEventElapsedTime",
    "hipEventQuery",
    "hipEventRecord",
    "hipEventRecordWithFlags",
    "hipEventSynchronize",
    "hipStreamWaitEvent",
]

_FLAGS = (
    types.hipEventBlockingSync
    | types.hipEventDisableTiming
    | types.hipEventReleaseToDevice
    | types.hipEventReleaseToSystem
)


@dataclass
class _Event:
    event: Event
    recorded: bool = False


_events: Handles[_Event] = Handles(types.ihipEvent_t)


def _new(flags: int) -> Any:
    if flags & ~_FLAGS:
        raise HipError(Error.hipErrorInvalidValue, f"flags of an event that launchpath does not have: {flags:#x}")
    return _events.add(_Event(Event(timing=not flags & types.hipEventDisableTiming)))


@function(1)
def hipEventCreate() -> Any:
    """Create an event that takes times."""
    return _new(types.hipEventDefault)


@function(1)
def hipEventCreateWithFlags(flags: int) -> Any:
    """Create an event."""
    return _new(flags)


@function()
def hipEventDestroy(event: Any) -> None:
    """Destroy an event; streams that wait for it go on waiting."""
    _events.remove(event)


@function()
def hipEventRecord(event: Any, stream: Any) -> None:
    """Record what has been submitted to a stream."""
    _record(event, stream)


@function()
def hipEventRecordWithFlags(event: Any, stream: Any, flags: int) -> None:
    """Record what has been submitted to a stream."""
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")
    _record(event, stream)


def _record(handle: Any, stream: Any) -> None:
    event = _events.find(handle)
    stream_of(stream).record(event.event)
    event.recorded = True


@function()
def hipEventQuery(event: Any) -> None:
    """Tell whether an event has been reached: hipErrorNotReady if not. An event that was never recorded has been."""
    known = _events.find(event)
    if known.recorded and not known.event.query():
        raise HipError(Error.hipErrorNotReady)


@function()
def hipEventSynchronize(event: Any) -> None:
    """Wait for an event; for one that was never recorded not at all."""
    known = _events.find(event)
    if known.recorded:
        known.event.synchronize()


@function(1)
def hipEventElapsedTime(start: Any, stop: Any) -> float:
    """Return the milliseconds from one event to another."""
    first, last = _events.find(start), _events.find(stop)
    for event in (first, last):
        if not event.recorded or not event.event.timing:
            raise HipError(Error.hipErrorInvalidHandle, "expected events that take times and were recorded")
    if not (first.event.query() and last.event.query()):
        raise HipError(Error.hipErrorNotReady)
    return first.event.elapsed_time(last.event)


@function()
def hipStreamWaitEvent(stream: Any, event: Any, flags: int) -> None:
    """Let a stream wait for an event; for one that was never recorded it does not wait."""
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")
    waiting, known = stream_of(stream), _events.find(event)
    if known.recorded:
        waiting.wait(known.event)
