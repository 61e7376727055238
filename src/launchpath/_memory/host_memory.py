"""Host memory: addresses as NumPy arrays, pinned memory, and reading from a device through pinned memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath._streams.device import Device
    from launchpath._streams.event import Event
    from launchpath._streams.stream import Stream

_PIECE = 16 << 20  # bytes read through pinned memory at a time


def read(array: _core.ArrayBase, out: npt.NDArray[Any], stream: Stream) -> None:
    """Copy to host memory through pinned memory, a piece ahead.

    A copy to memory that is not pinned would block in the driver, where nothing can be waited for without harm:
    what the stream waits for may need the lock that the caller holds.
    """
    refuse_capture(stream, "data of the device", "Read it when the graph has run")
    to = out.reshape(-1).view(np.uint8) if array.nbytes else np.empty(0, np.uint8)
    pieces = 1 if array.nbytes <= _PIECE else 2
    staging = [Pinned(array.device, min(_PIECE, array.nbytes)) for _ in range(pieces)]
    under_way: list[tuple[Event, Pinned, int, int]] = []
    for number, start in enumerate(range(0, array.nbytes, _PIECE)):
        size = min(_PIECE, array.nbytes - start)
        if len(under_way) == pieces:
            _arrive(under_way.pop(0), to)
        held = staging[number % pieces]
        _core.copy_bytes(stream, held.address, array.pointer + start, size)
        under_way.append((stream.record(), held, start, size))
    for piece in under_way:
        _arrive(piece, to)
    if not array.nbytes:
        stream.record().synchronize()


def _arrive(piece: tuple[Event, Pinned, int, int], to: npt.NDArray[np.uint8]) -> None:
    event, staging, start, size = piece
    event.synchronize()
    to[start : start + size] = staging.bytes[:size]


def refuse_capture(stream: _core.QueueBase, what: str = "host data", instead: str = "") -> None:
    """Raise if what is submitted to the stream becomes part of a graph: all its launches would use this host memory."""
    if stream.capturing:
        raise LaunchpathError(
            f"{what} cannot be copied on a stream that is being captured into a graph: its staging memory "
            f"is reused after the call. {instead or 'Copy it before, and from array to array in the capture'}"
        )


class _HostMemory:
    """Bytes that NumPy can look at; the owner of the memory is kept."""

    def __init__(self, address: int, size: int, owner: object) -> None:
        self.owner = owner
        self.__array_interface__ = {"data": (address, False), "shape": (size,), "typestr": "|u1", "version": 3}


def view(address: int, size: int, owner: object) -> npt.NDArray[np.uint8]:
    """Give host memory as bytes that NumPy looks at; the owner is kept as long as the view is."""
    return np.asarray(_HostMemory(address, size, owner))


class Pinned:
    """Pinned memory of the device's pool, which takes it back when this and all views of its bytes are gone.

    Attributes
    ----------
    address : int
    bytes : numpy.ndarray
        What is there, of uint8.
    """

    def __init__(self, device: Device, nbytes: int) -> None:
        memory = device.pool.allocate(nbytes, None, _core.PINNED)
        self.address = memory.pointer
        self.bytes = view(self.address, nbytes, memory)
