"""Streams: in-order queues of commands, with the ordering rules of HIP and CUDA between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath.device import current_device, enter, leave
from launchpath.errors import ArgumentValueError
from launchpath.event import Event

if TYPE_CHECKING:
    from launchpath.device import Device


class Stream(_core.QueueBase):
    """A stream: commands on it run in the order in which they were submitted.

    Parameters
    ----------
    blocking : bool
        Order it with the device's legacy default stream (the flag ``hipStreamDefault``): a command on the legacy stream
        waits for everything submitted earlier to this one, and this one for everything submitted earlier to the legacy
        stream. False: ordered by events and waits alone (``hipStreamNonBlocking``).
    priority : int
        As in HIP, lower is more urgent; ``device.info["priorities"]`` gives the range, and what lies outside is moved
        to its ends.
    device : Device, optional
        The current device if left out.

    Notes
    -----
    Any thread may use any stream. Dropping a stream does not disturb the work submitted to it. ``with stream:`` makes
    it, and its device, current on this thread: launches that name no stream go there.
    """

    def __new__(  # noqa: D102
        cls, blocking: bool = True, priority: int = 0, device: Device | None = None, _kind: int | None = None
    ) -> Stream:
        device = current_device() if device is None else device
        if not isinstance(device, _core.DeviceBase):
            raise ArgumentValueError(f"a stream needs a device of launchpath.devices(), not {device!r}")
        if _kind is None:
            _kind = _core.BLOCKING if blocking else _core.NONBLOCKING
        least, most = device.info["priorities"]
        return super().__new__(cls, device, _kind, max(most, min(least, priority)))

    @classmethod
    def _default(cls, device: Device, kind: int) -> Stream:
        return cls(device=device, _kind=kind)

    def record(self, event: Event | None = None, timing: bool = False) -> Event:
        """Record an event: it is complete once everything submitted to this stream so far is.

        Parameters
        ----------
        event : Event, optional
            The event to record into; a new one if left out. Who waits for its earlier record goes on doing so.
        timing : bool
            Give a new event a time (`Event.elapsed_time`); it costs a marker.

        Returns
        -------
        Event
        """
        if event is None:
            event = Event(timing=timing)
        self.record_into(event)
        return event

    def wait(self, event: Event) -> None:
        """Let whatever is submitted to this stream from now on come after the event's last record.

        The caller is not blocked, whichever device, driver or platform the event was recorded on. An event that was
        never recorded is complete.
        """
        self.wait_event(event)

    def query(self) -> bool:
        """Is everything submitted so far complete? Never blocks.

        For the legacy default stream this covers the blocking streams of its device as well.
        """
        return bool(super().query())

    def synchronize(self) -> None:
        """Block until everything submitted so far is complete; for the legacy stream, on the blocking streams too.

        Raises
        ------
        AsynchronousError
            A command failed while it ran. The stream can be used further.
        HostFunctionError
            A host function raised; the cause is attached.
        """
        super().synchronize()

    def host_function(self, function: Callable[..., object], *args: Any) -> None:
        """Call ``function(*args)`` on the host in stream order: after what came before, before what comes after.

        It runs on a thread of launchpath's, where it may take its time but must not wait for this stream. What it
        raises comes out of the next call that waits for the stream (hipLaunchHostFunc).
        """
        self.launch_host_function(function, *args)

    def __enter__(self) -> Stream:
        enter(self.device, self)
        return self

    def __exit__(self, *raised: object) -> None:
        leave(self.device, self)

    def __repr__(self) -> str:
        return f"<Stream {'blocking' if self.blocking else 'non-blocking'} of {self.device.name!r}>"


def current_stream() -> Stream:
    """The stream of the innermost ``with stream:`` on this thread; else the current device's legacy default stream."""
    stream: Stream | None = _core.current_stream()
    return current_device().legacy_stream if stream is None else stream
