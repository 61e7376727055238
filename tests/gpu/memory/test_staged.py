"""In, Out and InOut on CUDA and HIP: what the library is asked."""

import numpy as np
import pytest

import launchpath as lp


@pytest.fixture(params=["legacy", "blocking", "nonblocking"])
def stream(gpu, request):
    return gpu.stream(request.param)


def test_values_go_in_and_come_out(gpu, stream):
    x, y = lp.In(np.arange(16, dtype="f4")), lp.InOut(np.ones(16, "f4"))
    for turn in range(1, 4):
        gpu.kernel("saxpy")[1, 16, stream](2.0, x, y, 16)
        gpu.kernel("saxpy")[1, 16, stream](1.0, x, y, 16)
        assert y.get().tolist() == [1 + 3 * turn * i for i in range(16)]


def test_streams_in_turn(gpu):
    streams = [gpu.stream(kind) for kind in ("nonblocking", "blocking", "legacy")]
    y = lp.InOut(np.zeros(16, "i4"))
    for turn in range(30):
        gpu.kernel("increment")[1, 16, streams[turn % 3]](y, 16)
    assert y.get().tolist() == [30] * 16


def test_a_repeated_launch_is_a_copy_and_the_launch(gpu):
    stream = gpu.stream()
    x, y = lp.In(np.arange(16, dtype="f4")), lp.Out(np.zeros(16, "f4"))
    for _ in range(3):
        gpu.kernel("saxpy")[1, 16, stream](2.0, x, y, 16)
        y.get()
    gpu.forget_calls()
    gpu.kernel("saxpy")[1, 16, stream](2.0, x, y, 16)
    names = [call.name for call in gpu.calls()]
    assert sum(name.startswith("cuMemcpy") for name in names) == 1
    assert not [name for name in names if "Alloc" in name or "Synchronize" in name or "Free" in name or "Event" in name]
    y.get()


def test_two_devices_in_turn(gpu):
    y = lp.InOut(np.zeros(16, "i4"))
    for turn in range(4):
        gpu.kernel("increment", turn % 2)[1, 16, gpu.stream(ordinal=turn % 2)](y, 16)
    assert y.get().tolist() == [4] * 16
