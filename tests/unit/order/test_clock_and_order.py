"""Clocks and order: a wait for what is not ordered yet, and nothing more. Numbers in wait lists are the driver's."""

import itertools
import time
from collections.abc import Callable

import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays, kinds, waits
from tests.simulated import Machine

BUSY = 64


def busy(machine: Machine, count: int = BUSY) -> tuple[lp.Stream, list[lp.Stream], list[lp.Array]]:
    """The legacy stream, and blocking streams with a command each."""
    streams = machine.streams(("legacy",) + ("blocking",) * count)
    memory = arrays(machine, count + 1)
    for stream, array in zip(streams[1:], memory[1:], strict=True):
        array.fill(1, stream)
    return streams[0], streams[1:], memory


def n_markers(machine: Machine) -> int:
    return machine.machine.calls["marker"]


def test_a_null_stream_launch_after_64_busy_streams_makes_64_markers_and_the_next_none(machine: Machine) -> None:
    legacy, _, memory = busy(machine)
    left_out = machine.device.ordering_counts()[1]
    memory[0].fill(1, legacy)
    assert n_markers(machine) == BUSY
    assert waits(machine) == [(queue, 1) for queue in range(1, BUSY + 1)]
    memory[0].fill(2, legacy)
    assert n_markers(machine) == BUSY
    assert waits(machine) == []
    assert machine.device.ordering_counts() == (BUSY, left_out + BUSY), "made by the first, left out by the second"


def test_a_busy_stream_of_64_costs_a_single_marker(machine: Machine) -> None:
    legacy, streams, memory = busy(machine)
    memory[0].fill(1, legacy)
    memory[5].fill(2, streams[4])
    assert waits(machine) == [(0, 1)]
    memory[0].fill(2, legacy)
    assert waits(machine) == [(5, 2)]
    assert n_markers(machine) == BUSY + 2


def test_idle_streams_cost_nothing(machine: Machine) -> None:
    legacy, _, memory = (*machine.streams(("legacy",)), None, arrays(machine, 2))
    idle = machine.streams(("blocking",) * BUSY)
    launch = machine.kernel()[1, 1, legacy]
    for tag in range(10):
        launch(memory[0], memory[1], 16, tag)
    assert n_markers(machine) == 0
    assert machine.machine.calls["launch"] == 10
    assert machine.device.ordering_counts() == (0, 10 * BUSY)
    assert len(idle) == BUSY


def test_streams_known_to_be_complete_cost_nothing(machine: Machine) -> None:
    legacy, _, memory = busy(machine)
    machine.device.synchronize()
    memory[0].fill(1, legacy)
    assert n_markers(machine) == 0


def test_a_launch_on_a_blocking_stream_waits_for_earlier_legacy_work_once(machine: Machine) -> None:
    legacy, first, other = machine.streams(("legacy", "blocking", "blocking"))
    a, b, c = arrays(machine, 3)
    a.fill(1, legacy)
    b.fill(1, first)
    assert waits(machine) == [(0, 1)]
    b.fill(2, first)
    assert waits(machine) == []
    c.fill(1, other)
    assert waits(machine) == [(0, 1)]
    assert n_markers(machine) == 1, "both wait on the same marker"


def test_non_blocking_streams_are_ordered_with_nothing(machine: Machine) -> None:
    legacy, free = machine.streams(("legacy", "nonblocking"))
    a, b = arrays(machine, 2)
    a.fill(1, legacy)
    b.fill(1, free)
    assert waits(machine) == []
    a.fill(2, legacy)
    assert waits(machine) == []
    assert n_markers(machine) == 0


def test_blocking_streams_are_not_ordered_with_each_other(machine: Machine) -> None:
    first, other = machine.streams(("blocking", "blocking"))
    a, b = arrays(machine, 2)
    a.fill(1, first)
    b.fill(1, other)
    assert waits(machine) == []


@pytest.mark.machine(devices=2)
def test_legacy_streams_of_two_devices_are_not_ordered(machine: Machine) -> None:
    for device in machine.devices:
        (stream,) = machine.streams(("blocking",), device)
        a, b = arrays(machine, 2, device=device)
        a.fill(1, stream)
        b.fill(1, device.legacy_stream)
        assert waits(machine) == [(1, 1)]
    assert n_markers(machine) == 2


def test_per_thread_streams_are_blocking_ones(machine: Machine) -> None:
    a, b = arrays(machine, 2)
    assert machine.device.per_thread_stream is machine.device.per_thread_stream
    a.fill(1, machine.device.per_thread_stream)
    b.fill(1, machine.device.legacy_stream)
    assert waits(machine) == [(1, 1)]
    a.fill(2, machine.device.per_thread_stream)
    assert waits(machine) == [(0, 1)]
    del machine.device._per_thread.stream


def test_a_wait_that_another_brings_along_is_left_out(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    a.fill(1, first)
    event = first.record()
    second.wait(event)
    b.fill(1, second)
    third.wait(event)
    third.wait(second.record())
    c.fill(1, third)
    assert waits(machine) == [(2, 1)]
    assert machine.machine.clock(3) == {(0, 1): 1, (0, 2): 1, (0, 3): 1}


def test_a_chain_through_the_legacy_stream_is_followed(machine: Machine) -> None:
    legacy, first, other = machine.streams(("legacy", "blocking", "blocking"))
    a, b, c = arrays(machine, 3)
    a.fill(1, first)
    event = first.record()
    b.fill(1, legacy)
    c.fill(1, other)
    assert waits(machine) == [(0, 1)]
    other.wait(event)
    c.fill(2, other)
    assert waits(machine) == [], "the legacy command was after it already"


def test_a_later_marker_serves_an_earlier_number(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    a.fill(1, first)
    early = first.record()
    second.wait(early)
    a.fill(2, first)
    late = first.record()
    second.wait(late)
    third.wait(early)
    b.fill(1, second)
    assert len(waits(machine)) == 1, "one wait per source queue"
    c.fill(1, third)
    assert waits(machine) == [(1, 1)], "it must not wait for more than it asked for"


def test_a_wait_brings_the_clock_of_its_marker_and_not_the_present_clock(machine: Machine) -> None:
    first, second, third = machine.streams(("nonblocking",) * 3)
    a, b, c = arrays(machine, 3)
    b.fill(1, second)
    before = second.record()
    a.fill(1, first)
    second.wait(first.record())
    b.fill(2, second)
    third.wait(before)
    c.fill(1, third)
    assert waits(machine) == [(2, 1)]
    third.wait(first.record())
    c.fill(2, third)
    assert waits(machine) == [(1, 1)], "waiting for the earlier marker told nothing of what came in after it"


def test_waiting_for_ones_own_event_is_free(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    array.fill(1, stream)
    event = stream.record()
    stream.wait(event)
    array.fill(2, stream)
    assert waits(machine) == []


def test_a_wait_on_the_legacy_stream_holds_back_blocking_streams(machine: Machine) -> None:
    legacy, blocking, free = machine.streams(("legacy", "blocking", "nonblocking"))
    a, b = arrays(machine, 2)
    a.fill(1, free)
    legacy.wait(free.record())
    b.fill(1, blocking)
    assert machine.machine.clock(1)[(0, 2)] == 1
    assert waits(machine) == [(0, 1)], "pinned by a marker of the legacy stream's own"


def test_waits_that_no_command_has_carried_to_the_driver_count_for_the_legacy_rule(machine: Machine) -> None:
    legacy, blocking, other, free = machine.streams(("legacy", "blocking", "blocking", "nonblocking"))
    a, b, c = arrays(machine, 3)
    a.fill(1, free)
    blocking.wait(free.record())
    b.fill(1, legacy)
    assert waits(machine) == [(3, 1)]
    c.fill(1, other)
    assert machine.machine.clock(2)[(0, 3)] == 1, "and through the legacy stream for every other one"


def test_recording_on_the_legacy_stream_counts_as_a_command(machine: Machine) -> None:
    legacy, blocking, free = machine.streams(("legacy", "blocking", "nonblocking"))
    a, b = arrays(machine, 2)
    a.fill(1, blocking)
    event = legacy.record()
    a.fill(2, blocking)
    free.wait(event)
    b.fill(1, free)
    assert machine.machine.clock(2)[(0, 1)] == 1, "the first command, not the second"


@pytest.mark.parametrize("count", [1, 8, 64])
def test_depending_on_nothing_new_is_a_single_driver_call_however_many_streams(machine: Machine, count: int) -> None:
    legacy, streams, memory = busy(machine, count)
    memory[0].fill(1, legacy)
    for stream, array in itertools.islice(zip(streams, memory[1:], strict=True), 3):
        array.fill(2, stream)
    machine.machine.reset_calls()
    memory[1].fill(3, streams[0])
    memory[1].fill(4, streams[0])
    calls = {call: n for call, n in machine.machine.calls.items() if n}
    assert calls == {"fill": 2, "queue_flush": 2}


@pytest.mark.machine(record=False)
def test_depending_on_nothing_new_takes_no_longer_beside_thousands_of_streams(machine: Machine) -> None:
    """The core looks only at queues that have moved since it last looked."""
    legacy = machine.device.legacy_stream
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1, legacy]

    def fastest() -> float:
        taken = []
        for _ in range(20):
            since = time.perf_counter()
            for tag in range(50):
                launch(a, b, 0, tag)
            taken.append(time.perf_counter() - since)
            legacy.synchronize()
        return min(taken)

    alone = fastest()
    many = lp.empty(3000, "uint32", machine.device)
    for i, stream in enumerate(machine.streams(("blocking",) * 3000)):
        many[i : i + 1].fill(1, stream)
    machine.device.synchronize()
    assert fastest() < 3 * alone


def only_redundant_waits(machine: Machine) -> None:
    """That is all there is to say against these orderings."""
    assert kinds(machine) == {"redundant wait"}
    machine.machine.clear()


def test_a_marker_in_every_queue_for_every_command(machine: Machine, ordering: Callable[[str], None]) -> None:
    ordering("always")
    (legacy,) = machine.streams(("legacy",))
    streams = machine.streams(("blocking",) * 8)
    (a,) = arrays(machine, 1)
    for repeat in range(1, 4):
        a.fill(repeat, legacy)
        assert n_markers(machine) == 8 * repeat
    a.fill(4, streams[0])
    assert n_markers(machine) == 25
    only_redundant_waits(machine)


def test_a_marker_in_every_queue_that_is_not_empty(machine: Machine, ordering: Callable[[str], None]) -> None:
    ordering("nonempty")
    (legacy,) = machine.streams(("legacy",))
    streams = machine.streams(("blocking",) * 8)
    a, b, c = arrays(machine, 3)
    a.fill(1, legacy)
    assert n_markers(machine) == 0
    legacy.synchronize()
    b.fill(1, streams[0])
    c.fill(1, streams[1])
    for repeat in range(1, 4):
        a.fill(repeat, legacy)
        assert n_markers(machine) == 2 * repeat
    machine.device.synchronize()
    a.fill(4, legacy)
    assert n_markers(machine) == 6
    only_redundant_waits(machine)


def test_orderings_have_names(ordering: Callable[[str], None]) -> None:
    with pytest.raises(lp.ArgumentValueError, match="'clocks', 'nonempty' or 'always'"):
        ordering("sometimes")
    _core.set_ordering("clocks")
