"""Events as Python holds them: query, wait, synchronize, time."""

import pytest

import launchpath as lp
from tests.fixtures import arrays, waits
from tests.simulated import Machine


def test_an_event_that_was_never_recorded_is_complete(machine: Machine, stream: lp.Stream) -> None:
    event = lp.Event()
    (a,) = arrays(machine, 1)
    machine.machine.reset_calls()
    assert event.query()
    event.synchronize()
    stream.wait(event)
    assert not any(machine.machine.calls.values())
    a.fill(1, stream)
    assert waits(machine) == []


def test_an_event_shows_where_it_was_recorded(stream: lp.Stream) -> None:
    event = lp.Event(timing=True)
    assert repr(event) == "<Event with timing, never recorded>"
    stream.record(event)
    assert repr(event) == f"<Event with timing, recorded on {stream!r}>"
    assert repr(stream.record()) == f"<Event, recorded on {stream!r}>"


def test_an_event_on_an_idle_stream_is_complete(stream: lp.Stream) -> None:
    assert stream.record().query()


def test_query_follows_the_device(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    event = stream.record()
    array.fill(2, stream)
    assert not event.query()
    machine.machine.advance(1)
    assert not event.query(), "the marker is a command of its own"
    machine.machine.advance(1)
    assert event.query()
    assert not stream.query()


def test_query_never_blocks(machine: Machine) -> None:
    machine.machine.automatic = False
    (stream,) = machine.streams(("nonblocking",))
    (a,) = arrays(machine, 1)
    a.fill(1, stream)
    event = stream.record()
    for _ in range(100):
        assert not event.query()
    assert machine.machine.calls["marker"] == 1
    assert machine.machine.calls["event_wait"] == 0


def test_synchronize_waits_for_the_event_and_not_for_what_follows(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    event = stream.record()
    with stream.hold():
        b.fill(1, other)
        a.fill(2, stream)
        event.synchronize()
        assert machine.machine.calls["queue_finish"] == 0
        machine.machine.host_access(a.pointer, 0, True)
        assert not stream.query()


def test_the_host_may_read_behind_a_synchronized_event(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, other)
    stream.wait(other.record())
    b.fill(1, stream)
    stream.record().synchronize()
    for array in (a, b):
        machine.machine.host_access(array.pointer, array.nbytes, False)
    assert not machine.machine.reports


def test_synchronizing_twice_asks_the_driver_once(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    event = stream.record()
    event.synchronize()
    machine.machine.reset_calls()
    event.synchronize()
    assert event.query()
    assert stream.query()
    stream.synchronize()
    assert not any(machine.machine.calls.values())


def test_an_event_outlives_its_stream(machine: Machine, stream: lp.Stream) -> None:
    other = machine.streams(("nonblocking",))[0]
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    event = stream.record()
    machine.kept.remove(stream)
    del stream
    other.wait(event)
    b.fill(1, other)
    assert waits(machine) == [(1, 1)]
    event.synchronize()


def test_waiting_for_an_event_does_not_keep_it(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    other.wait(stream.record())
    a.fill(2, stream)
    b.fill(1, other)
    assert waits(machine) == [(1, 1)]


def test_a_timed_record_is_a_timed_marker_at_once(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    start = stream.record(timing=True)
    array.fill(1, stream)
    end = stream.record(timing=True)
    assert machine.machine.calls["marker"] == 2
    assert start.elapsed_time(end) > 0
    assert end.elapsed_time(start) == -start.elapsed_time(end)


def test_a_timed_event_has_a_time_on_an_idle_stream(machine: Machine, stream: lp.Stream) -> None:
    start, end = stream.record(timing=True), stream.record(timing=True)
    assert start.elapsed_time(end) >= 0
    (a,) = arrays(machine, 1)
    a.fill(1, stream)
    stream.synchronize()
    again = stream.record(timing=True)
    assert start.elapsed_time(again) > 0


def test_time_is_taken_even_after_the_stream_went_on(stream: lp.Stream, array: lp.Array) -> None:
    plain = stream.record()
    array.fill(1, stream)
    between = stream.record()
    timed = stream.record(timing=True)
    array.fill(2, stream)
    assert timed.elapsed_time(stream.record(timing=True)) > 0
    with pytest.raises(lp.ArgumentValueError, match="timing=True"):
        between.elapsed_time(timed)
    with pytest.raises(lp.ArgumentValueError, match="timing=True"):
        timed.elapsed_time(plain)


def test_an_untimed_event_beside_a_timed_event_has_no_time(stream: lp.Stream) -> None:
    timed = stream.record(timing=True)
    plain = stream.record()
    with pytest.raises(lp.ArgumentValueError, match="timing=True"):
        timed.elapsed_time(plain)


def test_time_needs_a_record(stream: lp.Stream) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected recorded events"):
        lp.Event(timing=True).elapsed_time(stream.record(timing=True))


@pytest.mark.machine(devices=2)
def test_times_of_two_devices_do_not_compare(machine: Machine) -> None:
    start, end = (device.legacy_stream.record(timing=True) for device in machine.devices)
    with pytest.raises(lp.ArgumentValueError, match="events of the same device"):
        start.elapsed_time(end)
