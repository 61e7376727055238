"""Streams as arguments: what a caller gives as a stream, as one of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._shown import described
from launchpath._streams.follower import Follower
from launchpath._streams.foreign import is_stream
from launchpath._streams.stream import PER_THREAD, Stream, device_of, external_stream, wrong_stream
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._streams.device import Device


def as_stream(wanted: Any, device: Device) -> Any:
    """Turn a stream of any library into a stream of launchpath, for work on a device.

    Anything else comes back as it is.

    An int is none, for CUDA has the size of shared memory in the place of a launch's stream: `Stream.external` takes
    handles.

    Raises
    ------
    ArgumentValueError
        It is a stream of another device, or one that launchpath cannot use.
    """
    if isinstance(wanted, Follower):
        return wanted.current_stream(device)
    if isinstance(wanted, (Stream, int)) or not is_stream(wanted):
        return wanted
    return external_stream(wanted, device)


def wanted_stream(wanted: Any, device: Device | None) -> Stream:
    """Turn the argument ``stream=`` into a stream of launchpath.

    Parameters
    ----------
    wanted : object
        A stream of launchpath, or of another library.
    device : Device or None
        Where the work is to go; None: wherever the stream is.

    Raises
    ------
    ArgumentValueError
        It is no stream, or of another device.
    """
    if isinstance(wanted, Stream):
        stream = wanted
    else:
        stream = as_stream(wanted, device_of(wanted) if device is None else device)
        if not isinstance(stream, Stream):
            hint = ": Stream.external takes handles" if isinstance(wanted, int) else ""
            raise ArgumentValueError(f"expected a stream, got {described(wanted)}{hint}")
    if device is not None and stream.device is not device:
        raise wrong_stream(stream, device, ", the array's device")
    return stream


def ordered_stream(wanted: Any, device: Device) -> Stream:
    """Give the stream that a protocol names, for use within one call; handles and the per-thread one are fine."""
    if isinstance(wanted, int) and wanted == PER_THREAD:
        return Stream._foreign(device, wanted, None)
    return external_stream(wanted, device)


_core.register_stream_reader(as_stream)
