"""Events: the library's own, recorded and waited for at the call."""

import ctypes
import gc

import pytest

import launchpath as lp
from tests.standin.client import on_thread, soon


def _first(array):
    return ctypes.c_int.from_address(array.pointer).value


def test_a_record_is_submitted_at_the_call(gpu, stream, array):
    array.fill(1, stream)
    gpu.forget_calls()
    event = stream.record()
    assert len(gpu.calls("cuEventRecord")) == 1
    event.synchronize()


def test_a_record_stands_for_what_came_before(gpu, stream, array):
    with gpu.control.paused():
        array.fill(1, stream)
        event = stream.record()
        array.fill(2, stream)
        assert not event.query()
        handle = stream.handle
        assert gpu.control.step(2, handle) == 2  # the fill and the record
        assert event.query()
        assert _first(array) == 1
        assert not stream.query()
    stream.synchronize()


@pytest.mark.parametrize("kind", ["blocking", "per-thread"])
def test_a_record_on_an_idle_blocking_stream_follows_legacy_work(gpu, kind):
    legacy, stream, other = gpu.stream("legacy"), gpu.stream(kind), gpu.stream()
    array, seen = gpu.zeros(), gpu.zeros()
    with legacy.hold():
        array.fill(4, legacy)
        event = stream.record()
        other.wait(event)
        lp._core.copy_bytes(other, seen.pointer, array.pointer, 64)
        array_after = gpu.zeros()
        array_after.fill(1, gpu.stream())
        assert not event.query()
        assert not other.query()
    other.synchronize()
    assert _first(seen) == 4


def test_recording_again_does_not_disturb_who_waits(gpu):
    stream, other, late = gpu.stream(), gpu.stream(), gpu.stream()
    event = lp.Event()
    first = gpu.zeros()
    first.fill(1, stream)
    stream.record(event)
    other.wait(event)
    with stream.hold():
        stream.record(event)
        late.wait(event)
        assert soon(other.record().query)
        gone = late.record()
        assert not gone.query()
        assert not event.query()
    gone.synchronize()
    assert event.query()


def test_a_wait_holds_for_everything_after_it(gpu):
    stream, other = gpu.stream(), gpu.stream()
    array, seen = gpu.zeros(), gpu.zeros()
    with stream.hold():
        array.fill(5, stream)
        other.wait(stream.record())
        for _ in range(3):
            lp._core.copy_bytes(other, seen.pointer, array.pointer, 64)
        assert not other.query()
    other.synchronize()
    assert _first(seen) == 5


def test_a_wait_on_the_legacy_stream_holds_back_blocking_streams(gpu):
    stream, legacy, blocking = gpu.stream(), gpu.stream("legacy"), gpu.stream("blocking")
    free = gpu.stream()
    array = gpu.zeros()
    with stream.hold():
        legacy.wait(stream.record())
        array.fill(1, blocking)
        assert not blocking.query()
        assert soon(free.record().query)
    blocking.synchronize()


def test_every_wait_is_the_librarys(gpu):
    """A wait is a command that others are ordered after, whatever there is to wait for (docs/ordering.md, rule 4)."""
    stream, other = gpu.stream(), gpu.stream()
    with stream.hold():
        event = stream.record()
        gpu.forget_calls()
        other.wait(event)
        other.wait(event)
        stream.wait(event)
        assert len(gpu.calls("cuStreamWaitEvent")) == 3
    event.synchronize()
    gpu.forget_calls()
    other.wait(event)
    assert len(gpu.calls("cuStreamWaitEvent")) == 1


@pytest.mark.parametrize("event_of", ["blocking", "nonblocking", "legacy"])
@pytest.mark.parametrize("is_complete", [True, False])
def test_a_wait_of_the_legacy_stream_orders_blocking_streams(gpu, event_of, is_complete):
    legacy, first, two, seen = gpu.stream("legacy"), gpu.stream("blocking"), gpu.stream("blocking"), []
    event = gpu.stream(event_of).record()
    if is_complete:
        event.synchronize()
    with first.hold():
        first.host_function(seen.append, "one")
        legacy.wait(event)
        two.host_function(seen.append, "two")
        assert not two.query()
    gpu.device.synchronize()
    assert seen == ["one", "two"]


def test_a_wait_of_a_blocking_stream_comes_after_the_legacy_stream(gpu):
    """Rule 7: what covers the stream covers its waits, which come after the legacy stream's work."""
    legacy, blocking = gpu.stream("legacy"), gpu.stream("blocking")
    event = gpu.stream().record()
    event.synchronize()
    with legacy.hold():
        blocking.wait(event)
        assert not blocking.query()
    blocking.synchronize()
    assert legacy.query()


def test_a_wait_across_devices_is_the_librarys(gpu):
    stream, other = gpu.stream(), gpu.stream(ordinal=1)
    array = gpu.zeros(ordinal=1)
    with stream.hold():
        event = stream.record()
        gpu.forget_calls()
        other.wait(event)
        array.fill(1, other)
        calls = gpu.calls()
        assert [call.stream for call in calls if call.name == "cuStreamWaitEvent"] == [other.handle]
        assert not [call for call in calls if call.name == "cuLaunchHostFunc"]
        assert not other.query()
    other.synchronize()
    assert _first(array) == 1


def test_both_devices_can_wait_for_each_other_in_turn(gpu):
    streams = [gpu.stream(ordinal=i) for i in range(2)]
    arrays = [gpu.zeros(ordinal=i) for i in range(2)]
    for turn in range(10):
        here, there = streams[turn % 2], streams[1 - turn % 2]
        gpu.kernel("increment", turn % 2)[1, 16, here](arrays[turn % 2], 16)
        there.wait(here.record())
    for stream in streams:
        stream.synchronize()
    assert [_first(array) for array in arrays] == [5, 5]


def test_events_never_recorded_are_complete(gpu):
    event, stream = lp.Event(), gpu.stream()
    assert event.query()
    event.synchronize()
    stream.wait(event)
    assert stream.query()


def test_elapsed_time(gpu, stream):
    start = stream.record(timing=True)
    gpu.kernel("wait_us")[1, 1, stream](2000)
    end = stream.record(timing=True)
    assert 1.9 < start.elapsed_time(end) < 60_000
    assert -60_000 < end.elapsed_time(start) < -1.9


def test_elapsed_time_waits(stream):
    with stream.hold():
        start = stream.record(timing=True)
        end = stream.record(timing=True)
        times = []
        thread = on_thread(lambda: times.append(start.elapsed_time(end)))
        assert times == []
    thread.join()
    assert times[0] >= 0


def test_elapsed_time_needs_times_of_a_single_device(gpu):
    stream, other = gpu.stream(), gpu.stream(ordinal=1)
    timed = stream.record(timing=True)
    with pytest.raises(lp.ArgumentValueError, match="timing=True"):
        timed.elapsed_time(stream.record())
    with pytest.raises(lp.ArgumentValueError, match="not recorded"):
        timed.elapsed_time(lp.Event(timing=True))
    with pytest.raises(lp.ArgumentValueError, match="same device"):
        timed.elapsed_time(other.record(timing=True))


def test_only_timed_events_are_created_with_times(gpu):
    stream = gpu.stream()
    kept = [stream.record() for _ in range(16)], [stream.record(timing=True) for _ in range(16)]
    gc.collect()
    gpu.forget_calls()
    more = [stream.record(timing=timing) for timing in (False, True) for _ in range(16)]
    events = {call.detail for call in gpu.calls("cuEventRecord")}
    assert len(events) == 32  # each of its own, while all are held
    assert kept[1][0].elapsed_time(more[-1]) >= 0


def test_events_are_used_again(gpu):
    stream, other = gpu.stream(), gpu.stream()
    for _ in range(20):
        other.wait(stream.record())
    gpu.device.synchronize()
    before = gpu.live()["events"]
    for _ in range(200):
        with stream.hold():
            other.wait(stream.record())
        other.synchronize()
        stream.synchronize()
    assert gpu.live()["events"] <= before + 2


def test_an_event_is_not_used_again_while_it_is_waited_for(gpu):
    """Dropped by Python, recorded elsewhere meanwhile: who waits for the old record is not held back, nor let go too early."""
    stream, other, third = gpu.stream(), gpu.stream(), gpu.stream()
    array, seen = gpu.zeros(), gpu.zeros()
    with stream.hold():
        array.fill(8, stream)
        other.wait(stream.record())
        lp._core.copy_bytes(other, seen.pointer, array.pointer, 64)
        gc.collect()
        for _ in range(50):
            third.record().synchronize()
        assert not other.query()
    other.synchronize()
    assert _first(seen) == 8


def test_many_waits_at_once(gpu):
    sources = [gpu.stream() for _ in range(20)]
    holds = [stream.hold() for stream in sources]
    stream, array = gpu.stream(), gpu.zeros()
    for source in sources:
        stream.wait(source.record())
    array.fill(1, stream)
    for hold in holds[:-1]:
        hold.release()
    for source in sources[:-1]:
        source.synchronize()
    assert not stream.query()
    holds[-1].release()
    stream.synchronize()
    assert _first(array) == 1
