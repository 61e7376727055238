"""Completion: learned from waits and finishes, with as few driver calls as there are queues to ask."""

import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine


def calls(machine: Machine) -> dict[str, int]:
    return {call: n for call, n in machine.machine.calls.items() if n and not call.endswith("loaded")}


def test_all_polls_of_a_stream_share_a_marker(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    machine.machine.reset_calls()
    for _ in range(50):
        assert not stream.query()
    assert calls(machine) == {"marker": 1, "queue_flush": 1, "event_query": 50}
    machine.machine.run()
    assert stream.query()


def test_a_query_that_says_complete_is_followed_by_a_wait_of_the_driver(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    array.fill(1, stream)
    stream.query()
    machine.machine.run()
    machine.machine.reset_calls()
    assert stream.query()
    assert calls(machine)["event_wait"] == 1
    machine.machine.host_access(array.pointer, array.nbytes, True)
    assert not machine.machine.reports
    machine.machine.reset_calls()
    assert stream.query()
    assert calls(machine) == {}, "known by now"


def test_work_invalidates_the_marker_of_polls(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    assert not stream.query()
    array.fill(2, stream)
    machine.machine.advance(1)
    machine.machine.advance(1)
    assert not stream.query(), "the second command has not run"
    machine.machine.run()
    assert stream.query()
    assert machine.machine.calls["marker"] == 2


def test_a_query_covers_a_wait_that_no_command_has_carried_to_the_driver(machine: Machine, array: lp.Array) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    array.fill(1, other)
    stream.wait(other.record())
    assert not stream.query()
    machine.machine.run()
    assert stream.query()


def test_synchronize_covers_a_wait_that_no_command_has_carried_to_the_driver(machine: Machine, array: lp.Array) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    array.fill(1, other)
    stream.wait(other.record())
    stream.synchronize()
    machine.machine.host_access(array.pointer, array.nbytes, True)
    assert not machine.machine.reports


@pytest.mark.parametrize("idle", [0, 64])
def test_synchronizing_a_stream_is_a_single_call_however_many_are_idle(machine: Machine, idle: int) -> None:
    legacy, stream, *_ = machine.streams(("legacy", "blocking") + ("blocking",) * idle)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    machine.machine.reset_calls()
    stream.synchronize()
    assert calls(machine) == {"queue_finish": 1}
    b.fill(1, legacy)
    machine.machine.reset_calls()
    legacy.synchronize()
    assert calls(machine) == {"queue_finish": 1}
    b.fill(2, legacy)
    machine.machine.reset_calls()
    machine.device.synchronize()
    assert calls(machine) == {"queue_finish": 1}


def test_synchronizing_costs_a_call_for_each_queue_not_known_to_be_complete(machine: Machine) -> None:
    streams = machine.streams(("blocking",) * 10)
    memory = arrays(machine, 10)
    for stream, array in zip(streams[:4], memory, strict=False):
        array.fill(1, stream)
    streams[0].synchronize()
    machine.machine.reset_calls()
    machine.device.synchronize()
    assert calls(machine) == {"queue_finish": 3}
    machine.machine.reset_calls()
    machine.device.synchronize()
    machine.device.legacy_stream.synchronize()
    assert calls(machine) == {}


def test_completion_is_learned_through_others(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    a.fill(1, first)
    second.wait(first.record())
    b.fill(1, second)
    third.wait(second.record())
    c.fill(1, third)
    third.synchronize()
    machine.machine.reset_calls()
    first.synchronize()
    second.synchronize()
    assert first.query() and second.query()
    machine.device.synchronize()
    assert calls(machine) == {}
    for array in (a, b, c):
        machine.machine.host_access(array.pointer, array.nbytes, True)
    assert not machine.machine.reports


def test_synchronizing_the_legacy_stream_covers_blocking_ones_only(machine: Machine) -> None:
    legacy, blocking, free = machine.streams(("legacy", "blocking", "nonblocking"))
    a, b = arrays(machine, 2)
    a.fill(1, blocking)
    b.fill(1, free)
    assert not legacy.query()
    legacy.synchronize()
    assert legacy.query() and blocking.query()
    assert not free.query()


def test_synchronizing_a_blocking_stream_covers_nothing_else(machine: Machine) -> None:
    legacy, stream, other = machine.streams(("legacy", "blocking", "blocking"))
    a, b, c = arrays(machine, 3)
    c.fill(1, stream)
    with legacy.hold():
        a.fill(1, legacy)
        stream.synchronize()
    b.fill(1, other)
    other.synchronize()
    assert legacy.query(), "but what its own commands waited for is known with it"


def test_a_device_synchronize_covers_all_streams(machine: Machine) -> None:
    streams = machine.streams(("legacy", "blocking", "nonblocking", "nonblocking"))
    memory = arrays(machine, 4)
    for stream, array in zip(streams, memory, strict=True):
        array.fill(1, stream)
    machine.device.synchronize()
    for stream, array in zip(streams, memory, strict=True):
        assert stream.query()
        machine.machine.host_access(array.pointer, array.nbytes, True)
    assert not machine.machine.reports


def test_a_query_covers_what_a_dropped_stream_left_in_flight(machine: Machine) -> None:
    (dropped,) = machine.streams(("blocking",))
    legacy = machine.device.legacy_stream
    (a,) = arrays(machine, 1)
    a.fill(1, dropped)
    machine.kept.clear()
    del dropped
    assert not legacy.query()
    machine.machine.run()
    assert legacy.query()


def test_synchronize_waits_for_a_hold_released_elsewhere(machine: Machine, stream: lp.Stream) -> None:
    import threading

    (a,) = arrays(machine, 1)
    held = stream.hold()
    a.fill(1, stream)
    timer = threading.Timer(0.02, held.release)
    timer.start()
    stream.synchronize()
    timer.join()
    assert stream.query()
    del timer, held
