"""CuPy as a peer."""

from __future__ import annotations

from typing import Any

import numpy as np

from launchpath._bench.kernels import C_SOURCE, Kernels, looped
from launchpath._bench.measure import Loop
from launchpath._bench.peer import Missing, Peer
from launchpath._streams.device import Device


def cupy_on(device: Device) -> Any:
    """Give CuPy, on a device and on its legacy default stream."""
    import cupy  # noqa: PLC0415

    if cupy.cuda.runtime.is_hip != (device.info["driver"] == "hip"):
        raise Missing("this CuPy is for other devices")
    cupy.cuda.Device(device.info["ordinal"]).use()
    if cupy.cuda.get_current_stream().ptr not in (0, 1):
        raise Missing("its current stream is not the legacy default stream")
    return cupy


class CuPy(Peer):
    """``kernel(grid, block, arguments)`` of a ``RawKernel``, with its arrays and NumPy's ints."""

    subject, package = "cupy", "cupy-cuda13x"
    drivers = ("cuda", "hip")

    def __init__(self, kernels: Kernels) -> None:
        cupy = cupy_on(kernels.device)
        self.version, self.cupy = cupy.__version__, cupy
        self.arrays = [cupy.asarray(array) for array in kernels.arrays]

    def convert(self, value: int) -> Any:
        return np.int32(value)

    def loop(self, arguments: int) -> Loop:
        names = {"kernel": self.cupy.RawKernel(C_SOURCE, f"launch{arguments}"), "one": (1,)}
        return looped("kernel(one, one, ({}))", arguments, self.arrays, [np.int32(i) for i in range(1, 8)], names)
