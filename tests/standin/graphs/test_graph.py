"""Graphs of the stand-in: what a capture gives, instantiated, launched and destroyed."""

import ctypes
import struct

import pytest

from tests.patience import PATIENCE
from tests.standin.client import GLOBAL, LEGACY, NON_BLOCKING, RELAXED, on_thread, soon
from tests.standin.graphs.scene import ACTIVE, HOST_FUNCTION, INVALID, UNSUPPORTED, ended, out, scene


def test_what_is_captured_does_not_run(cuda):
    stream, data, seen = cuda.stream(), cuda.allocate(4), []
    note = HOST_FUNCTION(seen.append)
    cuda.write(stream, data, 7)
    cuda.capture(stream)
    assert cuda.capturing(stream) == ACTIVE
    cuda.write(stream, data, 1)
    cuda.launch("increment", struct.pack("Qi", data, 1), stream)
    cuda("cuLaunchHostFunc", stream, note, 5)
    graph = cuda.captured(stream)
    assert cuda.capturing(stream) == 0
    assert cuda.read(data) == [7]
    exec_ = cuda.instantiate(graph)
    for _ in range(3):
        cuda.write(stream, data, 0)
        cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data) == [2]
    assert seen == [5, 5, 5]
    cuda("cuGraphDestroy", graph)
    cuda("cuGraphLaunch", exec_, LEGACY)  # it needs the graph no longer
    cuda("cuGraphExecDestroy", exec_)
    assert cuda.read(data) == [2]
    assert cuda.live("graphs") == 0


def test_an_empty_graph(cuda):
    stream = cuda.stream()
    cuda.capture(stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuStreamSynchronize", stream)


def test_a_kernel_gets_the_stream_of_its_graphs_launch(cuda):
    seen, stream, other = [], cuda.stream(), cuda.stream()
    cuda.register("told", lambda launch, _: seen.append(launch.stream))
    function = cuda.function("told", cuda.load(b"STANDIN1\nkernel told told 0\n"))
    cuda.capture(stream)
    cuda.launch(function, stream=stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, other)
    cuda("cuCtxSynchronize")
    assert seen == [other]


def test_pageable_memory_is_read_at_each_launch(cuda):
    stream, data, host = cuda.stream(), cuda.allocate(4), (ctypes.c_uint32 * 1)(1)
    cuda.capture(stream)
    cuda("cuMemcpyAsync", data, ctypes.addressof(host), 4, stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    for value in 5, 6:
        host[0] = value
        cuda("cuGraphLaunch", exec_, stream)
        assert cuda.read(data) == [value]


def test_branches_run_at_the_same_time_and_in_order(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.allocate(8)
    word, fork, join = cuda.word(), cuda.event(), cuda.event()
    cuda.capture(stream)
    cuda("cuEventRecord", fork, stream)
    cuda("cuStreamWaitEvent", other, fork, 0)
    cuda.launch("spin", struct.pack("QI", ctypes.addressof(word), 1), stream)
    cuda.write(stream, data, 1)
    cuda.write(other, data + 4, 2)
    cuda("cuEventRecord", join, other)
    cuda("cuStreamWaitEvent", stream, join, 0)
    cuda.launch("increment", struct.pack("Qi", data, 2), stream, block=(2, 1, 1))
    exec_ = cuda.instantiate(cuda.captured(stream))
    ctypes.memset(data, 0, 8)
    cuda("cuGraphLaunch", exec_, stream)
    assert soon(lambda: ctypes.c_uint32.from_address(data + 4).value == 2)
    assert not cuda.is_over(stream)
    word.value = 1
    assert cuda.read(data, 2) == [2, 3]


def test_launches_of_the_same_graph_run_in_turn(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.allocate(4)
    word = cuda.word()
    cuda.capture(stream)
    cuda("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), 1, 0)
    cuda.launch("increment", struct.pack("Qi", data, 1), stream)
    graph = cuda.captured(stream)
    exec_ = cuda.instantiate(graph)
    ctypes.memset(data, 0, 4)
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuGraphLaunch", exec_, other)
    assert (cuda.is_over(stream), cuda.is_over(other)) == (False, False)
    cuda("cuGraphExecDestroy", exec_)  # what has been launched goes on
    cuda("cuGraphDestroy", graph)
    word.value = 1
    assert cuda.read(data) == [2]
    assert cuda.live("graphs") == 0


@pytest.mark.parametrize(("kind", "waits"), [(0, True), (NON_BLOCKING, False)])
def test_a_graph_is_ordered_as_the_stream_that_it_is_launched_on(cuda, kind, waits):
    stream, data = cuda.stream(kind), cuda.allocate(4)
    cuda.capture(stream)
    cuda.write(stream, data, 3)
    exec_ = cuda.instantiate(cuda.captured(stream))
    release = cuda.hold(LEGACY)
    cuda("cuGraphLaunch", exec_, stream)
    assert soon(lambda: cuda.is_over(stream), 0.05 if waits else PATIENCE) is not waits
    release()
    assert cuda.read(data) == [3]


def test_many_launches_of_a_graph_block_the_caller(cuda):
    cuda.option("depth", 8)
    stream, done = cuda.stream(), []
    cuda.capture(stream)
    for _ in range(20):  # a capture is never full
        cuda.launch("nothing", stream=stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    release = cuda.hold(stream)

    def launch():
        cuda.current(cuda.context)
        for _ in range(8):
            cuda("cuGraphLaunch", exec_, stream)
        done.append(True)

    thread = on_thread(launch)
    thread.join(0.05)
    assert not done
    release()
    thread.join(10)
    assert done


def test_graphs_in_a_capture(cuda):
    capture = scene(cuda, mode=RELAXED)
    graph = cuda.captured(capture.stream)
    kept, spare = cuda.instantiate(graph), cuda.instantiate(graph)
    for mode in GLOBAL, RELAXED:
        for call, forbidden in (
            (("cuGraphLaunch", kept, capture.other), 0),
            (("cuGraphLaunch", kept, LEGACY), 0),
            (("cuGraphLaunch", kept, capture.stream), UNSUPPORTED),
            (("cuGraphInstantiateWithFlags", out(), graph, 0), UNSUPPORTED if mode == GLOBAL else 0),
            (("cuGraphExecDestroy", spare), UNSUPPORTED if mode == GLOBAL else 0),
        ):
            cuda.capture(capture.stream, mode)
            assert cuda.code(*call) == forbidden
            assert cuda.capturing(capture.stream) == (INVALID if forbidden else ACTIVE)
            ended(cuda, capture.stream)


def test_memory_of_a_graph(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), cuda.allocate(64)
    cuda.capture(stream, RELAXED)
    address = cuda.out("cuMemAllocAsync", 64, stream)
    cuda("cuMemsetD32Async", address, 5, 16, stream)
    cuda("cuMemcpyAsync", data, address, 64, stream)

    def use():
        return cuda.code("cuMemsetD32Async", address, 1, 1, other), cuda.code(
            "cuPointerGetAttribute", out(), 9, address
        )

    def free(name="cuMemFreeAsync", *stream):
        code = cuda.code(name, address, *stream)
        cuda("cuCtxSynchronize")
        return code

    assert use() == (1, 1)
    graph = cuda.captured(stream)
    exec_ = cuda.instantiate(graph)
    assert cuda.code("cuGraphInstantiateWithFlags", out(), graph, 0) == 801
    assert (use(), free("cuMemFreeAsync", other)) == ((1, 1), 1)
    for way in ("cuMemFreeAsync", other), ("cuMemFree_v2",):
        cuda("cuGraphLaunch", exec_, stream)
        assert cuda.code("cuGraphLaunch", exec_, stream) == 1  # what the first one left has not been freed
        assert cuda.read(data, 2) == [5, 5]
        assert use() == (0, 0)
        assert free(*way) == 0
        assert use() == (1, 1)
        assert free("cuMemFreeAsync", other) == 1
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuCtxSynchronize")
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuGraphDestroy", graph)
    assert use() == (0, 0)  # it outlives the graph
    assert free("cuMemFreeAsync", other) == 0
    assert use() == (1, 1)


def test_memory_that_a_graph_frees_itself(cuda):
    stream, data = cuda.stream(NON_BLOCKING), cuda.allocate(64)
    cuda.capture(stream)
    address = cuda.out("cuMemAllocAsync", 64, stream)
    cuda("cuMemsetD32Async", address, 5, 16, stream)
    cuda("cuMemcpyAsync", data, address, 64, stream)
    cuda("cuMemFreeAsync", address, stream)
    assert cuda.code("cuMemFreeAsync", address, stream) == 1
    exec_ = cuda.instantiate(cuda.captured(stream))
    for _ in range(3):
        cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 2) == [5, 5]


def test_memory_that_launches_free(cuda):
    stream = cuda.stream(NON_BLOCKING)
    cuda.capture(stream)
    cuda.out("cuMemAllocAsync", 64, stream)
    exec_ = cuda.instantiate(cuda.captured(stream), 1)
    for _ in range(3):
        cuda("cuGraphLaunch", exec_, stream)
    cuda("cuCtxSynchronize")


def test_a_graph_needs_its_module(cuda):
    stream, module = cuda.stream(), cuda.load(b"STANDIN1\nkernel nothing nothing 0\n")
    cuda.capture(stream)
    cuda.launch(cuda.function("nothing", module), stream=stream)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuModuleUnload", module)
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.code("cuStreamSynchronize", stream) == 719
    assert cuda.reports() == ["nothing ran after its module was unloaded"]


def test_a_graph_over_two_devices(cuda):
    stream, data = cuda.stream(), cuda.allocate(4)
    second = cuda.retain(1)
    cuda.current(second)
    other, more, join = cuda.stream(), cuda.allocate(4), cuda.event()
    cuda("cuCtxEnablePeerAccess", cuda.context, 0)
    cuda.current(cuda.context)
    fork = cuda.event()
    cuda.capture(stream)
    cuda.write(stream, data, 1)
    assert cuda.code("cuMemcpyAsync", more, data, 4, stream) == 1  # this context has no access
    cuda("cuEventRecord", fork, stream)
    cuda.current(second)
    cuda("cuStreamWaitEvent", other, fork, 0)
    cuda("cuMemcpyAsync", more, data, 4, other)
    cuda("cuEventRecord", join, other)
    cuda.current(cuda.context)
    cuda("cuStreamWaitEvent", stream, join, 0)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data) == [1]
    assert ctypes.c_uint32.from_address(more).value == 1


@pytest.mark.parametrize("name", ["cuMemcpyPeerAsync", "cuMemcpy3DPeerAsync"])
def test_a_copy_between_contexts_ends_a_capture(cuda, name):
    stream, data, more = cuda.stream(), cuda.allocate(4), cuda.allocate(4)
    cuda.capture(stream)
    if name == "cuMemcpyPeerAsync":
        assert cuda.code(name, more, cuda.context, data, cuda.context, 4, stream) == 900
    else:
        assert cuda.code(name, None, stream) == 900
    assert cuda.code("cuStreamEndCapture", stream, ctypes.byref(ctypes.c_uint64())) == 901
