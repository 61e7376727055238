"""Captures of the stand-in: streams that are part of one, its events, and how it ends."""

import ctypes
import struct

import pytest

from tests.standin.client import NON_BLOCKING, RELAXED
from tests.standin.graphs.scene import (
    ACTIVE,
    INVALID,
    INVALIDATED,
    ISOLATION,
    MERGE,
    MODES,
    THREAD,
    UNJOINED,
    UNMATCHED,
    UNSUPPORTED,
    elsewhere,
    ended,
    out,
    scene,
)


def test_arguments_are_those_of_the_capture(cuda):
    stream, data = cuda.stream(), cuda.allocate(8)
    packed = ctypes.create_string_buffer(struct.pack("Qi", data, 1), 12)
    size, function = ctypes.c_size_t(12), cuda.function("increment")
    extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(packed), 2, ctypes.addressof(size), 0)
    cuda("cuMemsetD32Async", data, 0, 2, stream)
    cuda.capture(stream)
    cuda("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, stream, None, extra)
    packed[:12] = struct.pack("Qi", data, 2)
    exec_ = cuda.instantiate(cuda.captured(stream))
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 2) == [1, 0]


def test_work_before_a_capture_is_no_part_of_it(cuda):
    stream, event, data = cuda.stream(NON_BLOCKING), cuda.event(), cuda.allocate(4)
    release = cuda.hold(stream)
    cuda("cuEventRecord", event, stream)
    cuda.capture(stream)
    cuda.write(stream, data, 1)
    exec_ = cuda.instantiate(cuda.captured(stream))
    assert not cuda.is_over(stream)
    cuda("cuGraphLaunch", exec_, stream)
    cuda.capture(stream)
    assert cuda.code("cuStreamWaitEvent", stream, event, 0) == ISOLATION  # its own, too
    assert ended(cuda, stream) == (INVALIDATED, 0)
    release()
    assert cuda.read(data) == [1]


def test_a_fork_and_its_join(cuda):
    stream, other, data = cuda.stream(NON_BLOCKING), cuda.stream(), cuda.allocate(16)
    fork, join = cuda.event(), cuda.event()
    cuda("cuMemsetD32Async", data, 0, 4, stream)
    cuda.capture(stream)
    cuda.launch("increment", struct.pack("Qi", data, 2), stream, block=(4, 1, 1))
    cuda("cuEventRecord", fork, stream)
    cuda("cuStreamWaitEvent", other, fork, 0)
    assert cuda.capturing(other) == ACTIVE
    cuda.launch("increment", struct.pack("Qi", data + 8, 2), other, block=(4, 1, 1))
    cuda("cuEventRecord", join, other)
    cuda("cuStreamWaitEvent", stream, join, 0)
    cuda.launch("increment", struct.pack("Qi", data, 4), stream, block=(4, 1, 1))
    graph = cuda.captured(stream)
    assert (cuda.capturing(stream), cuda.capturing(other)) == (0, 0)
    count = ctypes.c_size_t()
    cuda("cuGraphGetNodes", graph, None, ctypes.byref(count))
    assert count.value == 3
    exec_ = cuda.instantiate(graph)
    for _ in range(5):
        cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 4) == [10, 10, 10, 10]


def test_unjoined_work(cuda):
    stream, other, event, data = cuda.stream(), cuda.stream(), cuda.event(), cuda.allocate(4)
    for forked in False, True:
        cuda.capture(stream)
        cuda("cuEventRecord", event, stream)
        cuda("cuStreamWaitEvent", other, event, 0)
        if forked:  # one that has got nothing is no matter
            cuda.write(other, data, 1)
        code, graph = ended(cuda, stream)
        assert (code, bool(graph)) == ((UNJOINED, False) if forked else (0, True))
        assert (cuda.capturing(stream), cuda.capturing(other)) == (0, 0)
        assert cuda.is_over(other)


def test_only_the_first_stream_can_end_its_capture(cuda):
    capture = scene(cuda)
    cuda("cuStreamWaitEvent", capture.other, capture.inside, 0)
    assert ended(cuda, capture.other) == (UNMATCHED, 0)
    assert (cuda.capturing(capture.stream), cuda.capturing(capture.other)) == (INVALID, INVALID)
    assert ended(cuda, capture.stream) == (INVALIDATED, 0)


@pytest.mark.parametrize("mode", MODES)
def test_only_the_thread_that_began_it_can_end_a_capture(cuda, mode):
    capture = scene(cuda, mode=mode)
    assert elsewhere(cuda, lambda: cuda.launch_code(capture.function, stream=capture.stream)) == 0
    code, graph = elsewhere(cuda, lambda: ended(cuda, capture.stream))
    assert (code, bool(graph)) == ((0, True) if mode == RELAXED else (THREAD, False))
    assert cuda.capturing(capture.stream) == 0


def test_an_invalid_capture(cuda):
    capture = scene(cuda)
    cuda("cuStreamWaitEvent", capture.other, capture.inside, 0)
    assert cuda.code("cuStreamSynchronize", capture.stream) == UNSUPPORTED
    assert (cuda.capturing(capture.stream), cuda.capturing(capture.other)) == (INVALID, INVALID)
    assert cuda.code("cuMemsetD32Async", capture.more, 1, 1, capture.stream) == INVALIDATED
    assert cuda.launch_code(capture.function, stream=capture.other) == INVALIDATED
    assert cuda.code("cuEventRecord", capture.new, capture.stream) == INVALIDATED
    assert cuda.code("cuStreamWaitEvent", capture.stream, capture.timed, 0) == INVALIDATED
    assert cuda.code("cuStreamQuery", capture.other) == UNSUPPORTED
    assert cuda.code("cuEventQuery", capture.inside) == 1
    assert cuda.code("cuStreamWaitEvent", capture.blocking, capture.inside, 0) == 1
    assert cuda.code("cuMemAlloc_v2", out(), 64) == UNSUPPORTED  # until it is ended
    assert cuda.code("cuStreamBeginCapture_v2", capture.stream, 0) == 401
    assert ended(cuda, capture.other) == (UNMATCHED, 0)
    assert ended(cuda, capture.stream) == (INVALIDATED, 0)
    assert cuda.is_over(capture.stream)
    assert cuda.is_over(capture.other)
    assert cuda.live("graphs") == 0


def test_events_of_a_capture_stand_for_nothing_afterwards(cuda):
    capture = scene(cuda)
    assert cuda.code("cuEventElapsedTime", out(), capture.timed, capture.inside) == 907  # which does no harm
    exec_ = cuda.instantiate(cuda.captured(capture.stream))
    for _ in range(2):
        assert cuda.code("cuEventQuery", capture.inside) == 1
        assert cuda.code("cuEventSynchronize", capture.inside) == 1
        assert cuda.code("cuEventElapsedTime", out(), capture.timed, capture.inside) == 1
        assert cuda.code("cuStreamWaitEvent", capture.other, capture.inside, 0) == 1
        assert cuda.capturing(capture.other) == 0
        cuda("cuGraphLaunch", exec_, capture.stream)
        cuda("cuStreamSynchronize", capture.stream)
    cuda.capture(capture.stream)
    assert cuda.code("cuStreamWaitEvent", capture.stream, capture.inside, 0) == 1
    assert cuda.capturing(capture.stream) == INVALID
    ended(cuda, capture.stream)
    cuda("cuEventRecord", capture.inside, capture.stream)  # recorded again it is like any other
    cuda("cuEventSynchronize", capture.inside)
    cuda("cuStreamWaitEvent", capture.other, capture.inside, 0)


def test_two_captures(cuda):
    first, other, event = cuda.stream(), cuda.stream(), cuda.event()
    ids = []
    for stream in first, other:
        cuda.capture(stream)
        ids.append(info(cuda, stream)[1])
        cuda("cuEventRecord", event, stream)
    assert ids[0] != ids[1]
    assert cuda.code("cuStreamWaitEvent", first, event, 0) == MERGE
    assert (cuda.capturing(first), cuda.capturing(other)) == (INVALID, INVALID)
    assert [ended(cuda, stream)[0] for stream in (first, other)] == [INVALIDATED, INVALIDATED]


def test_what_a_capture_is_at(cuda):
    capture, kind = scene(cuda), ctypes.c_int(-1)
    status, id_, graph, after = info(cuda, capture.stream)
    assert status == ACTIVE
    cuda("cuGraphNodeGetType", after[0], ctypes.byref(kind))
    assert (len(after), kind.value) == (1, 2)
    assert info(cuda, capture.other) == (0, 0, 0, [])
    cuda("cuStreamWaitEvent", capture.other, capture.inside, 0)
    assert info(cuda, capture.other) == (status, id_, graph, after)
    cuda.write(capture.other, capture.more, 1)
    cuda("cuEventRecord", capture.inside, capture.other)
    cuda("cuStreamWaitEvent", capture.stream, capture.inside, 0)
    assert info(cuda, capture.stream)[3] == after + info(cuda, capture.other)[3]
    edges = ctypes.c_void_p(1)
    after_, count = ctypes.c_void_p(), ctypes.c_size_t()
    pointers = map(ctypes.byref, (kind, after_, edges, count))
    arguments = [next(pointers), None, None, *pointers]
    cuda("cuStreamGetCaptureInfo_v3", capture.stream, *arguments)
    assert (kind.value, edges.value, count.value) == (ACTIVE, None, 2)
    assert cuda.captured(capture.stream) == graph


def info(cuda, stream):
    """Status, id, graph, nodes that the next one comes after."""
    status, id_, graph = ctypes.c_int(9), ctypes.c_uint64(), ctypes.c_uint64()
    after, count = ctypes.POINTER(ctypes.c_uint64)(), ctypes.c_size_t()
    arguments = [stream, *map(ctypes.byref, (status, id_, graph, after, count))]
    cuda("cuStreamGetCaptureInfo_v2", *arguments)
    return status.value, id_.value, graph.value, [after[i] for i in range(count.value)]


def test_ends_of_streams_and_events(cuda):
    capture = scene(cuda)
    forked = cuda.stream()
    cuda("cuStreamWaitEvent", forked, capture.inside, 0)
    cuda("cuEventDestroy_v2", capture.inside)
    cuda.write(forked, capture.more, 1)
    cuda("cuEventRecord", capture.new, forked)
    cuda("cuStreamWaitEvent", capture.stream, capture.new, 0)
    cuda("cuStreamDestroy_v2", forked)  # joined: it is no matter
    assert ended(cuda, capture.stream)[0] == 0
    cuda.capture(capture.stream)
    cuda("cuEventRecord", capture.new, capture.stream)
    cuda("cuStreamWaitEvent", capture.other, capture.new, 0)
    cuda("cuStreamDestroy_v2", capture.stream)  # which ends the capture
    assert cuda.capturing(capture.other) == 0
    cuda.write(capture.other, capture.more, 1)
    cuda.allocate(4)
    assert cuda.live("graphs") == 1


def test_a_capture_ends_with_everything(cuda):
    graph = scene(cuda)
    cuda.instantiate(cuda.captured(graph.stream))
    cuda.capture(graph.stream)
    cuda.reset()
    cuda.begin()
    assert cuda.live("graphs") == 0
    cuda.allocate(4)
