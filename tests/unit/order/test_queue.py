"""Queues: in-order timelines with numbers, and what the driver is asked for each command."""

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine


def test_commands_are_numbered_in_order(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    before = stream.submitted[0]
    for number in range(1, 6):
        array.fill(number, stream)
        assert stream.submitted[0] == before + number
    assert [(queue, number) for _, queue, number, *_ in machine.machine.log] == [(1, n) for n in range(1, 6)]


def test_commands_of_a_stream_run_in_order(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    machine.kernel()[1, 1, stream](b.reshape(16), a, 0, 7)
    a.copy_to(b, stream)
    a.fill(2, stream)
    a.copy_to(b, stream)
    np.testing.assert_array_equal(b.to_numpy(stream), np.full(16, 2, np.uint32))


def test_a_launch_is_a_single_driver_call_and_its_flush(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    launch = machine.kernel()[1, 1, stream]
    launch(b, a, 16, 1)
    machine.machine.reset_calls()
    launch(b, a, 16, 2)
    calls = {call: n for call, n in machine.machine.calls.items() if n}
    assert calls == {"launch": 1, "queue_flush": 1}


@pytest.mark.machine(flush_each=False)
def test_a_driver_that_starts_by_itself_is_not_flushed(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    machine.machine.reset_calls()
    array.fill(1, stream)
    assert machine.machine.calls["queue_flush"] == 0
    stream.synchronize()


def test_a_launch_starts_without_a_synchronize(machine: Machine, array: lp.Array) -> None:
    (stream,) = machine.streams(("blocking",))
    array.fill(1, stream)
    assert machine.machine.ready() == [(0, 1)]
    assert machine.machine.run() == 1


def test_flush_reaches_the_driver(machine: Machine) -> None:
    (stream,) = machine.streams(("blocking",))
    machine.machine.reset_calls()
    stream.flush()
    assert machine.machine.calls["queue_flush"] == 1


def test_a_refused_command_takes_no_number_and_loses_no_wait(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, first)
    second.wait(first.record())
    before = second.submitted[0]
    machine.machine.fail("fill")
    with pytest.raises(lp.DriverError, match="fill failed: SIM_INJECTED"):
        b.fill(1, second)
    assert second.submitted[0] == before
    b.fill(1, second)
    assert second.submitted[0] == before + 1
    assert machine.machine.log[-1][4] == [(1, 1)]


def test_copies_of_no_bytes_are_no_commands(machine: Machine, stream: lp.Stream) -> None:
    (a,) = arrays(machine, 1, 0)
    before = stream.submitted
    a.fill(1, stream)
    a.copy_to(a, stream)
    _core.copy_bytes(stream, 0, 0, 0)
    assert stream.submitted == before
    assert a.to_numpy().shape == (0,)


def test_submitted_says_what_is_known_to_be_complete(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    before = stream.submitted[0]
    array.fill(1, stream)
    array.fill(2, stream)
    machine.machine.run()
    assert stream.submitted == (before + 2, before), "nobody has asked"
    stream.synchronize()
    assert stream.submitted == (before + 2, before + 2)


def test_host_access_is_safe_after_synchronize_only(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    stream.synchronize()
    machine.machine.host_access(array.pointer, array.nbytes, True)
    assert not machine.machine.reports


def test_priorities_are_moved_into_the_range(machine: Machine) -> None:
    streams = [lp.Stream(priority=priority, device=machine.device) for priority in (5, 0, -1, -7)]
    assert [stream.priority for stream in streams] == [0, 0, -1, -2]
    assert [queue.priority for queue in machine.machine.queues[1:]] == [0, 0, -1, -2]


def test_launch_blocking_makes_each_command_synchronous(machine: Machine) -> None:
    _core.set_launch_blocking(True)
    try:
        (stream,) = machine.streams(("nonblocking",))
        (a,) = arrays(machine, 1)
        before = stream.submitted[0]
        a.fill(1, stream)
        assert stream.submitted == (before + 1, before + 1)
        machine.machine.fail_command(0, 1, 2)
        with pytest.raises(lp.AsynchronousError):
            a.fill(2, stream)
    finally:
        _core.set_launch_blocking(False)
