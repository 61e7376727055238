"""Measurements: blocks of launches on held streams, in turn."""

from __future__ import annotations

import gc
import random
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._bench.result import Row

if TYPE_CHECKING:
    from launchpath._streams.stream import Stream

# Below the depth at which launchpath looks at its queue (256 commands), warm-up and hold included.
LAUNCHES = 160
WARM_UP = 8
TRACE_WARM_UP = 9  # times all of `VALUES`: by then the thread has written to each slot of its ring
BLOCKS = 150

Loop = Callable[[Sequence[Any]], int]  # launches once for each value, gives nanoseconds
Step = Callable[[int, int], object]  # how much is done, of how much


def no_step(done: int, total: int) -> None:
    """Go on without telling anybody."""


@dataclass(frozen=True)
class Size:
    """How much to measure: blocks per case, launches per block.

    `step` is called after each round of blocks with the number of rounds done, and of all.
    """

    blocks: int = BLOCKS
    launches: int = LAUNCHES
    step: Step = no_step


@dataclass(frozen=True)
class Probe:
    """Something to measure block by block."""

    subject: str
    cases: Sequence[Mapping[str, Any]]  # what one block gives figures for
    block: Callable[[], Sequence[float]]  # runs a block; gives microseconds a launch for each of the cases
    # probes with the same are held against each other: they take their turns right after one another
    group: Hashable = None


def interleave(probes: Sequence[Probe], size: Size) -> list[Row]:
    """Measure the probes in turn, in another order each round, after one round that is not counted.

    The order changes between groups and within each: clocks and neighbours that change slowly are the same for a group.

    Returns
    -------
    list of Row
        One for every case of every probe, in the probes' order.
    """
    samples: list[list[Sequence[float]]] = [[] for _ in probes]
    groups: dict[Hashable, list[int]] = {}
    for index, probe in enumerate(probes):
        groups.setdefault(probe.group, []).append(index)
    order = list(groups.values())
    shuffle = random.Random(0).shuffle
    with no_garbage_collection():
        for probe in probes:
            probe.block()
        for done in range(size.blocks):
            shuffle(order)
            for group in order:
                shuffle(group)
                for index in group:
                    samples[index].append(probes[index].block())
            size.step(done + 1, size.blocks)
    return [
        Row.of(probe.subject, case, [sample[i] for sample in blocks])
        for probe, blocks in zip(probes, samples, strict=True)
        for i, case in enumerate(probe.cases)
    ]


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Collect now, and not inside."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def held(stream: Stream, loop: Loop, launches: int, values: Sequence[Any] | None = None) -> float:
    """Run a loop of launches while the stream is held back; then let it go, and wait for it.

    Parameters
    ----------
    stream : Stream
    loop : callable
    launches : int
    values : sequence, optional
        As many, as the loop takes them; `VALUES` if left out.

    Returns
    -------
    float
        Microseconds a launch.
    """
    values = VALUES[:launches] if values is None else values
    hold = stream.hold()
    try:
        loop(values[:WARM_UP])
        took = loop(values)
    finally:
        hold.release()
        stream.synchronize()
    return took / launches / 1e3


def until_complete(stream: Stream, loop: Loop) -> float:
    """Run a loop of launches for all of `VALUES`, and wait for them.

    Returns
    -------
    float
        Microseconds a launch.
    """
    stream.synchronize()
    began = time.perf_counter_ns()
    loop(VALUES)
    stream.synchronize()
    return (time.perf_counter_ns() - began) / len(VALUES) / 1e3


VALUES = list(range(1_000, 1_000 + 1024))  # of the argument that changes: made before the clock starts


@contextmanager
def ordering(mode: str) -> Iterator[None]:
    """Use an ordering inside; afterwards the one that was in force before."""
    before = _core.ordering_mode()
    _core.set_ordering(mode)
    try:
        yield
    finally:
        _core.set_ordering(before)


@contextmanager
def busy_thread() -> Iterator[None]:
    """Have another thread run Python code all the time."""
    stop = False
    running = threading.Event()

    def work() -> None:
        count = 0
        running.set()
        while not stop:
            count += 1

    thread = threading.Thread(target=work, name="busy", daemon=True)
    thread.start()
    try:
        running.wait()
        yield
    finally:
        stop = True
        thread.join()


def any_moment(chance: random.Random) -> None:
    """Wait, with the GIL, for a random part of its slice: or a block would always start with a fresh one."""
    until = time.perf_counter() + chance.random() * sys.getswitchinterval()
    while time.perf_counter() < until:
        pass
