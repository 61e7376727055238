"""The cost of other streams for a launch on the null stream: idle ones, busy ones, and with a marker in every queue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter_ns as now
from typing import Any

from launchpath._bench.kernels import GPU, Kernels
from launchpath._bench.measure import VALUES, WARM_UP, Loop, Probe, Size, held, interleave, ordering
from launchpath._bench.result import Figure, Result
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream

IDLE = (0, 1, 8, 16, 32, 64)
BUSY = 64
DEPTH_CHECK = 256
LAUNCHES = ("first", "second", "second on")  # the first, the second by itself, and a run that begins with it
OVER_NONE = 1.05
MARKERS_OVER_CLOCKS = {"cpu": 20.0, "gpu": 30.0}  # by kind of device
SECOND_OVER_ALONE = 1.1
SYNCHRONIZE_OVER_NONE = 1.1


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Returns
    -------
    Result
        Without markers where the driver keeps the legacy stream's rules itself.
    """
    size = Size() if size is None else size
    result = Result("idle-streams", device.name)
    markers: dict[str, list[int]] = {}
    if device.info["driver"] in GPU:
        reason = f"the {device.info['platform']} driver keeps the legacy stream's rules itself: there are no markers"
        result.left_out.append(("a marker in every queue", reason))
    else:
        markers |= {"first": [], "second on": []}
    with device, ordering("clocks"):
        kernels = Kernels(device)
        probes = [*_idle(kernels, size), *_busy(kernels, size, markers), *_synchronize(kernels, size)]
        result.rows = interleave(probes, size)
    _figures(result, markers, device.info["kind"])
    return result


def _streams(kernels: Kernels, count: int) -> list[Stream]:
    """Make blocking streams that have been used and have nothing left to do."""
    streams = [Stream(device=kernels.device) for _ in range(count)]
    for stream in streams:
        kernels.launchpath(2, stream=stream)(VALUES[:1])
    kernels.device.synchronize()
    return streams


def _idle(kernels: Kernels, size: Size) -> list[Probe]:
    def probe(subject: str, loop: Loop, count: int, mode: str, launches: int) -> Probe:
        def block() -> list[float]:
            streams = _streams(kernels, count)
            with ordering(mode):
                took = held(kernels.stream, loop, launches)
            del streams
            return [took]

        return Probe(subject, [{"arguments": 2, "idle_streams": count, "ordering": mode}], block)

    launchpath, c = kernels.launchpath(2), kernels.c(2)
    probes = [probe("launchpath", launchpath, count, "clocks", size.launches) for count in IDLE]
    # A launch then costs many times as much: fewer of them.
    if kernels.device.info["driver"] not in GPU:
        probes += [probe("launchpath", launchpath, count, "always", size.launches // 4) for count in IDLE[1:]]
    if c is not None:
        probes += [probe("c", c, count, "clocks", size.launches) for count in (IDLE[0], IDLE[-1])]
    return probes


def _busy(kernels: Kernels, size: Size, markers: dict[str, list[int]]) -> list[Probe]:
    loop = kernels.launchpath(2)
    launch, array, stream = kernels.kernels[2][1, 1], kernels.arrays[0], kernels.stream

    def probe(count: int) -> Probe:
        def block() -> list[float]:
            if markers:
                _align(kernels)
            streams = _streams(kernels, count)
            holds = [each.hold() for each in streams or [stream]]
            try:
                for each in streams:
                    kernels.launchpath(2, stream=each)(VALUES[:1])
                counts = [_markers(kernels)]
                began = now()
                launch(array, 1)
                first = now() - began
                counts.append(_markers(kernels))
                began = now()
                launch(array, 2)
                second = now()
                loop(VALUES[: size.launches])
                rest = now() - began
                counts.append(_markers(kernels))
            finally:
                for hold in holds:
                    hold.release()
                kernels.device.synchronize()
            if count:
                for i, name in enumerate(markers):
                    markers[name].append(counts[i + 1] - counts[i])
            return [first / 1e3, (second - began) / 1e3, rest / (size.launches + 1) / 1e3]

        return Probe(
            "launchpath", [{"arguments": 2, "busy_streams": count, "launch": name} for name in LAUNCHES], block
        )

    return [probe(0), probe(BUSY)]


def _align(kernels: Kernels) -> None:
    """Bring the legacy stream just past the marker by which launchpath watches its depth, every 256 commands."""
    loop = kernels.launchpath(2)
    with kernels.stream.hold():
        before = _markers(kernels)
        for _ in range(DEPTH_CHECK):
            loop(VALUES[:1])
            if _markers(kernels) > before:
                break
    kernels.stream.synchronize()


def _markers(kernels: Kernels) -> int:
    return int(kernels.device.ordering_counts()[0])


def _synchronize(kernels: Kernels, size: Size) -> list[Probe]:
    launch, array, stream = kernels.kernels[2][1, 1], kernels.arrays[0], kernels.stream
    launches = max(1, size.launches // 4)

    def launch_and_wait(values: Sequence[Any]) -> int:
        synchronize = stream.synchronize
        began = now()
        for value in values:
            launch(array, value)
            synchronize()
        return now() - began

    def probe(subject: str, loop: Callable[[Sequence[Any]], int], count: int) -> Probe:
        def block() -> list[float]:
            streams = _streams(kernels, count)
            loop(VALUES[:WARM_UP])
            took = loop(VALUES[:launches])
            del streams
            return [took / launches / 1e3]

        return Probe(subject, [{"arguments": 2, "idle_streams": count, "synchronize": True}], block)

    probes = [probe("launchpath", launch_and_wait, count) for count in (IDLE[0], IDLE[-1])]
    c = kernels.c(2, synchronize=True)
    return probes if c is None else [*probes, *(probe("c", c, count) for count in (IDLE[0], IDLE[-1]))]


def _figures(result: Result, markers: dict[str, list[int]], kind: str) -> None:
    none = result.find("launchpath", arguments=2, idle_streams=0, ordering="clocks")
    for count in IDLE[1:]:
        row = result.find("launchpath", arguments=2, idle_streams=count, ordering="clocks")
        result.compare(row, none, "over no idle streams", at_most=OVER_NONE if count == IDLE[-1] else None)
        if markers:
            always = result.find("launchpath", arguments=2, idle_streams=count, ordering="always")
            least = MARKERS_OVER_CLOCKS["gpu" if kind == "gpu" else "cpu"] if count == IDLE[-1] else None
            result.compare(always, row, "over clocks", at_least=least)
    for name in LAUNCHES:
        row = result.find("launchpath", arguments=2, busy_streams=BUSY, launch=name)
        alone = result.find("launchpath", arguments=2, busy_streams=0, launch=name)
        if name == "second on":  # held against the faster of two launches without other streams
            alone = min(alone, none, key=lambda row: row.us)
        # A single launch is close to what a clock can tell, and follows 64 markers' worth of the driver's code.
        limit = SECOND_OVER_ALONE if name == "second on" and markers else None
        result.compare(row, alone, "over no other stream", at_most=limit)
        if name in markers:
            most = BUSY if name == "first" else 0
            result.figures.append(Figure(row, "made", max(markers[name]), "markers", at_most=most))
    result.compare(
        result.find("launchpath", arguments=2, idle_streams=IDLE[-1], synchronize=True),
        result.find("launchpath", arguments=2, idle_streams=0, synchronize=True),
        "over no idle streams",
        at_most=SYNCHRONIZE_OVER_NONE if markers else None,
    )
