"""Capture: what is submitted to a stream becomes a graph."""

import ctypes

import numpy as np
import pytest

from tests.threads import apart

from .calls import compiled, fails, ok
from .graphs import ACTIVE, GLOBAL, LOCAL, NONE, RELAXED, N, kinds, run, start

VALUE = "hipErrorInvalidValue"


@pytest.fixture
def stream(stream):
    """Return a stream that no capture is left on."""
    from launchpath.hip._streams.capturing import captured

    yield stream
    assert not captured


def test_work_becomes_nodes_and_does_not_run(hip, program, stream, made):
    x, y, result, calls = program.memory(), program.memory(), np.zeros(N, "f4"), []
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    assert ok(hip.hipStreamIsCapturing(stream)) == ACTIVE
    ok(program.double(x, stream))
    ok(program.launch(program.add, stream, x, y, ctypes.c_int(N)))
    ok(hip.hipMemsetD32Async(y, 0x40000000, N, stream))
    ok(program.launch(program.add, stream, x, y, ctypes.c_int(N)))
    ok(hip.hipLaunchHostFunc(stream, calls.append, 1))
    ok(hip.hipMemcpyAsync(result, x, 4 * N, hip.hipMemcpyKind.hipMemcpyDeviceToHost, stream))
    graph = ok(hip.hipStreamEndCapture(stream))
    assert ok(hip.hipStreamIsCapturing(stream)) == NONE
    assert (program.read(x) == start()).all()
    assert not calls
    assert kinds(hip, graph) == ["Kernel", "Kernel", "Memset", "Kernel", "Host", "Memcpy"]
    nodes, _ = ok(hip.hipGraphGetNodes(graph))
    assert ok(hip.hipGraphGetEdges(graph)) == (nodes[:-1], nodes[1:], 5)
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphDestroy(graph))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert (result == 3 * start() + 2).all()
    assert calls == [1]
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert (result == 2 * (3 * start() + 2) + 2 + 2).all()


def test_arguments_are_those_of_the_capture(hip, program, stream, made):
    x = program.memory()
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    pointer, factor, count = ctypes.c_void_p(int(x)), ctypes.c_float(3), ctypes.c_int(N)
    parameters = tuple(map(ctypes.addressof, (pointer, factor, count)))
    ok(hip.hipModuleLaunchKernel(program.scale, 4, 1, 1, 32, 1, 1, 0, stream, parameters, None))
    factor.value = 100
    graph = made(hip.hipStreamEndCapture(stream))
    run(hip, graph, stream)
    assert (program.read(x) == 3 * start()).all()
    (node,), _ = ok(hip.hipGraphGetNodes(graph))
    assert int(ok(hip.hipGraphKernelNodeGetParams(node)).func) == int(program.scale)


def test_the_legacy_stream_is_not_captured_nor_used_beside_a_blocking_stream_that_is(hip, program, stream, made):
    x, blocking = program.memory(), made(hip.hipStreamCreate())
    for legacy in (None, 0, 1):
        fails(hip.hipStreamBeginCapture(legacy, GLOBAL), "hipErrorStreamCaptureUnsupported")
        fails(hip.hipStreamEndCapture(legacy), "hipErrorIllegalState")
        assert ok(hip.hipStreamIsCapturing(legacy)) == NONE
        assert ok(hip.hipStreamGetCaptureInfo(legacy)) == (NONE, 0)
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(program.double(x, None))
    ok(hip.hipGraphDestroy(ok(hip.hipStreamEndCapture(stream))))
    ok(hip.hipStreamBeginCapture(blocking, GLOBAL))
    for result in (
        program.double(x, None),
        hip.hipMemcpy(x, start(), 4, 1),
        hip.hipMemset(x, 0, 4),
        hip.hipStreamIsCapturing(None),
        hip.hipStreamGetCaptureInfo(None),
        hip.hipStreamGetCaptureInfo_v2(None, None),
        hip.hipStreamSynchronize(None),
    ):
        fails(result, "hipErrorStreamCaptureImplicit")
    ok(program.double(x, blocking))
    graph = made(hip.hipStreamEndCapture(blocking))
    assert kinds(hip, graph) == ["Kernel"]
    assert (program.read(x) == 2 * start()).all()


def test_what_begin_and_end_refuse(hip, stream):
    fails(hip.hipStreamBeginCapture(stream, 17), VALUE)
    fails(hip.hipStreamEndCapture(stream), "hipErrorIllegalState")
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    fails(hip.hipStreamBeginCapture(stream, GLOBAL), "hipErrorIllegalState")
    graph = ok(hip.hipStreamGetCaptureInfo_v2(stream, None))[2]
    fails(hip.hipGraphDestroy(graph), VALUE)
    assert int(ok(hip.hipStreamEndCapture(stream))) == int(graph)
    ok(hip.hipGraphDestroy(graph))
    gone = ok(hip.hipStreamCreate())
    ok(hip.hipStreamDestroy(gone))
    for call in (hip.hipStreamEndCapture, hip.hipStreamIsCapturing, hip.hipStreamGetCaptureInfo):
        fails(call(gone), "hipErrorContextIsDestroyed")
    fails(hip.hipStreamBeginCapture(gone, GLOBAL), "hipErrorContextIsDestroyed")


def in_thread(call, device):
    from launchpath.hip._devices import current

    def body():
        current.choose(device)
        return call()

    return apart(body)


def test_another_thread_ends_a_capture_of_the_relaxed_mode_alone(hip, device, program, stream, made):
    x = program.memory()
    for mode in (GLOBAL, LOCAL):
        ok(hip.hipStreamBeginCapture(stream, mode))
        fails(in_thread(lambda: hip.hipStreamEndCapture(stream), device), "hipErrorStreamCaptureWrongThread")
        ok(hip.hipGraphDestroy(ok(hip.hipStreamEndCapture(stream))))
    ok(hip.hipStreamBeginCapture(stream, RELAXED))
    ok(in_thread(lambda: program.double(x, stream), device))
    graph = made(in_thread(lambda: hip.hipStreamEndCapture(stream), device))
    assert kinds(hip, graph) == ["Kernel"]


def test_the_per_thread_stream(hip, program):
    x = program.memory()
    for begin, end, handle in (
        (hip.hipStreamBeginCapture, hip.hipStreamEndCapture, 2),
        (hip.hipStreamBeginCapture_spt, hip.hipStreamEndCapture_spt, None),
    ):
        ok(begin(handle, RELAXED))
        assert ok(hip.hipStreamIsCapturing_spt(None)) == ACTIVE
        status, number = ok(hip.hipStreamGetCaptureInfo_spt(None))
        assert (status, number) == ok(hip.hipStreamGetCaptureInfo(2))
        ok(program.double(x, 2))
        assert ok(hip.hipStreamGetCaptureInfo_v2_spt(None, None))[3] == 1
        graph = ok(end(handle))
        assert kinds(hip, graph) == ["Kernel"]
        run(hip, graph)
        ok(hip.hipGraphDestroy(graph))
    assert (program.read(x) == 4 * start()).all()


def dependencies(hip, stream):
    place = ctypes.c_void_p()
    status, _, graph, count = ok(hip.hipStreamGetCaptureInfo_v2(stream, ctypes.addressof(place)))
    assert status == ACTIVE
    return graph, list((ctypes.c_void_p * count).from_address(place.value)) if count else []


def test_what_the_next_node_depends_on(hip, program, stream, made):
    x = program.memory()
    status, number, graph, count = ok(hip.hipStreamGetCaptureInfo_v2(stream, None))
    assert (status, number, int(graph), count) == (NONE, 0, 0, 0)
    fails(hip.hipStreamUpdateCaptureDependencies(stream, None, 0, 0), "hipErrorIllegalState")
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    assert dependencies(hip, stream)[1] == []
    ok(program.double(x, stream))
    graph, (first,) = dependencies(hip, stream)
    own = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    ok(hip.hipStreamUpdateCaptureDependencies(stream, (own,), 1, 0))
    assert dependencies(hip, stream)[1] == [first, int(own)]
    ok(hip.hipStreamUpdateCaptureDependencies(stream, (own,), 1, 1))
    assert dependencies(hip, stream)[1] == [int(own)]
    fails(hip.hipStreamUpdateCaptureDependencies(stream, (own,), 1, 7), VALUE)
    other = made(hip.hipGraphCreate(0))
    foreign = ok(hip.hipGraphAddEmptyNode(other, None, 0))
    fails(hip.hipStreamUpdateCaptureDependencies(stream, (foreign,), 1, 0), VALUE)
    ok(program.double(x, stream))
    graph = ok(hip.hipStreamEndCapture(stream))
    nodes, _ = ok(hip.hipGraphGetNodes(graph))
    assert ok(hip.hipGraphGetEdges(graph)) == ((own,), (nodes[2],), 1)
    ok(hip.hipGraphDestroy(graph))


def test_a_capture_into_a_graph(hip, program, stream, made):
    x, graph = program.memory(), made(hip.hipGraphCreate(0))
    first = ok(hip.hipGraphAddKernelNode(graph, None, 0, program.kernel(x, 3)))
    other = made(hip.hipGraphCreate(0))
    foreign = ok(hip.hipGraphAddEmptyNode(other, None, 0))
    fails(hip.hipStreamBeginCaptureToGraph(stream, graph, (foreign,), None, 1, GLOBAL), VALUE)
    fails(hip.hipStreamBeginCaptureToGraph(stream, None, None, None, 0, GLOBAL), VALUE)
    fails(hip.hipStreamBeginCaptureToGraph(None, graph, None, None, 0, GLOBAL), "hipErrorStreamCaptureUnsupported")
    edge = hip.hipGraphEdgeData()
    fails(hip.hipStreamBeginCaptureToGraph(stream, graph, (first,), edge, 1, GLOBAL), "hipErrorNotSupported")
    ok(hip.hipStreamBeginCaptureToGraph(stream, graph, (first,), None, 1, GLOBAL))
    ok(program.double(x, stream))
    fails(hip.hipStreamBeginCaptureToGraph(stream, graph, None, None, 0, GLOBAL), "hipErrorIllegalState")
    assert int(ok(hip.hipStreamEndCapture(stream))) == int(graph)
    assert ok(hip.hipGraphGetEdges(graph))[0] == (first,)
    run(hip, graph)
    assert (program.read(x) == 6 * start()).all()


def test_a_launch_of_a_graph_is_captured_as_a_node(hip, program, stream, made):
    x, inner = program.memory(), made(hip.hipGraphCreate(0))
    node = ok(hip.hipGraphAddKernelNode(inner, None, 0, program.kernel(x, 3)))
    ok(hip.hipGraphAddKernelNode(inner, (node,), 1, program.kernel(x, 5)))
    executable = ok(hip.hipGraphInstantiateWithFlags(inner, 0))
    ok(hip.hipGraphNodeSetEnabled(executable, node, 0))
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    ok(program.double(x, stream))
    ok(hip.hipGraphLaunch(executable, stream))
    graph = made(hip.hipStreamEndCapture(stream))
    ok(hip.hipGraphExecDestroy(executable))
    assert kinds(hip, graph) == ["Kernel", "Graph"]
    run(hip, graph, stream)
    assert (program.read(x) == 10 * start()).all()


def test_memory_in_the_order_of_a_captured_stream(hip, program, stream, made):
    x = program.memory(np.zeros(N, "f4"))
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    memory = ok(hip.hipMallocAsync(4 * N, stream))
    ok(hip.hipMemsetD32Async(memory, 0x3F800000, N, stream))
    ok(hip.hipMemcpyDtoDAsync(x, memory, 4 * N, stream))
    ok(hip.hipFreeAsync(memory, stream))
    fails(hip.hipFreeAsync(x, stream), VALUE)
    graph = made(hip.hipStreamEndCapture(stream))
    assert kinds(hip, graph) == ["MemAlloc", "Memset", "Memcpy", "MemFree"]
    run(hip, graph, stream, times=2)
    assert (program.read(x) == 1).all()


def test_wrong_work_is_refused_as_outside_of_captures(hip, program, stream, made):
    x = program.memory()
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    fails(hip.hipModuleLaunchKernel(program.scale, 0, 1, 1, 1, 1, 1, 0, stream, None, ()), VALUE)
    fails(hip.hipMemsetAsync(x, 0, 1000, stream), VALUE)
    fails(hip.hipMemcpyAsync(x, x, 1000, 3, stream), VALUE)
    assert ok(hip.hipStreamIsCapturing(stream)) == ACTIVE
    graph = made(hip.hipStreamEndCapture(stream))
    assert kinds(hip, graph) == []


def test_the_mode_of_a_thread(hip):
    assert ok(hip.hipThreadExchangeStreamCaptureMode()) == hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal


def test_a_cooperative_launch(hip, program, stream, made):
    x = program.memory()
    values = ctypes.c_void_p(int(x)), ctypes.c_float(2), ctypes.c_int(N)
    arguments = (program.scale, 4, 1, 1, 32, 1, 1, 0, stream, tuple(map(ctypes.addressof, values)))
    outside = hip.hipModuleLaunchCooperativeKernel(*arguments)
    ok(hip.hipStreamSynchronize(stream))
    ok(hip.hipStreamBeginCapture(stream, GLOBAL))
    assert hip.hipModuleLaunchCooperativeKernel(*arguments) == outside
    graph = made(hip.hipStreamEndCapture(stream))
    if outside[0]:
        assert outside[0].name == "hipErrorCooperativeLaunchTooLarge"
        assert kinds(hip, graph) == []
    else:
        run(hip, graph)
        assert (program.read(x) == 4 * start()).all()
        seen, (node,) = hip.hipLaunchAttributeValue(), ok(hip.hipGraphGetNodes(graph))[0]
        ok(hip.hipGraphKernelNodeGetAttribute(node, hip.hipLaunchAttributeID.hipLaunchAttributeCooperative, seen))
        assert seen.cooperative == 1


def test_what_cannot_be_captured_is_refused(hip, stream, made):
    """A wait for a value ends the capture; facts of a stream can be asked while it is captured."""
    number, signal = ok(hip.hipStreamGetId(stream)), made(hip.hipHostMalloc(8, 0))
    ok(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed))
    assert ok(hip.hipStreamGetId(stream)) == number
    fails(hip.hipStreamWaitValue32(stream, signal, 0, hip.hipStreamWaitValueGte, 1), "hipErrorStreamCaptureUnsupported")
    fails(hip.hipStreamEndCapture(stream), "hipErrorStreamCaptureInvalidated")


def test_a_stream_that_launched_before_is_captured(hip, device):
    """Its handle is known to the core by then, which launches without Python."""
    import ctypes

    source = b'extern "C" __global__ void add(int *x, int by) { *x += by; }'
    module = ok(hip.hipModuleLoadData(compiled(source, b"add.hip")))
    add, stream, x = ok(hip.hipModuleGetFunction(module, b"add")), ok(hip.hipStreamCreate()), ok(hip.hipMalloc(4))
    ok(hip.hipMemset(x, 0, 4))

    def launch(times):
        for _ in range(times):
            ok(hip.hipModuleLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, None, (x, ctypes.c_int(1))))

    launch(3)
    ok(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed))
    launch(4)
    graph = ok(hip.hipStreamEndCapture(stream))
    launch(2)
    out = ctypes.c_int()
    ok(hip.hipStreamSynchronize(stream))
    ok(hip.hipMemcpy(ctypes.addressof(out), x, 4, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    assert (out.value, len(ok(hip.hipGraphGetNodes(graph))[0])) == (5, 4)
