"""Events."""

from __future__ import annotations

from typing import Any

from launchpath import _core
from launchpath._streams.device import Device
from launchpath._streams.event import Event
from launchpath.hip._devices.current import current
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles

EXTERNAL = 1  # hipEventRecordExternal and hipEventWaitExternal, which the bindings lack
_RELEASES = (types.hipEventReleaseToDevice | types.hipEventReleaseToSystem) & 0xFFFFFFFF  # of these at most one
_FLAGS = types.hipEventBlockingSync | types.hipEventDisableTiming | _RELEASES


class RecordedEvent:
    """An event of HIP's. Compiled programs record it, and wait for it, without Python."""

    def __init__(self, event: Event, device: Device) -> None:
        self.event = event
        self.device = device  # that its thread had when it was created: only this device's streams record it
        self._captured: Any = None

    @property
    def captured(self) -> Any:
        """The capture that it was last recorded in, and the nodes it is behind; None if the record runs."""
        return self._captured

    @captured.setter
    def captured(self, capture: Any) -> None:
        self._captured, self.event.by_python = capture, capture is not None


events: Handles[RecordedEvent] = Handles(types.ihipEvent_t)


def _new(flags: int) -> Any:
    flags &= 0xFFFFFFFF  # hipEventReleaseToSystem is a negative int in the bindings
    if flags & ~_FLAGS or flags & _RELEASES == _RELEASES:
        raise HipError(Error.hipErrorInvalidValue, f"flags of an event that launchpath does not have: {flags:#x}")
    event, device = Event(timing=not flags & types.hipEventDisableTiming), current()
    return events.add(RecordedEvent(event, device), _core.c_event_handle(event, device))


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
    if address(event) and not events.knows(event):
        raise HipError(Error.hipErrorContextIsDestroyed, f"expected an event that is there, got {event!r}")
    events.remove(event)


@function()
def hipEventRecord(event: Any, stream: Any) -> None:
    """Record what has been submitted to a stream."""
    _record(event, stream)


@function()
def hipEventRecordWithFlags(event: Any, stream: Any, flags: int) -> None:
    """Record what has been submitted to a stream."""
    if flags not in (0, EXTERNAL):
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0 or {EXTERNAL}, got {flags}")
    _record(event, stream, flags == EXTERNAL)


def _record(handle: Any, stream: Any, external: bool = False) -> None:
    event, order = events.find(handle), stream_of(stream)
    if isinstance(order, Capturing):
        order.record(event, external)
        return
    if order.device is not event.device:
        name = event.device.name
        raise HipError(Error.hipErrorInvalidHandle, f"expected a stream of the event's device, {name}, got another's")
    order.record(event.event)
    event.captured = None


def _outside(handle: Any) -> RecordedEvent:
    event = events.find(handle)
    if event.captured is not None:
        event.captured[0].invalidate()
        raise HipError(
            Error.hipErrorCapturedEvent, "the event was recorded in a capture, which does not run: record it again"
        )
    return event


@function()
def hipEventQuery(event: Any) -> None:
    """Tell whether an event has been reached: hipErrorNotReady if not. An event that was never recorded has been."""
    subject = _outside(event)
    if subject.event.recorded and not subject.event.query():
        raise HipError(Error.hipErrorNotReady)


@function()
def hipEventSynchronize(event: Any) -> None:
    """Wait for an event; for one that was never recorded not at all."""
    subject = _outside(event)
    if subject.event.recorded:
        subject.event.synchronize()


@function(1)
def hipEventElapsedTime(start: Any, stop: Any) -> float:
    """Return the milliseconds from one event to another."""
    first, last = _outside(start), _outside(stop)
    for event in (first, last):
        if not event.event.recorded or not event.event.timing:
            raise HipError(Error.hipErrorInvalidHandle, "expected events that take times and were recorded")
    if first.device is not last.device:
        raise HipError(Error.hipErrorInvalidHandle, "expected events of the same device, got events of two devices")
    if not (first.event.query() and last.event.query()):
        raise HipError(Error.hipErrorNotReady)
    return first.event.elapsed_time(last.event)


@function()
def hipStreamWaitEvent(stream: Any, event: Any, flags: int) -> None:
    """Let a stream wait for an event; for one that was never recorded it does not wait."""
    if flags not in (0, EXTERNAL):
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0 or {EXTERNAL}, got {flags}")
    waiting, subject = stream_of(stream), events.find(event)
    if isinstance(waiting, Capturing):
        waiting.wait(subject, flags == EXTERNAL)
    elif subject.captured is not None:
        subject.captured[0].fork(waiting, subject)
    elif subject.event.recorded:
        waiting.wait(subject.event)
