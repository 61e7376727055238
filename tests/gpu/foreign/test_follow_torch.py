"""Following torch: what names no stream goes to torch's current one."""

import gc
import sys
import threading
import types
from contextlib import suppress

import pytest

import launchpath as lp
from launchpath.interop import follow_torch
from launchpath.interop import torch as following
from tests.gpu.foreign.foreign_objects import fake_torch
from tests.gpu.standin import OUT


class Torch:
    """A torch of a driver's devices, each with two streams of torch's own."""

    def __init__(self, gpu):
        self.gpu = gpu
        self.streams = [
            [gpu.cuda("cuStreamCreateWithPriority", OUT, 1, 0, ordinal=ordinal) for _ in range(2)] for ordinal in (0, 1)
        ]
        self.current = {0: self.streams[0][0], 1: self.streams[1][0]}
        self.device = [0]
        self.module = fake_torch(self.current, self.device, hip=gpu.driver == "hip")


@pytest.fixture
def torch(gpu, monkeypatch):
    monkeypatch.setattr(sys.modules["launchpath._streams.device"], "_devices", gpu.devices)
    fake = Torch(gpu)
    monkeypatch.setitem(sys.modules, "torch", fake.module)
    following._follower.cache_clear()
    yield fake
    following._follower.cache_clear()
    gc.collect()
    for ordinal, streams in enumerate(fake.streams):
        gpu.devices[ordinal].synchronize()
        for stream in streams:
            gpu.cuda("cuStreamDestroy_v2", stream, ordinal=ordinal)


def _launched(gpu, ordinal=0):
    """Where a launch, a fill and a copy go that name no stream."""
    array, other = gpu.zeros(ordinal=ordinal), gpu.zeros(ordinal=ordinal)
    gpu.forget_calls()
    gpu.kernel("increment", ordinal)[1, 16](array, 16)
    array.fill(3)
    array.copy_from(other)
    names = ("cuLaunchKernel", "cuMemsetD32Async", "cuMemcpyAsync")
    calls = gpu.calls(*names, clear=False)
    gpu.forget_calls()
    (stream,) = {call.stream for call in calls}
    assert {call.name for call in calls} == set(names)
    return stream


LEGACY = {"cuda": 1, "hip": 0}


def test_work_goes_to_torchs_current_stream(gpu, torch):
    first, two = torch.streams[0]
    legacy = _launched(gpu)
    assert legacy in (0, 1)
    with follow_torch():
        assert _launched(gpu) == first
        torch.current[0] = two
        assert _launched(gpu) == two
        assert lp.current_stream().handle == two
        torch.current[0] = first
        assert _launched(gpu) == first
        torch.current[0] = 0
        assert _launched(gpu) == legacy
        assert lp.current_stream() is gpu.device.legacy_stream
        torch.current[0] = first
    assert _launched(gpu) == legacy
    assert lp.current_stream() is gpu.device.legacy_stream


def test_each_devices_own(gpu, torch):
    with follow_torch():
        assert _launched(gpu, 1) == torch.streams[1][0]
        assert lp.current_device() is gpu.device
        torch.device[0] = 1
        assert lp.current_device() is gpu.devices[1]
        assert lp.empty(4).device is gpu.devices[1]
        assert lp.current_stream().handle == torch.streams[1][0]


def test_blocks_within(gpu, torch):
    ours = gpu.stream()
    with follow_torch() as follower:
        with ours:
            assert _launched(gpu) == ours.handle
            with follower:
                assert _launched(gpu) == torch.current[0]
            assert _launched(gpu) == ours.handle
        with gpu.devices[1]:
            assert lp.current_device() is gpu.devices[1]
            assert _launched(gpu, 1) == torch.current[1]
            assert _launched(gpu) == torch.current[0]
        assert _launched(gpu) == torch.current[0]
    with ours, gpu.device:
        assert _launched(gpu) not in (ours.handle, torch.current[0])


def test_for_a_thread(gpu, torch):
    legacy = _launched(gpu)
    follow_torch().start()
    follow_torch().start()
    assert _launched(gpu) == torch.current[0]
    seen = []
    other = threading.Thread(target=lambda: seen.append(lp.current_stream()))
    other.start()
    other.join()
    assert seen == [gpu.device.legacy_stream]
    ours = gpu.stream()
    with ours:
        assert _launched(gpu) == ours.handle
        follow_torch().stop()
        assert _launched(gpu) == ours.handle
    follow_torch().stop()
    assert _launched(gpu) == legacy


def test_a_launcher_that_is_kept_asks_each_time(gpu, array, torch):
    launch = gpu.kernel("increment")[1, 16]
    with follow_torch():
        gpu.forget_calls()
        for at in (0, 1, 0):
            torch.current[0] = torch.streams[0][at]
            launch(array, 16)
        assert [call.stream for call in gpu.calls("cuLaunchKernel")] == [torch.streams[0][at] for at in (0, 1, 0)]
    gpu.device.synchronize()


def test_a_stream_that_torch_did_not_make_is_let_go(gpu, torch):
    theirs = gpu.cuda("cuStreamCreateWithPriority", OUT, 1, 0)
    torch.module = fake_torch(torch.current, torch.device, external=(theirs,), hip=gpu.driver == "hip")
    sys.modules["torch"] = torch.module
    following._follower.cache_clear()
    torch.current[0] = theirs
    with follow_torch():
        assert _launched(gpu) == theirs
    assert theirs not in gpu.device._foreign_streams
    gpu.device.synchronize()
    gpu.cuda("cuStreamDestroy_v2", theirs)
    torch.current[0] = torch.streams[0][0]
    with follow_torch():
        assert _launched(gpu) == torch.streams[0][0]


def test_threads_that_leave_at_once_drop_a_stream_once(gpu, torch):
    class Dropped(list):
        """Another thread drops the last one between two calls."""

        def __len__(self):
            return 1

    follower = follow_torch()
    follower._borrowed = Dropped()
    with follower:
        pass


def test_threads_that_follow_at_once_have_the_same_follower(gpu, torch, monkeypatch):
    both_are_there = threading.Barrier(2)

    class Slow(following.TorchFollower):
        def __init__(self, module):
            with suppress(threading.BrokenBarrierError):
                both_are_there.wait(0.5)
            super().__init__(module)

    monkeypatch.setattr(following, "TorchFollower", Slow)
    followers = []
    threads = [threading.Thread(target=lambda: followers.append(follow_torch())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert followers[0] is followers[1] is follow_torch()


def test_others_can_take_it(gpu, torch):
    with follow_torch() as follower:
        assert follower.__cuda_stream__() == (0, torch.current[0])


def test_a_torch_that_has_no_streams(gpu, monkeypatch):
    module = types.SimpleNamespace(__version__="2.11.0+cpu", version=types.SimpleNamespace(cuda=None, hip=None))
    monkeypatch.setitem(sys.modules, "torch", module)
    following._follower.cache_clear()
    with pytest.raises(lp.LibraryError, match=r"torch 2.11.0\+cpu was built without CUDA or ROCm"):
        follow_torch()
    module.version.cuda = "13.0"
    module._C = types.SimpleNamespace()
    with pytest.raises(lp.LibraryError, match="has no torch._C._cuda_getCurrentRawStream"):
        follow_torch()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(lp.LibraryError, match="torch cannot be imported"):
        follow_torch()


def test_arrays_are_created_in_the_order_of_torchs_stream(gpu, torch):
    follower = follow_torch()
    array = lp.zeros(16, "int32", stream=follower)
    assert array.device is gpu.device
    gpu.forget_calls()
    array.fill(3, follower)
    assert [call.stream for call in gpu.calls("cuMemsetD32Async")] == [torch.streams[0][0]]
    assert array.to_numpy(follower).tolist() == [3] * 16
    torch.device[0] = 1
    assert lp.empty(3, stream=follower).device is gpu.devices[1]
