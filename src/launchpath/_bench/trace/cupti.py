"""The cost of a trace with CUPTI's times, held against CUPTI alone in C.

Each measurement has a process of its own, which attaches CUPTI once, as programs do. In it launchpath's loop and C's
take turns, without CUPTI and with it; during C's loop CUPTI calls nobody, and only records. A third loop is C's while
CUPTI calls launchpath at each call of the driver's, as in launchpath's loop: what that adds is CUPTI's. Streams are not
held back, because that detaches CUPTI.

What CUPTI adds differs from process to process, and much less within one: there are several processes with few blocks.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
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
AFTER_OVER_BEFORE = 0.10
CALLED = "c, called"  # C's loop, while CUPTI calls launchpath
CASE = {"arguments": 2, "tracing": "device", "times": "CUPTI", "until": "complete"}
CALLED_CASE = CASE | {"times": "CUPTI, which calls launchpath"}
BEFORE = {"arguments": 2, "tracing": "off", "when": "before", "until": "complete"}
AFTER = BEFORE | {"when": "after"}
PARTS = ("before", "during", "after")
BLOCKS = 25
BLOCKS_OF_PROCESS = 20  # of the benchmark's size: so many of them are one process
WARM_UP = 1  # blocks without a trace that are not counted
PATIENCE = 120  # seconds that a process may take
# Not `python -m`: the package imports this module, and a second copy of it would run.
PROCESS = "import sys; from launchpath._bench.trace.cupti import main; main(int(sys.argv[1]))"


def measure(device: Device, size: Size, result: Result) -> None:
    """Add the rows and the figures of a CUDA device; nothing, if it has no CUPTI.

    Parameters
    ----------
    device : Device
    size : Size
        There is a process for each `BLOCKS_OF_PROCESS` of its blocks.
    result : Result
    """
    if missing(device):
        return
    command = [sys.executable, "-c", PROCESS, str(devices().index(device))]
    took: list[dict[str, dict[str, float]]] = []
    for _ in range(max(size.blocks // BLOCKS_OF_PROCESS, 3)):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE)
        took.append(json.loads(done.stdout))
    for case, part in zip((BEFORE, CASE, AFTER), PARTS, strict=True):
        for subject in ("launchpath", "c"):
            result.rows.append(Row.of(subject, case, [process[part][subject] for process in took]))
    called = Row.of("c", CALLED_CASE, [process["during"][CALLED] for process in took])
    result.rows.append(called)
    launchpath, after = result.find("launchpath", **CASE), result.find("launchpath", **AFTER)
    excess = median(_more(process, "during", "launchpath") - _more(process, "during", "c") for process in took)
    calls = median(process["during"][CALLED] - process["during"]["c"] for process in took)
    left = median(_more(process, "after", "launchpath") - _more(process, "after", "c") for process in took)
    result.figures += [
        Figure(launchpath, "over CUPTI alone in C", excess, "us", at_most=OVER_CUPTI),
        Figure(called, "over CUPTI alone in C", calls, "us"),
        Figure(after, "over before, less C's", left, "us", at_most=AFTER_OVER_BEFORE),
    ]


def _more(process: dict[str, dict[str, float]], part: str, subject: str) -> float:
    return process[part][subject] - process["before"][subject]


def missing(device: Device) -> str:
    """Say why there are no such figures of a device; empty: there are."""
    if device.info["driver"] != "cuda":
        return "not a CUDA device"
    return cupti.load(device.info["driver_version"])


def _process(place: int) -> dict[str, dict[str, float]]:
    """Measure launches before, during and after a trace: microseconds of a launch, until all are complete."""
    device = as_device(place)
    reason = missing(device)
    if reason:
        raise RuntimeError(reason)
    with device, tempfile.TemporaryDirectory() as folder:
        kernels = Kernels(device)
        loops: dict[str, Any] = {"launchpath": kernels.launchpath(2), "c": kernels.c(2), CALLED: kernels.c(2)}
        before = _medians(kernels.stream, loops, lambda _enabled: None, WARM_UP)
        with Trace(f"{folder}/bench.lptrace", cupti=True):
            during = _medians(kernels.stream, loops, _core.cupti_callbacks, TRACE_WARM_UP)
        after = _medians(kernels.stream, loops, lambda _enabled: None, WARM_UP)
    return dict(zip(PARTS, (before, during, after), strict=True))


def _medians(
    stream: Stream, loops: dict[str, Loop], callbacks: Callable[[bool], None], warm_up: int
) -> dict[str, float]:
    took: dict[str, list[float]] = {subject: [] for subject in loops}
    with no_garbage_collection():
        for _ in range(warm_up + BLOCKS):
            for subject, loop in loops.items():
                callbacks(subject != "c")
                took[subject].append(until_complete(stream, loop))
        callbacks(True)
    return {subject: median(values[warm_up:]) for subject, values in took.items()}


def main(place: int) -> None:
    """Measure on the device of this place, and print the result as JSON."""
    print(json.dumps(_process(place)))
