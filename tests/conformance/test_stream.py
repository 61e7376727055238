"""Streams by themselves: order, query, depth, priorities, life and death, and handles."""

import gc

import numpy as np
import pytest

import launchpath as lp

from .calls import PATIENCE, Call, becomes_true, returns_at_once, waits_until_released


def test_an_idle_stream_is_ready(legacy, blocking, nonblocking):
    for stream in (legacy, blocking, nonblocking):
        stream.synchronize()
        assert stream.query()


def test_a_stream_is_ready_after_synchronize(program, counter, nonblocking):
    program.follow[1, 1, nonblocking](counter, 0)
    nonblocking.synchronize()
    assert nonblocking.query()


def test_polling_alone_sees_the_work_end(program, counter, nonblocking):
    for i in range(10):
        program.follow[1, 1, nonblocking](counter, i)
    assert becomes_true(nonblocking.query)
    assert counter.to_numpy(nonblocking)[0] == 10


def test_polling_makes_a_single_marker_until_work_comes_in(device, program, counter, nonblocking):
    with nonblocking.hold():
        program.follow[1, 1, nonblocking](counter, 0)
        assert not nonblocking.query()
        markers = device.ordering_counts()[0]
        for _ in range(1000):
            assert not nonblocking.query()
        assert device.ordering_counts()[0] == markers
    assert becomes_true(nonblocking.query)


def test_polling_a_stream_is_not_delayed_by_another(program, counter, nonblocking, side):
    with nonblocking.hold():
        program.follow[1, 1, side](counter, 0)
        assert returns_at_once(becomes_true, side.query)
        assert not nonblocking.query()


def test_work_starts_without_a_synchronize(program, counter, nonblocking):
    import threading

    begun = threading.Event()
    program.follow[1, 1, nonblocking](counter, 0)
    nonblocking.host_function(begun.set)
    assert begun.wait(PATIENCE)


def test_a_launch_alone_starts_without_any_further_call(device, program, nonblocking):
    if not device.info["host_accessible"]:
        pytest.skip("the host cannot look at this device's memory")
    out = lp.zeros(1, "int32", device)
    seen = np.from_dlpack(out)  # which waits for the zeros
    program.spin[1, 1, nonblocking](out, 10)
    assert becomes_true(lambda: seen[0] != 0)


@pytest.mark.parametrize("kind", ["legacy", "nonblocking"])
def test_ten_thousand_launches_without_a_synchronize(request, program, counter, kind):
    stream = request.getfixturevalue(kind)
    launch = program.follow[1, 1, stream]
    for i in range(10_000):
        launch(counter, i)
    assert counter.to_numpy(stream)[0] == 10_000


def test_a_held_stream_slows_its_producer_and_loses_nothing(program, counter, nonblocking, native):
    launch = program.follow[1, 1, nonblocking]

    def produce():
        for i in range(5000):
            launch(counter, i)

    with nonblocking.hold() as hold:
        call = Call(produce)
        if native:  # their drivers take about a thousand commands for a stream that does not go on, and then block
            call.blocks()
            assert not nonblocking.query()
            hold.release()
        call.result()
        assert native or not nonblocking.query()
        hold.release()
    assert counter.to_numpy(nonblocking)[0] == 5000


def test_a_hold_holds_what_comes_after_it_only(program, counter, nonblocking):
    program.follow[1, 1, nonblocking](counter, 0)
    before = nonblocking.record()
    hold = nonblocking.hold()
    program.follow[1, 1, nonblocking](counter, 1)
    after = nonblocking.record()
    assert becomes_true(before.query)
    assert not after.query()
    waits_until_released(hold, after.synchronize)


def test_dropping_a_hold_releases_it(nonblocking):
    hold = nonblocking.hold()
    assert not nonblocking.query()
    del hold
    gc.collect()
    returns_at_once(nonblocking.synchronize)


@pytest.mark.parametrize("priority", [-100, -1, 0, 1, 100])
def test_any_priority_is_accepted_and_moved_into_the_range(device, program, counter, priority):
    least, most = device.info["priorities"]
    stream = lp.Stream(priority=priority, device=device)
    assert most <= stream.priority <= least
    program.follow[1, 1, stream](counter, 0)
    assert counter.to_numpy(stream)[0] == 1


def test_a_stream_dropped_with_work_in_flight_still_holds_back_legacy(device, program, counter, nonblocking):
    with nonblocking.hold() as hold:
        stream = lp.Stream(device=device)
        stream.wait(nonblocking.record())
        program.follow[1, 1, stream](counter, 0)
        del stream
        gc.collect()
        assert not device.legacy_stream.query()
        program.follow[1, 1, device.legacy_stream](counter, 1)
        waits_until_released(hold, device.legacy_stream.synchronize)
    assert counter.to_numpy()[0] == 2


def test_device_synchronize_covers_dropped_streams(device, program, counter, nonblocking):
    with nonblocking.hold() as hold:
        stream = lp.Stream(blocking=False, device=device)
        stream.wait(nonblocking.record())
        program.follow[1, 1, stream](counter, 0)
        del stream
        waits_until_released(hold, device.synchronize)
    assert counter.to_numpy()[0] == 1


def test_an_event_outlives_its_stream(device, program, counter, nonblocking):
    with nonblocking.hold() as hold:
        stream = lp.Stream(blocking=False, device=device)
        stream.wait(nonblocking.record())
        program.follow[1, 1, stream](counter, 0)
        event = stream.record()
        del stream
        gc.collect()
        assert not event.query()
        waits_until_released(hold, event.synchronize)
    assert counter.to_numpy()[0] == 1


def test_thousands_of_streams_may_come_and_go(device, program, counter):
    for i in range(1000):
        stream = lp.Stream(device=device)
        program.follow[1, 1, stream](counter, 2 * i)
        program.follow[1, 1, device.legacy_stream](counter, 2 * i + 1)
    assert counter.to_numpy()[0] == 2000


def test_many_streams_at_once(device, program):
    out = lp.zeros(200, "int32", device)
    streams = [lp.Stream(blocking=i % 2 == 0, device=device) for i in range(200)]
    device.synchronize()
    for i, stream in enumerate(streams):
        program.add[1, 1, stream](out[i : i + 1], i, 1)
    device.synchronize()
    assert (out.to_numpy() == np.arange(200)).all()


def test_the_default_streams_are_always_the_same(device):
    assert device.legacy_stream is device.legacy_stream
    assert device.per_thread_stream is device.per_thread_stream
    assert device.legacy_stream.blocking and device.per_thread_stream.blocking
    assert device.legacy_stream is not device.per_thread_stream


def test_a_stream_knows_what_it_is(device):
    assert lp.Stream(device=device).blocking
    assert not lp.Stream(blocking=False, device=device).blocking
    assert lp.Stream(device=device).device is device
    assert "non-blocking" in repr(lp.Stream(blocking=False, device=device))


def test_a_stream_is_for_a_device_and_nothing_else():
    with pytest.raises(lp.ArgumentValueError, match=r"expected a device of launchpath\.devices"):
        lp.Stream(device=object())
    with pytest.raises(lp.NoDeviceError, match="no device 'a name'"):
        lp.Stream(device="a name")
