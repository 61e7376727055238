"""Host memory: addresses as NumPy arrays, and pinned memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath._streams.device import Device


def as_bytes(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Give the bytes of a C-contiguous array."""
    return array.reshape(-1).view(np.uint8) if array.nbytes else np.empty(0, np.uint8)


def refuse_capture(stream: _core.QueueBase, data: str = "host data", instead: str = "") -> None:
    """Raise if what is submitted to the stream becomes part of a graph: all its launches would use this host memory."""
    if stream.capturing:
        raise LaunchpathError(
            f"{data} cannot be copied on a stream that is being captured into a graph: its staging memory "
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
    """Pinned memory of the device's pool, which takes it back when this and all views of its bytes are gone."""

    def __init__(self, device: Device, nbytes: int) -> None:
        memory = device.pool.allocate(nbytes, None, _core.PINNED)
        self.address = memory.pointer
        self.bytes = view(self.address, nbytes, memory)  # what is there, of uint8
