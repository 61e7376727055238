"""User objects of the stand-in: who has references to one, and its function when nobody has any more."""

from __future__ import annotations

import ctypes
import struct
import threading

import pytest

from .client import GLOBAL, NON_BLOCKING, PER_THREAD, RELAXED, THREAD_LOCAL, on_thread, soon
from .scene import ACTIVE, HOST_FUNCTION, INVALID, INVALIDATED, UNJOINED, elsewhere, ended, out, scene

MOVE = 1
NOT_PERMITTED = 800
MOST = 2**31 - 1


class Objects:
    """Makes objects, and keeps what their functions were called with, and where."""

    def __init__(self, cuda, library=None, prefix="cu"):
        self.cuda, self.library, self.prefix = cuda, library or cuda, prefix
        self.calls, self.threads = [], []
        self.function = HOST_FUNCTION(self._called)

    def _called(self, data):
        self.threads.append(threading.get_native_id())
        self.calls.append(data)

    def new(self, data, count=1):
        return self.library.out(f"{self.prefix}UserObjectCreate", data, self.function, count, 1)

    def code(self, name, *arguments):
        return self.library.code(self.prefix + name, *arguments)

    def retain(self, graph, object_, count=1, flags=0):
        self.library(f"{self.prefix}GraphRetainUserObject", graph, object_, count, flags)

    def moved(self, graph, data):
        """Give the graph the only reference to a new object."""
        object_ = self.new(data)
        self.retain(graph, object_, 1, MOVE)
        return object_

    def are(self, *wanted):
        """These have been destroyed, in that order, and no others are about to be."""
        return soon(lambda: not self.cuda.live("destroying")) and tuple(self.calls) == wanted


@pytest.fixture
def objects(cuda):
    return Objects(cuda)


@pytest.fixture
def stream(cuda):
    return cuda.stream(NON_BLOCKING)


def capturing(cuda, stream):
    """The graph of a stream's capture, while it lasts."""
    status, graph = ctypes.c_int(), ctypes.c_uint64()
    cuda("cuStreamGetCaptureInfo_v2", stream, ctypes.byref(status), None, ctypes.byref(graph), None, None)
    assert status.value == ACTIVE
    return graph.value


def captured(cuda, stream, *kernels):
    """A graph of those kernels: (name, arguments)."""
    cuda.capture(stream)
    for name, packed in kernels:
        cuda.launch(name, packed, stream)
    return cuda.captured(stream)


def waiting(cuda, stream):
    """A graph whose launches wait until a word is 1, and the word."""
    word = cuda.word()
    cuda.capture(stream)
    cuda("cuStreamWaitValue32_v2", stream, ctypes.addressof(word), 1, 0)
    return cuda.captured(stream), word


# -- references of callers


def test_a_function_is_called_once_and_elsewhere(cuda, objects):
    object_ = objects.new(7)
    assert cuda.live("user_objects") == 1
    cuda("cuUserObjectRelease", object_, 1)
    assert objects.are(7)
    assert objects.threads[0] != threading.get_native_id()
    assert cuda.live("user_objects") == 0


def test_callers_references_are_counted(cuda, objects):
    object_ = objects.new(7, 2)
    cuda("cuUserObjectRetain", object_, 3)
    cuda("cuUserObjectRelease", object_, 4)
    assert objects.are()
    elsewhere(cuda, lambda: cuda("cuUserObjectRelease", object_, 1))  # no thread's own
    assert objects.are(7)


def test_calls_go_on_while_a_function_runs(cuda, objects, stream):
    entered, leave, seen = threading.Event(), threading.Event(), []

    def wait(data):
        seen.append(data)
        entered.set()
        leave.wait(10)

    function = HOST_FUNCTION(wait)
    cuda("cuUserObjectRelease", cuda.out("cuUserObjectCreate", 5, function, 1, 1), 1)
    assert entered.wait(10)
    cuda("cuUserObjectRelease", objects.new(6), 1)  # one function at a time
    cuda("cuLaunchHostFunc", stream, objects.function, 8)  # host functions wait too
    cuda.launch("nothing")
    cuda("cuStreamSynchronize", 0)
    assert (seen, objects.calls, cuda.is_over(stream)) == ([5], [], False)
    assert (cuda.live("user_objects"), cuda.live("destroying")) == (2, 2)
    leave.set()
    cuda("cuStreamSynchronize", stream)
    assert objects.are(6, 8)
    assert len(set(objects.threads)) == 1


def test_a_function_may_not_call_the_library(cuda):
    codes = []
    function = HOST_FUNCTION(lambda _: codes.append(cuda.code("cuMemFree_v2", 0)))
    cuda("cuUserObjectRelease", cuda.out("cuUserObjectCreate", 0, function, 1, 1), 1)
    assert soon(lambda: not cuda.live("destroying"))
    assert codes == [NOT_PERMITTED]
    assert cuda.reports() == ["cuMemFree_v2 was called from a user object's destroy function"]
    cuda.allocate(4)


def test_a_function_on_the_thread_that_takes_the_last_reference(cuda, objects, stream):
    cuda.option("destroy_at_once", 1)
    cuda("cuUserObjectRelease", objects.new(1), 1)
    graph = captured(cuda, stream)
    objects.moved(graph, 2)
    cuda("cuGraphDestroy", graph)
    assert objects.calls == [1, 2]
    assert set(objects.threads) == {threading.get_native_id()}
    graph, word = waiting(cuda, stream)
    objects.moved(graph, 3)
    exec_ = cuda.instantiate(graph)
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuGraphDestroy", graph)
    assert objects.calls == [1, 2]
    word.value = 1
    cuda("cuStreamSynchronize", stream)
    assert objects.are(1, 2, 3)
    assert objects.threads[2] != threading.get_native_id()


# -- references of graphs


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


def test_one_object_of_two_graphs(cuda, objects, stream):
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
    for one in stream, other, stream:
        cuda("cuGraphLaunch", exec_, one)
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


# -- captures


@pytest.mark.parametrize("mode", [GLOBAL, THREAD_LOCAL, RELAXED])
@pytest.mark.parametrize("kind", [0, NON_BLOCKING])
def test_a_capture_allows_all_of_it(cuda, objects, mode, kind):
    made = scene(cuda, kind, mode)
    forked = cuda.stream(NON_BLOCKING)
    cuda("cuStreamWaitEvent", forked, made.inside, 0)
    graph = capturing(cuda, made.stream)
    assert capturing(cuda, forked) == graph
    object_ = objects.moved(graph, 7)
    elsewhere(cuda, lambda: objects.retain(graph, object_))
    cuda("cuUserObjectRetain", object_, 1)
    cuda("cuUserObjectRelease", object_, 1)
    cuda("cuGraphReleaseUserObject", graph, object_, 1)
    cuda("cuUserObjectRelease", objects.new(6), 1)
    assert objects.are(6)
    assert cuda.capturing(made.stream) == ACTIVE
    assert ended(cuda, made.stream) == (0, graph)
    exec_ = cuda.instantiate(graph)
    cuda("cuGraphLaunch", exec_, made.stream)
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuCtxSynchronize")
    assert objects.are(6)
    cuda("cuGraphDestroy", graph)
    assert objects.are(6, 7)


def test_a_capture_that_becomes_invalid(cuda, objects):
    made = scene(cuda)
    objects.moved(capturing(cuda, made.stream), 7)
    assert cuda.code("cuStreamQuery", made.stream) == 900
    status, graph, count = ctypes.c_int(), ctypes.c_uint64(), ctypes.c_size_t(9)
    given = map(ctypes.byref, (status, graph, count))
    cuda("cuStreamGetCaptureInfo_v2", made.stream, next(given), None, next(given), None, next(given))
    assert (status.value, graph.value, count.value) == (INVALID, 0, 9)
    assert ended(cuda, made.stream) == (INVALIDATED, 0)
    assert objects.are(7)


def test_a_capture_that_fails_at_its_end(cuda, objects):
    made = scene(cuda)
    objects.moved(capturing(cuda, made.stream), 7)
    cuda("cuStreamWaitEvent", made.other, made.inside, 0)
    cuda.write(made.other, made.more, 1)
    assert objects.are()
    assert ended(cuda, made.stream) == (UNJOINED, 0)
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


# -- misuse, and what tests ask for


def test_wrong_arguments(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7)
    function = objects.function
    wrong = {
        "UserObjectCreate": [
            (None, 1, function, 1, 1),
            (out(), 1, None, 1, 1),
            (out(), 1, function, 0, 1),
            (out(), 1, function, MOST + 1, 1),
            (out(), 1, function, 1, 0),
            (out(), 1, function, 1, 3),
        ],
        "UserObjectRetain": [(0, 1), (object_, 0), (object_, MOST + 1)],
        "UserObjectRelease": [(0, 1), (object_, 0), (object_, MOST + 1)],
        "GraphRetainUserObject": [
            (0, object_, 1, 0),
            (graph, 0, 1, 0),
            (graph, object_, 0, 0),
            (graph, object_, MOST + 1, 0),
            (graph, object_, 1, 2),
        ],
        "GraphReleaseUserObject": [
            (0, object_, 1),
            (graph, 0, 1),
            (graph, object_, 0),
            (graph, object_, 1),  # it has none
        ],
    }
    for name, calls in wrong.items():
        for arguments in calls:
            assert objects.code(name, *arguments) == 1, (name, arguments)
    cuda("cuGraphDestroy", graph)
    assert objects.code("GraphRetainUserObject", graph, object_, 1, MOVE) == 1
    assert objects.are()
    cuda("cuUserObjectRelease", object_, 1)
    assert objects.are(7)
    cuda("cuUserObjectRelease", objects.new(8, MOST), MOST)
    assert objects.are(7, 8)


def test_references_that_are_not_the_callers(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7)
    objects.retain(graph, object_)
    assert objects.code("UserObjectRelease", object_, 2) == 1
    assert objects.code("GraphRetainUserObject", graph, object_, 2, MOVE) == 1
    cuda("cuUserObjectRelease", object_, 1)
    assert objects.code("UserObjectRelease", object_, 1) == 1  # the graph's
    assert cuda.reports() == [
        "cuUserObjectRelease was called for 2 references to a user object of which callers have 1",
        "cuGraphRetainUserObject was called for 2 references to a user object of which callers have 1",
        "cuUserObjectRelease was called for 1 references to a user object of which callers have 0",
    ]
    assert objects.are()
    cuda("cuGraphDestroy", graph)
    assert objects.are(7)


def test_an_object_that_is_no_more(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7)
    cuda("cuUserObjectRelease", object_, 1)
    for name, arguments in {
        "UserObjectRetain": (object_, 1),
        "UserObjectRelease": (object_, 1),
        "GraphRetainUserObject": (graph, object_, 1, 0),
        "GraphReleaseUserObject": (graph, object_, 1),
    }.items():
        assert objects.code(name, *arguments) == 1
        assert cuda.reports() == [f"cu{name} was given a user object that nobody has references to"]
    assert objects.are(7)


NAMES = [
    "UserObjectCreate",
    "UserObjectRetain",
    "UserObjectRelease",
    "GraphRetainUserObject",
    "GraphReleaseUserObject",
]


def test_calls_are_recorded_and_fail_on_request(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7)
    given = {
        "UserObjectCreate": (out(), 1, objects.function, 1, 1),
        "UserObjectRetain": (object_, 1),
        "UserObjectRelease": (object_, 1),
        "GraphRetainUserObject": (graph, object_, 1, MOVE),
        "GraphReleaseUserObject": (graph, object_, 1),
    }
    objects.retain(graph, object_)
    cuda.calls()
    for name, arguments in given.items():
        cuda.fail(f"cu{name}", 2)
        assert objects.code(name, *arguments) == 2
    assert [(one.name, one.result) for one in cuda.calls()] == [(f"cu{name}", 2) for name in NAMES]
    objects.code("UserObjectRelease", object_, 1)  # the failed calls changed nothing
    assert [one.detail for one in cuda.calls()] == [f"{object_:#x} 1"]
    cuda("cuGraphReleaseUserObject", graph, object_, 1)
    assert objects.are(7)


def test_an_older_library_lacks_them(built):
    library = ctypes.CDLL(str(built("cuda", tuple(f"cu{name}" for name in NAMES))))
    assert not any(hasattr(library, f"cu{name}") for name in NAMES)


def test_nothing_is_called_after_a_reset(cuda, objects, stream):
    graph = captured(cuda, stream, ("nothing", b""))
    objects.moved(graph, 7)
    objects.new(8)
    exec_ = cuda.instantiate(graph)
    cuda.hold(stream)
    cuda("cuGraphLaunch", exec_, stream)
    cuda.capture(stream)
    objects.moved(capturing(cuda, stream), 9)
    assert cuda.live("user_objects") == 3
    cuda.reset()
    cuda.begin()
    assert (cuda.live("user_objects"), cuda.live("destroying")) == (0, 0)
    assert objects.are()


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


# -- HIP's names


def test_hip(hip, cuda):
    objects = Objects(cuda, hip, "hip")
    stream, data = hip.out("hipStreamCreateWithPriority", 1, 0), hip.out("hipMalloc", 4)
    hip("hipStreamBeginCapture", stream, 0)
    hip("hipMemsetD32Async", data, 6, 1, stream)
    status, graph, count = ctypes.c_int(), ctypes.c_uint64(), ctypes.c_size_t()
    given = map(ctypes.byref, (status, graph, count))
    hip("hipStreamGetCaptureInfo_v2", stream, next(given), None, next(given), None, next(given))
    assert (status.value, graph.value != 0, count.value) == (ACTIVE, True, 1)
    object_ = objects.new(7)
    hip("hipUserObjectRetain", object_, 2)
    objects.retain(graph.value, object_, 1, MOVE)
    objects.retain(graph.value, object_)
    hip("hipGraphReleaseUserObject", graph.value, object_, 1)
    hip("hipUserObjectRelease", object_, 2)
    assert objects.code("UserObjectRelease", 0, 1) == 1
    hip("hipStreamEndCapture", stream, ctypes.byref(graph))
    exec_ = hip.out("hipGraphInstantiateWithFlags", graph.value, 0)
    hip("hipGraphDestroy", graph.value)
    hip("hipGraphLaunch", exec_, stream)
    hip("hipStreamSynchronize", stream)
    assert objects.are()
    hip("hipGraphExecDestroy", exec_)
    assert objects.are(7)
    assert cuda.read(data) == [6]


def test_hip_without_cudas_functions(built, monkeypatch):
    monkeypatch.setenv("HIP_FORWARD_CUDA", str(built("cuda", ("cuUserObjectCreate",))))
    library, function = ctypes.CDLL(str(built("hip"))), HOST_FUNCTION(lambda _: None)
    assert library.hipUserObjectCreate(out(), None, function, 1, 1) == 801
