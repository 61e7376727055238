"""CuPy as a peer."""

from __future__ import annotations

from typing import Any

import numpy as np

from launchpath._bench.kernels import C_SOURCE, Kernels, looped
from launchpath._bench.measure import Loop
from launchpath._bench.memory.figures import SMALL, TEMPORARY
from launchpath._bench.memory.subjects import Host, Subject, repeated
from launchpath._bench.peer import Missing, Peer
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream

# A process that compiles a new kernel, for `bench compile`.
NEW_KERNEL = """
import json, sys, time
import cupy
source, ordinal = json.loads(sys.argv[1])
cupy.cuda.Device(ordinal).use()
cupy.cuda.get_current_stream().synchronize()
cupy.zeros(1)
began = time.perf_counter_ns()
cupy.RawKernel(source, "saxpy").compile()
print(time.perf_counter_ns() - began)
"""


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


class CuPyMemory(Subject):
    """CuPy's arrays and its memory pool."""

    subject, package = "cupy", "cupy-cuda13x"

    def __init__(self, host: Host) -> None:
        self.cupy = cupy_on(host.device)
        self.version, self.host = self.cupy.__version__, host
        self.arrays = {size: self.cupy.empty(size // 4, "float32") for size in host.sizes}
        self.stream = self.cupy.cuda.get_current_stream()

    def allocate(self, stream: Stream | None = None) -> Loop | None:
        if stream is not None:
            return None
        return repeated("empty(count, kind)", {"empty": self.cupy.empty, "count": SMALL // 4, "kind": np.float32})

    def copy(self, operation: str, size: int, pinned: bool, complete: bool) -> Loop:
        names = {"array": self.arrays[size], "host": self.host.arrays[size, pinned]}
        if operation == "in":
            names |= {"synchronize": self.stream.synchronize}
            return repeated("array.set(host)" + "; synchronize()" * complete, names)
        return repeated("array.get(out=host)" if operation == "out" else "new = array.get()", names)

    def synchronize(self) -> None:
        self.stream.synchronize()

    def temporaries(self, work: str) -> Loop | None:
        if work != "fill":
            return None
        names = {"empty": self.cupy.empty, "count": TEMPORARY // 4, "kind": np.float32}
        return repeated("empty(count, kind).fill(1.0)", names)

    def held(self) -> int:
        return int(self.cupy.get_default_memory_pool().total_bytes())

    def trim(self) -> None:
        self.cupy.get_default_memory_pool().free_all_blocks()
