"""Measure what compiled programs call most beside launchpath's own from Python, in turn.

    python -m benchmarks.host_calls [--device WHICH] [--json FILE]

Memory of 4 KiB is allocated and freed, and copied on an idle stream; an event is recorded; a thread waits for an event
and a stream that are complete. Microseconds are medians of blocks.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import launchpath as lp
from launchpath._host.compiler import driver
from launchpath._host.runtime import process
from launchpath._streams.device import as_device
from launchpath.hip._devices import current

HERE = Path(__file__).parent
CALLS, COPIES = 500, 50  # of a block: fewer where each gives the device work


def _library(folder: str) -> ctypes.CDLL:
    path = str(Path(folder) / "calls.so")
    if driver.run(["-O2", "-shared", "-fPIC", str(HERE / "calls.hip"), "-o", path]):
        raise SystemExit(1)
    process.serve()
    library = ctypes.CDLL(path)
    if library.begin():
        raise SystemExit("a call failed: LAUNCHPATH_LOG=1 says why")
    return library


def _own(device: lp.Device) -> dict[str, Callable[[], object]]:
    stream, event = lp.Stream(blocking=False, device=device), lp.Event()
    first, second = (lp.empty(1024, "float32", device) for _ in range(2))
    stream.record(event)
    stream.synchronize()

    def allocate() -> None:
        lp.empty(1024, "float32", device).free()

    return {
        "allocate": allocate,
        "copy": lambda: second.copy_from(first, stream=stream),
        "record": lambda: stream.record(event),
        "wait_for_event": event.synchronize,
        "wait_for_stream": stream.synchronize,
    }


def _timed(call: Callable[[], object], count: int) -> float:
    began = time.perf_counter_ns()
    for _ in range(count):
        call()
    return (time.perf_counter_ns() - began) / count


def _from_program(function: Callable[[int], int], count: int) -> float:
    took = function(count)
    if took < 0:
        raise SystemExit("a call failed: LAUNCHPATH_LOG=1 says why")
    return took / count


def main() -> None:
    """Measure on a device, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--blocks", type=int, default=100)
    asked = parser.parse_args()
    device = as_device(asked.device)
    rows = []
    with tempfile.TemporaryDirectory() as folder, device:
        current.choose(device)
        library, own = _library(folder), _own(device)
        for name, call in own.items():
            count, python, program = COPIES if name == "copy" else CALLS, [], []
            function = getattr(library, name)
            function.restype = ctypes.c_longlong
            for _ in range(asked.blocks):
                program.append(_from_program(function, count))
                library.finish()
                python.append(_timed(call, count))
                device.synchronize()
            us = {"program": statistics.median(program) / 1e3, "python": statistics.median(python) / 1e3}
            rows.append({"call": name, **us})
            sys.stdout.write(
                f"{name:16} program {us['program']:7.3f} us  launchpath from Python {us['python']:7.3f} us\n"
            )
    if asked.json is not None:
        asked.json.write_text(json.dumps({"device": device.name, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
