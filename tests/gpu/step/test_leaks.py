"""10,000 sequences that a step never saw before: no memory, graph, event or object stays. ``LAUNCHPATH_STEP_RUNS`` for more."""

import gc
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import launchpath as lp
from tests.soak.figures import _heap

RUNS = int(os.environ.get("LAUNCHPATH_STEP_RUNS", "10000"))
STAGES = 4  # the stand-in keeps what was destroyed for a while: heaps are level after some thousand runs
MAY_GROW = 64 << 10  # bytes of the C library's heap in a stage: each sequence has more than 100
LENGTH = 6
AT_ONCE = 20  # sequences between two waits for the device, which bounds the events in flight


def sequences() -> Iterator[tuple[int, ...]]:
    """Orders of a few commands, each another one than before."""
    return itertools.islice(itertools.cycle(itertools.product(range(4), repeat=LENGTH)), 3, None, 7)


def growths(gpu: Any, stage: Callable[[], None]) -> list[int]:
    """Run stages; return what the heap, Python's objects and the library's events grew by in one of the last two, whichever
    is less."""
    heaps, blocks, events = [], [], []
    gpu.control.record(False)
    try:
        for _ in range(STAGES):
            stage()
            gpu.settle(1)
            heaps.append(_heap()[0])
            blocks.append(sys.getallocatedblocks())
            events.append(gpu.live()["events"])
    finally:
        gpu.control.record(True)
    return [min(kept[-1] - kept[-2], kept[-2] - kept[-3]) for kept in (heaps, blocks, events)]


@pytest.mark.leaves("events")  # which are kept for reuse
def test_new_sequences_leave_nothing(gpu):
    stream, other, array, step = gpu.stream(), gpu.stream("blocking"), gpu.zeros(), [lp.Step()]
    launchers = [gpu.kernel(name)[1, 16, stream] for name in ("increment", "nothing")]
    commands = [
        lambda: launchers[0](array, 16),
        launchers[1],
        lambda: array.fill(0, stream),
        lambda: other.wait(stream.record()),
    ]
    # As many events as can be in flight at once are there from now on, however late the device is.
    with stream.hold():
        for _ in range(AT_ONCE * LENGTH):
            other.wait(stream.record())
    drawn, before = sequences(), gpu.live()

    def stage() -> None:
        for number in range(RUNS // STAGES):
            if number % AT_ONCE == 0:
                lp.synchronize()
            sequence = next(drawn)
            for _ in range(1 + (number % 50 == 0)):  # the second time there is a graph
                with step[0]:
                    for command in sequence:
                        commands[command]()

    heap, objects, events = growths(gpu, stage)
    assert step[0].counts()["new_sequences"] >= RUNS
    assert heap < MAY_GROW
    assert objects < 200
    assert events < 80  # of 15,000 records and waits in a stage: events are used again
    assert gpu.live()["graphs"] - before["graphs"] <= 2 * LENGTH * 16  # of at most 16 sequences
    step.clear()
    gc.collect()
    assert gpu.live()["graphs"] == before["graphs"]


def test_steps_that_come_and_go_leave_nothing(gpu):
    stream, array, before = gpu.stream(), gpu.zeros(), gpu.live()["graphs"]
    launcher = gpu.kernel("increment")[1, 16, stream]

    def stage() -> None:
        for _ in range(RUNS // 40):
            step = lp.Step()
            for _ in range(2):
                with step:
                    for _ in range(5):
                        launcher(array, 16)
            stream.synchronize()

    heap, objects, events = growths(gpu, stage)
    assert heap < MAY_GROW
    assert objects < 200
    assert events < 80
    assert gpu.live()["graphs"] == before
