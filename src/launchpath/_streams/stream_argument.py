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


def as_stream(argument: Any, device: Device) -> Any:
    """Turn a stream of any library into a stream of launchpath, for work on a device.

    Anything else comes back as it is.

    An int is none, for CUDA has the size of shared memory in the place of a launch's stream: `Stream.external` takes
    handles.

    Raises
    ------
    ArgumentValueError
        It is a stream of another device, or one that launchpath cannot use.
    """
    if isinstance(argument, Follower):
        return argument.current_stream(device)
    if isinstance(argument, (Stream, int)) or not is_stream(argument):
        return argument
    return external_stream(argument, device)


def wanted_stream(argument: Any, device: Device | None) -> Stream:
    """Turn the argument ``stream=`` into a stream of launchpath.

    Parameters
    ----------
    argument : object
        A stream of launchpath, or of another library.
    device : Device or None
        Where the work is to go; None: wherever the stream is.

    Raises
    ------
    ArgumentValueError
        It is no stream, or of another device.
    """
    if isinstance(argument, Stream):
        stream = argument
    else:
        stream = as_stream(argument, device_of(argument) if device is None else device)
        if not isinstance(stream, Stream):
            hint = ": Stream.external takes handles" if isinstance(argument, int) else ""
            raise ArgumentValueError(f"expected a stream, got {described(argument)}{hint}")
    if device is not None and stream.device is not device:
        raise wrong_stream(stream, device, ", the array's device")
    return stream


def ordered_stream(argument: Any, device: Device) -> Stream:
    """Give the stream that a protocol names, for use within one call; handles and the per-thread one are fine."""
    if isinstance(argument, int) and argument == PER_THREAD:
        return Stream._foreign(device, argument, None)
    return external_stream(argument, device)


_core.register_stream_reader(as_stream)
