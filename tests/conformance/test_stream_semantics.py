"""CUDA's stream semantics as measured: what a call waits for while work on another stream has not ended.

The work is a held stream: it does not end before the test says so, however slow or fast the machine is.
"""

import itertools

import pytest

import launchpath as lp

from .calls import PATIENCE, returns_at_once, waits_until_released

# What the legacy default stream is ordered with, and nothing else is with each other.
LEGACY_RULE = ("blocking", "per_thread")
KINDS = ("legacy", "blocking", "blocking2", "per_thread", "nonblocking", "nonblocking2")


def ordered(first, second):
    return "legacy" in (first, second) and {first.rstrip("2"), second.rstrip("2")} & set(LEGACY_RULE)


@pytest.fixture
def streams(device):
    return {
        "legacy": device.legacy_stream,
        "blocking": lp.Stream(device=device),
        "blocking2": lp.Stream(device=device),
        "per_thread": device.per_thread_stream,
        "nonblocking": lp.Stream(blocking=False, device=device),
        "nonblocking2": lp.Stream(blocking=False, device=device),
    }


@pytest.fixture
def per_thread(device):
    return device.per_thread_stream


# The measured table, row by row.


def test_legacy_busy_synchronizing_an_idle_blocking_stream_returns_at_once(legacy, blocking):
    with legacy.hold():
        returns_at_once(blocking.synchronize)


def test_legacy_busy_an_idle_blocking_stream_is_ready(legacy, blocking):
    with legacy.hold():
        assert blocking.query()


def test_legacy_busy_an_event_recorded_on_an_idle_blocking_stream_waits(legacy, blocking):
    hold = legacy.hold()
    event = blocking.record()
    assert not event.query()
    waits_until_released(hold, event.synchronize)
    assert event.query()


def test_legacy_busy_synchronizing_the_per_thread_stream_returns_at_once(legacy, per_thread):
    with legacy.hold():
        returns_at_once(per_thread.synchronize)
        assert per_thread.query()


def test_blocking_busy_synchronizing_idle_legacy_waits(legacy, blocking):
    waits_until_released(blocking.hold(), legacy.synchronize)


def test_blocking_busy_idle_legacy_is_not_ready(legacy, blocking):
    with blocking.hold():
        assert not legacy.query()
    legacy.synchronize()
    assert legacy.query()


def test_blocking_busy_an_event_recorded_on_idle_legacy_waits(legacy, blocking):
    hold = blocking.hold()
    event = legacy.record()
    assert not event.query()
    waits_until_released(hold, event.synchronize)


def test_per_thread_busy_synchronizing_legacy_waits(legacy, per_thread):
    waits_until_released(per_thread.hold(), legacy.synchronize)


def test_per_thread_busy_idle_legacy_is_not_ready(legacy, per_thread):
    with per_thread.hold():
        assert not legacy.query()


def test_nonblocking_busy_synchronizing_legacy_returns_at_once(legacy, nonblocking):
    with nonblocking.hold():
        returns_at_once(legacy.synchronize)
        assert legacy.query()


# Launches: every pair of kinds, both ways.


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(KINDS, 2)))
def test_a_launch_waits_for_another_stream_only_by_the_legacy_rule(program, streams, counter, first, second):
    with streams[first].hold() as hold:
        program.follow[1, 1, streams[first]](counter, 0)
        waits = ordered(first, second)
        program.follow[1, 1, streams[second]](counter, 1 if waits else 7)
        event = streams[second].record()
        if waits:
            assert not event.query()
            waits_until_released(hold, event.synchronize)
            assert counter.to_numpy(streams[second])[0] == 2
        else:
            returns_at_once(event.synchronize)
            assert event.query()


@pytest.mark.parametrize("kind", ["legacy", "blocking", "per_thread", "nonblocking"])
def test_commands_of_a_stream_run_in_order(program, streams, counter, kind):
    stream = streams[kind]
    for i in range(300):
        program.follow[1, 1, stream](counter, i)
    assert counter.to_numpy(stream)[0] == 300


def test_legacy_carries_what_it_waited_for_to_other_blocking_streams(program, streams, counter):
    with streams["blocking"].hold() as hold:
        program.follow[1, 1, streams["blocking"]](counter, 0)
        program.follow[1, 1, streams["legacy"]](counter, 1)
        program.follow[1, 1, streams["blocking2"]](counter, 2)
        assert not streams["blocking2"].query()
        waits_until_released(hold, streams["blocking2"].synchronize)
    assert counter.to_numpy(streams["blocking2"])[0] == 3


def test_legacy_launches_see_work_that_came_in_between_them(program, streams, counter):
    for i in range(0, 300, 3):
        program.follow[1, 1, streams["legacy"]](counter, i)
        program.follow[1, 1, streams["blocking"]](counter, i + 1)
        program.follow[1, 1, streams["legacy"]](counter, i + 2)
    assert counter.to_numpy()[0] == 300


def test_alternating_between_many_blocking_streams_through_legacy_stays_in_order(device, program, counter):
    streams = [lp.Stream(device=device) for _ in range(12)]
    number = 0
    for _ in range(5):
        for stream in streams:
            program.follow[1, 1, device.legacy_stream](counter, number)
            program.follow[1, 1, stream](counter, number + 1)
            number += 2
    assert counter.to_numpy()[0] == number


# Recording and waiting count as commands; query and synchronize of a blocking stream cover its own commands only.


def test_recording_on_a_blocking_stream_counts_as_a_command(legacy, blocking, native):
    with legacy.hold():
        event = blocking.record()
        assert not event.query()
        # CUDA's own query of a stream (H200, CUDA 13.0) may say that it is ready: a record is not waited for there.
        assert native or not blocking.query()
    legacy.synchronize()


def test_a_wait_on_a_blocking_stream_holds_back_legacy(program, streams, counter):
    with streams["nonblocking"].hold() as hold:
        streams["blocking"].wait(streams["nonblocking"].record())
        assert not streams["legacy"].query()
        program.follow[1, 1, streams["legacy"]](counter, 0)
        event = streams["legacy"].record()
        assert not event.query()
        waits_until_released(hold, event.synchronize)


def test_a_wait_on_legacy_holds_back_blocking_streams(program, streams, counter):
    with streams["nonblocking"].hold() as hold:
        streams["legacy"].wait(streams["nonblocking"].record())
        program.follow[1, 1, streams["blocking"]](counter, 0)
        assert not streams["blocking"].query()
        waits_until_released(hold, streams["blocking"].synchronize)


def test_a_wait_on_a_blocking_stream_does_not_hold_back_another(program, streams, counter):
    with streams["nonblocking"].hold():
        streams["blocking"].wait(streams["nonblocking"].record())
        program.follow[1, 1, streams["blocking2"]](counter, 0)
        returns_at_once(streams["blocking2"].synchronize)
        assert not streams["blocking"].query()


def test_synchronizing_a_stream_that_only_waits_waits(nonblocking, side):
    hold = nonblocking.hold()
    side.wait(nonblocking.record())
    assert not side.query()
    waits_until_released(hold, side.synchronize)
    assert side.query()


def test_synchronizing_a_blocking_stream_leaves_out_what_others_submitted(program, streams, counter):
    with streams["blocking"].hold():
        program.follow[1, 1, streams["blocking2"]](counter, 0)
        returns_at_once(streams["blocking2"].synchronize)
        assert counter.to_numpy(streams["nonblocking"])[0] == 1
        assert not streams["blocking"].query()


def test_work_submitted_to_legacy_later_does_not_delay_an_earlier_blocking_event(program, streams, counter):
    program.follow[1, 1, streams["blocking"]](counter, 0)
    event = streams["blocking"].record()
    with streams["legacy"].hold():
        returns_at_once(event.synchronize)


def test_device_synchronize_covers_every_kind(device, streams):
    for stream in streams.values():
        waits_until_released(stream.hold(), device.synchronize)


def test_per_thread_streams_of_other_threads_count_for_legacy(device, legacy):
    import threading

    held, done = threading.Event(), threading.Event()
    holds = []

    def other():
        holds.append(device.per_thread_stream.hold())
        held.set()
        done.wait(PATIENCE)

    thread = threading.Thread(target=other)
    thread.start()
    assert held.wait(PATIENCE)
    try:
        assert not legacy.query()
        assert device.per_thread_stream.query()
        waits_until_released(holds[0], legacy.synchronize)
    finally:
        holds[0].release()
        done.set()
        thread.join()
