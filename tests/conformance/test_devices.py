"""Several devices and platforms in one process: finding them, and waits that cross from one to another."""

import numpy as np
import pytest

import launchpath as lp

from .calls import Call, returns_at_once, waits_until_released


@pytest.fixture
def streams(two_devices):
    return [lp.Stream(blocking=False, device=device) for device in two_devices]


@pytest.fixture
def counters(two_devices):
    arrays = [lp.asarray([0], "int32", device) for device in two_devices]
    for device in two_devices:
        device.synchronize()
    return arrays


@pytest.fixture
def follow(two_devices, programs):
    return [programs(device).follow for device in two_devices]


def test_devices_are_always_the_same_objects(device):
    assert device in lp.devices()
    assert lp.devices() == lp.devices()
    assert all(first is other for first, other in zip(lp.devices(), lp.devices(), strict=True))


def test_a_device_is_selected_by_index_and_by_words(device):
    index = lp.devices().index(device)
    assert lp.device(index) is device
    assert lp.device(str(index)) is device
    words = [device.info[key] for key in ("driver", "platform", "name")]  # a GPU may be there by two drivers
    assert lp.device(" ".join(words).upper()) is device
    for which in ("no such thing", 1000, -1):
        with pytest.raises(lp.NoDeviceError, match="no device") as raised:
            lp.device(which)
        assert device.name in str(raised.value)


def test_a_device_tells_about_itself(device):
    info = device.info
    for key in ("name", "vendor", "platform", "driver", "driver_version", "kind"):
        assert isinstance(info[key], str)
        assert info[key]
    assert info["compute_units"] > 0
    assert info["max_threads_per_block"] >= 64
    assert len(info["max_block"]) == len(info["max_grid"]) == 3
    assert info["shared_memory_per_block"] >= 16 * 1024
    assert info["parameter_bytes"] >= 256
    assert info["total_memory"] > 0
    least, most = info["priorities"]
    assert most <= 0 <= least
    assert device.name in repr(device)


def test_what_was_left_out_is_reported(device):
    assert all(len(entry) == 2 and all(isinstance(word, str) for word in entry) for entry in lp.skipped_devices())


def test_a_wait_across_devices_does_not_block_the_caller(streams, counters, follow):
    stream, other = streams
    with stream.hold() as hold:
        follow[0][1, 1, stream](counters[0], 0)
        returns_at_once(other.wait, stream.record())
        returns_at_once(follow[1][1, 1, other], counters[1], 0)
        assert not other.query()
        waits_until_released(hold, other.synchronize)
        assert stream.query()
    assert counters[1].to_numpy(other)[0] == 1


def test_a_wait_across_devices_for_a_completed_event_orders_nothing(streams, counters, follow):
    stream, other = streams
    follow[0][1, 1, stream](counters[0], 0)
    event = stream.record()
    event.synchronize()
    with stream.hold():
        other.wait(event)
        follow[1][1, 1, other](counters[1], 0)
        returns_at_once(other.synchronize)


def test_an_event_of_two_devices_at_once(streams, two_devices):
    third = [lp.Stream(blocking=False, device=device) for device in two_devices]
    with streams[0].hold() as hold0, streams[1].hold() as hold1:
        for stream in third:
            stream.wait(streams[0].record())
            stream.wait(streams[1].record())
        hold0.release()
        returns_at_once(streams[0].synchronize)
        assert not third[0].query()
        assert not third[1].query()
        hold1.release()
    for stream in third:
        returns_at_once(stream.synchronize)


def test_two_devices_in_turn(streams, counters, follow):
    stream, other = streams
    for i in range(100):
        follow[0][1, 1, stream](counters[0], i)
        other.wait(stream.record())
        follow[1][1, 1, other](counters[1], i)
        stream.wait(other.record())
    returns_at_once(stream.synchronize)
    assert counters[0].to_numpy(stream)[0] == counters[1].to_numpy(other)[0] == 100


def test_host_functions_of_two_devices_run_in_the_order_of_their_waits(streams):
    stream, other = streams
    seen = []
    for i in range(20):
        stream.host_function(seen.append, ("one", i))
        other.wait(stream.record())
        other.host_function(seen.append, ("other", i))
        stream.wait(other.record())
    returns_at_once(stream.synchronize)
    assert seen == [(who, i) for i in range(20) for who in ("one", "other")]


def test_the_legacy_stream_concerns_its_own_device_only(two_devices, counters, follow):
    first, second = two_devices
    blocking = lp.Stream(device=second)
    with first.legacy_stream.hold():
        follow[1][1, 1, blocking](counters[1], 0)
        follow[1][1, 1, second.legacy_stream](counters[1], 1)
        returns_at_once(second.synchronize)
        assert second.legacy_stream.query()
        assert not first.legacy_stream.query()
    assert counters[1].to_numpy()[0] == 2


def test_a_wait_on_another_devices_legacy_stream_holds_back_its_blocking_streams(two_devices, counters, follow):
    first, other = two_devices
    source, blocking = lp.Stream(blocking=False, device=first), lp.Stream(device=other)
    with source.hold() as hold:
        other.legacy_stream.wait(source.record())
        follow[1][1, 1, blocking](counters[1], 0)
        assert not blocking.query()
        waits_until_released(hold, blocking.synchronize)


def test_each_device_has_its_own_per_thread_stream(two_devices):
    device, other = two_devices
    assert device.per_thread_stream is not other.per_thread_stream
    assert device.per_thread_stream.device is device


def test_copies_between_two_devices(two_devices, streams):
    device, other = two_devices
    source, to = lp.asarray(np.arange(1000, dtype="int32"), device=device), lp.zeros(1000, "int32", other)
    to.copy_from(source)
    assert (to.to_numpy() == np.arange(1000)).all()
    to.fill(7)
    to.copy_to(source)
    assert (source.to_numpy() == 7).all()
    assert lp.asarray(source, device=other).device is other
    assert (lp.asarray(source, device=other).to_numpy() == 7).all()


def test_a_kernel_takes_no_array_of_a_device_that_it_cannot_reach(two_devices, counters, follow):
    device, other = two_devices
    if device.can_access_peer(other):
        device.enable_peer(other)
        follow[0][1, 1](counters[1], 0)
        assert counters[1].to_numpy()[0] == 1
        return
    with pytest.raises(lp.LaunchpathError, match="cannot access the memory of"):
        device.enable_peer(other)
    with pytest.raises(lp.ArgumentValueError, match="copy it there"):
        follow[0][1, 1](counters[1], 0)


def test_a_copy_from_another_device_waits_for_the_work_there(two_devices):
    device, other = two_devices
    source, to = lp.zeros(100, "int32", device), lp.zeros(100, "int32", other)
    hold = device.legacy_stream.hold()
    source.fill(3)
    waits_until_released(hold, to.copy_from, source)
    assert (to.to_numpy() == 3).all()


def test_events_of_two_devices_have_no_time_between_them(streams):
    start, end = (stream.record(timing=True) for stream in streams)
    with pytest.raises(lp.ArgumentValueError, match="the same device"):
        start.elapsed_time(end)


def test_two_devices_from_two_threads(two_devices, programs):
    def work(device):
        out = lp.zeros(1, "int32", device)
        for i in range(1000):
            programs(device).follow[1, 1](out, i)
        return int(out.to_numpy()[0])

    for device in two_devices:
        programs(device)
    assert [call.result() for call in [Call(work, device) for device in two_devices]] == [1000, 1000]


@pytest.mark.parametrize("key", [np.s_[:, 2:5], np.s_[::2], np.s_[::-1, 1], np.s_[...]], ids=str)
def test_parts_are_set_from_an_array_of_the_other_device(two_devices, key):
    """After the work on it, whichever way it goes."""
    for device, other in (two_devices, two_devices[::-1]):
        host = np.arange(48, dtype="int32").reshape(6, 8)
        to, value = lp.asarray(host, device=device), lp.empty(host[key].shape, "int32", other)
        value.fill(5)
        to[key] = value
        value.fill(6)
        host[key] = 5
        assert (to.to_numpy() == host).all()
        with pytest.raises(lp.ArgumentValueError, match="got an array of float32: convert it with astype"):
            to[key] = lp.zeros(value.shape, "float32", other)
