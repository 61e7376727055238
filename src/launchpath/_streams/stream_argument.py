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


def as_stream(given: Any, device: Device) -> Any:
    """Give a stream of anybody's as one of ours, for work on a device; what is no stream is given back as it is.

    An int is none, for CUDA has the size of shared memory in the place of a launch's stream: `Stream.external` takes
    handles.

    Raises
    ------
    ArgumentValueError
        It is a stream of another device, or one that launchpath cannot use.
    """
    if isinstance(given, Follower):
        return given.current_stream(device)
    if isinstance(given, (Stream, int)) or not is_stream(given):
        return given
    return external_stream(given, device)


def wanted_stream(given: Any, device: Device | None) -> Stream:
    """Give the stream that a ``stream=`` names as one of ours.

    Parameters
    ----------
    given : object
        A stream of ours, or of another library.
    device : Device or None
        Where the work is to go; None: wherever the stream is.

    Raises
    ------
    ArgumentValueError
        It is no stream, or of another device.
    """
    if isinstance(given, Stream):
        stream = given
    else:
        stream = as_stream(given, device_of(given) if device is None else device)
        if not isinstance(stream, Stream):
            hint = ": Stream.external takes handles" if isinstance(given, int) else ""
            raise ArgumentValueError(f"expected a stream, got {described(given)}{hint}")
    if device is not None and stream.device is not device:
        raise wrong_stream(stream, device, ", the array's device")
    return stream


def ordered_stream(given: Any, device: Device) -> Stream:
    """Give the stream that a protocol names, for use within one call; handles and the per-thread one are fine."""
    if isinstance(given, int) and given == PER_THREAD:
        return Stream._foreign(device, given, None)
    return external_stream(given, device)


_core.register_stream_reader(as_stream)
