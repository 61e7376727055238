"""Streams as Python holds them: made, dropped with work in flight, current by `with`."""

import gc

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays, waits
from tests.simulated import Machine
from tests.threads import apart


def released(machine: Machine) -> list[bool]:
    return [queue.released for queue in machine.machine.queues]


def test_dropping_an_idle_stream_releases_its_queue_at_once(machine: Machine) -> None:
    lp.Stream(device=machine.device)
    assert released(machine) == [False, True]


def test_dropping_a_stream_does_not_disturb_its_work(machine: Machine) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    (a,) = arrays(machine, 1)
    a.fill(1, stream)
    a.fill(2, stream)
    done = stream.record()
    del stream
    assert released(machine) == [False, False]
    done.synchronize()
    machine.machine.host_access(a.pointer, a.nbytes, False)
    assert machine.machine.view(a.pointer, 1, "u4")[0] == 2
    assert not machine.machine.reports


def test_closed_queues_are_ended_when_streams_are_created(machine: Machine) -> None:
    (a,) = arrays(machine, 1)
    for value in range(40):
        stream = lp.Stream(blocking=value % 2 == 0, device=machine.device)
        a.fill(value, machine.device.legacy_stream if value % 4 == 3 else stream)
        machine.machine.run()
        stream.wait(machine.device.legacy_stream.record())
        del stream
    machine.device.synchronize()
    lp.Stream(device=machine.device)
    assert sum(not gone for gone in released(machine)) == 1, "the legacy stream's"
    machine.machine.clear()  # the fills of different streams race, on purpose


def test_closed_queues_are_ended_by_a_device_synchronize(machine: Machine) -> None:
    for _ in range(5):
        stream = lp.Stream(device=machine.device)
        (a,) = arrays(machine, 1)
        a.fill(1, stream)
        del stream
    machine.device.synchronize()
    assert sum(not gone for gone in released(machine)) == 1


def test_the_legacy_stream_goes_on_waiting_for_a_dropped_stream(machine: Machine) -> None:
    stream = lp.Stream(device=machine.device)
    (a,) = arrays(machine, 1)
    a.fill(1, stream)
    del stream
    a.fill(2)
    assert waits(machine) == [(1, 1)]
    np.testing.assert_array_equal(a.to_numpy(), np.full(16, 2, np.uint32))


def test_numbers_are_never_used_again(machine: Machine) -> None:
    """A clock that is kept from a slot's former queue must not cover its next one's commands."""
    (other,) = machine.streams(("nonblocking",))
    (b,) = arrays(machine, 1)
    last = 0
    for value in range(5):
        stream = lp.Stream(blocking=False, device=machine.device)
        number = stream.submitted[0]
        assert number >= last
        (a,) = arrays(machine, 1)
        for _ in range(value + 1):
            a.fill(value, stream)
        last = stream.submitted[0]
        assert last == number + value + 1
        other.wait(stream.record())
        b.fill(value, other)
        queue = len(machine.machine.queues) - 1
        assert waits(machine) == [(queue, value + 1)], "the wait is for this queue, whatever was learned of the former"
        stream.synchronize()
        del stream


def test_an_event_of_a_dropped_stream_is_not_mistaken_for_its_slots_next_queue(machine: Machine) -> None:
    (other,) = machine.streams(("nonblocking",))
    a, b = arrays(machine, 2)
    stream = lp.Stream(blocking=False, device=machine.device)
    a.fill(1, stream)
    old = stream.record()
    stream.synchronize()
    del stream
    again = lp.Stream(blocking=False, device=machine.device)
    a.fill(2, again)
    other.wait(old)
    b.fill(1, other)
    assert waits(machine) == []
    assert old.query()
    again.synchronize()


def test_ten_thousand_streams_take_few_slots(machine: Machine) -> None:
    for _ in range(2000):
        lp.Stream(device=machine.device)
    assert sum(not gone for gone in released(machine)) == 1


def test_with_makes_a_stream_and_its_device_current(machine: Machine) -> None:
    outer, inner = machine.streams(("blocking", "nonblocking"))
    with outer as current:
        assert current is outer is lp.current_stream()
        assert lp.current_device() is machine.device
        with inner:
            assert lp.current_stream() is inner
            with inner:
                assert lp.current_stream() is inner
            assert lp.current_stream() is inner
        assert lp.current_stream() is outer
        with machine.device:
            assert lp.current_stream() is machine.device.legacy_stream
        assert lp.current_stream() is outer


def test_with_is_the_threads_own(machine: Machine) -> None:
    (stream,) = machine.streams(("blocking",))

    def look() -> lp.Stream:
        with machine.device:
            return lp.current_stream()

    with stream:
        assert apart(look) == machine.device.legacy_stream


def test_with_survives_an_exception(machine: Machine) -> None:
    (stream,) = machine.streams(("blocking",))
    with machine.device:
        with pytest.raises(KeyError), stream:
            raise KeyError
        assert lp.current_stream() is machine.device.legacy_stream


def test_arrays_go_to_the_current_stream(machine: Machine, stream: lp.Stream) -> None:
    with stream:
        a = lp.zeros(4, "uint32")
        a.fill(3)
        assert a.to_numpy().tolist() == [3] * 4
    assert {queue for _, queue, *_ in machine.machine.log} == {1}


@pytest.mark.parametrize("device", [1.5, True, object()])
def test_a_stream_needs_a_device(device: object) -> None:
    with pytest.raises(
        lp.ArgumentValueError, match=r"expected a device of launchpath.devices\(\), its index, or words"
    ):
        lp.Stream(device=device)  # type: ignore[arg-type]


def test_the_devices_own_streams_say_so(machine: Machine) -> None:
    assert repr(machine.device.legacy_stream) == "<Stream legacy default of 'Simulated'>"
    assert repr(machine.device.per_thread_stream) == "<Stream per-thread default of 'Simulated'>"
    del machine.device._per_thread.stream  # it would live as long as the thread


def test_a_stream_waits_for_events_of_launchpaths(stream: lp.Stream) -> None:
    with pytest.raises(TypeError, match=r"expected a launchpath event, got the object <object .*Stream\.external"):
        stream.wait(object())  # type: ignore[arg-type]


def test_a_stream_says_what_it_is(machine: Machine) -> None:
    blocking, free = machine.streams(("blocking", "nonblocking"))
    assert repr(blocking) == "<Stream blocking of 'Simulated'>"
    assert repr(free) == "<Stream non-blocking of 'Simulated'>"
    assert (blocking.blocking, free.blocking, machine.device.legacy_stream.blocking) == (True, False, True)
    assert blocking.device is machine.device


def test_a_stream_that_cannot_be_created_leaves_nothing(machine: Machine) -> None:
    machine.machine.fail("queue_create")
    with pytest.raises(lp.DriverError, match="queue_create failed: SIM_INJECTED"):
        lp.Stream(device=machine.device)
    gc.collect()
    assert released(machine) == [False]


def test_a_hold_is_released_when_it_is_dropped(machine: Machine, stream: lp.Stream) -> None:
    (a,) = arrays(machine, 1)
    hold = stream.hold()
    a.fill(1, stream)
    assert machine.machine.run() == 0
    del hold
    assert machine.machine.run() == 2
    with stream.hold():
        a.fill(2, stream)
        assert machine.machine.run() == 0
    stream.synchronize()


def test_the_kinds_have_names() -> None:
    assert len({_core.LEGACY, _core.BLOCKING, _core.NONBLOCKING}) == 3
