"""The place of a host array on a device: memory there, and pinned memory through which its bytes go there and back."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory import host_memory
from launchpath._memory.copies.staging import Staging
from launchpath._memory.creation import empty

if TYPE_CHECKING:
    from launchpath._streams.device import Device
    from launchpath._streams.stream import Stream


class StagedPlace:
    """The place that a wrapped host array has on one device, and the stream of its last launch there.

    Parameters
    ----------
    stream : Stream
        The stream of the first launch.
    nbytes : int
        The size of the host array.
    """

    def __init__(self, stream: Stream, nbytes: int) -> None:
        self.memory = empty(nbytes, "uint8", stream=stream)
        self.address, self.nbytes = self.memory.address_on(stream), nbytes
        self.staging = Staging(stream.device, nbytes)
        self.stream = stream

    def move_to(self, stream: Stream) -> None:
        """Let what is submitted to the stream from now on come after the last launch."""
        if stream is not self.stream:
            # Recorded only now: the launch is submitted after it has been staged.
            stream.wait(self.stream.record())
            self.stream = stream

    def upload(self, host: npt.NDArray[np.uint8]) -> None:
        """Take the host's bytes, and copy them in the order of the stream."""
        piece = self.staging.take()
        try:
            piece.bytes[:] = host
            _core.copy_bytes(self.stream, self.address, piece.address, self.nbytes, _core.UP)
        finally:
            self.staging.give(piece, self.stream)

    def download(self, host: npt.NDArray[np.uint8]) -> None:
        """Write the device's bytes to the host's, after the last launch; blocks until they are there."""
        host_memory.refuse_capture(self.stream, "data of the device", "Read it when the graph has run")
        piece = self.staging.take()
        try:
            _core.copy_bytes(self.stream, piece.address, self.address, self.nbytes, _core.DOWN)
            self.stream.record().synchronize()
            host[:] = piece.bytes
        finally:
            self.staging.give(piece, self.stream)


class ThreadPlaces(threading.local):
    """The places of a host array that the calling thread has on each device."""

    def __init__(self) -> None:
        self.by_device: dict[Device, StagedPlace] = {}


def place_on(stream: Stream, places: dict[Device, StagedPlace], nbytes: int) -> StagedPlace:
    """Return the place on a stream's device; it is made at the first launch there."""
    place = places.get(stream.device)
    if place is None:
        place = places[stream.device] = StagedPlace(stream, nbytes)
    return place
