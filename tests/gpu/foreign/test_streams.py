"""Streams of other libraries as ours, and ours as theirs."""

import gc
import sys
import types
import weakref

import pytest

import launchpath as lp
from launchpath._streams.stream_argument import as_stream
from tests.gpu.foreign.foreign_objects import (
    CUstream,
    cuda_core_stream,
    cupy_stream,
    numba_stream,
    old_cupy_stream,
    torch_stream,
)
from tests.gpu.standin import OUT
from tests.simulated import Machine

NON_BLOCKING = 1
MAKERS = [torch_stream, cupy_stream, old_cupy_stream, cuda_core_stream, numba_stream, CUstream, int]


@pytest.fixture
def theirs(theirs):
    """A stream that foreign code made."""
    return theirs()


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_work_goes_to_their_stream(gpu, theirs, make):
    stream = lp.Stream.external(make(theirs), gpu.device)
    assert isinstance(stream, lp.Stream)
    assert stream.handle == theirs
    assert stream.device is gpu.device
    assert not stream.blocking
    array = gpu.zeros()
    gpu.forget_calls()
    gpu.kernel("increment")[1, 16, stream](array, 16)
    assert [call.stream for call in gpu.calls("cuLaunchKernel")] == [theirs]
    assert array.to_numpy(stream).tolist() == [1] * 16
    stream.synchronize()


@pytest.mark.parametrize("make", MAKERS[:-2], ids=lambda make: make.__name__)
def test_a_launch_names_their_stream(gpu, array, theirs, make):
    gpu.forget_calls()
    launch = gpu.kernel("increment")[1, 16, make(theirs)]
    launch(array, 16)
    assert [call.stream for call in gpu.calls("cuLaunchKernel")] == [theirs]
    assert array.to_numpy(make(theirs)).tolist() == [1] * 16


def test_an_int_in_a_launch_is_no_stream(gpu, theirs):
    """CUDA has the size of shared memory there."""
    with pytest.raises(
        lp.SignatureError, match=rf"expected a stream \(third\), got the int {theirs}; .*Stream.external"
    ):
        gpu.kernel("nothing")[1, 1, theirs]
    for use in (lambda: lp.zeros(3, stream=theirs), lambda: gpu.zeros().fill(1, theirs)):
        with pytest.raises(lp.ArgumentValueError, match=f"expected a stream, got the int {theirs}: Stream.external"):
            use()


@pytest.mark.parametrize("make", MAKERS[:-2], ids=lambda make: make.__name__)
def test_arrays_are_created_in_the_order_of_their_stream(gpu, theirs, make, monkeypatch):
    monkeypatch.setattr(sys.modules["launchpath._streams.device"], "_devices", gpu.devices)
    stream = make(theirs)
    kept = lp.Stream.external(stream, gpu.device)  # what comes after is on the same stream
    zeros = lp.zeros(16, "int32", stream=stream)
    copied = lp.asarray(range(16), "int32", gpu.device, stream)
    empty = lp.empty(16, "int32", "stand-in", stream)
    empty.fill(7, stream)
    assert zeros.device is copied.device is empty.device is gpu.device
    again = lp.asarray(copied, stream=stream)
    assert again is copied
    assert (zeros.to_numpy(stream) == 0).all()
    assert copied.to_numpy(stream).tolist() == list(range(16))
    assert empty.to_numpy(stream).tolist() == [7] * 16
    zeros.copy_from(copied, stream)
    assert zeros.to_numpy(kept).tolist() == list(range(16))
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of"):
        lp.zeros(3, device=gpu.devices[1], stream=kept if make is not torch_stream else stream)
    with pytest.raises(lp.ArgumentValueError, match="expected a stream"):
        lp.zeros(3, device=gpu.device, stream=object())


def test_an_event_orders_ours_after_theirs_and_back(gpu, theirs):
    stream, own, array = lp.Stream.external(torch_stream(theirs), gpu.device), gpu.stream(), gpu.zeros()
    with stream.hold():
        gpu.kernel("fill")  # loaded
        array.fill(1, stream)
        own.wait(stream.record())
        gpu.kernel("increment")[1, 16, own](array, 16)
        stream.wait(own.record())
        assert not own.query()
    assert array.to_numpy(stream).tolist() == [2] * 16


def test_the_same_handle_gives_the_same_stream(gpu, theirs):
    first = lp.Stream.external(theirs, gpu.device)
    assert lp.Stream.external(torch_stream(theirs), gpu.device) is first
    assert lp.Stream.external(first) is first
    reference = weakref.ref(first)
    del first
    gc.collect()
    assert reference() is None


def test_their_object_is_kept(gpu, theirs):
    first, other = torch_stream(theirs), cupy_stream(theirs)
    kept = [weakref.ref(first), weakref.ref(other)]
    stream = lp.Stream.external(first, gpu.device)
    assert lp.Stream.external(other, gpu.device) is stream
    assert lp.Stream.external(first, gpu.device) is stream
    assert len(stream._kept) == 2
    del first, other
    gc.collect()
    assert all(ref() is not None for ref in kept)
    del stream
    gc.collect()
    assert all(ref() is None for ref in kept)


@pytest.mark.parametrize("handle", [0, 1])
def test_the_legacy_streams_handles(gpu, handle):
    assert lp.Stream.external(handle, gpu.device) is gpu.device.legacy_stream
    assert lp.Stream.external(torch_stream(handle), gpu.device) is gpu.device.legacy_stream


def test_the_per_thread_default_stream_is_refused(gpu):
    with pytest.raises(lp.ArgumentValueError, match="differs from thread to thread"):
        lp.Stream.external(2, gpu.device)


@pytest.mark.parametrize("flags", [0, NON_BLOCKING])
def test_blocking_or_not_is_what_the_library_says(gpu, flags):
    handle = gpu.cuda("cuStreamCreateWithPriority", OUT, flags, 0)
    stream = lp.Stream.external(handle, gpu.device)
    assert stream.blocking == (not flags)
    del stream
    gc.collect()
    gpu.device.synchronize()
    gpu.cuda("cuStreamDestroy_v2", handle)


def test_their_device(gpu, monkeypatch):
    monkeypatch.setattr(sys.modules["launchpath._streams.device"], "_devices", gpu.devices)
    handle = gpu.cuda("cuStreamCreateWithPriority", OUT, 0, 0, ordinal=1)
    stream = lp.Stream.external(torch_stream(handle, 1))
    assert stream.device is gpu.devices[1]
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of device 0, .* of device 1: create it"):
        lp.Stream.external(cuda_core_stream(handle, 1), gpu.device)
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of device 0, .* of device 1: create it"):
        gpu.kernel("nothing")[1, 1, cupy_stream(handle, 1)]
    with pytest.raises(lp.ArgumentValueError, match="is of device 7, which is not in"):
        lp.Stream.external(torch_stream(handle, 7))
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of .*, got a stream of"):
        lp.Stream.external(stream, gpu.device)
    with gpu.devices[1]:
        assert lp.Stream.external(numba_stream(handle)) is stream
    del stream
    gc.collect()
    gpu.devices[1].synchronize()
    gpu.cuda("cuStreamDestroy_v2", handle, ordinal=1)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (object(), "expected a stream .*, got the object <object"),
        ("stream", "expected a stream .*, got the str 'stream'"),
        (True, "expected a stream .*, got the bool True"),
        (-1, "expected a stream's handle, an address, got -1"),
        (types.SimpleNamespace(__cuda_stream__=lambda: (1, 5)), r"version 0 of the protocol, got \(1, 5\)"),
        (types.SimpleNamespace(__cuda_stream__=lambda: 5), "version 0 .*, got 5"),
    ],
)
def test_what_is_no_stream(gpu, argument, message):
    with pytest.raises(lp.ArgumentValueError, match=message):
        lp.Stream.external(argument, gpu.device)


def test_the_protocols_early_form(gpu, theirs):
    assert lp.Stream.external(types.SimpleNamespace(__cuda_stream__=(0, theirs)), gpu.device).handle == theirs


def test_ours_for_them(gpu, stream):
    assert stream.__cuda_stream__() == (0, stream.handle)
    assert hasattr(gpu.device.legacy_stream, "__cuda_stream__")


def test_streams_elsewhere_have_no_cuda_stream():
    with Machine() as machine:
        stream = machine.device.legacy_stream
        assert not hasattr(stream, "__cuda_stream__")
        with pytest.raises(AttributeError, match="has no __cuda_stream__: it is not a CUDA device") as raised:
            stream.__cuda_stream__()
        del stream, raised
        with pytest.raises(lp.ArgumentValueError, match="expected a CUDA or HIP device for another library's stream"):
            lp.Stream.external(1234, machine.device)
        with pytest.raises(lp.ArgumentValueError, match="expected a CUDA or HIP device for another library's stream"):
            as_stream(torch_stream(1234), machine.device)


def test_work_on_their_stream_is_waited_for_before_memory_is_used_again(gpu, theirs):
    stream = lp.Stream.external(theirs, gpu.device)
    array = gpu.zeros()
    word = gpu.zeros(1, "uint32")
    gpu.kernel("spin")[1, 1, stream](word, 1)
    gpu.kernel("increment")[1, 16, stream](array, 16)
    address = array.pointer
    del array
    assert lp.empty(16, "int32", gpu.device).pointer != address
    word.fill(1, gpu.stream())
    stream.synchronize()


def test_dropping_it_leaves_their_stream(gpu, theirs):
    array = gpu.zeros()
    stream = lp.Stream.external(theirs, gpu.device)
    gpu.kernel("increment")[1, 16, stream](array, 16)
    del stream
    gc.collect()
    gpu.device.synchronize()
    assert array.to_numpy().tolist() == [1] * 16
    gpu.cuda("cuStreamQuery", theirs)
