"""What is current on a thread: `with device:` and `with stream:`."""

import pytest

import launchpath as lp

from .calls import returns_at_once


def test_with_device_makes_it_current(device):
    before = lp.current_device()
    with device as entered:
        assert entered is device
        assert lp.current_device() is device
        assert lp.current_stream() is device.legacy_stream
        assert lp.empty(1).device is device
        assert lp.zeros(1).device is device
        assert lp.asarray([1]).device is device
        assert lp.Stream().device is device
        assert lp.compile("__global__ void k() {}").device is device
    assert lp.current_device() is before


def test_with_stream_makes_it_and_its_device_current(device, nonblocking):
    before = lp.current_device()
    with nonblocking as entered:
        assert entered is nonblocking
        assert lp.current_stream() is nonblocking
        assert lp.current_device() is device
        assert lp.empty(1).device is device
    assert lp.current_device() is before
    assert lp.current_stream() is before.legacy_stream


def test_launches_that_name_no_stream_go_to_the_current_stream(program, counter, nonblocking, device):
    launch = program.follow[1, 1]
    with nonblocking.hold():
        with nonblocking:
            launch(counter, 0)
            launch(counter, 1)
        launch(counter, 7)  # on legacy, which waits for none of this
        returns_at_once(device.legacy_stream.synchronize)
        assert not nonblocking.query()
    assert counter.to_numpy(nonblocking)[0] == 2


def test_a_launch_that_names_a_stream_goes_there(program, counter, nonblocking, side):
    with nonblocking.hold(), nonblocking:
        program.follow[1, 1, side](counter, 0)
        returns_at_once(side.synchronize)
    assert counter.to_numpy(side)[0] == 1


def test_copies_and_fills_that_name_no_stream_go_to_the_current_stream(device, nonblocking, side):
    array = lp.zeros(4, "int32", device)
    device.synchronize()
    with nonblocking.hold() as hold:
        with nonblocking:
            array.fill(3)
            array[:2].copy_from([5, 5])
            lp.empty(4, "int32").copy_from(array)
        assert not nonblocking.query()
        assert device.legacy_stream.query()
        assert array.to_numpy(side).tolist() == [0] * 4
        hold.release()
        with nonblocking:
            assert array.to_numpy().tolist() == [5, 5, 3, 3]


def test_they_nest_and_an_exception_leaves_them(device, nonblocking, side):
    before = lp.current_stream()
    with nonblocking:
        with side:
            assert lp.current_stream() is side
            with nonblocking:
                assert lp.current_stream() is nonblocking
            assert lp.current_stream() is side
        with device:
            assert lp.current_stream() is device.legacy_stream
        with pytest.raises(ZeroDivisionError), side:
            1 / 0  # noqa: B018
        assert lp.current_stream() is nonblocking
    assert lp.current_stream() is before


def test_another_thread_has_its_own(device, nonblocking):
    with nonblocking:
        assert returns_at_once(lp.current_stream) is not nonblocking
        assert lp.current_stream() is nonblocking


def test_a_stream_entered_stays_alive(device, program, counter):
    with lp.Stream(blocking=False, device=device):
        program.follow[1, 1](counter, 0)
        assert counter.to_numpy()[0] == 1


def test_synchronize_covers_the_current_device(device, nonblocking, program, counter):
    program.follow[1, 1, nonblocking](counter, 0)
    with device:
        lp.synchronize()
    assert nonblocking.query()


def test_two_devices_nest(two_devices):
    device, other = two_devices
    stream = lp.Stream(device=device)
    with other:
        with stream:
            assert lp.current_device() is device
        assert lp.current_device() is other
        assert lp.current_stream() is other.legacy_stream


def test_the_current_stream_of_another_device_is_not_used_for_an_array(two_devices):
    device, other = two_devices
    array = lp.zeros(3, "int32", device)
    with lp.Stream(blocking=False, device=other):
        array.fill(2)
        assert array.to_numpy().tolist() == [2, 2, 2]
