"""Steps: how they are entered and left, alone, in each other and by several threads, and what happens meanwhile."""

import contextlib
import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import launchpath as lp
from tests.fixtures import arrays, calls
from tests.simulated import Machine
from tests.standin.client import on_thread
from tests.threads import apart, at_once


def fills(machine: Machine) -> int:
    """How many fills the driver got since the last time."""
    return calls(machine).get("fill", 0)


def test_commands_go_to_the_driver_when_the_step_is_left(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    step = lp.Step()
    with step as entered:
        assert entered is step
        array.fill(1, stream)
        array.fill(2, stream)
        assert fills(machine) == 0
    assert fills(machine) == 2
    array.fill(3, stream)
    assert fills(machine) == 1
    assert array.to_numpy(stream).tolist() == [3] * 16


def test_an_empty_step_calls_nothing(machine: Machine) -> None:
    step = lp.Step()
    with step:
        pass
    calls(machine)
    with step:
        pass
    assert calls(machine) == {}
    assert step.report().runs == 2


def test_a_step_in_another_step_belongs_to_it(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    outer, inner = lp.Step(), lp.Step()
    with outer:
        array.fill(1, stream)
        with inner:
            array.fill(2, stream)
        assert fills(machine) == 0
        array.fill(3, stream)
    assert fills(machine) == 3
    assert (outer.report().commands, inner.report().commands) == (3, 0)
    with inner:
        array.fill(4, stream)
        with outer:
            array.fill(5, stream)
    assert inner.report().commands == 2


def test_a_step_in_itself(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    step = lp.Step()
    with step:
        with step, step:
            array.fill(1, stream)
        assert fills(machine) == 0
    assert fills(machine) == 1
    assert step.report().runs == 1


def test_steps_that_are_not_left_in_order(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    """As tasks do that take turns on one thread. The outer one's end submits; the inner one is none after that."""
    outer, inner = lp.Step(), lp.Step()
    outer.__enter__()
    array.fill(1, stream)
    inner.__enter__()
    array.fill(2, stream)
    outer.__exit__(None, None, None)
    assert fills(machine) == 2
    array.fill(3, stream)
    assert fills(machine) == 1
    outer.__enter__()
    array.fill(4, stream)
    inner.__exit__(None, None, None)
    assert fills(machine) == 0
    outer.__exit__(None, None, None)
    assert fills(machine) == 1
    assert array.to_numpy(stream).tolist() == [4] * 16


def test_a_step_is_left_by_its_thread(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    step = lp.Step()
    with step:
        array.fill(1, stream)
        with pytest.raises(lp.LaunchpathError, match="leave it on the thread that entered it"):
            apart(step.__exit__, None, None, None)
        with pytest.raises(lp.LaunchpathError, match="create a step for each thread"):
            apart(step.__enter__)
        array.fill(2, stream)
        assert fills(machine) == 0
    assert fills(machine) == 2


def test_a_step_that_was_not_entered_is_not_left() -> None:
    with pytest.raises(lp.LaunchpathError, match="leave it on the thread that entered it"):
        lp.Step().__exit__(None, None, None)


def test_a_step_is_used_by_threads_in_turn(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    step = lp.Step()

    def run() -> None:
        with step:
            array.fill(1, stream)

    for _ in range(5):
        on_thread(run).join()
    run()
    assert fills(machine) == 6
    assert step.report().runs == 6


def test_a_step_whose_thread_has_ended_without_leaving_it(machine: Machine, stream: lp.Stream) -> None:
    (a,) = arrays(machine, 1)
    step = lp.Step()
    on_thread(step.__enter__).join()
    runs = 0

    def run() -> None:
        nonlocal runs
        with step:
            a.fill(1, stream)
        runs += 1

    for _ in range(20):
        with contextlib.suppress(lp.LaunchpathError):  # it may be refused, but nothing in between
            apart(run)
    assert step.report().runs == runs


def test_each_thread_has_a_step(machine: Machine) -> None:
    (stream,) = machine.streams(("blocking",))
    kept = arrays(machine, 4)
    machine.machine.background()

    def work(i: int) -> None:
        step = lp.Step()
        own = lp.Stream(blocking=i % 2 == 0, device=machine.device)
        for value in range(25):
            with step:
                kept[i].fill(value, own)
                stream.wait(own.record())
                kept[i].fill(100 * i + value, stream)
                own.wait(stream.record())
        assert kept[i].to_numpy(own).tolist() == [100 * i + 24] * 16

    at_once(work, range(4))


def test_other_threads_are_not_in_the_step(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    other = machine.streams(("nonblocking",))[0]
    with lp.Step():
        a.fill(1, stream)
        on_thread(lambda: b.fill(1, other)).join()
        assert fills(machine) == 1


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_exception_in_the_body_submits_what_came_before(
    machine: Machine, stream: lp.Stream, array: lp.Array, kind: type[BaseException]
) -> None:
    step = lp.Step()
    for _ in range(3):
        with pytest.raises(kind), step:
            array.fill(1, stream)
            raise kind
        assert fills(machine) == 1
    with step:
        array.fill(2, stream)
        array.fill(3, stream)
    assert array.to_numpy(stream).tolist() == [3] * 16


def test_a_generator_that_is_closed_in_its_step(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    step = lp.Step()

    def work() -> Any:
        with step:
            array.fill(1, stream)
            yield

    generator = work()
    next(generator)
    array.fill(2, stream)  # in the step as well: its thread is
    assert fills(machine) == 0
    generator.close()
    assert fills(machine) == 2


def test_a_step_that_is_dropped_while_it_is_entered(machine: Machine, stream: lp.Stream) -> None:
    (a,) = arrays(machine, 1)
    step = lp.Step()
    step.__enter__()
    a.fill(1, stream)
    del step
    assert fills(machine) == 1
    a.fill(2, stream)
    assert fills(machine) == 1


def test_a_step_that_another_thread_drops(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    kept = [lp.Step()]
    kept[0].__enter__()
    try:
        array.fill(1, stream)
        on_thread(kept.clear).join()
        assert fills(machine) == 1
        array.fill(2, stream)
        assert fills(machine) == 1
    finally:
        with lp.Step():  # takes over what was given back: this thread is in no step after that
            pass


def test_steps_in_cycles_are_collected(machine: Machine, stream: lp.Stream) -> None:
    (a,) = arrays(machine, 1)

    class Holder:
        pass

    for is_entered in (False, True):
        holder: Any = Holder()
        holder.own, holder.step = holder, lp.Step()
        with holder.step:
            a.fill(1, stream)
        if is_entered:
            holder.step.__enter__()
            a.fill(2, stream)
        fills(machine)
        del holder
        gc.collect()
        assert fills(machine) == is_entered
    a.fill(3, stream)
    assert fills(machine) == 1


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_step_is_not_copied(copied: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        copied(lp.Step())


def test_a_device_that_is_opened_in_a_step() -> None:
    step = lp.Step()
    with step, Machine() as machine:
        (stream,) = machine.streams(("nonblocking",))
        a = lp.empty(16, "uint32", machine.device)
        a.fill(1, stream)
        assert fills(machine) == 0
        assert a.to_numpy(stream).tolist() == [1] * 16
        del a, stream


@pytest.mark.machine(check=False)
def test_a_device_that_is_closed_in_a_step(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    with lp.Step() as step:
        array.fill(1, stream)
        assert fills(machine) == 0
        machine.machine.automatic = True
        machine.device.close()
        assert fills(machine) == 1
        with pytest.raises(lp.LaunchpathError, match="closed"):
            array.fill(2, stream)
    assert step.report().commands == 1


def test_a_stream_that_is_dropped_in_a_step(machine: Machine) -> None:
    (a,) = arrays(machine, 1)
    step = lp.Step()
    for value in range(3):
        with step:
            stream = lp.Stream(blocking=False, device=machine.device)
            a.fill(1, stream)
            event = stream.record()
            del stream
            gc.collect()
            machine.device.legacy_stream.wait(event)
            a.fill(value)
        assert a.to_numpy().tolist() == [value] * 16


def test_a_dropped_stream_stays_while_a_marker_of_it_is_kept_back(machine: Machine) -> None:
    """A marker is no command: all of the stream's commands may be known to be complete while it waits in the step."""
    dropped, other = (lp.Stream(blocking=False, device=machine.device) for _ in range(2))
    a, b = arrays(machine, 2)
    a.fill(1, dropped)
    other.wait(dropped.record())
    b.fill(2, other)
    machine.machine.run()
    with lp.Step():
        dropped.record(timing=True)
        del dropped
        other.synchronize()  # so the dropped stream's fill is known to be complete
        calls(machine)
        streams = [lp.Stream(device=machine.device)]  # which ends dropped streams that are complete
        assert "queue_release" not in calls(machine)
    machine.device.synchronize()
    streams.append(lp.Stream(device=machine.device))
    assert calls(machine)["queue_release"] == 1


def test_threads_that_end_in_their_steps_lose_nothing(stream: lp.Stream, array: lp.Array) -> None:
    steps = [lp.Step() for _ in range(3)]

    def work(step: lp.Step) -> None:
        step.__enter__()
        array.fill(7, stream)

    for step in steps:
        apart(work, step)
    assert array.to_numpy(stream).tolist() == [7] * 16
