"""Memory: the library's stream-ordered pool or plain allocation, frees with work in flight, copies and fills.

These tests run without stream-ordered allocation as well, see test_without_pool.py.
"""

import ctypes
import gc
import os
import threading

import numpy as np
import pytest

import launchpath as lp
from tests.standin.client import on_thread, soon
from tests.threads import at_once

ORDERED = os.environ.get("LAUNCHPATH_STREAM_ORDERED", "1") != "0"
ALLOCATE, FREE = ("cuMemAllocFromPoolAsync", "cuMemFreeAsync") if ORDERED else ("cuMemAlloc_v2", "cuMemFree_v2")
DEVICE_CALLS = ("cuMemAlloc_v2", "cuMemAllocFromPoolAsync", "cuMemAllocAsync")


@pytest.fixture(autouse=True)
def empty(gpu):
    for device in gpu.devices:
        device.trim_memory()
    yield
    for device in gpu.devices:
        device.set_memory_limit(None)


def test_the_pool_is_wanted_or_not(gpu):
    assert gpu.device.info["stream_ordered"] == ORDERED
    assert gpu.live()["pools"] == (2 if ORDERED else 0)
    stream = gpu.stream()  # memory for any stream is plain on a host that is too busy
    gpu.forget_calls()
    array = lp.empty(1000, "int32", stream=stream)
    assert [call.name for call in gpu.calls(*DEVICE_CALLS)] == [ALLOCATE]
    array.free()
    stream.synchronize()
    gpu.device.trim_memory()
    assert [call.name for call in gpu.calls("cuMemFree_v2", "cuMemFreeAsync")] == [FREE]


def test_memory_for_any_stream_is_there_at_once(gpu):
    """It is used on streams that know nothing of the stream in which it was allocated."""
    for kind in "nonblocking", "blocking", "legacy":
        array, stream = lp.empty(1000, "int32", gpu.device), gpu.stream(kind)
        array.fill(1, stream)
        assert array.to_numpy(stream).tolist() == [1] * 1000


def test_memory_in_a_streams_order(gpu):
    stream, other = gpu.stream(), gpu.stream()
    with stream.hold():
        gpu.forget_calls()
        array = lp.zeros(1000, "int32", stream=stream)
        assert [call.name for call in gpu.calls(*DEVICE_CALLS)] == [ALLOCATE]
        gpu.kernel("increment")[1, 1000, stream](array, 1000)
        other.wait(stream.record())
    assert array.to_numpy(other).tolist() == [1] * 1000


def test_freed_memory_comes_back_in_the_streams_order(gpu):
    stream = gpu.stream()
    with stream.hold():
        array = lp.zeros(1000, "int32", stream=stream)
        address = array.bare_address
        del array
        again = lp.zeros(1000, "int32", stream=stream)
        assert again.bare_address == address
        assert lp.empty(1000, "int32", gpu.device).bare_address != address
    assert again.to_numpy(stream).tolist() == [0] * 1000


def test_a_free_waits_for_work_in_flight(gpu):
    stream, keep = gpu.stream(), gpu.zeros(1000)
    array = gpu.zeros(1000)
    with stream.hold():
        gpu.kernel("increment")[1, 1000, stream](array, 1000)
        lp._core.copy_bytes(stream, keep.pointer, array.pointer, 4000)
        pointer = array.pointer
        gpu.forget_calls()
        array.free()
        gpu.device.trim_memory()
        others = [lp.empty(1000, "int32", gpu.device) for _ in range(5)]
        assert pointer not in [other.pointer for other in others]
        assert gpu.calls(FREE) == []
        assert gpu.device.memory_info()["waiting"] >= 4000
    assert keep.to_numpy(stream).tolist() == [1] * 1000
    gpu.device.synchronize()
    assert lp.empty(1000, "int32", gpu.device).pointer == pointer


def test_a_free_on_a_device_does_not_wait_for_ever(gpu):
    """With the other device idle nobody asks that for anything."""
    array = gpu.zeros(1 << 18)
    gpu.device.synchronize()
    before = gpu.live()["bytes"]
    del array
    gc.collect()
    gpu.device.trim_memory()
    assert gpu.live()["bytes"] < before


def test_memory_used_on_the_other_device_stays(gpu):
    array, stream = gpu.zeros(1000), gpu.stream(ordinal=1)
    gpu.devices[1].enable_peer(gpu.device)
    with stream.hold():
        gpu.kernel("increment", 1)[1, 1000, stream](lp.DevicePointer(array.pointer), 1000)
        pointer = array.pointer
        del array
        gpu.device.trim_memory()
        assert lp.empty(1000, "int32", gpu.device).pointer != pointer
    stream.synchronize()


def test_trim_gives_everything_back(gpu):
    arrays = [gpu.zeros(1 << 19) for _ in range(5)]
    used = gpu.live()["bytes"]
    free = gpu.device.memory_info()["free"]
    arrays.clear()
    gpu.device.synchronize()
    for device in gpu.devices:
        device.synchronize()
    gpu.device.trim_memory()
    assert gpu.live()["bytes"] <= used - (5 << 21)
    assert gpu.device.memory_info()["free"] > free
    assert gpu.device.memory_info()["pooled"] < 2 << 20, "of the memory that small arrays share the rest stays"


def test_memory_information(gpu):
    before = gpu.device.memory_info()
    assert before["total"] == 1 << 30
    array = lp.empty(1 << 20, "uint8", gpu.device)
    after = gpu.device.memory_info()
    assert after["in_use"] - before["in_use"] == array.nbytes
    assert before["free"] - after["free"] >= array.nbytes
    assert after["arrays"] - before["arrays"] == 1


def test_out_of_memory_says_what_is_held(gpu):
    array = lp.empty(256 << 20, "uint8", gpu.device)
    with pytest.raises(lp.OutOfMemoryError) as caught:
        lp.empty(2 << 30, "uint8", gpu.device)
    error = caught.value
    name = {"cuMemAllocFromPoolAsync": "pool_allocate", "cuMemAlloc_v2": "allocate"}[ALLOCATE]
    assert error.call == gpu.call[name]
    assert error.code == 2
    assert error.name == {"cuda": "CUDA_ERROR_OUT_OF_MEMORY", "hip": "hipErrorOutOfMemory"}[gpu.driver]
    assert "requested 2,147,483,648 bytes while 1 arrays hold 268,435,456" in str(error)
    assert isinstance(error, MemoryError)
    del array


def test_what_was_freed_is_used_before_giving_up(gpu):
    stream = gpu.stream()
    gpu.control.option("memory", 32 << 20)
    # The library's stream is late for a single query: on a busy host it may be later than anybody waits.
    gpu.control.option("late_queries", 1)
    try:
        for _ in range(6):
            array = lp.empty(20 << 20, "uint8", gpu.device)
            array.fill(1, stream)
            del array
            other = lp.empty(
                15 << 20, "uint8", gpu.device
            )  # of another size: the library's memory has to go back first
            other.fill(1, stream)
            del other
    finally:
        gpu.control.option("late_queries", 0)
        gpu.control.option("memory", 1 << 30)


def test_memory_that_is_late_is_waited_for_if_there_is_no_other(gpu):
    """The library's stream may be late because the host is busy. Plain memory in place of it needs room for both."""
    gpu.control.option("memory", 32 << 20)
    late = threading.Timer(0.15, gpu.control.resume)
    try:
        gpu.control.pause()
        late.start()
        assert lp.empty(20 << 20, "uint8", gpu.device).nbytes == 20 << 20
    finally:
        late.join()
        gpu.control.option("memory", 1 << 30)


def test_a_limit(gpu):
    gpu.device.set_memory_limit(1 << 20)
    arrays = [lp.empty(1 << 18, "uint8", gpu.device) for _ in range(4)]
    with pytest.raises(lp.OutOfMemoryError, match="limit of 1,048,576 bytes"):
        lp.empty(1 << 18, "uint8", gpu.device)
    arrays.pop()
    arrays.append(lp.empty(1 << 18, "uint8", gpu.device))
    gpu.device.set_memory_limit(None)
    arrays.append(lp.empty(1 << 18, "uint8", gpu.device))


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "int64", "complex128"])
@pytest.mark.parametrize("count", [1, 2, 3, 1000])
def test_fills(stream, dtype, count):
    array = lp.zeros(count + 2, dtype, stream=stream)
    value = np.dtype(dtype).type(3 - 2j) if dtype == "complex128" else np.dtype(dtype).type(-3)
    array[1 : count + 1].fill(value, stream)
    assert array.to_numpy(stream).tolist() == [0] + [value] * count + [0]


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("same", [False, True])
def test_patterns(gpu, size, same):
    """Those of equal words, and those whose words differ."""
    stream, count = gpu.stream(), 37
    pattern = b"abcd" * 4 if same else bytes(range(16))
    array = lp.zeros(size * count + 16, "uint8", stream=stream)
    lp._core.fill_bytes(stream, array.pointer, pattern[:size], size * count)
    assert array.to_numpy(stream).tobytes() == pattern[:size] * count + bytes(16)


def test_a_wide_fill_takes_few_calls(gpu, stream):
    array = lp.empty(1 << 16, "float64", stream=stream)
    gpu.forget_calls()
    array.fill(1.1, stream)
    names = [call.name for call in gpu.calls("cuMemsetD32Async", "cuMemcpyAsync")]
    assert names == ["cuMemsetD32Async"] * 2 + ["cuMemcpyAsync"] * 16


def test_host_data_may_change_at_once(gpu):
    stream, host = gpu.stream(), np.arange(1000, dtype="int32")
    array = lp.empty(1000, "int32", gpu.device)
    with stream.hold():
        array.copy_from(host, stream)
        host[:] = -1
    assert array.to_numpy(stream).tolist() == list(range(1000))


def test_reading_does_not_need_the_gil_of_what_it_waits_for(gpu):
    """A copy to pageable memory would block in the library, which holds locks that a host function may need."""
    stream, array, seen = gpu.stream(), gpu.zeros(1000), []
    go = threading.Event()

    def function():
        go.wait()
        inner = gpu.stream()
        seen.append(lp.zeros(100, "int32", stream=inner).to_numpy(inner).sum())

    stream.host_function(function)
    array.fill(2, stream)
    out = []
    thread = on_thread(lambda: out.append(array.to_numpy(stream)))
    assert soon(lambda: bool(gpu.calls("cuMemcpyAsync", clear=False)))  # it has gone in, and blocks nobody
    other = gpu.stream()
    other.record().synchronize()
    go.set()
    thread.join()
    assert seen == [0]
    assert out[0].tolist() == [2] * 1000


def test_large_reads_go_in_pieces(gpu, stream):
    host = np.random.default_rng(0).integers(0, 255, (40 << 20) + 5, dtype="uint8")
    array = lp.asarray(host, device=gpu.device, stream=stream)
    gpu.device.synchronize()
    gpu.forget_calls()
    assert (array.to_numpy(stream) == host).all()
    assert [call.detail.split()[-1] for call in gpu.calls("cuMemcpyAsync")] == ["4194304"] * 10 + ["5"]


def test_empty_arrays(stream):
    array = lp.zeros((0, 5), "float32", stream=stream)
    assert array.to_numpy(stream).shape == (0, 5)
    array.copy_from(np.zeros((0, 5), "float32"), stream)
    array.fill(1, stream)


def test_copies_between_devices(gpu):
    source = lp.asarray(np.arange(100, dtype="int32"), device=gpu.device)
    other = lp.zeros(100, "int32", device=gpu.devices[1])
    other.copy_from(source)
    assert other.to_numpy().tolist() == list(range(100))


def test_copies_within_a_device(gpu, stream):
    source = lp.asarray(np.arange(100, dtype="int32"), device=gpu.device, stream=stream)
    other = lp.zeros(100, "int32", stream=stream)
    with stream.hold():
        source.copy_to(other, stream)
        source.fill(0, stream)
    assert other.to_numpy(stream).tolist() == list(range(100))


def test_addresses_are_the_librarys(gpu):
    assert gpu.device.driver_device.device_of(gpu.zeros().pointer) == 0
    assert gpu.devices[1].driver_device.device_of(gpu.zeros(ordinal=1).pointer) == 1
    assert gpu.device.driver_device.device_of(gpu.zeros(ordinal=1).pointer) == 1
    local = ctypes.c_int()
    assert gpu.device.driver_device.device_of(ctypes.addressof(local)) is None


def test_allocating_from_many_threads(gpu):
    problems = []

    def work(number):
        stream = gpu.stream()
        for i in range(50):
            array = lp.empty(100 + i, "int32", stream=stream)
            array.fill(number, stream)
            if (array.to_numpy(stream) != number).any():
                problems.append((number, i))

    at_once(work, range(4))
    assert problems == []
