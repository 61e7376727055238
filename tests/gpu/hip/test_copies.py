"""Copies of HIP's API with memory of the host that is not pinned: the library would wait for the stream in them."""

import ctypes
import threading
from importlib.util import find_spec

import numpy as np
import pytest

from tests.hip_api.calls import ok

if find_spec("rocm") is None:  # there are no wheels of HIP's types for this platform
    pytest.skip("HIP's types are not installed", allow_module_level=True)

from launchpath import hip
from launchpath.hip._devices import current
from launchpath.hip._streams.streams import stream_of

N = 100
DOWN, UP = hip.hipMemcpyKind.hipMemcpyDeviceToHost, hip.hipMemcpyKind.hipMemcpyHostToDevice
ANY, HOST = hip.hipMemcpyKind.hipMemcpyDefault, hip.hipMemcpyKind.hipMemcpyHostToHost


@pytest.fixture
def stream(gpu):
    current.choose(gpu.device)
    handle = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
    yield handle
    ok(hip.hipStreamDestroy(handle))
    current.choose(None)


@pytest.fixture
def memory(stream):
    address = ok(hip.hipMalloc(N))
    ok(hip.hipMemset(address, 5, N))
    ok(hip.hipDeviceSynchronize())
    yield address
    ok(hip.hipFree(address))


def test_a_copy_behind_a_host_function(stream, memory):
    """The library's call would wait for the function with the GIL, which the function needs."""
    data, calls = np.zeros(N, "u1"), []
    ok(hip.hipLaunchHostFunc(stream, calls.append, 1))
    ok(hip.hipMemcpyAsync(data, memory, N, DOWN, stream))
    assert calls == [1]
    assert (data == 5).all()
    ok(hip.hipLaunchHostFunc(stream, calls.append, 2))
    ok(hip.hipMemcpyWithStream(memory, np.full(N, 7, "u1"), N, UP, stream))
    assert calls == [1, 2]
    ok(hip.hipMemcpyWithStream(data, memory, N, ANY, stream))
    assert (data == 7).all()


def test_an_upload_reads_at_the_call(stream, memory):
    data, result = np.full(N, 3, "u1"), np.zeros(N, "u1")
    with stream_of(stream).hold():
        ok(hip.hipMemcpyAsync(memory, data, N, UP, stream))
        data[:] = 0
    ok(hip.hipMemcpyAsync(result, memory, N, DOWN, stream))
    assert (result == 3).all()


def test_registered_memory_is_copied_without_a_wait(stream, memory):
    data = np.zeros(N, "u1")
    ok(hip.hipHostRegister(data, N, 0))
    with stream_of(stream).hold():
        ok(hip.hipMemcpyAsync(data, memory, N, DOWN, stream))
        assert (data == 0).all()
    ok(hip.hipStreamSynchronize(stream))
    assert (data == 5).all()
    with stream_of(stream).hold():
        ok(hip.hipMemcpyAsync(memory, data, N, UP, stream))
        data[:] = 8  # it is read when the stream comes to the copy
    ok(hip.hipStreamSynchronize(stream))
    data[:] = 0
    ok(hip.hipMemcpyWithStream(data, memory, N, DOWN, stream))
    assert (data == 8).all()
    ok(hip.hipHostUnregister(data))


@pytest.mark.parametrize("kind", [DOWN, ANY])
def test_a_graph_that_copies_to_pageable_memory_is_launched_without_a_wait(stream, memory, kind):
    data, more, graph = np.zeros(N, "u1"), np.zeros(N, "u1"), ok(hip.hipGraphCreate(0))
    first = ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, data, memory, N, kind))
    ok(hip.hipGraphAddMemcpyNode1D(graph, (first,), 1, more, data, N, HOST))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    with stream_of(stream).hold():
        ok(hip.hipGraphLaunch(executable, stream))
        assert (data == 0).all()
    ok(hip.hipStreamSynchronize(stream))
    assert (data == 5).all()
    assert (more == 5).all()
    ok(hip.hipGraphExecDestroy(executable))
    ok(hip.hipGraphDestroy(graph))


def test_rows_of_a_graph(stream, memory):
    """8 rows of 6 bytes, 10 and 7 bytes apart; a node's memory is read at each launch."""
    data, graph, params = np.arange(80, dtype="u1"), ok(hip.hipGraphCreate(0)), hip.hipMemcpy3DParms()
    params.kind = UP
    params.extent.width, params.extent.height, params.extent.depth = 6, 8, 1
    params.srcPtr.ptr, params.srcPtr.pitch, params.srcPtr.ysize = data.ctypes.data, 10, 8
    params.dstPtr.ptr, params.dstPtr.pitch, params.dstPtr.ysize = int(memory), 7, 8
    ok(hip.hipGraphAddMemcpyNode(graph, None, 0, params))
    executable, result = ok(hip.hipGraphInstantiateWithFlags(graph, 0)), np.zeros(56, "u1")
    for _ in range(2):
        ok(hip.hipGraphLaunch(executable, stream))
        ok(hip.hipStreamSynchronize(stream))
        ok(hip.hipMemcpy(result, memory, 56, DOWN))
        assert (result.reshape(8, 7)[:, :6] == data.reshape(8, 10)[:, :6]).all()
        assert (result.reshape(8, 7)[:, 6] == 5).all()
        data += 1
    ok(hip.hipGraphExecDestroy(executable))
    ok(hip.hipGraphDestroy(graph))


def test_memory_of_another_library_is_not_taken_for_the_hosts(gpu, stream, memory):
    """The kind does not say where it is: the library is asked."""
    foreign, data = gpu.zeros(), np.zeros(16, "u1")
    ok(hip.hipMemcpyWithStream(foreign.pointer, memory, 16, ANY, stream))
    ok(hip.hipMemcpyWithStream(data, foreign.pointer, 16, ANY, stream))
    assert (data == 5).all()


def test_a_thread_launches_while_another_waits_in_a_copy(gpu, stream, memory):
    data, launched = np.zeros(N, "u1"), threading.Event()
    launcher, array = gpu.kernel("increment")[1, 16, stream_of(stream)], gpu.zeros()

    def launch():
        launcher(array, 16)
        launched.set()

    thread = threading.Thread(target=launch)
    ok(hip.hipLaunchHostFunc(stream, lambda patience: (thread.start(), launched.wait(patience)), 10))
    ok(hip.hipMemcpyAsync(data, memory, N, DOWN, stream))
    thread.join()
    assert launched.is_set()
    ok(hip.hipStreamSynchronize(stream))
    assert ctypes.c_ubyte.from_address(data.ctypes.data).value == 5
