"""Random programs of launches whose arguments go by blocks: whatever the schedule, a launch reads its own bytes."""

from __future__ import annotations

import gc
import random
import struct
from typing import Any

import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.unit.test_block import Keeper

KINDS = ("legacy", "blocking", "nonblocking")
SIZES = (64, 700, 5000, 12000)
ACTIONS = ("launch",) * 12 + ("advance",) * 6 + (
    "burst", "other", "churn", "hold", "release", "wait", "drop", "kernel", "synchronize", "fail", "skipping",
)  # fmt: skip


class Kept(Keeper):
    """The struct tells all of a value but its last bit, which the int has: either of them may change alone."""

    def __init__(self, machine: Machine, size: int) -> None:
        super().__init__(machine, size)
        self.objects: dict[bytes, bytes] = {}

    def arguments(self, value: int) -> tuple[bytes, int, int]:
        return struct.pack("i", value >> 1) * (self.size // 4), value & 1, -1

    def given(self, value: int, again: bool) -> tuple[bytes, int, int]:
        """Make the arguments, or take the object that was given before."""
        made = self.arguments(value)
        return (self.objects.setdefault(made[0], made[0]), *made[1:]) if again else made

    def value(self, seen: tuple[bytes, int]) -> int:
        found = int(struct.unpack_from("i", seen[0])[0]) << 1 | seen[1]
        assert seen == self.arguments(found)[:2], "torn"
        return found


class Run:
    """One program. A launch's value names its stream, so that what each stream's launches read can be told apart."""

    def __init__(self, machine: Machine, chance: random.Random) -> None:
        self.machine, self.chance = machine, chance
        self.keepers = [Kept(machine, size) for size in SIZES]
        self.launchers: dict[tuple[int, int, int], Any] = {}  # by kernel, stream, and which of two
        self.wanted: list[tuple[list[Any], int, list[Any]]] = []  # of a kernel and a stream: seen, tag, expected
        self.streams: list[tuple[int, lp.Stream]] = []
        self.tags = 0
        self.holds: list[Any] = []
        self.gone: list[tuple[Kept, dict[int, list[int]]]] = []
        self.launched: list[dict[int, list[int]]] = [{} for _ in SIZES]
        for kind in KINDS:
            self.open(kind)

    def open(self, kind: str) -> None:
        device = self.machine.device
        stream = device.legacy_stream if kind == "legacy" else lp.Stream(blocking=kind == "blocking", device=device)
        self.streams.append((self.tags, stream))
        self.tags += 1

    def launch(self) -> None:
        self.launch_on(self.chance.randrange(len(SIZES)), *self.chance.choice(self.streams))

    def burst(self) -> None:
        """Launch one kernel on one stream several times."""
        number, (tag, stream) = self.chance.randrange(len(SIZES)), self.chance.choice(self.streams)
        for _ in range(self.chance.randrange(2, 24)):
            self.launch_on(number, tag, stream)

    def launch_on(self, number: int, tag: int, stream: lp.Stream) -> None:
        value = 10 * tag + self.chance.randrange(7)
        key = (number, tag, self.chance.randrange(3))
        launch = self.launchers.get(key) or self.keepers[number].kernel[1, 1, stream]
        if key[2] < 2:
            self.launchers[key] = launch
        launch(*self.keepers[number].given(value, self.chance.random() < 0.6))
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
            tag, _ = self.streams.pop(self.chance.randrange(1, len(self.streams)))
            self.launchers = {key: launch for key, launch in self.launchers.items() if key[1] != tag}
            del _
            gc.collect(0)
            self.open(self.chance.choice(KINDS[1:]))

    def kernel(self) -> None:
        """Drop a kernel, its blocks with it, and go on with another one."""
        number = self.chance.randrange(len(SIZES))
        self.gone.append((self.keepers[number], self.launched[number]))
        self.keepers[number].kernel = None
        self.launchers = {key: launch for key, launch in self.launchers.items() if key[0] != number}
        self.keepers[number], self.launched[number] = Kept(self.machine, SIZES[number]), {}

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
        self.launchers.clear()
        while self.holds:
            self.release()
        self.machine.device.synchronize()
        for keeper, launched in [*self.gone, *zip(self.keepers, self.launched, strict=True)]:
            seen: dict[int, list[int]] = {}
            for value in map(keeper.value, keeper.seen):
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
