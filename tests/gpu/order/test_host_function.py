"""Host functions and holds: words of memory that streams wait for, and a helper stream that tells when to call."""

import ctypes
import gc
import threading

import pytest

import launchpath as lp
from tests.patience import PATIENCE
from tests.standin.client import soon

HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def test_it_is_called_in_stream_order(gpu):
    stream, array, seen = gpu.stream(), gpu.zeros(), []
    increment = gpu.kernel("increment")[1, 16, stream]
    for _ in range(3):
        increment(array, 16)
        stream.host_function(lambda: seen.append(ctypes.c_int.from_address(array.pointer).value))
    increment(array, 16)
    stream.synchronize()
    assert seen == [1, 2, 3]


def test_what_follows_waits_for_it(stream, array):
    go, begun = threading.Event(), threading.Event()

    def function():
        begun.set()
        go.wait()

    stream.host_function(function)
    array.fill(1, stream)
    assert begun.wait(20)
    assert not stream.query()
    assert ctypes.c_int.from_address(array.pointer).value == 0
    go.set()
    assert array.to_numpy(stream).tolist() == [1] * 16


@pytest.mark.parametrize("devices", [[0] * 6, [0, 1]], ids=["different streams", "two devices"])
def test_functions_may_wait_for_each_other(gpu, devices):
    streams = [gpu.stream(ordinal=ordinal) for ordinal in devices]
    barrier = threading.Barrier(len(streams), timeout=PATIENCE)
    for stream in streams:
        stream.host_function(barrier.wait)
    for stream in streams:
        stream.synchronize()
    assert not barrier.broken


def test_the_librarys_own_thread_is_never_blocked(gpu):
    """A library may have one thread for all host functions, those of other libraries included."""
    stream, theirs = gpu.stream(), gpu.stream()
    go, begun, called = threading.Event(), threading.Event(), threading.Event()
    stream.host_function(lambda: (begun.set(), go.wait()))
    assert begun.wait(20)
    function = HOST(lambda _: called.set())
    gpu.cuda("cuLaunchHostFunc", theirs.handle, ctypes.cast(function, ctypes.c_void_p), 0)
    assert called.wait(20)
    go.set()
    stream.synchronize()
    theirs.synchronize()


def test_an_early_host_function_does_not_hold_back_others(gpu):
    """Callbacks that wait for a held stream leave those of other streams alone."""
    held, streams, seen = gpu.stream(), [gpu.stream() for _ in range(10)], []
    with held.hold():
        held.host_function(seen.append, "held")
        for i, stream in enumerate(streams):
            stream.host_function(seen.append, i)
        for stream in streams:
            stream.synchronize()
        assert sorted(seen) == list(range(10))
    held.synchronize()
    assert seen[-1] == "held"


def test_it_may_use_launchpath(gpu):
    stream, other, out = gpu.stream(), gpu.stream(), []

    def function():
        array = lp.zeros(16, "int32", stream=other)
        gpu.kernel("increment")[1, 16, other](array, 16)
        out.append(array.to_numpy(other).tolist())

    for _ in range(3):
        stream.host_function(function)
    stream.synchronize()
    assert out == [[1] * 16] * 3


def test_an_error_comes_out_at_the_next_synchronize(stream, array):
    def function():
        raise ValueError("no")

    stream.host_function(function)
    array.fill(1, stream)
    with pytest.raises(lp.HostFunctionError, match="ValueError: no"):
        stream.synchronize()
    stream.synchronize()
    assert array.to_numpy(stream).tolist() == [1] * 16


@pytest.mark.parametrize("kind", ["legacy", "blocking", "per-thread", "nonblocking"])
def test_every_kind_of_stream_takes_them(gpu, kind):
    stream, other, seen = gpu.stream(kind), gpu.stream("blocking"), []
    with stream.hold():
        stream.host_function(seen.append, 1)
        other.host_function(seen.append, 2)
        if kind != "legacy":
            other.synchronize()
            assert seen == [2]
    gpu.device.synchronize()
    assert sorted(seen) == [1, 2]
    if kind == "legacy":
        assert seen == [1, 2]


def test_helpers_and_words_are_used_again(gpu, stream):
    def call_many():
        for _ in range(200):  # past a checkpoint, which takes an event
            stream.host_function(int)
            stream.synchronize()

    for _ in range(5):
        stream.host_function(int)
    call_many()
    gpu.forget_calls()
    call_many()
    assert gpu.calls("cuStreamCreateWithPriority", "cuMemHostAlloc", "cuEventCreate") == []


def test_many_at_once(gpu):
    streams, seen = [gpu.stream() for _ in range(4)], {i: [] for i in range(4)}
    for number in range(50):
        for i, stream in enumerate(streams):
            stream.host_function(seen[i].append, number)
    gpu.device.synchronize()
    assert seen == {i: list(range(50)) for i in range(4)}
    del streams
    gc.collect()


def test_a_dropped_streams_functions_are_called(gpu):
    stream, seen = gpu.stream(), []
    with stream.hold():
        stream.host_function(seen.append, 1)
        del stream
        gc.collect()
        assert seen == []
    assert soon(lambda: seen == [1])


# -- holds


def test_a_hold_holds_its_stream_alone(gpu):
    stream, other, array = gpu.stream(), gpu.stream(), gpu.zeros()
    hold = stream.hold()
    array.fill(1, stream)
    other.record().synchronize()
    assert not stream.query()
    hold.release()
    hold.release()
    stream.synchronize()


def test_holds_end_in_any_order(stream, array):
    holds = [stream.hold() for _ in range(4)]
    array.fill(1, stream)
    for i in (2, 3, 1):
        holds[i].release()
        assert not stream.query()
    holds[0].release()
    assert array.to_numpy(stream).tolist() == [1] * 16


def test_a_dropped_hold_is_released(gpu):
    stream = gpu.stream()
    hold = stream.hold()
    assert not stream.query()
    del hold
    gc.collect()
    stream.synchronize()


def test_holds_of_many_streams(gpu):
    """More than a page of words."""
    streams = [gpu.stream() for _ in range(8)]
    holds = [[stream.hold() for _ in range(100)] for stream in streams]
    for stream, its in zip(streams, holds, strict=True):
        for hold in its[:-1]:
            hold.release()
        assert not stream.query()
    for stream, its in zip(streams, holds, strict=True):
        its[-1].release()
        stream.synchronize()


def test_a_word_is_not_used_again_while_it_is_waited_for(gpu):
    """A released hold's word, taken by another hold, must not hold back a wait that has not been looked at yet."""
    stream, other = gpu.stream(), gpu.stream()
    for _ in range(50):
        outer = stream.hold()
        inner = stream.hold()
        inner.release()  # the stream has not come to it
        later = other.hold()
        outer.release()
        stream.synchronize()
        assert not other.query()
        later.release()
        other.synchronize()
