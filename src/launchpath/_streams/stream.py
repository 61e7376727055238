"""Streams: in-order queues of commands, with the ordering rules of HIP and CUDA between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

from launchpath import _core
from launchpath._listed import Listed
from launchpath._shown import as_bool, described
from launchpath._streams.device import as_device, current_device, devices, make_default_streams_by
from launchpath._streams.event import Event
from launchpath._streams.follower import Follower
from launchpath._streams.foreign import stream_handle, stream_ordinal
from launchpath._streams.graph import Graph
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, ForeignStream, StreamHandle
    from launchpath._streams.device import Device


class Stream(_core.QueueBase, Listed):
    """A stream: commands on it run in the order in which they were submitted.

    Parameters
    ----------
    blocking : bool
        Order it with the device's legacy default stream (the flag ``hipStreamDefault``): a command on the legacy stream
        waits for everything submitted earlier to this one, and this one for everything submitted earlier to the legacy
        stream. False: ordered by events and waits only (``hipStreamNonBlocking``).
    priority : int
        As in HIP, lower is more urgent; `Device.priorities` gives the range, and a value outside it becomes the nearest
        end.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`; the current device if omitted.

    Attributes
    ----------
    device : Device
    blocking : bool
    priority : int
        As requested, within the device's range.

    Notes
    -----
    Any thread may use any stream. Dropping a stream does not disturb the work submitted to it. ``with stream:`` makes
    it, and its device, current on this thread: launches without a stream use it.
    """

    _of_core = ("device", "blocking", "priority")
    _kept: list[object]  # what foreign streams must not outlive; of foreign ones only
    _called = ""  # what the device's own streams go by

    def __new__(cls, blocking: bool = True, priority: SupportsIndex = 0, device: DeviceLike | None = None) -> Stream:
        device = as_device(device)
        kind = _core.BLOCKING if as_bool(blocking, "a stream's `blocking`") else _core.NONBLOCKING
        urgency = _core.whole_number(priority)
        if urgency is None:
            raise ArgumentValueError(
                f"expected a stream's priority, an int (lower is more urgent), got {described(priority)}; the range is "
                f"device.priorities, here {device.priorities}"
            )
        least, most = device.priorities
        return super().__new__(cls, device, kind, max(most, min(least, urgency)))

    @classmethod
    def _default(cls, device: Device, kind: int, called: str) -> Stream:
        stream = super().__new__(cls, device, kind)
        stream._called = called
        return stream

    @classmethod
    def _foreign(cls, device: Device, handle: int, owner: object) -> Stream:
        ordered = handle == PER_THREAD or device.driver_device.stream_is_blocking(handle)
        stream = super().__new__(cls, device, _core.BLOCKING if ordered else _core.NONBLOCKING, 0, handle, owner)
        stream._kept = [owner]
        return stream

    @classmethod
    def external(
        cls, stream: _core.QueueBase | ForeignStream | StreamHandle, device: DeviceLike | None = None
    ) -> Stream:
        """Use a stream of another library, on a CUDA or HIP device.

        Parameters
        ----------
        stream : object or int
            An object with ``__cuda_stream__`` (CUDA's stream protocol), a torch, CuPy, Numba or cuda.core stream, or
            the handle itself (``CUstream``, ``hipStream_t``). An object is kept alive as long as this stream; the
            stream of a handle must live as long.
        device : Device, int or str, optional
            The device that the object names; else the current device.

        Returns
        -------
        Stream
            The same object for the same handle, as long as it is kept; the legacy default stream for its handles, 0 and
            1.

        Raises
        ------
        ArgumentValueError
            It is not such a stream, or of another device; or it is the per-thread default stream (handle 2). That
            differs from thread to thread, so launchpath could not query it from another thread.

        Notes
        -----
        Events order it with other streams, in both directions: ``own.wait(theirs.record())``,
        ``theirs.wait(own.record())``. Memory that is freed while this object exists is not reused before the work on
        the stream is complete, including work that the other library submitted.
        """
        return external_stream(stream, device_of(stream) if device is None else as_device(device))

    def record(self, event: Event | None = None, timing: bool = False) -> Event:
        """Record an event: it is complete once all work submitted to this stream so far is complete.

        Parameters
        ----------
        event : Event, optional
            The event to record into; a new event if omitted. Streams and threads that wait for its earlier record
            continue to do so.
        timing : bool
            Create the new event with a time (`Event.elapsed_time`), which costs a marker.

        Returns
        -------
        Event

        Raises
        ------
        ArgumentValueError
            `timing` is true, and the event has no timing: create it with ``Event(timing=True)``.
        """
        if event is None:
            event = Event(timing=timing)
        elif not isinstance(event, _core.EventBase):
            raise TypeError(f"expected a launchpath event to record into, got {described(event)}")
        elif as_bool(timing, "`timing`") and not event.timing:
            raise ArgumentValueError(
                "expected an event with timing, got an event without: create it with Event(timing=True)"
            )
        self.record_into(event)
        return event

    def wait(self, event: Event) -> None:
        """Make later work of this stream run after the event's last record.

        The caller is not blocked, whichever device, driver or platform the event was recorded on. An event that was
        never recorded is complete.

        Parameters
        ----------
        event : Event
            Of any device, driver or platform.

        Raises
        ------
        TypeError
            It is not a launchpath event. Record an event on another library's stream by
            ``Stream.external(their_stream).record()``.
        """
        if not isinstance(event, _core.EventBase):
            raise TypeError(
                f"expected a launchpath event, got {described(event)}: record an event on the stream to wait for, on "
                "Stream.external(their_stream) if the stream is another library's"
            )
        self.wait_event(event)

    def query(self) -> bool:
        """Return whether all work submitted so far is complete. Never blocks.

        For the legacy default stream this covers the blocking streams of its device as well.
        """
        return bool(super().query())

    def synchronize(self) -> None:
        """Block until all work submitted so far is complete; for the legacy stream, on the blocking streams too.

        Raises
        ------
        AsynchronousError
            A command failed while it ran. On an OpenCL device the stream can be used further; on a CUDA or HIP device
            every call fails from then on, until the process ends.
        HostFunctionError
            A host function raised; the cause is attached.
        """
        super().synchronize()

    def begin_capture(self) -> None:
        """Begin to capture what this thread submits to the stream (hipStreamBeginCapture).

        It becomes a graph, and does not run.

        Streams that wait for an event of the capture become part of it; the captured stream has to wait for them before
        the capture ends. Until then nothing can wait for these streams: a synchronize or a query of them ends the
        capture, and `end_capture` says so.

        Raises
        ------
        LaunchpathError
            It is the legacy stream, foreign code has its handle, or this thread is in a step or captures already.

        Examples
        --------
        >>> stream.begin_capture()
        >>> for kernel, arguments in plan():
        ...     kernel[grid, block, stream](*arguments)
        >>> executable = stream.end_capture().instantiate()
        >>> for _ in range(1000):
        ...     executable.launch(stream)
        """
        _core.begin_capture(self)

    def end_capture(self) -> Graph:
        """End the capture (hipStreamEndCapture).

        Returns
        -------
        Graph
            What was captured, with the arrays and kernels that it uses.

        Raises
        ------
        LaunchpathError
            This thread does not capture the stream; something ended the capture before; a stream of it was not joined;
            or it uses memory that was freed.
        """
        graph = Graph.__new__(Graph)
        _core.end_capture(self, graph)
        return graph

    def host_function(self, function: Callable[..., object], *args: Any) -> None:
        """Call ``function(*args)`` on the host in stream order: after all earlier work, before all later work.

        It runs on a launchpath thread, and may run for any time. The next call that waits for the stream raises its
        exception (hipLaunchHostFunc); without such a call, `sys.unraisablehook` reports it at exit. It cannot wait for
        this stream, nor for work that waits for this stream: that raises `LaunchpathError`. On a CUDA device it cannot
        compile or load programs, which CUDA does only when all streams are idle.

        Parameters
        ----------
        function : callable
            Its result is ignored.
        *args
            Its arguments. They are held until it has run.

        Raises
        ------
        RuntimeError
            A thread for it cannot be started; then it does not run.
        """
        self.launch_host_function(function, *args)

    @property  # of this class: Python's completion reads those of the core, and this one changes the stream
    def handle(self) -> int:
        """The library's own queue: ``cl_command_queue``, ``CUstream``, ``hipStream_t``, for foreign code.

        Once it has been read, launchpath never assumes that the queue is empty.
        """
        return super().handle

    @property
    def c_handle(self) -> int:
        """The number by which C code names the stream (``launchpath_stream`` of ``launchpath.h``).

        It is valid as long as this object lives.
        """
        return _core.c_stream_handle(self)

    @property
    def __cuda_stream__(self) -> Callable[[], tuple[int, int]]:
        """CUDA's stream protocol: a method that gives (0, handle). Other libraries take the stream by it.

        Raises
        ------
        AttributeError
            The stream is of a device that is neither CUDA's nor HIP's.
        """
        if not _core.device_traits(self.device).get("foreign_streams"):
            raise AttributeError(f"a stream of {self.device.name!r} has no __cuda_stream__: it is not a CUDA device")
        return self._cuda_stream

    def _cuda_stream(self) -> tuple[int, int]:
        return 0, self.handle

    def __repr__(self) -> str:
        return f"<Stream {self._called or ('blocking' if self.blocking else 'non-blocking')} of {self.device.name!r}>"


def current_stream() -> Stream:
    """The stream of the innermost ``with stream:`` on this thread; else the current device's legacy default stream.

    With a follower (`launchpath.interop.follow_torch`), the other library's current stream.

    Returns
    -------
    Stream
    """
    stream = _core.current_stream()
    return stream if isinstance(stream, Stream) else _core.current_stream_for(current_device())


def stream_of(device: Device) -> Stream:
    """Give the stream of work on memory that names none: the current one if it is of the same device, else legacy."""
    stream = _core.current_stream_for(device)
    return stream if stream.device is device else device.legacy_stream


_LEGACY, PER_THREAD = (0, 1), 2  # handles that stand for a stream


def external_stream(external: Any, device: Device) -> Stream:
    """Give a stream of another library, or a handle, as one of ours."""
    if isinstance(external, Stream):
        if external.device is not device:
            raise wrong_stream(external, device)
        return external
    if not isinstance(device, _core.DeviceBase) or not _core.device_traits(device).get("foreign_streams"):
        name = device.info["name"] if isinstance(device, _core.DeviceBase) else device
        raise ArgumentValueError(f"expected a CUDA or HIP device for another library's stream, got {name!r}")
    handle = stream_handle(external)
    if handle in _LEGACY:
        return device.legacy_stream
    if handle == PER_THREAD:
        raise ArgumentValueError(
            "the per-thread default stream (handle 2) differs from thread to thread, so launchpath cannot keep "
            "track of it: use a new stream, or the legacy default stream"
        )
    ordinal = stream_ordinal(external)
    if ordinal is not None and ordinal != device.info["ordinal"]:
        raise ArgumentValueError(
            f"expected a stream of device {device.info['ordinal']}, {device.name!r}, got the stream {external!r} of "
            f"device {ordinal}: create it on that device"
        )
    with device._foreign_lock:
        stream = device._foreign_streams.get(handle)
        if stream is None:
            stream = Stream._foreign(device, handle, external)
            device._foreign_streams[handle] = stream
        elif not isinstance(external, int) and all(external is not owner for owner in stream._kept):
            stream._kept.append(external)  # each of them may be what ends the stream when it is dropped
        return stream


def device_of(stream: Any) -> Device:
    """Give the device that a foreign stream names, or the current one."""
    if isinstance(stream, Stream):
        return stream.device
    if isinstance(stream, Follower):
        return stream.current_device()
    current = current_device()
    ordinal = stream_ordinal(stream)
    if ordinal is None or ordinal == current.info.get("ordinal"):
        return current
    for device in devices():
        if device.info.get("ordinal") == ordinal and device.info["driver"] == current.info["driver"]:
            return device
    for device in devices():
        if device.info.get("ordinal") == ordinal:
            return device
    raise ArgumentValueError(f"{stream!r} is of device {ordinal}, which is not in launchpath.devices()")


def wrong_stream(stream: Stream, device: Device, role: str = "") -> ArgumentValueError:
    """Say that a stream is of another device than the work; the role is why it has to be that one."""
    return ArgumentValueError(
        f"expected a stream of {device.name!r}{role}, got a stream of {stream.device.name!r}: create it with "
        "launchpath.Stream(device=...) for that device"
    )


make_default_streams_by(Stream._default)
