"""Marks: a point costs the driver nothing until somebody waits for it, or it would come to stand for too much."""

import launchpath as lp
from tests.fixtures import arrays, waits
from tests.simulated import Machine


def markers(machine: Machine) -> int:
    return machine.machine.calls["marker"]


def test_a_record_makes_no_driver_call(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    machine.machine.reset_calls()
    event = stream.record()
    assert not any(machine.machine.calls.values())
    assert isinstance(event, lp.Event)


def test_the_next_command_finds_the_marker_before_it(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    event = stream.record()
    a.fill(2, stream)
    assert markers(machine) == 1
    other.wait(event)
    b.fill(1, other)
    assert waits(machine) == [(1, 1)]
    assert markers(machine) == 1


def test_the_first_wait_makes_the_marker(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    event = stream.record()
    other.wait(event)
    assert markers(machine) == 1
    b.fill(1, other)
    a.fill(2, stream)
    assert markers(machine) == 1


def test_a_dropped_event_never_becomes_a_marker(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    for value in range(20):
        array.fill(value, stream)
        stream.record()
    assert markers(machine) == 0
    assert machine.machine.live_events == 0


def test_an_event_known_to_be_complete_never_becomes_a_marker(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    event = stream.record()
    stream.synchronize()
    other.wait(event)
    a.fill(2, stream)
    b.fill(1, other)
    assert event.query()
    assert markers(machine) == 0


def test_events_recorded_at_the_same_place_share_a_marker(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    events = [stream.record() for _ in range(10)]
    for event in events:
        other.wait(event)
    b.fill(1, other)
    assert markers(machine) == 1
    assert waits(machine) == [(1, 1)]


def test_a_marker_is_flushed_before_anyone_waits_for_it(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    other.wait(stream.record())
    assert machine.machine.queues[1].flushed
    b.fill(1, other)
    assert machine.machine.run() == 3, "the marker too, with nobody waiting on the host"


def test_a_record_with_waits_not_handed_over_is_a_marker_with_that_list_at_once(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    a.fill(1, first)
    second.wait(first.record())
    event = second.record()
    assert machine.machine.log[-1][1:5] == (2, 1, "marker", [(1, 1)])
    b.fill(1, second)
    third.wait(event)
    c.fill(1, third)
    assert waits(machine) == [(2, 1)]
    assert machine.machine.clock(3) == {(0, 1): 1, (0, 2): 1, (0, 3): 1}


def test_re_recording_does_not_disturb_who_waits_for_the_earlier_point(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    event = lp.Event()
    a.fill(1, first)
    first.record(event)
    second.wait(event)
    a.fill(2, first)
    first.record(event)
    third.wait(event)
    b.fill(1, second)
    assert waits(machine) == [(1, 1)]
    c.fill(1, third)
    assert waits(machine) == [(1, 2)]


def test_a_recycled_event_is_not_released_while_a_command_waits_for_it(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    event = lp.Event()
    for value in range(50):
        a.fill(value, first)
        first.record(event)
        second.wait(event)
        b.fill(value, second)
        if value % 7 == 0:
            second.record(event)
            first.wait(event)
    del event
    machine.machine.run()
    first.synchronize()
    second.synchronize()
    assert not machine.machine.reports


def test_an_event_may_be_recorded_on_another_stream_next(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    a.fill(1, first)
    event = first.record()
    b.fill(1, second)
    second.record(event)
    third.wait(event)
    c.fill(1, third)
    assert waits(machine) == [(2, 1)]
