"""The demonstration: many launches on the legacy default stream beside idle streams, under three orderings.

The workload is the one of chipStar's pull request 1162, where a marker in every queue before each launch made
launching ten times slower: 20 extra blocking streams, 100 arrays, 10,000 launches of a kernel of a single thread on the
legacy default stream, with a copy and a device synchronize every 100.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from launchpath._bench.measure import Step, no_step, ordering
from launchpath._memory.array import Array
from launchpath._memory.creation import empty
from launchpath._programs.compilation import compile
from launchpath._programs.kernel import Kernel
from launchpath._report import Tally
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream

SOURCE = """
__global__ void fillKernel(float* d_arr, int N) {
  for (int i = 0; i < N; i++ )
    d_arr[i] = i;
}
"""
ORDERINGS = {
    "always": "a marker in every queue",
    "nonempty": "a marker in every queue that is not empty",
    "clocks": "clocks",
}
UNSET = -1.0  # what arrays hold before: no launch writes it


@dataclass(frozen=True)
class Size:
    """How large the workload is."""

    streams: int = 20
    arrays: int = 100
    rounds: int = 100
    elements: int = 100


@dataclass
class Outcome:
    """One run of the workload.

    Attributes
    ----------
    ordering : str
        ``always``, ``nonempty`` or ``clocks``.
    calls : Tally
        Host time by HIP's names of the calls.
    markers_made, markers_left_out : int
        Markers made to order the streams, and those that a marker in every queue would have made besides.
    verified, wrong : list of int
        Arrays that hold the right values in every element at the end, and those that do not.
    """

    ordering: str
    calls: Tally = field(default_factory=Tally)
    markers_made: int = 0
    markers_left_out: int = 0
    verified: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)

    @property
    def launch_us(self) -> float:
        """Average host time of a launch in microseconds."""
        return self.calls["hipLaunchKernel"].average / 1e3

    def as_json(self) -> dict[str, Any]:
        """Give the outcome as JSON takes it."""
        return {
            "ordering": self.ordering,
            "calls": self.calls.as_json(),
            "launch_us": self.launch_us,
            "markers_made": self.markers_made,
            "markers_left_out": self.markers_left_out,
            "verified": len(self.verified),
            "wrong": self.wrong,
        }


def run(device: Device, size: Size | None = None, step: Step = no_step) -> list[Outcome]:
    """Run the workload under each ordering.

    Parameters
    ----------
    device : Device
    size : Size, optional
    step : callable, optional
        Called after each round with the number of rounds done, and of all.

    Returns
    -------
    list of Outcome
        For ``always``, ``nonempty``, ``clocks``, all verified; look at `Outcome.wrong`.
    """
    size = Size() if size is None else size
    with device:
        kernel = compile(SOURCE, device, name="fillKernel.hip").fillKernel
        first = empty(size.elements, "float32", device)
        kernel[1, 1](first, size.elements)  # a driver may finish compiling only here
        device.synchronize()
        outcomes = []
        total = size.rounds * len(ORDERINGS)
        for i, mode in enumerate(ORDERINGS):
            with ordering(mode):
                outcomes.append(_run(device, kernel, mode, size, partial(_counted, step, i * size.rounds, total)))
    return outcomes


def _counted(step: Step, before: int, total: int, done: int) -> None:
    step(before + done, total)


def _run(device: Device, kernel: Kernel, mode: str, size: Size, step: Callable[[int], object]) -> Outcome:
    outcome = Outcome(mode)
    calls, n = outcome.calls, size.elements
    expected = np.arange(n, dtype=np.float32)
    host = np.full(n, UNSET, np.float32)

    def timed(name: str, function: Callable[..., Any], *args: Any) -> Any:
        began = now()
        returned = function(*args)
        calls.add(name, now() - began)
        return returned

    arrays: list[Array] = [timed("hipMalloc", empty, n, "float32", device) for _ in range(size.arrays)]
    for array in arrays:
        array.fill(UNSET)  # not part of the workload: recycled memory may hold the right values already
    device.synchronize()
    markers, left_out = device.ordering_counts()
    streams: list[Stream] = [timed("hipStreamCreate", Stream) for _ in range(size.streams)]
    for array in arrays[:2]:
        timed("hipMemcpy", array.copy_from, host)
    launch, launches = kernel[1, 1, device.legacy_stream], calls["hipLaunchKernel"]
    for done in range(1, size.rounds + 1):
        for array in arrays:
            began = now()
            launch(array, n)
            launches.add(now() - began)
        timed("hipMemcpy", arrays[0].copy_to, host)
        timed("hipDeviceSynchronize", device.synchronize)
        if not np.array_equal(host, expected) and 0 not in outcome.wrong:
            outcome.wrong.append(0)
        step(done)
    after = device.ordering_counts()
    outcome.markers_made, outcome.markers_left_out = after[0] - markers, after[1] - left_out

    def destroy() -> None:
        streams.pop()  # dropped in here, on the clock

    while streams:
        timed("hipStreamDestroy", destroy)
    for index, array in enumerate(arrays):
        if not np.array_equal(array.to_numpy(), expected) and index not in outcome.wrong:
            outcome.wrong.append(index)
    outcome.verified = [index for index in range(len(arrays)) if index not in outcome.wrong]
    for array in arrays:
        timed("hipFree", array.free)
    return outcome
