"""Random programs of launches whose arguments go by blocks: whatever the schedule, a launch reads its own bytes."""

from __future__ import annotations

import gc
import random
from typing import Any

import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.unit.test_block import Keeper

KINDS = ("legacy", "blocking", "nonblocking")
SIZES = (64, 700, 5000)
ACTIONS = ("launch",) * 12 + ("advance",) * 6 + (
    "other", "churn", "hold", "release", "wait", "drop", "kernel", "synchronize", "fail", "skipping",
)  # fmt: skip


class Run:
    """One program. A launch's value names its stream, so that what each stream's launches read can be told apart."""

    def __init__(self, machine: Machine, chance: random.Random) -> None:
        self.machine, self.chance = machine, chance
        self.keepers = [Keeper(machine, size) for size in SIZES]
        self.wanted: list[tuple[list[Any], int, list[Any]]] = []  # of a kernel and a stream: seen, tag, expected
        self.streams: list[tuple[int, lp.Stream]] = []
        self.tags = 0
        self.holds: list[Any] = []
        self.gone: list[tuple[Keeper, dict[int, list[int]]]] = []
        self.launched: list[dict[int, list[int]]] = [{} for _ in SIZES]
        for kind in KINDS:
            self.open(kind)

    def open(self, kind: str) -> None:
        device = self.machine.device
        stream = device.legacy_stream if kind == "legacy" else lp.Stream(blocking=kind == "blocking", device=device)
        self.streams.append((self.tags, stream))
        self.tags += 1

    def launch(self) -> None:
        number = self.chance.randrange(len(SIZES))
        tag, stream = self.chance.choice(self.streams)
        value = 10 * tag + self.chance.randrange(7)
        self.keepers[number].kernel[1, 1, stream](*self.keepers[number].arguments(value))
        self.launched[number].setdefault(tag, []).append(value)

    def advance(self) -> None:
        for _ in range(self.chance.randrange(4)):
            self.machine.machine.advance()

    def other(self) -> None:
        """Work of another kind, which numbers the streams' commands otherwise."""
        array = lp.empty(64, "uint32", self.machine.device)
        array.fill(self.chance.randrange(1 << 30), self.chance.choice(self.streams)[1])

    def churn(self) -> None:
        """Take what was given back, and write to it."""
        for size in SIZES:
            lp.empty(size + 16, "uint8", self.machine.device).fill(0xEE, self.chance.choice(self.streams)[1])

    def hold(self) -> None:
        if len(self.holds) < 2:
            self.holds.append(self.chance.choice(self.streams[1:] or self.streams)[1].hold())

    def release(self) -> None:
        if self.holds:
            self.holds.pop(self.chance.randrange(len(self.holds))).release()

    def wait(self) -> None:
        (_, one), (_, other) = self.chance.choice(self.streams), self.chance.choice(self.streams)
        if not self.holds:
            other.wait(one.record())

    def drop(self) -> None:
        if len(self.streams) > 1:
            del self.streams[self.chance.randrange(1, len(self.streams))]
            gc.collect(0)
            self.open(self.chance.choice(KINDS[1:]))

    def kernel(self) -> None:
        """Drop a kernel, its blocks with it, and go on with another one."""
        number = self.chance.randrange(len(SIZES))
        self.gone.append((self.keepers[number], self.launched[number]))
        self.keepers[number].kernel = None
        self.keepers[number], self.launched[number] = Keeper(self.machine, SIZES[number]), {}

    def synchronize(self) -> None:
        if not self.holds:
            self.chance.choice(self.streams)[1].synchronize()

    def fail(self) -> None:
        """Let one call of the next launch fail: nothing of it may be left to be seen."""
        self.machine.machine.fail(self.chance.choice(("allocate", "copy", "launch")))
        try:
            self.launch()
        except lp.LaunchpathError:
            pass
        finally:
            self.machine.machine.clear_faults()

    def skipping(self) -> None:
        _core.set_argument_skipping(self.chance.random() < 0.7)

    def end(self) -> None:
        while self.holds:
            self.release()
        self.machine.device.synchronize()
        for keeper, launched in [*self.gone, *zip(self.keepers, self.launched, strict=True)]:
            seen: dict[int, list[int]] = {}
            for bytes_, value in keeper.seen:
                assert (bytes_, value) == keeper.arguments(value)[:2], "torn"
                seen.setdefault(value // 10, []).append(value)
            assert seen == launched


@pytest.mark.parametrize("seed", range(150))
def test_a_launch_reads_its_own_bytes(seed: int) -> None:
    chance = random.Random(seed)
    machine = Machine(seed=seed)
    try:
        run = Run(machine, chance)
        for _ in range(120):
            getattr(run, chance.choice(ACTIONS))()
        run.end()
    finally:
        _core.set_argument_skipping(True)
    del run
    gc.collect()
    machine.__exit__(None)
