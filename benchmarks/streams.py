"""What many streams, and deep ones, cost: ``python -m benchmarks.streams --device intel``.

Prints the memory of 10,000 live streams, the processor time of a stream made and dropped before and after 10,000 were
dropped with work in flight, and how long a launch on a held stream takes at each depth. ``--deep 100000`` goes so far
down, which takes two hours: a launch waits longer and longer there, see `_core/ordering/depth.pxi`.
"""

from __future__ import annotations

import argparse
import gc
import resource
import time

import launchpath as lp

SOURCE = "__global__ void increase(int *x) { x[0] += 1; }"


def resident() -> int:
    """Bytes of the process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def memory(device: lp.Device, count: int) -> None:
    """Print what live streams take."""
    array = lp.zeros(16, "int32", device)
    array.fill(1, lp.Stream(device=device))
    device.synchronize()
    before = resident()
    streams = [lp.Stream(device=device) for _ in range(count)]
    after_making = resident()
    for stream in streams:
        array.fill(1, stream)
    device.synchronize()
    used = resident()
    print(
        f"{count} live streams: {(after_making - before) / 1e6:.1f} MB, once used {(used - before) / 1e6:.1f} MB",
        flush=True,
    )


def made_and_dropped(device: lp.Device, count: int) -> float:
    """Microseconds of processor time, on average."""
    since = time.thread_time()
    for _ in range(count):
        lp.Stream(device=device)
    return (time.thread_time() - since) / count * 1e6


def dropped(device: lp.Device, count: int) -> None:
    """Print what a stream costs before and after many were dropped with work in flight."""
    increase = lp.compile(SOURCE, device).increase
    array = lp.zeros(1, "int32", device)
    stream = lp.Stream(blocking=False, device=device)
    print(f"a stream made and dropped: {made_and_dropped(device, 1000):.1f} us")
    hold = stream.hold()
    event = stream.record()
    since = time.thread_time()
    for _ in range(count):
        other = lp.Stream(blocking=False, device=device)
        other.wait(event)
        increase[1, 1, other](array)
        del other
    each = (time.thread_time() - since) / count * 1e6
    print(f"{count} made, given a wait and a launch, and dropped in flight: {each:.1f} us each")
    print(f"behind them, a stream made and dropped: {made_and_dropped(device, 1000):.1f} us", flush=True)
    hold.release()
    device.synchronize()


def deep(device: lp.Device, depth: int, step: int = 4096) -> None:
    """Print how long launches on a held stream take, by its depth."""
    increase = lp.compile(SOURCE, device).increase
    array = lp.zeros(1, "int32", device)
    stream = lp.Stream(blocking=False, device=device)
    launch = increase[1, 1, stream]
    hold = stream.hold()
    print(f"{'depth':>8}  median ms  longest ms")
    for first in range(0, depth, step):
        costs = []
        for _ in range(min(step, depth - first)):
            since = time.perf_counter()
            launch(array)
            costs.append((time.perf_counter() - since) * 1e3)
        costs.sort()
        print(f"{first + len(costs):8}  {costs[len(costs) // 2]:9.3f}  {costs[-1]:10.3f}", flush=True)
    hold.release()
    device.synchronize()
    assert array.to_numpy()[0] == depth, "every launch ran"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--deep", type=int, default=8192, help="launches on a held stream")
    options = parser.parse_args()
    device = lp.device(options.device) if options.device else lp.current_device()
    print(device)
    memory(device, options.count)
    gc.collect()
    dropped(device, options.count)
    deep(device, options.deep)


if __name__ == "__main__":
    main()
