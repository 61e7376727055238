"""What steps and pinned memory cost on a device, measured once: for the simulation of mends that a trace does not show.

``python -m launchpath._proof.calibration DEVICE`` prints it, for a device by its number or its words.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import cache
from statistics import median
from typing import Any

import numpy

from launchpath._compiler.cache import cache as caches
from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.timeline.building import read_timeline
from launchpath._streams.device import Device, devices
from launchpath._version import __version__

_FOLDER = "calibration"
_FORMAT = 3  # of the file
_FEW, _MANY = 8, 72  # launches of a step
_ROUNDS = 15
_WARM = 3
_BYTES = 1 << 25
_COPIES = 5
_SOURCE = """
extern "C" __global__ void tick(float *x, int n) { if (n < 0) x[0] = n; }
extern "C" __global__ void hold(float *x, int n) {
    float value = x[0];
    for (int i = 0; i < n; i++) value = value * 0.999f + 0.001f;
    x[0] = value;
}
"""
_HELD = 3e6  # nanoseconds for which a queue is held, so that the launches behind it have been submitted


def calibration_of(facts: Sequence[dict[str, Any]]) -> Calibration | None:
    """Give the costs on the device of a trace that is on this machine too.

    Parameters
    ----------
    facts : sequence of dict
        The trace's devices: the first is looked for.

    Returns
    -------
    Calibration or None
        None: this machine has no such device.
    """
    names = ("name", "driver", "platform")
    for device in devices() if facts else ():
        if all(facts[0].get(name) in (None, device.info.get(name)) for name in names):
            return calibration(device)
    return None


@cache
def calibration(device: Device) -> Calibration:
    """Give the costs on a device, from the cache if they were measured before: that takes some 100 ms.

    Raises
    ------
    LaunchpathError
        The device fails.
    """
    path = _path(device)
    found = _read(path, device)
    if found is None:
        found = _measured(device)
        _write(path, found)
    return found


def _path(device: Device) -> str | None:
    folder = caches.settings().folder
    if folder is None:
        return None
    what = [_FORMAT, __version__, *(str(device.info.get(name)) for name in ("name", "driver", "platform", "version"))]
    key = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]
    return os.path.join(folder, _FOLDER, f"{key}.json")


def _read(path: str | None, device: Device) -> Calibration | None:
    """Read what was measured before; whatever cannot be read is measured again."""
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
        names = [each.name for each in fields(Calibration) if each.name != "device"]
        return Calibration(device.name, **{name: float(values[name]) for name in names})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: str | None, values: Calibration) -> None:
    if path is None:
        return
    with contextlib.suppress(OSError):  # a cache that cannot be written is no error
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=os.path.dirname(path))
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(values), file)
        os.replace(part, path)


def _measured(device: Device) -> Calibration:
    import launchpath as lp  # noqa: PLC0415 (the public names import this module's package)

    with device:
        bench = _Bench(lp)
        single, round_trip = bench.launch(), bench.round_trip()
        with tempfile.TemporaryDirectory(prefix="launchpath-calibration-") as folder:
            path = os.path.join(folder, "costs.lptrace")
            with lp.trace(path, findings=True, cupti=True):
                traced, traced_round_trip = bench.launch(), bench.round_trip()
            tick = _duration(path, "tick")
        few, many = bench.steps(_FEW), bench.steps(_MANY)
        node = max((many[1] - few[1]) / (_MANY - _FEW), 0.0)
        single_on_device = bench.on_device(step=False)
        gap = bench.on_device(step=True) - single_on_device
        pageable, pinned = bench.bandwidth(pinned=False), bench.bandwidth(pinned=True)
    return Calibration(
        device=device.name,
        launch=single,
        kept=many[0] / _MANY,
        submit=max(few[1] - node * (_FEW - 1), 0.0),
        node=node,
        gap=gap,
        apart=max(single_on_device - tick, 0.0),
        traced_launch=max(traced - single, 0.0),
        traced_wait=max(traced_round_trip - round_trip - (traced - single), 0.0),
        pinned=pinned,
        pageable=pageable,
    )


def _duration(path: str, kernel: str) -> float:
    """Give how long a kernel of a trace runs; infinite: the trace has no times of it."""
    timeline = read_timeline(path)
    works = timeline.works
    its = works.name == timeline.names.index(kernel) if kernel in timeline.names else numpy.zeros(len(works), "?")
    return float(numpy.median((works.end - works.begin)[its])) if its.any() else math.inf


class _Bench:
    """The measurements: of kernels that do nothing, in one stream."""

    def __init__(self, lp: Any) -> None:
        self.lp = lp
        self.stream = lp.Stream(blocking=False)
        self.x = lp.zeros(64, "float32", stream=self.stream)
        program = lp.compile(_SOURCE)
        self.tick, self.hold = program.tick[1, 64, self.stream], program.hold[1, 1, self.stream]
        self.rounds = self.held()

    def launches(self, count: int) -> None:
        """Launch again and again."""
        tick, x = self.tick, self.x
        for _ in range(count):
            tick(x, 1)

    def launch(self) -> float:
        """Give the host's time of a launch by itself."""
        times = []
        for _ in range(_WARM + _ROUNDS):
            self.stream.synchronize()
            self.hold(self.x, self.rounds)  # a device that works shares locks, and on CPUs processors, with the host
            begin = time.perf_counter_ns()
            self.launches(_MANY)
            times.append(time.perf_counter_ns() - begin)
        return float(median(times[_WARM:]) / _MANY)

    def round_trip(self) -> float:
        """Give the time of a launch that is waited for."""
        times = []
        for _ in range(_WARM + _ROUNDS * _FEW):
            begin = time.perf_counter_ns()
            self.launches(1)
            self.stream.synchronize()
            times.append(time.perf_counter_ns() - begin)
        return float(median(times[_WARM:]))

    def steps(self, count: int) -> tuple[float, float]:
        """Give the host's time of the launches in a step, and of its submission."""
        step, inside, submission = self.lp.Step(), [], []
        for number in range(_WARM + _ROUNDS):
            self.stream.synchronize()
            self.hold(self.x, self.rounds)
            with step:
                begin = time.perf_counter_ns()
                self.launches(count)
                middle = time.perf_counter_ns()
            end = time.perf_counter_ns()
            if number >= _WARM:
                inside.append(middle - begin)
                submission.append(end - middle)
        return median(inside), median(submission)

    def held(self) -> int:
        """Give the rounds of the kernel that holds the queue, for long enough."""
        rounds, took = 1000, 0.0
        while took < _HELD:
            rounds = min(int(rounds * max(1.5, min(_HELD / max(took, 1.0), 30.0))), 1 << 30)
            self.stream.synchronize()
            begin = time.perf_counter_ns()
            self.hold(self.x, rounds)
            self.stream.synchronize()
            took = time.perf_counter_ns() - begin
        return rounds

    def on_device(self, step: bool) -> float:
        """Give the device's time from one launch to the next, of launches that all wait in the queue."""
        lp, times = self.lp, []
        region = lp.Step() if step else contextlib.nullcontext()
        begin, end = lp.Event(timing=True), lp.Event(timing=True)
        for number in range(_WARM + _ROUNDS):
            self.hold(self.x, self.rounds)
            self.stream.record(begin)
            with region:
                self.launches(_MANY)
            self.stream.record(end)
            self.stream.synchronize()
            if number >= _WARM:
                times.append(begin.elapsed_time(end) * 1e6)
        return float(median(times)) / _MANY

    def bandwidth(self, pinned: bool) -> float:
        """Give the bytes of a nanosecond of a large copy to the device."""
        lp, times = self.lp, []
        host = lp.pinned_empty(_BYTES, "uint8") if pinned else numpy.empty(_BYTES, "uint8")
        host[:] = 1
        there = lp.zeros(_BYTES, "uint8", stream=self.stream)
        for _ in range(_COPIES):
            self.stream.synchronize()
            begin = time.perf_counter_ns()
            there.copy_from(host, stream=self.stream)
            self.stream.synchronize()
            times.append(time.perf_counter_ns() - begin)
        return float(_BYTES / median(times))


def main() -> None:
    """Print what the device of the command line costs, or the current one."""
    import launchpath as lp  # noqa: PLC0415

    values = calibration(lp.device(sys.argv[1]) if len(sys.argv) > 1 else lp.current_device())
    print(json.dumps(asdict(values), indent=1))


if __name__ == "__main__":
    main()
