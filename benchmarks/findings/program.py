"""What the programs of the corpus share: the command line, the clock of repetitions, and a kernel of a chosen duration.

``python -m benchmarks.findings.program`` prints how many rounds of that kernel a microsecond has.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    import launchpath as lp

# Set by the runner: rounds of `relax` in a microsecond, and the processors that a CPU device has.
RATE, UNITS = "FINDINGS_RATE", "FINDINGS_UNITS"
# Used where the runner has not measured it, by a word of the platform's name.
RATES = {"intel": 100.0, "portable": 13.7, "cuda": 200.0, "hip": 200.0}
WARM_UP = 0.2  # the share of the repetitions that are not counted

SOURCE = """
// Each element approaches its goal, in so many rounds. A grid of any size does all elements.
__global__ void relax(float* x, const float* goal, int n, int rounds, float rate) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float value = x[i], to = goal[i];
        for (int round = 0; round < rounds; round++) value = value * (1.0f - rate) + rate * to;
        x[i] = value;
    }
}
"""


class Clock:
    """Repetitions, and their times: ``for step in clock:``."""

    def __init__(self, repetitions: int) -> None:
        self.repetitions = repetitions
        self.times: list[int] = []

    def __iter__(self) -> Iterator[int]:
        for step in range(self.repetitions):
            self.times.append(time.perf_counter_ns())
            yield step
        self.times.append(time.perf_counter_ns())

    def report(self, *results: Any) -> None:
        """Print the median time of a repetition, and a hash of the results, as a line of JSON."""
        self.times.sort()  # those of several threads
        between = numpy.diff(self.times)[int(WARM_UP * self.repetitions) :]
        report(us=statistics.median(between) / 1e3, repetitions=self.repetitions, results=results)


class Slices(Clock):
    """Repetitions of which several are under way at a time: one takes a share of the time."""

    def report(self, *results: Any) -> None:
        """Print the median time of a repetition in ten slices of the run, and a hash of the results."""
        self.times.sort()
        times = numpy.array(self.times)[int(WARM_UP * len(self.times)) :]
        at = numpy.linspace(0, len(times) - 1, 11).astype(int)
        rates = numpy.diff(times[at]) / numpy.diff(at)
        report(us=statistics.median(rates) / 1e3, repetitions=self.repetitions, results=results)

    def done(self) -> None:
        """Note that a repetition has ended; any thread may call it."""
        self.times.append(time.perf_counter_ns())


def report(us: float, repetitions: int, results: Any) -> None:
    """Print a line of JSON."""
    digest = hashlib.sha256()
    for result in results:
        digest.update(numpy.ascontiguousarray(result).tobytes())
    line = {"us": round(us, 3), "repetitions": repetitions, "result": digest.hexdigest()[:16]}
    print(json.dumps(line), flush=True)


def run(main: Callable[[bool, int], None], repetitions: int) -> None:
    """Run a program of the corpus with the options of its command line."""
    asked = parsed(parser_of(repetitions))
    main(asked.mended, asked.repetitions)


def run_application(main: Callable[[frozenset[str], int], None], faults: tuple[str, ...], repetitions: int) -> None:
    """Run an application of the corpus with the options of its command line: `main` gets the faults that are mended."""
    parser = parser_of(repetitions)
    parser.add_argument("--mend", action="append", default=[], choices=faults, help="run it without this fault")
    asked = parsed(parser)
    Load()  # the device's threads start where `apart` wants them
    main(frozenset(faults if asked.mended else asked.mend), asked.repetitions)


def parser_of(repetitions: int) -> argparse.ArgumentParser:
    """Return the parser of a program's command line."""
    parser = argparse.ArgumentParser(description=(sys.modules["__main__"].__doc__ or "").partition("\n")[0])
    parser.add_argument("--mended", action="store_true", help="run it without any fault")
    parser.add_argument("--repetitions", type=int, default=repetitions, help="(default: %(default)s)")
    parser.add_argument("--device", help="words as lp.device takes them (default: LAUNCHPATH_DEVICE)")
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Read the command line, and set the device."""
    asked = parser.parse_args()
    if asked.device:
        os.environ["LAUNCHPATH_DEVICE"] = asked.device
    return asked


def apart(start: Callable[[], object]) -> None:
    """Give the threads of a CPU device of one unit a processor, and those of the program another one.

    Without it they are on the same one or not, as the system places them, and the program takes one time or another.

    Parameters
    ----------
    start : callable
        Starts the device's threads: they keep the processors that the calling thread had then.
    """
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if os.environ.get(UNITS) != "1" or len(processors) < 2:
        return
    os.sched_setaffinity(0, processors[1:2])
    start()
    os.sched_setaffinity(0, processors[:1])


class Load:
    """Grids and rounds with which `relax` takes a chosen time on the current device."""

    def __init__(self) -> None:
        import launchpath as lp  # noqa: PLC0415  (programs of PyOpenCL and torch do without)

        self.device: lp.Device = lp.current_device()
        self.program = lp.compile(SOURCE, name="relax")
        self.relax = self.program.relax
        self.on_gpu = self.device.kind == "gpu"
        self.units = int(os.environ.get(UNITS) or self.device.compute_units)
        self.threads = 256 if self.on_gpu else 64
        self.rate = rate_of(f"{self.device.platform} {self.device.driver}")
        apart(self._start)

    def _start(self) -> None:
        x, goal = self.pair(1)
        self.relax[1, self.threads](x, goal, x.size, 1, 0.0)
        self.device.synchronize()

    @property
    def whole(self) -> int:
        """Blocks that fill the device."""
        return self.units * 4

    @property
    def half(self) -> int:
        """Blocks that fill one half of a device of several units."""
        return max(1, self.units // 2)

    def size(self, blocks: int) -> int:
        """Return the elements that so many blocks do, one a thread."""
        return blocks * self.threads

    def rounds(self, us: float, blocks: int) -> int:
        """Return the rounds with which a launch of so many blocks, with an element a thread, takes so long."""
        at_a_time = 1 if self.on_gpu else -(-blocks // self.units)  # blocks that a unit does one after the other
        return max(1, round(us * self.rate / at_a_time))

    def pair(self, blocks: int, stream: lp.Stream | None = None) -> tuple[lp.Array, lp.Array]:
        """Return the two arrays of a launch of so many blocks."""
        import launchpath as lp  # noqa: PLC0415

        n = self.size(blocks)
        return lp.zeros(n, stream=stream), lp.asarray(numpy.linspace(0, 1, n, dtype="float32"), stream=stream)


def rate_of(name: str) -> float:
    """Return the rounds in a microsecond on a platform."""
    if os.environ.get(RATE):
        return float(os.environ[RATE])
    return next((rate for word, rate in RATES.items() if word in name.lower()), 100.0)


def spin(us: float) -> float:
    """Work in Python for so long, and return a number: what a program computes on the host."""
    end, value = time.perf_counter_ns() + round(us * 1e3), 1.0
    while time.perf_counter_ns() < end:
        value = value * 0.999 + 0.001
    return value


def measured_rate() -> float:
    """Measure the rounds of `relax` in a microsecond on the current device."""
    os.environ.pop(RATE, None)
    load = Load()
    blocks = load.whole if load.on_gpu else 1  # of a CPU device a unit, which others of the machine disturb less
    x, goal = load.pair(blocks)
    times = {}
    for rounds in (load.rounds(200, blocks), load.rounds(1200, blocks)):
        launch = load.relax[blocks, load.threads]
        taken = []
        for _ in range(60):
            load.device.synchronize()
            began = time.perf_counter_ns()
            launch(x, goal, x.size, rounds, 0.001)
            load.device.synchronize()
            taken.append((time.perf_counter_ns() - began) / 1e3)
        times[rounds] = statistics.median(taken)
    (few, least), (many, most) = times.items()
    return (many - few) / (most - least)


if __name__ == "__main__":
    print(measured_rate())
