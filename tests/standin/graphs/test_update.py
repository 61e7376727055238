"""Updates of executable graphs of the stand-in: later launches alone see them, and much is refused."""

import ctypes
import struct

from tests.standin.graphs.graph_nodes import DEVICE, HOST, UNIFIED, Nodes, copy, fill, kernel

KERNEL = "cuGraphExecKernelNodeSetParams_v2"
COPY = "cuGraphExecMemcpyNodeSetParams"
FILL = "cuGraphExecMemsetNodeSetParams"
RECORD, WAIT = "cuGraphExecEventRecordNodeSetEvent", "cuGraphExecEventWaitNodeSetEvent"


def spin(word):
    return struct.pack("QI", ctypes.addressof(word), 1)


def fill_arguments(address, value):
    return struct.pack("Qfi", address, value, 1)


def floats(cuda, address, count=1):
    return list(struct.unpack(f"{count}f", struct.pack(f"{count}I", *cuda.read(address, count))))


def test_a_launch_in_flight_keeps_its_parameters(cuda, nodes, stream):
    word, data, source = cuda.word(), cuda.allocate(32), cuda.pinned(8)
    ctypes.memset(data, 0, 32)
    for at in range(2):
        ctypes.c_uint32.from_address(source + 4 * at).value = 11 * (at + 1)
    first = nodes.kernel("spin", spin(word))
    second = nodes.kernel("fill", fill_arguments(data, 1.5), after=(first,))
    third = nodes.copy(copy(data + 8, source, 4), after=(first,))
    fourth = nodes.fill(fill(data + 16, 3), after=(first,))
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda(KERNEL, exec_, second, ctypes.byref(kernel(cuda.function("fill"), fill_arguments(data + 4, 2.5))))
    cuda(COPY, exec_, third, ctypes.byref(copy(data + 12, source + 4, 4)), cuda.context)
    cuda(FILL, exec_, fourth, ctypes.byref(fill(data + 20, 4)), cuda.context)
    word.value = 1
    cuda("cuStreamSynchronize", stream)
    assert cuda.read(data, 6) == [*struct.unpack("2I", struct.pack("2f", 1.5, 0)), 11, 0, 3, 0]
    cuda("cuGraphLaunch", exec_, stream)
    assert floats(cuda, data, 2) == [1.5, 2.5]
    assert cuda.read(data + 8, 4) == [11, 22, 3, 4]


def test_updates_are_of_a_single_executable_graph(cuda, nodes, stream):
    data = cuda.allocate(8)
    node = nodes.fill(fill(data, 1))
    early = nodes.instantiate()
    cuda(FILL, early, node, ctypes.byref(fill(data, 2)), cuda.context)
    late = nodes.instantiate()
    for exec_, value in (early, 2), (late, 1):
        cuda("cuGraphLaunch", exec_, stream)
        assert cuda.read(data) == [value]


def test_another_function(cuda, nodes, stream):
    data = cuda.allocate(4)
    node = nodes.kernel("fill", fill_arguments(data, 1.5))
    exec_ = nodes.instantiate()
    ctypes.memset(data, 0, 4)
    other = cuda.load(b"STANDIN1\nkernel increment increment 12 0:8,8:4\n")
    update = kernel(cuda.function("increment", other), struct.pack("Qi", data, 1))
    cuda(KERNEL, exec_, node, ctypes.byref(update))
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data) == [1]
    cuda("cuModuleUnload", other)
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.code("cuStreamSynchronize", stream) == 719
    assert cuda.reports() == ["increment ran after its module was unloaded"]


def test_a_captured_graph(cuda, stream):
    data = cuda.allocate(8)
    cuda.capture(stream)
    cuda.launch("fill", fill_arguments(data, 1.5), stream)
    cuda.write(stream, data + 4, 7)
    graph = cuda.captured(stream)
    handles, count = (ctypes.c_uint64 * 2)(), ctypes.c_size_t(2)
    cuda("cuGraphGetNodes", graph, handles, ctypes.byref(count))
    exec_ = cuda.instantiate(graph)
    cuda(KERNEL, exec_, handles[0], ctypes.byref(kernel(cuda.function("fill"), fill_arguments(data, 2.5))))
    cuda(FILL, exec_, handles[1], ctypes.byref(fill(data + 4, 8)), cuda.context)
    cuda("cuGraphLaunch", exec_, stream)
    assert (floats(cuda, data), cuda.read(data + 4)) == ([2.5], [8])


def test_a_cooperative_kernel_stays_so(cuda, stream):
    data = cuda.allocate(36)
    cuda.capture(stream)
    pointer = ctypes.c_uint64(data)
    parameters = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
    cuda("cuLaunchCooperativeKernel", cuda.function("shape"), 1, 1, 1, 1, 1, 1, 0, stream, parameters)
    graph = cuda.captured(stream)
    node, count = ctypes.c_uint64(), ctypes.c_size_t(1)
    cuda("cuGraphGetNodes", graph, ctypes.byref(node), ctypes.byref(count))
    exec_ = cuda.instantiate(graph)
    packed = kernel(cuda.function("shape"), struct.pack("Q", data))
    assert cuda.code(KERNEL, exec_, node, ctypes.byref(packed)) == 1
    update = kernel(cuda.function("shape"), grid=(2, 1, 1))
    update.extra, update.parameters = None, ctypes.addressof(parameters)
    cuda(KERNEL, exec_, node, ctypes.byref(update))
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data, 8) == [2, 1, 1, 1, 1, 1, 0, 1]


def test_other_events(cuda, nodes, stream):
    word, first, second, awaited = cuda.word(), cuda.event(), cuda.event(), cuda.event()
    other = cuda.stream(1)
    wait = nodes.add("EventWaitNode", first)
    node = nodes.kernel("spin", spin(word), after=(wait,))
    record = nodes.add("EventRecordNode", first, after=(node,))
    exec_ = nodes.instantiate()
    cuda("cuGraphLaunch", exec_, stream)
    cuda(RECORD, exec_, record, second)
    cuda(WAIT, exec_, wait, awaited)
    assert cuda.code("cuEventQuery", first) == 600  # the launch in flight
    assert cuda.code("cuEventQuery", second) == 0
    word.value = 1
    cuda("cuEventSynchronize", first)
    release = cuda.hold(other)
    cuda("cuEventRecord", awaited, other)
    cuda("cuGraphLaunch", exec_, stream)
    assert [cuda.code("cuEventQuery", event) for event in (first, second)] == [0, 600]
    cuda("cuGraphDestroy", nodes.graph)
    release()
    cuda("cuEventSynchronize", second)


# -- what is refused: the executable graph stays as it is


def test_nodes_that_are_not_part_of_it(cuda, nodes, stream):
    data = cuda.allocate(8)
    node = nodes.fill(fill(data, 1))
    exec_ = nodes.instantiate()
    late = nodes.fill(fill(data + 4, 1))
    other = Nodes(cuda)
    foreign = other.fill(fill(data, 1))
    event = cuda.event()
    update = ctypes.byref(fill(data, 9))
    assert [cuda.code(FILL, exec_, handle, update, cuda.context) for handle in (late, foreign, exec_, 0)] == [1] * 4
    assert cuda.code(FILL, node, node, update, cuda.context) == 1
    assert cuda.code(KERNEL, exec_, node, ctypes.byref(kernel(cuda.function("nothing")))) == 1
    assert cuda.code(COPY, exec_, node, ctypes.byref(copy(data, data + 4, 4)), cuda.context) == 1
    assert [cuda.code(name, exec_, node, event) for name in (RECORD, WAIT)] == [1, 1]
    cuda.reports()
    cuda("cuGraphLaunch", exec_, stream)
    assert cuda.read(data) == [1]
    cuda("cuGraphDestroy", nodes.graph)
    assert cuda.code(FILL, exec_, node, update, cuda.context) == 1
    assert cuda.reports() == [f"{FILL} was called for a node whose graph was destroyed"]


def test_an_empty_node_has_no_event(cuda, nodes):
    node, event = nodes.add("EmptyNode"), cuda.event()
    assert cuda.code(WAIT, nodes.instantiate(), node, event) == 1


def test_events_that_are_none(cuda, nodes):
    event = cuda.event()
    record, wait = nodes.add("EventRecordNode", event), nodes.add("EventWaitNode", event)
    exec_ = nodes.instantiate()
    assert (cuda.code(RECORD, exec_, record, 8), cuda.code(WAIT, exec_, wait, 0)) == (1, 1)


def test_a_function_of_another_context(cuda, nodes, stream):
    node = nodes.kernel("nothing")
    exec_ = nodes.instantiate()
    cuda.current(cuda.retain(1))
    function = cuda.function("nothing", cuda.load(b"STANDIN1\nkernel nothing nothing 0\n"))
    assert cuda.code(KERNEL, exec_, node, ctypes.byref(kernel(function))) == 1
    cuda.current(cuda.context)
    for wrong in kernel(cuda.function("nothing"), grid=(0, 1, 1)), kernel(8), kernel(cuda.function("fill"), b"1"):
        assert cuda.code(KERNEL, exec_, node, ctypes.byref(wrong)) == 1
    cuda("cuGraphLaunch", exec_, stream)
    cuda("cuStreamSynchronize", stream)


def test_a_copy_of_another_kind(cuda, nodes, stream):
    data, more, pinned, managed = (
        cuda.allocate(32),
        cuda.allocate(32),
        cuda.pinned(32),
        cuda.out("cuMemAllocManaged", 32, 1),
    )
    kept = ctypes.create_string_buffer(32)
    pageable = ctypes.addressof(kept)
    node = nodes.copy(copy(data, pinned, 4))
    exec_ = nodes.instantiate()

    def code(*arguments, context=cuda.context, **more):
        return cuda.code(COPY, exec_, node, ctypes.byref(copy(*arguments, **more)), context)

    assert [code(to, pinned, 4) for to in (pinned, managed, pageable)] == [1, 1, 1]
    assert [code(data, source, 4) for source in (more, managed, pageable)] == [1, 1, 1]
    assert [code(data, pinned, 4, rows) for rows in (0, 2)] == [1, 1]
    assert code(data, pinned, 4, 2, (8, 8)) == 1
    assert (code(data, pinned, 0), code(data, pinned, 4, context=0)) == (1, 201)
    second = cuda.retain(1)
    cuda("cuCtxEnablePeerAccess", second, 0)
    cuda.current(second)
    cuda("cuCtxEnablePeerAccess", cuda.context, 0)
    far = cuda.allocate(32)
    cuda.current(cuda.context)
    assert (code(far, pinned, 4), code(data, pinned, 4, context=second)) == (1, 1)
    cuda("cuGraphLaunch", exec_, stream)
    assert code(more, pinned + 8, 8, types=(DEVICE, HOST)) == 0
    assert code(data, pinned + 8, 8, types=(UNIFIED, UNIFIED)) == 0
    cuda("cuStreamSynchronize", stream)


def test_rows_stay_as_they_are(cuda, nodes):
    data = cuda.allocate(64)
    copied = nodes.copy(copy(data, data + 32, 4, 2, (8, 8)))
    filled = nodes.fill(fill(data, 1, rows=2, pitch=8))
    row = nodes.fill(fill(data, 1, width=2))
    exec_ = nodes.instantiate()
    assert cuda.code(COPY, exec_, copied, ctypes.byref(copy(data, data + 32, 4)), cuda.context) == 1
    assert cuda.code(COPY, exec_, copied, ctypes.byref(copy(data, data + 32, 4, 2, (8, 8))), cuda.context) == 1

    def code(node, *arguments, **more):
        return cuda.code(FILL, exec_, node, ctypes.byref(fill(*arguments, **more)), cuda.context)

    assert code(filled, data + 4, 2, rows=2, pitch=8) == 0
    assert code(filled, data, 1, rows=3, pitch=8) == 1
    assert code(filled, data, 1, rows=2, pitch=16) == 1
    assert code(filled, data, 1, width=2, rows=2, pitch=8) == 1
    assert code(filled, data, 1, rows=1) == 1
    assert code(row, data + 8, 2, width=4) == 0
    assert code(row, data, 1, width=2, element=1) == 0
    assert code(row, data, 1, rows=2, pitch=8) == 1
    assert code(row, cuda.out("cuMemAllocManaged", 8, 1), 1) == 1


def test_calls_are_recorded_and_fail(cuda, nodes):
    data, event = cuda.allocate(16), cuda.event()
    exec_updates = {
        KERNEL: (nodes.kernel("nothing"), ctypes.byref(kernel(cuda.function("nothing")))),
        COPY: (nodes.copy(copy(data, data + 8, 4)), ctypes.byref(copy(data, data + 8, 4)), cuda.context),
        FILL: (nodes.fill(fill(data, 1)), ctypes.byref(fill(data, 1)), cuda.context),
        RECORD: (nodes.add("EventRecordNode", event), event),
        WAIT: (nodes.add("EventWaitNode", event), event),
    }
    exec_ = nodes.instantiate()
    for name, arguments in exec_updates.items():
        cuda.calls()
        cuda.fail(name, 2)
        assert [cuda.code(name, exec_, *arguments) for _ in range(2)] == [2, 0]
        assert [(call.name, call.result) for call in cuda.calls()] == [(name, 2), (name, 0)]
