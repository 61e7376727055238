"""Events: recording, waiting, recording again while somebody waits, time."""

import itertools
import time

import pytest

import launchpath as lp

from .calls import becomes_true, returns_at_once, waits_until_released


def test_an_event_that_was_never_recorded_is_complete(program, counter, nonblocking):
    event = lp.Event()
    assert event.query()
    event.synchronize()
    nonblocking.wait(event)
    program.follow[1, 1, nonblocking](counter, 0)
    assert counter.to_numpy(nonblocking)[0] == 1


def test_record_gives_an_event_or_takes_an_event(nonblocking):
    event = lp.Event()
    assert nonblocking.record(event) is event
    assert isinstance(nonblocking.record(), lp.Event)


def test_an_event_covers_what_was_submitted_before_it_and_nothing_else(program, counter, nonblocking):
    program.follow[1, 1, nonblocking](counter, 0)
    event = nonblocking.record()
    with nonblocking.hold():
        program.follow[1, 1, nonblocking](counter, 1)
        returns_at_once(event.synchronize)
        assert event.query()
        assert not nonblocking.query()


def test_wait_orders_streams_without_blocking_the_caller(program, counter, nonblocking, side):
    with nonblocking.hold() as hold:
        program.follow[1, 1, nonblocking](counter, 0)
        returns_at_once(side.wait, nonblocking.record())
        program.follow[1, 1, side](counter, 1)
        assert not side.query()
        waits_until_released(hold, side.synchronize)
    assert counter.to_numpy(side)[0] == 2


def test_a_wait_does_not_hold_back_what_was_submitted_before_it(program, counter, nonblocking, side):
    with nonblocking.hold():
        program.follow[1, 1, side](counter, 0)
        before = side.record()
        side.wait(nonblocking.record())
        returns_at_once(before.synchronize)


def test_waiting_for_an_event_of_the_same_stream_does_not_hang(program, counter, nonblocking):
    program.follow[1, 1, nonblocking](counter, 0)
    nonblocking.wait(nonblocking.record())
    program.follow[1, 1, nonblocking](counter, 1)
    assert counter.to_numpy(nonblocking)[0] == 2


def test_waiting_for_a_completed_event_orders_nothing(nonblocking, side):
    event = nonblocking.record()
    event.synchronize()
    with nonblocking.hold():
        side.wait(event)
        assert side.query()


def test_recording_again_does_not_disturb_who_waits_for_the_earlier_record(device, program, counter, nonblocking, side):
    third = lp.Stream(blocking=False, device=device)
    event = nonblocking.record()
    side.wait(event)
    with third.hold():
        third.record(event)
        assert not event.query()
        program.follow[1, 1, side](counter, 0)
        returns_at_once(side.synchronize)


def test_who_waits_goes_on_waiting_for_the_record_it_saw(device, program, counter, nonblocking, side):
    third = lp.Stream(blocking=False, device=device)
    with nonblocking.hold() as hold:
        event = nonblocking.record()
        side.wait(event)
        third.record(event)
        assert event.query()
        program.follow[1, 1, side](counter, 0)
        assert not side.query()
        waits_until_released(hold, side.synchronize)


def test_an_event_dropped_while_it_is_waited_for_goes_on_ordering(program, counter, nonblocking, side):
    with nonblocking.hold() as hold:
        program.follow[1, 1, nonblocking](counter, 0)
        event = nonblocking.record()
        side.wait(event)
        program.follow[1, 1, side](counter, 1)
        del event
        waits_until_released(hold, side.synchronize)
    assert counter.to_numpy(side)[0] == 2


def test_two_streams_that_wait_for_each_other_in_turn_five_hundred_times(program, counter, nonblocking, side):
    here, there = lp.Event(), lp.Event()
    number = 0
    for _ in range(500):
        program.follow[1, 1, nonblocking](counter, number)
        nonblocking.record(here)
        side.wait(here)
        program.follow[1, 1, side](counter, number + 1)
        side.record(there)
        nonblocking.wait(there)
        number += 2
    returns_at_once(nonblocking.synchronize)
    assert counter.to_numpy(nonblocking)[0] == number


def test_two_blocking_streams_and_legacy_in_a_circle(program, counter, device):
    blocking, other, legacy = lp.Stream(device=device), lp.Stream(device=device), device.legacy_stream
    event = lp.Event()
    number = 0
    for _ in range(200):
        for stream, following in ((blocking, other), (other, legacy), (legacy, blocking)):
            program.follow[1, 1, stream](counter, number)
            number += 1
            stream.record(event)
            following.wait(event)
    returns_at_once(device.synchronize)
    assert counter.to_numpy()[0] == number


def test_a_flood_of_records_of_the_same_event(program, counter, nonblocking, side):
    event = lp.Event()
    for i in range(3000):
        program.follow[1, 1, nonblocking](counter, i)
        nonblocking.record(event)
        if i % 3 == 0:
            side.wait(event)
    event.synchronize()
    assert counter.to_numpy(nonblocking)[0] == 3000
    returns_at_once(side.synchronize)


def test_a_flood_of_events_that_all_stay_alive(program, counter, nonblocking, side):
    events = []
    for i in range(2000):
        program.follow[1, 1, nonblocking](counter, i)
        events.append(nonblocking.record())
    for event in events:
        side.wait(event)
    side.synchronize()
    assert all(event.query() for event in events)


def test_a_flood_of_events_on_a_held_stream(nonblocking, side):
    with nonblocking.hold() as hold:
        events = [nonblocking.record() for _ in range(1000)]
        for event in events:
            side.wait(event)
        assert not any(event.query() for event in events)
        hold.release()
    assert all(becomes_true(event.query) for event in events)


def test_elapsed_time_is_the_devices_time_between_two_events(nonblocking):
    # PoCL's thread takes the time of an event itself: on a busy machine it may be called away right before.
    measured = []
    for _ in range(5):
        outer = time.perf_counter()
        start = nonblocking.record(timing=True)
        start.synchronize()
        inner = time.perf_counter()
        with nonblocking.hold():
            end = nonblocking.record(timing=True)
            time.sleep(0.02)
            at_least = time.perf_counter() - inner
        end.synchronize()
        at_most = time.perf_counter() - outer
        measured.append((0.9e3 * at_least, start.elapsed_time(end), 1.1e3 * at_most))
        assert end.elapsed_time(start) == pytest.approx(-measured[-1][1])
        if measured[-1] == tuple(sorted(measured[-1])):
            return
    pytest.fail(f"expected elapsed times within what the host measured, got {measured}")


def test_elapsed_time_waits_for_both_events(nonblocking):
    start = nonblocking.record(timing=True)
    hold = nonblocking.hold()
    end = nonblocking.record(timing=True)
    assert waits_until_released(hold, start.elapsed_time, end) > 0


def test_times_grow_along_a_stream(program, counter, nonblocking):
    events = [nonblocking.record(timing=True)]
    for i in range(20):
        program.follow[1, 1, nonblocking](counter, i)
        events.append(nonblocking.record(timing=True))
    steps = [event.elapsed_time(other) for event, other in itertools.pairwise(events)]
    assert min(steps) >= 0
    assert sum(steps) == pytest.approx(events[0].elapsed_time(events[-1]), abs=1e-3)


def test_a_timed_event_recorded_again_takes_the_new_time(nonblocking):
    start = nonblocking.record(timing=True)
    event = lp.Event(timing=True)
    nonblocking.record(event)
    first = start.elapsed_time(event)
    time.sleep(0.005)
    nonblocking.record(event)
    assert start.elapsed_time(event) > first


@pytest.mark.parametrize("which", ["untimed", "unrecorded"])
def test_elapsed_time_needs_two_timed_and_recorded_events(nonblocking, which):
    timed = nonblocking.record(timing=True)
    other = nonblocking.record() if which == "untimed" else lp.Event(timing=True)
    for start, end in ((timed, other), (other, timed)):
        with pytest.raises(lp.ArgumentValueError, match="timing=True|not recorded: record it"):
            start.elapsed_time(end)


def test_wait_and_record_take_events_only(nonblocking):
    with pytest.raises(TypeError):
        nonblocking.wait("an event")
    with pytest.raises(TypeError):
        nonblocking.record(nonblocking)
