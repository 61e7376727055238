"""Random race-free programs over streams, events, arrays and the host: no schedule may break them.

Every access that the rules do not order yet gets an event of its own first, so the program has no race by CUDA's
promises. The simulated driver then must find none by its own happens-before, memory given back must never be touched,
and what arrays hold must be what running the program step by step gives.
"""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import launchpath as lp
from launchpath import _core
from tests.model.programs import Program, programs
from tests.model.random_programs import random_programs
from tests.model.rules import Rules, RuleStream
from tests.simulated import Machine

N = 16
SIZES = (16, 64, 700, 3000, 5000, 20_000, 70_000)
ACTIONS = (
    *("launch",) * 8, *("copy", "fill", "upload") * 2, *("record", "wait") * 3, *("replace", "replace_ordered", "scratch", "keep") * 2,
    *("synchronize", "synchronize_event", "query", "read", "synchronize_device", "host_function", "drop_stream"),
)  # fmt: skip


class Slot:
    """An array, what it should hold, and who has touched it."""

    def __init__(self, array: lp.Array) -> None:
        self.array = array
        self.expected: np.ndarray[Any, Any] | None = None  # None: never written
        self.writer: tuple[int, int] | None = None  # (op, stream)
        self.readers: list[tuple[int, int]] = []
        self.home: int | None = None  # stream in whose order the memory was got


class Run:
    """One program on the core, on the rules and step by step on NumPy arrays."""

    def __init__(self, machine: Machine, program: Program) -> None:
        self.machine, self.kinds = machine, program.kinds
        self.streams = machine.streams(program.kinds)
        self.mix = machine.kernel()
        self.rules = Rules([RuleStream(0, "nonblocking" if k == "nonblocking" else k) for k in program.kinds])
        self.slots = [Slot(lp.empty(N, "uint32", machine.device)) for _ in range(4)]
        self.events: list[tuple[lp.Event, int]] = []
        self.called: list[tuple[int, int]] = []
        self.host_functions = 0
        self.kept: list[lp.Array] = []
        for stream in range(2):
            for slot in self.slots:
                if slot.writer is None:
                    self.fill(stream, slot, stream)

    def order(self, stream: int, slot: Slot, write: bool) -> None:
        """Add the events that the program needs before `stream` touches the array."""
        earlier = ([slot.writer] if slot.writer else []) + (slot.readers if write else [])
        for op, at in earlier:
            if not self.rules.ordered(op, self.rules.streams[stream]):
                recorded = self.rules.op(self.rules.streams[at])
                event = self.streams[at].record()
                self.rules.op(self.rules.streams[stream], [recorded])
                self.streams[stream].wait(event)

    def touched(self, stream: int, reads: list[Slot], writes: list[Slot]) -> None:
        op = self.rules.op(self.rules.streams[stream])
        for slot in reads:
            slot.readers.append((op, stream))
        for slot in writes:
            slot.writer, slot.readers = (op, stream), []

    def fill(self, stream: int, slot: Slot, value: int) -> None:
        self.order(stream, slot, True)
        slot.array.fill(value, self.streams[stream])
        slot.expected = np.full(N, value, np.uint32)
        self.touched(stream, [], [slot])

    def replace(self, slot: Slot, stream: int | None) -> None:
        """Drop an array that may be in use, and get another, by default or in a stream's order."""
        slot.array = None  # type: ignore[assignment]
        slot.array = lp.empty(N, "uint32", self.machine.device, self.streams[stream] if stream is not None else None)
        slot.expected, slot.writer, slot.readers = None, None, []
        self.fill(stream or 0, slot, 7)

    def scratch(self, stream: int, operand: int, keeps: bool) -> None:
        """Write to memory of any size, allocated in the order of any stream, on any stream: the core orders that alone."""
        of = (None, *self.streams)[operand % (len(self.streams) + 1)]
        size = SIZES[operand // 3 % len(SIZES)]
        array = lp.empty(size, "uint8", self.machine.device, of)
        array.fill(operand % 256, self.streams[stream])
        self.rules.op(self.rules.streams[stream])
        if keeps:
            self.kept.append(array)
            if len(self.kept) > 3:
                del self.kept[operand % 3]

    def upload(self, stream: int, slot: Slot, operand: int) -> None:
        """Copy from host memory, which is changed right after the call."""
        self.order(stream, slot, True)
        host = np.arange(operand, operand + N, dtype=np.uint32)
        slot.array.copy_from(host, self.streams[stream])
        slot.expected = host.copy()
        host[:] = 0
        self.touched(stream, [], [slot])

    def synchronize(self, action: str, stream: int, operand: int) -> None:
        """Let the host wait."""
        if action == "synchronize":
            self.streams[stream].synchronize()
            self.rules.finished(self.rules.streams[stream])
        elif action == "synchronize_event" and self.events:
            event, op = self.events[operand % len(self.events)]
            event.synchronize()
            self.rules.complete(op)
        elif action == "synchronize_device":
            self.machine.device.synchronize()
            for each in self.rules.streams:
                self.rules.finished(each)

    def change(self, action: str, stream: int, slot: Slot, other: Slot, operand: int) -> None:
        """Change an array by what another one holds."""
        core = self.streams[stream]
        self.order(stream, other, False)
        self.order(stream, slot, True)
        assert slot.expected is not None and other.expected is not None
        if action == "launch":
            self.mix[1, 1, core](slot.array, other.array, N, operand)
            pairs = zip(slot.expected.tolist(), other.expected.tolist(), strict=True)
            slot.expected = np.array([_core.simulated_mix(a, b, operand) for a, b in pairs], np.uint32)
        else:
            other.array.copy_to(slot.array, core)
            slot.expected = other.expected.copy()
        self.touched(stream, [other], [slot])

    def step(self, action: str, stream: int, operand: int) -> None:
        core, slot, other = self.streams[stream], self.slots[operand % 4], self.slots[(operand + operand // 4 + 1) % 4]
        rule = self.rules.streams[stream]
        if action in ("launch", "copy"):
            self.change(action, stream, slot, other, operand)
        elif action == "fill":
            self.fill(stream, slot, operand)
        elif action == "upload":
            self.upload(stream, slot, operand)
        elif action == "record":
            self.events.append((core.record(), self.rules.op(rule)))
        elif action == "wait" and self.events:
            event, op = self.events[operand % len(self.events)]
            core.wait(event)
            self.rules.op(rule, [op])
        elif action.startswith("synchronize"):
            self.synchronize(action, stream, operand)
        elif action == "query":
            core.query()
        elif action == "read":
            self.order(stream, slot, False)
            np.testing.assert_array_equal(slot.array.to_numpy(core), slot.expected)
            self.touched(stream, [slot], [])
            self.rules.complete(rule.last)  # type: ignore[arg-type]
        elif action == "replace":
            self.replace(slot, None)
        elif action in ("scratch", "keep"):
            self.scratch(stream, operand, action == "keep")
        elif action == "replace_ordered":
            self.replace(slot, stream)
        elif action == "host_function":
            core.host_function(self.called.append, (stream, self.rules.op(rule)))
            self.host_functions += 1
        elif action == "drop_stream" and stream:
            self.drop_stream(stream)

    def drop_stream(self, stream: int) -> None:
        """Destroy a stream with its work in flight. Later steps get a new one, ordered after it by an event."""
        event, op = self.streams[stream].record(), self.rules.op(self.rules.streams[stream])
        self.machine.kept.remove(self.streams[stream])
        blocking = self.kinds[stream] == "blocking"
        self.streams[stream] = lp.Stream(blocking=blocking, device=self.machine.device)
        self.machine.kept.append(self.streams[stream])
        self.streams[stream].wait(event)
        self.rules.op(self.rules.streams[stream], [op])


@random_programs
@given(programs(ACTIONS), st.integers(0, 2**32 - 1), st.sampled_from([0, 1 << 16]))
def test_no_schedule_breaks_a_program_without_races(program: Program, seed: int, slab: int) -> None:
    """With memory of their own for all allocations, and with memory that is split and joined."""
    with Machine(seed=seed, memory_slab=slab) as machine:
        run_program(machine, program)


def run_program(machine: Machine, program: Program) -> None:
    run = Run(machine, program)
    for action, stream, operand in program.steps:
        run.step(action, stream, operand)
    finish(machine, run)


def finish(machine: Machine, run: Run) -> None:
    """Wait for the program's end, and look at what it left."""
    for device in machine.devices:
        device.synchronize()
    for slot in run.slots:
        np.testing.assert_array_equal(slot.array.to_numpy(), slot.expected)
    for stream in {stream for stream, _ in run.called}:
        called = [op for at, op in run.called if at == stream]
        assert called == sorted(called), "host functions of one stream run in its order"
    assert len(run.called) == run.host_functions
    assert machine.machine.redundant_waits == 0
