"""Commands with times: an event before each and one behind it, from a moment that the host knows."""

import threading
import time

import pytest

import launchpath as lp
from launchpath import _core


@pytest.fixture
def timed(gpu):
    _core.time_commands(gpu.device)
    yield
    _core.time_commands(gpu.device, False)
    gpu.device.synchronize()
    _core.command_times(gpu.device)


@pytest.mark.leaves("events")
def test_start_and_end(gpu, stream, array, timed):
    gpu.device.synchronize()
    _core.command_times(gpu.device)
    there, here, error = _core.clock_pair(gpu.device)
    began = time.monotonic_ns()
    gpu.kernel("increment")[1, 16, stream](array, 16)
    array.fill(3, stream)
    array.to_numpy(stream)
    ended = time.monotonic_ns()
    times = _core.command_times(gpu.device)
    assert [(call, name) for call, name, *_ in times] == [("launch", "increment"), ("fill", ""), ("copy", "")]
    slack = error + 5_000_000
    for *_, queued, submitted, started, finished in times:
        assert queued is None
        assert submitted is None
        assert began - slack <= started - there + here <= finished - there + here <= ended + slack


@pytest.mark.leaves("events")
def test_a_launch_that_is_refused_gives_its_events_back(gpu, stream, timed):
    gpu.kernel("nothing")[1, 1, stream]()
    stream.synchronize()
    gpu.control.fail(gpu.cuda_name("launch"), 1)
    with pytest.raises(Exception, match=gpu.own_name("launch")):
        gpu.kernel("nothing")[1, 1, stream]()
    gpu.control.forgive()
    stream.synchronize()
    assert len(_core.command_times(gpu.device)) == 1


def test_the_clock_pair_is_measured_anew(gpu):
    first, second = _core.clock_pair(gpu.device), _core.clock_pair(gpu.device)
    assert first[1] < second[1]
    assert all(0 < error < 200_000_000 for *_, error in (first, second))


def test_a_clock_pair_waits_for_a_device_that_is_late(gpu):
    """A busy machine may leave the library's threads no time for a while."""
    with gpu.control.paused():
        later = threading.Timer(0.3, gpu.control.resume)
        later.start()
        *_, error = _core.clock_pair(gpu.device)
    later.join()
    assert 0 < error < 500_000_000


def test_a_clock_pair_does_not_wait_for_ever(gpu):
    with gpu.control.paused(), pytest.raises(lp.DriverError, match="EventQuery"):
        _core.clock_pair(gpu.device)
