"""Measure ``kernel<<<>>>`` of a compiled program, over the driver's own call in C, in turn.

    python -m benchmarks.host_launch [--device WHICH] [--json FILE]

With 1 and 8 threads that launch, each on a stream of its own; and on the null stream beside 0, 21 and 64 other streams,
which is the program of an issue about launches that get slower with each stream. Microseconds are medians of blocks.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import launchpath as lp
from launchpath._bench.callers import FOUR, _threaded
from launchpath._bench.kernels import Kernels
from launchpath._bench.measure import Probe, Size, held, interleave
from launchpath._host.compiler import driver
from launchpath._host.runtime import process
from launchpath._streams.device import Device, as_device
from launchpath.hip._streams import streams as hip_streams

HERE = Path(__file__).parent
THREADS, STREAMS = (1, 8), (0, 21, 64)


def _library(folder: str) -> ctypes.CDLL:
    """Compile the launches to a shared library, and load it."""
    path = str(Path(folder) / "launches.so")
    if driver.run(["-O2", "-shared", "-fPIC", str(HERE / "launches.hip"), "-o", path]):
        raise SystemExit(1)
    process.serve()
    library = ctypes.CDLL(path)
    library.launches.restype = ctypes.c_longlong
    library.launches.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int]
    return library


class Launches:
    """Launches of one kernel: by the driver's own call in C, and by a compiled program."""

    def __init__(self, device: Device, library: ctypes.CDLL, size: Size) -> None:
        self.device, self.size = device, size
        self._library, self._kernels = library, Kernels(device)
        self._kernel = lp.compile(FOUR, device)["four"]
        self._arrays = [lp.zeros(4, "float32", device) for _ in range(2)]
        self._packed = struct.pack("=QQfi", *(array.pointer for array in self._arrays), 1.0, 1)
        self._others: list[lp.Stream] = []

    def probes(self) -> list[Probe]:
        """Return all probes."""
        return [*(each for count in THREADS for each in self._threads(count)),
                *(each for count in STREAMS for each in self._beside(count))]  # fmt: skip

    def _program(self, handle: int, count: int) -> int:
        took = int(self._library.launches(*(array.pointer for array in self._arrays), handle, count))
        if took < 0:
            raise SystemExit("a launch failed: LAUNCHPATH_LOG=1 says why")
        return took

    def _c(self, stream: lp.Stream) -> Callable[[int], int]:
        baseline = self._kernels.baseline_of(self._kernel[1, 1], stream)
        return lambda count: int(baseline.launch(count, self._packed, 20))

    def _threads(self, count: int) -> Iterator[Probe]:
        streams = [lp.Stream(blocking=False, device=self.device) for _ in range(count)]
        for stream in streams:
            hip_streams._streams.add(stream, stream.c_handle)
            self._program(stream.c_handle, 1)
        loops = [self._c(stream) for stream in streams]
        works: dict[str, Callable[[int, int], Any]] = {
            "c": lambda thread, count: loops[thread](count),
            "program": lambda thread, count: self._program(streams[thread].c_handle, count),
        }
        for subject, work in works.items():
            case = {"launching_threads": count}
            yield Probe(subject, [case], _threaded(streams, work, self.size), f"{count} threads")

    def _beside(self, count: int) -> Iterator[Probe]:
        legacy = self.device.legacy_stream
        self._program(0, 1)
        for subject, loop in (("c", self._c(legacy)), ("program", lambda launches: self._program(0, launches))):
            yield Probe(subject, [{"other_streams": count}], self._block(count, loop), f"{count} streams")

    def _block(self, count: int, loop: Callable[[int], int]) -> Callable[[], list[float]]:
        def block() -> list[float]:
            while len(self._others) < count:
                self._others.append(lp.Stream(device=self.device))
            del self._others[count:]
            return [held(self.device.legacy_stream, lambda values: loop(len(values)), self.size.launches)]

        return block


def main() -> None:
    """Measure on a device, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--blocks", type=int, default=100)
    asked = parser.parse_args()
    device, size = as_device(asked.device), Size(blocks=asked.blocks)
    with tempfile.TemporaryDirectory() as folder, device:
        rows = interleave(Launches(device, _library(folder), size).probes(), size)
    for row in rows:
        over = row.us - next(each.us for each in rows if each.subject == "c" and each.case == row.case)
        sys.stdout.write(f"{row.case!s:30} {row.subject:8} {row.us:7.3f} us{f'  {over:+.3f}' if over else ''}\n")
    if asked.json is not None:
        table = [{"subject": row.subject, "case": row.case, "us": row.us, "us_min": row.us_min} for row in rows]
        asked.json.write_text(json.dumps({"device": device.name, "rows": table}, indent=1) + "\n")


if __name__ == "__main__":
    main()
