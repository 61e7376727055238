"""Commands with times, and the device's clock beside the host's."""

import subprocess
import sys
import time

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core


@pytest.fixture
def timed(device):
    _core.command_times(device)
    _core.time_commands(device)
    yield
    _core.time_commands(device, False)
    _core.command_times(device)


def test_times_lie_between_those_of_the_host(device, nonblocking, timed):
    stream = nonblocking
    data = np.arange(1 << 16, dtype=np.float32)
    array, other = lp.asarray(data, device=device), lp.empty(data.size, "float32", device)
    device.synchronize()
    _core.command_times(device)
    there, here, error = _core.clock_pair(device)
    assert error < 50_000_000  # nanoseconds, on a busy machine
    began = time.monotonic_ns()
    array.fill(1, stream)
    other.copy_from(array, stream)
    stream.synchronize()
    ended = time.monotonic_ns()
    times = _core.command_times(device)
    assert [call for call, *_ in times] == ["fill", "copy"]
    slack = error + 2_000_000  # clocks drift, and have steps
    for *_, queued, submitted, started, finished in times:
        moments = [moment for moment in (queued, submitted, started, finished) if moment is not None]
        assert len(moments) >= 2
        assert moments == sorted(moments)
        assert began - slack <= moments[0] - there + here
        assert moments[-1] - there + here <= ended + slack
    assert times[0][-1] <= times[1][-2] + slack


WITHOUT = """
import launchpath as lp
from launchpath import _core
device = lp.device({device!r})
assert "no-profiling" in device.info["workarounds"]
assert _core.clock_pair(device) is None
array, stream = lp.zeros(4, "float32", device), lp.Stream(device=device)
array.fill(1, stream)
assert (array.to_numpy(stream) == 1).all()
start, end = stream.record(timing=True), stream.record(timing=True)
try:
    start.elapsed_time(end)
except lp.DriverError as error:
    assert "no-profiling" in str(error), error
else:
    raise AssertionError("an event had a time")
"""


@pytest.mark.opencl_only("of OpenCL")
def test_profiling_can_be_switched_off(device, device_id, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_WORKAROUNDS", "no-profiling")
    subprocess.run([sys.executable, "-c", WITHOUT.format(device=device_id)], check=True)
