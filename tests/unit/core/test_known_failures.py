"""What has failed in other runtimes (chipStar's threads, by number), each as the promise that it broke."""

import gc
import threading
import time
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import arrays, waits
from tests.simulated import Machine
from tests.unit.support.kernels import Keeper


def markers(machine: Machine) -> int:
    return int(machine.machine.calls["marker"])


def test_a_launch_costs_the_same_beside_any_number_of_streams(machine: Machine) -> None:
    """#1162: markers in every queue made a launch beside 21 streams cost 143 us instead of 5."""
    machine.streams(("blocking",) * 64)
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1]
    machine.machine.reset_calls()
    for tag in range(100):
        launch(a, b, 16, tag)
    calls = {call: n for call, n in machine.machine.calls.items() if n}
    assert calls == {"launch": 100, "queue_flush": 100}


def test_no_marker_is_recycled_while_another_queue_waits_on_it(machine: Machine) -> None:
    """#1166: hung. Events are released late and never before who waits for them is known to be complete."""
    legacy, *blocking = machine.streams(("legacy", *("blocking",) * 4))
    memory = arrays(machine, 5)
    for value in range(200):
        stream = value % 4
        memory[stream].fill(value, blocking[stream])
        memory[4].fill(value, legacy)
        blocking[(stream + 1) % 4].wait(blocking[stream].record())
        if value % 37 == 0:
            blocking[stream].query()
            machine.machine.run(value % 11)
    machine.device.synchronize()
    assert not machine.machine.reports


def test_work_that_finished_without_a_synchronize_is_known_to_be_finished(machine: Machine) -> None:
    """#1300: a stale emptiness flag cost 30%."""
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    machine.machine.run()
    stream.query()
    machine.machine.run()
    assert stream.query()
    before = markers(machine)
    b.fill(1, legacy)
    assert waits(machine) == []
    assert markers(machine) == before


def test_emptiness_is_checked_and_set_in_a_single_step(machine: Machine) -> None:
    """#1300: a lock-free check-then-set let the legacy stream miss a command."""
    machine.machine.background()
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b = arrays(machine, 2)
    a.fill(0, legacy)

    def write() -> None:
        for value in range(300):
            a.fill(value, stream)
            stream.query()

    thread = threading.Thread(target=write)
    thread.start()
    for _ in range(300):
        a.copy_to(b, legacy)
    thread.join(60)
    assert not machine.machine.reports, "a race, had a command been missed"
    del thread, write


def test_streams_waiting_for_each_other_from_two_threads_do_not_deadlock(machine: Machine) -> None:
    """#1301: dependencies taken after the list's lock: AB/BA."""
    machine.machine.background()
    streams = machine.streams(("nonblocking", "nonblocking"))
    memory = arrays(machine, 2)

    def work(first: int, other: int) -> None:
        for value in range(300):
            memory[first].fill(value, streams[first])
            streams[first].wait(streams[other].record())

    threads = [threading.Thread(target=work, args=pair) for pair in ((0, 1), (1, 0))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    del threads, thread, work


@pytest.mark.parametrize("streams_first", [True, False])
def test_events_and_queues_may_go_in_any_order(machine: Machine, streams_first: bool) -> None:
    """#1311, #1317: events freed before queues corrupted the heap at exit."""
    streams = machine.streams(("blocking", "nonblocking", "nonblocking"))
    memory = arrays(machine, 3)
    events = []
    for stream, array in zip(streams, memory, strict=True):
        array.fill(1, stream)
        events.append(stream.record())
        for other in streams:
            other.wait(events[-1])
    del stream, other, array
    first, then = (streams, events) if streams_first else (events, streams)
    first.clear()
    if streams_first:
        machine.kept.clear()
    gc.collect()
    then.clear()
    machine.kept.clear()
    gc.collect()
    machine.device.synchronize()
    assert not machine.machine.reports


@pytest.mark.parametrize("how", ["launch", "copy", "fill", "upload", "host function", "hold"])
def test_every_kind_of_command_makes_a_queue_busy(machine: Machine, how: str) -> None:
    """#1321: the prefetch path forgot the flag, and on OpenCL a queue was never empty."""
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b, c = arrays(machine, 3)
    assert stream.query()
    held = None
    if how == "launch":
        machine.kernel()[1, 1, stream](a, b, 16, 1)
    elif how == "copy":
        a.copy_to(b, stream)
    elif how == "fill":
        a.fill(1, stream)
    elif how == "upload":
        a.copy_from(np.zeros(16, np.uint32), stream)
    elif how == "host function":
        stream.host_function(lambda: None)
    else:
        held = stream.hold()
    assert not stream.query()
    c.fill(1, legacy)
    assert [queue for queue, _ in waits(machine)] == [1]
    if held:
        held.release()
    stream.synchronize()
    assert stream.query()


def test_an_event_still_referenced_by_a_wait_can_be_recorded_again(machine: Machine) -> None:
    """#1329: segfault. #1258: destroyed events leaked. (An event reset flood.)"""
    first, second = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    event = lp.Event()
    for value in range(500):
        a.fill(value, first)
        first.record(event)
        second.wait(event)
        first.record(event)
        b.fill(value, second)
        second.record(event)
        first.wait(event)
    del event
    machine.device.synchronize()
    a.fill(1, first)
    b.fill(1, second)
    assert machine.machine.live_events <= 4
    assert not machine.machine.reports


def test_streams_waiting_for_each_others_events_in_a_circle_end(machine: Machine) -> None:
    """Event record circular dependency, 500 times over."""
    streams = machine.streams(("blocking", "blocking", "nonblocking"))
    memory = arrays(machine, 3)
    for value in range(500):
        events = [stream.record() for stream in streams]
        for i, stream in enumerate(streams):
            stream.wait(events[(i + 1) % 3])
            memory[i].fill(value, stream)
    machine.device.synchronize()
    assert machine.machine.redundant_waits == 0


def test_a_single_queue_stands_behind_a_stream_and_is_flushed_whoever_waits(
    machine: Machine, stream: lp.Stream
) -> None:
    """#1076, #1538, #1544: of two queues behind one stream only one was flushed or finished: hang."""
    (other,) = machine.streams(("nonblocking",))
    a, b = arrays(machine, 2)
    machine.machine.automatic = False
    a.fill(1, stream)
    a.copy_to(b, stream)
    stream.host_function(lambda: None)
    other.wait(stream.record())
    other.record().query()
    assert all(queue.flushed for queue in machine.machine.queues)
    assert len(machine.machine.queues) == 3


def test_polling_a_stream_ends(machine: Machine) -> None:
    """#1542, #1546: a fresh unflushed marker per poll, so a query never completed."""
    machine.machine.automatic = False
    (stream,) = machine.streams(("nonblocking",))
    (a,) = arrays(machine, 1)
    a.fill(1, stream)
    polls = 0
    while not stream.query():
        machine.machine.advance()
        polls += 1
        assert polls < 10
    assert markers(machine) == 1


def test_markers_of_others_do_not_make_a_stream_busy(machine: Machine) -> None:
    """#1542: work invalidates the marker of polls, markers do not."""
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    assert not stream.query()
    b.fill(1, legacy)
    assert waits(machine) == [(1, 1)]
    assert not stream.query()
    machine.machine.run()
    assert stream.query()
    assert markers(machine) == 1, "for the polls and the legacy stream's wait alike"


def test_polls_of_a_stream_are_not_starved_by_others(machine: Machine) -> None:
    """#1629: a query on a list shared by all streams."""
    stream, other = machine.streams(("nonblocking",) * 2)
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    assert not stream.query()
    for value in range(50):
        b.fill(value, other)
        assert not other.query()
    machine.machine.advance(1)
    machine.machine.advance(1)
    assert stream.query()


def test_a_wait_counts_as_work(machine: Machine, array: lp.Array) -> None:
    """#1638: a stream that waits for an event is not idle."""
    stream, other = machine.streams(("nonblocking",) * 2)
    array.fill(1, other)
    stream.wait(other.record())
    assert not stream.query()
    other.synchronize()
    assert stream.query()


def test_a_queue_that_the_user_holds_is_never_taken_to_be_empty(machine: Machine) -> None:
    """#1618: the native queue was given out, and the bookkeeping believed in still."""
    (stream,) = machine.streams(("blocking",))
    assert stream.handle
    machine.machine.reset_calls()
    for _ in range(3):
        stream.synchronize()
    assert machine.machine.calls["queue_finish"] == 3


def test_work_on_a_blocking_stream_covers_the_legacy_work_before_it(machine: Machine) -> None:
    """#1103, #1104: HIP wants it of a synchronize; by CUDA's rules the stream must have had a command after it."""
    legacy, stream = machine.streams(("legacy", "blocking"))
    a, b = arrays(machine, 2)
    a.fill(1, legacy)
    b.fill(1, stream)
    stream.synchronize()
    machine.machine.host_access(a.pointer, a.nbytes, False)
    assert not machine.machine.reports


def test_a_thousand_launches_without_a_synchronize_end(machine: Machine) -> None:
    """#1188: hung, since depth had no bound."""
    machine.machine.automatic = False
    (stream,) = machine.streams(("nonblocking",))
    a, b = arrays(machine, 2)
    launch = machine.kernel()[1, 1, stream]
    since = time.perf_counter()
    for tag in range(1000):
        launch(a, b, 16, tag)
    assert time.perf_counter() - since < 5
    assert stream.submitted[0] - stream.submitted[1] == 1000


def test_launches_share_no_argument_state(machine: Machine) -> None:
    """#782: graph nodes shared the kernel's arguments."""
    keep = Keeper(machine, "int32", "struct12")
    first = keep.kernel[1, 1, keep.stream]
    for value in range(20):
        first(value, bytes([value]) * 12)
        keep.kernel[1, 2, keep.stream](-value, bytes(12))
    keep.stream.synchronize()
    values: list[Any] = [call.args for call in keep.calls]
    assert values == [pair for v in range(20) for pair in ((v, bytes([v]) * 12), (-v, bytes(12)))]


def test_a_small_copy_makes_no_event(machine: Machine, stream: lp.Stream) -> None:
    """#1554: small copies cost 5.7 us against 1.0, perhaps from an event for each."""
    a, b = arrays(machine, 2)
    machine.machine.reset_calls()
    for _ in range(100):
        a.copy_to(b, stream)
    calls = {call: n for call, n in machine.machine.calls.items() if n}
    assert calls == {"copy": 100, "queue_flush": 100}
    assert machine.machine.live_events == 0


def test_memory_is_not_released_early_by_luck(machine: Machine) -> None:
    """A spilled argument buffer that was released too soon passed every test there."""
    streams = machine.streams(("nonblocking",) * 3)
    mix = machine.kernel()
    for value in range(50):
        for stream in streams:
            a, b = arrays(machine, 2)
            a.fill(value, stream)
            b.fill(value, stream)
            mix[1, 1, stream](a, b, 16, value)
            del a, b
        machine.machine.run(value % 3)
    machine.device.trim_memory()
    machine.machine.run()
    assert not machine.machine.reports


def test_a_shutdown_with_dependencies_across_streams_in_flight_is_clean(machine: Machine) -> None:
    """#1311: what the fixture closes here must leave nothing and report nothing."""
    streams = machine.streams(("legacy", "blocking", "nonblocking", "blocking"))
    memory = arrays(machine, 4)
    for value in range(20):
        for i, stream in enumerate(streams):
            stream.wait(streams[(i + value) % 4].record())
            memory[i].fill(value, stream)
