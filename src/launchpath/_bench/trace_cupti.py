"""The cost of a trace with CUPTI's times, held against CUPTI alone in C.

Each measurement has a process of its own, which attaches CUPTI once, as programs do: ``python -m
launchpath._bench.trace_cupti SUBJECT DEVICE``. Streams are not held back, because CUPTI is not for such programs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from launchpath import _core
from launchpath._bench.kernels import Kernels
from launchpath._bench.measure import TRACE_WARM_UP, Loop, Size, no_garbage_collection, until_complete
from launchpath._bench.result import Figure, Result, Row
from launchpath._drivers import cupti
from launchpath._streams.device import Device, as_device, devices
from launchpath._streams.stream import Stream
from launchpath._tracing.session import Trace

OVER_CUPTI = 0.25  # microseconds
SUBJECTS = ("launchpath", "c")
CASE = {"arguments": 2, "tracing": "device", "times": "CUPTI", "until": "complete"}
BEFORE = {"arguments": 2, "tracing": "off", "when": "before", "until": "complete"}
BLOCKS = 25
PATIENCE = 120  # seconds that a process may take


def measure(device: Device, size: Size, result: Result) -> None:
    """Add the rows and the figure of a CUDA device; nothing, if it has no CUPTI.

    Parameters
    ----------
    device : Device
    size : Size
        A tenth of its blocks is the number of processes, of each subject.
    result : Result
    """
    if missing(device):
        return
    took: dict[tuple[str, str], list[float]] = {(subject, part): [] for subject in SUBJECTS for part in ("off", "on")}
    place = str(devices().index(device))
    for _ in range(max(size.blocks // 10, 3)):
        for subject in SUBJECTS:
            command = [sys.executable, "-m", __name__, subject, place]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE)
            for part, value in json.loads(done.stdout).items():
                took[subject, part].append(value)
    for subject in SUBJECTS:
        result.rows.append(Row.of(subject, BEFORE, took[subject, "off"]))
        result.rows.append(Row.of(subject, CASE, took[subject, "on"]))
    more = {subject: result.find(subject, **CASE).minus(result.find(subject, **BEFORE)) for subject in SUBJECTS}
    row, over = result.find("launchpath", **CASE), more["launchpath"] - more["c"]
    result.figures.append(Figure(row, "over CUPTI alone in C", over, "us", at_most=OVER_CUPTI))


def missing(device: Device) -> str:
    """Say why there are no such figures of a device; empty: there are."""
    if device.info["driver"] != "cuda":
        return "not a CUDA device"
    return cupti.load(device.info["driver_version"])


@contextmanager
def _attached(subject: str) -> Iterator[None]:
    if subject == "c":
        _core.cupti_alone(True)
        try:
            yield
        finally:
            _core.cupti_alone(False)
        return
    with tempfile.TemporaryDirectory() as folder, Trace(f"{folder}/bench.lptrace", cupti=True):
        yield


def _process(subject: str, place: int) -> dict[str, float]:
    """Measure launches without CUPTI, and with it: microseconds of a launch, until all are complete."""
    device = as_device(place)
    reason = missing(device)
    if reason:
        raise RuntimeError(reason)
    with device:
        kernels = Kernels(device)
        loop: Any = kernels.launchpath(2) if subject == "launchpath" else kernels.c(2)
        off = _median(kernels.stream, loop)
        with _attached(subject):
            on = _median(kernels.stream, loop)
    return {"off": off, "on": on}


def _median(stream: Stream, loop: Loop) -> float:
    with no_garbage_collection():
        took = [until_complete(stream, loop) for _ in range(TRACE_WARM_UP + BLOCKS)]
    return median(took[TRACE_WARM_UP:])


if __name__ == "__main__":
    print(json.dumps(_process(sys.argv[1], int(sys.argv[2]))))
