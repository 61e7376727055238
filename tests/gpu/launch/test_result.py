"""Kernels that return values, on CUDA and HIP: what the library is asked, on its own streams and on others'."""

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.standin import OUT

KINDS = ["legacy", "per-thread", "blocking", "nonblocking"]


@pytest.mark.parametrize("kind", KINDS)
def test_values_come_back(gpu, kind):
    launch = gpu.kernel("fill").returning(a=4)[1, 32, gpu.stream(kind)]
    held = [launch(value, 4) for value in range(20)]
    for value, got in enumerate(held):
        np.testing.assert_array_equal(got.get(), np.full(4, value, np.float32))


WANTED = ["cuMemsetD8", "cuLaunchKernel", "cuMemcpy", "cuEventRecord"]
# Asking which device is current and how far a stream is: HIP's names do so more often, after some tests.
ASIDE = (
    "cuCtx", "cuDeviceGet", "cuStreamIsCapturing", "cuThreadExchange", "cuStreamQuery", "cuEventQuery", "cuEventDestroy",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_steady_path(gpu, kind):
    """A record goes to the library at once there: it alone knows what the stream is ordered after."""
    launch = gpu.kernel("fill").returning("a", zero=True)[1, 32, gpu.stream(kind)]
    for value in range(4):
        assert float(launch(value, 1)) == value
    rounds = []
    for _ in range(2):  # in one of them a checkpoint may be due: the legacy stream is as old as the process
        gpu.forget_calls()
        got = launch(5, 1)
        rounds.append([call.name.split("_")[0] for call in gpu.calls() if not call.name.startswith(ASIDE)])
        assert float(got) == 5  # before the next: one that is not read keeps its pinned memory
        assert not [
            call.name
            for call in gpu.calls()
            if "Alloc" in call.name or "Free" in call.name or "StreamSync" in call.name
        ]
    assert WANTED in [[name.removesuffix("Async") for name in names] for names in rounds], rounds


def test_what_the_stream_was_waited_for_is_read_without_a_call(gpu, stream):
    got = gpu.kernel("fill").returning("a")[1, 32, stream](3, 1)
    stream.synchronize()
    gpu.forget_calls()
    assert got.done
    assert float(got) == 3
    assert {call.name for call in gpu.calls()} <= {"cuEventDestroy_v2"}


def test_a_stream_of_another_library(gpu):
    handle = gpu.cuda("cuStreamCreate", OUT, 1)
    stream = lp.Stream.external(handle, gpu.device)
    launch = gpu.kernel("fill").returning("a")[1, 32, stream]
    release = gpu.held(handle)
    held = [launch(value, 1) for value in range(10)]
    assert not held[0].done
    release()
    assert [float(got) for got in held] == list(range(10))
    stream.synchronize()
    del launch, held, stream
    gpu.settle()
    gpu.cuda("cuStreamDestroy_v2", handle)


def test_two_devices(gpu):
    launches = [gpu.kernel("fill", ordinal).returning("a")[1, 32, gpu.stream(ordinal=ordinal)] for ordinal in (0, 1)]
    held = [launch(value, 1) for value in range(10) for launch in launches]
    assert [float(got) for got in held] == [value for value in range(10) for _ in launches]
