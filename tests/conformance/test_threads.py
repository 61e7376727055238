"""Threads: any thread may use any stream, and what ended threads leave behind stays right."""

import functools
import threading

import numpy as np
import pytest

import launchpath as lp
from tests.threads import at_once

from .calls import PATIENCE, Call, returns_at_once, waits_until_released


def together(n, function):
    """Call function(i) on n threads that start at once; what they return."""
    barrier = threading.Barrier(n)

    def run(i):
        barrier.wait()
        return function(i)

    return [call.result() for call in [Call(run, i) for i in range(n)]]


def test_threads_share_a_stream(device, program, nonblocking):
    out = lp.zeros(8, "int32", device)
    device.synchronize()

    def work(i):
        for _ in range(500):
            program.add[1, 1, nonblocking](out[i : i + 1], 1, 1)

    together(8, work)
    assert (out.to_numpy(nonblocking) == 500).all()


def test_threads_share_legacy_and_a_kernel(device, program):
    out = lp.zeros(1, "int32", device)

    def work(i):
        for _ in range(300):
            program.add[1, 1, device.legacy_stream](out, 1, 1)

    together(6, work)
    assert out.to_numpy()[0] == 1800


def test_every_threads_launch_gets_its_own_arguments(device, program):
    streams = [lp.Stream(blocking=False, device=device) for _ in range(4)]
    out = lp.zeros((4, 300), "int32", device)
    device.synchronize()

    def work(i):
        for at in range(300):
            program.add[1, 1, streams[i]](out[i][at : at + 1], i * 1000 + at, 1)
        streams[i].synchronize()

    together(4, work)
    assert (out.to_numpy() == np.arange(4)[:, None] * 1000 + np.arange(300)).all()


def test_threads_of_blocking_streams_and_legacy_keep_the_legacy_rule(device, program, counter):
    """Each thread adds on a blocking stream, then on legacy, without a synchronize: no addition may be lost."""
    streams = [lp.Stream(device=device) for _ in range(4)]
    own = lp.zeros(4, "int32", device)

    def work(i):
        for at in range(200):
            program.follow[1, 1, streams[i]](own[i : i + 1], 2 * at)
            program.follow[1, 1, device.legacy_stream](own[i : i + 1], 2 * at + 1)

    device.synchronize()
    together(4, work)
    assert (own.to_numpy() == 400).all()


def test_threads_record_wait_and_query_the_same_events(device, program):
    streams = [lp.Stream(blocking=i % 2 == 0, device=device) for i in range(4)]
    events = [lp.Event() for _ in range(3)]

    def work(i):
        for at in range(300):
            program.nothing[1, 1, streams[i]]()
            streams[i].record(events[at % 3])
            streams[(i + 1) % 4].wait(events[(at + i) % 3])
            events[at % 2].query()
            streams[i].query()
            if at % 50 == 0:
                events[2].synchronize()

    together(4, work)
    returns_at_once(device.synchronize)
    assert all(event.query() for event in events)


def test_threads_synchronize_the_same_stream(program, counter, nonblocking):
    with nonblocking.hold():
        program.follow[1, 1, nonblocking](counter, 0)
        calls = [Call(nonblocking.synchronize) for _ in range(6)]
        assert all(call.blocks() for call in calls)
    for call in calls:
        call.result()


def test_other_threads_go_on_while_a_thread_synchronizes(program, counter, nonblocking, side):
    with nonblocking.hold() as hold:
        waiting = Call(nonblocking.synchronize)
        assert waiting.blocks()
        program.follow[1, 1, side](counter, 0)
        returns_at_once(side.synchronize)
        returns_at_once(program.nothing[1, 1, nonblocking])
        hold.release()
        waiting.result()


def test_every_thread_has_its_own_per_thread_stream(device):
    streams = together(5, lambda _: device.per_thread_stream)
    assert len({id(stream) for stream in [*streams, device.per_thread_stream]}) == 6


def test_per_thread_streams_of_two_threads_are_not_ordered(device, program, counter):
    with device.per_thread_stream.hold():

        def work():
            program.follow[1, 1, device.per_thread_stream](counter, 0)
            device.per_thread_stream.synchronize()

        returns_at_once(work)


def test_a_thousand_short_lived_threads_each_with_its_own_stream(device, program):
    out = lp.zeros(1000, "int32", device)
    device.synchronize()

    def work(i):
        program.add[1, 1, device.per_thread_stream](out[i : i + 1], i + 1, 1)
        if i % 10 == 0:
            device.per_thread_stream.synchronize()

    for begin in range(0, 1000, 50):
        at_once(work, range(begin, begin + 50))
    assert (out.to_numpy() == np.arange(1, 1001)).all()  # legacy waits for them all


def test_legacy_waits_for_the_stream_of_a_thread_that_has_ended(device, program, counter, nonblocking):
    with nonblocking.hold() as hold:
        event = nonblocking.record()

        def work():
            device.per_thread_stream.wait(event)
            program.follow[1, 1, device.per_thread_stream](counter, 0)

        returns_at_once(work)
        assert not device.legacy_stream.query()
        waits_until_released(hold, device.legacy_stream.synchronize)
    assert counter.to_numpy()[0] == 1


def test_streams_and_events_come_and_go_on_many_threads(device, program):
    def work(i):
        for _ in range(40):
            stream = lp.Stream(blocking=i % 2 == 0, device=device)
            other = lp.Stream(blocking=i % 3 == 0, device=device)
            program.nothing[1, 1, stream]()
            other.wait(stream.record())
            program.nothing[1, 1, other]()
            del stream
            if i == 0:
                device.synchronize()

    together(6, work)
    returns_at_once(device.synchronize)


def test_threads_compile_at_once(device):
    def work(i):
        program = lp.compile(f"__global__ void k(int* out) {{ *out = {i}; }}", device)
        out = lp.zeros(1, "int32", device)
        program.k[1, 1](out)
        return int(out.to_numpy()[0])

    assert together(4, work) == [0, 1, 2, 3]


def test_threads_find_devices_at_once():
    assert len({tuple(map(id, listed)) for listed in together(8, lambda _: lp.devices())}) == 1


def test_a_busy_python_thread_does_not_stop_launches(device, program, counter):
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            sum(range(1000))

    thread = Call(busy)
    try:
        for i in range(500):
            program.follow[1, 1, device.legacy_stream](counter, i)
        assert counter.to_numpy()[0] == 500
    finally:
        stop.set()
        thread.result()


@pytest.mark.parametrize("n", [2, 8])
def test_threads_hand_work_to_each_other(device, program, counter, n):
    """A ring of threads: each waits for the event of the one before it, launches, and records its own."""
    streams = [lp.Stream(blocking=False, device=device) for _ in range(n)]
    baton, rounds, number = threading.Condition(), 20, [0]
    last = [lp.Event()]

    def mine(at, i):
        return number[0] == at * n + i

    def work(i):
        for at in range(rounds):
            with baton:
                assert baton.wait_for(functools.partial(mine, at, i), PATIENCE)
                streams[i].wait(last[0])
                program.follow[1, 1, streams[i]](counter, number[0])
                last[0] = streams[i].record()
                number[0] += 1
                baton.notify_all()

    together(n, work)
    device.synchronize()
    assert counter.to_numpy()[0] == n * rounds
