"""Pinned arrays: NumPy arrays over host memory that a device copies from and to without staging."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory.allocate import as_kind, as_shape, size_of
from launchpath._streams.device import as_device

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike, Shape


def pinned_empty(shape: Shape, dtype: npt.DTypeLike = "float32", device: DeviceLike | None = None) -> npt.NDArray[Any]:
    """Make a NumPy array over pinned host memory (``hipHostMalloc``), its elements not set.

    Copies between it and arrays of the device run at the speed of the link, and do not block the caller:
    `Array.copy_from` reads it when the copy runs, so do not change it before that is complete, and
    `Array.copy_to_host_async` writes to it. It is an ordinary array otherwise. Its memory returns to the device's pool
    when the array and all its views are gone; dropping them is safe at any time.

    Parameters
    ----------
    shape : int, or tuple or list of int
        Elements along each axis.
    dtype : numpy dtype
        Element type; float32 if omitted.
    device : Device, int or str, optional
        The device whose library pins the memory; the current device if omitted.

    Returns
    -------
    numpy.ndarray

    Raises
    ------
    ArgumentValueError
        The shape or the dtype is not valid.
    OutOfMemoryError
        The system does not pin as much.
    """
    kind, extents = as_kind(dtype), as_shape(shape)
    memory = _core.pinned_memory(as_device(device), size_of(extents, kind))
    return np.asarray(memory)[: size_of(extents, kind)].view(kind).reshape(extents)
