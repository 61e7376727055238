"""Random programs of launches whose arguments go by blocks: whatever the schedule, a launch reads its own bytes."""

import atexit
import gc
import random
import re
import struct
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.unit.support import tally
from tests.unit.support.blocks import Keeper

KINDS = ("legacy", "blocking", "nonblocking")
SIZES = (64, 700, 12_000)
SHARED = 1000  # of values that are given on any stream
ACTIONS = ("launch",) * 12 + ("advance",) * 6 + ("returns",) * 3 + (
    "burst", "other", "churn", "hold", "release", "wait", "drop", "kernel", "synchronize", "fail", "skipping", "read", "forget",
)  # fmt: skip

# One thread each; a step is handed over, and its end waited for.
THREADS = [ThreadPoolExecutor(1, f"blocks-{i}") for i in range(3)]
for pool in THREADS:
    atexit.register(pool.shutdown)


class Kept(Keeper):
    """The struct tells all of a value but its last bit, which the int has: either of them may change alone."""

    def __init__(self, machine: Machine, *arguments: Any, **more: Any) -> None:
        super().__init__(machine, *arguments, **more)
        self.objects: dict[bytes, bytes] = {}

    def arguments(self, value: int) -> tuple[bytes, int, int | None]:
        return struct.pack("i", value >> 1) * (self.size // 4), value & 1, self.last

    def arguments_or_kept(self, value: int, again: bool) -> tuple[bytes, int, int | None]:
        """Make the arguments, or take the object that was given before."""
        arguments = self.arguments(value)
        return (self.objects.setdefault(arguments[0], arguments[0]), *arguments[1:]) if again else arguments

    def value(self, seen: tuple[bytes, int]) -> int:
        number = int(struct.unpack_from("i", seen[0])[0]) << 1 | seen[1]
        assert seen == self.arguments(number)[:2], "torn"
        return number


class Kernel:
    """A kernel, and by stream what was launched: values, and whether the launch may have been refused."""

    def __init__(self, machine: Machine, device: lp.Device, size: int, chance: random.Random) -> None:
        self.keeper = Kept(machine, size, device, chance.random() < 0.7, writes_block=chance.random() < 0.2)
        self.chance = chance
        self.launch: Any = self.keeper.kernel[1, 1]  # on the current stream
        self.launchers: dict[tuple[int, int], Any] = {}  # that are kept, by stream's tag and which of two
        self.launched: dict[int, list[tuple[int, bool]]] = {}

    def launch_on(self, tag: int, stream: lp.Stream, value: int) -> None:
        """Launch in one of the ways that there are."""
        arguments = self.keeper.arguments_or_kept(value, self.chance.random() < 0.6)
        which = self.chance.randrange(4)
        if which == 3:
            with stream:
                self.launch(*arguments)
        elif which == 2:
            self.keeper.kernel[1, 1, stream](*arguments)
        else:
            if (tag, which) not in self.launchers:
                self.launchers[tag, which] = self.keeper.kernel[1, 1, stream]
            self.launchers[tag, which](*arguments)

    def judge(self) -> None:
        seen: dict[int, list[int]] = {}
        for value in map(self.keeper.value, self.keeper.seen):
            seen.setdefault(value // 10, []).append(value)
        shared = [value for value, _ in self.launched.pop(SHARED, ())]
        assert sorted(seen.pop(SHARED, ())) == sorted(shared)
        for tag in seen.keys() | self.launched.keys():
            wanted = "".join(chr(256 + value) + "?" * refused for value, refused in self.launched.get(tag, ()))
            assert re.fullmatch(wanted, "".join(chr(256 + value) for value in seen.get(tag, ())))


class Run:
    """One program. Most launches' values name their stream, so that what each stream's read can be told apart."""

    def __init__(self, machine: Machine, chance: random.Random) -> None:
        self.machine, self.chance = machine, chance
        self.streams: list[tuple[int, lp.Stream]] = []
        self.tags = 0
        self.holds: list[Any] = []
        self.kernels: dict[tuple[lp.Device, int], Kernel] = {}
        self.gone: list[Kernel] = []
        self.returning = {
            device: tally.kernel(machine, device, tally.put).returning("total") for device in machine.devices
        }
        self.results: list[tuple[int, lp.Result]] = []
        for device in machine.devices:
            for number in range(len(SIZES)):
                self.make(device, number)
            for kind in KINDS:
                self.open(kind, device)

    def make(self, device: lp.Device, number: int) -> None:
        self.kernels[device, number] = Kernel(self.machine, device, SIZES[number], self.chance)

    def open(self, kind: str, device: lp.Device) -> None:
        stream = device.legacy_stream if kind == "legacy" else lp.Stream(blocking=kind == "blocking", device=device)
        self.streams.append((self.tags, stream))
        self.tags += 1

    def launch(self, refused: bool = False, times: int = 1) -> None:
        tag, stream = self.chance.choice(self.streams)
        kernel = self.kernels[stream.device, self.chance.randrange(len(SIZES))]
        for _ in range(times):
            values = SHARED if not refused and self.chance.random() < 0.3 else tag
            value = 10 * values + self.chance.randrange(7)
            kernel.launched.setdefault(values, []).append((value, refused))
            kernel.launch_on(tag, stream, value)

    def burst(self) -> None:
        """Launch one kernel on one stream several times."""
        self.launch(times=self.chance.randrange(2, 24))

    def returns(self) -> None:
        _, stream = self.chance.choice(self.streams)
        value = self.chance.randrange(1 << 20)
        self.results.append((value, self.returning[stream.device][1, 1, stream](value, None, None, None)))

    def read(self) -> None:
        if self.results and not self.holds:
            value, result = self.results.pop(self.chance.randrange(len(self.results)))
            assert int(result) == value

    def forget(self) -> None:
        if self.results:
            del self.results[self.chance.randrange(len(self.results))]

    def advance(self) -> None:
        for _ in range(self.chance.randrange(4)):
            self.machine.machine.advance()

    def other(self) -> None:
        """Work of another kind, which numbers the streams' commands otherwise."""
        _, stream = self.chance.choice(self.streams)
        lp.empty(64, "uint32", stream.device).fill(self.chance.randrange(1 << 30), stream)

    def churn(self) -> None:
        """Take what was given back, and write to it."""
        for size in SIZES:
            _, stream = self.chance.choice(self.streams)
            lp.empty(size + 16, "uint8", stream.device).fill(0xEE, stream)

    def hold(self) -> None:
        if len(self.holds) < 2:
            _, stream = self.chance.choice(self.streams)
            if stream is not stream.device.legacy_stream:
                self.holds.append(stream.hold())

    def release(self) -> None:
        if self.holds:
            self.holds.pop(self.chance.randrange(len(self.holds))).release()

    def wait(self) -> None:
        (_, first), (_, other) = self.chance.choice(self.streams), self.chance.choice(self.streams)
        if not self.holds:
            other.wait(first.record())

    def drop(self) -> None:
        at = self.chance.randrange(len(self.streams))
        _, stream = self.streams[at]
        if stream is not stream.device.legacy_stream:
            device = stream.device
            for kernel in self.kernels.values():
                kernel.launchers.clear()
            del self.streams[at], stream
            gc.collect(0)
            self.open(self.chance.choice(KINDS[1:]), device)

    def kernel(self) -> None:
        """Drop a kernel, its blocks with it, and go on with another one."""
        device, number = self.chance.choice(list(self.kernels))
        old = self.kernels[device, number]
        self.gone.append(old)
        old.keeper.kernel = old.launch = None
        old.launchers.clear()
        self.make(device, number)

    def synchronize(self) -> None:
        if not self.holds:
            synchronize(self.chance.choice(self.streams)[1])

    def fail(self) -> None:
        """Let one call of the next launch fail: nothing of it may be left to be seen."""
        call = self.chance.choice(("allocate", "copy", "launch", "queue_flush", "marker", "event_query"))
        self.machine.machine.fail(call)
        try:
            self.launch(refused=True)
        except lp.LaunchpathError:
            pass
        finally:
            self.machine.machine.clear_faults()

    def skipping(self) -> None:
        _core.set_argument_skipping(self.chance.random() < 0.7)

    def end(self) -> None:
        while self.holds:
            self.release()
        while self.results:
            self.read()
        for device in self.machine.devices:
            synchronize(device)
        for kernel in [*self.gone, *self.kernels.values()]:
            kernel.judge()


def synchronize(what: lp.Stream | lp.Device) -> None:
    """A flush that failed behind a command that was accepted is told by the next call that synchronizes its stream."""
    while True:
        try:
            return what.synchronize()
        except lp.DriverError as error:
            assert error.call == "queue_flush"


@pytest.mark.sample(60)
@pytest.mark.parametrize("devices", [1, 2])
@pytest.mark.parametrize("seed", range(100))
def test_a_launch_reads_its_own_bytes(seed: int, devices: int) -> None:
    """Which thread does a step makes no difference."""
    chance = random.Random(f"{seed}:{devices}")
    machine = Machine(devices, seed=seed)
    try:
        run = Run(machine, chance)
        for _ in range(120):
            step = getattr(run, chance.choice(ACTIONS))
            THREADS[chance.randrange(3) if seed % 2 else 0].submit(step).result()
        run.end()
    finally:
        _core.set_argument_skipping(True)
    del run, step
    gc.collect()
    machine.__exit__(None)
