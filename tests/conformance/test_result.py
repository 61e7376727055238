"""Kernels that return values, on every registered device."""

import gc

import numpy as np
import pytest

import launchpath as lp
from tests.threads import at_once

SOURCE = r"""
__global__ void total(const int* x, int n, int* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

__global__ void histogram(const int* x, int n, unsigned* bins, double* mean, int width) {
    if (blockIdx.x || threadIdx.x) return;
    double sum = 0;
    for (int i = 0; i < width; ++i) bins[i] = 0;
    for (int i = 0; i < n; ++i) { bins[x[i] % width] += 1; sum += x[i]; }
    *mean = sum / n;
}

__global__ void echo(int value, int* same, long long* slow, int rounds) {
    unsigned x = value;
    for (int i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
    *slow = x;
    same[0] = value;
    same[1] = value + 1;
}

__global__ void extremes(const int* x, int n, int* most, double* least, unsigned* seen) {
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < n; ++i) {
        if (x[i] > *most) *most = x[i];
        if (x[i] < *least) *least = x[i];
        seen[i % 2] += 1;
    }
}

struct Large { char bytes[6000]; };
__global__ void by_block(Large large, int* out) { *out = large.bytes[5999]; }
"""
N = 1000
KINDS = ["legacy", "per_thread", "blocking", "nonblocking"]


@pytest.fixture(params=KINDS)
def stream(request, device):
    if request.param == "legacy":
        return device.legacy_stream
    if request.param == "per_thread":
        return device.per_thread_stream
    return lp.Stream(blocking=request.param == "blocking", device=device)


@pytest.fixture(scope="module")
def x(device):
    array = lp.asarray(np.arange(N, dtype="int32"), device=device)
    device.synchronize()
    return array


def test_a_sum(kernels, stream, x):
    launch = kernels.total.returning("sum", zero=True)[4, 256, stream]
    for n in (N, 10, N):
        value = launch(x, n)
        assert "not read" in repr(value)
        assert int(value) == n * (n - 1) // 2
        assert value.done
        assert value.get().dtype == np.int32


def test_several_with_shapes(kernels, stream, x):
    launch = kernels.histogram.returning("mean", bins=(2, 4))[1, 1, stream]
    value = launch(n=N, x=x, width=8)
    assert value.mean == np.arange(N).mean()
    np.testing.assert_array_equal(value.bins, np.bincount(np.arange(N) % 8).reshape(2, 4))
    assert value.bins.dtype == np.uint32


def test_many_are_held_and_read_in_any_order(kernels, stream):
    launch = kernels.echo.returning("slow", same=2)[1, 1, stream]
    for _ in range(3):
        held = [launch(value, 100) for value in range(300)]
        for value in np.random.default_rng(1).permutation(300):
            assert list(held[value].same) == [value, value + 1]


def test_some_are_dropped(kernels, stream):
    launch = kernels.echo.returning("slow", same=2)[1, 1, stream]
    held = {}
    for value in range(1000):
        result = launch(value, 10)
        if value % 9 == 0:
            held[value] = result
        del result
    for value, result in held.items():
        assert list(result.same) == [value, value + 1]


def test_what_is_synchronized_is_there(kernels, stream):
    value = kernels.echo.returning("slow", same=2)[1, 1, stream](3, 1000)
    stream.synchronize()
    assert value.done
    assert list(value.same) == [3, 4]


def test_reading_does_not_wait_for_later_work(kernels, device):
    stream = lp.Stream(blocking=False, device=device)
    launch = kernels.echo.returning("slow", same=2)[1, 1, stream]
    value = launch(1, 10)
    with stream.hold():
        later = launch(2, 10)
        assert list(value.same) == [1, 2]
        assert not later.done
    assert list(later.same) == [2, 3]


def test_the_current_stream(kernels, device):
    launch = kernels.echo.returning("slow", same=2)[1, 1]
    streams = [lp.Stream(blocking=False, device=device) for _ in range(3)]
    held = []
    for value in range(30):
        with streams[value % 3]:
            held.append(launch(value, 50))
    assert [result.same[0] for result in held] == list(range(30))


def test_threads_share_a_kernel_and_a_stream(kernels, stream):
    launch = kernels.echo.returning("slow", same=2)[1, 1, stream]

    def work(first):
        held = [(value, launch(value, 20)) for value in range(first, first + 150)]
        assert not [value for value, got in held if list(got.same) != [value, value + 1]]

    at_once(work, range(0, 4000, 1000))


def test_kernel_and_stream_may_be_dropped(kernels, device):
    stream = lp.Stream(device=device)
    held = [kernels.echo.returning("slow", same=2)[1, 1, stream](value, 1000) for value in range(10)]
    del stream
    gc.collect()
    assert [result.same[1] for result in held] == list(range(1, 11))


def test_two_devices(two_devices):
    launches = [lp.compile(SOURCE, device).echo.returning("slow", same=2)[1, 1] for device in two_devices]
    held = [launch(value, 100) for value in range(20) for launch in launches]
    assert [result.same[0] for result in held] == [value for value in range(20) for _ in launches]


def test_large_arguments(kernels, stream):
    try:
        launch = kernels.by_block.returning("out")[1, 1, stream]
    except lp.ConfigurationError:
        pytest.skip("arguments of this size do not go with the launch here")
    for value in (3, 3, 4):
        assert int(launch(bytes([value]) * 6000)) == value


def test_cooperative(kernels, stream, x, device):
    returning = kernels.total.returning("sum", zero=True)
    if not device.info.get("cooperative"):
        with pytest.raises(lp.ConfigurationError, match="no cooperative launches"):
            returning.cooperative  # noqa: B018
        return
    for launcher in (returning.cooperative, kernels.total.cooperative.returning("sum", zero=True)):
        assert int(launcher[4, 256, stream](x, N)) == N * (N - 1) // 2


def test_results_with_a_start(kernels, stream, device):
    x = lp.asarray(np.array([-7, -3, -5], "int32"), device=device)
    starts = {"most": np.iinfo("int32").min, "least": float("inf"), "seen": 40}
    extremes = kernels.extremes.returning("most", "least", seen=2, initial=starts)
    for n in (3, 1):  # set before each launch
        most, least, seen = extremes[1, 1, stream](x, n)
        assert (most, least, seen.tolist()) == ((-3, -7.0, [42, 41]) if n == 3 else (-7, -7.0, [41, 40]))
    most, least, seen = extremes.over(0, stream=stream)(x, 0)
    assert (most, least, seen.tolist()) == (np.iinfo("int32").min, float("inf"), [40, 40])
    with pytest.raises(lp.ArgumentValueError, match='most.*use numpy.iinfo\\("int32"\\).max'):
        kernels.extremes.returning("most", initial=float("inf"))


def test_what_cannot_be_returned(kernels):
    with pytest.raises(lp.SignatureError, match="points to const.*It can return 'sum'"):
        kernels.total.returning("x")
    with pytest.raises(lp.SignatureError, match="passed by value"):
        kernels.total.returning("n")
