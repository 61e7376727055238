"""Graphs of the stand-in that are built node by node: what nodes do, in which order, and what is refused."""

import ctypes
import struct

import pytest

from tests.patience import PATIENCE
from tests.standin.client import LEGACY, NON_BLOCKING, PER_THREAD, soon
from tests.standin.graphs.graph_nodes import (
    DEVICE,
    EMPTY,
    HOST,
    UNIFIED,
    KernelNode,
    Nodes,
    copy,
    fill,
    increment,
    kernel,
)
from tests.standin.graphs.scene import ACTIVE, HOST_FUNCTION, INVALID, UNSUPPORTED, ended, out, scene

PITCHED = (16, 32)  # bytes of a row, of the destination and of the source


def launched(cuda, nodes, stream):
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuStreamSynchronize", stream)
    return exec_


def type_of(cuda, node):
    type_ = ctypes.c_int()
    cuda("cuGraphNodeGetType", node, ctypes.byref(type_))
    return type_.value


# -- what nodes do


def test_each_kind_of_node(cuda, nodes, stream):
    data, seen, event = cuda.allocate(16), [], cuda.event()
    note = HOST_FUNCTION(seen.append)
    first = nodes.fill(fill(data, 5))
    second = nodes.kernel("increment", increment(data), after=(first,))
    third = nodes.copy(copy(data + 4, data, 4), after=(second,))
    fourth = nodes.host(note, 7, after=(third,))
    fifth = nodes.add("EmptyNode", after=(fourth, third))
    sixth = nodes.add("EventRecordNode", event, after=(fifth,))
    last = nodes.add("EventWaitNode", event, after=(sixth,))
    handles = (first, second, third, fourth, fifth, sixth, last)
    assert [type_of(cuda, node) for node in handles] == [2, 0, 1, 3, EMPTY, 7, 6]
    assert (cuda.live("graphs"), cuda.live("nodes")) == (1, 7)
    exec_ = launched(cuda, nodes, stream)
    assert (cuda.read(data, 2), seen) == ([6, 6], [7])
    assert cuda.code("cuEventQuery", event) == 0
    cuda("cuGraphDestroy", nodes.graph)
    assert (cuda.live("graphs"), cuda.live("nodes")) == (1, 0)
    cuda("cuGraphExecDestroy", exec_)
    assert cuda.live("graphs") == 0


def test_arguments_are_copied_when_a_node_is_added(cuda, nodes, stream):
    data = cuda.allocate(16)
    address, count = ctypes.c_uint64(data), ctypes.c_int(1)
    pointers = (ctypes.c_void_p * 2)(ctypes.addressof(address), ctypes.addressof(count))
    node = KernelNode(cuda.function("increment"), (1, 1, 1), (1, 1, 1), 0, ctypes.addressof(pointers))
    first = nodes.fill(fill(data, 0, 2))
    nodes.add("KernelNode_v2", ctypes.byref(node), after=(first,))
    address.value, count.value = 0, 0
    launched(cuda, nodes, stream)
    assert cuda.read(data, 2) == [1, 0]


def test_a_kernel_handle_in_place_of_a_function(cuda, nodes, stream):
    seen = []
    cuda.register("told", lambda launch, _: seen.append((launch.stream, tuple(launch.grid), launch.shared)))
    node = kernel(0, grid=(2, 3, 4), shared=5)
    node.kernel = cuda.function("told", cuda.load(b"STANDIN1\nkernel told told 0\n"))
    nodes.add("KernelNode_v2", ctypes.byref(node))
    launched(cuda, nodes, stream)
    assert seen == [(stream, (2, 3, 4), 5)]


@pytest.mark.parametrize("types", [(UNIFIED, UNIFIED), (DEVICE, HOST), (HOST, DEVICE), (HOST, HOST), (DEVICE, DEVICE)])
def test_copies_between_places(cuda, nodes, stream, types):
    pageable = [(ctypes.c_uint32 * 4)(), (ctypes.c_uint32 * 4)()]
    to, source = (
        ctypes.addressof(memory) if type_ == HOST else cuda.allocate(16)
        for type_, memory in zip(types, pageable, strict=True)
    )
    nodes.copy(copy(to, source, 16, types=types))
    exec_ = nodes.instantiate()
    for value in 5, 6:  # pageable memory too is read at each launch
        ctypes.memset(source, value, 16)
        cuda("cuGraphLaunch", exec_, stream)
        assert cuda.read(to, 4) == [value * 0x01010101] * 4


def test_rows(cuda, nodes, stream):
    to, source = cuda.allocate(48), cuda.allocate(96)
    for at in range(24):
        ctypes.c_uint32.from_address(source + 4 * at).value = at
    ctypes.memset(to, 0, 48)
    first = nodes.copy(copy(to, source, 8, 3, PITCHED))
    nodes.fill(fill(to + 8, 9, width=2, element=2, rows=2, pitch=16), after=(first,))
    launched(cuda, nodes, stream)
    nines = 9 << 16 | 9
    assert cuda.read(to, 12) == [0, 1, nines, 0, 8, 9, nines, 0, 16, 17, 0, 0]


def test_a_node_of_another_device(cuda, nodes, stream):
    second = cuda.retain(1)
    cuda.current(second)
    more = cuda.allocate(4)
    function = cuda.function("increment", cuda.load(b"STANDIN1\nkernel increment increment 12 0:8,8:4\n"))
    cuda.current(cuda.context)
    first = nodes.add("MemsetNode", ctypes.byref(fill(more, 3)), second)
    nodes.add("KernelNode_v2", ctypes.byref(kernel(function, increment(more))), after=(first,))
    launched(cuda, nodes, stream)
    assert cuda.read(more) == [4]
    assert nodes.code("MemsetNode", ctypes.byref(fill(more, 3)), cuda.context) == 1  # which has no access


# -- the order of nodes


def test_nodes_that_nothing_orders_run_at_the_same_time(cuda, nodes, stream):
    word, data = cuda.word(), cuda.allocate(8)
    ctypes.memset(data, 0, 8)
    waits = nodes.kernel("spin", struct.pack("QI", ctypes.addressof(word), 1))
    second = nodes.fill(fill(data, 1), after=(waits,))
    third = nodes.fill(fill(data + 4, 2))
    nodes.kernel("increment", increment(data, 2), after=(second, third), block=(2, 1, 1))
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    assert soon(lambda: ctypes.c_uint32.from_address(data + 4).value == 2)
    assert not cuda.is_over(stream)
    word.value = 1
    assert cuda.read(data, 2) == [2, 3]


def test_any_order_that_the_nodes_allow(cuda, nodes, stream):
    data = cuda.allocate(4)
    before = nodes.fill(fill(data, 0))
    for _ in range(3):
        nodes.add("EmptyNode", after=(before,))
    exec_ = nodes.instantiate()
    with cuda.paused():
        cuda("cuGraphLaunch", exec_, stream)
        ready = []
        while cuda.pending:
            ready.append(cuda.ready)
            assert cuda.step() == 1
    assert ready == [1, 1, 3, 2, 1, 1]  # the launch's begin, the fill, three of one order, the launch's end


@pytest.mark.parametrize(("kind", "waits"), [(0, True), (NON_BLOCKING, False)])
def test_the_legacy_stream_orders_the_launch_alone(cuda, nodes, kind, waits):
    stream, word, data = cuda.stream(kind), cuda.word(), cuda.allocate(4)
    first = nodes.kernel("spin", struct.pack("QI", ctypes.addressof(word), 1))
    nodes.fill(fill(data, 3), after=(first,))
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda.launch("nothing", stream=LEGACY)  # behind the launch or not, but in front of none of its nodes
    assert soon(lambda: cuda.is_over(LEGACY), 0.02 if waits else PATIENCE) is not waits
    word.value = 1
    assert cuda.read(data) == [3]


def test_launches_and_uploads_run_in_turn(cuda, nodes, stream):
    other, word, data = cuda.stream(NON_BLOCKING), cuda.word(), cuda.allocate(4)
    ctypes.memset(data, 0, 4)
    first = nodes.kernel("spin", struct.pack("QI", ctypes.addressof(word), 1))
    nodes.kernel("increment", increment(data), after=(first,))
    exec_ = nodes.instantiate()
    cuda("cuGraphUpload", exec_, other)
    cuda("cuStreamSynchronize", other)
    release = cuda.hold(other)
    cuda("cuGraphUpload", exec_, other)
    cuda("cuGraphLaunch", exec_, stream)
    word.value = 1
    assert not soon(lambda: cuda.is_over(stream), 0.02)  # behind the upload
    word.value = 0
    release()
    cuda("cuStreamSynchronize", other)
    cuda("cuGraphUpload", exec_, other)
    assert not cuda.is_over(other)  # behind the launch
    word.value = 1
    cuda("cuStreamSynchronize", other)
    assert cuda.read(data) == [1]


# -- events


def test_an_event_counts_when_the_launch_has_been_called(cuda, nodes, stream):
    word, data, event, other = cuda.word(), cuda.allocate(4), cuda.event(0), cuda.stream(NON_BLOCKING)
    ctypes.memset(data, 0, 4)
    begin = cuda.event(0)
    first = nodes.add("EventRecordNode", begin)
    second = nodes.kernel("spin", struct.pack("QI", ctypes.addressof(word), 1), after=(first,))
    third = nodes.fill(fill(data, 4), after=(second,))
    last = nodes.add("EventRecordNode", event, after=(third,))
    never = cuda.word()
    nodes.kernel("spin", struct.pack("QI", ctypes.addressof(never), 1), after=(last,))
    exec_ = nodes.instantiate()
    assert cuda.code("cuEventQuery", event) == 0  # never recorded
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.code("cuEventQuery", event) == 600
    cuda("cuStreamWaitEvent", other, event, 0)
    cuda.launch("increment", increment(data), other)
    word.value = 1
    cuda("cuEventSynchronize", event)
    assert not cuda.is_over(stream)  # what comes after the record goes on
    cuda("cuStreamSynchronize", other)
    assert ctypes.c_uint32.from_address(data).value == 5
    milliseconds = ctypes.c_float(-1)
    cuda("cuEventElapsedTime", ctypes.byref(milliseconds), begin, event)
    assert milliseconds.value >= 0
    never.value = 1


def test_a_wait_is_for_the_record_before_the_launch(cuda, nodes, stream):
    other, event, data = cuda.stream(NON_BLOCKING), cuda.event(), cuda.allocate(4)
    first = nodes.add("EventWaitNode", event)
    nodes.fill(fill(data, 6), after=(first,))
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuStreamSynchronize", stream)  # for nothing: it was never recorded
    release = cuda.hold(other)
    cuda("cuEventRecord", event, other)
    cuda("cuGraphLaunch", exec_, stream)
    again = cuda.hold(other)
    cuda("cuEventRecord", event, other)
    assert not soon(lambda: cuda.is_over(stream), 0.02)
    release()
    assert soon(lambda: cuda.is_over(stream))
    again()
    assert cuda.read(data) == [6]


def test_a_wait_is_not_for_the_record_of_its_own_launch(cuda, nodes, stream):
    event, word, data = cuda.event(), cuda.word(), cuda.allocate(4)
    ctypes.memset(data, 0, 4)
    first = nodes.kernel("spin", struct.pack("QI", ctypes.addressof(word), 1))
    nodes.add("EventRecordNode", event, after=(first,))
    wait = nodes.add("EventWaitNode", event)
    nodes.fill(fill(data, 1), after=(wait,))
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    assert soon(lambda: ctypes.c_uint32.from_address(data).value == 1)
    assert cuda.code("cuEventQuery", event) == 600
    word.value = 1
    cuda("cuEventSynchronize", event)


def test_events_outlive_the_executable_graph(cuda, nodes, stream):
    event = cuda.event()
    nodes.add("EventRecordNode", event)
    release = cuda.hold(stream)
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuGraphExecDestroy", exec_)
    cuda("cuGraphDestroy", nodes.graph)
    assert cuda.code("cuEventQuery", event) == 600
    release()
    cuda("cuEventSynchronize", event)
    cuda("cuEventRecord", event, stream)
    cuda("cuEventSynchronize", event)


@pytest.mark.parametrize("name", ["EventRecordNode", "EventWaitNode"])
def test_a_destroyed_event(cuda, nodes, stream, name):
    event = cuda.event()
    nodes.add(name, event)
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuEventDestroy_v2", event)
    assert cuda.code("cuGraphLaunch", exec_, stream) == 1
    assert cuda.reports() == ["a graph was launched after an event of its nodes was destroyed"]
    assert nodes.code(name, event) == 1
    assert cuda.live("events") == 0


def test_events_of_captures(cuda, nodes):
    capture = scene(cuda)
    nodes.add("EventWaitNode", capture.inside)
    assert ended(cuda, capture.stream)[0] == 0
    exec_ = nodes.instantiate()
    assert cuda.code("cuGraphLaunch", exec_, capture.other) == 1  # it stands for nothing any more
    record = Nodes(cuda)
    record.add("EventRecordNode", capture.inside)
    launched(cuda, record, capture.other)
    cuda("cuGraphLaunch", exec_, capture.other)
    cuda("cuStreamSynchronize", capture.other)


# -- calls


def test_calls_are_recorded_and_fail(cuda, nodes, stream):
    data, event = cuda.allocate(16), cuda.event()
    calls = {
        "KernelNode_v2": (ctypes.byref(kernel(cuda.function("increment"), increment(data))),),
        "MemcpyNode": (ctypes.byref(copy(data, data + 8, 4)), cuda.context),
        "MemsetNode": (ctypes.byref(fill(data, 1)), cuda.context),
        "HostNode": (b"\1" * 16,),
        "EmptyNode": (),
        "EventRecordNode": (event,),
        "EventWaitNode": (event,),
    }
    for name, parameters in calls.items():
        cuda.calls()
        cuda.fail(f"cuGraphAdd{name}", 2)
        assert [nodes.code(name, *parameters) for _ in range(2)] == [2, 0]
        assert [(call.name, call.result) for call in cuda.calls()] == [
            (f"cuGraphAdd{name}", 2),
            (f"cuGraphAdd{name}", 0),
        ]
    assert cuda.live("nodes") == len(calls)
    cuda.fail("cuGraphCreate", 2)
    assert cuda.code("cuGraphCreate", out(), 0) == 2
    cuda.fail("cuGraphUpload", 2)
    assert cuda.code("cuGraphUpload", 8, stream) == 2
    assert cuda.live("graphs") == 1


def test_captures_elsewhere_allow_nodes(cuda):
    for mode in range(3):
        capture = scene(cuda, mode=mode)
        nodes = Nodes(cuda)
        nodes.kernel("nothing")
        nodes.fill(fill(capture.more, 1))
        nodes.add("EventRecordNode", capture.new)
        assert cuda.capturing(capture.stream) == ACTIVE
        assert ended(cuda, capture.stream)[0] == 0


def test_an_upload_in_a_capture(cuda):
    exec_ = Nodes(cuda).instantiate()
    for stream in PER_THREAD, cuda.stream():
        cuda.capture(stream)
        assert cuda.code("cuGraphUpload", exec_, stream) == UNSUPPORTED
        assert cuda.capturing(stream) == INVALID
        ended(cuda, stream)


def test_a_reset_ends_graphs_of_events(cuda, nodes, stream):
    event, data = cuda.event(), cuda.allocate(4)
    nodes.add("EventRecordNode", event, after=(nodes.add("EventWaitNode", event),))
    nodes.fill(fill(data, 1))
    exec_ = nodes.instantiate()
    cuda.hold(stream)
    cuda("cuGraphLaunch", exec_, stream)
    cuda.reset()
    assert [cuda.live(what) for what in ("graphs", "nodes", "events")] == [0, 0, 0]
