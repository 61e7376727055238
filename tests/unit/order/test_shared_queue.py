"""Shared queues: once a handle was given out, a queue may hold work that launchpath never saw."""

import pytest

import launchpath as lp
from tests.fixtures import arrays, kinds, waits
from tests.simulated import Machine


def test_a_handle_is_the_drivers_own(machine: Machine) -> None:
    first, other = machine.streams(("blocking", "nonblocking"))
    assert first.handle and other.handle and first.handle != other.handle
    assert first.handle == first.handle
    first.synchronize(), other.synchronize()


def test_a_shared_queue_is_never_assumed_to_be_empty(machine: Machine, stream: lp.Stream) -> None:
    stream.synchronize()
    machine.machine.reset_calls()
    stream.synchronize()
    assert machine.machine.calls["queue_finish"] == 0
    assert stream.handle
    for repeat in range(1, 4):
        stream.synchronize()
        assert machine.machine.calls["queue_finish"] == repeat


def test_a_device_synchronize_finishes_it_as_well(machine: Machine) -> None:
    (stream,) = machine.streams(("blocking",))
    assert stream.handle
    machine.machine.reset_calls()
    machine.device.synchronize()
    machine.device.legacy_stream.synchronize()
    assert machine.machine.calls["queue_finish"] == 2


def test_the_legacy_stream_waits_for_what_foreign_code_may_have_submitted(machine: Machine, array: lp.Array) -> None:
    legacy, stream = machine.streams(("legacy", "blocking"))
    assert stream.handle
    array.fill(1, legacy)
    assert [queue for queue, _ in waits_of_fill(machine)] == [1]
    array.fill(2, legacy)
    assert [queue for queue, _ in waits_of_fill(machine)] == [1], "again: it may hold more by now"
    only_redundant_waits(machine)


def only_redundant_waits(machine: Machine) -> None:
    """The machine knows that there was no foreign work; launchpath cannot."""
    assert kinds(machine) <= {"redundant wait"}
    machine.machine.clear()


def waits_of_fill(machine: Machine) -> list[tuple[int, int]]:
    return next(entry[4] for entry in reversed(machine.machine.log) if entry[3] == "fill")


def test_foreign_work_on_a_blocking_stream_comes_after_earlier_legacy_work(machine: Machine, array: lp.Array) -> None:
    """Foreign code does not ask what to wait for, so what it must wait for is in the queue already."""
    legacy, stream = machine.streams(("legacy", "blocking"))
    assert stream.handle
    array.fill(1, legacy)
    assert machine.machine.clock(1)[(0, 0)] == machine.machine.queues[0].number
    only_redundant_waits(machine)


def test_a_blocking_stream_waits_for_a_shared_legacy_stream(machine: Machine, array: lp.Array) -> None:
    legacy, stream = machine.streams(("legacy", "blocking"))
    assert legacy.handle
    for value in range(2):
        array.fill(value, stream)
        assert [queue for queue, _ in waits(machine)] == [0]
    only_redundant_waits(machine)


def test_an_event_on_a_shared_queue_covers_foreign_work(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    assert stream.handle
    a.fill(1, stream)
    stream.synchronize()
    other.wait(stream.record())
    b.fill(1, other)
    assert [queue for queue, _ in waits(machine)] == [1]


def test_a_query_of_a_shared_queue_becomes_true(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    assert stream.handle
    array.fill(1, stream)
    assert not stream.query()
    for _ in range(5):
        machine.machine.run()
        if stream.query():
            break
    else:
        raise AssertionError("a poll that makes a fresh marker each time never sees it complete")


def test_memory_dropped_beside_a_shared_queue_comes_back_after_a_synchronize(
    machine: Machine, stream: lp.Stream
) -> None:
    assert stream.handle
    held = arrays(machine, 1)
    held[0].fill(1, stream)
    address = held.pop().pointer
    stream.synchronize()
    assert arrays(machine, 1)[0].pointer == address


def test_a_shared_stream_can_be_dropped(machine: Machine) -> None:
    stream, other = machine.streams(("blocking", "nonblocking"))
    (a,) = arrays(machine, 1)
    assert stream.handle
    a.fill(1, stream)
    machine.kept.remove(stream)
    del stream
    machine.device.synchronize()
    machine.machine.run()
    machine.device.synchronize()
    other.synchronize()


def test_an_event_does_not_stand_for_foreign_work_that_came_after_it(machine: Machine) -> None:
    """The marker of the event before was made, and could not be flushed twice: the next event needs one of its own."""
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    assert stream.handle
    a.fill(1, stream)
    first = stream.record()
    machine.machine.fail("queue_flush", 1, -6)
    with pytest.raises(lp.DriverError):
        first.query()
    machine.machine.fail("queue_flush", 1, -6)
    second = stream.record()  # foreign code may have submitted work since the first
    markers = machine.machine.calls["marker"]
    other.wait(second)
    b.fill(1, other)
    assert machine.machine.calls["marker"] == markers + 1
    assert [queue for queue, _ in waits(machine)] == [1]
    first.synchronize()
    second.synchronize()
    stream.synchronize()
    machine.machine.clear()
