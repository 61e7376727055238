"""Random programs over two devices, in one context or in two, with waits across: judged as in `test_memory`."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import launchpath as lp
from launchpath import _core
from tests.model.programs import KINDS
from tests.model.random_programs import random_programs
from tests.model.rules import Rules, RuleStream
from tests.model.test_memory import N, Run, Slot, finish
from tests.simulated import Machine

ACTIONS = (
    *("launch", "across") * 6, *("fill", "upload") * 2, *("record", "wait") * 4, *("read", "replace") * 2,
    *("synchronize", "synchronize_event", "synchronize_device", "query", "host_function"),
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    """Streams as (device, kind), the first of each device its legacy one, and steps: (what, stream, operand)."""

    streams: tuple[tuple[int, str], ...]
    steps: tuple[tuple[str, int, int], ...]


@st.composite
def programs(draw: st.DrawFn, most_steps: int = 40) -> Program:
    kinds = st.lists(st.sampled_from(KINDS), max_size=2)
    streams = tuple((device, kind) for device in (0, 1) for kind in ("legacy", *draw(kinds)))
    step = st.tuples(st.sampled_from(ACTIONS), st.integers(0, len(streams) - 1), st.integers(0, 7))
    length = draw(st.integers(1, most_steps))
    return Program(streams, tuple(draw(st.lists(step, min_size=length, max_size=length))))


class DevicesRun(Run):
    """Slots 0 and 1 are on the first device, 2 and 3 on the second."""

    def __init__(self, machine: Machine, program: Program) -> None:
        self.machine, self.places = machine, [device for device, _ in program.streams]
        self.streams = [machine.streams((kind,), machine.devices[device])[0] for device, kind in program.streams]
        self.kernels = [machine.kernel(device=device) for device in machine.devices]
        self.rules = Rules([RuleStream(device, kind) for device, kind in program.streams])
        self.slots = [Slot(lp.empty(N, "uint32", machine.devices[i // 2])) for i in range(4)]
        self.events, self.called, self.host_functions = [], [], 0
        for i, slot in enumerate(self.slots):
            self.fill(self.places.index(i // 2), slot, i)

    def step(self, what: str, stream: int, operand: int) -> None:
        core, place = self.streams[stream], self.places[stream]
        slot, other = self.slots[2 * place + operand % 2], self.slots[2 * place + 1 - operand % 2]
        if what == "launch":
            self.order(stream, other, False)
            self.order(stream, slot, True)
            self.kernels[place][1, 1, core](slot.array, other.array, N, operand)
            assert slot.expected is not None and other.expected is not None
            pairs = zip(slot.expected.tolist(), other.expected.tolist(), strict=True)
            slot.expected = np.array([_core.simulated_mix(a, b, operand) for a, b in pairs], np.uint32)
            self.touched(stream, [other], [slot])
        elif what == "across":
            # Every device's memory can be reached from the host here, so either device may copy to or from the other.
            source, to = self.slots[operand % 4], self.slots[(operand + 2 + operand // 4) % 4]
            self.order(stream, source, False)
            self.order(stream, to, True)
            _core.copy_bytes(core, to.array.pointer, source.array.pointer, to.array.nbytes)
            assert source.expected is not None
            to.expected = source.expected.copy()
            self.touched(stream, [source], [to])
        elif what == "fill":
            self.fill(stream, slot, operand)
        elif what == "upload":
            self.order(stream, slot, True)
            host = np.arange(operand, operand + N, dtype=np.uint32)
            slot.array.copy_from(host, core)
            slot.expected = host.copy()
            host[:] = 0
            self.touched(stream, [], [slot])
        elif what == "read":
            self.order(stream, slot, False)
            np.testing.assert_array_equal(slot.array.to_numpy(core), slot.expected)
            self.touched(stream, [slot], [])
            self.rules.complete(self.rules.streams[stream].last)  # type: ignore[arg-type]
        elif what == "replace":
            self.replace_on(stream, slot)
        elif what == "synchronize_device":
            self.machine.devices[place].synchronize()
            for each in self.rules.streams:
                if each.device == place:
                    self.rules.finished(each)
        else:
            super().step(what, stream, operand)

    def replace_on(self, stream: int, slot: Slot) -> None:
        """Drop an array that may be in use. What another context does with it is the program's own to wait for."""
        place = self.places[stream]
        ops = ([slot.writer] if slot.writer else []) + slot.readers
        if any(self.places[at] != place and op not in self.rules.done for op, at in ops):
            self.order(stream, slot, True)
            self.streams[stream].record().synchronize()
            self.rules.complete(self.rules.op(self.rules.streams[stream]))
        slot.array = None  # type: ignore[assignment]
        slot.array = lp.empty(N, "uint32", self.machine.devices[place])
        slot.expected, slot.writer, slot.readers = None, None, []
        self.fill(stream, slot, 7)


def run_program(machine: Machine, program: Program) -> None:
    run = DevicesRun(machine, program)
    for what, stream, operand in program.steps:
        run.step(what, stream, operand)
    finish(machine, run)


@random_programs
@given(programs(), st.integers(0, 2**32 - 1))
def test_no_schedule_breaks_a_program_over_two_contexts(program: Program, seed: int) -> None:
    with Machine(devices=2, seed=seed) as machine:
        run_program(machine, program)


@random_programs
@given(programs(), st.integers(0, 2**32 - 1))
def test_no_schedule_breaks_a_program_over_two_devices_of_the_same_context(program: Program, seed: int) -> None:
    with Machine(devices=2, share_context=True, seed=seed) as machine:
        run_program(machine, program)
        assert machine.machine.calls["user_event"] == sum(what == "host_function" for what, *_ in program.steps)
