"""Nodes of graphs: kernels, copies, fills, host functions and events."""

import ctypes
from types import SimpleNamespace

import numpy as np

from .calls import fails, ok
from .graphs import N, address, run, scale, start

VALUE = "hipErrorInvalidValue"


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


def test_an_event_node_records_or_waits_for_the_event_that_was_set_last(hip, program, graph, stream, made):
    gone, first, second = ok(hip.hipEventCreate()), made(hip.hipEventCreate()), made(hip.hipEventCreate())
    record = ok(hip.hipGraphAddEventRecordNode(graph, None, 0, first))
    wait = ok(hip.hipGraphAddEventWaitNode(graph, (record,), 1, first))
    assert int(ok(hip.hipGraphEventRecordNodeGetEvent(record))) == int(first)
    ok(hip.hipGraphEventRecordNodeSetEvent(record, second))
    ok(hip.hipGraphEventWaitNodeSetEvent(wait, second))
    assert int(ok(hip.hipGraphEventWaitNodeGetEvent(wait))) == int(second)
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphExecEventRecordNodeSetEvent(executable, record, first))
    ok(hip.hipGraphExecEventWaitNodeSetEvent(executable, wait, first))
    from launchpath.hip._streams.streams import stream_of

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


def generic(hip, kind):
    params = hip.hipGraphNodeParams()
    params.type = kind
    return params, hip.hipGraphNodeParams_union_0.fromObj(params.as_c_void_p().value + 16)


def test_one_function_adds_nodes_of_each_type_and_changes_them(hip, program, graph, made):
    kinds, x = hip.hipGraphNodeType, program.memory()
    params, union = generic(hip, kinds.hipGraphNodeTypeMemset)
    union.memset.dst, union.memset.elementSize, union.memset.width, union.memset.height = int(x), 4, 5, 1
    node = ok(hip.hipGraphAddNode(graph, None, 0, params))
    assert ok(hip.hipGraphNodeGetType(node)) == kinds.hipGraphNodeTypeMemset
    union.memset.width = 6
    ok(hip.hipGraphNodeSetParams(node, params))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    union.memset.width = 7
    ok(hip.hipGraphExecNodeSetParams(executable, node, params))
    ok(hip.hipGraphLaunch(executable, None))
    expected = start()
    expected[:7] = 0
    assert (program.read(x) == expected).all()
    event = made(hip.hipEventCreate())
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
    inner = made(hip.hipGraphCreate(0))
    params, union = generic(hip, kinds.hipGraphNodeTypeGraph)
    union.graph.graph = inner
    ok(hip.hipGraphAddNode(graph, None, 0, params))
    run(hip, graph)
    assert (program.read(x) == 12).all()
    assert calls == [3]
    params, _ = generic(hip, kinds.hipGraphNodeTypeBatchMemOp)
    fails(hip.hipGraphAddNode(graph, None, 0, params), "hipErrorNotSupported")
    fails(hip.hipGraphAddNode(graph, None, 0, None), VALUE)


def test_copies_as_the_driver_functions_take_them(hip, program, graph, made):
    x, source, types = program.memory(np.zeros(N, "f4")), np.arange(30, dtype="f4").reshape(2, 3, 5), hip.hipMemoryType
    params = hip.HIP_MEMCPY3D(
        srcMemoryType=types.hipMemoryTypeHost, srcHost=source, srcPitch=20, srcHeight=3, srcY=1,
        dstMemoryType=types.hipMemoryTypeDevice, dstDevice=int(x), dstPitch=40, dstHeight=5, dstXInBytes=8, dstZ=1,
        WidthInBytes=12, Height=2, Depth=1,
    )  # fmt: skip
    node = ok(hip.hipDrvGraphAddMemcpyNode(graph, None, 0, params, None))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
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
