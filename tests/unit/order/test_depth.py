"""Depth: a producer far ahead of the device is slowed, never hung, and takes no memory without bound."""

import time

import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine

pytestmark = pytest.mark.machine(record=False)

SOFT = 4096  # commands in flight beyond which the producer is slowed
CHECK = 256  # commands between two looks


def test_a_runaway_producer_stays_near_the_bound(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    machine.machine.background()
    for value in range(20_000):
        array.fill(value, stream)
    assert machine.machine.deepest < 2 * SOFT
    stream.synchronize()


def test_a_stream_held_back_on_purpose_is_slowed_and_not_hung(stream: lp.Stream, array: lp.Array) -> None:
    with stream.hold():
        since = time.perf_counter()
        for value in range(SOFT):
            array.fill(value, stream)
        free = time.perf_counter() - since
        since = time.perf_counter()
        for value in range(100):
            array.fill(value, stream)
        slowed = time.perf_counter() - since
        assert slowed / 100 > 0.001 > free / SOFT
        assert slowed < 5
    stream.synchronize()


def test_the_delay_ends_as_soon_as_the_device_has_caught_up(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    for value in range(SOFT + 100):
        array.fill(value, stream)
    machine.machine.run()
    before = machine.machine.calls["queue_finish"]
    since = time.perf_counter()
    for value in range(1000):
        array.fill(value, stream)
    assert time.perf_counter() - since < 1.5, "1000 waits of 2 ms would be more"
    assert machine.machine.calls["queue_finish"] == before == 0


def test_a_check_costs_a_marker_in_256_commands(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    for value in range(8 * CHECK):
        array.fill(value, stream)
    assert machine.machine.calls["marker"] == 8
    assert machine.machine.calls["event_wait"] == 0


def test_what_streams_keep_for_waits_is_let_go_of_without_a_synchronize(machine: Machine) -> None:
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    most = 0
    for value in range(6 * CHECK):
        a.fill(value, first)
        second.wait(first.record())
        b.fill(value, second)
        machine.machine.run()
        most = max(most, machine.machine.live_events)
    assert most < 3 * CHECK


def test_deep_streams_can_be_dropped_and_queried(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking",) * 2)
    (a,) = arrays(machine, 1)
    for value in range(3 * CHECK):
        a.fill(value, stream)
    assert not stream.query()
    machine.kept.remove(stream)
    del stream
    machine.device.synchronize()
    assert other.query()
    assert isinstance(lp.Stream(device=machine.device), lp.Stream)


def test_the_clock_decides_about_the_delay(stream: lp.Stream, array: lp.Array) -> None:
    """2 ms for each launch beyond the bound, however long the system's sleeps take."""
    with stream.hold():
        for value in range(SOFT + CHECK):
            array.fill(value, stream)
        costs = []
        for value in range(40):
            since = time.perf_counter()
            array.fill(value, stream)
            costs.append(time.perf_counter() - since)
    stream.synchronize()
    assert 0.0015 < sorted(costs)[10] < 0.0035, "counted by its sleeps it would be 5 ms and more"
