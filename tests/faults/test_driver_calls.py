"""Every driver call failing in turn: it surfaces and names the call, or is harmless, and the program goes on."""

import gc
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import kinds
from tests.simulated import Machine

T = TypeVar("T")
N = 16
CALLS = (
    "queue_create", "queue_flush", "queue_finish", "launch", "copy", "fill", "marker", "event_query", "event_wait",
    "event_time", "event_callback", "user_event", "allocate", "free", "memory_info",
)  # fmt: skip


class Program:
    """A program of everything, on two devices. A step that fails is done again: it can be, and then it works."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine, self.seed = machine, seed
        self.errors: list[lp.DriverError] = []
        self.called: list[str] = []
        self.run()

    def attempt(self, step: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        for _ in range(3):
            try:
                return step(*args, **kwargs)
            except lp.DriverError as error:
                assert error.name in ("SIM_INJECTED", "SIM_OUT_OF_MEMORY", "SIM_COMMAND_FAILED"), error
                self.errors.append(error.with_traceback(None))
        raise AssertionError(f"one fault made {step} fail again and again: {self.errors}")

    def mixed(self, stream: lp.Stream, to: lp.Array, source: lp.Array, tag: int) -> None:
        """Launch, in a way that may be done again from the start."""
        to.fill(tag, stream)
        self.kernels[to.device][1, 1, stream](to, source, N, tag)

    def run(self) -> None:
        attempt, (near, far) = self.attempt, self.machine.devices
        self.kernels = {device: self.machine.kernel(device=device) for device in (near, far)}
        legacy = near.legacy_stream
        wanted = ((True, near), (False, near), (False, far))
        blocking, free, remote = (attempt(lp.Stream, blocking=kind, device=device) for kind, device in wanted)
        a, b, c, d = (attempt(lp.empty, N, "uint32", near) for _ in range(4))
        x = attempt(lp.empty, N, "uint32", far)
        attempt(a.fill, 1, blocking)
        attempt(b.fill, 2, legacy)
        attempt(self.mixed, legacy, b, a, 3)
        attempt(self.mixed, blocking, c, b, 4)
        event = attempt(blocking.record)
        attempt(free.wait, event)
        attempt(self.mixed, free, d, c, 5)
        self.machine.machine.run(self.seed % 7)
        # To the other device and back.
        attempt(remote.wait, attempt(free.record))
        attempt(_core.copy_bytes, remote, x.pointer, d.pointer, d.nbytes)
        attempt(free.wait, attempt(remote.record))
        attempt(d.fill, 6, free)
        attempt(blocking.host_function, self.called.append, "one")
        attempt(a.copy_from, np.arange(N, dtype=np.uint32), blocking)
        self.machine.machine.run(self.seed % 5)
        attempt(event.query)
        attempt(blocking.query)
        attempt(legacy.query)
        attempt(event.synchronize)
        # Memory that goes while it is in use, and a stream too.
        for value in range(3):
            dropped = attempt(lp.empty, N, "uint32", near, free)
            attempt(dropped.fill, value, free)
            again = attempt(lp.empty, N, "uint32", near)
            attempt(again.fill, value, legacy)
        del dropped, again
        gone = attempt(lp.Stream, device=near)
        attempt(gone.wait, attempt(free.record))
        attempt(d.copy_to, c, gone)
        del gone
        attempt(legacy.wait, attempt(remote.record))
        attempt(b.fill, 7, legacy)
        start = attempt(legacy.record, timing=True)
        attempt(self.mixed, legacy, b, a, 8)
        end = attempt(legacy.record, timing=True)
        assert attempt(start.elapsed_time, end) >= 0
        attempt(free.synchronize)
        attempt(legacy.synchronize)
        attempt(near.memory_info)
        attempt(near.trim_memory)
        attempt(blocking.host_function, self.called.append, "two")
        attempt(near.synchronize)
        attempt(remote.synchronize)
        first, mix = np.uint32(1), _core.simulated_mix
        two = mix(3, int(first), 3)
        three = mix(5, mix(4, two, 4), 5)
        for array, expected in ((a, np.arange(N)), (b, [mix(8, i, 8) for i in range(N)]), (c, [6] * N), (d, [6] * N)):
            np.testing.assert_array_equal(attempt(array.to_numpy, legacy), expected)
        np.testing.assert_array_equal(attempt(x.to_numpy, remote), [three] * N)
        assert self.called == ["one", "two"]


def run(fault: Callable[[Machine], None], seed: int) -> tuple[Program, bool]:
    """Run the program with a fault, and say whether that came up."""
    with Machine(devices=2, seed=seed, patience=0.3) as machine:
        fault(machine)
        program = Program(machine, seed)
        came_up = machine.machine.clear_faults() == 0
        for device in machine.devices:
            program.attempt(device.synchronize)  # a flush that failed behind a command is told by the next synchronize
        program.machine = None  # type: ignore[assignment]
        del program.kernels
        gc.collect()
    return program, came_up


def test_the_program_by_itself() -> None:
    program, _ = run(lambda machine: None, 1)
    assert not program.errors


@pytest.mark.parametrize("call", CALLS)
def test_every_call_failing_in_turn(call: str) -> None:
    nth, came_up = 0, True
    while came_up:
        nth += 1
        at = nth

        def fail(machine: Machine, at: int = at) -> None:
            machine.machine.fail(call, at)

        try:
            program, came_up = run(fail, nth)
        except Exception as error:
            error.add_note(f"with call {nth} of {call} failing")
            raise
        assert {error.call for error in program.errors} <= {call, "queue_finish", "event_wait"}, program.errors
        assert len(program.errors) <= 1 + (call == "event_callback"), program.errors
    assert nth > 1, f"the program makes no {call}"


@pytest.mark.machine(devices=2, patience=0.3)
@pytest.mark.parametrize("nth", range(1, 5))
def test_a_user_event_that_cannot_be_set_fails_what_waits_for_it_and_hangs_nothing(machine: Machine, nth: int) -> None:
    """Holds, host functions and bridges are each set by such a call: what waits for it must not wait for ever."""
    near, far = machine.devices
    stream, other = near.legacy_stream, far.legacy_stream
    a, b = (lp.zeros(N, "uint32", device) for device in (near, far))
    machine.machine.fail("user_event_set", nth)
    failed = 0
    hold = stream.hold()
    for step in (
        lambda: a.fill(1, stream),
        hold.release,
        lambda: stream.host_function(lambda: None),
        lambda: a.fill(2, stream),
        lambda: other.wait(stream.record()),
        lambda: b.fill(1, other),
        other.synchronize,
        stream.synchronize,
    ):
        try:
            step()
        except lp.DriverError:
            failed += 1
    assert bool(failed) == (machine.machine.clear_faults() == 0)
    for array in (a, b):
        array.fill(3)
        np.testing.assert_array_equal(array.to_numpy(), np.full(N, 3, np.uint32))


@pytest.mark.parametrize("call", ["launch", "fill", "copy", "queue_create", "allocate", "user_event", "memory_info"])
def test_what_was_asked_for_and_refused_is_named(call: str) -> None:
    program, came_up = run(lambda machine: machine.machine.fail(call), 3)
    assert came_up
    (error,) = program.errors
    assert (error.call, error.name, error.code) == (call, "SIM_INJECTED", -9001)
    assert f"{call} failed: SIM_INJECTED (-9001)" in str(error)
    assert not isinstance(error, lp.AsynchronousError)


@pytest.mark.machine(patience=0.3)
def test_failing_calls_in_turn(machine: Machine, array: lp.Array) -> None:
    """Every third round a call fails: nothing may hang, and in the end all is given back."""
    stream, other = machine.streams(("blocking", "nonblocking"))
    failed = 0
    for value in range(300):
        if value % 3 == 0:
            machine.machine.fail_after(1 + value % 5)
        for step in (
            lambda value=value: array.fill(value, stream),
            lambda: other.wait(stream.record()),
            lambda value=value: array.fill(value, other),
            lambda: stream.wait(other.record()),
            machine.device.legacy_stream.query,
        ):
            try:
                step()
            except lp.DriverError:
                failed += 1
    machine.machine.clear_faults()
    for _ in range(2):
        with suppress(lp.DriverError):  # of flushes of commands that had been accepted: told once
            machine.device.synchronize()
    machine.device.synchronize()
    array.fill(5, stream)
    np.testing.assert_array_equal(array.to_numpy(stream), np.full(N, 5, np.uint32))
    assert failed > 50
    assert kinds(machine) <= {"race"}, "a wait that was refused orders nothing"
    machine.machine.clear()


def test_a_device_that_cannot_be_opened_can_be_tried_again() -> None:
    machine = _core.Simulated(1)
    machine.fail("queue_create")
    device = lp.Device(machine.devices[0])  # it opens at first use
    with pytest.raises(lp.DriverError, match="queue_create failed"):
        _ = device.legacy_stream
    lp.zeros(4, "uint32", device)
    device.close()
    assert machine.close() == []
