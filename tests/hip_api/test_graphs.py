"""Graphs of explicit nodes."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from .calls import fails, ok
from .graphs import N, Program, address, run, start

VALUE = "hipErrorInvalidValue"


@pytest.fixture
def program(hip):
    """Return kernels and memory."""
    kernels = Program(hip)
    yield kernels
    kernels.end()


@pytest.fixture
def graph(hip):
    """Return an empty graph."""
    handle = ok(hip.hipGraphCreate(0))
    yield handle
    hip.hipGraphDestroy(handle)


@pytest.fixture
def stream(hip):
    """Return a stream."""
    handle = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
    yield handle
    ok(hip.hipStreamDestroy(handle))


def scale(hip, program, graph, memory, factor, before=()):
    return ok(hip.hipGraphAddKernelNode(graph, before, len(before), program.kernel(memory, factor)))


def test_a_graph_and_its_edges(hip, graph):
    assert ok(hip.hipGraphGetNodes(graph)) == ((), 0)
    a = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    b = ok(hip.hipGraphAddEmptyNode(graph, (a,), 1))
    array = (ctypes.c_void_p * 2)(int(a), int(b))
    c = ok(hip.hipGraphAddEmptyNode(graph, array, 2))
    assert ok(hip.hipGraphGetNodes(graph)) == ((a, b, c), 3)
    assert ok(hip.hipGraphGetRootNodes(graph)) == ((a,), 1)
    assert ok(hip.hipGraphGetEdges(graph)) == ((a, a, b), (b, c, c), 3)
    assert ok(hip.hipGraphNodeGetDependencies(c)) == ((a, b), 2)
    assert ok(hip.hipGraphNodeGetDependentNodes(a)) == ((b, c), 2)
    assert ok(hip.hipGraphNodeGetType(a)) == hip.hipGraphNodeType.hipGraphNodeTypeEmpty
    ok(hip.hipGraphRemoveDependencies(graph, (a,), (c,), 1))
    assert ok(hip.hipGraphNodeGetDependencies(c)) == ((b,), 1)
    ok(hip.hipGraphAddDependencies(graph, a, c, 1))
    assert ok(hip.hipGraphNodeGetDependencies(c)) == ((b, a), 2)
    ok(hip.hipGraphDestroyNode(b))
    assert ok(hip.hipGraphGetEdges(graph)) == ((a,), (c,), 1)
    fails(hip.hipGraphNodeGetType(b), VALUE)


def test_what_a_graph_refuses(hip, graph):
    a, b = (ok(hip.hipGraphAddEmptyNode(graph, None, 0)) for _ in range(2))
    other = ok(hip.hipGraphCreate(0))
    foreign = ok(hip.hipGraphAddEmptyNode(other, None, 0))
    fails(hip.hipGraphCreate(1), VALUE)
    fails(hip.hipGraphAddEmptyNode(graph, (foreign,), 1), VALUE)
    fails(hip.hipGraphAddEmptyNode(graph, None, 1), VALUE)
    fails(hip.hipGraphAddEmptyNode(graph, (a,), 2), VALUE)
    fails(hip.hipGraphAddDependencies(graph, (a,), (foreign,), 1), VALUE)
    fails(hip.hipGraphAddDependencies(graph, (a,), (a,), 1), VALUE)
    fails(hip.hipGraphAddDependencies(graph, (a, a), (b, b), 2), VALUE)
    ok(hip.hipGraphAddDependencies(graph, (a,), (b,), 1))
    fails(hip.hipGraphAddDependencies(graph, (a,), (b,), 1), VALUE)
    fails(hip.hipGraphRemoveDependencies(graph, (b,), (a,), 1), VALUE)
    ok(hip.hipGraphDestroy(other))
    for call in (hip.hipGraphDestroy, hip.hipGraphGetNodes, hip.hipGraphGetEdges, hip.hipGraphClone):
        fails(call(other), VALUE)
    for call in (hip.hipGraphGetRootNodes, hip.hipGraphInstantiateWithFlags):
        fails(call(*(None, 0)[: 1 + (call is hip.hipGraphInstantiateWithFlags)]), VALUE)
    for call in (hip.hipGraphDestroyNode, hip.hipGraphNodeGetDependencies, hip.hipGraphNodeGetDependentNodes):
        fails(call(foreign), VALUE)


def test_a_cycle_is_refused(hip, graph):
    a, b = (ok(hip.hipGraphAddEmptyNode(graph, None, 0)) for _ in range(2))
    ok(hip.hipGraphAddDependencies(graph, (a, b), (b, a), 2))
    code, executable, node, text = hip.hipGraphInstantiate(graph, 0)
    assert code.name == VALUE
    assert executable is None
    assert node is a
    assert b"cycle" in text
    fails(hip.hipGraphInstantiateWithFlags(graph, 0), VALUE)
    params = hip.hipGraphInstantiateParams()
    fails(hip.hipGraphInstantiateWithParams(graph, params), VALUE)
    assert params.result_out == hip.hipGraphInstantiateResult.hipGraphInstantiateInvalidStructure
    assert int(params.errNode_out) == int(a)


def test_nodes_run_in_the_order_of_their_edges(hip, program, graph, stream):
    x, host, result = program.memory(), start() + 1, np.zeros(N, "f4")
    down = ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, result, x, 4 * N, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    doubled = scale(hip, program, graph, x, 2)
    up = ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, x, host, 4 * N, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    ok(hip.hipGraphAddDependencies(graph, (up, doubled), (doubled, down), 2))
    del up
    executable, node, text = ok(hip.hipGraphInstantiate(graph, 0))
    assert int(node) == 0
    assert text == b""
    for number in range(3):
        host += number
        result[:] = 0
        ok(hip.hipGraphLaunch(executable, stream))
        ok(hip.hipStreamSynchronize(stream))
        assert (result == 2 * host).all()
    ok(hip.hipGraphExecDestroy(executable))
    for call in (hip.hipGraphExecDestroy, hip.hipGraphExecGetFlags):
        fails(call(executable), VALUE)
    for call in (hip.hipGraphLaunch, hip.hipGraphLaunch_spt, hip.hipGraphUpload):
        fails(call(executable, stream), VALUE)


def test_an_executable_stays_when_its_graph_changes(hip, program, graph, stream):
    x = program.memory()
    node = scale(hip, program, graph, x, 3)
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 8))
    assert ok(hip.hipGraphExecGetFlags(executable)) == 8
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(x, 100)))
    ok(hip.hipGraphDestroy(graph))
    ok(hip.hipGraphUpload(executable, stream))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipGraphLaunch_spt(executable, None))
    assert (program.read(x) == 9 * start()).all()
    ok(hip.hipGraphExecDestroy(executable))
    fails(hip.hipGraphInstantiateWithFlags(graph, 0), VALUE)


def test_flags_of_instantiation(hip, graph):
    fails(hip.hipGraphInstantiateWithFlags(graph, 1 << 10), VALUE)
    fails(hip.hipGraphInstantiateWithFlags(graph, 4), "hipErrorNotSupported")
    fails(hip.hipGraphInstantiateWithParams(graph, None), VALUE)
    params = hip.hipGraphInstantiateParams(flags=2)
    executable = ok(hip.hipGraphInstantiateWithParams(graph, params))
    assert ok(hip.hipGraphExecGetFlags(executable)) == 2
    assert params.result_out == hip.hipGraphInstantiateResult.hipGraphInstantiateSuccess
    ok(hip.hipGraphLaunch(executable, None))  # of no node
    ok(hip.hipGraphExecDestroy(executable))


def test_kernel_nodes(hip, program, graph):
    x, y = program.memory(), program.memory()
    node = scale(hip, program, graph, x, 2)
    params = ok(hip.hipGraphKernelNodeGetParams(node))
    assert int(params.func) == int(program.scale)
    assert (params.gridDim.x, params.blockDim.x, params.sharedMemBytes) == (4, 32, 0)
    places = (ctypes.c_void_p * 3).from_address(int(params.kernelParams))
    assert ctypes.c_float.from_address(places[1]).value == 2
    other = ok(hip.hipGraphAddKernelNode(graph, (node,), 1, params))
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(y, 5)))
    run(hip, graph)
    assert (program.read(x) == 2 * start()).all()
    assert (program.read(y) == 5 * start()).all()
    none = program.kernel(x, 2, function=1)
    fails(hip.hipGraphAddKernelNode(graph, None, 0, none), "hipErrorInvalidDeviceFunction")
    fails(hip.hipGraphAddKernelNode(graph, None, 0, None), VALUE)
    wrong = program.kernel(x, 2)
    wrong.gridDim.x = 0
    fails(hip.hipGraphAddKernelNode(graph, None, 0, wrong), VALUE)
    wrong.gridDim.x, wrong.blockDim.x = 1, 1 << 20
    fails(hip.hipGraphKernelNodeSetParams(other, wrong), "hipErrorInvalidConfiguration")
    empty = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    fails(hip.hipGraphKernelNodeGetParams(empty), VALUE)
    fails(hip.hipGraphKernelNodeSetParams(empty, params), VALUE)


def test_arguments_in_a_buffer(hip, program, graph):
    x = program.memory()
    buffer = np.zeros(16, "u1")
    buffer[:8].view("u8")[0], buffer[8:12].view("f4")[0], buffer[12:].view("i4")[0] = int(x), 7, N
    size = ctypes.c_size_t(16)
    extra = (ctypes.c_void_p * 5)(1, buffer.ctypes.data, 2, ctypes.addressof(size), 3)
    params = hip.hipKernelNodeParams(func=program.scale, extra=ctypes.addressof(extra))
    params.gridDim.x, params.blockDim.x = 4, 32
    params.gridDim.y = params.gridDim.z = params.blockDim.y = params.blockDim.z = 1
    ok(hip.hipGraphAddKernelNode(graph, None, 0, params))
    run(hip, graph)
    assert (program.read(x) == 7 * start()).all()
    size.value = 8
    fails(hip.hipGraphAddKernelNode(graph, None, 0, params), VALUE)


def test_attributes_of_kernel_nodes(hip, program, graph):
    node, ids = scale(hip, program, graph, program.memory(), 2), hip.hipLaunchAttributeID
    value, seen = hip.hipLaunchAttributeValue(), hip.hipLaunchAttributeValue()
    value.priority = -3
    ok(hip.hipGraphKernelNodeSetAttribute(node, ids.hipLaunchAttributePriority, value))
    ok(hip.hipGraphKernelNodeGetAttribute(node, ids.hipLaunchAttributePriority, seen))
    assert seen.priority == -3
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(program.memory(), 3)))
    seen.priority = 0
    ok(hip.hipGraphKernelNodeGetAttribute(node, ids.hipLaunchAttributePriority, seen))
    assert seen.priority == -3
    ok(hip.hipGraphKernelNodeGetAttribute(node, ids.hipLaunchAttributeCooperative, seen))
    assert seen.cooperative == 0
    for call in (hip.hipGraphKernelNodeSetAttribute, hip.hipGraphKernelNodeGetAttribute):
        fails(call(node, ids.hipLaunchAttributeClusterDimension, value), VALUE)
        fails(call(node, ids.hipLaunchAttributePriority, None), VALUE)
        fails(call(None, ids.hipLaunchAttributePriority, value), VALUE)


def box(hip, dst, src, kind):
    params = hip.hipMemcpy3DParms()
    params.dstPtr.ptr, params.srcPtr.ptr = int(dst), src
    params.dstPtr.pitch, params.srcPtr.pitch = 40, 20
    params.dstPtr.ysize, params.srcPtr.ysize = 5, 3
    params.dstPos.x, params.dstPos.y, params.dstPos.z = 4, 1, 1
    params.extent.width, params.extent.height, params.extent.depth = 8, 2, 1
    params.kind = kind
    return params


def test_copies_of_a_box(hip, program, graph):
    x, source = program.memory(np.zeros(N, "f4")), np.arange(30, dtype="f4").reshape(2, 3, 5)
    params = box(hip, x, source, hip.hipMemcpyKind.hipMemcpyHostToDevice)
    node = ok(hip.hipGraphAddMemcpyNode(graph, None, 0, params))
    run(hip, graph)
    expected = np.zeros((2, 5, 10), "f4")
    expected[1, 1:3, 1:3] = source[0, :2, :2]
    assert (program.read(x).reshape(2, 5, 10) == expected).all()
    seen = ok(hip.hipGraphMemcpyNodeGetParams(node))
    assert (seen.dstPtr.pitch, seen.dstPos.z, seen.srcPtr.ysize) == (40, 1, 3)
    assert (seen.extent.width, seen.extent.height, seen.extent.depth) == (8, 2, 1)
    seen.dstPos.z, seen.extent.depth = 0, 2
    ok(hip.hipGraphMemcpyNodeSetParams(node, seen))
    run(hip, graph)
    expected[:, 1:3, 1:3] = source[:, :2, :2]
    assert (program.read(x).reshape(2, 5, 10) == expected).all()
    seen.extent.width = 60
    fails(hip.hipGraphMemcpyNodeSetParams(node, seen), "hipErrorInvalidPitchValue")
    seen.extent.width = 0
    fails(hip.hipGraphAddMemcpyNode(graph, None, 0, seen), VALUE)
    fails(hip.hipGraphAddMemcpyNode(graph, None, 0, None), VALUE)


def test_copies_of_bytes(hip, program, graph):
    kinds = hip.hipMemcpyKind
    x, y = program.memory(), program.memory(np.zeros(N, "f4"))
    node = ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, y, x, 4, kinds.hipMemcpyDeviceToDevice))
    seen = ok(hip.hipGraphMemcpyNodeGetParams(node))
    assert (int(seen.dstPtr.ptr), int(seen.srcPtr.ptr), seen.extent.width) == (int(y), int(x), 4)
    assert seen.kind == kinds.hipMemcpyDeviceToDevice
    ok(hip.hipGraphMemcpyNodeSetParams1D(node, y, x, 4 * N, kinds.hipMemcpyDeviceToDevice))
    run(hip, graph)
    assert (program.read(y) == start()).all()
    fails(hip.hipGraphMemcpyNodeSetParams1D(node, y, x, 5 * N, kinds.hipMemcpyDeviceToDevice), VALUE)
    fails(hip.hipGraphAddMemcpyNode1D(graph, None, 0, y, x, 0, kinds.hipMemcpyDeviceToDevice), VALUE)
    fails(hip.hipGraphAddMemcpyNode1D(graph, None, 0, y, x, 4, 99), "hipErrorInvalidMemcpyDirection")
    fails(hip.hipGraphAddMemcpyNode1D(graph, None, 0, None, x, 4, 0), VALUE)


def test_fills(hip, program, graph):
    x = program.memory(np.zeros(N, "f4"))
    params = hip.hipMemsetParams(dst=int(x), elementSize=4, height=2, pitch=40, value=0x3F800000, width=3)
    node = ok(hip.hipGraphAddMemsetNode(graph, None, 0, params))
    seen = ok(hip.hipGraphMemsetNodeGetParams(node))
    assert [getattr(seen, name) for name in ("elementSize", "height", "pitch", "value", "width")] == [
        4, 2, 40, 0x3F800000, 3,
    ]  # fmt: skip
    ok(hip.hipDrvGraphAddMemsetNode(graph, None, 0, hip.hipMemsetParams(
        dst=int(x) + 396, elementSize=1, height=1, pitch=0, value=0, width=4), None))  # fmt: skip
    seen.value = 0x40000000
    ok(hip.hipGraphMemsetNodeSetParams(node, seen))
    run(hip, graph)
    expected = np.zeros(N, "f4")
    expected[0:3] = expected[10:13] = 2
    assert (program.read(x) == expected).all()
    for wrong in ({"elementSize": 3}, {"width": 0}, {"pitch": 8}, {"dst": 0x10}, {"height": 1000}):
        values = {"dst": int(x), "elementSize": 4, "height": 2, "pitch": 40, "value": 1, "width": 3, **wrong}
        fails(hip.hipGraphAddMemsetNode(graph, None, 0, hip.hipMemsetParams(**values)), VALUE)
        fails(hip.hipGraphMemsetNodeSetParams(node, hip.hipMemsetParams(**values)), VALUE)
    fails(hip.hipGraphAddMemsetNode(graph, None, 0, None), VALUE)
    fails(hip.hipGraphMemsetNodeGetParams(None), VALUE)


def test_host_nodes(hip, graph):
    calls = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(calls.append)
    node = ok(hip.hipGraphAddHostNode(graph, None, 0, hip.hipHostNodeParams(fn=address(function), userData=5)))
    python = ok(hip.hipGraphAddHostNode(graph, (node,), 1, SimpleNamespace(fn=calls.append, userData="six")))
    seen = ok(hip.hipGraphHostNodeGetParams(node))
    assert (int(seen.fn), int(seen.userData)) == (address(function), 5)
    ok(hip.hipGraphAddHostNode(graph, (python,), 1, ok(hip.hipGraphHostNodeGetParams(python))))
    seen.userData = 7
    ok(hip.hipGraphHostNodeSetParams(node, seen))
    run(hip, graph)
    assert calls == [7, "six", "six"]
    fails(hip.hipGraphAddHostNode(graph, None, 0, hip.hipHostNodeParams()), VALUE)
    fails(hip.hipGraphAddHostNode(graph, None, 0, None), VALUE)
    fails(hip.hipGraphHostNodeSetParams(node, hip.hipHostNodeParams()), VALUE)


def test_event_nodes(hip, program, graph, stream):
    first, second, gone = (ok(hip.hipEventCreate()) for _ in range(3))
    record = ok(hip.hipGraphAddEventRecordNode(graph, None, 0, first))
    wait = ok(hip.hipGraphAddEventWaitNode(graph, (record,), 1, first))
    assert int(ok(hip.hipGraphEventRecordNodeGetEvent(record))) == int(first)
    ok(hip.hipGraphEventRecordNodeSetEvent(record, second))
    ok(hip.hipGraphEventWaitNodeSetEvent(wait, second))
    assert int(ok(hip.hipGraphEventWaitNodeGetEvent(wait))) == int(second)
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphExecEventRecordNodeSetEvent(executable, record, first))
    ok(hip.hipGraphExecEventWaitNodeSetEvent(executable, wait, first))
    from launchpath.hip._streams import stream_of

    with stream_of(stream).hold():
        ok(hip.hipGraphLaunch(executable, stream))
        fails(hip.hipEventQuery(first), "hipErrorNotReady")
        ok(hip.hipEventQuery(second))  # it was never recorded
    ok(hip.hipEventSynchronize(first))
    ok(hip.hipEventDestroy(gone))
    for call in (hip.hipGraphEventRecordNodeGetEvent, hip.hipGraphEventWaitNodeGetEvent):
        fails(call(None), VALUE)
    for call in (hip.hipGraphAddEventRecordNode, hip.hipGraphAddEventWaitNode):
        fails(call(graph, None, 0, gone), VALUE)
    fails(hip.hipGraphEventRecordNodeSetEvent(wait, first), VALUE)
    fails(hip.hipGraphEventWaitNodeSetEvent(record, first), VALUE)
    fails(hip.hipGraphExecEventRecordNodeSetEvent(executable, wait, first), VALUE)
    fails(hip.hipGraphExecEventWaitNodeSetEvent(executable, record, first), VALUE)
    ok(hip.hipGraphExecDestroy(executable))
    ok(hip.hipEventDestroy(first))
    ok(hip.hipEventDestroy(second))


def test_graphs_within_graphs(hip, program, graph):
    x, inner = program.memory(), ok(hip.hipGraphCreate(0))
    node = scale(hip, program, inner, x, 2)
    scale(hip, program, inner, x, 5, (node,))
    child = ok(hip.hipGraphAddChildGraphNode(graph, None, 0, inner))
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(x, 3)))
    run(hip, graph)
    assert (program.read(x) == 10 * start()).all()
    embedded = ok(hip.hipGraphChildGraphNodeGetGraph(child))
    assert ok(hip.hipGraphNodeFindInClone(node, embedded)) == ok(hip.hipGraphGetNodes(embedded))[0][0]
    fails(hip.hipGraphDestroy(embedded), VALUE)
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphExecChildGraphNodeSetParams(executable, child, inner))
    ok(hip.hipGraphLaunch(executable, None))
    assert (program.read(x) == 150 * start()).all()
    ok(hip.hipGraphAddEmptyNode(inner, None, 0))
    fails(hip.hipGraphExecChildGraphNodeSetParams(executable, child, inner), VALUE)
    ok(hip.hipGraphExecDestroy(executable))
    fails(hip.hipGraphAddChildGraphNode(graph, None, 0, graph), VALUE)
    fails(hip.hipGraphAddChildGraphNode(graph, None, 0, None), VALUE)
    empty = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    fails(hip.hipGraphChildGraphNodeGetGraph(empty), VALUE)
    ok(hip.hipGraphDestroy(inner))


def test_a_clone(hip, program, graph):
    x = program.memory()
    node = scale(hip, program, graph, x, 2)
    clone = ok(hip.hipGraphClone(graph))
    copied = ok(hip.hipGraphNodeFindInClone(node, clone))
    assert ok(hip.hipGraphGetNodes(clone)) == ((copied,), 1)
    ok(hip.hipGraphKernelNodeSetParams(copied, program.kernel(x, 3)))
    run(hip, graph)
    run(hip, clone)
    assert (program.read(x) == 6 * start()).all()
    late = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    fails(hip.hipGraphNodeFindInClone(late, clone), VALUE)
    fails(hip.hipGraphNodeFindInClone(node, graph), VALUE)
    ok(hip.hipGraphDestroyNode(copied))
    fails(hip.hipGraphNodeFindInClone(node, clone), VALUE)
    ok(hip.hipGraphDestroy(clone))


def generic(hip, kind):
    params = hip.hipGraphNodeParams()
    params.type = kind
    return params, hip.hipGraphNodeParams_union_0.fromObj(params.as_c_void_p().value + 16)


def test_nodes_of_any_type(hip, program, graph):
    kinds, x = hip.hipGraphNodeType, program.memory()
    params, union = generic(hip, kinds.hipGraphNodeTypeMemset)
    union.memset.dst, union.memset.elementSize, union.memset.width, union.memset.height = int(x), 4, 5, 1
    node = ok(hip.hipGraphAddNode(graph, None, 0, params))
    assert ok(hip.hipGraphNodeGetType(node)) == kinds.hipGraphNodeTypeMemset
    union.memset.width = 6
    ok(hip.hipGraphNodeSetParams(node, params))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    union.memset.width = 7
    ok(hip.hipGraphExecNodeSetParams(executable, node, params))
    ok(hip.hipGraphLaunch(executable, None))
    expected = start()
    expected[:7] = 0
    assert (program.read(x) == expected).all()
    event = ok(hip.hipEventCreate())
    for kind, field in (
        (kinds.hipGraphNodeTypeEventRecord, "eventRecord"),
        (kinds.hipGraphNodeTypeWaitEvent, "eventWait"),
    ):
        params, union = generic(hip, kind)
        getattr(union, field).event = event
        assert ok(hip.hipGraphNodeGetType(ok(hip.hipGraphAddNode(graph, None, 0, params)))) == kind
    fails(hip.hipGraphNodeSetParams(node, params), VALUE)
    fails(hip.hipGraphExecNodeSetParams(executable, node, params), VALUE)
    kept, source = program.kernel(x, 4), np.full(N, 3, "f4")
    params, union = generic(hip, kinds.hipGraphNodeTypeMemcpy)
    copied = union.memcpy.copyParams
    copied.dstPtr.ptr, copied.srcPtr.ptr, copied.kind = int(x), source, hip.hipMemcpyKind.hipMemcpyHostToDevice
    copied.extent.width, copied.extent.height, copied.extent.depth = 4 * N, 1, 1
    last = ok(hip.hipGraphAddNode(graph, (node,), 1, params))
    params, union = generic(hip, kinds.hipGraphNodeTypeKernel)
    union.kernel.func, union.kernel.kernelParams = program.scale, kept.kernelParams
    for size, value in ((union.kernel.gridDim, 4), (union.kernel.blockDim, 32)):
        size.x, size.y, size.z = value, 1, 1
    ok(hip.hipGraphAddNode(graph, (last,), 1, params))
    calls = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(calls.append)
    params, union = generic(hip, kinds.hipGraphNodeTypeHost)
    union.host.fn, union.host.userData = address(function), 3
    ok(hip.hipGraphAddNode(graph, None, 0, params))
    inner = ok(hip.hipGraphCreate(0))
    params, union = generic(hip, kinds.hipGraphNodeTypeGraph)
    union.graph.graph = inner
    ok(hip.hipGraphAddNode(graph, None, 0, params))
    run(hip, graph)
    assert (program.read(x) == 12).all()
    assert calls == [3]
    params, _ = generic(hip, kinds.hipGraphNodeTypeBatchMemOp)
    fails(hip.hipGraphAddNode(graph, None, 0, params), "hipErrorNotSupported")
    fails(hip.hipGraphAddNode(graph, None, 0, None), VALUE)
    ok(hip.hipGraphExecDestroy(executable))
    ok(hip.hipGraphDestroy(inner))
    ok(hip.hipEventDestroy(event))


def test_parameters_of_an_executable(hip, program, graph, stream):
    kinds, x, y, calls = hip.hipMemcpyKind, program.memory(), program.memory(np.zeros(N, "f4")), []
    filled = hip.hipMemsetParams(dst=int(x), elementSize=4, height=1, pitch=0, value=0, width=1)
    fill = ok(hip.hipGraphAddMemsetNode(graph, None, 0, filled))
    launch = scale(hip, program, graph, x, 2, (fill,))
    copy = ok(hip.hipGraphAddMemcpyNode1D(graph, (launch,), 1, y, x, 4, kinds.hipMemcpyDeviceToDevice))
    call = ok(hip.hipGraphAddHostNode(graph, (copy,), 1, SimpleNamespace(fn=calls.append, userData=1)))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    filled.width = 3
    ok(hip.hipGraphExecMemsetNodeSetParams(executable, fill, filled))
    ok(hip.hipGraphExecKernelNodeSetParams(executable, launch, program.kernel(x, 3)))
    ok(hip.hipGraphExecMemcpyNodeSetParams1D(executable, copy, y, x, 4 * N, kinds.hipMemcpyDeviceToDevice))
    ok(hip.hipGraphExecHostNodeSetParams(executable, call, SimpleNamespace(fn=calls.append, userData=2)))
    ok(hip.hipGraphLaunch(executable, stream))
    expected = 6 * start()
    expected[:3] = 0
    assert (program.read(x) == expected).all()
    assert (program.read(y) == expected).all()
    assert calls == [1, 2]
    filled.width = 5
    ok(hip.hipDrvGraphExecMemsetNodeSetParams(executable, fill, filled, None))
    params = ok(hip.hipGraphMemcpyNodeGetParams(copy))
    ok(hip.hipGraphExecMemcpyNodeSetParams(executable, copy, params))
    ok(hip.hipGraphLaunch(executable, stream))
    assert (program.read(x)[:6] == [0, 0, 0, 0, 0, 90]).all()
    assert (program.read(y)[:6] == expected[:6]).all()
    for result in (
        hip.hipGraphExecKernelNodeSetParams(executable, fill, program.kernel(x, 3)),
        hip.hipGraphExecMemsetNodeSetParams(executable, launch, filled),
        hip.hipDrvGraphExecMemsetNodeSetParams(executable, launch, filled, None),
        hip.hipGraphExecMemcpyNodeSetParams(executable, launch, params),
        hip.hipGraphExecMemcpyNodeSetParams1D(executable, launch, y, x, 4, kinds.hipMemcpyDeviceToDevice),
        hip.hipGraphExecHostNodeSetParams(executable, launch, SimpleNamespace(fn=print, userData=2)),
        hip.hipGraphExecChildGraphNodeSetParams(executable, launch, graph),
        hip.hipGraphExecMemsetNodeSetParams(executable, None, filled),
        hip.hipGraphExecMemsetNodeSetParams(None, fill, filled),
    ):
        fails(result, VALUE)
    ok(hip.hipGraphExecDestroy(executable))


def test_nodes_that_are_disabled(hip, program, graph):
    x = program.memory()
    double = scale(hip, program, graph, x, 2)
    scale(hip, program, graph, x, 3, (double,))
    empty = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    assert ok(hip.hipGraphNodeGetEnabled(executable, double)) == 1
    ok(hip.hipGraphNodeSetEnabled(executable, double, 0))
    assert ok(hip.hipGraphNodeGetEnabled(executable, double)) == 0
    ok(hip.hipGraphLaunch(executable, None))
    assert (program.read(x) == 3 * start()).all()
    ok(hip.hipGraphNodeSetEnabled(executable, double, 1))
    ok(hip.hipGraphLaunch(executable, None))
    assert (program.read(x) == 18 * start()).all()
    fails(hip.hipGraphNodeSetEnabled(executable, empty, 0), VALUE)
    fails(hip.hipGraphNodeGetEnabled(executable, empty), VALUE)
    fails(hip.hipGraphNodeGetEnabled(executable, None), VALUE)
    ok(hip.hipGraphExecDestroy(executable))


def test_an_update(hip, program, graph, stream):
    results, x = hip.hipGraphExecUpdateResult, program.memory()
    node = scale(hip, program, graph, x, 2)
    last = scale(hip, program, graph, x, 3, (node,))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(x, 5)))
    place = ctypes.c_void_p(1)
    assert ok(hip.hipGraphExecUpdate(executable, graph, ctypes.addressof(place))) == results.hipGraphExecUpdateSuccess
    assert place.value is None
    ok(hip.hipGraphLaunch(executable, stream))
    assert (program.read(x) == 90 * start()).all()

    def refused(name):
        place = ctypes.c_void_p()
        code, result = hip.hipGraphExecUpdate(executable, graph, ctypes.addressof(place))
        assert code.name == "hipErrorGraphExecUpdateFailure"
        assert result == results[name]
        return place.value

    ok(hip.hipGraphRemoveDependencies(graph, (node,), (last,), 1))
    assert refused("hipGraphExecUpdateErrorTopologyChanged") == int(last)
    ok(hip.hipGraphAddDependencies(graph, (node,), (last,), 1))
    more = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    assert refused("hipGraphExecUpdateErrorTopologyChanged") == int(more)
    ok(hip.hipGraphDestroyNode(last))
    assert refused("hipGraphExecUpdateErrorNodeTypeChanged") == int(more)
    fails(hip.hipGraphExecUpdate(executable, None, None), VALUE)
    ok(hip.hipGraphLaunch(executable, stream))  # as before
    assert (program.read(x) == 1350 * start()).all()
    ok(hip.hipGraphExecDestroy(executable))


def test_threads_launch_one_executable(hip, device, program, graph):
    from launchpath.hip import _current

    x, times = program.memory(np.zeros(N, "f4")), 50
    ones = np.ones(N, "f4")
    y = program.memory(ones)
    values = ctypes.c_void_p(int(x)), ctypes.c_void_p(int(y)), ctypes.c_int(N)
    pointers = (ctypes.c_void_p * 3)(*map(ctypes.addressof, values))
    params = program.kernel(x, 0, program.add)
    params.kernelParams = ctypes.addressof(pointers)
    node = None
    for _ in range(3):
        node = ok(hip.hipGraphAddKernelNode(graph, () if node is None else (node,), node is not None, params))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    failed = []

    def launch():
        _current.choose(device)
        stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
        failed.extend(code for code in (hip.hipGraphLaunch(executable, stream)[0] for _ in range(times)) if code)
        failed.extend(code for code in (hip.hipStreamSynchronize(stream)[0], hip.hipStreamDestroy(stream)[0]) if code)

    threads = [threading.Thread(target=launch) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert (program.read(x) == 2 * times * 3).all()
    ok(hip.hipGraphExecDestroy(executable))


def test_what_nodes_use_lives_as_long(hip, program, graph, stream):
    x, result = program.memory(), np.zeros(N, "f4")
    ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, x, start() + 5, 4 * N, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphDestroy(graph))
    gc.collect()
    junk = [np.full(N, 7, "f4") for _ in range(50)]
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipMemcpyWithStream(result, x, 4 * N, 4, stream))
    assert (result == start() + 5).all()
    assert junk
    ok(hip.hipGraphExecDestroy(executable))


def test_memory_that_was_freed_is_refused(hip, program, graph):
    x, gone = program.memory(), ok(hip.hipMalloc(4 * N))
    ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, gone, x, 4 * N, 3))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, None))
    ok(hip.hipFree(gone))
    fails(hip.hipGraphLaunch(executable, None), VALUE)
    ok(hip.hipGraphExecDestroy(executable))


def used(hip, kind="hipGraphMemAttrUsedMemCurrent"):
    value = ctypes.c_uint64(1)
    attribute = hip.hipGraphMemAttributeType[kind]
    ok(hip.hipDeviceGetGraphMemAttribute(ok(hip.hipGetDevice()), attribute, ctypes.addressof(value)))
    return value.value


def test_memory_of_a_graph(hip, program, graph):
    from launchpath.hip import _allocations

    gc.collect()
    number, before, count = ok(hip.hipGetDevice()), used(hip), _allocations.count()
    params = hip.hipMemAllocNodeParams(bytesize=4 * N)
    params.poolProps.location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    params.poolProps.location.id = number
    node = ok(hip.hipGraphAddMemAllocNode(graph, None, 0, params))
    pointer, x = int(params.dptr), program.memory(np.zeros(N, "f4"))
    assert used(hip) == before + 4 * N
    fill = ok(hip.hipGraphAddMemsetNode(graph, (node,), 1, hip.hipMemsetParams(
        dst=pointer, elementSize=4, height=1, pitch=0, value=0x3F800000, width=N)))  # fmt: skip
    copy = ok(hip.hipGraphAddMemcpyNode1D(graph, (fill,), 1, x, pointer, 4 * N, 3))
    free = ok(hip.hipGraphAddMemFreeNode(graph, (copy,), 1, pointer))
    fails(hip.hipGraphAddMemFreeNode(graph, (copy,), 1, pointer), VALUE)
    fails(hip.hipDrvGraphAddMemFreeNode(graph, (copy,), 1, x), VALUE)
    run(hip, graph, times=2)
    assert (program.read(x) == 1).all()
    seen = ok(hip.hipGraphMemAllocNodeGetParams(node))
    assert (int(seen.dptr), seen.bytesize, seen.poolProps.location.id) == (pointer, 4 * N, number)
    place = ctypes.c_void_p()
    ok(hip.hipGraphMemFreeNodeGetParams(free, ctypes.addressof(place)))
    assert place.value == pointer
    fails(hip.hipGraphMemFreeNodeGetParams(free, None), VALUE)
    fails(hip.hipGraphMemFreeNodeGetParams(node, ctypes.addressof(place)), VALUE)
    fails(hip.hipGraphMemAllocNodeGetParams(free), VALUE)
    fails(hip.hipGraphAddMemAllocNode(graph, None, 0, hip.hipMemAllocNodeParams()), VALUE)
    ok(hip.hipGraphDestroy(graph))
    gc.collect()
    assert used(hip) == before
    assert used(hip, "hipGraphMemAttrUsedMemHigh") >= 4 * N
    assert _allocations.count() == count + 1  # x


def test_memory_without_a_free_node_is_the_programs(hip, graph):
    params = hip.hipMemAllocNodeParams(bytesize=64)
    ok(hip.hipGraphAddMemAllocNode(graph, None, 0, params))
    pointer, executable = int(params.dptr), ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, None))
    ok(hip.hipMemset(pointer, 1, 64))
    ok(hip.hipFree(pointer))
    fails(hip.hipGraphLaunch(executable, None), VALUE)
    ok(hip.hipGraphExecDestroy(executable))
    later = ok(hip.hipGraphCreate(0))
    ok(hip.hipGraphAddMemAllocNode(later, None, 0, params))
    pointer = int(params.dptr)
    run(hip, later)
    ok(hip.hipGraphDestroy(later))
    gc.collect()
    ok(hip.hipMemset(pointer, 1, 64))
    ok(hip.hipFree(pointer))


def test_attributes_of_graph_memory(hip):
    kinds, number = hip.hipGraphMemAttributeType, ok(hip.hipGetDevice())
    value = ctypes.c_uint64(0)
    place = ctypes.addressof(value)
    ok(hip.hipDeviceGraphMemTrim(number))
    ok(hip.hipDeviceSetGraphMemAttribute(number, kinds.hipGraphMemAttrUsedMemHigh, place))
    assert used(hip, "hipGraphMemAttrReservedMemHigh") == used(hip)
    fails(hip.hipDeviceSetGraphMemAttribute(number, kinds.hipGraphMemAttrUsedMemCurrent, place), VALUE)
    fails(hip.hipDeviceGetGraphMemAttribute(number, 77, place), VALUE)
    fails(hip.hipDeviceGetGraphMemAttribute(number, kinds.hipGraphMemAttrUsedMemHigh, None), VALUE)
    for result in (
        hip.hipDeviceGraphMemTrim(1000),
        hip.hipDeviceGetGraphMemAttribute(1000, kinds.hipGraphMemAttrUsedMemHigh, place),
        hip.hipDeviceSetGraphMemAttribute(1000, kinds.hipGraphMemAttrUsedMemHigh, place),
    ):
        fails(result, "hipErrorInvalidDevice")


def test_user_objects(hip, graph):
    ended = []
    counted = ok(hip.hipUserObjectCreate("data", ended.append, 1, 1))
    ok(hip.hipGraphRetainUserObject(graph, counted, 1, 1))  # the caller's reference
    ok(hip.hipGraphRetainUserObject(graph, counted, 2, 0))
    ok(hip.hipUserObjectRetain(counted, 1))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    fails(hip.hipGraphReleaseUserObject(graph, counted, 4), VALUE)
    ok(hip.hipGraphReleaseUserObject(graph, counted, 3))
    ok(hip.hipUserObjectRelease(counted, 1))
    assert not ended
    ok(hip.hipGraphExecDestroy(executable))
    assert ended == ["data"]
    fails(hip.hipUserObjectRelease(counted, 1), VALUE)
    fails(hip.hipUserObjectRetain(counted, 1), VALUE)
    fails(hip.hipGraphRetainUserObject(graph, counted, 1, 0), VALUE)
    fails(hip.hipGraphReleaseUserObject(graph, counted, 1), VALUE)
    for arguments in ((None, 1, 1), (print, 0, 1), (print, 1, 0)):
        fails(hip.hipUserObjectCreate(None, *arguments), VALUE)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ended.append)
    counted = ok(hip.hipUserObjectCreate(0x55, address(function), 2, 1))
    fails(hip.hipUserObjectRelease(counted, 3), VALUE)
    fails(hip.hipGraphRetainUserObject(graph, counted, 1, 2), VALUE)
    ok(hip.hipGraphRetainUserObject(graph, counted, 2, 1))
    ok(hip.hipGraphDestroy(graph))
    assert ended == ["data", 0x55]


def test_a_drawing(hip, program, graph, tmp_path):
    node = scale(hip, program, graph, program.memory(), 2)
    ok(hip.hipGraphAddEmptyNode(graph, (node,), 1))
    path = tmp_path / "graph.dot"
    ok(hip.hipGraphDebugDotPrint(graph, str(path).encode(), 0))
    text = path.read_text()
    assert text.startswith("digraph")
    assert "node_0 -> node_1" in text
    assert "scale" in text
    fails(hip.hipGraphDebugDotPrint(graph, str(tmp_path / "none" / "graph.dot"), 0), "hipErrorOperatingSystem")
    fails(hip.hipGraphDebugDotPrint(None, str(path), 0), VALUE)


def test_an_executable_is_one_submission_where_it_can_be(hip, program, graph, stream):
    from launchpath.hip._graph_run import Joined, executables

    x = program.memory()
    node = scale(hip, program, graph, x, 2)
    scale(hip, program, graph, x, 3, (node,))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    (part,) = executables.find(executable)._parts
    assert isinstance(part, Joined)
    assert part.executable is not None
    from launchpath import Step

    with Step():
        ok(hip.hipGraphExecKernelNodeSetParams(executable, node, program.kernel(x, 5)))
        ok(hip.hipGraphLaunch(executable, stream))
    assert (program.read(x) == 90 * start()).all()
    ok(hip.hipGraphExecDestroy(executable))


def test_copies_as_the_driver_functions_take_them(hip, program, graph):
    x, source, types = program.memory(np.zeros(N, "f4")), np.arange(30, dtype="f4").reshape(2, 3, 5), hip.hipMemoryType
    params = hip.HIP_MEMCPY3D(
        srcMemoryType=types.hipMemoryTypeHost, srcHost=source, srcPitch=20, srcHeight=3, srcY=1,
        dstMemoryType=types.hipMemoryTypeDevice, dstDevice=int(x), dstPitch=40, dstHeight=5, dstXInBytes=8, dstZ=1,
        WidthInBytes=12, Height=2, Depth=1,
    )  # fmt: skip
    node = ok(hip.hipDrvGraphAddMemcpyNode(graph, None, 0, params, None))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, None))
    expected = np.zeros((2, 5, 10), "f4")
    expected[1, :2, 2:5] = source[0, 1:3, :3]
    assert (program.read(x).reshape(2, 5, 10) == expected).all()
    seen = ok(hip.hipDrvGraphMemcpyNodeGetParams(node))
    assert (seen.srcMemoryType, seen.dstMemoryType) == (types.hipMemoryTypeHost, types.hipMemoryTypeDevice)
    assert (seen.srcY, seen.dstXInBytes, seen.dstZ, seen.dstHeight, seen.WidthInBytes) == (1, 8, 1, 5, 12)
    seen.dstZ = 0
    ok(hip.hipDrvGraphExecMemcpyNodeSetParams(executable, node, seen, None))
    ok(hip.hipGraphLaunch(executable, None))
    expected[0] = expected[1]
    assert (program.read(x).reshape(2, 5, 10) == expected).all()
    seen.dstMemoryType = types.hipMemoryTypeArray
    fails(hip.hipDrvGraphExecMemcpyNodeSetParams(executable, node, seen, None), "hipErrorNotSupported")
    fails(hip.hipDrvGraphAddMemcpyNode(graph, None, 0, None, None), VALUE)
    fails(hip.hipDrvGraphMemcpyNodeGetParams(None), VALUE)
    ok(hip.hipGraphExecDestroy(executable))


def test_a_cycle_in_a_graph_within_a_graph(hip, graph):
    inner = ok(hip.hipGraphCreate(0))
    a, b = (ok(hip.hipGraphAddEmptyNode(inner, None, 0)) for _ in range(2))
    ok(hip.hipGraphAddDependencies(inner, (a, b), (b, a), 2))
    ok(hip.hipGraphAddChildGraphNode(graph, None, 0, inner))
    fails(hip.hipGraphInstantiateWithFlags(graph, 0), VALUE)
    ok(hip.hipGraphDestroy(inner))


def test_a_stream_of_another_device(hip, program, graph):
    number, count = ok(hip.hipGetDevice()), ok(hip.hipGetDeviceCount())
    if count < 2:
        pytest.skip("there is one device")
    x = program.memory()
    scale(hip, program, graph, x, 2)
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipSetDevice((number + 1) % count))
    other, theirs = ok(hip.hipStreamCreate()), ok(hip.hipMalloc(4 * N))
    fails(hip.hipGraphLaunch(executable, other), VALUE)
    fails(hip.hipGraphAddMemcpyNode1D(graph, None, 0, theirs, x, 4, 4), "hipErrorNotSupported")
    ok(hip.hipStreamDestroy(other))
    ok(hip.hipFree(theirs))
    ok(hip.hipSetDevice(number))
    assert (program.read(x) == start()).all()
    ok(hip.hipGraphExecDestroy(executable))


def test_an_update_keeps_the_device(hip, program, graph):
    count, number = ok(hip.hipGetDeviceCount()), ok(hip.hipGetDevice())
    if count < 2:
        pytest.skip("there is one device")
    x = program.memory()
    values = {"elementSize": 1, "height": 1, "pitch": 0, "value": 0, "width": 4}
    node = ok(hip.hipGraphAddMemsetNode(graph, None, 0, hip.hipMemsetParams(dst=int(x), **values)))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipSetDevice((number + 1) % count))
    theirs = ok(hip.hipMalloc(4))
    params = hip.hipMemsetParams(dst=int(theirs), **values)
    fails(hip.hipGraphExecMemsetNodeSetParams(executable, node, params), VALUE)
    ok(hip.hipGraphMemsetNodeSetParams(node, params))
    code, result = hip.hipGraphExecUpdate(executable, graph, None)
    assert code.name == "hipErrorGraphExecUpdateFailure"
    assert result == hip.hipGraphExecUpdateResult.hipGraphExecUpdateErrorParametersChanged
    ok(hip.hipFree(theirs))
    ok(hip.hipSetDevice(number))
    ok(hip.hipGraphExecDestroy(executable))


def test_an_executable_is_destroyed_behind_its_launch(hip, program, graph, stream):
    x, result = program.memory(), np.zeros(N, "f4")
    ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, result, x, 4 * N, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    from launchpath.hip._streams import stream_of

    hold = stream_of(stream).hold()
    hold.__enter__()
    timer = threading.Timer(0.05, hold.__exit__, (None, None, None))
    ok(hip.hipGraphLaunch(executable, stream))
    assert (result == 0).all()
    timer.start()
    ok(hip.hipGraphExecDestroy(executable))
    assert (result == start()).all()
    timer.join()


def test_launches_of_an_executable_come_one_behind_the_other(hip, graph, stream):
    from launchpath.hip._streams import stream_of

    other, calls = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)), []
    ok(hip.hipGraphAddHostNode(graph, None, 0, SimpleNamespace(fn=calls.append, userData=1)))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    with stream_of(stream).hold():
        ok(hip.hipGraphLaunch(executable, stream))
        ok(hip.hipGraphLaunch(executable, other))
        time.sleep(0.02)
        fails(hip.hipStreamQuery(other), "hipErrorNotReady")
        assert calls == []
    ok(hip.hipStreamSynchronize(other))
    assert calls == [1, 1]
    ok(hip.hipGraphExecDestroy(executable))
    ok(hip.hipStreamDestroy(other))
