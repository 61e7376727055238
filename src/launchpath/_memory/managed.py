"""Managed arrays: arrays whose memory the device and the host reach at the same address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy.typing as npt

from launchpath import _core
from launchpath._memory.allocate import allocate, as_kind, place
from launchpath._memory.array import Array
from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, Shape, StreamLike
    from launchpath._streams.device import Device


def managed_empty(
    shape: Shape,
    dtype: npt.DTypeLike = "float32",
    device: DeviceLike | None = None,
    stream: StreamLike | None = None,
) -> Array:
    """Make an array over managed memory (``hipMallocManaged``), its elements not set.

    The device and the host use this memory at the same address. It is an array as any other, and `Array.host_view`
    gives it to NumPy without a copy. The driver moves its pages to where they are used. For data that moves once each
    way, `empty` and copies from and to pinned arrays are faster.

    Parameters
    ----------
    shape : int, or tuple or list of int
        Elements along each axis.
    dtype : numpy dtype
        Element type; float32 if omitted.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`. If omitted: the stream's device, else the current device.
    stream : Stream or a stream of another library, optional
        The memory is allocated in the order of this stream; of the current stream if omitted.

    Returns
    -------
    Array
        Of that shape and dtype. Its elements are undefined.

    Raises
    ------
    LaunchpathError
        The device has no managed memory (`Device.managed_memory`).
    ArgumentValueError
        The shape or the dtype is not valid.
    OutOfMemoryError
        The driver does not give as much, or the device's limit of memory is reached.
    """
    kind = as_kind(dtype)
    device, stream = place(device, stream)
    refuse_lack(device)
    return allocate(Array, shape, kind, device, stream, _core.MANAGED)


def refuse_lack(device: Device) -> None:
    """Raise if a device has no managed memory."""
    if not device.managed_memory:
        raise LaunchpathError(
            f"{device.name!r} has no managed memory: {device.driver_device.managed_lacks}. Use launchpath.pinned_empty "
            "for the host's array and launchpath.empty for the device's, with copies between (Array.copy_from, "
            "Array.copy_to_host_async)"
        )
