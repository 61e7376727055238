"""Host arrays as arguments: In, Out and InOut on real devices."""

import gc

import numpy as np
import pytest

import launchpath as lp
from tests.threads import at_once

from .calls import returns_at_once

SOURCE = """
extern "C" __global__ void scale(const float* x, float* y, double factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (float)(x[i] * factor);
}
extern "C" __global__ void increment(int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += 1;
}
"""
N = 1000
GRID = (N + 63) // 64, 64


@pytest.fixture(params=["legacy", "blocking", "nonblocking"])
def stream(request):
    return request.getfixturevalue(request.param)


def floats(n=N):
    return np.arange(n, dtype="f4")


def test_values_go_in_and_come_out(kernels, stream):
    x, y = lp.In(host := floats()), lp.Out(np.zeros(N, "f4"))
    for factor in range(1, 6):
        kernels.scale[(*GRID, stream)](x, y, float(factor), N)
        host += 1  # taken already
        assert y.get() is y.array
        assert (y.array == (floats() + factor - 1) * factor).all()


def test_a_wrapper_for_a_single_call(kernels, stream):
    for _ in range(20):
        y = lp.InOut(np.arange(N, dtype="i4"))
        kernels.increment[(*GRID, stream)](y, N)
        kernels.scale[(*GRID, stream)](lp.In(floats()), lp.Out(np.zeros(N, "f4")), 2.0, N)
        assert (np.asarray(y) == np.arange(1, N + 1)).all()


def test_a_launch_comes_back_while_its_stream_is_held(kernels, stream):
    x, outs = lp.In(host := floats()), [lp.Out(np.zeros(N, "f4")) for _ in range(30)]
    hold = stream.hold()

    def launches():
        for turn, y in enumerate(outs):
            host[:] = turn
            kernels.scale[(*GRID, stream)](x, y, 2.0, N)

    returns_at_once(launches)
    hold.release()
    assert [y.get()[N // 2] for y in outs] == [2.0 * turn for turn in range(30)]


def test_more_than_is_staged_at_once(kernels, stream):
    n = 1 << 20
    x, outs = lp.In(host := floats(n)), [lp.Out(np.zeros(n, "f4")) for _ in range(6)]
    for turn, y in enumerate(outs):
        host[:] = turn
        kernels.scale[n // 64, 64, stream](x, y, 2.0, n)
    for turn, y in enumerate(outs):
        assert (y.get() == 2.0 * turn).all()


def test_inout_goes_on_with_the_devices_values(kernels, device):
    streams = [lp.Stream(blocking=False, device=device) for _ in range(3)]
    y = lp.InOut(np.zeros(N, "i4"))
    for turn in range(60):
        kernels.increment[(*GRID, streams[turn % 3])](y, N)
    assert (y.get() == 60).all()
    y.get()[:] = 5  # seen by the next launch
    kernels.increment[(*GRID, streams[1])](y, N)
    assert (y.get() == 6).all()


def test_dropped_with_work_in_flight(kernels, nonblocking):
    kept = lp.InOut(np.zeros(N, "i4"))
    with nonblocking.hold():
        for turn in range(10):
            kernels.scale[(*GRID, nonblocking)](lp.In(floats() + turn), lp.Out(np.zeros(N, "f4")), 2.0, N)
            kernels.increment[(*GRID, nonblocking)](kept, N)
        gc.collect()
    assert (kept.get() == 10).all()


def test_two_devices_in_turn(two_devices):
    kernels = [lp.compile(SOURCE, device) for device in two_devices]
    x, y, z = lp.In(host := floats()), lp.Out(np.zeros(N, "f4")), lp.InOut(np.zeros(N, "i4"))
    for turn in range(6):
        host[:] = turn
        device, kernel = two_devices[turn % 2], kernels[turn % 2]
        kernel.scale[(*GRID, device.legacy_stream)](x, y, 2.0, N)
        kernel.increment[(*GRID, device.legacy_stream)](z, N)
    assert (y.get() == 10.0).all()
    assert (z.get() == 6).all()


def test_threads_share_an_in(kernels, device):
    x, wrong = lp.In(floats()), []

    def work(number):
        stream = lp.Stream(blocking=False, device=device)
        y = lp.Out(np.zeros(N, "f4"))
        for turn in range(50):
            kernels.scale[(*GRID, stream)](x, y, float(turn), N)
            if not (y.get() == floats() * turn).all():
                wrong.append((number, turn))

    at_once(work, range(4))
    assert wrong == []


def test_no_elements(kernels, nonblocking):
    y = lp.Out(np.zeros((0, 4), "f4"))
    kernels.scale[1, 64, nonblocking](lp.In(np.zeros(0, "f4")), y, 2.0, 0)
    assert y.get().shape == (0, 4)


def test_what_does_not_fit_is_reported(kernels):
    with pytest.raises(
        lp.SignatureError, match=r"scale: parameter 0 \(const float ?\* ?x\) is const.*use launchpath.In"
    ):
        kernels.scale[GRID](lp.Out(np.zeros(N, "f4")), None, 2.0, N)
    with pytest.raises(lp.SignatureError, match=r"scale: parameter 1 .*: expected an array of float32.*Out of float64"):
        kernels.scale[GRID](lp.In(floats()), lp.Out(np.zeros(N)), 2.0, N)
