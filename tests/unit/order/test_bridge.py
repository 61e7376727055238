"""Bridges: waits across contexts go through the host, and neither block the caller nor lose order or failure."""

import gc
import itertools

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays, waits
from tests.simulated import Machine

pytestmark = pytest.mark.machine(devices=2)


def pair(machine: Machine) -> tuple[lp.Stream, lp.Stream]:
    """A non-blocking stream of each device."""
    first, other = (machine.streams(("nonblocking",), device)[0] for device in machine.devices)
    return first, other


def both(machine: Machine) -> tuple[lp.Stream, lp.Stream, lp.Array, lp.Array]:
    """A stream and an array of each device, the streams first."""
    first, other = (arrays(machine, 1, device=device)[0] for device in machine.devices)
    return (*pair(machine), first, other)


@pytest.mark.parametrize("origin", [0, 1])
def test_a_wait_for_another_contexts_event_is_a_user_event(machine: Machine, origin: int) -> None:
    streams = pair(machine)
    memory = [arrays(machine, 1, device=device)[0] for device in machine.devices]
    memory[origin].fill(1, streams[origin])
    machine.machine.reset_calls()
    streams[1 - origin].wait(streams[origin].record())
    memory[1 - origin].fill(1, streams[1 - origin])
    calls = machine.machine.calls
    assert (calls["user_event"], calls["event_callback"], calls["event_wait"], calls["queue_finish"]) == (1, 1, 0, 0)
    (wait,) = machine.machine.log[-1][4]
    assert wait[0] is None
    assert machine.machine.ready() == [(origin, 1)], "the waiter is held back"
    machine.machine.run()
    streams[1 - origin].synchronize()


@pytest.mark.parametrize("origin", [0, 1])
def test_data_goes_across_in_order(machine: Machine, origin: int) -> None:
    """Device memory is host-accessible here: each side may copy from the other's, if it comes after."""
    near, other = machine.devices[origin], machine.devices[1 - origin]
    (source,) = arrays(machine, 1, device=near)
    (to,) = arrays(machine, 1, device=other)
    s, t = (machine.streams(("nonblocking",), device)[0] for device in (near, other))
    for value in range(20):
        source.fill(value, s)
        t.wait(s.record())
        _core.copy_bytes(t, to.pointer, source.pointer, 64)
        s.wait(t.record())
        if value % 3 == 0:
            machine.machine.run(value % 4)
    np.testing.assert_array_equal(to.to_numpy(t), np.full(16, 19, np.uint32))
    s.synchronize()
    assert not machine.machine.reports


def test_the_simulated_machine_would_have_seen_the_race(machine: Machine) -> None:
    (source,) = arrays(machine, 1)
    (to,) = arrays(machine, 1, device=machine.devices[1])
    s, t = pair(machine)
    source.fill(1, s)
    _core.copy_bytes(t, to.pointer, source.pointer, 64)
    assert [report.kind for report in machine.machine.reports] == ["race"]
    s.synchronize(), t.synchronize()
    machine.machine.clear()


def test_a_single_wait_orders_all_that_follows(machine: Machine) -> None:
    s, t, a, b = both(machine)
    a.fill(1, s)
    event = s.record()
    t.wait(event)
    b.fill(1, t)
    t.wait(event)
    b.fill(2, t)
    assert waits(machine) == []
    assert machine.machine.calls["user_event"] == 1


def test_an_event_known_to_be_complete_needs_no_bridge(machine: Machine) -> None:
    s, t, a, b = both(machine)
    a.fill(1, s)
    event = s.record()
    s.synchronize()
    t.wait(event)
    b.fill(1, t)
    assert machine.machine.calls["user_event"] == 0


def test_completion_is_learned_across(machine: Machine) -> None:
    s, t, a, b = both(machine)
    a.fill(1, s)
    t.wait(s.record())
    b.fill(1, t)
    t.synchronize()
    machine.machine.reset_calls()
    s.synchronize()
    assert machine.machine.calls["queue_finish"] == 0
    machine.machine.host_access(a.pointer, 64, True)
    assert not machine.machine.reports


def test_what_a_bridge_brings_along_reaches_other_streams(machine: Machine) -> None:
    s, t = pair(machine)
    (u,) = machine.streams(("nonblocking",), machine.devices[1])
    (a,) = arrays(machine, 1)
    b, c = arrays(machine, 2, device=machine.devices[1])
    a.fill(1, s)
    t.wait(s.record())
    b.fill(1, t)
    u.wait(t.record())
    _core.copy_bytes(u, c.pointer, a.pointer, 64)
    assert machine.machine.calls["user_event"] == 1, "the second wait is in one context"
    u.synchronize()
    np.testing.assert_array_equal(c.to_numpy(u), np.full(16, 1, np.uint32))


@pytest.mark.machine(devices=2, share_context=True)
def test_devices_of_the_same_context_need_no_bridge(machine: Machine) -> None:
    s, t, a, b = both(machine)
    a.fill(1, s)
    t.wait(s.record())
    _core.copy_bytes(t, b.pointer, a.pointer, 64)
    assert waits(machine) == [(0, 1, 1)]
    assert machine.machine.calls["user_event"] == 0
    np.testing.assert_array_equal(b.to_numpy(t), np.full(16, 1, np.uint32))


def test_a_wait_on_the_legacy_stream_across_holds_back_its_blocking_streams(machine: Machine) -> None:
    s, _ = pair(machine)
    far = machine.devices[1]
    (blocking,) = machine.streams(("blocking",), far)
    (a,) = arrays(machine, 1)
    (b,) = arrays(machine, 1, device=far)
    a.fill(1, s)
    far.legacy_stream.wait(s.record())
    _core.copy_bytes(blocking, b.pointer, a.pointer, 64)
    np.testing.assert_array_equal(b.to_numpy(blocking), np.full(16, 1, np.uint32))


def test_a_callback_that_comes_late_only_delays(machine: Machine) -> None:
    machine.machine.hold_callbacks = True
    s, t, a, b = both(machine)
    a.fill(1, s)
    t.wait(s.record())
    b.fill(1, t)
    machine.machine.run()
    assert not t.query()
    assert s.query()
    machine.machine.hold_callbacks = False
    t.synchronize()


def test_a_failed_origin_reaches_the_waiter(machine: Machine) -> None:
    s, t, a, b = both(machine)
    machine.machine.fail_command(0, 1, 1)
    a.fill(1, s)
    t.wait(s.record())
    b.fill(1, t)
    with pytest.raises(lp.AsynchronousError):
        t.synchronize()
    with pytest.raises(lp.AsynchronousError):
        s.synchronize()
    for stream, array in ((s, a), (t, b)):
        array.fill(7, stream)
        np.testing.assert_array_equal(array.to_numpy(stream), np.full(16, 7, np.uint32))


def test_streams_and_events_may_go_while_a_bridge_is_open(machine: Machine) -> None:
    for origin in (0, 1):
        s, t = (machine.streams(("nonblocking",), machine.devices[i])[0] for i in (origin, 1 - origin))
        (a,) = arrays(machine, 1, device=machine.devices[origin])
        (b,) = arrays(machine, 1, device=machine.devices[1 - origin])
        a.fill(1, s)
        t.wait(s.record())
        b.fill(1, t)
        machine.kept.clear()
        del s, t, a, b
        gc.collect()
    for device in machine.devices:
        device.synchronize()
    machine.machine.run()


def test_a_ring_of_waits_across_devices_does_not_deadlock(machine: Machine) -> None:
    streams = [*pair(machine), *pair(machine)]
    memory = [arrays(machine, 1, device=stream.device)[0] for stream in streams]
    for stream, array in zip(streams, memory, strict=True):
        array.fill(0, stream)
    events = [stream.record() for stream in streams]
    for value in range(1, 10):
        for i, (stream, array) in enumerate(zip(streams, memory, strict=True)):
            stream.wait(events[(i + 1) % 4])
            array.fill(value, stream)
        events = [stream.record() for stream in streams]
    for target, other in itertools.permutations(range(4), 2):
        streams[target].wait(events[other])
    for device in machine.devices:
        device.synchronize()
    assert not machine.machine.reports
