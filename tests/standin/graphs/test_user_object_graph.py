"""User objects of the stand-in that graphs have references to, and what is made of graphs; captures, too."""

import ctypes
import struct

import pytest

from tests.standin.client import GLOBAL, NON_BLOCKING, PER_THREAD, RELAXED, THREAD_LOCAL, on_thread
from tests.standin.graphs.scene import ACTIVE, INVALID, INVALIDATED, UNJOINED, elsewhere, ended, scene
from tests.standin.graphs.user_objects import MOVE, captured, capturing, waiting

# -- graphs


def test_a_graph_has_references_until_it_is_destroyed(cuda, objects, stream):
    graph = captured(cuda, stream)
    object_ = objects.new(7)
    objects.retain(graph, object_, 2)
    cuda("cuUserObjectRelease", object_, 1)
    assert objects.are()
    cuda("cuGraphDestroy", graph)
    assert objects.are(7)


def test_references_are_moved(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7, 3)
    objects.retain(graph, object_, 2, MOVE)
    cuda("cuGraphDestroy", graph)
    assert objects.are()
    cuda("cuUserObjectRelease", object_, 1)
    assert objects.are(7)


def test_a_graph_gives_references_back(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7)
    other = objects.new(8)
    objects.retain(graph, object_, 2, 0)
    objects.retain(graph, object_, 1, MOVE)
    objects.retain(graph, other, 1, MOVE)
    cuda("cuGraphReleaseUserObject", graph, object_, 2)
    assert objects.code("GraphReleaseUserObject", graph, object_, 2) == 1
    assert objects.are()
    cuda("cuGraphReleaseUserObject", graph, object_, 1)
    assert objects.are(7)
    cuda("cuGraphDestroy", graph)
    assert objects.are(7, 8)


def test_an_object_of_two_graphs(cuda, objects, stream):
    graphs, object_ = [captured(cuda, stream) for _ in range(2)], objects.new(7, 2)
    for graph in graphs:
        objects.retain(graph, object_, 1, MOVE)
    cuda("cuGraphDestroy", graphs[0])
    assert objects.are()
    cuda("cuGraphDestroy", graphs[1])
    assert objects.are(7)


def test_what_is_instantiated_has_references_of_its_own(cuda, objects, stream):
    graph = captured(cuda, stream)
    object_ = objects.moved(graph, 7)
    early = cuda.instantiate(graph)
    objects.moved(graph, 8)  # too late for it
    late = cuda.instantiate(graph)
    cuda("cuGraphReleaseUserObject", graph, object_, 1)
    cuda("cuGraphDestroy", graph)
    cuda("cuGraphExecDestroy", late)
    assert objects.are(8)
    cuda("cuGraphExecDestroy", early)
    assert objects.are(8, 7)
    assert cuda.live("graphs") == 0


@pytest.mark.parametrize("first", ["cuGraphDestroy", "cuGraphExecDestroy"])
def test_launches_in_flight_have_references(cuda, objects, stream, first):
    other = cuda.stream(NON_BLOCKING)
    graph, word = waiting(cuda, stream)
    objects.moved(graph, 7)
    exec_ = cuda.instantiate(graph)
    for queue in stream, other, stream:
        cuda("cuGraphLaunch", exec_, queue)
    ends = {"cuGraphDestroy": graph, "cuGraphExecDestroy": exec_}
    cuda(first, ends.pop(first))
    cuda(*ends.popitem())
    assert objects.are()
    word.value = 1
    cuda("cuStreamSynchronize", stream)
    assert objects.are(7)


def test_launches_that_are_complete_have_none(cuda, objects, stream):
    graph = captured(cuda, stream, ("nothing", b""))
    objects.moved(graph, 7)
    exec_ = cuda.instantiate(graph)
    cuda("cuGraphDestroy", graph)
    for _ in range(3):
        cuda("cuGraphLaunch", exec_, stream)
    cuda("cuStreamSynchronize", stream)
    assert objects.are()
    cuda("cuGraphExecDestroy", exec_)
    assert objects.are(7)


def test_the_last_of_several_launches(cuda, objects, stream):
    graph = captured(cuda, stream, ("nothing", b""))
    objects.moved(graph, 7)
    exec_ = cuda.instantiate(graph)
    cuda("cuGraphDestroy", graph)
    with cuda.paused():
        for _ in range(2):
            cuda("cuGraphLaunch", exec_, stream)
        cuda("cuGraphExecDestroy", exec_)
        while cuda.pending > 1:
            assert objects.are()
            assert cuda.step() == 1
        assert objects.are()
        assert cuda.step() == 1
        assert objects.are(7)


def test_the_context_of_launches_fails(cuda, objects, stream):
    graph = captured(cuda, stream, ("fails", struct.pack("i", 700)), ("nothing", b""))
    objects.moved(graph, 7)
    exec_ = cuda.instantiate(graph)
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.code("cuStreamSynchronize", stream) == 700
    assert objects.are()
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuGraphDestroy", graph)
    assert objects.are(7)


def test_many_threads(cuda, objects, stream):
    graph = captured(cuda, stream, ("nothing", b""))
    object_ = objects.new(7)
    objects.retain(graph, object_, 1, MOVE)

    def work():
        cuda.current(cuda.context)
        for _ in range(50):
            objects.retain(graph, object_)
            exec_ = cuda.instantiate(graph)
            cuda("cuGraphLaunch", exec_, PER_THREAD)
            cuda("cuGraphExecDestroy", exec_)
            cuda("cuGraphReleaseUserObject", graph, object_, 1)

    threads = [on_thread(work) for _ in range(4)]
    for thread in threads:
        thread.join()
    cuda("cuGraphDestroy", graph)
    cuda("cuCtxSynchronize")
    assert objects.are(7)


# -- captures


@pytest.mark.parametrize("mode", [GLOBAL, THREAD_LOCAL, RELAXED])
@pytest.mark.parametrize("kind", [0, NON_BLOCKING])
def test_a_capture_allows_all_of_it(cuda, objects, mode, kind):
    capture = scene(cuda, kind, mode)
    forked = cuda.stream(NON_BLOCKING)
    cuda("cuStreamWaitEvent", forked, capture.inside, 0)
    graph = capturing(cuda, capture.stream)
    assert capturing(cuda, forked) == graph
    object_ = objects.moved(graph, 7)
    elsewhere(cuda, lambda: objects.retain(graph, object_))
    cuda("cuUserObjectRetain", object_, 1)
    cuda("cuUserObjectRelease", object_, 1)
    cuda("cuGraphReleaseUserObject", graph, object_, 1)
    cuda("cuUserObjectRelease", objects.new(6), 1)
    assert objects.are(6)
    assert cuda.capturing(capture.stream) == ACTIVE
    assert ended(cuda, capture.stream) == (0, graph)
    exec_ = cuda.instantiate(graph)
    cuda("cuGraphLaunch", exec_, capture.stream)
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuCtxSynchronize")
    assert objects.are(6)
    cuda("cuGraphDestroy", graph)
    assert objects.are(6, 7)


def test_a_capture_that_becomes_invalid(cuda, objects):
    capture = scene(cuda)
    objects.moved(capturing(cuda, capture.stream), 7)
    assert cuda.code("cuStreamQuery", capture.stream) == 900
    status, graph, count = ctypes.c_int(), ctypes.c_uint64(), ctypes.c_size_t(9)
    pointers = map(ctypes.byref, (status, graph, count))
    cuda("cuStreamGetCaptureInfo_v2", capture.stream, next(pointers), None, next(pointers), None, next(pointers))
    assert (status.value, graph.value, count.value) == (INVALID, 0, 9)
    assert ended(cuda, capture.stream) == (INVALIDATED, 0)
    assert objects.are(7)


def test_a_capture_that_fails_at_its_end(cuda, objects):
    capture = scene(cuda)
    objects.moved(capturing(cuda, capture.stream), 7)
    cuda("cuStreamWaitEvent", capture.other, capture.inside, 0)
    cuda.write(capture.other, capture.more, 1)
    assert objects.are()
    assert ended(cuda, capture.stream) == (UNJOINED, 0)
    assert objects.are(7)


@pytest.mark.parametrize("end", [("cuStreamDestroy_v2",), ("cuDevicePrimaryCtxReset_v2", 0)])
def test_a_capture_whose_stream_or_context_is_destroyed(cuda, objects, stream, end):
    cuda.capture(stream)
    objects.moved(capturing(cuda, stream), 7)
    cuda(*end, *[stream] * (len(end) == 1))
    assert objects.are(7)


def test_the_capture_of_the_per_thread_stream(cuda, objects):
    cuda.capture(PER_THREAD)
    graph = capturing(cuda, PER_THREAD)
    objects.moved(graph, 7)
    cuda("cuGraphDestroy", cuda.captured(PER_THREAD))
    assert objects.are(7)
