"""User objects of the stand-in: references that callers have, the function when nobody has any more, and misuse."""

import ctypes
import threading

from tests.standin.client import soon
from tests.standin.graphs.scene import ACTIVE, HOST_FUNCTION, elsewhere, out
from tests.standin.graphs.user_objects import MOVE, Objects, captured, capturing, waiting

NOT_PERMITTED = 800
MOST = 2**31 - 1


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


NAMES = ["UserObjectCreate", "UserObjectRetain", "UserObjectRelease", "GraphRetainUserObject", "GraphReleaseUserObject"]


def test_calls_are_recorded_and_fail_on_request(cuda, objects, stream):
    graph, object_ = captured(cuda, stream), objects.new(7)
    calls = {
        "UserObjectCreate": (out(), 1, objects.function, 1, 1),
        "UserObjectRetain": (object_, 1),
        "UserObjectRelease": (object_, 1),
        "GraphRetainUserObject": (graph, object_, 1, MOVE),
        "GraphReleaseUserObject": (graph, object_, 1),
    }
    objects.retain(graph, object_)
    cuda.calls()
    for name, arguments in calls.items():
        cuda.fail(f"cu{name}", 2)
        assert objects.code(name, *arguments) == 2
    assert [(call.name, call.result) for call in cuda.calls()] == [(f"cu{name}", 2) for name in NAMES]
    objects.code("UserObjectRelease", object_, 1)  # the failed calls changed nothing
    assert [call.detail for call in cuda.calls()] == [f"{object_:#x} 1"]
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


# -- HIP's names


def test_hip(hip, cuda):
    objects = Objects(cuda, hip, "hip")
    stream, data = hip.out("hipStreamCreateWithPriority", 1, 0), hip.out("hipMalloc", 4)
    hip("hipStreamBeginCapture", stream, 0)
    hip("hipMemsetD32Async", data, 6, 1, stream)
    status, graph, count = ctypes.c_int(), ctypes.c_uint64(), ctypes.c_size_t()
    pointers = map(ctypes.byref, (status, graph, count))
    hip("hipStreamGetCaptureInfo_v2", stream, next(pointers), None, next(pointers), None, next(pointers))
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
