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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import launchpath as lp
from launchpath._bench.callers import FOUR, _threaded
from launchpath._bench.kernels import Kernels
from launchpath._bench.measure import Probe, Size, held, interleave
from launchpath._host.compiler import driver
from launchpath._host.runtime import process
from launchpath._streams.device import as_device
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


def main() -> None:
    """Measure on a device, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--blocks", type=int, default=100)
    asked = parser.parse_args()
    device = as_device(asked.device)
    size = Size(blocks=asked.blocks)
    with tempfile.TemporaryDirectory() as folder, device:
        library, kernels = _library(folder), Kernels(device)
        program = lp.compile(FOUR, device)
        x, y = lp.zeros(4, "float32", device), lp.zeros(4, "float32", device)
        packed = struct.pack("=QQfi", x.pointer, y.pointer, 1.0, 1)

        def launch(handle: int, n: int) -> int:
            took = int(library.launches(x.pointer, y.pointer, handle, n))
            if took < 0:
                raise SystemExit("a launch failed: LAUNCHPATH_LOG=1 says why")
            return took

        probes: list[Probe] = []
        for threads in THREADS:
            streams = [lp.Stream(blocking=False, device=device) for _ in range(threads)]
            for stream in streams:
                hip_streams._streams.add(stream, stream.c_handle)
                launch(stream.c_handle, 1)
            baselines = [kernels.baseline_of(program["four"][1, 1], stream) for stream in streams]
            works: dict[str, Callable[[int, int], Any]] = {
                "c": lambda i, n, baselines=baselines: baselines[i].launch(n, packed, 20),
                "program": lambda i, n, streams=streams: launch(streams[i].c_handle, n),
            }
            for subject, work in works.items():
                case = {"launching_threads": threads}
                probes.append(Probe(subject, [case], _threaded(streams, work, size), f"{threads} threads"))
        others: list[lp.Stream] = []
        legacy = device.legacy_stream
        baseline = kernels.baseline_of(program["four"][1, 1], legacy)
        launch(0, 1)

        def beside(count: int, loop: Callable[[Sequence[Any]], int]) -> Callable[[], list[float]]:
            def block() -> list[float]:
                while len(others) < count:
                    others.append(lp.Stream(device=device))
                del others[count:]
                return [held(legacy, loop, size.launches)]

            return block

        loops: dict[str, Callable[[Sequence[Any]], int]] = {
            "c": lambda values: int(baseline.launch(len(values), packed, 20)),
            "program": lambda values: launch(0, len(values)),
        }
        for count in STREAMS:
            for subject, loop in loops.items():
                probes.append(Probe(subject, [{"other_streams": count}], beside(count, loop), f"{count} streams"))
        rows = interleave(probes, size)
    for row in rows:
        over = row.us - next(each.us for each in rows if each.subject == "c" and each.case == row.case)
        sys.stdout.write(f"{row.case!s:30} {row.subject:8} {row.us:7.3f} us{f'  {over:+.3f}' if over else ''}\n")
    if asked.json is not None:
        table = [{"subject": row.subject, "case": row.case, "us": row.us, "us_min": row.us_min} for row in rows]
        asked.json.write_text(json.dumps({"device": device.name, "rows": table}, indent=1) + "\n")


if __name__ == "__main__":
    main()
