"""The subjects of ``bench memory``: loops that allocate and copy, by launchpath and C.

Other libraries are in `benchmarks.peers`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from launchpath import _core
from launchpath._bench.kernels import looped
from launchpath._bench.measure import Loop
from launchpath._bench.memory.figures import MEDIUM, SMALL, TEMPORARY, Amount
from launchpath._bench.ptx import HEAD, INDEX
from launchpath._memory.array import Array
from launchpath._memory.creation import empty
from launchpath._memory.pinned import pinned_empty
from launchpath._programs.loading import load
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.errors import LaunchpathError

THREADS = 256  # in a block of the kernel
FILL = "_Z4fillPffi"
PTX = f"""{HEAD}\
.visible .entry {FILL}(.param .u64 data, .param .f32 value, .param .u32 count) {{
    .reg .pred %p<2>; .reg .f32 %f<2>; .reg .b32 %r<6>; .reg .b64 %d<5>;
    ld.param.u64 %d1, [data];
    ld.param.f32 %f1, [value];
    ld.param.u32 %r1, [count];
{INDEX}\
    cvta.to.global.u64 %d2, %d1;
    mul.wide.s32 %d3, %r5, 4;
    add.s64 %d4, %d2, %d3;
    st.global.f32 [%d4], %f1;
done:
    ret;
}}
"""


def repeated(call: str, names: Mapping[str, Any]) -> Loop:
    """Write the loop of a call, which is repeated for every value and ignores it."""
    return looped(call, 0, names=names)


class Host:
    """The host's memory: all subjects copy from and to the same."""

    def __init__(self, device: Device, sizes: Sequence[int]) -> None:
        self.device, self.sizes = device, sizes
        self.arrays = {(size, False): np.zeros(size // 4, "float32") for size in sizes}
        self.arrays |= {(size, True): pinned_empty(size // 4, "float32", device) for size in sizes}
        for array in self.arrays.values():
            array.fill(1.0)  # its pages exist from now on


class Subject(ABC):
    """A library that allocates and copies, on launchpath's legacy default stream.

    Attributes
    ----------
    subject : str
        Its name in results.
    package : str
        What to install.
    version : str
    """

    subject: ClassVar[str]
    package: ClassVar[str] = "launchpath"
    version = ""

    @abstractmethod
    def __init__(self, host: Host) -> None: ...

    @abstractmethod
    def allocate(self, stream: Stream | None = None) -> Loop | None:
        """Give the loop that allocates and drops, on the current stream or on another stream; None if it does not."""

    @abstractmethod
    def copy(self, operation: str, size: int, pinned: bool, complete: bool) -> Loop | None:
        """Give the loop of a copy ``in``, ``out`` or ``new``: out to a new array. None if it does not."""

    @abstractmethod
    def synchronize(self) -> None:
        """Wait for the copies."""

    def temporaries(self, work: str) -> Loop | None:
        """Give the loop that allocates, works on the memory and drops it; None if it does not."""
        return None

    def held(self) -> int:
        """Bytes that its pool holds from the driver."""
        return 0

    def trim(self) -> None:  # noqa: B027 (C has no pool)
        """Return what its pool keeps to the driver."""


class Launchpath(Subject):
    """launchpath's public calls."""

    subject = "launchpath"

    def __init__(self, host: Host) -> None:
        self.host, self.device = host, host.device
        self.stream = self.device.legacy_stream
        self.arrays: dict[int, Array] = {size: empty(size // 4, "float32", self.device) for size in host.sizes}
        self.kernel: Any = None
        if self.device.info["driver"] == "cuda":
            count = TEMPORARY // 4
            self.kernel = load(PTX.encode(), self.device)[FILL][-(-count // THREADS), THREADS]

    def allocate(self, stream: Stream | None = None) -> Loop:
        if stream is None:
            return repeated("empty(count)", {"empty": empty, "count": SMALL // 4})
        return repeated("empty(count, stream=stream)", {"empty": empty, "count": SMALL // 4, "stream": stream})

    def pool(self, size: int) -> Loop:
        """Give the loop of the pool's own allocations."""
        names = {"allocate": self.device.pool.allocate, "size": size, "stream": self.stream}
        return repeated("allocate(size, stream)", names)

    def copy(self, operation: str, size: int, pinned: bool, complete: bool) -> Loop:
        names = {"array": self.arrays[size], "host": self.host.arrays[size, pinned]}
        if operation == "in":
            names |= {"synchronize": self.stream.synchronize}
            return repeated("array.copy_from(host)" + "; synchronize()" * complete, names)
        if operation == "out":
            return repeated("array.to_numpy(out=host)", names)
        return repeated("new = array.to_numpy()", names)  # dropped when the clock has stopped

    def synchronize(self) -> None:
        self.stream.synchronize()

    def temporaries(self, work: str) -> Loop | None:
        names = {"empty": empty, "count": TEMPORARY // 4, "launch": self.kernel}
        if work == "kernel":
            return None if self.kernel is None else repeated("launch(empty(count), 1.0, count)", names)
        return repeated("empty(count).fill(1.0)", names)

    def held(self) -> int:
        counts = self.device.memory_info()
        return counts["in_use"] + counts["waiting"] + counts["pooled"]

    def trim(self) -> None:
        self.device.synchronize()
        self.device.trim_memory()


class C(Subject):
    """The driver's own calls, in a loop in C; on CUDA and HIP devices."""

    subject = "c"

    def __init__(self, host: Host) -> None:
        self.host, self.stream = host, host.device.legacy_stream
        self.arrays = {size: empty(size // 4, "float32", host.device) for size in host.sizes}
        self.baseline = _core.MemoryBaseline(self.stream)
        for array in self.arrays.values():
            array.fill(0.0)
        host.device.synchronize()  # what follows knows nothing of launchpath's order

    def allocate(self, stream: Stream | None = None) -> Loop | None:
        return self._allocating(self.baseline if stream is None else _core.MemoryBaseline(stream), SMALL, False)

    @staticmethod
    def _allocating(baseline: _core.MemoryBaseline, size: int, fill: bool) -> Loop | None:
        try:
            baseline.allocate(1, size, fill)
        except LaunchpathError:  # the library does not allocate in a stream's order
            return None
        return lambda values: int(baseline.allocate(len(values), size, fill))

    def copy(self, operation: str, size: int, pinned: bool, complete: bool) -> Loop | None:
        if operation == "new":
            return None
        # Not `pointer`: that hands the address out, and the pool then keeps more than it has to.
        array, host = self.arrays[size].bare_address, self.host.arrays[size, pinned].ctypes.data
        baseline = self.baseline
        to, source = (array, host) if operation == "in" else (host, array)
        return lambda values: int(baseline.copy(len(values), to, source, size, complete))

    def temporaries(self, work: str) -> Loop | None:
        return self._allocating(self.baseline, TEMPORARY, True) if work == "fill" else None

    def synchronize(self) -> None:
        # launchpath's stream knows nothing of C's copies: a further copy comes after them, and is waited for.
        to, source = self.arrays[SMALL].bare_address, self.host.arrays[SMALL, False].ctypes.data
        self.baseline.copy(1, to, source, SMALL, True)


def sizes_of(amount: Amount) -> tuple[int, ...]:
    """Give the sizes of copies, in bytes."""
    return (SMALL, MEDIUM, amount.large)
