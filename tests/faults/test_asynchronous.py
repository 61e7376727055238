"""Commands that were accepted and failed while they ran: said once, where their stream is next waited for."""

import threading
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler import Signature
from tests.fixtures import arrays, waits
from tests.simulated import Machine


def full(value: int) -> Any:
    return np.full(16, value, np.uint32)


def failing(machine: Machine, name: str = "nonblocking") -> tuple[lp.Stream, lp.Array]:
    """A stream whose first command, a fill, will fail."""
    (stream,) = machine.streams((name,))
    (a,) = arrays(machine, 1)
    machine.machine.fail_command(0, max(queue.queue for queue in machine.machine.queues if queue.device == 0), 1)
    a.fill(1, stream)
    return stream, a


def test_it_surfaces_at_the_next_synchronize_once(machine: Machine) -> None:
    stream, a = failing(machine)
    with pytest.raises(lp.AsynchronousError) as caught:
        stream.synchronize()
    assert (caught.value.call, caught.value.name) == ("queue_finish", "SIM_COMMAND_FAILED")
    assert "LAUNCHPATH_LAUNCH_BLOCKING=1" in str(caught.value)
    stream.synchronize()
    a.fill(2, stream)
    np.testing.assert_array_equal(a.to_numpy(stream), full(2))


def test_it_names_the_launches(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    machine.device.driver_device.implement("first", lambda call: None, [])
    machine.device.driver_device.implement("second", lambda call: None, [])
    first, second = (machine.kernel(name, Signature(name)) for name in ("first", "second"))
    machine.machine.fail_command(0, 1, 2)
    before = stream.submitted[0]
    first[1, 1, stream]()
    second[1, 1, stream]()
    a.fill(1, stream)
    b.fill(1, stream)
    with pytest.raises(lp.AsynchronousError) as caught:
        stream.synchronize()
    assert f"latest first: second (command {before + 2}), first (command {before + 1})" in str(caught.value)


def test_a_kernel_that_raises_is_a_failed_command(machine: Machine) -> None:
    def kernel(call: Any) -> None:
        raise ZeroDivisionError

    (stream,) = machine.streams(("nonblocking",))
    machine.device.driver_device.implement("bad", kernel, [])
    machine.kernel("bad", Signature("bad"))[1, 1, stream]()
    with pytest.raises(lp.AsynchronousError, match="its last launches, latest first: bad"):
        stream.synchronize()
    assert [type(error) for error in machine.machine.errors] == [ZeroDivisionError]
    machine.machine.clear()


@pytest.mark.parametrize("how", ["query", "event query", "event synchronize", "device", "legacy", "read"])
def test_it_surfaces_in_whatever_waits_or_asks(machine: Machine, how: str) -> None:
    stream, a = failing(machine, "blocking")
    event = stream.record()
    ask = {
        "query": stream.query,
        "event query": event.query,
        "event synchronize": event.synchronize,
        "device": machine.device.synchronize,
        "legacy": machine.device.legacy_stream.synchronize,
        "read": lambda: a.to_numpy(stream),
    }[how]
    with pytest.raises(lp.AsynchronousError):
        for _ in range(3):
            ask()
            machine.machine.run()
    settle(stream)
    a.fill(5, stream)
    stream.synchronize()
    np.testing.assert_array_equal(a.to_numpy(stream), full(5))


def settle(stream: lp.Stream) -> None:
    """An error that came out elsewhere may come out of the stream's own synchronize as well: once."""
    try:
        stream.synchronize()
    except lp.AsynchronousError:
        stream.synchronize()


def test_other_streams_are_not_concerned(machine: Machine) -> None:
    stream, _ = failing(machine)
    others = machine.streams(("legacy", "blocking", "nonblocking"))
    memory = arrays(machine, 3)
    for other, array in zip(others, memory, strict=True):
        array.fill(3, other)
        other.synchronize()
        np.testing.assert_array_equal(array.to_numpy(other), full(3))
        assert other.query()
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()


def test_all_streams_are_waited_for_even_if_the_first_fails(machine: Machine) -> None:
    failing(machine)
    other, more = machine.streams(("nonblocking", "blocking"))
    b, c = arrays(machine, 2)
    b.fill(2, other)
    c.fill(2, more)
    with pytest.raises(lp.AsynchronousError):
        machine.device.synchronize()
    for array in (b, c):
        machine.machine.host_access(array.pointer, array.nbytes, True)
    assert not machine.machine.reports
    machine.device.synchronize()


def test_a_poll_of_the_pool_does_not_swallow_it(machine: Machine) -> None:
    stream, a = failing(machine)
    del a
    for _ in range(3):
        arrays(machine, 1)
        machine.machine.run()
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()


def test_making_streams_does_not_swallow_it(machine: Machine) -> None:
    stream, _ = failing(machine)
    for _ in range(3):
        machine.streams(("blocking",))
        machine.machine.run()
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()


@pytest.mark.machine(record=False)
def test_checks_of_the_depth_do_not_swallow_it(machine: Machine) -> None:
    stream, a = failing(machine)
    for value in range(1200):
        a.fill(value, stream)
        machine.machine.run()
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    stream.synchronize()


def waiting_for_a_failure_and_for_another(machine: Machine) -> tuple[list[lp.Stream], list[lp.Array]]:
    """Streams: one that fails, a slow one that has not run, a waiter for both, and one that waits for the waiter."""
    stream, a = failing(machine)
    slow, waiter, last = machine.streams(("nonblocking",) * 3)
    b, c, d = arrays(machine, 3)
    b.fill(2, slow)
    waiter.wait(stream.record())
    waiter.wait(slow.record())
    c.fill(3, waiter)
    assert sorted(waits(machine)) == [(1, 1), (2, 1)]
    last.wait(waiter.record())
    d.fill(4, last)
    for queue in (1, 1, 3, 3, 4):
        assert machine.machine.advance(queue) is not None
    assert machine.machine.failures == [(0, 1, 1), (0, 3, 1), (0, 4, 1)], "those who wait failed at once"
    machine.machine.automatic = False
    return [stream, slow, waiter, last], [a, b, c, d]


@pytest.mark.parametrize("known_from", [0, 2])
@pytest.mark.parametrize("then", [2, 3])
def test_what_was_learned_by_waiting_is_forgotten(machine: Machine, known_from: int, then: int) -> None:
    """PoCL lets a waiter go as soon as one of its events has failed, while another still runs: the next must wait."""
    streams, (_, b, c, d) = waiting_for_a_failure_and_for_another(machine)
    with pytest.raises(lp.AsynchronousError):
        streams[known_from].synchronize()
    machine.kernel()[1, 1, streams[then]]((c, d)[then - 2], b, 16, 5)
    assert machine.machine.clock(then + 1)[(0, 2)] == 1
    machine.machine.automatic = True
    for stream in streams:
        settle(stream)
    assert {report.kind for report in machine.machine.reports} <= {"redundant wait"}
    machine.machine.clear()


@pytest.mark.machine(on_failed_wait="run")
def test_a_driver_may_run_what_waits_for_a_failed_command(machine: Machine) -> None:
    stream, _ = failing(machine)
    (waiter,) = machine.streams(("nonblocking",))
    (b,) = arrays(machine, 1)
    waiter.wait(stream.record())
    b.fill(3, waiter)
    settle(waiter)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    np.testing.assert_array_equal(b.to_numpy(waiter), full(3))


@pytest.mark.machine(after_failure="fail")
def test_a_driver_may_fail_all_that_follows_until_it_is_finished(machine: Machine) -> None:
    stream, a = failing(machine)
    for value in range(3):
        a.fill(value, stream)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    assert len(machine.machine.failures) == 4
    a.fill(7, stream)
    np.testing.assert_array_equal(a.to_numpy(stream), full(7))


def test_memory_of_failed_commands_comes_back(machine: Machine) -> None:
    stream, a = failing(machine)
    address = a.pointer
    del a
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    assert address in [array.pointer for array in arrays(machine, 4)]


def test_a_failure_is_not_forever(machine: Machine) -> None:
    """Waits stay exact after one: nothing of the process, or of other devices, waits for more from then on."""
    stream, _ = failing(machine)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    legacy, first, other = machine.streams(("legacy", "blocking", "blocking"))
    a, b, c = arrays(machine, 3)
    for value in range(4):
        b.fill(value, first)
        c.fill(value, other)
        first.wait(other.record())
        b.fill(value, first)
        c.fill(value, other)
        a.fill(value, legacy)
        a.fill(value, legacy)
        assert waits(machine) == []
    assert machine.machine.redundant_waits == 0


def test_a_stream_with_a_failure_can_be_dropped(machine: Machine) -> None:
    stream, _ = failing(machine)
    machine.kept.clear()
    del stream
    machine.machine.run()
    machine.streams(("nonblocking",))
    settle_device(machine.device)


def settle_device(device: lp.Device) -> None:
    try:
        device.synchronize()
    except lp.AsynchronousError:
        device.synchronize()


def test_a_failed_command_before_a_host_function(machine: Machine) -> None:
    """The function's turn has come, as cudaLaunchHostFunc's has not: it may or may not run, but nothing hangs."""
    stream, a = failing(machine)
    called = threading.Event()
    stream.host_function(called.set)
    a.fill(2, stream)
    settle(stream)
    a.fill(3, stream)
    np.testing.assert_array_equal(a.to_numpy(stream), full(3))


def test_a_failed_host_function_and_a_failed_command_both_surface(machine: Machine, stream: lp.Stream) -> None:
    def wrong() -> None:
        raise KeyError("lost")

    (a,) = arrays(machine, 1)
    stream.host_function(wrong)
    number = machine.machine.queues[1].number + 1
    machine.machine.fail_command(0, 1, number)
    a.fill(1, stream)
    seen = []
    for _ in range(3):
        try:
            stream.synchronize()
        except lp.LaunchpathError as error:
            seen.append(type(error))
    assert sorted(seen, key=str) == [lp.AsynchronousError, lp.HostFunctionError]
    assert stream.query()


@pytest.mark.machine(devices=2)
def test_a_failure_on_a_device_leaves_the_other_alone(machine: Machine) -> None:
    stream, _ = failing(machine)
    far = machine.devices[1]
    (b,) = arrays(machine, 1, device=far)
    b.fill(2, far.legacy_stream)
    far.synchronize()
    np.testing.assert_array_equal(b.to_numpy(), full(2))
    with pytest.raises(lp.AsynchronousError):
        machine.device.synchronize()
    assert stream.query()
